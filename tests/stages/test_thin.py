"""Thinning: the acceptance cases, and laws that hold for any evidence."""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.policy import Policy, Reliability, ThinMode, ThinPolicy, Thresholds
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.decision import ROUTES, RULES, Group, Route, Routed, Rule, Stance, Thinned
from guard_desk.records.evidence import Extracted
from guard_desk.stages.thin import build_thin_prompt, thin, thin_lines
from guard_desk.text.analyze import analyze_text
from guard_desk.text.tags import parse_tagged_line
from tests import builders

TODAY = "2026-11-30"
DATA = Path(__file__).parent.parent / "data"
SUPPORT = ThinPolicy(mode=ThinMode.SUPPORT)


def passage(number: int, line: str) -> Passage:
    parsed = parse_tagged_line(line)
    return Passage(id=f"L{number}", text=parsed.text, source=parsed.doc, source_type=parsed.source, date=parsed.date)


def run(question: str, lines: Sequence[str], policy: ThinPolicy = SUPPORT, today: str = TODAY) -> Thinned:
    return thin_lines(Query(text=question), [passage(i, line) for i, line in enumerate(lines)], policy, today=today)


def normal(text: str) -> str:
    return re.sub(r"[\s\"“”.]+", " ", unicodedata.normalize("NFKC", text).casefold()).strip()


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_bytes().split(b"\n") if line.strip()]


def marks(case: dict[str, Any]) -> tuple[bool, bool, bool]:
    """Whether leader, conflict flag and support are right."""
    result = run(case["question"], case["lines"])
    wanted = {normal(value) for value in (case["gold"], *case.get("accept", [])) if value is not None}
    leader = normal(result.leader) in wanted if result.leader is not None else not wanted
    kept = {int(i[1:]) for i in result.support}
    either = not case.get("support_any") or bool(kept & set(case["support_any"]))
    return leader, result.conflict == case["conflict"], kept >= set(case["must_support"]) and either


@pytest.mark.parametrize(
    ("name", "floor"),
    [
        ("thinning_dev.jsonl", 0.98),
        ("thinning_more.jsonl", 0.97),
        ("thinning_second.jsonl", 0.97),
        ("thinning_kinds.jsonl", 0.98),
        ("thinning_third.jsonl", 0.9),
        ("thinning_fourth.jsonl", 0.84),
        ("thinning_fifth.jsonl", 0.97),
        ("thinning_sixth.jsonl", 0.95),
    ],
)
def test_acceptance_cases(name: str, floor: float) -> None:
    rows = [marks(case) for case in cases(name)]
    shares = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    assert min(shares) >= floor, shares
    assert sum(all(row) for row in rows) / len(rows) >= floor - 0.01


CAPITAL = "What is the capital of Vellania?"
OFFICIAL = "[source=official][doc=gov.example/a][date=2026-04] The capital of Vellania is Torvik."
NEWS = "[source=news][doc=daily.example/b][date=2026-03] Torvik is the capital of Vellania, but Harrowmouth is larger."
BLOG = "[source=blog][doc=blog.example/c][date=2026-08] The capital of Vellania is Harrowmouth."
DENIAL = "[source=report][doc=atlas.example/d][date=2026-02] Harrowmouth is not the capital of Vellania."
OTHER = "[source=news][doc=other.example/e][date=2026-02] The capital of Pelluria is Sandeval."
POOL = (OFFICIAL, NEWS, BLOG, DENIAL, OTHER)


def test_leader_conflict_and_support() -> None:
    result = run(CAPITAL, POOL)
    assert result.leader == "Torvik"
    assert result.conflict
    assert not result.contested
    assert result.support == ("L0", "L1")
    assert [candidate.value for candidate in result.candidates] == ["Torvik", "Harrowmouth"]


def test_denial_is_shown_and_counts_against() -> None:
    harrowmouth = run(CAPITAL, POOL).candidates[1]
    denied = [line for line in harrowmouth.lines if line.stance is Stance.NEGATES]
    assert [line.passage_id for line in denied] == ["L3"]
    assert denied[0].contribution < 0
    assert harrowmouth.score == 0.0


def test_scores_are_the_sum_of_their_lines() -> None:
    for candidate in run(CAPITAL, POOL).candidates:
        assert candidate.score == pytest.approx(max(0.0, sum(line.contribution for line in candidate.lines)))


def test_spans_point_at_the_value() -> None:
    result = run(CAPITAL, POOL)
    texts = {f"L{i}": passage(i, line).text for i, line in enumerate(POOL)}
    for line in result.candidates[0].lines:
        assert line.span is not None
        assert line.span.of(texts[line.passage_id]) == "Torvik"


