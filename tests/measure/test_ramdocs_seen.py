"""Where answers are lost, on thinnings written by hand."""

from __future__ import annotations

import pytest

from guard_desk.measure import ramdocs_figures as figures
from guard_desk.measure.ramdocs_seen import Alarm, Cause, Miss, Seen, alarmed, lost_at, near, not_shown, of_thinned
from guard_desk.measure.ramdocs_sets import Case, Document, distinct
from guard_desk.records.decision import Candidate, Drop, LineScore, Stance, Thinned


def case(*documents: tuple[str, str], gold: tuple[str, ...] = ("1704",)) -> Case:
    made = tuple(Document(id=f"D{i}", text=f"text {i}", type=kind, answer=answer) for i, (kind, answer) in enumerate(documents))
    return Case(id="0", question="When?", documents=made, gold=gold, answers=distinct([d.answer for d in made if d.type != "noise"]))


def candidate(value: str, *ids: str, score: float = 1.0, stance: Stance = Stance.STATES) -> Candidate:
    lines = tuple(
        LineScore(passage_id=i, stance=stance, span=None, reliability=0.3, recency=0.5, contribution=0.15, voice=n)
        for n, i in enumerate(ids)
    )
    return Candidate(value=value, canonical=value, score=score, lines=lines)


def thinned(*candidates: Candidate, leader: str | None = None, drops: tuple[str, ...] = (), conflict: bool = False) -> Thinned:
    dropped = tuple(Drop(passage_id=i, stage="thin", rule="support", detail="") for i in drops)
    support = tuple(sorted({line.passage_id for c in candidates for line in c.lines} - set(drops)))
    return Thinned(candidates=candidates, leader=leader, contested=False, conflict=conflict, support=support, dropped=dropped)


TWO = case(("correct", "1704"), ("misinfo", "1811"), ("noise", "unknown"))


def seen(*candidates: Candidate, **more: object) -> Seen:
    return of_thinned(TWO, thinned(*candidates, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("item", "cause"),
    [
        (seen(drops=("D0",)), Cause.NOT_UNDERSTOOD),
        (seen(candidate("1811", "D1"), leader="1811", drops=("D0",)), Cause.NO_CANDIDATE),
        (seen(candidate("1811", "D1"), candidate("a baker", "D0"), leader="1811", drops=("D0",)), Cause.OTHER_SPAN),
        (seen(candidate("1811", "D1", "D0"), leader="1811", drops=("D0",)), Cause.MERGED),
        (seen(candidate("1704", "D0", stance=Stance.NEGATES), candidate("1811", "D1"), leader="1811", drops=("D0",)), Cause.DENIED),
        (seen(candidate("1811", "D1"), candidate("1704", "D0"), leader="1811", drops=("D0",)), Cause.NOT_LEADING),
        (seen(candidate("1704", "D0", "D2"), leader="1704", drops=("D0",)), Cause.CAPPED),
    ],
)
def test_cause_of_a_lost_answer(item: Seen, cause: Cause) -> None:
    assert not item.is_kept("1704")
    assert lost_at(item, "1704") is cause


def test_excluded_documents_are_lost_before_thinning() -> None:
    item = Seen(case=TWO, thinned=thinned(), kept=frozenset({"D1"}), gone=(("D0", "excluded:evidence"), ("D2", "over_k")))
    assert lost_at(item, "1704") is Cause.ROUTED
    over = Seen(case=TWO, thinned=thinned(), kept=frozenset({"D1"}), gone=(("D0", "over_k"),))
    assert lost_at(over, "1704") is Cause.OTHER


@pytest.mark.parametrize(
    ("item", "miss"),
    [
        (seen(), Miss.NOT_UNDERSTOOD),
        (seen(candidate("a baker", "D0")), Miss.NONE_READ),
        (seen(candidate("1704", "D0")), Miss.ONE_READ),
        (seen(candidate("1704", "D0", "D1")), Miss.MERGED),
        (seen(candidate("1704", "D0"), candidate("1811", "D1")), Miss.NO_CLASH),
    ],
)
def test_cause_of_a_conflict_that_is_not_shown(item: Seen, miss: Miss) -> None:
    assert not_shown(item) is miss


AGREE = case(("correct", "1704"), ("correct", "1704"), ("noise", "unknown"))


@pytest.mark.parametrize(
    ("candidates", "alarm"),
    [
        ((candidate("1704", "D0"), candidate("1990", "D2")), Alarm.NOISE),
        ((candidate("1704", "D0"), candidate("1990", "D1")), Alarm.OWN),
        ((candidate("1704", "D0"), candidate("in the year 1704", "D1")), Alarm.WORDS),
        ((candidate("1704", "D0"), candidate("1704", "D1", stance=Stance.NEGATES)), Alarm.DENIED),
    ],
)
def test_cause_of_a_false_alarm(candidates: tuple[Candidate, ...], alarm: Alarm) -> None:
    assert alarmed(of_thinned(AGREE, thinned(*candidates, conflict=True))) is alarm


def test_near() -> None:
    assert near("Boston", "Boston, Massachusetts")
    assert near("7,000 metres", "7 km")
    assert not near("Boston", "Austin")


def test_figures_count_what_their_names_say() -> None:
    kept = [(TWO, frozenset({"D0", "D2"})), (AGREE, frozenset({"D1"})), (case(("noise", "unknown")), frozenset())]
    assert figures.gold_kept(kept).value == 1
    assert figures.gold_kept(kept).n == 2  # the third has no right document
    assert figures.type_kept(kept, "correct").value == pytest.approx(2 / 3)
    assert figures.noise_dropped(kept).value == pytest.approx(2 / 3)
    lost = [(TWO, frozenset({"D1"}))]
    assert figures.gold_kept(lost).value == 0


def test_conflict_rows_part_differing_from_agreeing_questions() -> None:
    items = [
        seen(candidate("1704", "D0"), candidate("1811", "D1"), conflict=True),
        seen(candidate("1811", "D1"), conflict=True),
        seen(candidate("1811", "D1")),
        of_thinned(AGREE, thinned(candidate("1704", "D0"), conflict=True)),
        of_thinned(AGREE, thinned()),
    ]
    shown, named, alarms = (row.figure for row in figures.conflict_rows(items, "support"))
    assert (shown.value, shown.n) == (pytest.approx(2 / 3), 3)
    assert named.value == pytest.approx(1 / 3)
    assert (alarms.value, alarms.n) == (0.5, 2)


def test_leader_is_wrong_when_there_is_none() -> None:
    items = [seen(candidate("1704", "D0"), leader="1704"), seen(candidate("1704", "D0"), candidate("1811", "D1", score=2.0))]
    rows = {row.name.partition(": ")[2]: row.figure for row in figures.reading_rows(items, "support")}
    assert rows["leader, exact match"].value == 0.5
    assert rows["no leader"].value == 0.5
    assert rows["first candidate, exact match"].value == 0.5
    assert rows["wrong value first"].value == 0.5
