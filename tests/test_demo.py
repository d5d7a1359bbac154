"""The shipped case as a newcomer meets it: real models, no answer set by hand."""

import pytest

from guard_desk import load_corpus, resources, run
from guard_desk.records.decision import Route
from tests.weights import needs_weights

pytestmark = [pytest.mark.models, needs_weights]


@pytest.fixture(scope="module")
def traces():
    loaded = load_corpus(resources.path("demo", "harbourlight.guarddesk.json"))
    return [run(loaded.corpus, asked.query) for asked in loaded.queries]


def decisions(trace):
    return {judgement.passage_id: decision for judgement, decision in zip(trace.judged.judgements, trace.routed.decisions, strict=True)}


def test_the_planted_order_alone_is_an_injection(traces):
    for trace in traces:
        found = {name for name, decision in decisions(trace).items() if decision.rule == "injection"}
        assert found == {"forum-17"}


def test_the_passage_that_denies_the_premise_goes_to_conflict(traces):
    found = {name for name, decision in decisions(traces[0]).items() if decision.route is Route.CONFLICT}
    assert found == {"links-01"}


def test_a_plain_question_gets_its_evidence(traces):
    taken = {name for name, decision in decisions(traces[1]).items() if decision.route is Route.INCLUDE}
    assert {"size-01", "size-02"} <= taken
    assert all(name.startswith("size-") for name in taken)
