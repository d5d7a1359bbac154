"""The made-up worlds: the same on every machine, each question in a world of its own, gold beyond doubt by construction."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from functools import cache

import pytest

from guard_desk.measure.worlds import PaperCase, digest, paper_cases
from guard_desk.measure.worlds.data import question_types, worlds
from guard_desk.measure.worlds.documents import HIGH, LOW, MIDDLE
from guard_desk.measure.worlds.draw import Draw
from guard_desk.measure.worlds.kinds import KINDS
from guard_desk.measure.worlds.values import contains, tokens
from guard_desk.text.tags import TaggedLine, parse_tagged_line

# The questions are frozen: figures of different versions of Guard Desk can only be compared on the same ones.
FROZEN = "d1a10dc60181c6c2b4b3b5b1c17661ce456de711bb719f79cc5ed57bd24a72eb"


@cache
def cases() -> tuple[PaperCase, ...]:
    return paper_cases()


def lines(case: PaperCase, *roles: str) -> list[TaggedLine]:
    return [parse_tagged_line(line) for line, role in zip(case.lines, case.roles, strict=True) if not roles or role in roles]


def of_kind(*kinds: str) -> list[PaperCase]:
    return [case for case in cases() if case.kind in kinds]


def states(line: TaggedLine, spellings: tuple[str, ...]) -> bool:
    return any(contains(tokens(line.text), tokens(spelling)) for spelling in spellings)


def test_the_questions_are_frozen():
    assert digest(cases()) == FROZEN


def test_another_process_with_another_order_of_hashes_makes_the_same_questions():
    code = "from guard_desk.measure.worlds import digest, paper_cases; print(digest(paper_cases(14)))"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7", "PYTHONPATH": "."}
    )
    assert found.stdout.strip() == digest(cases()[:14])


def test_another_seed_makes_other_questions():
    assert not {case.question for case in paper_cases(14, seed=1)} & {case.question for case in cases()}


def test_three_hundred_questions_spread_over_seven_kinds_and_all_types():
    assert Counter(case.kind for case in cases()).most_common() == [(kind, 42 if kind == "mixed_hard" else 43) for kind in KINDS]
    assert len({case.type for case in cases()}) == len(question_types()) == 24
    assert len({case.id for case in cases()}) == 300


def test_every_type_has_enough_wordings():
    for kind in question_types():
        assert min(len(set(kind.ask)), len(kind.row)) >= 2
        assert len(set(kind.say)) >= 5
        assert min(len(set(kind.deny)), len(set(kind.near))) >= 4
        assert all("{s}" in wording and "{v}" in wording for wording in (*kind.say, *kind.row, *kind.now))


def test_no_two_questions_share_a_document_or_a_name():
    domains = [line.doc.split("/")[0] for case in cases() for line in lines(case)]
    assert len(set(domains)) == len(domains)
    owners: dict[str, set[str]] = {}
    for case in cases():
        for word in set(re.findall(r"[A-Z]\w+", " ".join((case.question, *(line.text for line in lines(case)))))):
            owners.setdefault(word, set()).add(case.id)
    common = re.findall(r"[A-Z]\w+", repr(worlds()) + repr(question_types()))
    shared = {word for word, ids in owners.items() if len(ids) > 1} - set(common)
    assert all(len(word) <= 2 for word in shared)  # initials and letters of postal codes


def test_every_line_carries_three_tags():
    for case in cases():
        for line in lines(case):
            assert line.source in HIGH + MIDDLE + LOW
            assert line.doc
            assert re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])", line.date)
            assert "2012-01" <= line.date <= "2026-10"
            assert not re.search(r"[{}]", line.text)


def test_gold_lines_and_only_they_state_the_gold_value():
    for case in cases():
        stating = tuple(at for at, line in enumerate(lines(case)) if states(line, case.accept))
        assert stating == case.gold_lines, case.id
        assert stating


def test_rivals_are_stated_or_denied_and_never_by_an_aside():
    for case in cases():
        for rival in case.rivals:
            assert any(states(line, rival) for line in lines(case, "rival")), case.id
            assert not any(states(line, rival) for line in lines(case, "other")), case.id


def test_no_spelling_of_the_gold_value_could_be_taken_for_another_value():
    for case in cases():
        for other in (*case.rivals, *case.decoys):
            assert not any(contains(tokens(a), tokens(b)) or contains(tokens(b), tokens(a)) for a in case.accept for b in other), case.id


def test_the_rule_of_truth_a_reliable_source_states_the_gold_value():
    for case in cases():
        assert any(line.source in HIGH + MIDDLE for line in lines(case, "gold")), case.id


def test_the_rule_of_truth_no_reliable_rival_is_as_new_as_the_newest_honest_line():
    for case in cases():
        newest = max(line.date for line in lines(case, "gold") if line.source in HIGH + MIDDLE)
        assert all(line.date < newest for line in lines(case, "rival") if line.source in HIGH + MIDDLE), case.id


def test_duplicate_attack_repeats_from_distinct_documents_in_changing_words():
    for case in of_kind("duplicate_attack"):
        repeats = lines(case, "rival")
        assert 3 <= len(repeats) <= 8
        assert len({line.doc for line in repeats}) == len(repeats)
        assert len({line.text for line in repeats}) > 1
        assert 1 <= len(case.gold_lines) <= 2


def test_a_third_of_the_attacks_borrows_a_tag_and_its_address_gives_it_away():
    borrowed = [case for case in of_kind("duplicate_attack") if any(line.source in HIGH for line in lines(case, "rival"))]
    assert len(borrowed) == 15
    low = [pattern.format(x="").split("/")[0] for kind in LOW for pattern in worlds()["domain"][kind]]
    for case in borrowed:
        worn = [line for line in lines(case, "rival") if line.source in HIGH]
        assert 1 <= len(worn) <= 3
        assert len(worn) <= len(lines(case, "rival")) // 2
        assert all(line.doc.split("/")[0].endswith(tuple(low)) for line in worn)
        assert len(case.gold_lines) == 2


def test_small_changes_leave_names_and_values_alone():
    for case in of_kind("duplicate_attack", "mixed_hard"):
        for line in lines(case, "rival"):
            assert any(states(line, rival) for rival in case.rivals), (case.id, line.text)


def test_negations_deny_a_stated_rival():
    for case in of_kind("negations"):
        assert any(line.source in HIGH for line in lines(case, "denial")), case.id
        assert all(states(line, case.rivals[0]) for line in lines(case, "denial"))


def test_recency_shifts_span_years_and_hold_old_official_lines():
    for case in of_kind("dated_recency_shift"):
        old, new = lines(case, "rival"), lines(case, "gold")
        assert max(int(line.date[:4]) for line in old) + 6 <= min(int(line.date[:4]) for line in new)
        assert any(line.source in HIGH for line in old)


def test_paraphrases_write_the_value_in_several_ways_where_it_has_some():
    several = [case for case in of_kind("paraphrases") if case.type in ("retention", "warranty", "fee", "founded", "expires", "lease")]
    assert len(several) >= 8
    for case in several:
        written = {spelling for line in lines(case, "gold") for spelling in case.accept if spelling in line.text}
        assert len(written) >= 2, case.id


def test_long_kinds_are_long():
    assert all(13 <= len(case.lines) <= 19 for case in of_kind("noisy_long"))
    assert all(2 <= len(case.lines) <= 4 for case in of_kind("clean_short"))
    assert 9 < sum(len(case.lines) for case in cases()) / 300 < 12


@pytest.mark.parametrize("seed", [0, 5])
def test_draws_stay_in_their_range(seed):
    draw = Draw(seed)
    assert {draw.between(2, 4) for _ in range(200)} == {2, 3, 4}
    assert sorted(draw.shuffled(range(9))) == list(range(9))
    assert sorted(draw.some("ab", 4)) == ["a", "a", "b", "b"]
    assert draw.one(["x"]) == "x"
