"""Generate: an answer to the prompt, written by a model or given by a person or a file."""

from __future__ import annotations

from dataclasses import replace

from guard_desk.progress import RunContext
from guard_desk.protocols import Generator, Usage
from guard_desk.records.answer import Generated
from guard_desk.records.decision import Prompt
from guard_desk.records.evidence import ModelInfo

NO_GENERATOR = ModelInfo(name="none", revision="", detail="No generator was chosen.")
GIVEN = ModelInfo(name="given", revision="", detail="The answer was given, not generated.")


def generate(prompt: Prompt, generator: Generator | None, ctx: RunContext, *, given: str | None = None) -> Generated:
    """The answer. A given one wins over a generator, even when it is empty.

    What is written so far goes to `ctx.partial` as an unfinished `Generated`.

    :param given: an answer that a person pasted or that came with the file.
    :raises Cancelled: between pieces.
    :raises ModelError: when the model cannot read the prompt or fails.
    """
    if given is not None:
        return Generated(text=given, generator=GIVEN, given=True)
    if generator is None:
        return Generated(text=None, generator=NO_GENERATOR)
    written, usage = _write(prompt, generator, ctx)
    return Generated(
        text=written,
        generator=generator.info,
        prompt_tokens=usage.prompt_tokens,
        answer_tokens=usage.answer_tokens,
        finished=usage.finished,
    )


def _write(prompt: Prompt, generator: Generator, ctx: RunContext) -> tuple[str, Usage]:
    """The text and its usage; a generator that reports none is counted by the prompt's tokens and the pieces."""
    pieces: list[str] = []
    sofar = Generated(text="", generator=generator.info, finished=False)
    stream = generator.generate(prompt.text, ctx)
    while True:
        try:
            piece = next(stream)
        except StopIteration as stop:
            usage = stop.value
            break
        pieces.append(piece)
        ctx.partial(replace(sofar, text="".join(pieces)))
        ctx.report("generate", len(pieces), unit="pieces")
    if not isinstance(usage, Usage):
        usage = Usage(prompt_tokens=prompt.tokens, answer_tokens=len(pieces))
    return "".join(pieces), usage
