from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.formats import load_corpus
from guard_desk.formats.json_stream import json_values
from guard_desk.records.corpus import Format

Make = Callable[[str, bytes | str], Path]


def test_unknown_keys_and_metadata_become_pairs(make: Make) -> None:
    line = (
        '{"id":"a","text":"x","version":2,"scope":"","owner":"ops","n":1.5,"bad":NaN,'
        '"nested":{"k":[1]},"metadata":{"p":true,"q":null,"r":" "}}'
    )
    passage = load_corpus(make("a.jsonl", line)).corpus.passages[0]
    assert passage.version == "2"
    assert passage.scope is None
    assert passage.metadata == (("p", "true"), ("owner", "ops"), ("n", "1.5"), ("nested", '{"k": [1]}'))


def test_synonyms_fill_fields_only_where_the_own_name_is_missing(make: Make) -> None:
    data = '{"_id":"a","content":"x","url":"http://a"}\n{"id":"b","text":"y","source":"s","url":"http://b"}\n'
    first, second = load_corpus(make("a.jsonl", data)).corpus.passages
    assert (first.id, first.text, first.source) == ("a", "x", "http://a")
    assert (second.source, second.metadata) == ("s", (("url", "http://b"),))


def test_ids_stand_on_one_line_and_stay_unique(make: Make) -> None:
    data = '{"id":"a\\nb","text":"x"}\n{"id":" a b ","text":"y"}\n{"text":"z"}\n{"id":["q"],"text":"w"}\n{"id":"a b#2","text":"v"}\n'
    result = load_corpus(make("a.jsonl", data))
    assert [passage.id for passage in result.corpus.passages] == ["a b", "a b#2", "line-3", "line-4", "a b#2#2"]
    assert [(item.line, item.renamed) for item in result.renamed] == [(1, "a b"), (2, "a b#2"), (5, "a b#2#2")]


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("array.jsonl", '[{"id":"a","text":"x"},\n{"id":"b","text":"y"}]', Format.JSON_PASSAGES),
        ("pretty.jsonl", '{\n "id":"a","text":"x"\n}\n{\n "id":"b","text":"y"\n}\n', Format.JSON_PASSAGES),
        ("lines.json", '{"id":"a","text":"x"}\n{"id":"b","text":"y"}\n', Format.JSONL_PASSAGES),
        ("none", '{"id":"a","text":"x"}\n{"id":"b","text":"y"}', Format.JSONL_PASSAGES),
        ("mac.jsonl", '{"id":"a","text":"x"}\r{"id":"b","text":"y"}\r', Format.JSONL_PASSAGES),
    ],
)
def test_the_content_decides_more_than_the_ending(make: Make, name: str, data: str, expected: Format) -> None:
    result = load_corpus(make(name, data))
    assert result.format is expected
    assert [passage.id for passage in result.corpus.passages] == ["a", "b"]
    assert not result.skipped


@pytest.mark.parametrize(
    "bad",
    ['{"id":"x","text":bad}', '{"id":"x","m":[1,2,}', '{"id":"x","text":"never closed}', '{"id" "x"}', '{"id":"x","text":"raw \x01"}'],
)
def test_a_bad_record_of_an_array_never_loses_the_others(make: Make, bad: str) -> None:
    good = '{"id":"%s","text":"t"}'
    result = load_corpus(make("a.json", f"[{good % 'a'}, {bad}, {good % 'b'}, {good % 'c'}]"))
    assert [passage.id for passage in result.corpus.passages] == ["a", "b", "c"]
    assert [(item.line, "JSON" in item.reason) for item in result.skipped] == [(2, True)]


@pytest.mark.parametrize("data", ['}{"id":"a","text":"x"}', ']]{"id":"a","text":"x"}', '[}{"id":"a","text":"x"}]'])
def test_a_stray_bracket_is_passed_by(make: Make, data: str) -> None:
    result = load_corpus(make("a.json", data))
    assert [passage.id for passage in result.corpus.passages] == ["a"]
    assert result.skipped[0].line == 1


def test_text_behind_an_array_is_told(make: Make) -> None:
    result = load_corpus(make("a.json", '[{"id":"a","text":"x"}] more'))
    assert [item.line for item in result.skipped] == [None]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@settings(deadline=None)
@given(st.lists(VALUES, max_size=6), st.integers(1, 9), st.sampled_from([None, 1]))
def test_an_array_gives_the_same_values_however_it_is_cut_into_pieces(values: list[object], size: int, indent: int | None) -> None:
    written = json.dumps(values, indent=indent)
    pieces = (written[start : start + size] for start in range(0, len(written), size))
    assert [item.value for item in json_values(pieces)] == values


@settings(deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=6), st.integers(1, 200))
def test_a_cut_array_keeps_the_values_before_the_cut(values: list[object], cut: int) -> None:
    written = json.dumps(values)
    kept = written[: max(1, len(written) - cut)]
    items = list(json_values(iter([kept])))
    complete = [item.value for item in items if not item.problem]
    assert items[-1].number is None
    assert complete[: len(values)] == values[: len(complete)] or not isinstance(complete[-1], (dict, list, str))
