"""The suite `judge-speed`: all four answers for a pair of 128 tokens, beside one plain pass of a cross-encoder of the same base.

Both run on the same texts, in the same process, in turn, so that a slow or busy machine slows both; the ratio is what is asked for.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from guard_desk import resources
from guard_desk.errors import ModelError
from guard_desk.formats import load_corpus
from guard_desk.measure.judge_heads import legs_timed
from guard_desk.measure.tables import Row, Table
from guard_desk.models.judges import load_judge
from guard_desk.models.peers import PlainCrossEncoder, torch_threads
from guard_desk.models.registry import load_encoder
from guard_desk.progress import RunContext
from guard_desk.protocols import Judge
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.state import Models

TOKENS, PAIRS, BATCH, THREADS = 128, 64, 32, 2
_MARKS = 3
_QUESTIONS = (
    "How long are deleted files kept before they are gone for good?",
    "Which plan allows files of more than two gigabytes to be uploaded?",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Passages that no run has seen, and two questions about them.

    :param tokens: mean tokens of a pair with the first question, its three marks included.
    """

    passages: tuple[Passage, ...]
    questions: tuple[Query, ...]
    tokens: float

    @property
    def texts(self) -> list[str]:
        """The passages' texts."""
        return [passage.text for passage in self.passages]


def judge_speed(models: Models, repeats: int, ctx: RunContext) -> Table:
    """Measure.

    :param repeats: rounds; the median is reported.
    :raises Cancelled: between rounds.
    """
    judge = load_judge(models.judge, settings=models.judge_settings, device=models.device)
    with torch_threads(min(THREADS, os.cpu_count() or 1)) as threads:
        peer = PlainCrossEncoder(TOKENS)
        pools = pools_of(peer.pieces, 2 * repeats + 2)
        times = _rounds(judge, peer, pools, repeats, ctx)
        legs = legs_timed(judge, models.device)
        alone = {name: _leg(work, pools, repeats, ctx) for name, work in legs.items()}
        encode = _encoding(models, pools, repeats)
    first = f"{PAIRS} pairs of {statistics.mean(pool.tokens for pool in pools):.0f} tokens, {threads} threads, {repeats} rounds"
    rows = [*_rows(judge, times, first), *(Row(name=f"  leg: {name}", figure=value, unit="ms a pair") for name, value in alone.items())]
    rows.append(Row(name="  not counted above: the encoder's similarity", figure=encode, unit="ms a pair", note="stored with the corpus"))
    return Table(suite="judge-speed", rows=tuple(rows))


def pools_of(pieces: Callable[[str], int], count: int) -> list[Pool]:
    """Pools of passages made of the demo's sentences with numbers of their own; no two passages of all pools are alike.

    :param pieces: tokens of a text without marks.
    """
    drawn = random.Random(0)
    corpus = load_corpus(resources.path("demo", "harbourlight.guarddesk.json")).corpus
    texts = [" ".join(passage.text.split()) for passage in corpus.passages]
    known: dict[str, int] = {}

    def size(word: str) -> int:
        if word not in known:
            known[word] = pieces(word)
        return known[word]

    room = TOKENS - _MARKS - pieces(_QUESTIONS[0])
    return [_pool(number, texts, drawn, size, room) for number in range(count)]


def _pool(number: int, texts: Sequence[str], drawn: random.Random, size: Callable[[str], int], room: int) -> Pool:
    passages, used = [], 0
    for at in range(PAIRS):
        # Words are cut into pieces one by one, so their sizes add up.
        words, left = [], room
        for word in _words(texts, drawn, f"Note {number * PAIRS + at}."):
            left -= size(word)
            if left < 0:
                left += size(word)
                break
            words.append(word)
        used += room - left
        passages.append(Passage(id=f"{number}-{at}", text=" ".join(words)))
    tokens = TOKENS - room + used / PAIRS
    return Pool(passages=tuple(passages), questions=tuple(Query(text=text) for text in _QUESTIONS), tokens=tokens)


