from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from guard_desk.errors import InputError
from guard_desk.measure import judge_injection_sets, judge_sets
from guard_desk.measure.judge_rows import PairRow, limited, records
from guard_desk.measure.judge_sets import CLAIM_SETS, sources
from guard_desk.records.evidence import Question

from . import judge_data

RELEVANT, EVIDENCE, CONTRADICTS, INJECTION = Question


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return judge_data.everything(tmp_path)


def labelled(rows: list[PairRow], question: Question) -> Counter[bool]:
    return Counter(row.labels[question] for row in rows if question in row.labels)


def test_every_source_is_found_and_has_ids_of_its_own(data: Path) -> None:
    for source in (*sources("../cases"), *CLAIM_SETS):
        assert source.missing(data) == ()
        rows = list(source.read(data))
        assert rows, source.name
        assert len({row.id for row in rows}) == len(rows), source.name
        assert all(row.query and row.text and row.cluster for row in rows), source.name
        assert list(source.read(data)) == rows, source.name


def test_missing_files_are_named(data: Path) -> None:
    (data / "scifact/corpus.jsonl.gz").unlink()
    assert [source.missing(data) for source in sources("../cases") if source.name == "scifact"] == [("scifact/corpus.jsonl.gz",)]


def test_relevance_sets_each_question_beside_its_own_passage_and_one_of_another(data: Path) -> None:
    rows = list(judge_sets.clapnq_relevance(data))
    assert labelled(rows, RELEVANT) == {True: 10, False: 10}
    for row in rows:
        own, other = row.id.split("/")
        assert (own == other) == row.labels[RELEVANT]
        assert row.query == f"how is kiln {own} heated"
        assert row.title == f"Kiln {other}"
    # Dealt in a ring: every passage is once the wrong one.
    assert sorted(row.title for row in rows if not row.labels[RELEVANT]) == sorted(f"Kiln {n}" for n in range(10))


def test_cut_leaves_out_the_sentences_that_answer_and_nothing_else(data: Path) -> None:
    rows = list(judge_sets.clapnq_cut(data))
    # The question whose only sentence answers is left out: nothing would stay.
    assert labelled(rows, EVIDENCE) == {True: 5, False: 5}
    assert rows[0].text == "Kiln 0 stands in Orrest. Kiln 0 burns birch.\u2028It cools slowly."
    assert rows[1].text == "Kiln 0 burns birch.\u2028It cools slowly."
    assert rows[0].cluster == rows[1].cluster


def test_even_cuts_take_other_sentences_of_about_the_same_length(data: Path) -> None:
    rows = list(judge_sets.clapnq_cut_even(data))
    assert labelled(rows, EVIDENCE) == {True: 1, False: 1}
    answering, cut = rows
    # "Kiln 9 has two doors." goes, and not the longer "It is cleaned by the smiths of Orrest each year.".
    assert answering.text == "Kiln 9 stands by a gate. It is cleaned by the smiths of Orrest each year."
    assert cut.text == "Kiln 9 has two doors. It is cleaned by the smiths of Orrest each year."


def test_answers_of_false_and_true_premises_differ_by_one_word_at_most(data: Path) -> None:
    rows = list(judge_sets.freshqa(data))
    assert labelled(rows, CONTRADICTS) == {True: 2, False: 2}
    for false, true in zip(rows[::2], rows[1::2], strict=True):
        assert abs(len(false.text.split()) - len(true.text.split())) <= 1
    assert {row.id for row in rows} == {"1/1", "4/4", "3/3", "5/5"}
    exchanged = list(judge_sets.freshqa_exchanged(data))
    texts = {label: sorted(row.text for row in exchanged if row.labels[CONTRADICTS] is label) for label in (True, False)}
    assert texts[True] == texts[False]


