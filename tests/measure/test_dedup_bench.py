"""The suite `dedup`: what is read, what is counted, and the peer on given vectors."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from guard_desk.errors import InputError
from guard_desk.measure import dedup_bench_speed
from guard_desk.measure.dedup_bench import ALL, dedup_bench
from guard_desk.measure.dedup_bench_corpora import SHARES, corpus
from guard_desk.measure.dedup_bench_figures import curve, rates, threshold_at, threshold_below, times_fewer
from guard_desk.measure.dedup_bench_peer import SemHashGroups, semhash_version
from guard_desk.measure.dedup_bench_rewrites import CHANGING, KEEPING
from guard_desk.measure.dedup_bench_sets import CAD, CRAWLS, PAWS, SUMMEDITS, pair_sets, read_set
from guard_desk.progress import RunContext
from guard_desk.records.state import Models
from guard_desk.text.guards import merge_verdict
from guard_desk.text.guards.similarity import surface

TEXT = (
    'The pump\'s lid is "new" - it holds 12,000 litres. Two guests may open it within 7 days. 80% of the lids are red.'
    " The old lid can be kept for 30 days."
)
CHINESE = "水泵可以运行七天。数据保留 30 天，备份需要 2 小时。"


def write(file: Path, *rows: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def paws(file: Path) -> None:
    write(
        file,
        {"id": "1", "sentence1": "In 1985, the play closed in Rome.", "sentence2": "The play closed in Rome in 1985.", "label": 1},
        {"id": "2", "sentence1": "Ann Lee met Bo Kim in Rome.", "sentence2": "Bo Kim met Ann Lee in Rome.", "label": 0},
        {"id": "3", "sentence1": "It lasts 6 days.", "sentence2": "It lasts 9 days.", "label": "0"},
        {"id": "4", "sentence1": "Same.", "sentence2": "Same.", "label": 1},
    )


@pytest.mark.parametrize("text", [TEXT, CHINESE])
def test_rewrites_do_what_they_say(text: str) -> None:
    made = {name: rewrite(text, 5) for name, rewrite in {**KEEPING, **CHANGING}.items()}
    assert all(changed != text for changed in made.values())
    for name in ("spaces", "case", "signs", "list_marks"):
        assert made[name] is None or surface(made[name]) == surface(text)
    for name in ("header", "footer", "cut_footer"):
        assert text in str(made[name])
    assert made["denied"] is not None
    assert all(not merge_verdict(text, made[name], similarity=1.0).merge for name in CHANGING if made[name])


def test_numbers_keep_their_value_in_another_format() -> None:
    changed = KEEPING["number_format"](TEXT, 5)
    assert changed is not None
    assert "12000" in changed
    assert "seven days" in changed
    assert merge_verdict(TEXT, changed, similarity=1.0).merge


def test_sets_are_read_with_what_is_known(tmp_path: Path) -> None:
    paws(tmp_path / "paws_wiki/dev.jsonl")
    write(
        tmp_path / "cad_nli/dev.jsonl",
        {"original": ["A man is out.", "h", "neutral"], "revised_premise": [["A man is in.", "h", "c"], ["A boy is out.", "h", "e"]]},
    )
    write(
        tmp_path / "summedits/dev.jsonl",
        {
            "doc_key": "d",
            "items": [
                {"original_summary": "It is 5.", "summary": "It is 5.", "label": 1},
                {"original_summary": "It is 5.", "summary": "It is 6.", "label": 0},
            ],
        },
    )
    write(tmp_path / "ramdocs/dev.jsonl", {"documents": [{"text": TEXT}]})
    read = {source.name: source for source in pair_sets()}
    assert [pair.same for pair in read_set(read[PAWS], tmp_path, None)] == [True, False, False]
    assert len(read_set(read[PAWS], tmp_path, 2)) == 2
    captions = read_set(read[CAD], tmp_path, None)
    assert [(pair.same, pair.made) for pair in captions[:3]] == [(False, False), (False, False), (True, True)]
    assert [pair.b for pair in read_set(read[SUMMEDITS], tmp_path, None)] == ["It is 6."]
    crawls = read_set(read[CRAWLS], tmp_path, None)
    assert {pair.kind for pair in crawls} == set(KEEPING)
    assert all(pair.same and pair.made for pair in crawls)


def test_thresholds_give_the_share_that_is_asked_for() -> None:
    scores = np.array([0.9, 0.8, 0.7, 0.85, 0.6, 0.5])
    same = np.array([True, True, True, False, False, False])
    assert threshold_at(scores, same, 2 / 3) == 0.8
    assert threshold_at(scores, same, 0.0) == math.inf
    found = rates(scores >= threshold_at(scores, same, 1.0), same)
    assert (found.true.value, found.false.value) == (1.0, pytest.approx(1 / 3))
    below = threshold_below(scores, same, 0.0)
    assert rates(scores >= below, same).false.value == 0
    assert rates(scores >= below, same).true.value == pytest.approx(1 / 3)
    assert threshold_below(scores, same, 1.0) == -math.inf
    ours = np.array([True, True, True, False, False, False])
    assert times_fewer(ours, scores, same).value == 2.0  # one of cosine's against half a pair
    lines = curve(scores, same)
    assert list(lines.true) == sorted(lines.true)


def test_semhash_groups_given_vectors() -> None:
    assert semhash_version()
    vectors = np.array([[1, 0], [0.999, 0.04], [0, 1], [1, 0]], dtype=np.float32)
    groups = SemHashGroups(("a", "b", "c", "a"), vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    assert groups.homes(0.9).tolist() == [0, 0, 2, 0]
    assert [homes.tolist() for homes in groups.all_homes([0.9, 0.9999])] == [[0, 0, 2, 0], [0, 1, 2, 0]]


def test_a_corpus_is_always_the_same_and_knows_its_repetitions(tmp_path: Path) -> None:
    rows = [
        {"text": f"Guide {number} says that the pump is kept for {number} days, and that the lid may be red."} for number in range(2, 120)
    ]
    write(tmp_path / "train/plain_one/data.jsonl", *rows)
    found = corpus(tmp_path, 100)
    assert found == corpus(tmp_path, 100)
    assert found is not None
    assert len(found.texts) == 100
    counts = {form: sum(kind == form for _, _, kind in found.twins) for form, _ in SHARES}
    assert counts == {"copy": 6, "layout": 4, "format": 2, "changed": 4}
    assert all(found.texts[a] == found.texts[b] for a, b, kind in found.twins if kind == "copy")
    assert all(found.texts[a] != found.texts[b] for a, b, kind in found.twins if kind != "copy")
    assert corpus(tmp_path, 1000) is None


def test_without_sets_it_says_what_to_give(tmp_path: Path) -> None:
    for data in (None, tmp_path):
        with pytest.raises(InputError, match="--data"):
            dedup_bench(Models(), data, None, RunContext())


def _name(number: int) -> str:
    """A word of its own for each number."""
    return "".join(("ba", "ke", "li", "mo", "nu", "pra", "ste", "tro", "vi", "zu")[int(digit)] for digit in str(number * 7919))


@pytest.mark.models
def test_the_suite_measures_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paws(tmp_path / "paws_wiki/dev.jsonl")
    write(tmp_path / "ramdocs/dev.jsonl", {"documents": [{"text": TEXT}]})
    rows = [
        {"text": f"Guide {number} says that the pump is kept for {number} days, and that the lid may be red."} for number in range(2, 900)
    ]
    write(tmp_path / "train/plain_one/data.jsonl", *rows)
    monkeypatch.setattr(dedup_bench_speed, "_ROUNDS", 1)
    table = dedup_bench(Models(), tmp_path, 50, RunContext())
    figures = {row.name: row.figure for row in table.rows}
    assert figures[f"{PAWS}: false merges"].value == 0.0
    assert figures[f"{PAWS}: true merges"].value == 1.0
    assert figures[f"{CRAWLS}: true merges, spaces"].value == 1.0
    assert figures[f"{ALL}: false merges"].n == 2
    assert figures["1,000 texts: false merges, one fact changed"].value == 0.0
    assert figures["1,000 texts: wall time / semhash's"] > 0
    assert any("pawsx_zh: not measured" in name for name in figures)
    assert not any(name.startswith(f"{PAWS}: not measured") for name in figures)
    assert {chart.title.split(":")[0] for chart in table.charts} == {PAWS, ALL, "De-duplication"}