def test_copies_under_new_names_are_one_voice() -> None:
    fillers = ("{}", "{}!", "Reminder: {}", "I think {}", "{} folks", "{}, trust me", "So {}")
    copies = [
        f"[source=forum][doc=copy{i}.example/x][date=2026-09] {form.format('the capital of Vellania is Harrowmouth')}"
        for i, form in enumerate(fillers)
    ]
    rival = run(CAPITAL, [OFFICIAL, *copies]).candidates[1]
    counting = [line for line in rival.lines if line.contribution > 0]
    assert len(counting) == 1
    assert {line.capped for line in rival.lines} == {"", "voice"}
    assert rival.score <= 0.3


def test_a_borrowed_tag_lifts_no_voice() -> None:
    copies = [f"[source=blog][doc=copy{i}.example/x][date=2026-08] The capital of Vellania is Harrowmouth." for i in range(5)]
    fake = "[source=official][doc=fake.example/x][date=2026-09] The capital of Vellania is Harrowmouth."
    result = run(CAPITAL, [OFFICIAL, *copies, fake])
    assert result.leader == "Torvik"
    assert result.candidates[1].score <= 0.4
    assert any("not borne out" in line.note for line in result.candidates[1].lines)


def test_a_tag_that_a_third_of_the_copies_wear_lifts_nothing() -> None:
    tags = ("official", "blog", "social")
    copies = [f"[source={tag}][doc=copy{tag}.example/x][date=2026-09] The capital of Vellania is Harrowmouth." for tag in tags]
    honest = "[source=report][doc=atlas.example/x][date=2026-04] The summit met in Torvik, the capital of Vellania."
    result = run(CAPITAL, [*copies, honest])
    assert result.leader == "Torvik"
    assert result.candidates[1].score <= 0.4


def test_weights_of_undated_and_hedged_lines_are_knobs() -> None:
    undated = ["[source=official][doc=a.example] I think the capital of Vellania is Torvik."]
    dated = ["[source=official][doc=b.example][date=2026-11] The capital of Vellania is Brask."]
    policy = replace(SUPPORT, undated_recency=0.9, hedged_strength=0.5)
    assert {c.value: round(c.score, 2) for c in run(CAPITAL, undated + dated, policy).candidates} == {"Brask": 1.0, "Torvik": 0.45}


def test_a_domain_counts_only_so_often() -> None:
    lines = [
        "[source=report][doc=site.example/a][date=2026-11] The capital of Vellania is Torvik.",
        "[source=report][doc=site.example/b][date=2026-11] The summit met in Torvik, the capital of Vellania, in great heat.",
        "[source=report][doc=site.example/c][date=2026-11] Torvik became the capital of Vellania after a long civil war.",
    ]
    scores = [run(CAPITAL, lines, replace(SUPPORT, cap_per_domain=cap)).candidates[0].score for cap in (1, 2, 3)]
    assert [round(score, 1) for score in scores] == [0.8, 1.6, 2.4]


def test_each_part_of_a_question_has_its_own_candidates() -> None:
    lines = [
        "[source=news][doc=a.example][date=2026-05] The Alder bridge was built in 1931.",
        "[source=report][doc=b.example][date=2026-05] The county of Osmark paid for the Alder bridge.",
        "[source=blog][doc=c.example][date=2026-05] The Alder bridge was built in 1913.",
    ]
    question = "When was the Alder bridge built, and who paid for it?"
    result = run(question, lines)
    assert [part.leader for part in result.parts] == ["1931", "Osmark"]
    assert result.leader == "1931; Osmark"
    assert [part.span.of(question) for part in result.parts] == ["When was the Alder bridge built", "who paid for it"]
    assert [candidate.value for candidate in result.of_part(0)] == ["1931", "1913"]
    assert [part.conflict for part in result.parts] == [True, False]
    assert result.support[:2] == ("L0", "L1")
    half = run(question, lines[:1])
    assert half.leader is None
    assert [part.leader for part in half.parts] == ["1931", None]


def test_a_question_that_no_line_answers_has_no_candidates() -> None:
    result = run("When was the Alder bridge built?", ["The Alder bridge is painted green every spring."])
    assert (result.candidates, result.leader, result.support) == ((), None, ())
    assert len(result.parts) == 1


def test_a_source_that_others_copy_keeps_half_of_its_lead() -> None:
    copies = [f"[source=forum][doc=copy{i}.example/x][date=2026-08] The capital of Vellania is Torvik." for i in range(5)]
    assert 0.55 < run(CAPITAL, [OFFICIAL, *copies]).candidates[0].score < 0.7


