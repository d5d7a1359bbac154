from __future__ import annotations

import math
from pathlib import Path

import pytest

from guard_desk.errors import InputError
from guard_desk.measure.tables import Table
from guard_desk.measure.verify_bench import verify_bench
from guard_desk.measure.verify_legs import Leg, legs
from guard_desk.measure.verify_peers import published
from guard_desk.measure.verify_rows import AnswerRow
from guard_desk.measure.verify_scores import Marked
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Span
from guard_desk.records.state import Models

from . import verify_data


def marking(name: str, *texts: str) -> Leg:
    """A leg that marks these words wherever they stand."""

    def marks(row: AnswerRow, ctx: RunContext) -> tuple[Marked, ...]:
        ctx.check()
        places = [(row.answer.find(text), len(text)) for text in texts]
        return tuple(Marked(Span(at, at + length), 0.8) for at, length in places if at >= 0)

    return Leg(name=name, marks=marks, about=f"marks {texts}")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return verify_data.everything(tmp_path)


def values(table: Table) -> dict[str, float]:
    return {row.name: getattr(row.figure, "value", row.figure) for row in table.rows}


def test_every_leg_is_measured_on_every_set_and_group(data: Path) -> None:
    table = verify_bench([marking("numbers", "7 hours", "八点", "40", "1911"), marking("nothing")], data, None, RunContext())
    found = values(table)
    assert found["ragtruth all: example F1, numbers"] == 1
    assert found["ragtruth all: example F1, nothing"] == 0
    assert found["ragtruth QA: example precision, numbers"] == 1
    assert found["ragtruth all: span recall, numbers"] == pytest.approx(7 / 13)
    assert found["wice all: token recall, numbers"] == pytest.approx(1 / 3)
    assert found["uhgeval_zh all: keyword F1, numbers"] == 1
    assert found["uhgeval_zh all: keyword AUROC, nothing"] == 0.5
    assert found["summedits all: balanced accuracy, numbers"] == pytest.approx((1 / 2 + 1) / 2)
    assert found["summedits all: edited words touched, numbers"] == 1
    assert found["summedits sales_call: balanced accuracy, nothing"] == 0.5
    # In Data2txt nothing is wrong: no F1, and no crash.
    assert math.isnan(found["ragtruth Data2txt: example F1, numbers"])


def test_published_figures_and_baselines_stand_beside_ours(data: Path) -> None:
    table = verify_bench([marking("nothing")], data, None, RunContext())
    found = values(table)
    assert found["ragtruth QA: published, GPT-4-turbo prompt: example F1"] == pytest.approx(0.456)
    assert found["summedits sales_call: published, GPT-4: balanced accuracy"] == pytest.approx(0.879)
    note = next(row.note for row in table.rows if row.name == "ragtruth all: example F1, nothing")
    assert "all flagged 0.500" in note
    assert "longer than" in note
    assert "1 wrong of 3, 2 sources" in note


def test_the_worst_errors_are_told_with_their_words(data: Path) -> None:
    table = verify_bench([marking("kilns", "Kilns")], data, None, RunContext())
    assert ("ragtruth, kilns: false alarm", "1 QA: marked 'Kilns' (0.80)") in table.details
    assert ("ragtruth, kilns: missed", "2 QA: '7 hours'; '5 days'") in table.details


def test_missing_sets_are_named_and_a_folder_without_any_is_refused(data: Path, tmp_path: Path) -> None:
    (data / "wice/tokens_dev.jsonl").unlink()
    table = verify_bench([marking("nothing")], data, None, RunContext())
    assert next(row.note for row in table.rows if row.name == "wice: not measured") == "missing: wice/tokens_dev.jsonl"
    with pytest.raises(InputError, match="none of the sets"):
        verify_bench([marking("nothing")], tmp_path / "cases", None, RunContext())


def test_published_figures_are_shares_of_sets_that_are_measured() -> None:
    assert {figure.set for figure in published()} == {"ragtruth", "wice", "summedits"}
    assert all(0 < figure.value < 1 and figure.origin and figure.note for figure in published())


@pytest.mark.models
def test_the_rules_are_measured(data: Path) -> None:
    found = values(verify_bench(legs(Models(judge="features")), data, 2, RunContext()))
    assert found["ragtruth all: example F1, rules"] == 1
    assert found["uhgeval_zh all: keyword recall, rules"] == 1
    assert not any("head" in name for name in found)
