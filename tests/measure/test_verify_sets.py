from __future__ import annotations

from pathlib import Path

import pytest

from guard_desk.errors import InputError
from guard_desk.measure import verify_sets
from guard_desk.measure.verify_rows import AnswerRow, sampled, union
from guard_desk.records.corpus import Passage, Query, Span

from . import verify_data


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return verify_data.everything(tmp_path)


def rows_of(data: Path, name: str) -> list[AnswerRow]:
    source = next(source for source in verify_sets.sets() if source.name == name)
    return list(source.read(data / source.file))


def words(row: AnswerRow) -> list[str]:
    return [span.of(row.answer) for span in row.spans]


def test_ragtruth_has_a_passage_for_each_part_of_a_context_and_all_marked_spans(data: Path) -> None:
    right, wrong, business = rows_of(data, "ragtruth")
    assert [passage.text for passage in right.passages] == ["Kilns are fired for 9 hours.", "They cool in 2 days."]
    assert (right.query.text, right.cluster, right.group) == ("how long are kilns fired", "a", "QA")
    assert (right.wrong, wrong.wrong) == (False, True)
    assert words(wrong) == ["7 hours", "5 days"]
    # A record of a business is one passage, whatever blank lines it holds; its written line breaks are real ones.
    assert [passage.text for passage in business.passages] == ["{'name': 'Orrest Kiln', 'review': 'Warm.\nOpen late.'}\n\nend"]


def test_wice_places_tokens_and_leaves_out_those_that_are_written_otherwise(data: Path) -> None:
    (row,) = rows_of(data, "wice")
    assert [part.span.of(row.answer) for part in row.parts] == ["Ada", "Fenn", "'s", "kiln", "burnt", "birch", "in", "1911", "."]
    assert [part.span.of(row.answer) for part in row.parts if part.wrong] == ["birch", "1911", "."]
    assert words(row) == ["birch", "1911."]
    assert row.passages == (Passage(id="page", title="The kiln", text="Ada Fenn had a kiln.\nIt burnt peat in 1910."),)
    assert row.query.text == "Orrest"


def test_uhgeval_places_keywords_in_the_order_of_the_text(data: Path) -> None:
    (row,) = rows_of(data, "uhgeval_zh")
    assert [(part.span.start, part.span.of(row.answer), part.wrong) for part in row.parts] == [
        (0, "面包店", False),
        (3, "八点", True),
        (8, "面包", False),
    ]
    assert [passage.text for passage in row.passages] == ["面包店七点开门。", "面包在五点出炉。"]


def test_summedits_finds_the_edited_words_of_wrong_summaries(data: Path) -> None:
    same, edited, cut = rows_of(data, "summedits")
    assert [same.wrong, edited.wrong, cut.wrong] == [False, True, True]
    assert words(edited) == ["40 peat bricks"]
    assert words(same) == words(cut) == []
    assert {row.cluster for row in (same, edited, cut)} == {"d1"}


def test_a_damaged_line_is_named(data: Path) -> None:
    file = data / "wice/tokens_dev.jsonl"
    file.write_text(file.read_text(encoding="utf-8") + "{\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        rows_of(data, "wice")
    assert caught.value.line == 2


def answer(number: int, cluster: str) -> AnswerRow:
    return AnswerRow(id=str(number), query=Query(text="?"), passages=(), answer="", cluster=cluster, wrong=False)


def test_a_sample_takes_whole_sources_in_the_order_of_the_set_and_is_the_same_every_time() -> None:
    rows = [answer(number, f"source {number // 3}") for number in range(30)]
    chosen = sampled(rows, 12)
    assert len(chosen) == 12
    assert len({row.cluster for row in chosen}) == 4
    assert [row for row in rows if row in chosen] == chosen
    assert sampled(rows, 12) == chosen != sampled(rows, 12, seed=1)
    assert len(sampled(rows, 13)) == 13
    assert sampled(rows, None) == sampled(rows, 30) == rows


def test_spans_are_joined_where_they_touch_or_overlap() -> None:
    assert union([Span(5, 9), Span(0, 2), Span(2, 4), Span(6, 7), Span(3, 3)]) == (Span(0, 4), Span(5, 9))
