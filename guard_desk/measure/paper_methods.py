"""How the suite `paper` chooses evidence for a question and what the generator makes of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from guard_desk.formats.paragraphs import line_passages
from guard_desk.measure.conflict_path import quiet
from guard_desk.measure.paper_store import StoredGenerator
from guard_desk.measure.worlds import PaperCase
from guard_desk.measure.worlds.draw import Draw
from guard_desk.models.bm25 import Bm25Index
from guard_desk.policy import AnswerMode, GeneratePolicy
from guard_desk.progress import RunContext
from guard_desk.protocols import TokenCounter
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.decision import Thinned
from guard_desk.stages.generate import ask_in_rounds

LINES_KEPT = 8
"""Lines that BM25 and chance keep: about four fifths of the tokens of all, as in the published comparison (387 of 491)."""

ANSWER_TOKENS = 32
"""Where the generator is cut. The values asked for have at most a dozen tokens."""

_PROMPT = "Evidence:\n{lines}\n\nQuestion: {question}\nAnswer with the value only."

Thinner = Callable[[str, Sequence[Passage]], Thinned]


class Method(StrEnum):
    """A way from the lines to an answer."""

    FULL = "full"
    BM25 = "bm25_k"
    RANDOM = "random_k"
    THIN = "thin"
    ROUNDS = "rounds"
    ROUNDS_OR_LEADER = "rounds_or_leader"
    LEADER = "leader"


GENERATED = tuple(method for method in Method if method is not Method.LEADER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What a method answered.

    :param tokens: of prompt and answer, by the generator's own tokenizer, all rounds together; 0 for the leader, which asks no model.
    :param seconds: of choosing the evidence and of the model's writing when it was asked.
    """

    method: Method
    text: str
    tokens: int
    seconds: float


def prompt(question: str, lines: Sequence[str]) -> str:
    """The prompt, the same for all methods: the lines as they are, tags included, best first where there is a best."""
    return _PROMPT.format(lines="\n".join(lines), question=question)


def answers(
    case: PaperCase, thinner: Thinner, generator: StoredGenerator | None, counter: TokenCounter, ctx: RunContext
) -> tuple[Answered, ...]:
    """What every method answers; without a generator, the leader alone.

    :param thinner: the thinning that is measured.
    :raises Cancelled: between pieces; what was answered is stored.
    """
    start = time.perf_counter()
    thinned = thinner(case.question, line_passages(case.lines))
    thinning = time.perf_counter() - start
    leader = Answered(method=Method.LEADER, text=thinned.leader or "", tokens=0, seconds=thinning)
    if generator is None:
        return (leader,)
    asker = _Asker(case, thinned, thinning, generator, counter, quiet(ctx))
    once = [asker.once(method) for method in (Method.FULL, Method.BM25, Method.RANDOM, Method.THIN)]
    return (*once, asker.rounds(Method.ROUNDS), asker.rounds(Method.ROUNDS_OR_LEADER), leader)


def kept(case: PaperCase, method: Method, thinned: Thinned) -> tuple[int, ...]:
    """Positions of the lines that a method shows, in its order.

    Thinning shows the strongest lines for its leader; where it finds no leader, the lines that it does not drop.
    """
    every = tuple(range(len(case.lines)))
    if method is Method.FULL:
        return every
    if method is Method.BM25:
        return _by_bm25(case)[:LINES_KEPT]
    if method is Method.RANDOM:
        return tuple(Draw(_seed(case)).shuffled(every)[:LINES_KEPT])
    dropped = {drop.passage_id for drop in thinned.dropped}
    ids = thinned.support or [_id(at) for at in every if _id(at) not in dropped] or [_id(at) for at in every]
    return tuple(int(passage_id.removeprefix("L")) for passage_id in ids)


class _Asker:
    """Asks one question by one method after the other."""

    def __init__(
        self, case: PaperCase, thinned: Thinned, thinning: float, generator: StoredGenerator, counter: TokenCounter, ctx: RunContext
    ) -> None:
        self._case = case
        self._thinned = thinned
        self._thinning = thinning
        self._generator = generator
        self._counter = counter
        self._ctx = ctx

    def once(self, method: Method) -> Answered:
        """The answer to one prompt."""
        start = time.perf_counter()
        text = self._prompt([_id(at) for at in kept(self._case, method, self._thinned)])
        choosing = self._thinning if method is Method.THIN else time.perf_counter() - start
        written = "".join(self._generator.generate(text, self._ctx))
        stored = self._generator.stored(text)
        assert stored is not None, "an answer that was just written is stored"
        return Answered(method=method, text=written, tokens=stored.prompt_tokens + stored.answer_tokens, seconds=choosing + stored.seconds)

    def rounds(self, method: Method) -> Answered:
        """The answer after rounds with 1, 2, 4, ... of thinning's lines."""
        mode = AnswerMode.ROUNDS_OR_LEADER if method is Method.ROUNDS_OR_LEADER else AnswerMode.ROUNDS
        ids = [_id(at) for at in kept(self._case, Method.THIN, self._thinned)]
        leaders = [self._thinned.leader] if self._thinned.leader else []
        written = ask_in_rounds(
            ids, self._prompt, self._generator, GeneratePolicy(mode=mode), self._ctx, counter=self._counter, leaders=leaders
        )
        stored = [self._generator.stored(self._prompt(item.passage_ids)) for item in written.rounds]
        return Answered(
            method=method,
            text=written.text or "",
            tokens=written.prompt_tokens + written.answer_tokens,
            seconds=self._thinning + sum(item.seconds for item in stored if item is not None),
        )

    def _prompt(self, ids: Sequence[str]) -> str:
        return prompt(self._case.question, [self._case.lines[int(passage_id.removeprefix("L"))] for passage_id in ids])


def _by_bm25(case: PaperCase) -> tuple[int, ...]:
    index = Bm25Index()
    index.index(line_passages(case.lines), RunContext())
    return tuple(int(at) for at in np.argsort(-index.scores(Query(text=case.question)), kind="stable"))


def _id(at: int) -> str:
    """The id that `line_passages` gives to the line at a position."""
    return f"L{at}"


def _seed(case: PaperCase) -> int:
    return int.from_bytes(case.id.encode("ascii"))
