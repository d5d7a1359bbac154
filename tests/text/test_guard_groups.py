"""Groups of many texts: the same as a pool gives, and the same verdicts without the guards' names."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.errors import Cancelled
from guard_desk.policy import DedupPolicy, Strategy
from guard_desk.progress import CancelToken, RunContext
from guard_desk.records.corpus import Passage
from guard_desk.records.evidence import Extracted, frozen_array
from guard_desk.stages.dedup import dedup
from guard_desk.text.analyze import analyze_text
from guard_desk.text.guards import group_texts, may_merge
from guard_desk.text.guards.near import near_by_letters, near_by_vectors
from guard_desk.text.guards.quick import Signature, agrees, refuses
from guard_desk.text.guards.similarity import bigram_similarity, one_line, surface, surface_head
from guard_desk.text.guards.verdict import compare_texts, facts_for_guards
from guard_desk.text.normalize import fold_text
from tests.builders import MODEL, passages, retrieved
from tests.stages.test_dedup import TEXTS
from tests.text.test_guards import DIFFERENT, SAME

DATA = Path(__file__).parent.parent / "data"
WORDS = (
    "the pump",
    "runs",
    "does not run",
    "6 days",
    "six days",
    "16 days",
    "for",
    "and",
    "it",
    "Anna Berg",
    "Berg",
    ",",
    ".\n- ",
    "a heater",
)


def units(*rows: list[float]) -> npt.NDArray[np.float32]:
    vectors = np.array(rows, dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def pairs_of_cases() -> Iterator[tuple[Passage, Passage]]:
    for name in ("dedup_dev.jsonl", "dedup_more.jsonl"):
        for line in (DATA / name).read_text(encoding="utf-8").split("\n"):
            if line.strip():
                row = json.loads(line)
                yield tuple(Passage(id=side, text=row[side], **(row.get(f"meta_{side}") or {})) for side in ("a", "b"))
    for a, b in (*SAME, *((a, b) for _, a, b in DIFFERENT)):
        yield Passage(id="a", text=a), Passage(id="b", text=b)


def both_ways(a: Passage, b: Passage) -> tuple[bool, bool]:
    named = compare_texts(a, b, analyze_text(a.text), analyze_text(b.text)).verdict.merge
    return named, may_merge(a, b, facts_for_guards(a.text), facts_for_guards(b.text))


def test_without_names_the_verdicts_are_the_same() -> None:
    for a, b in pairs_of_cases():
        named, quick = both_ways(a, b)
        assert named == quick, (a.text, b.text)


@pytest.mark.parametrize(("a", "b"), [("Model 300 S is new.", "Model 300S is new."), ("Take 1 6 days off.", "Take 16 days off.")])
def test_what_may_be_written_as_one_is_left_to_the_guards(a: str, b: str) -> None:
    named, quick = both_ways(Passage(id="a", text=a), Passage(id="b", text=b))
    assert named == quick


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7), st.lists(st.sampled_from(WORDS), min_size=1, max_size=7))
def test_without_names_random_texts_get_the_same_verdict(left: list[str], right: list[str]) -> None:
    named, quick = both_ways(Passage(id="a", text=" ".join(left)), Passage(id="b", text=" ".join(right)))
    assert named == quick


CLAUSES = (
    "the pump {} runs for {} days",
    "it must {} be closed before {} am",
    "see note [{1}] {0}",
    "{1}. Item {0}",
    "the fee is {0} above {1} euros",
    "on May {1}, 2024 the crew {0} left",
    "not {0} more than {1} guests",
    "keeping the gardener's {0} hose {1} metres long",
    "die Frist beträgt {0} {1} Tage",
    "数据{0}保留{1}天。",
    "他们{0}可以在{1}点前{0}离开，{0}超过{1}人",
    "不得{0}不先{0}检查，{0}过{1}个小时",
    "call {1} {0} times a day",
    "version {1} {0} works",
    "Wei et al. ({1}) {0} wrote",
    "the mayor ({1}) {0} wrote (13) notes",
    "{0} teaching {1} pupils",
)
FILLERS = (
    "",
    "not",
    "never",
    "quickly",
    "rapidly",
    "taught",
    "garden",
    "gardens",
    "signon",
    "sign on",
    "hoses",
    "再",
    "fuer",
    "für",
    "dying",
    "die",
)
NUMBERS = ("1", "2", "13", "six", "6", "06", "60", "1,000", "1000", "98", "1998")


@st.composite
def sentences(draw: st.DrawFn) -> str:
    count = draw(st.integers(1, 2))
    pieces = [draw(st.sampled_from(CLAUSES)).format(draw(st.sampled_from(FILLERS)), draw(st.sampled_from(NUMBERS))) for _ in range(count)]
    return draw(st.sampled_from((". ", ", ", "\n"))).join(pieces)


@settings(max_examples=400, deadline=None)
@given(sentences(), sentences())
def test_what_is_refused_quickly_is_refused(left: str, right: str) -> None:
    if refuses(Signature(left), Signature(right)):
        a, b = Passage(id="a", text=left), Passage(id="b", text=right)
        assert not compare_texts(a, b, analyze_text(left), analyze_text(right)).verdict.merge


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(CLAUSES), st.sampled_from(FILLERS), st.sampled_from(FILLERS), st.sampled_from(NUMBERS), st.sampled_from(NUMBERS))
def test_what_is_refused_quickly_in_place_is_refused(clause: str, left: str, right: str, first: str, second: str) -> None:
    a, b = (Passage(id="x", text=clause.format(word, number)) for word, number in ((left, first), (right, second)))
    if refuses(Signature(a.text), Signature(b.text)):
        assert not compare_texts(a, b, analyze_text(a.text), analyze_text(b.text)).verdict.merge


@st.composite
def with_other_case(draw: st.DrawFn) -> tuple[str, str]:
    text = draw(sentences())
    change = draw(st.sampled_from((str.upper, str.title, str.lower, str.swapcase)))
    chosen = draw(st.sets(st.integers(0, 20)))
    pieces = [change(piece) if place in chosen else piece for place, piece in enumerate(text.split(" "))]
    return text, " ".join(pieces)


@settings(max_examples=400, deadline=None)
@given(with_other_case())
def test_what_agrees_quickly_merges(pair: tuple[str, str]) -> None:
    left, right = pair
    if agrees(Signature(left), Signature(right)):
        a, b = Passage(id="a", text=left), Passage(id="b", text=right)
        assert compare_texts(a, b, analyze_text(left), analyze_text(right)).verdict.merge


def test_case_alone_agrees_where_it_says_nothing() -> None:
    def quick(a: str, b: str) -> bool:
        return agrees(Signature(a), Signature(b))

    assert quick("BEFORE YOU START, read the manual.", "Before you start, read the manual.")
    assert not quick("Limited to 100 Mb of data.", "Limited to 100 MB of data.")
    assert not quick("They may leave.", "They May leave.")
    assert not quick("Choose plan A now.", "Choose plan a now.")
    assert not quick("Read the manual.", "Read the manuals.")


def test_what_agrees_quickly_merges_in_the_cases() -> None:
    found = [(a, b) for a, b in pairs_of_cases() if agrees(Signature(a.text), Signature(b.text))]
    assert found
    assert all(both_ways(a, b)[0] for a, b in found if (a.version, a.scope) == (b.version, b.scope))


LINES = (
    "Skip to main content",
    "you may go",
    "must",
    "before",
    "it",
    "Share this",
    "6 days",
    "km",
    "and",
    "Home > News > Reference",
    "登录 | 注册",
    "at least",
)


@settings(max_examples=200, deadline=None)
@given(sentences(), st.sampled_from(LINES), st.booleans())
def test_a_line_that_refuses_quickly_refuses(text: str, line: str, before: bool) -> None:
    longer = f"{line}\n{text}" if before else f"{text}\n{line}"
    if refuses(Signature(text), Signature(longer)):
        a, b = Passage(id="a", text=text), Passage(id="b", text=longer)
        assert not compare_texts(a, b, analyze_text(text), analyze_text(longer)).verdict.merge


def test_a_line_with_a_word_refuses_quickly() -> None:
    text = "The pump runs for 6 days."
    assert refuses(Signature(text), Signature("Skip to main content\n" + text))
    assert not refuses(Signature(text), Signature(text + "\nand also"))


def test_what_is_refused_quickly_never_merges_in_the_cases() -> None:
    found = [(a, b) for a, b in pairs_of_cases() if refuses(Signature(a.text), Signature(b.text))]
    assert len(found) > 40
    assert not [(a.text, b.text) for a, b in found if both_ways(a, b)[0]]


@settings(deadline=None)
@given(st.text(alphabet="aÄéß，（。 \n-’数Z²½\u0301\u00ad\u3000", max_size=90))
def test_the_quick_surface_is_the_folded_one(text: str) -> None:
    assert surface_head(text) == surface(text)[:8]
    assert surface(text) == "".join(ch for ch in fold_text(text) if unicodedata.category(ch)[0] not in "PZ")


@st.composite
def pools(draw: st.DrawFn) -> tuple[tuple[Passage, ...], npt.NDArray[np.float32]]:
    texts = draw(st.lists(st.sampled_from((*TEXTS, "For  6 days, the\npump runs.", "The pump, for 6 days, runs")), min_size=1, max_size=12))
    rows = [draw(st.lists(st.floats(0, 1, width=16), min_size=3, max_size=3)) for _ in dict.fromkeys(" ".join(t.split()) for t in texts)]
    place = {text: number for number, text in enumerate(dict.fromkeys(" ".join(t.split()) for t in texts))}
    vectors = units(*([row[0] + 0.5, row[1], row[2] / 4] for row in rows))
    return passages(*texts), vectors[[place[" ".join(text.split())] for text in texts]]


@settings(max_examples=60, deadline=None)
@given(pools(), st.sampled_from((0.5, 0.86, 0.95)))
def test_many_texts_are_grouped_as_a_pool_is(pool: tuple[tuple[Passage, ...], npt.NDArray[np.float32]], floor: float) -> None:
    texts, vectors = pool
    near = replace(retrieved(texts), pair_similarity=frozen_array(np.minimum(vectors @ vectors.T, 1)))
    facts = tuple(analyze_text(passage.text) for passage in texts)
    extracted = Extracted(texts=facts, titles=(None,) * len(facts), query=analyze_text("q"), analyzer=MODEL)
    as_pool = dedup(near, extracted, DedupPolicy(similarity_floor=floor), Strategy.SIEVE)
    named = {tuple(sorted(group.members)) for group in as_pool.groups}
    found = group_texts(texts, vectors, floor)
    assert {tuple(sorted(texts[place].id for place in group)) for group in found.groups} == named


def test_copies_need_no_vectors_and_metadata_keep_them_apart() -> None:
    texts = (
        Passage(id="a", text="Kept for 6 days.", source="x"),
        Passage(id="b", text="Kept  for\n6 days.", source="y"),
        Passage(id="c", text="Kept for 6 days.", version="2"),
        Passage(id="d", text="Kept for 6 days.", version="3"),
    )
    far = units([1, 0], [0, 1], [0, 1], [1, 0])
    found = group_texts(texts, far, 0.9)
    assert (0, 1) in [group[:2] for group in found.groups]
    assert not any({2, 3} <= set(group) for group in found.groups)


def test_copies_with_another_layout_are_copies() -> None:
    texts = (
        "The lid's seal - a ring - is new. Keep it dry.",
        "- The lid’s seal — a ring – is new.\n- Keep it  dry.",
        "The lid's seal - a ring - is\nnew. Keep it dry",
    )
    assert group_texts(passages(*texts), units([1, 0], [0, 1], [0, 1]), 0.9).groups == ((0, 1, 2),)
    chinese = passages("数据保留七天。备份需要两小时。", "• 数据保留七天。\n• 备份需要两小时。")
    assert group_texts(chinese, units([1, 0], [0, 1]), 0.9).groups == ((0, 1),)
    lost = ("It is:\n- 5 °C", "It is:\n5 °C", "It is: 15 °C")
    assert len({one_line(text) for text in lost}) == 3


def test_pairs_kept_apart_are_named_with_their_similarity() -> None:
    found = group_texts(passages("Kept for 6 days.", "Kept for 16 days."), units([1, 0], [1, 0.1]), 0.9)
    assert found.groups == ((0,), (1,))
    assert [(i, j) for i, j, _ in found.apart] == [(0, 1)]
    assert found.apart[0][2] == pytest.approx(0.995037, abs=1e-5)


def test_texts_of_one_form_are_told_apart_by_their_values() -> None:
    texts = passages(*(f"Guide {number} says that it is kept for {2 * number} days." for number in range(3, 60)))
    found = group_texts(texts, units(*([1.0, number / 1000] for number in range(57))), 0.9)
    assert len(found.groups) == found.near - len(found.apart) + 57 == 57


def test_no_texts_no_groups() -> None:
    assert group_texts((), np.empty((0, 3), dtype=np.float32), 0.9).groups == ()


def test_cancel_stops_the_grouping() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        group_texts(passages("One.", "Two."), units([1, 0], [0, 1]), 0.9, RunContext(token=token))


def test_blocks_find_the_pairs_of_the_full_matrix() -> None:
    random = np.random.default_rng(0)
    vectors = units(*random.normal(size=(1100, 4)).tolist())
    matrix = (vectors @ vectors.T).astype(np.float64)
    found = {(i, j): similarity for i, j, similarity in near_by_vectors(vectors, 0.99, RunContext())}
    sure = {(int(i), int(j)) for i, j in zip(*np.nonzero(np.triu(matrix > 0.99001, 1)), strict=True)}
    assert sure <= set(found)
    assert all(similarity >= 0.99 and abs(similarity - matrix[i, j]) < 1e-5 for (i, j), similarity in found.items())


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("数据保留七天不", min_size=0, max_size=9), max_size=12), st.sampled_from((0.4, 0.7, 0.86, 1.0)))
def test_letters_find_every_pair_that_overlaps(texts: list[str], floor: float) -> None:
    found = {(i, j): similarity for i, j, similarity in near_by_letters(texts, range(len(texts)), floor, RunContext())}
    expected = {
        (i, j): similarity for j in range(len(texts)) for i in range(j) if (similarity := bigram_similarity(texts[i], texts[j])) >= floor
    }
    assert found == pytest.approx(expected)
