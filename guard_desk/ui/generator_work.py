"""What the dialog of the generator lets a worker do: have a sentence written. No Qt in here."""

from __future__ import annotations

import time
from dataclasses import dataclass

from guard_desk.errors import ModelError
from guard_desk.models.registry import load_generator
from guard_desk.progress import RunContext
from guard_desk.protocols import Usage
from guard_desk.records.state import Models
from guard_desk.ui.judge_work import Work

# A sentence of ours: trying a generator sends nothing of the corpus.
PROMPT = "Backups are kept for 30 days.\n\nHow long are backups kept? Answer in a few words."
_TOKENS = 24
_LONGEST = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a generator wrote to a prompt of ours.

    :param seconds: from asking to the end, loading included.
    """

    text: str
    seconds: float
    usage: Usage | None = None


def try_generator(name: str, device: str) -> Work:
    """Have one sentence written. :raises ModelError: when nothing comes."""

    def work(ctx: RunContext) -> Written:
        started = time.monotonic()
        generator = load_generator(Models(generator=name, device=device), answer_tokens=_TOKENS)
        if generator is None:
            raise ModelError(f"{name} writes no answers.")
        pieces, usage, stream = [], None, generator.generate(PROMPT, ctx)
        while True:
            try:
                pieces.append(next(stream))
            except StopIteration as stop:
                usage = stop.value if isinstance(stop.value, Usage) else None
                break
        return Written(text="".join(pieces).strip(), seconds=time.monotonic() - started, usage=usage)

    return work


def written_words(written: Written) -> str:
    """What was written, for people: "Works: it wrote “30 days” in 0.4 s (34 tokens in, 3 out)."."""
    line = " ".join(written.text.split())
    shown = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    usage = written.usage
    tokens = f" ({usage.prompt_tokens:,} tokens in, {usage.answer_tokens:,} out)" if usage is not None and usage.prompt_tokens else ""
    what = f"wrote “{shown}”" if shown else "answered, but wrote nothing,"
    return f"Works: to a question of ours it {what} in {written.seconds:.1f} s{tokens}."
