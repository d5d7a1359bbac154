"""The suites `ramdocs`, `wikicontradict` and `conflictqa` as they are run, on small made-up sets and with the real models."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from guard_desk.errors import InputError
from guard_desk.measure.conflict_pairs import conflictqa, wikicontradict
from guard_desk.measure.metrics import Figure
from guard_desk.measure.paper_store import StoredGenerator
from guard_desk.measure.ramdocs import ramdocs
from guard_desk.measure.ramdocs_answers import answer_rows, chosen, prompt
from guard_desk.measure.ramdocs_seen import of_thinned
from guard_desk.measure.ramdocs_sets import read_cases
from guard_desk.measure.tables import Table
from guard_desk.policy import ThinMode, ThinPolicy
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Query
from guard_desk.records.evidence import ModelInfo
from guard_desk.records.state import Models
from guard_desk.stages.thin import thin_lines
from tests.weights import needs_weights

from . import conflict_data


def figures(table: Table) -> dict[str, Figure]:
    json.loads(table.json())
    assert table.text()
    for chart in table.charts:
        assert all(point.value is not None for series in chart.series for point in series.points)
    return {row.name: row.figure for row in table.rows if isinstance(row.figure, Figure)}


def test_cases_of_ramdocs(tmp_path: Path) -> None:
    conflict_data.ramdocs(tmp_path)
    mill, river, mayor = read_cases(tmp_path, None)
    assert mill.answers == ("1704", "1811")
    assert mill.differ
    assert river.answers == ("7 km",)  # 7000 m is the same
    assert len(river.of_answer("7 km")) == 2
    assert mayor.answers == ()
    assert len(read_cases(tmp_path, 2)) == 2
    assert read_cases(tmp_path, 2) == [case for case in (mill, river, mayor) if case in read_cases(tmp_path, 2)]


def test_prompts_of_each_method_hold_what_they_say(tmp_path: Path) -> None:
    conflict_data.ramdocs(tmp_path)
    case = read_cases(tmp_path, None)[1]
    item = of_thinned(case, thin_lines(Query(text=case.question), case.passages, ThinPolicy(mode=ThinMode.SUPPORT), today="2026-11-30"))
    assert chosen(item, "full") == ("D0", "D1", "D2")
    assert set(chosen(item, "thin")) == {"D0", "D1"}
    assert len(chosen(item, "random_k")) == len(chosen(item, "bm25_k")) == 2
    assert set(chosen(item, "bm25_k")) == {"D0", "D1"}
    text = prompt(item, chosen(item, "thin"))
    assert "7 km" in text
    assert "Bread" not in text


class Echo:
    """Answers with the first number of the prompt."""

    info = ModelInfo(name="echo", revision="1")

    def __init__(self) -> None:
        self.asked = 0

    def generate(self, prompt: str, ctx: RunContext) -> Iterator[str]:
        self.asked += 1
        yield re.findall(r"\d+(?: km)?", prompt)[0] if re.search(r"\d", prompt) else "none"


class Words:
    encoding = "words"

    def count(self, text: str) -> int:
        return len(text.split())


def test_answers_of_a_generator(tmp_path: Path) -> None:
    conflict_data.ramdocs(tmp_path)
    policy = ThinPolicy(mode=ThinMode.SUPPORT)
    seen = [
        of_thinned(case, thin_lines(Query(text=case.question), case.passages, policy, today="2026-11-30"))
        for case in read_cases(tmp_path, None)
    ]
    echo = Echo()
    rows = {row.name: row.figure for row in answer_rows(seen, StoredGenerator(echo, tmp_path / "kept.jsonl", Words()), RunContext())}
    full = rows["answer full: exact match"]
    assert isinstance(full, Figure)
    assert (full.value, full.n) == (1, 2)  # the question without an answer is left out
    assert rows["answer thin: tokens"] < rows["answer full: tokens"]
    asked = echo.asked
    again = answer_rows(seen, StoredGenerator(echo, tmp_path / "kept.jsonl", Words()), RunContext())
    assert echo.asked == asked
    assert {row.name: row.figure for row in again} == rows


@pytest.mark.parametrize("suite", [ramdocs, wikicontradict, conflictqa])
def test_a_missing_set_is_named(suite: object, tmp_path: Path) -> None:
    for folder in (None, tmp_path):
        with pytest.raises(InputError, match=r"dev\.jsonl"):
            suite(Models(), folder, None, RunContext())  # type: ignore[operator]


@needs_weights
@pytest.mark.models
def test_ramdocs(tmp_path: Path) -> None:
    conflict_data.ramdocs(tmp_path)
    table = ramdocs(Models(), tmp_path, None, RunContext())
    found = figures(table)
    assert found["support: gold answers kept"].n == 2
    assert found["support: gold answers kept"].value == 1
    assert found["support: differing answers shown as conflict"].value == 1
    assert found["support: false conflict alarms"].value == 0
    assert found["support: noise dropped"].n == 3
    assert found["run: gold answers kept"].n == 2
    assert found["baseline random half: gold answers kept"].n == 2


@needs_weights
@pytest.mark.models
def test_conflict_pairs(tmp_path: Path) -> None:
    conflict_data.wikicontradict(tmp_path)
    conflict_data.conflictqa(tmp_path)
    wiki = figures(wikicontradict(Models(), tmp_path, None, RunContext()))
    assert wiki["contradictions shown"].n == 2
    assert wiki["contradictions shown"].value == 1
    assert wiki["shown: explicit, in one passage"].n == 1
    assert wiki["false alarms"].n == 8
    assert wiki["false alarms"].value == 0
    opposite = figures(conflictqa(Models(), tmp_path, None, RunContext()))
    assert (opposite["contradictions shown"].value, opposite["contradictions shown"].n) == (1, 3)
    assert (opposite["false alarms"].value, opposite["false alarms"].n) == (0, 3)
