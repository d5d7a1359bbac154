from __future__ import annotations

import pytest

from guard_desk.measure.judge_speed import PAIRS, TOKENS, Taken, each, judge_speed, pools_of
from guard_desk.progress import RunContext
from guard_desk.records.state import Models


def words(text: str) -> int:
    return len(text.split())


def test_pairs_have_just_under_the_wanted_tokens_and_are_never_alike() -> None:
    pools = pools_of(words, 3)
    texts = [text for pool in pools for text in pool.texts]
    assert len(set(texts)) == len(texts) == 3 * PAIRS
    for pool in pools:
        asked = words(pool.questions[0].text)
        assert all(asked + words(text) + 3 == TOKENS for text in pool.texts)
        assert pool.tokens == TOKENS
    assert [pool.texts for pool in pools_of(words, 3)] == [pool.texts for pool in pools]


def test_long_words_leave_a_pair_short_not_long() -> None:
    pools = pools_of(lambda text: sum(2 + (len(word) > 5) * 5 for word in text.split()), 1)
    assert TOKENS - 7 <= pools[0].tokens <= TOKENS


def test_the_median_round_is_told_in_milliseconds_a_pair() -> None:
    assert each([Taken(9.0, 1.0), Taken(0.064, 1.0), Taken(0.032, 1.0)]) == pytest.approx(1.0)


@pytest.mark.models
def test_the_suite_names_the_judge_its_peer_and_its_legs() -> None:
    table = judge_speed(Models(judge="features"), 1, RunContext())
    names = [row.name.strip() for row in table.rows]
    assert names[0] == "four answers, judge features"
    assert "plain cross-encoder of the same base" in names
    assert "leg: rules and scanner (judge features)" in names
    assert all(row.figure > 0 for row in table.rows)
    assert "2 threads" in table.rows[0].note or "1 threads" in table.rows[0].note
