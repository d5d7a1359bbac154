"""Figures of thinning on RAMDocs. Documents of one question hang together, so intervals over documents are drawn over questions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from guard_desk.measure.answers import contained, exact_match
from guard_desk.measure.metrics import Figure
from guard_desk.measure.ramdocs_seen import Seen, near
from guard_desk.measure.ramdocs_sets import CORRECT, MISINFO, NOISE, Case
from guard_desk.measure.shares import pooled, share
from guard_desk.measure.tables import Row


def kept_rows(seen: Sequence[Seen], name: str) -> list[Row]:
    """What stays: answers, documents, noise."""
    of = [(item.case, item.kept) for item in seen]
    return [
        Row(name=f"{name}: gold answers kept", figure=gold_kept(of), note="at least one right document stays; mark .95"),
        Row(name=f"{name}: right documents kept", figure=type_kept(of, CORRECT)),
        Row(name=f"{name}: wrong documents kept", figure=type_kept(of, MISINFO), note="not aimed at: both sides of a conflict are shown"),
        Row(name=f"{name}: noise dropped", figure=noise_dropped(of)),
    ]


def gold_kept(kept: Sequence[tuple[Case, frozenset[str]]]) -> Figure:
    """Share of the gold answers, of those that any document gives, that a right document among the kept ones gives."""
    counts = []
    for case, ids in kept:
        right = [{document.id for document in case.of_answer(gold) if document.type == CORRECT} for gold in case.gold]
        held = [documents for documents in right if documents]
        counts.append((sum(bool(documents & ids) for documents in held), len(held)))
    return pooled(counts)


def type_kept(kept: Sequence[tuple[Case, frozenset[str]]], kind: str) -> Figure:
    """Share of the documents of one type that are kept."""
    return pooled([(sum(d.id in ids for d in case.of_type(kind)), len(case.of_type(kind))) for case, ids in kept])


def noise_dropped(kept: Sequence[tuple[Case, frozenset[str]]]) -> Figure:
    """Share of the noise documents that are gone."""
    return pooled([(sum(d.id not in ids for d in case.of_type(NOISE)), len(case.of_type(NOISE))) for case, ids in kept])


def conflict_rows(seen: Sequence[Seen], name: str) -> list[Row]:
    """Whether differing answers are shown, and agreeing ones are not."""
    differ = [item for item in seen if item.case.differ]
    agree = [item for item in seen if len(item.case.answers) == 1]
    named = [item.thinned.conflict and sum(item.read(answer) for answer in item.case.answers) > 1 for item in differ]
    return [
        Row(
            name=f"{name}: differing answers shown as conflict",
            figure=share(item.thinned.conflict for item in differ),
            note="always: 1, never: 0; mark .85",
        ),
        Row(name=f"{name}: ... and two of the answers named", figure=share(named), note="among the candidates, by their own documents"),
        Row(
            name=f"{name}: false conflict alarms",
            figure=share(item.thinned.conflict for item in agree),
            note="all documents give one answer; always: 1, never: 0",
        ),
    ]


def reading_rows(seen: Sequence[Seen], name: str) -> list[Row]:
    """Which answers were read, and how good the leader is."""
    read = pooled([(sum(item.read(answer) for answer in item.case.answers), len(item.case.answers)) for item in seen])
    answered = [item for item in seen if item.case.answers]
    leaders = [(item.thinned.leader, item.case.gold) for item in answered]
    tops = [(item.top.value if item.top else None, item.case.gold) for item in answered]
    wrong = [item for item in seen if item.case.of_type(MISINFO) and item.case.of_type(CORRECT)]
    return [
        Row(name=f"{name}: answers read", figure=read, note="right or wrong, as a candidate of a document that gives it"),
        Row(name=f"{name}: questions with a candidate", figure=share(bool(item.thinned.candidates) for item in answered)),
        Row(name=f"{name}: leader, exact match", figure=share(exact_match(*pair) for pair in leaders), note="any gold; no leader is wrong"),
        Row(name=f"{name}: leader, contained", figure=share(contained(*pair) for pair in leaders)),
        Row(name=f"{name}: no leader", figure=share(leader is None for leader, _ in leaders), note="contested, or nothing read"),
        Row(name=f"{name}: first candidate, exact match", figure=share(exact_match(*pair) for pair in tops)),
        Row(name=f"{name}: first candidate, contained", figure=share(contained(*pair) for pair in tops)),
        Row(
            name=f"{name}: right value first beside misinformation",
            figure=share(_first(item, item.case.gold) for item in wrong),
            note="reported, not aimed at: the documents have no sources to tell them apart",
        ),
        Row(name=f"{name}: wrong value first", figure=share(_first(item, _wrong(item.case)) for item in wrong)),
    ]


def _first(seen: Seen, answers: Iterable[str]) -> bool:
    top = seen.top
    return top is not None and any(near(top.value, answer) for answer in answers)


def _wrong(case: Case) -> tuple[str, ...]:
    return tuple(document.answer for document in case.of_type(MISINFO))


def baseline_rows(seen: Sequence[Seen], similarity: Mapping[str, Mapping[str, float]]) -> list[Row]:
    """What keeping everything, half of it or as many as thinning, by chance or by likeness to the question, would give.

    :param similarity: of each case, the cosine of each document and the question.
    """

    def by_chance(case: Case) -> list[str]:
        order = [document.id for document in case.documents]
        random.Random(f"0/{case.id}").shuffle(order)
        return order

    def by_cosine(case: Case) -> list[str]:
        return sorted(similarity[case.id], key=lambda i: -similarity[case.id][i])

    rows = []
    for name, order in (("random", by_chance), ("cosine", by_cosine)):
        half = [(item.case, frozenset(order(item.case)[: (len(item.case.documents) + 1) // 2])) for item in seen]
        same = [(item.case, frozenset(order(item.case)[: len(item.kept)])) for item in seen]
        for what, kept in ((f"{name} half", half), (f"{name}, as many as support", same)):
            rows += [
                Row(name=f"baseline {what}: gold answers kept", figure=gold_kept(kept), note="keeping everything: 1"),
                Row(name=f"baseline {what}: noise dropped", figure=noise_dropped(kept), note="keeping everything: 0"),
            ]
    return rows
