from __future__ import annotations

import json

from guard_desk.measure.judge_comparison import compare_judged
from guard_desk.records.corpus import Query
from guard_desk.records.decision import Decision, Route, Rule
from guard_desk.records.evidence import Answers
from guard_desk.records.judging import Estimate, Spent
from guard_desk.report.judges import comparison_fields, comparison_text, decision_words, estimate_words, spent_words, total
from tests.builders import judged


def test_what_judging_takes_in_words() -> None:
    spent = Spent(requests=1200, input_tokens=34000, output_tokens=12, cost=0.00123, estimated=True)
    assert spent_words(spent) == "1,200 requests, about 34,000 tokens in and 12 out, cost about 0.00123"
    assert spent_words(Spent(cost=12.3)).endswith("cost 12.30")
    assert spent_words(Spent(cost=0.0)).endswith("cost 0.00")
    assert spent_words(Spent(cost=0.00000001)).endswith("less than 0.0001")
    assert spent_words(Spent()).endswith("cost not known (no price is set)")
    assert estimate_words(Estimate(passages=5, stored=2)) == "5 passages, 2 with stored answers; this judge costs nothing"


def test_a_sum_knows_its_cost_only_when_each_part_does() -> None:
    known, unknown = Spent(requests=1, input_tokens=2, cost=0.5), Spent(requests=1, output_tokens=3, estimated=True)
    assert total([known, known]).cost == 1.0
    both = total([known, unknown])
    assert (both.requests, both.input_tokens, both.output_tokens, both.cost, both.estimated) == (2, 2, 3, None, True)


def test_a_decision_names_value_and_threshold() -> None:
    def words(route: Route, rule: Rule) -> str:
        return decision_words(Decision(route=route, rule=rule, value=0.5, threshold=0.4, margin=0.1))

    assert words(Route.EXCLUDE, Rule.INJECTION) == "exclude (injection 0.50 > 0.40)"
    assert words(Route.EXCLUDE, Rule.RELEVANT) == "exclude (relevant 0.50 < 0.40)"
    assert words(Route.EXCLUDE, Rule.DEFAULT) == "exclude (evidence 0.50 <= 0.40)"
    close = Decision(route=Route.CONFLICT, rule=Rule.CONTRADICTS, value=0.2614, threshold=0.26, margin=0.0014)
    assert decision_words(close) == "conflict (contradicts 0.2614 > 0.2600)"
    nothing = Decision(route=Route.EXCLUDE, rule=Rule.NOT_JUDGED, value=None, threshold=None, margin=None)
    assert decision_words(nothing) == "exclude (not judged)"


def test_names_and_ids_cannot_rewrite_the_terminal_and_json_holds_no_nan() -> None:
    pool = [Answers(relevant=0.9, evidence=value, contradicts=0.1, injection=0.0) for value in (0.9, 0.1)]
    odd = ("a\x1b[2J", "b")
    comparison = compare_judged(Query(text="q\x1b?"), [judged(odd, pool), judged(odd, [None, pool[1]])], ["x\x1b", "y"], rounds=5)
    text = comparison_text(comparison)
    assert "\x1b" not in text
    assert "not judged" in text
    fields = comparison_fields(comparison)
    assert json.loads(json.dumps(fields, allow_nan=False)) == fields
    assert fields["passages"][0]["judges"]["y"]["error"] == "broken"
