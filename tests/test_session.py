from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from guard_desk.errors import PolicyError, StoreError, TraceError
from guard_desk.formats import make_corpus
from guard_desk.formats.trace import dump_trace
from guard_desk.measure.portability import threshold_mark
from guard_desk.models.judges.wordings import shipped_wordings
from guard_desk.pipeline import run_path
from guard_desk.policy import Policy, Thresholds
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Labels, Passage, Query
from guard_desk.records.judging import Classifier, JudgeSettings, RemoteForm
from guard_desk.records.state import Models, QueryLabels, State
from guard_desk.records.trace import Trace
from guard_desk.session import Event, Session, dump_state, parse_state, restore
from guard_desk.store.sessions import SessionFile
from tests.fakes import WordCounter, fake_parts


@pytest.fixture
def trace() -> Trace:
    corpus = make_corpus([Passage(id="a", text="Backups are kept for 7 days."), Passage(id="b", text="The cafeteria opens at noon.")])
    return run_path(corpus, Query(text="How long are backups kept?"), Policy(), fake_parts(), RunContext(), answer="7 days.")


def test_undo_is_the_record_before() -> None:
    session = Session()
    seen: list[Event] = []
    session.observe(seen.append)
    change = session.knob_change("assemble.k", 3)
    session.apply(change)
    assert session.state.policy.assemble.k == 3
    session.revert(change)
    assert session.state == State()
    assert seen == [Event.STATE, Event.STATE]


def test_a_change_names_the_old_and_the_new_value(trace: Trace) -> None:
    session = Session()
    session.set_run(trace)
    assert session.knob_change("thresholds.evidence_min", 0.52).text == "evidence min .5 -> .52"
    assert session.knob_change("thin.half_life_days", 90).text == "half life days 730 -> 90"
    assert session.knob_change("thin.as_of", "2026-01-31").text == "as of none -> 2026-01-31"


def test_a_threshold_starts_from_the_judges_own(trace: Trace) -> None:
    session = Session()
    session.set_run(trace)
    assert session.effective("thresholds.relevant_min") == 0.2
    session.apply(session.knob_change("thresholds.evidence_min", 0.7))
    assert session.state.policy.thresholds == Thresholds(injection_max=0.6, contradicts_min=0.6, relevant_min=0.2, evidence_min=0.7)
    assert session.redecided(WordCounter()).prompt.count("evidence") <= trace.prompt.count("evidence")


def test_a_value_out_of_range_changes_nothing() -> None:
    session = Session()
    with pytest.raises(PolicyError):
        session.knob_change("assemble.k", 0)
    assert session.state == State()


def test_a_session_file_gives_back_the_state_and_the_last_run(tmp_path: Path, trace: Trace) -> None:
    session = Session(SessionFile(tmp_path / "s.gdsession"))
    labels = QueryLabels(question="How long?", labels=Labels(passage_id="a", relevant=True))
    session.apply(session.change("label", labels=(labels,), query=Query(text="How long? \ud83d"), models=Models(judge="features")))
    session.set_run(trace)
    session.apply(session.knob_change("assemble.k", 2))
    state, run = restore(SessionFile(tmp_path / "s.gdsession"))
    assert state == session.state
    assert dump_trace(run) == dump_trace(trace)


def test_saving_elsewhere_copies_everything(tmp_path: Path, trace: Trace) -> None:
    session = Session(SessionFile(tmp_path / "auto.gdsession"))
    session.set_run(trace)
    session.apply(session.knob_change("assemble.k", 2))
    session.save(tmp_path / "mine.gdsession")
    state, run = restore(SessionFile(tmp_path / "mine.gdsession"))
    assert state.policy.assemble.k == 2
    assert run is not None
    with pytest.raises(StoreError, match="cannot be saved"):
        session.save(tmp_path / "no" / "such.gdsession")


def test_a_broken_or_newer_file_is_refused_and_left_untouched(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gdsession"
    broken.write_bytes(b"this is no database" * 100)
    before = broken.read_bytes()
    with pytest.raises(TraceError, match=r"broken\.gdsession"):
        SessionFile(broken)
    assert broken.read_bytes() == before
    newer = tmp_path / "newer.gdsession"
    SessionFile(newer).close()
    with sqlite3.connect(newer) as database:
        database.execute("UPDATE about SET schema = 99")
    with pytest.raises(TraceError, match="newer"):
        SessionFile(newer)
    other = tmp_path / "other.gdsession"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE songs (title TEXT)")
    with pytest.raises(TraceError, match="damaged or no session"):
        SessionFile(other)


def test_a_damaged_state_is_told(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="damaged"):
        parse_state('{"policy": 7}', tmp_path)
    assert parse_state(dump_state(State()), tmp_path) == State()


def test_the_settings_of_a_judge_come_back(tmp_path: Path) -> None:
    settings = JudgeSettings(
        target="https://host:8080/v1",
        model="m",
        form=RemoteForm.OPENROUTER,
        concurrency=7,
        timeout_s=2.5,
        price_input=0.1,
        classifiers=(Classifier(question="injection", source="folder", label="UNSAFE"), Classifier(question="relevant", source="a/b")),
        wordings=shipped_wordings(),
    )
    state = State(models=Models(judge="systemone", judge_settings=settings))
    assert parse_state(dump_state(state), tmp_path) == state


def test_a_session_from_before_there_were_settings_opens(tmp_path: Path) -> None:
    old = json.loads(dump_state(State(policy=Policy().with_value("thresholds.evidence_min", 0.3))))
    del old["models"]["judge_settings"], old["policy"]["thresholds_for"]
    state = parse_state(json.dumps(old), tmp_path)
    assert state.models == Models()
    assert (state.policy.value("thresholds.evidence_min"), state.policy.thresholds_for) == (0.3, None)


def test_what_may_be_a_key_is_never_stored() -> None:
    for models in (
        Models(judge="systemone", judge_settings=JudgeSettings(target="https://user:sk-secret@host/v1")),
        Models(judge="systemone:https://host/v1?key=sk-secret"),
        Models(generator="openai:https://user:sk-secret@host/v1"),
        Models(generator="openai:big@https://host/v1?key=sk-secret"),
    ):
        assert "sk-secret" not in dump_state(State(models=models))
    plain = Models(generator="openai:big@https://host/v1")
    assert parse_state(dump_state(State(models=plain)), "s").models == plain


def test_a_moved_threshold_is_the_judges_of_the_last_run(trace: Trace) -> None:
    session = Session()
    assert session.knob_change("thresholds.evidence_min", 0.3).after.policy.thresholds_for is None
    session.set_run(trace)
    session.apply(session.knob_change("thresholds.evidence_min", 0.3))
    assert session.state.policy.thresholds_for == threshold_mark(trace.judged.judge)