def test_lines_of_one_document_count_once() -> None:
    lines = [
        "[source=blog][doc=a.example/x][date=2026-08] The capital of Vellania is Torvik.",
        "[source=blog][doc=a.example/x][date=2026-08] Vellania chose Torvik as its capital.",
    ]
    (candidate,) = run(CAPITAL, lines).candidates
    assert sorted(line.capped for line in candidate.lines) == ["", "source"]
    (candidate,) = run(CAPITAL, lines, replace(SUPPORT, cap_per_source=2)).candidates
    assert [line.capped for line in candidate.lines] == ["", ""]


def test_odd_tags_are_noted() -> None:
    lines = [
        "[source=oracle][doc=a.example][date=2031-01] The capital of Vellania is Torvik.",
        "[doc=b.example][date=2026-13] Torvik has been the capital of Vellania for a century.",
        "[source=news][doc=c.example] Torvik remains capital of Vellania, a poll of mayors found.",
    ]
    notes = {line.passage_id: (line.note, line.recency) for line in run(CAPITAL, lines).candidates[0].lines}
    assert notes["L0"][0].startswith("unknown source kind, future date")
    assert "malformed date" in notes["L1"][0]
    assert "undated" in notes["L2"][0]
    assert {recency for _, recency in notes.values()} == {0.5}


def test_as_of_is_the_newest_date_not_after_the_run_date() -> None:
    assert run(CAPITAL, POOL).as_of == "2026-08-31"
    assert run(CAPITAL, POOL, today="2026-08-10").as_of == "2026-08-10"
    assert run(CAPITAL, POOL, today="2026-07-10").as_of == "2026-04-30"
    assert run(CAPITAL, POOL, replace(SUPPORT, as_of="2020-05")).as_of == "2020-05-31"
    assert run(CAPITAL, ["The capital of Vellania is Torvik."]).as_of is None


def test_equal_sources_that_disagree_are_contested() -> None:
    rival = "[source=official][doc=city.example/a][date=2026-04] Vellania's capital is Harrowmouth."
    extra = "[source=blog][doc=blog.example/q][date=2026-04] Torvik, capital of Vellania, is cold."
    result = run(CAPITAL, [OFFICIAL, rival, extra])
    assert result.leader is None
    assert result.contested
    assert result.conflict
    assert set(result.support) >= {"L0", "L1"}
    assert set(result.rivals) == {"L0", "L1"}


def test_no_answer_has_no_candidate() -> None:
    result = run(
        "How deep is the harbour of Brekkevik?",
        ["The harbour of Brekkevik was dredged in 2025.", "The harbour of Harwick is 9 metres deep."],
    )
    nothing = Thinned(candidates=(), leader=None, contested=False, conflict=False, support=(), dropped=())
    assert replace(result, parts=()) == nothing
    assert [part.leader for part in result.parts] == [None]


@pytest.mark.parametrize("question", ["?", "？", "...?!", "\N{ROBOT FACE}\N{ROBOT FACE}", "the?"])
def test_a_question_that_asks_nothing_has_no_candidate(question: str) -> None:
    assert run(question, [*POOL, 'Mira Holt wrote "Slow roads" in 1987.']).candidates == ()


@pytest.mark.parametrize(
    ("question", "lines", "value"),
    [
        ("How long is the bridge?", ("The bridge is 340 m long.", "The bridge has a length of 340 metres."), "340 metres"),
        ("Who founded Ortava?", ("Ortava was founded by Mira Holt.", "Mira A. Holt founded Ortava in 1987."), "Mira A. Holt"),
        ("Who founded Ortava?", ("Ortava was founded by Mira Holt.", "Ortava was founded by MIRA HOLT."), "MIRA HOLT"),
    ],
)
def test_of_equal_lines_the_text_decides_how_the_value_is_written(question: str, lines: tuple[str, str], value: str) -> None:
    for pool in (lines, lines[::-1]):
        assert [candidate.value for candidate in run(question, pool).candidates] == [value]


def test_equal_values_in_other_formats_are_one_candidate() -> None:
    lines = ["The cooling-off period is 7 days.", "The cooling-off period is one week.", "The cooling-off period lasts 168 hours."]
    result = run("How long is the cooling-off period?", lines)
    assert len(result.candidates) == 1
    assert not result.conflict


