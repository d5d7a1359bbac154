"""A decision model in a GGUF file, in this process: the four questions as a server of decision models is asked them.

Nothing leaves the machine. What is asked and how answers are read is that of `systemone_wire`.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from guard_desk.errors import InputError, ModelError
from guard_desk.models.fetch import find_fetched
from guard_desk.models.hashes import sha256_of
from guard_desk.models.judges.systemone_wire import questions_of, read_decision, state_of
from guard_desk.models.judges.wordings import shipped_wordings
from guard_desk.models.llama import defused, start_model
from guard_desk.models.remote.answers import plain
from guard_desk.models.remote.pool import in_order
from guard_desk.policy import Thresholds
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Judgement, ModelInfo, Question, Reason
from guard_desk.records.judging import JudgeSettings, Wordings

logger = logging.getLogger("guard_desk.models")

NAME = "gguf"
# Raise it when the same file would be asked or read differently: stored answers are then asked anew.
VERSION = "1"
CONTEXT_TOKENS = 8192
# Encoders among these models read all of an input at once.
BATCH_TOKENS = 2048
_NOT_SUPPORTED = 501
_MAGIC = b"GGUF"
_SHORT = {"state": "Good morning!", "questions": {"test": {"type": "noul", "instructions": "Does the text greet somebody?"}}}
# Weights stay in memory: a change of settings loads nothing anew.
_KEPT = 2


def load(settings: JudgeSettings, device: str) -> GgufJudge:
    """The judge; its weights are read when the first passage is judged.

    :param settings: `target` is the path of a GGUF file or the name of a fetched model.
    :raises InputError: without a target, or for a path that is no GGUF model.
    :raises MissingModelError: for a name of a model that was not fetched.
    """
    if not settings.target:
        raise InputError("The judge gguf has no model file.", remedy="Give the path of a decision model in GGUF, e.g. gguf:model.gguf.")
    path, weights = _find(settings.target)
    return GgufJudge(_model(path, weights, device), settings.wordings or shipped_wordings())


class DecisionModel:
    """A decision model that is loaded once, when it is first asked.

    :param weights: sha256 of the file.
    :param device: "cpu" keeps all layers off the GPU; anything else lets the library decide.
    """

    def __init__(self, path: Path, weights: str, device: str) -> None:
        self.path = path
        self.weights = weights
        self.device = ""
        self._wanted = device
        self._server: Any = None
        self._lock = threading.Lock()

    def load(self) -> None:
        """Read the weights and see whether it decides.

        :raises ModelError: when the file cannot be run, or is no decision model.
        """
        with self._lock:
            if self._server is not None:
                return
            self.device, server = start_model(
                self.path, self._wanted, context_tokens=CONTEXT_TOKENS, batch_tokens=BATCH_TOKENS, what="a decision model in GGUF"
            )
            self._checked(server.handle_systemone(_SHORT))
            self._server = server

    def decide(self, body: dict[str, Any]) -> Any:
        """The reply to a request; the same one whatever was asked before.

        :raises ModelError: when the model cannot be loaded or refuses the request.
        """
        self.load()
        with self._lock:
            # The library goes on from where the former input began alike, which moves the digits: so it is always the same one.
            self._server.handle_systemone(_SHORT)
            return self._checked(self._server.handle_systemone(body))

    def _checked(self, reply: Any) -> Any:
        error = reply.get("error") if isinstance(reply, dict) else None
        if not error:
            return reply
        said = plain(str(error.get("message", "")), 240) if isinstance(error, dict) else ""
        code = error.get("code") if isinstance(error, dict) else None
        if code == _NOT_SUPPORTED:
            raise ModelError(
                f"{self.path.name} cannot judge: {said} ({code}). Choose a GGUF file of a decision model; a chat model can judge "
                "behind a llama.cpp server, as the judge llm."
            )
        if isinstance(error, dict) and error.get("type") == "exceed_context_size_error":
            raise ModelError(
                f"The passage and its questions have {error.get('n_prompt_tokens', 0):,} tokens of {self.path.name}, which reads at most "
                f"{error.get('n_ctx', CONTEXT_TOKENS):,}. Split the passage."
            )
        raise ModelError(f"{self.path.name} failed: {said or 'no reason given'} ({code}).")


class GgufJudge:
    """One request a passage, four questions in each, one after another."""

    def __init__(self, model: DecisionModel, wordings: Wordings) -> None:
        self._model = model
        self._wordings = wordings

    @property
    def info(self) -> ModelInfo:
        """The revision is that of the weights; the device is "" until they are loaded."""
        model = self._model
        return ModelInfo(
            name=NAME,
            revision=f"{VERSION}-{model.weights[:16]}.c{CONTEXT_TOKENS}",
            weights=model.weights,
            device=model.device,
            detail=f"Decision model {model.path}, on this machine.",
        )

    @property
    def thresholds(self) -> Thresholds:
        """The recipe's: they were made for such a model."""
        return Thresholds()

    def key_material(self, query: Query, passage: Passage) -> Sequence[str]:
        """The whole request."""
        return (json.dumps(self._body(query, passage), sort_keys=True),)

    def judge(
        self,
        query: Query,
        passages: Sequence[Passage],
        similarities: Sequence[float],  # noqa: ARG002 - the protocol's form
        ctx: RunContext,
    ) -> Iterator[Judgement]:
        """One judgement a passage, in order. A model that cannot be loaded leaves all of them not judged, with its error.

        :raises Cancelled: at once; the request that is being answered is left behind.
        """

        def ask(passage: Passage, worker_ctx: RunContext) -> Judgement:
            worker_ctx.check()
            try:
                self._model.load()
            except ModelError as error:
                return Judgement(passage_id="", answers=None, judge=NAME, error=str(error))
            return self._judgement(query, passage)

        failed: Judgement | None = None
        with closing(in_order(passages, ask, concurrency=1, ctx=ctx)) as outcomes:
            for passage in passages:
                ctx.check()
                outcome = failed or next(outcomes)
                if outcome.passage_id == "" and failed is None:
                    logger.warning("%s", outcome.error)
                    failed = outcome
                    outcomes.close()
                yield replace(outcome, passage_id=passage.id)

    def _judgement(self, query: Query, passage: Passage) -> Judgement:
        try:
            decision = read_decision(self._model.decide(self._body(query, passage)))
        except ModelError as error:
            return Judgement(passage_id=passage.id, answers=None, judge=NAME, error=str(error))
        except ValueError as error:
            return Judgement(passage_id=passage.id, answers=None, judge=NAME, error=f"{self._model.path.name} answered, but {error}.")
        reasons = tuple(
            Reason(question=question, rule="model's answer", detail=f"{self._model.path.name} answered {value:.3f}.")
            for question in Question
            for value in (getattr(decision.answers, question.value),)
        )
        return Judgement(passage_id=passage.id, answers=decision.answers, judge=NAME, reasons=reasons)

    def _body(self, query: Query, passage: Passage) -> dict[str, Any]:
        """The file's own name says nothing to the model, so that a renamed file loses no answer."""
        return {"state": _disarmed(state_of(query, passage)), "questions": _disarmed(questions_of(self._wordings))}


@lru_cache(maxsize=_KEPT)
def _model(path: Path, weights: str, device: str) -> DecisionModel:
    return DecisionModel(path, weights, device)


def _find(target: str) -> tuple[Path, str]:
    """The file and its sha256."""
    path = Path(target).expanduser()
    if not path.is_file():
        if path.suffix.lower() == ".gguf" or len(path.parts) != 1 or path.exists():
            what = "This is a folder" if path.is_dir() else "There is no such file"
            raise InputError(f"{what}, not a GGUF model.", path=path, remedy="Give the path of a decision model in GGUF.")
        fetched = find_fetched(target)
        return fetched.path, fetched.sha256
    with path.open("rb") as stream:
        if stream.read(len(_MAGIC)) != _MAGIC:
            raise InputError("This is not a GGUF model.", path=path, remedy="Give a file that begins with GGUF.")
    return path.resolve(), sha256_of(path)


def _disarmed(value: Any) -> Any:
    """The same value, its texts without borders that the tokenizer would obey and without lone surrogates."""
    if isinstance(value, str):
        return defused(value.encode("utf-8", "replace").decode("utf-8"))
    if isinstance(value, dict):
        return {name: _disarmed(part) for name, part in value.items()}
    return value
