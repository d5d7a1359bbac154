"""The acceptance cases of verification, plain and under conditions that must not change a verdict."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from guard_desk import resources
from guard_desk.measure.metrics import Figure, proportion
from guard_desk.measure.tables import Row
from guard_desk.records.answer import Verified
from guard_desk.records.corpus import Passage, Query
from guard_desk.text.words import words

CaseRow = Mapping[str, Any]
Check = Callable[[Query, Sequence[Passage], str], Verified]
FILLER_CHARACTERS, LONG_ANSWER_WORDS = 50_000, 400
ROCKET = "\U0001f680\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One answer with what is right about it.

    :param spans: (start, end, kind) of the wrong words.
    """

    id: str
    language: str
    query: Query
    passages: tuple[Passage, ...]
    answer: str
    action: str
    spans: tuple[tuple[int, int, str], ...]

    def behind(self, text: str) -> Case:
        """The same answer behind another text."""
        moved = tuple((start + len(text), end + len(text), kind) for start, end, kind in self.spans)
        return replace(self, answer=text + self.answer, spans=moved)


def case_of(row: CaseRow) -> Case:
    """A line of the file of cases."""
    return Case(
        id=row["id"],
        language=row["lang"],
        query=Query(text=row["query"]),
        passages=tuple(Passage(id=p["id"], text=p["text"], title=p.get("title")) for p in row["passages"]),
        answer=row["answer"],
        action=row["action"],
        spans=tuple((span["start"], span["end"], span["kind"]) for span in row["spans"]),
    )


def plain(case: Case) -> Case:
    """The case as it was written."""
    return case


def after_rocket(case: Case) -> Case:
    """A character of four bytes and a line break of two before the answer: places are counted in code points."""
    return case.behind(ROCKET)


def among_filler(case: Case) -> Case:
    """50 KB of other text behind the first passage."""
    padding = Passage(id="filler", text=filler(case.language, FILLER_CHARACTERS, seed=1))
    return replace(case, passages=(*case.passages[:1], padding, *case.passages[1:]))


def at_the_end(case: Case) -> Case:
    """The answer behind 400 words that a further passage has word for word: what is wrong stands at the end of a long answer.

    A refusal or a lone "yes" stands at an end where nobody looks for it any more; such cases are measured as they are.
    """
    known = _first_words(filler(case.language, 12 * LONG_ANSWER_WORDS, seed=2), LONG_ANSWER_WORDS, case.language)
    return replace(case, passages=(*case.passages, Passage(id="known", text=known))).behind(f"{known}\n\n")


CONDITIONS: Mapping[str, Callable[[Case], Case]] = {
    "plain": plain,
    "behind U+1F680 and CRLF": after_rocket,
    "50 KB between the passages": among_filler,
    "at the end of a 400-word answer": at_the_end,
}


@cache
def filler(language: str, characters: int, seed: int) -> str:
    """Sentences that say nothing of any case, in a language.

    :param characters: its length; the last sentence is whole.
    :param seed: the same one gives the same text.
    """
    with resources.path("bench", "filler.toml").open("rb") as stream:
        data = tomllib.load(stream)
    lists = data.get(language, data["en"])
    drawn = random.Random(seed)
    parts: list[str] = []
    size = 0
    while size < characters:
        parts.append(lists["pattern"].format(**{name: drawn.choice(lists[name]) for name in ("who", "does", "where")}))
        size += len(parts[-1])
    return "".join(parts).strip()


def _first_words(text: str, count: int, language: str) -> str:
    """The text up to the end of the sentence in which its n-th word stands."""
    found = words(text, language)
    place = found[min(count, len(found)) - 1].span.end
    ends = [at for at in (text.find(stop, place) for stop in ".。") if at >= 0]
    return text[: min(ends) + 1] if ends else text


def condition_rows(cases: Sequence[CaseRow], check: Check) -> tuple[list[Row], list[str]]:
    """Figures under every condition; and the ids of cases with the wrong action, those of a condition behind its name."""
    rows: list[Row] = []
    missed: list[str] = []
    for name, change in CONDITIONS.items():
        changed = [change(case_of(case)) for case in cases]
        results = [check(case.query, case.passages, case.answer) for case in changed]
        prefix = "" if name == "plain" else f"{name}: "
        rows += [replace(row, name=prefix + row.name) for row in _rows(changed, results)]
        wrong = [case.id for case, result in zip(changed, results, strict=True) if result.action != case.action]
        missed += wrong if name == "plain" or not wrong else [f"[{name}] {wrong[0]}", *wrong[1:]]
    return rows, missed


def _rows(cases: Sequence[Case], results: Sequence[Verified]) -> Iterator[Row]:
    found = [[(span.start, span.end, str(span.kind)) for span in result.spans] for result in results]
    hits = sum(any(_overlap(f, w) for w in case.spans) for case, spans in zip(cases, found, strict=True) for f in spans)
    met = [[f for f in spans if _overlap(f, w)] for case, spans in zip(cases, found, strict=True) for w in case.spans]
    wanted = [w for case in cases for w in case.spans]
    named = [any(f[2] == w[2] for f in m) for m, w in zip(met, wanted, strict=True) if m]
    precision, recall = proportion(hits, sum(map(len, found))), proportion(sum(map(bool, met)), len(wanted))
    right = [result.action == case.action for case, result in zip(cases, results, strict=True)]
    proceeding = share([case.action == "proceed" for case in cases]).value
    yield Row(name="actions right", figure=share(right), note=f"always proceed: {proceeding:.3f}")
    yield Row(name="span F1 (overlap)", figure=_harmonic(precision.value, recall.value))
    yield Row(name="span precision", figure=precision)
    yield Row(name="span recall", figure=recall)
    yield Row(name="kind named right, of found spans", figure=share(named))


def share(hits: Sequence[bool]) -> Figure:
    """How many of some things are true."""
    return proportion(sum(hits), len(hits))


def _overlap(left: tuple[int, int, str], right: tuple[int, int, str]) -> bool:
    return left[0] < right[1] and right[0] < left[1]


def _harmonic(precision: float, recall: float) -> float:
    return 0.0 if precision + recall == 0 else 2 * precision * recall / (precision + recall)
