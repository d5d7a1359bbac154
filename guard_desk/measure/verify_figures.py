"""The figures of one measuring set: each leg beside trivial baselines, with intervals over whole sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from guard_desk.measure import verify_scores
from guard_desk.measure.judge_metrics import Resampled
from guard_desk.measure.metrics import Figure, proportion
from guard_desk.measure.tables import Row
from guard_desk.measure.verify_peers import ALL
from guard_desk.measure.verify_rows import AnswerRow, AnswerSet
from guard_desk.measure.verify_scores import Marked, Scored, Words, area, scored, words_of
from guard_desk.records.corpus import Span

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]
Positions = npt.NDArray[np.int64]
Marks = Sequence[tuple[Marked, ...]]
ByFlag = Callable[[Flags, Flags], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Some answers of a set (all of them, or one task) and what each leg marks in them.

    :param marks: by name of the leg, aligned with `rows`.
    """

    source: AnswerSet
    group: str
    rows: tuple[AnswerRow, ...]
    marks: Mapping[str, Marks]
    drawn: Resampled

    @property
    def name(self) -> str:
        """How its rows begin."""
        return f"{self.source.name} {self.group}"


def measured(source: AnswerSet, rows: Sequence[AnswerRow], marks: Mapping[str, Marks], group: str = ALL) -> Measured:
    """One group of a set."""
    at = [place for place, row in enumerate(rows) if group in (ALL, row.group)]
    chosen = tuple(rows[place] for place in at)
    picked = {leg: tuple(given[place] for place in at) for leg, given in marks.items()}
    return Measured(source=source, group=group, rows=chosen, marks=picked, drawn=Resampled([row.cluster for row in chosen]))


def answer_rows(found: Measured, longest: float | None = None) -> Iterator[Row]:
    """By answer: precision, recall and F1 of every leg.

    :param longest: characters; answers longer than this are the length baseline's guess. None = no such baseline.
    """
    wrong = np.array([row.wrong for row in found.rows], dtype=bool)
    lengths = np.array([len(row.answer) for row in found.rows], dtype=np.float64)
    trivial = {"all flagged": verify_scores.f1(np.ones(len(wrong), dtype=bool), wrong)}
    if longest is not None:
        trivial[f"longer than {longest:.0f} characters"] = verify_scores.f1(lengths > longest, wrong)
    about = f"{found.source.about}; {int(wrong.sum())} wrong of {len(wrong)}, {found.drawn.clusters} sources"
    for number, (leg, marks) in enumerate(found.marks.items()):
        score = scored(found.rows, marks)
        yield _row(found, f"example F1, {leg}", _flag_figure(found, verify_scores.f1, score), _baselines(trivial, about, number))
        yield _row(found, f"example precision, {leg}", _flag_figure(found, verify_scores.precision, score))
        yield _row(found, f"example recall, {leg}", _flag_figure(found, verify_scores.recall, score))
        yield _row(found, f"example AUROC, {leg}", _area(found, score), f"surest mark; length {_either_way(lengths, wrong):.3f}")


def span_rows(found: Measured) -> Iterator[Row]:
    """By character: precision, recall and F1 of every leg."""
    whole = [(Marked(Span(0, len(row.answer)), 1.0),) for row in found.rows]
    trivial = verify_scores.span_f1(scored(found.rows, whole), np.arange(len(found.rows)))
    for leg, marks in found.marks.items():
        score = scored(found.rows, marks)
        note = f"characters; every answer marked whole {trivial:.3f}"
        yield _row(found, f"span F1, {leg}", _span_figure(found, verify_scores.span_f1, score), note)
        yield _row(found, f"span precision, {leg}", _span_figure(found, verify_scores.span_precision, score))
        yield _row(found, f"span recall, {leg}", _span_figure(found, verify_scores.span_recall, score))


def word_rows(found: Measured, word: str) -> Iterator[Row]:
    """By judged word: precision, recall, F1 and AUROC of every leg.

    :param word: what the set judges: "token", "keyword".
    """
    for number, (leg, marks) in enumerate(found.marks.items()):
        words = words_of(found.rows, marks)
        drawn = Resampled(words.cluster)
        trivial = {f"every {word}": verify_scores.f1(np.ones(len(words.wrong), dtype=bool), words.wrong)}
        about = f"{found.source.about}; {int(words.wrong.sum())} wrong of {len(words.wrong)} {word}s"
        yield _row(found, f"{word} F1, {leg}", _word_figure(drawn, verify_scores.f1, words), _baselines(trivial, about, number))
        yield _row(found, f"{word} precision, {leg}", _word_figure(drawn, verify_scores.precision, words))
        yield _row(found, f"{word} recall, {leg}", _word_figure(drawn, verify_scores.recall, words))
        figure = drawn.figure(lambda at, words=words: area(words.confidence[at], words.wrong[at]))  # type: ignore[misc]
        yield _row(found, f"{word} AUROC, {leg}", figure, f"length {_either_way(words.length, words.wrong):.3f}")


def balance_rows(found: Measured) -> Iterator[Row]:
    """Balanced accuracy, and in how many wrong answers a mark touches the wrong words."""
    lengths = np.array([len(row.answer) for row in found.rows], dtype=np.float64)
    for number, (leg, marks) in enumerate(found.marks.items()):
        score = scored(found.rows, marks)
        about = f"{found.source.about}; {int(score.wrong.sum())} wrong of {len(score.wrong)}, {found.drawn.clusters} documents"
        figure = _flag_figure(found, verify_scores.balanced_accuracy, score)
        yield _row(found, f"balanced accuracy, {leg}", figure, _baselines({"all flagged, majority": 0.5}, about, number))
        yield _row(found, f"wrong answers flagged, {leg}", _flag_figure(found, verify_scores.recall, score))
        right = score.flagged[~score.wrong]
        yield _row(found, f"right answers flagged, {leg}", proportion(int(right.sum()), len(right)))
        edited = score.wrong & (score.theirs > 0)
        hit = proportion(int(score.touched[edited].sum()), int(edited.sum()))
        yield _row(found, f"edited words touched, {leg}", hit, "of the wrong answers whose edit adds words")
        yield _row(found, f"example AUROC, {leg}", _area(found, score), f"surest mark; length {_either_way(lengths, score.wrong):.3f}")


def _row(found: Measured, metric: str, figure: Figure, note: str = "") -> Row:
    return Row(name=f"{found.name}: {metric}", figure=figure, note=note)


def _baselines(trivial: Mapping[str, float], about: str, number: int) -> str:
    """The baselines, and behind the first leg what was measured."""
    shown = "; ".join(f"{name} {value:.3f}" for name, value in trivial.items())
    return shown if number else f"{shown}; {about}"


def _flag_figure(found: Measured, measure: ByFlag, score: Scored) -> Figure:
    return found.drawn.figure(lambda at: measure(score.flagged[at], score.wrong[at]))


def _span_figure(found: Measured, measure: Callable[[Scored, Positions], float], score: Scored) -> Figure:
    return found.drawn.figure(lambda at: measure(score, at))


def _word_figure(drawn: Resampled, measure: ByFlag, words: Words) -> Figure:
    flagged = words.flagged
    return drawn.figure(lambda at: measure(flagged[at], words.wrong[at]))


def _area(found: Measured, score: Scored) -> Figure:
    return found.drawn.figure(lambda at: area(score.confidence[at], score.wrong[at]))


def _either_way(lengths: Numbers, wrong: Flags) -> float:
    """AUROC of the length in its better direction."""
    one = area(lengths, wrong)
    return max(one, 1.0 - one)
