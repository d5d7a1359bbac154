from __future__ import annotations

from guard_desk.measure.portability import judge_warning, threshold_warning
from guard_desk.policy import Policy, Thresholds, load_policy
from guard_desk.records.evidence import Answers, Judged, ModelInfo
from guard_desk.records.state import Models
from tests.builders import judged as made

OWN = Thresholds(injection_max=0.6, contradicts_min=0.5, relevant_min=0.2, evidence_min=0.4)


def judged(thresholds: Thresholds = OWN) -> Judged:
    """Answers of the judge "test"."""
    return made(["p1"], [Answers(relevant=1, evidence=1, contradicts=0, injection=0)], thresholds)


def test_thresholds_of_another_judge_are_told_with_both_names() -> None:
    policy = Policy().with_value("thresholds.evidence_min", 0.9, base=Thresholds(), judge="embedded")
    warning = threshold_warning(policy, judged()) or ""
    assert "set for the judge embedded" in warning
    assert "Reset to the thresholds of test" in warning


def test_no_warning_for_the_judges_own_or_for_those_set_for_it() -> None:
    assert threshold_warning(Policy(), judged()) is None
    policy = Policy().with_value("thresholds.evidence_min", 0.9, base=OWN, judge="test")
    assert threshold_warning(policy, judged()) is None
    assert threshold_warning(policy.kept_for("other"), judged(policy.thresholds or OWN)) is None


def test_the_recipe_is_named_unless_it_is_the_judges_own() -> None:
    recipe = load_policy("recipe")
    assert "published recipe" in (threshold_warning(recipe, judged()) or "")
    assert threshold_warning(recipe, judged(Thresholds())) is None


def test_thresholds_of_an_unknown_judge_are_told() -> None:
    policy = Policy().with_value("thresholds.evidence_min", 0.9)
    assert "not known for which judge" in (threshold_warning(policy, judged()) or "")


def test_one_more_change_does_not_make_the_other_three_this_judges() -> None:
    first = Policy().with_value("thresholds.evidence_min", 0.9, base=Thresholds(), judge="embedded")
    second = first.with_value("thresholds.relevant_min", 0.1, base=OWN, judge="test")
    assert "embedded" in (threshold_warning(second, judged()) or "")
    assert threshold_warning(second.kept_for("test"), judged()) is None
    assert threshold_warning(second.with_own_thresholds(), judged()) is None


def test_a_run_of_another_judge_than_the_chosen_one_is_told() -> None:
    made_by = ModelInfo(name="features", revision="1")
    assert judge_warning(made_by, Models(judge="features")) is None
    warning = judge_warning(made_by, Models(judge="systemone:http://localhost:1")) or ""
    assert "judged by features" in warning
    assert "with systemone." in warning