def _words(texts: Sequence[str], drawn: random.Random, head: str) -> Iterator[str]:
    yield from head.split()
    while True:
        yield from drawn.choice(texts).split()


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds on the clock, and of the processor over all threads: the second hardly hangs on what else the machine does."""

    clock: float
    processor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Times:
    """What each round took for the whole pool."""

    cold: list[Taken]
    again: list[Taken]
    peer: list[Taken]


def _rounds(judge: Judge, peer: PlainCrossEncoder, pools: Sequence[Pool], repeats: int, ctx: RunContext) -> _Times:
    times = _Times(cold=[], again=[], peer=[])
    for number, pool in enumerate(ctx.track(pools[: repeats + 1], "judge-speed", repeats + 1, unit="rounds")):
        plain = [pool.questions[0].text] * PAIRS

        def ours(asked: Query, pool: Pool = pool) -> None:
            for found in judge.judge(asked, pool.passages, [0.5] * PAIRS, RunContext()):
                if found.answers is None:
                    raise ModelError(f"{judge.info.name} could not judge a passage: {found.error}")

        def theirs(pool: Pool = pool, plain: list[str] = plain) -> None:
            peer.scores(plain, pool.texts, BATCH)

        # Who goes first changes, so that neither always meets a warm cache.
        peer_first = number % 2 == 0
        before = seconds(theirs) if peer_first else None
        cold = seconds(lambda pool=pool, ours=ours: ours(pool.questions[0]))  # type: ignore[misc]
        after = before if before is not None else seconds(theirs)
        again = seconds(lambda pool=pool, ours=ours: ours(pool.questions[1]))  # type: ignore[misc]
        if number:  # the first round loads what is loaded late
            for kept, value in ((times.cold, cold), (times.again, again), (times.peer, after)):
                kept.append(value)
    return times


def _leg(work: Callable[[Query, Sequence[Passage]], None], pools: Sequence[Pool], repeats: int, ctx: RunContext) -> float:
    """Milliseconds a pair of one leg, on passages that the rounds did not use."""
    fresh = pools[repeats + 1 :]
    taken = []
    for pool in fresh:
        ctx.check()
        taken.append(seconds(lambda pool=pool: work(pool.questions[0], pool.passages)))  # type: ignore[misc]
    return each(taken[1:])


def _encoding(models: Models, pools: Sequence[Pool], repeats: int) -> float:
    encoder = load_encoder("minilm", models.device)
    taken = [seconds(lambda pool=pool: encoder.encode_passages(pool.passages, RunContext())) for pool in pools[: repeats + 1]]  # type: ignore[misc]
    return each(taken[1:])


def seconds(work: Callable[[], object]) -> Taken:
    """How long a piece of work takes."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return Taken(time.perf_counter() - clock, time.process_time() - processor)


def each(values: Sequence[Taken]) -> float:
    """Milliseconds on the clock that one pair takes, the median of rounds."""
    return statistics.median(taken.clock for taken in values) * 1000 / PAIRS


def _rows(judge: Judge, times: _Times, about: str) -> Iterator[Row]:
    yield Row(name=f"four answers, judge {judge.info.name}", figure=each(times.cold), unit="ms a pair", note=about)
    yield from _ratios(times.cold, times.peer)
    yield Row(name="four answers, another question about the same passages", figure=each(times.again), unit="ms a pair")
    yield from _ratios(times.again, times.peer)
    note = f"float32, batch {BATCH}, one head: one answer a pair"
    yield Row(name="plain cross-encoder of the same base", figure=each(times.peer), unit="ms a pair", note=note)


def _ratios(ours: Sequence[Taken], theirs: Sequence[Taken]) -> Iterator[Row]:
    pairs = list(zip(ours, theirs, strict=True))
    yield _ratio("  ratio to the plain cross-encoder", [left.clock / right.clock for left, right in pairs], "; at most 1 is asked")
    yield _ratio("  the same in processor time", [left.processor / right.processor for left, right in pairs], "")


def _ratio(name: str, ratios: Sequence[float], asked: str) -> Row:
    note = f"median of rounds, {min(ratios):.3f} to {max(ratios):.3f}{asked}"
    return Row(name=name, figure=statistics.median(ratios), unit="x", note=note)
