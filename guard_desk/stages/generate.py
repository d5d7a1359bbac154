"""Generate: an answer to the prompt, written by a model in one go or in rounds, or given by a person or a file.

In rounds the model sees the best passage, then the best 2, 4, 8, ... and is asked until its normalised answer repeats:
what more evidence does not change needs no more of it. The method is "budgeted evidence accumulation"; its measure is
TPC, all tokens over the number of right answers, so the tokens of every round are counted.

A generator that fails costs the answer alone: the result says why, and keeps the rounds that were finished before.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Generator as PythonGenerator
from dataclasses import replace

from guard_desk.errors import Cancelled, GuardDeskError
from guard_desk.policy import AnswerMode, GeneratePolicy
from guard_desk.progress import RunContext
from guard_desk.protocols import Generator, TokenCounter, Usage
from guard_desk.records.answer import Generated, Round
from guard_desk.records.corpus import Query
from guard_desk.records.decision import Block, Place, Prompt, Thinned
from guard_desk.records.evidence import ModelInfo
from guard_desk.text import prompt_blocks
from guard_desk.text.answers import normalise_answer, states

logger = logging.getLogger("guard_desk.pipeline")

NO_GENERATOR = ModelInfo(name="none", revision="", detail="No generator was chosen.")
GIVEN = ModelInfo(name="given", revision="", detail="The answer was given, not generated.")

_AGAIN = "Run again to have the answer written; what was judged is kept."


class Stopped(Cancelled):
    """Cancelled while an answer was written.

    :param generated: no answer, with the rounds that were finished before.
    """

    def __init__(self, generated: Generated) -> None:
        self.generated = generated
        super().__init__()


def generate(
    prompt: Prompt,
    generator: Generator | None,
    ctx: RunContext,
    *,
    query: Query,
    thinned: Thinned,
    policy: GeneratePolicy,
    counter: TokenCounter,
    given: str | None = None,
) -> Generated:
    """The answer. A given one wins over a generator, even when it is empty.

    What is written so far goes to `ctx.partial` as an unfinished `Generated`.

    :param thinned: says which passages are the best, and the leading values that rounds may fall back to.
    :param counter: counts for a generator that does not tell what it took.
    :param given: an answer that a person pasted or that came with the file.
    :returns: without text and with `failure` when the generator cannot read the prompt or fails.
    :raises Stopped: on a cancel, between pieces.
    """
    if given is not None:
        return Generated(text=given, generator=GIVEN, given=True)
    if generator is None:
        return Generated(text=None, generator=NO_GENERATOR)
    kept = _Kept(ctx, generator)
    try:
        return _ask(prompt, generator, kept.ctx, query, thinned, policy, counter)
    except (Cancelled, KeyboardInterrupt) as exc:
        raise Stopped(kept.without_answer("was stopped", _AGAIN)) from exc
    except GuardDeskError as exc:
        return kept.without_answer("failed", str(exc))
    except MemoryError:
        return kept.without_answer("failed", "this machine has not enough memory for it. Choose a smaller model or a shorter prompt.")
    except Exception as exc:  # a generator is a part that anybody may bring; what it raises costs the answer, not the run
        logger.exception("the generator %s failed", generator.info.name)
        return kept.without_answer("failed", f"{type(exc).__name__}. {_AGAIN}")


def _ask(
    prompt: Prompt,
    generator: Generator,
    ctx: RunContext,
    query: Query,
    thinned: Thinned,
    policy: GeneratePolicy,
    counter: TokenCounter,
) -> Generated:
    """An answer, in one go or in rounds."""
    if policy.mode is AnswerMode.ONCE or not prompt.blocks:
        return _once(prompt.text, generator, ctx, counter)
    blocks = {block.passage_id: block for block in prompt.blocks}

    def prompt_of(ids: Sequence[str]) -> str:
        return _prompt(query.text, [blocks[i] for i in ids])

    leaders = tuple(part.leader for part in thinned.parts if part.leader) if thinned.leader else ()
    return ask_in_rounds(best_first(prompt, thinned), prompt_of, generator, policy, ctx, counter=counter, leaders=leaders)


class _Kept:
    """Keeps what was handed out last, for a generator that does not come to an end.

    :param ctx: hears all of it.
    """

    def __init__(self, ctx: RunContext, generator: Generator) -> None:
        self._generator = generator
        self._rounds: tuple[Round, ...] = ()
        self._tell = ctx.partial
        self.ctx = replace(ctx, on_partial=self._take)

    def _take(self, partial: object) -> None:
        if isinstance(partial, Generated):
            self._rounds = partial.rounds
        self._tell(partial)

    def without_answer(self, what: str, why: str) -> Generated:
        """No answer, for a reason.

        :param what: became of the generator.
        :param why: cause and remedy.
        """
        done = len(self._rounds)
        where = f" in round {done + 1}" if done else ""
        kept = f" {'The round' if done == 1 else f'The {done} rounds'} before it {'is' if done == 1 else 'are'} kept." if done else ""
        failure = f"The generator {self._generator.info.name} {what}{where}: {why.strip()}{kept}"
        return replace(_told(self._generator, self._rounds), text=None, failure=failure)


def best_first(prompt: Prompt, thinned: Thinned) -> tuple[str, ...]:
    """The prompt's passages in the order in which rounds take them: the strongest lines of the leading values, then by rank."""
    inside = {block.passage_id for block in prompt.blocks}
    home = {member: block.passage_id for block in prompt.blocks for member in block.member_ids}
    strongest = (home.get(i, i) for i in thinned.support)
    ranked = (*strongest, *(place.passage_id for place in prompt.places))
    return tuple(dict.fromkeys(i for i in ranked if i in inside))