def test_each_attack_stands_at_three_places_of_one_context_of_each_kind(data: Path) -> None:
    rows = list(judge_injection_sets.bipia(data))
    assert labelled(rows, INJECTION) == {True: 18, False: 3}
    attack = "What is the capital of Orrest?"
    ours = [row for row in rows if row.part.startswith("text ")]
    assert Counter(row.part for row in ours) == {"text start": 3, "text middle": 3, "text end": 3}
    assert {row.cluster for row in ours} == {"attack 0"}
    clean = {row.text for row in rows if row.part == "clean"}
    for row in ours:
        assert row.text.startswith(attack) == (row.part == "text start")
        assert row.text.endswith(attack) == (row.part == "text end")
        assert row.text.replace(f"{attack}\n", "").replace(f"\n{attack}", "") in clean
    email = next(row for row in ours if row.part == "text middle" and "email" in row.id)
    assert email.text.split(attack)[0] in ("Dear Ada. ", "Dear Ada. The bill is due. ")
    assert email.query == "When is it due?"


def test_only_strict_labels_count_and_borderline_rows_are_left_out(data: Path) -> None:
    cases = data.parent / "cases"
    rows = list(judge_sets.premise_cases(cases))
    assert labelled(rows, EVIDENCE) == {True: 1, False: 2}
    assert labelled(rows, CONTRADICTS) == {True: 1, False: 3}
    assert [row.id for row in judge_injection_sets.injection_cases(cases)] == ["j1", "j2"]


def test_noise_is_neither_relevant_nor_evidence(data: Path) -> None:
    rows = list(judge_sets.ramdocs(data))
    assert labelled(rows, RELEVANT) == labelled(rows, EVIDENCE) == {True: 6, False: 3}
    assert len({row.cluster for row in rows}) == 3


def test_cited_abstracts_without_evidence_are_the_negatives(data: Path) -> None:
    rows = {row.id: row for row in judge_sets.scifact(data)}
    assert {row_id: dict(row.labels) for row_id, row in rows.items()} == {
        "1/10": {EVIDENCE: True, CONTRADICTS: False},
        "2/10": {EVIDENCE: False, CONTRADICTS: False},
        "2/11": {EVIDENCE: True, CONTRADICTS: True},
    }
    claims = {row.id: (row.part, row.text) for row in judge_sets.scifact_claims(data)}
    assert claims == {"1/10": ("support", "B10."), "2/10": ("neutral", "A10. B10. C10."), "2/11": ("contradict", "A11. C11.")}


def test_a_claim_without_evidence_on_a_side_has_no_row_for_it(data: Path) -> None:
    rows = list(judge_sets.conflictqa_claims(data))
    assert [(row.id, row.part) for row in rows] == [("5/support", "support"), ("5/contradict", "contradict"), ("6/support", "support")]
    assert {row.cluster for row in rows} == {"Is peat older?"}


def rows_of(count: int) -> list[PairRow]:
    return [PairRow(id=str(n), query="q", text=f"t{n}", cluster=f"c{n // 3}", labels={INJECTION: n % 2 == 0}) for n in range(count)]


def test_a_limit_takes_so_many_of_each_class_whatever_the_order() -> None:
    rows = rows_of(60)
    taken = limited(rows, 7)
    assert labelled(taken, INJECTION) == {True: 7, False: 7}
    assert limited(iter(rows), 7) == taken
    assert {row.id for row in limited(rows[::-1], 7)} == {row.id for row in taken}
    assert [row for row in rows if row in taken] == taken
    assert limited(rows, None) == rows
    # A larger limit keeps what a smaller one took.
    assert set(map(id, taken)) <= set(map(id, limited(rows, 12)))


def test_a_limit_counts_claims_by_their_stance() -> None:
    rows = [PairRow(id=str(n), query="q", text="t", cluster=str(n), part="support" if n < 5 else "neutral") for n in range(9)]
    assert Counter(row.part for row in limited(rows, 2)) == {"support": 2, "neutral": 2}


@pytest.mark.parametrize("line", ["{bad", "[1]"])
def test_a_damaged_line_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(f'{{"a": 1}}\n\n{line}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 3"):
        list(records(file))


def test_line_ends_inside_texts_are_no_line_ends(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"a": "one\u2028two\u0085three"}\n', encoding="utf-8")
    assert [record["a"] for record in records(file)] == ["one\u2028two\u0085three"]
