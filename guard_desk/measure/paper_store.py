"""Answers of a generator that outlive the run: a repeated or interrupted suite goes on where it was."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Generator as PythonGenerator
from dataclasses import asdict, dataclass
from pathlib import Path

from guard_desk.errors import StoreError
from guard_desk.progress import RunContext
from guard_desk.protocols import Generator, TokenCounter, Usage
from guard_desk.records.evidence import ModelInfo

logger = logging.getLogger("guard_desk.models")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What a prompt took and gave.

    :param key: `answer_key` of model and prompt.
    :param seconds: how long the model wrote when it was asked.
    :param estimated: the model's side told no counts of tokens.
    """

    key: str
    text: str
    prompt_tokens: int
    answer_tokens: int
    finished: bool
    seconds: float
    estimated: bool = False


def answer_key(model: ModelInfo, prompt: str) -> str:
    """The sha256 of all that decides an answer: the model with its revision, and the prompt."""
    return hashlib.sha256("\x00".join((model.name, model.revision, prompt)).encode("utf-8")).hexdigest()


class StoredGenerator:
    """A generator that asks the model only for what it has not answered before.

    :param file: JSON Lines, one answer a line, written as they come. A line that an interrupted run left half-written is skipped.
    :param counter: counts for a model that does not tell what it took.
    """

    def __init__(self, inner: Generator, file: Path, counter: TokenCounter) -> None:
        self._inner = inner
        self._file = file
        self._counter = counter
        self._known = _read(file)
        self.asked = 0

    @property
    def info(self) -> ModelInfo:
        """The model's."""
        return self._inner.info

    def generate(self, prompt: str, ctx: RunContext) -> PythonGenerator[str, None, Usage]:
        """The stored answer in one piece, or the model's.

        :raises Cancelled: between pieces; an unfinished answer is not stored.
        """
        found = self.stored(prompt)
        if found is None:
            found = yield from self._asked(prompt, ctx)
        else:
            yield found.text
        return Usage(
            prompt_tokens=found.prompt_tokens, answer_tokens=found.answer_tokens, finished=found.finished, estimated=found.estimated
        )

    def stored(self, prompt: str) -> Stored | None:
        """The answer to a prompt with what it took; None when it was never asked."""
        return self._known.get(answer_key(self.info, prompt))

    def _asked(self, prompt: str, ctx: RunContext) -> PythonGenerator[str, None, Stored]:
        start, key, pieces = time.perf_counter(), answer_key(self.info, prompt), []
        stream = self._inner.generate(prompt, ctx)
        while True:
            try:
                piece = next(stream)
            except StopIteration as stop:
                usage = stop.value
                break
            pieces.append(piece)
            yield piece
        text = "".join(pieces)
        if not isinstance(usage, Usage):
            usage = Usage(prompt_tokens=self._counter.count(prompt), answer_tokens=self._counter.count(text), estimated=True)
        stored = Stored(key=key, text=text, seconds=time.perf_counter() - start, **asdict(usage))
        self.asked += 1
        self._keep(stored)
        return stored

    def _keep(self, stored: Stored) -> None:
        self._known[stored.key] = stored
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a", encoding="ascii", newline="\n") as lines:
                lines.write(json.dumps(asdict(stored)) + "\n")
        except OSError as exc:
            raise StoreError(
                f"Cannot write the answers of the suite to {self._file}: {exc}. Free the place or move GUARD_DESK_HOME."
            ) from exc


def _read(file: Path) -> dict[str, Stored]:
    try:
        lines = file.read_bytes().split(b"\n")
    except FileNotFoundError:
        return {}
    except OSError as exc:
        raise StoreError(f"Cannot read the answers of the suite in {file}: {exc}. Move the file away.") from exc
    known: dict[str, Stored] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            stored = Stored(**json.loads(line))
        except (ValueError, TypeError):
            logger.warning("%s, line %d holds no answer and is skipped.", file, number)
            continue
        known[stored.key] = stored
    return known