def ask_in_rounds(
    ids: Sequence[str],
    prompt_of: Callable[[Sequence[str]], str],
    generator: Generator,
    policy: GeneratePolicy,
    ctx: RunContext,
    *,
    counter: TokenCounter,
    leaders: Sequence[str] = (),
) -> Generated:
    """Ask with the best 1, 2, 4, ... passages until the normalised answer repeats, the passages or the rounds run out.

    :param ids: passages, best first; at least one.
    :param prompt_of: the prompt for the first so many of them.
    :param counter: counts for a generator that does not tell what it took.
    :param leaders: values that the answer at the end must state in the mode rounds_or_leader; else they are the answer.
    :returns: `prompt_tokens` and `answer_tokens` are sums over the rounds.
    :raises Cancelled: between pieces; the rounds before were handed to `ctx.partial`.
    """
    rounds: tuple[Round, ...] = ()
    finished = True
    for number, size in enumerate(sizes(len(ids), policy.max_rounds), 1):
        chosen = tuple(ids[:size])
        sofar = _told(generator, rounds)
        ctx.report("rounds", number - 1, policy.max_rounds, unit="rounds")
        start = time.perf_counter()
        text, usage = _write(prompt_of(chosen), generator, ctx, sofar, counter)
        same = normalise_answer(text) == normalise_answer(rounds[-1].text) if rounds else None
        rounds += (
            Round(
                passage_ids=chosen,
                prompt_tokens=usage.prompt_tokens,
                answer_tokens=usage.answer_tokens,
                text=text,
                same=same,
                seconds=time.perf_counter() - start,
                estimated=usage.estimated,
            ),
        )
        finished = usage.finished
        ctx.partial(replace(_told(generator, rounds), text=text))
        if same:
            break
    agreed = rounds[-1].same if len(rounds) > 1 else None
    return _concluded(replace(_told(generator, rounds), finished=finished, agreed=agreed), policy, leaders)


def sizes(passages: int, rounds: int) -> Iterator[int]:
    """How many passages each round holds: 1, 2, 4, ..., the last one all of them where the rounds reach so far."""
    size = 1
    for _ in range(rounds):
        yield min(size, passages)
        if size >= passages:
            return
        size *= 2


def _told(generator: Generator, rounds: tuple[Round, ...]) -> Generated:
    """What is known after these rounds."""
    return Generated(
        text=rounds[-1].text if rounds else "",
        generator=generator.info,
        prompt_tokens=sum(item.prompt_tokens for item in rounds),
        answer_tokens=sum(item.answer_tokens for item in rounds),
        finished=False,
        rounds=rounds,
        estimated=any(item.estimated for item in rounds),
    )


def _concluded(result: Generated, policy: GeneratePolicy, leaders: Sequence[str]) -> Generated:
    """The answer at the end, or the leading values where it does not state them.

    That is what made the published fallback better than the model alone: the last word is the evidence's.
    """
    if policy.mode is not AnswerMode.ROUNDS_OR_LEADER or not leaders:
        return result
    if all(states(result.text or "", leader) for leader in leaders):
        return result
    return replace(result, text="; ".join(leaders), finished=True, fallback=True)


def _prompt(question: str, blocks: Sequence[Block]) -> str:
    accepted = [block.text for block in blocks if block.place is Place.EVIDENCE]
    conflicting = [block.text for block in blocks if block.place is Place.CONFLICT]
    return prompt_blocks.fill(question, accepted, conflicting)[0]


def _once(prompt: str, generator: Generator, ctx: RunContext, counter: TokenCounter) -> Generated:
    sofar = _told(generator, ())
    written, usage = _write(prompt, generator, ctx, sofar, counter)
    return replace(
        sofar,
        text=written,
        prompt_tokens=usage.prompt_tokens,
        answer_tokens=usage.answer_tokens,
        finished=usage.finished,
        estimated=usage.estimated,
    )


def _write(prompt: str, generator: Generator, ctx: RunContext, sofar: Generated, counter: TokenCounter) -> tuple[str, Usage]:
    """The text and its usage."""
    pieces: list[str] = []
    usage: object = None
    stream = generator.generate(prompt, ctx)
    try:
        while True:
            pieces.append(next(stream))
            ctx.partial(replace(sofar, text="".join(pieces)))
            ctx.report("generate", len(pieces), unit="pieces")
    except StopIteration as stop:
        usage = stop.value
    finally:
        # A model that writes on another thread stops with its stream, and not only when somebody collects it.
        if isinstance(stream, PythonGenerator):
            stream.close()
    text = "".join(pieces)
    if not isinstance(usage, Usage):
        usage = Usage(prompt_tokens=counter.count(prompt), answer_tokens=counter.count(text), estimated=True)
    return text, usage