def test_metadata_claims_are_candidates() -> None:
    pool = [
        Passage(id="a", text="Snapshots: see the table.", source="guide.md", claim_key="backup.retention", claim_value="35 days"),
        Passage(id="b", text="Backups are kept for five weeks.", source="notes.md"),
        Passage(id="c", text="Backups are kept for 90 days.", source="wiki.md"),
    ]
    result = thin_lines(Query(text="How long are backups kept?"), pool, SUPPORT, today=TODAY)
    by_value = {candidate.canonical: {line.passage_id for line in candidate.lines} for candidate in result.candidates}
    assert set(map(frozenset, by_value.values())) == {frozenset("ab"), frozenset("c")}


def test_several_values_of_a_plural_question_are_no_conflict() -> None:
    lines = ["Kestrel Cargo flies to Torvik.", "Kestrel Cargo flies to Brask and Ob."]
    assert not run("Which cities does Kestrel Cargo fly to?", lines).conflict


def routed(pool: Sequence[Passage], excluded: Sequence[str] = (), groups: Sequence[Sequence[str]] = ()) -> Routed:
    merged = groups or [[p.id] for p in pool]
    return Routed(
        passage_ids=tuple(p.id for p in pool),
        routes=np.array([ROUTES.index(Route.EXCLUDE if p.id in excluded else Route.INCLUDE) for p in pool], dtype=np.int8),
        rules=np.array([RULES.index(Rule.INJECTION if p.id in excluded else Rule.EVIDENCE) for p in pool], dtype=np.int8),
        values=np.full(len(pool), 0.9),
        limits=np.full(len(pool), 0.7),
        groups=tuple(Group(id=members[0], members=tuple(members), member_sources=("",) * len(members)) for members in merged),
        thresholds=Thresholds(),
    )


def staged(lines: Sequence[str], policy: ThinPolicy, **kinds: Any) -> Thinned:
    pool = [passage(i, line) for i, line in enumerate(lines)]
    extracted = Extracted(
        texts=tuple(analyze_text(p.text) for p in pool), titles=(None,) * len(pool), query=analyze_text(CAPITAL), analyzer=builders.MODEL
    )
    return thin(routed(pool, **kinds), builders.retrieved(pool, question=CAPITAL), extracted, policy, today=TODAY)


COPY = "[source=forum][doc=copy.example/c][date=2026-08] The capital of Vellania is Harrowmouth!"


def test_excluded_passages_state_nothing() -> None:
    assert staged(POOL, ThinPolicy(), excluded=["L2"]).leader == "Torvik"
    assert len(staged(POOL, ThinPolicy(), excluded=["L2"]).candidates) == 1


def test_modes() -> None:
    lines = (*POOL, COPY)
    assert staged(lines, ThinPolicy(mode=ThinMode.OFF)).dropped == ()
    assert [drop.passage_id for drop in staged(lines, ThinPolicy(mode=ThinMode.CAP)).dropped] == ["L1", "L5"]
    result = staged(lines, ThinPolicy(mode=ThinMode.SUPPORT))
    assert {drop.passage_id for drop in result.dropped} == {"L2", "L3", "L4", "L5"}
    assert {drop.passage_id: drop.rule for drop in result.dropped}["L5"] == "capped"


def test_a_merge_group_goes_only_as_a_whole() -> None:
    lines = (BLOG, COPY, OFFICIAL)
    assert [drop.passage_id for drop in staged(lines, ThinPolicy()).dropped] == ["L1"]
    assert staged(lines, ThinPolicy(), groups=[["L1", "L0"], ["L2"]]).dropped == ()


def test_most_support_lines() -> None:
    lines = [f"[source=news][doc=n{i}.example] {text}" for i, text in enumerate(WORDINGS)]
    assert len(run(CAPITAL, lines, replace(SUPPORT, max_support_lines=2)).support) == 2


class Counter:
    """Counts words."""

    encoding = "words"

    def count(self, text: str) -> int:
        return len(text.split())


def test_thin_prompt_holds_the_support_alone() -> None:
    pool = [passage(i, line) for i, line in enumerate(POOL)]
    made = build_thin_prompt(Query(text=CAPITAL), pool, run(CAPITAL, POOL), SUPPORT, Counter())
    prompt = made["prompt"]
    assert isinstance(prompt, str)
    assert made["candidate"] == "Torvik"
    assert made["support"] == ("L0", "L1")
    assert made["tokens"] == len(prompt.split())
    assert "[L0]" in prompt
    assert "Sandeval" not in prompt


