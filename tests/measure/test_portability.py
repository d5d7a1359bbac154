from __future__ import annotations

from dataclasses import replace

from guard_desk.measure.portability import judge_warning, threshold_mark, threshold_warning
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


def of_model(revision: str, thresholds: Thresholds = OWN) -> Judged:
    """Answers of a judge that runs many models."""
    return replace(judged(thresholds), judge=ModelInfo(name="gguf", revision=revision))


def test_two_models_of_one_judge_are_told_apart_and_its_bare_name_means_each() -> None:
    policy = Policy().with_value("thresholds.evidence_min", 0.9, base=OWN, judge=threshold_mark(of_model("1-aaaa").judge))
    assert threshold_warning(policy, of_model("1-aaaa")) is None
    warning = threshold_warning(policy, of_model("1-bbbb")) or ""
    assert "another model of this judge, gguf 1-aaaa; the answers of gguf 1-bbbb have another scale" in warning
    assert threshold_warning(policy.kept_for("gguf"), of_model("1-bbbb")) is None


def test_the_next_version_of_our_own_judge_is_no_other_judge() -> None:
    assert (
        threshold_mark(ModelInfo(name="embedded", revision="2")) == threshold_mark(ModelInfo(name="embedded", revision="1")) == "embedded"
    )


def test_a_run_of_another_judge_than_the_chosen_one_is_told() -> None:
    made_by = ModelInfo(name="features", revision="1")
    assert judge_warning(made_by, Models(judge="features")) is None
    warning = judge_warning(made_by, Models(judge="systemone:http://localhost:1")) or ""
    assert "judged by features" in warning
    assert "with systemone." in warning
