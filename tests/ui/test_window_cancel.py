"""Cancel in each model stage: back within a second, what was finished is kept, a rerun goes on from there."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QObject, Slot
from pytestqt.qtbot import QtBot

from guard_desk.progress import Progress, RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Judgement, TextFacts
from guard_desk.ui.main_window import MainWindow
from guard_desk.ui.runner import Lane, Report, Runner
from guard_desk.ui.view import Phase
from tests.fakes import Calls, EchoGenerator, OverlapRanker, RulesAnalyzer, WordJudge
from tests.ui.builders import ANSWER, TEXTS
from tests.ui.windows import Models, case_file, open_file, run, settle

STAGES = ("index", "judge", "extract", "generate", "verify")
WITHIN_S = 1.0


class Gate:
    """Holds one stage up until it is cancelled; says when it was reached."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.closed = True

    def hold(self, ctx: RunContext) -> None:
        """Work that takes for ever, in pieces of 20 ms."""
        self.reached.set()
        while self.closed:
            ctx.check()
            time.sleep(0.02)


class SlowRanker(OverlapRanker):
    def __init__(self, calls: Calls, gate: Gate) -> None:
        super().__init__(calls)
        self._gate = gate

    def index(self, passages: Sequence[Passage], ctx: RunContext) -> None:
        self._gate.hold(ctx)
        super().index(passages, ctx)

    def scores(self, query: Query, ctx: RunContext) -> npt.NDArray[np.float32]:
        return super().scores(query, ctx)


class SlowJudge(WordJudge):
    """Judges four passages, then takes for ever."""

    def __init__(self, calls: Calls, gate: Gate) -> None:
        super().__init__(calls)
        self._gate = gate

    def judge(self, query: Query, passages: Sequence[Passage], similarities: Sequence[float], ctx: RunContext) -> Iterator[Judgement]:
        for at, judgement in enumerate(super().judge(query, passages, similarities, ctx)):
            if at == 4:
                self._gate.hold(ctx)
            yield judgement


class SlowAnalyzer(RulesAnalyzer):
    """Holds up the pool's texts, or the answer's."""

    def __init__(self, calls: Calls, gate: Gate, *, at_answer: bool) -> None:
        super().__init__(calls)
        self._gate, self._at_answer = gate, at_answer

    def analyze(self, texts: Sequence[str], ctx: RunContext) -> tuple[TextFacts, ...]:
        if (len(texts) == 1) is self._at_answer:
            self._gate.hold(ctx)
        return super().analyze(texts, ctx)


class SlowGenerator(EchoGenerator):
    """Writes two words, then takes for ever."""

    def __init__(self, calls: Calls, gate: Gate) -> None:
        super().__init__(calls)
        self._gate = gate

    def generate(self, prompt: str, ctx: RunContext) -> Iterator[str]:
        yield "Backups "
        yield "are "
        self._gate.hold(ctx)
        yield "kept."


def slow_part(stage: str, calls: Calls, gate: Gate) -> dict[str, Any]:
    parts: dict[str, dict[str, Any]] = {
        "index": {"ranker": SlowRanker(calls, gate)},
        "judge": {"judge": SlowJudge(calls, gate)},
        "extract": {"analyzer": SlowAnalyzer(calls, gate, at_answer=False)},
        "generate": {"generator": SlowGenerator(calls, gate)},
        "verify": {"analyzer": SlowAnalyzer(calls, gate, at_answer=True)},
    }
    return parts[stage]


