"""The suites of `bench`: what each measures, what it needs, which options it reads, and where its code is.

Code is named as "module:function" and imported when its suite is asked for, so that `bench --help` loads nothing.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from guard_desk.errors import InputError

if TYPE_CHECKING:
    from guard_desk.measure.tables import Table
    from guard_desk.progress import RunContext
    from guard_desk.records.state import Models

Run = Callable[..., "Table"]
"""Called with models, the folder of the data, n and the context; with `policy=` too where the suite reads "policy"."""

_MODELS = ("encoder", "device")
_JUDGED = ("judge", *_MODELS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """One suite.

    :param code: "module:function".
    :param about: what it measures, in one line.
    :param data: what the folder of --data holds; "" = the suite needs none.
    :param needed: whether it cannot run without that folder.
    :param knobs: what the suite sets where the user says nothing, as --set would.
    :param reads: the options that it respects, of n, judge, encoder, generator, device, detector, policy, errors. Others are refused.
    """

    code: str
    about: str
    data: str = ""
    needed: bool = True
    reads: tuple[str, ...] = ()
    knobs: tuple[tuple[str, str], ...] = ()

    def load(self) -> Run:
        """The suite's function. :raises InputError: when this version does not have it."""
        module, _, function = self.code.partition(":")
        try:
            found: Run = getattr(importlib.import_module(module), function)
        except ModuleNotFoundError as exc:
            if exc.name is None or not module.startswith(exc.name):
                raise
            raise InputError("this version does not have that suite.", remedy="guard-desk bench --help lists the suites.") from exc
        return found


SUITES: dict[str, Suite] = {
    "paper": Suite(
        code="guard_desk.measure.paper:paper",
        about="thinning and evidence in rounds against all evidence, BM25 and chance on seven kinds of made-up questions: accuracy, tokens",
        reads=("n", "generator", "device"),
    ),
    "ramdocs": Suite(
        code="guard_desk.measure.ramdocs:ramdocs",
        about="conflicting documents: gold answers kept, differing answers shown, misinformation outranked, the leader against generators",
        data="ramdocs/dev.jsonl",
        reads=("n", "generator", *_JUDGED),
    ),
    "wikicontradict": Suite(
        code="guard_desk.measure.conflict_pairs:wikicontradict",
        about="how often a contradiction between two passages of Wikipedia is shown, and false alarms on pairs that agree",
        data="wikicontradict/dev.jsonl",
        reads=("n", *_JUDGED),
    ),
    "conflictqa": Suite(
        code="guard_desk.measure.conflict_pairs:conflictqa",
        about="how often evidence for opposite answers is shown as conflict, and false alarms on evidence for the same answer",
        data="conflictqa/dev.jsonl",
        reads=("n", *_JUDGED),
    ),
    "scifact": Suite(
        code="guard_desk.measure.scifact:scifact",
        about="rankers by nDCG@10, and the six strategies by recall: naturally, with copies, near-copies and hostile near-copies",
        data="scifact/beir",
        reads=("n", *_MODELS, "policy"),
    ),
    "scenes": Suite(
        code="guard_desk.measure.scenes:scenes",
        knobs=(("assemble.k", "4"),),
        about="facts that each strategy keeps in 12 scenes of synonyms and 12 of near-identical passages, English and Chinese",
        reads=(*_MODELS, "policy"),
    ),
    "dedup": Suite(
        code="guard_desk.measure.dedup_bench:dedup_bench",
        about="pairs that must not merge and pairs that may: false and true merges by guard, against plain cosine and semhash; times",
        data="paws_wiki, pawsx_zh, cad_nli, summedits; for the times ramdocs, clapnq, uhgeval_zh (those that are there are measured)",
        reads=("n", *_MODELS),
    ),
    "judge": Suite(
        code="guard_desk.cli.suites:judge",
        about="the judge's four answers on sets that no judge was fitted on, beside its legs, trivial baselines and peers",
        data="clapnq, scifact, freshqa, bipia, ... (those that are there are measured)",
        reads=("n", *_JUDGED, "errors"),
    ),
    "judge-speed": Suite(
        code="guard_desk.cli.suites:judge_speed",
        about="time of judging, beside a plain cross-encoder of the same base",
        reads=("n", *_JUDGED),
    ),
    "verify": Suite(
        code="guard_desk.cli.suites:verify",
        about="findings in answers: rules, head and detector apart and together, beside published figures",
        data="ragtruth, wice, uhgeval_zh, summedits (those that are there are measured)",
        reads=("n", *_JUDGED, "detector", "errors"),
    ),
    "verify-speed": Suite(
        code="guard_desk.cli.suites:verify_speed", about="time of checking answers, beside raguard-py", reads=("n", *_JUDGED, "detector")
    ),
    "cases": Suite(
        code="guard_desk.cli.suites:cases",
        about="acceptance cases through the calls that users make: right, missed, by set",
        data="routing, dedup_dev, verify_dev, thinning_dev, injection_dev, premise_dev .jsonl (those that are there are measured)",
        reads=_JUDGED,
    ),
    "speed": Suite(
        code="guard_desk.cli.suites:speed",
        about="times of routing, grouping, encoding, reopening and the whole path, each beside a peer in the same run",
        data="scifact/beir, for the reopening row",
        needed=False,
        reads=("n", *_JUDGED),
    ),
    "window": Suite(code="guard_desk.cli.suites:window", about="times of the window, drawn offscreen", reads=("n",)),
}


def suite_help() -> str:
    """Every suite in one line, with what its --data holds."""
    lines = ["suites:"]
    for name, suite in SUITES.items():
        lines.append(f"  {name:<15} {suite.about}.")
        if suite.data:
            lines.append(f"  {'':<15} --data{'' if suite.needed else ' (optional)'}: a folder with {suite.data}.")
    return "\n".join(lines)


def judge(models: Models, data: Path, n: int | None, ctx: RunContext) -> Table:
    """The suite `judge`."""
    from guard_desk.measure.judge_bench import judge_bench

    return judge_bench(models, data, n, ctx)


def judge_speed(models: Models, _: Path | None, n: int | None, ctx: RunContext) -> Table:
    """The suite `judge-speed`; n is the repetitions."""
    from guard_desk.measure.judge_speed import judge_speed as measure

    return measure(models, n or 5, ctx)


def verify(models: Models, data: Path, n: int | None, ctx: RunContext) -> Table:
    """The suite `verify`."""
    from guard_desk.measure.verify_bench import verify_bench
    from guard_desk.measure.verify_legs import legs

    return verify_bench(legs(models), data, n, ctx)


def verify_speed(models: Models, _: Path | None, n: int | None, ctx: RunContext) -> Table:
    """The suite `verify-speed`; n is the repetitions."""
    from guard_desk.measure.verify_speed import ROUNDS
    from guard_desk.measure.verify_speed import verify_speed as measure

    return measure(models, n or ROUNDS, ctx)


def speed(models: Models, data: Path | None, n: int | None, ctx: RunContext) -> Table:
    """The suite `speed`; n is the repetitions."""
    from guard_desk.measure.speed import speed as measure

    return measure(models, data, n or 20, ctx)


def cases(models: Models, data: Path, _: int | None, __: RunContext) -> Table:
    """The suite `cases`."""
    from guard_desk.measure.cases import cases as measure

    return measure(models, data)


def window(_: Models, __: Path | None, n: int | None, ___: RunContext) -> Table:
    """The window's suite; Qt is imported here only. n is the repetitions."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from guard_desk.ui.bench import window_suite

    return window_suite(n or 3)
