from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.measure.ladder import ORDER, Box, Sizes, curve_parameter, curve_y, geometry, headline, ladder, row_words
from guard_desk.records.decision import Place
from guard_desk.records.trace import Trace
from tests.ui import builders

SIZES = Sizes(line=17.0, gap=8.0, caption=25.0)


@pytest.fixture(scope="module")
def run() -> Trace:
    return builders.trace()


def boxes(counts: dict[str, int]) -> list[Box]:
    return [
        Box(name=name, place=Place(name.partition(":")[0]), rule=name.partition(":")[2], count=counts[name], tokens=0)
        for name in ORDER
        if name in counts
    ]


def test_every_place_is_counted_once_and_stands_in_order(run: Trace) -> None:
    made = ladder(run)
    names = [box.name for box in made.boxes]
    assert names == [name for name in ORDER if run.prompt.count(name)]
    assert [box.count for box in made.boxes] == [run.prompt.count(name) for name in names]
    assert sum(box.tokens for box in made.boxes if box.in_prompt) == run.prompt.passage_tokens
    assert (made.was == -1).all()


def test_slots_number_the_passages_of_a_box_in_rank_order(run: Trace) -> None:
    made = ladder(run)
    for box, shown in enumerate(made.boxes):
        members = made.members(box)
        assert made.slot_of[members].tolist() == list(range(shown.count))
        assert [run.prompt.places[at].name for at in members] == [shown.name] * shown.count


def test_a_changed_place_remembers_its_box_and_keeps_it_when_empty(run: Trace) -> None:
    moved = builders.decided(run, "thresholds.injection_max", 0.95)
    made = ladder(moved, run)
    row = [hit.passage_id for hit in run.retrieved.hits].index("p0")
    was = made.boxes[made.was[row]]
    assert (was.name, was.count, was.tokens) == ("excluded:injection", 0, 0)
    assert made.boxes[made.box_of[row]].name != was.name


def test_the_headline_says_what_a_glance_must_not_miss(run: Trace) -> None:
    text = headline(run)
    ranks = {hit.passage_id: hit.rank for hit in run.retrieved.hits}
    assert text.startswith("4 of 10 in the prompt.")
    assert f"Rank {ranks['p0']} is an injection." in text
    assert f"Rank {ranks['p4']} denies the premise." in text
    assert f"Ranks {ranks['p1']} and {ranks['p3']} disagree with other evidence." in text


def test_words_for_a_row(run: Trace) -> None:
    row = [hit.passage_id for hit in run.retrieved.hits].index("p0")
    assert row_words(run.retrieved.hits[row], run.prompt.places[row]) == "rank 6, similarity 0.267, excluded, injection"


@given(
    rows=st.integers(0, 2000),
    counts=st.dictionaries(st.sampled_from(ORDER), st.integers(0, 900), min_size=1),
    width=st.integers(320, 2000),
    height=st.integers(120, 1400),
    line=st.integers(10, 40),
)
def test_boxes_fit_and_never_overlap(rows: int, counts: dict[str, int], width: int, height: int, line: int) -> None:
    sizes = Sizes(line=line, gap=8, caption=line + 8, box=9.0 * line)
    made = geometry(rows, boxes(counts), sizes, width=width, height=height)
    for upper, lower in zip(made.slots, made.slots[1:], strict=False):
        assert upper.bottom <= lower.top
    assert all(slot.height >= 1.25 * line - 0.01 for slot in made.slots)
    assert made.slots[-1].bottom <= made.content_height
    last = max(0.0, made.content_height - height)
    assert made.slots[-1].bottom - made.shift(last) <= max(height, made.slots[0].bottom) + 0.01
    assert made.left < made.right < width
    assert made.row_height >= 1.35 * line - 0.01


def test_few_rows_share_the_height_and_many_scroll() -> None:
    few = geometry(12, boxes({"evidence": 12}), SIZES, width=620, height=380)
    many = geometry(1000, boxes({"evidence": 1000}), SIZES, width=620, height=380)
    assert few.content_height <= 380 + 0.01
    assert many.content_height > 1000 * 20
    assert len(many.visible(380, scroll=5000)) < 20
    assert many.visible(380, scroll=many.content_height - 380)[-1] == 999


def test_boxes_that_do_not_fit_scroll_along_and_others_stay() -> None:
    every = boxes(dict.fromkeys(ORDER, 3))
    small = geometry(33, every, SIZES, width=540, height=170)
    last = small.content_height - 170
    assert small.shift(0) == 0
    assert small.slots[-1].bottom - small.shift(last) == pytest.approx(170)
    assert small.box_at(168, last) == len(every) - 1
    assert geometry(33, every, SIZES, width=540, height=600).shift(300) == 0


def test_a_row_is_found_where_it_stands() -> None:
    made = geometry(50, boxes({"evidence": 5, "merged": 45}), SIZES, width=620, height=380)
    for row in made.visible(380, scroll=300):
        if made.row_y(row, 300) > made.top:
            assert made.row_at(made.row_y(row, 300), 300) == row
    assert made.row_at(made.top - 1) is None
    assert made.box_at(made.slots[1].top + 1) == 1
    assert made.box_at(made.slots[0].bottom + 1) is None


def test_the_prompt_and_what_is_left_out_are_parted() -> None:
    both = geometry(3, boxes({"evidence": 2, "capped": 1}), SIZES, width=620, height=380)
    assert both.split is not None
    assert both.slots[0].bottom < both.split < both.slots[1].top
    short = geometry(3, boxes({"evidence": 2, "capped": 1}), SIZES, width=620, height=80)
    assert short.split is None
    assert short.slots[-1].bottom <= 80
    assert geometry(2, boxes({"evidence": 2}), SIZES, width=620, height=380).split is None
    assert geometry(0, [], SIZES, width=620, height=380).slots == ()


@given(share=st.floats(0, 1), start=st.floats(-500, 1500), end=st.floats(0, 1000))
def test_a_point_of_a_curve_is_found_again(share: float, start: float, end: float) -> None:
    x = 200 + 150 * (1.5 * share * (1 - share) + share**3)
    assert abs(curve_parameter(x, 200, 350) - share) < 0.01
    low, high = sorted((start, end))
    assert low - 1e-6 <= curve_y(start, end, share) <= high + 1e-6
