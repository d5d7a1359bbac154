"""The readers of an answer, from the names of models to the trace."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from guard_desk import api
from guard_desk.cli import judging
from guard_desk.cli.parser import build
from guard_desk.errors import InputError, MissingModelError
from guard_desk.formats import make_corpus
from guard_desk.formats.trace import MARK, dump_trace, parse_trace
from guard_desk.models import readers as loading
from guard_desk.pipeline import recheck, run_path
from guard_desk.policy import Policy
from guard_desk.progress import RunContext
from guard_desk.protocols import Readers
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.state import Models, State
from guard_desk.records.trace import Trace
from guard_desk.session import dump_state, parse_state
from guard_desk.text.support import readers as reading
from tests.fakes import Calls, RulesAnalyzer, fake_parts
from tests.readers import NUMBERS, ListedClaimJudge, WordDetector

TEXTS = ("Loans have to be given back before the library shuts.", "Whoever is late pays two euros.")
INVENTED = "The library shuts early because visitors complained."


@pytest.fixture(autouse=True)
def numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "claim_numbers", lambda: NUMBERS)


def run(readers: Readers) -> Trace:
    corpus = make_corpus(Passage(id=f"p{number}", text=text) for number, text in enumerate(TEXTS))
    parts = replace(fake_parts(), readers=readers)
    return run_path(corpus, Query(text="When are loans due?"), Policy(), parts, RunContext(), answer=INVENTED)


def test_a_run_names_the_models_that_read_its_answer() -> None:
    trace = run(Readers(claim_judge=ListedClaimJudge(), detector=WordDetector("early")))
    assert [model.name for model in trace.verified.models] == ["listed", "marker"]
    assert trace.models[-2:] == trace.verified.models
    assert {item.by for item in trace.attributed.spans} == {"listed"}
    read = parse_trace(dump_trace(trace))
    assert (read.verified, read.models) == (trace.verified, trace.models)


def test_another_answer_is_read_by_the_same_models_once() -> None:
    readers = Readers(claim_judge=ListedClaimJudge())
    again = recheck(run(readers), INVENTED, RulesAnalyzer(Calls()), RunContext(), readers=readers)
    assert [model.name for model in again.models].count("listed") == 1
    assert [item.by for item in again.verified.spans] == ["listed"]
    alone = recheck(again, INVENTED, RulesAnalyzer(Calls()), RunContext())
    assert "listed" not in [model.name for model in alone.models]


def test_a_trace_from_before_there_were_readers_is_read() -> None:
    data = json.loads(dump_trace(run(Readers())))
    assert data[MARK] == 1
    verified = data["trace"]["verified"]
    del verified["models"]
    for item in (*verified["spans"], *verified["claims"], *data["trace"]["attributed"]["spans"]):
        del item["by"]
    assert parse_trace(json.dumps(data)).verified == run(Readers()).verified


def test_features_means_the_rules_alone() -> None:
    assert loading.load_readers(Models(judge="features")) == Readers()


def test_without_trained_weights_the_rules_stand_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(loading.resources, "path", lambda *parts: tmp_path.joinpath(*parts))
    assert loading.load_readers(Models()).claim_judge is None


def test_names_that_are_none() -> None:
    with pytest.raises(MissingModelError, match="hf download nobody/nothing"):
        loading.load_readers(Models(judge="features", detector="nobody/nothing"))
    for kind in ("llm", "openai"):
        with pytest.raises(InputError, match=f"Write {kind}:ADDRESS"):
            loading.load_readers(Models(judge="features", claim_model=f"{kind}:"))


def test_the_library_checks_with_the_models_that_are_named() -> None:
    found = api.verify("When?", list(TEXTS), INVENTED, models=Models(judge="features"))
    assert found.models == ()


@pytest.mark.parametrize("verb", [["verify", "cases.jsonl"], ["run", "demo"]])
@pytest.mark.parametrize("name", ["llm:m@http://localhost:1/v1", "openai:m@http://localhost:1/v1"])
def test_options_of_the_command_line(verb: list[str], name: str) -> None:
    options = build().parse_args([*verb, "--detector", "folder:x", "--claim-model", name])
    models = judging.models(options)
    assert (models.detector, models.claim_model) == ("folder:x", name)
    assert judging.models(build().parse_args(verb)).detector is None


@pytest.mark.parametrize("kind", ["llm", "openai"])
def test_a_session_keeps_names_and_no_secrets(kind: str) -> None:
    named = State(models=Models(detector="organisation/name", claim_model=f"{kind}:m@http://localhost:1/v1"))
    assert parse_state(dump_state(named), "session").models == named.models
    told = dump_state(State(models=Models(claim_model=f"{kind}:https://user:sk-secret@host/v1")))
    assert "sk-secret" not in told
