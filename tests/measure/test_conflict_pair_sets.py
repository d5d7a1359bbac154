from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from guard_desk.measure.conflict_pair_sets import conflictqa_pairs, reworded, wikicontradict_pairs
from guard_desk.measure.conflict_pairs import denials_differ, values_differ
from guard_desk.text.answers import same_values
from guard_desk.text.values import find_values

from . import conflict_data


def test_wikicontradict_pairs(tmp_path: Path) -> None:
    conflict_data.wikicontradict(tmp_path)
    pairs = list(wikicontradict_pairs(tmp_path))
    assert Counter(pair.kind for pair in pairs) == {
        "explicit": 1,
        "implicit": 1,
        "explicit, in one passage": 1,
        "the same in other words": 4,
        "another article": 4,
    }
    assert all(pair.conflict == (pair.kind.split(",")[0] in ("explicit", "implicit")) for pair in pairs)
    for pair in pairs:
        if pair.kind == "the same in other words":
            assert pair.left != pair.right
            assert same_values(find_values(pair.left), find_values(pair.right))
        if pair.kind == "another article":
            assert ("Harwick" in pair.left) != ("Harwick" in pair.right) or ("Orrest" in pair.left) != ("Orrest" in pair.right)
    assert pairs == list(wikicontradict_pairs(tmp_path))


def test_conflictqa_pairs(tmp_path: Path) -> None:
    conflict_data.conflictqa(tmp_path)
    pairs = list(conflictqa_pairs(tmp_path))
    assert Counter((pair.cluster, pair.kind) for pair in pairs) == {
        ("0", "opposite sides"): 2,
        ("0", "the same side"): 2,
        ("1", "opposite sides"): 1,
        ("1", "the same side"): 1,
    }
    assert all((" not " in pair.left) != (" not " in pair.right) for pair in pairs if pair.conflict)
    assert all((" not " in pair.left) == (" not " in pair.right) for pair in pairs if not pair.conflict)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("It is often wet, due to rain.", "It is frequently wet, because of rain."),
        ("He did not come.", "He didn't come."),
        ("Softening nearby.", "Here is what is known. Softening nearby."),
    ],
)
def test_reworded(text: str, other: str) -> None:
    assert reworded(text) == other


def test_rules_of_thumb() -> None:
    assert denials_differ("It is open.", "It is not open.")
    assert not denials_differ("It isn't open.", "It is not open.")
    assert values_differ("It is 7 km long.", "It is 9 km long.")
    assert not values_differ("It is 7 km long.", "It is 7,000 m long.")
    assert not values_differ("It is long.", "It is 9 km long.")