@pytest.mark.parametrize("stage", STAGES)
def test_cancel_in_a_stage(qtbot: QtBot, window: MainWindow, models: Models, tmp_path: Path, stage: str) -> None:
    gate = Gate()
    models.parts = replace(models.parts, **slow_part(stage, models.calls, gate))
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json", answer=None if stage == "generate" else ANSWER))
    window.run()
    qtbot.waitUntil(gate.reached.is_set, timeout=10_000)
    qtbot.wait(120)
    assert window.actions_by_name["cancel"].isEnabled()
    if stage == "index":
        assert window.status.stage.text() == "Loading models…"
    started = time.perf_counter()
    window.actions_by_name["cancel"].trigger()
    qtbot.waitUntil(lambda: window.desk.phase is not Phase.RUNNING, timeout=5_000)
    assert time.perf_counter() - started < WITHIN_S
    settle()
    assert window.desk.phase is Phase.CANCELLED
    assert window.status.stage.text() == "Cancelled"
    assert not window.actions_by_name["cancel"].isEnabled()
    assert window.actions_by_name["run"].isEnabled()
    view = window.desk.view()
    assert (view.retrieved is not None) is (stage != "index")
    assert len(view.partial_judgements) == {"index": 0, "judge": 4}.get(stage, len(TEXTS))
    if stage == "generate":
        assert view.partial_answer == "Backups are "
        assert window.answer.text.text() == "Backups are "
    judged = models.calls.judge
    gate.closed = False
    run(qtbot, window)
    assert window.desk.phase is Phase.DONE
    again = sum(judgement.error is not None for judgement in window.desk.session.trace.judged.judgements)
    known = {"index": 0, "judge": 4}.get(stage, len(TEXTS))
    assert models.calls.judge - judged <= len(TEXTS) - known + again + 1


def test_cancel_by_the_key(qtbot: QtBot, window: MainWindow, models: Models, tmp_path: Path) -> None:
    gate = Gate()
    models.parts = replace(models.parts, **slow_part("judge", models.calls, gate))
    open_file(qtbot, window, case_file(tmp_path / "case.guarddesk.json"))
    window.run()
    qtbot.waitUntil(gate.reached.is_set, timeout=10_000)
    qtbot.waitUntil(window.actions_by_name["cancel"].isEnabled)
    window.status.cancel_asked.emit()
    qtbot.waitUntil(lambda: window.desk.phase is Phase.CANCELLED, timeout=5_000)


class Reports(QObject):
    """Collects what a runner reports."""

    def __init__(self, runner: Runner) -> None:
        super().__init__(runner)
        self.seen: list[Progress] = []
        runner.reported.connect(self.take)

    @Slot(object)
    def take(self, report: Report) -> None:
        assert report.progress is not None
        self.seen.append(report.progress)


def test_progress_does_not_flood_the_window(qtbot: QtBot) -> None:
    runner = Runner()
    reports = Reports(runner)

    def work(ctx: RunContext) -> object:
        for stage in ("index", "judge"):
            for done in range(20_001):
                ctx.report(stage, done, 20_000)
        return "done"

    with qtbot.waitSignal(runner.ended, timeout=20_000):
        runner.submit(Lane.MODELS, "run", work)
    runner.shutdown()
    seen = [(progress.stage, progress.done) for progress in reports.seen]
    assert len(seen) < 200
    assert [(stage, done) for stage, done in seen if done in (0, 20_000)] == [
        ("index", 0),
        ("index", 20_000),
        ("judge", 0),
        ("judge", 20_000),
    ]


def test_a_newer_job_of_a_kind_drops_the_older_and_no_other(qtbot: QtBot) -> None:
    runner = Runner()
    ended: list[object] = []
    go = threading.Event()

    def waiting(_: RunContext) -> object:
        go.wait(5)
        return "late"

    collector = _Ended(runner, ended)
    runner.submit(Lane.POLICY, "decide", waiting)
    runner.submit(Lane.FILES, "load", lambda _: "loaded")
    runner.submit(Lane.POLICY, "decide", lambda _: "new")
    go.set()
    qtbot.waitUntil(lambda: not runner.running("decide") and not runner.running("load"))
    runner.drop("decide")  # nothing is there: nothing happens
    runner.shutdown()
    assert sorted(map(str, ended)) == ["loaded", "new"]
    assert collector.parent() is runner


class _Ended(QObject):
    def __init__(self, runner: Runner, into: list[object]) -> None:
        super().__init__(runner)
        self._into = into
        runner.ended.connect(self.take)

    @Slot(object)
    def take(self, outcome: Any) -> None:
        self._into.append(outcome.result)