WORDINGS = (
    "The capital of Vellania is Torvik.",
    "Torvik, capital of Vellania since 1820, hosts the summit.",
    "The capital of Vellania is Harrowmouth.",
    "Harrowmouth is not the capital of Vellania.",
    "Everyone knows that Brask is the capital of Vellania.",
    "The capital of Vellania moved from Brask to Torvik.",
    "Vellania has 4.1 million inhabitants.",
)
KINDS = ("official", "report", "news", "blog", "forum", "social", "oracle")
DATES = ("2026-05", "2026-05-20", "2019-01", "2031-01", "soon", "")
evidence = st.lists(
    st.builds(
        lambda text, kind, day, doc: f"[source={kind}][doc=d{doc}.example/p][date={day}] {text}",
        st.sampled_from(WORDINGS),
        st.sampled_from(KINDS),
        st.sampled_from(DATES),
        st.integers(0, 4),
    ),
    max_size=8,
)


def by_text(result: Thinned, lines: Sequence[str]) -> tuple[Any, ...]:
    """A result with passages named by their lines instead of their ids."""
    candidates = sorted((c.canonical, round(c.score, 9)) for c in result.candidates)
    return candidates, result.leader is None, result.contested, result.conflict, result.as_of


@settings(deadline=None, max_examples=60)
@given(evidence, st.randoms(use_true_random=False))
def test_order_does_not_matter(lines: list[str], chance: random.Random) -> None:
    shuffled = list(lines)
    chance.shuffle(shuffled)
    assert by_text(run(CAPITAL, lines), lines) == by_text(run(CAPITAL, shuffled), shuffled)


@settings(deadline=None, max_examples=60)
@given(evidence, st.integers(0, 7))
def test_an_exact_copy_changes_no_score(lines: list[str], which: int) -> None:
    if lines:
        copied = [*lines, lines[which % len(lines)]]
        assert by_text(run(CAPITAL, lines), lines)[0] == by_text(run(CAPITAL, copied), copied)[0]


@settings(deadline=None, max_examples=60)
@given(evidence, st.integers(0, 7), st.sampled_from(KINDS[:6]))
def test_a_copy_under_a_new_name_adds_at_most_one_line(lines: list[str], which: int, kind: str) -> None:
    if not lines:
        return
    text = parse_tagged_line(lines[which % len(lines)]).text
    copied = [*lines, f"[source={kind}][doc=new.example/p][date=2026-05] {text}"]
    before = {c.canonical: c.score for c in run(CAPITAL, lines).candidates}
    for candidate in run(CAPITAL, copied).candidates:
        assert candidate.score <= before.get(candidate.canonical, 0.0) + getattr(Reliability(), kind) + 1e-9


@settings(deadline=None, max_examples=60)
@given(evidence, st.floats(0.2, 1.0))
def test_a_more_reliable_kind_never_lowers_what_it_alone_states(lines: list[str], weight: float) -> None:
    stating = [line for line in lines if "not" not in line and "from" not in line]
    low = run(CAPITAL, stating, replace(SUPPORT, reliability=replace(Reliability(), social=0.2)))
    high = run(CAPITAL, stating, replace(SUPPORT, reliability=replace(Reliability(), social=weight)))
    scores = {c.canonical: c.score for c in low.candidates}
    assert all(c.score >= scores[c.canonical] - 1e-9 for c in high.candidates)


def test_a_capped_line_supports_nothing() -> None:
    tags = "[source=official][doc=d{}.example/p][date=2026-05]"
    lines = [
        f"{tags.format(0)} The capital of Vellania is Torvik.",
        f"{tags.format(1)} Torvik, capital of Vellania since 1820, hosts the summit.",
    ]
    result = staged(lines, ThinPolicy())
    assert ([drop.passage_id for drop in result.dropped], result.support) == (["L1"], ("L0",))


@settings(deadline=None, max_examples=60)
@given(evidence, st.sampled_from(list(ThinMode)))
def test_each_passage_is_kept_or_dropped_once(lines: list[str], mode: ThinMode) -> None:
    result = staged(lines, ThinPolicy(mode=mode))
    dropped = [drop.passage_id for drop in result.dropped]
    assert len(dropped) == len(set(dropped))
    assert not set(dropped) & set(result.support)
    assert set(dropped) | set(result.support) <= {f"L{i}" for i in range(len(lines))}


@settings(deadline=None, max_examples=80)
@given(st.text(max_size=60), st.lists(st.text(max_size=80), max_size=5))
def test_any_text_is_read(question: str, lines: list[str]) -> None:
    result = run(question, lines)
    assert all(candidate.score >= 0 for candidate in result.candidates)


def test_policy_defaults_are_the_contract() -> None:
    policy = Policy().thin
    assert (policy.mode, policy.half_life_days, policy.cap_per_source, policy.contested_margin) == (ThinMode.CAP, 730, 1, 0.1)
    assert (policy.negation_penalty, policy.max_support_lines, policy.as_of) == (1, 12, None)
