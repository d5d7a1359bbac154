from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.errors import PolicyError
from guard_desk.policy import Policy, Strategy, ThinMode, Thresholds, knobs, load_policy, policy_toml, presets


def test_every_knob_has_a_sentence_a_default_in_range_and_a_value_in_the_policy() -> None:
    for knob in knobs():
        assert knob.description.endswith(".")
        if knob.default is not None:
            assert knob.check(knob.default) == knob.default
        Policy().value(knob.path)


def test_contract_paths_and_starting_values() -> None:
    expected = {
        "retrieve.pool": 50,
        "dedup.similarity_floor": 0.86,
        "thin.mode": "cap",
        "thin.half_life_days": 730,
        "thin.cap_per_source": 1,
        "thin.contested_margin": 0.1,
        "thin.negation_penalty": 1,
        "thin.max_support_lines": 12,
        "thin.as_of": None,
        "thin.reliability.official": 1,
        "thin.reliability.unknown": 0.3,
        "assemble.strategy": "sieve_mmr",
        "assemble.k": 6,
        "assemble.budget_tokens": 3000,
        "assemble.mmr_lambda": 0.7,
        "thresholds.evidence_min": None,
    }
    assert {path: Policy().value(path) for path in expected} == expected


def test_text_is_read_as_the_type_of_the_knob() -> None:
    policy = Policy().with_values({"assemble.k": "4", "thin.mode": "support", "assemble.strategy": "topk", "thin.half_life_days": "90"})
    assert (policy.assemble.k, policy.thin.mode, policy.assemble.strategy) == (4, ThinMode.SUPPORT, Strategy.TOPK)
    assert policy.thin.half_life_days == 90.0


def test_one_threshold_keeps_the_others_of_the_judge() -> None:
    base = Thresholds(injection_max=0.5, contradicts_min=0.6, relevant_min=0.2, evidence_min=0.3)
    policy = Policy().with_value("thresholds.evidence_min", 0.9, base=base)
    assert policy.thresholds == Thresholds(injection_max=0.5, contradicts_min=0.6, relevant_min=0.2, evidence_min=0.9)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("assemble.k", "0", "a whole number from 1 to 200"),
        ("assemble.k", 2.5, "a whole number"),
        ("assemble.k", True, "a whole number"),
        ("thresholds.evidence_min", "nan", "a number from 0 to 1"),
        ("assemble.strategy", "best", "one of topk, mmr"),
        ("thin.as_of", "soon", "a date YYYY-MM-DD"),
        ("evidence_min", 0.5, "thresholds.evidence_min"),
        ("thin.halflife", 3, "There is no knob"),
    ],
)
def test_errors_name_the_value_and_what_is_allowed(path: str, value: object, words: str) -> None:
    with pytest.raises(PolicyError, match=words):
        Policy().with_value(path, value)


@given(
    st.builds(
        Thresholds,
        injection_max=st.floats(0, 1),
        contradicts_min=st.floats(0, 1),
        relevant_min=st.floats(0, 1),
        evidence_min=st.floats(0, 1),
    )
    | st.none(),
    st.integers(1, 200),
    st.sampled_from(ThinMode),
    st.none() | st.just("2026-09-30"),
)
def test_a_policy_file_reads_back_equal(
    tmp_path_factory: pytest.TempPathFactory, thresholds: Thresholds | None, k: int, mode: ThinMode, day: str | None
) -> None:
    values = {"assemble.k": k, "thin.mode": mode, "thin.as_of": day}
    policy = Policy(thresholds=thresholds).with_values(values)
    file = tmp_path_factory.mktemp("policy") / "policy.toml"
    file.write_text(policy_toml(policy), encoding="utf-8")
    assert load_policy(file) == policy


def test_a_bad_policy_file_names_the_file_and_the_knob(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text("[assemble]\nk = 0\n", encoding="utf-8")
    with pytest.raises(PolicyError, match=r"bad\.toml.*assemble\.k = 0"):
        load_policy(file)
    file.write_text("[assemble\n", encoding="utf-8")
    with pytest.raises(PolicyError, match=r"bad\.toml"):
        load_policy(file)
    file.write_text("a = " + "[" * 100_000, encoding="utf-8")
    with pytest.raises(PolicyError, match=r"bad\.toml: the policy cannot be read.*one of: recipe"):
        load_policy(file)


def test_the_first_threshold_notes_its_judge_and_no_other_knob_does() -> None:
    base = Thresholds(injection_max=0.5, contradicts_min=0.6, relevant_min=0.2, evidence_min=0.3)
    assert Policy().with_value("assemble.k", 3, base=base, judge="one").thresholds_for is None
    first = Policy().with_values({"thresholds.evidence_min": 0.9, "assemble.k": 3}, base=base, judge="one")
    assert first.thresholds_for == "one"
    assert first.with_value("thresholds.relevant_min", 0.1, base=base, judge="two").thresholds_for == "one"
    assert first.with_own_thresholds() == Policy().with_value("assemble.k", 3)
    assert "thresholds_for" not in {knob.path for knob in knobs()}


def test_the_judge_of_the_thresholds_is_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "p.toml"
    policy = Policy().with_value("thresholds.evidence_min", 0.9).kept_for('a "quoted" one')
    file.write_text(policy_toml(policy), encoding="utf-8")
    assert load_policy(file) == policy
    file.write_text("[thresholds]\nevidence_min = 0.9\n", encoding="utf-8")
    assert load_policy(file).thresholds_for is None
    file.write_text('[thresholds]\njudge = "one"\n', encoding="utf-8")
    assert load_policy(file) == Policy()
    file.write_text("[thresholds]\njudge = 1\n", encoding="utf-8")
    with pytest.raises(PolicyError, match=r"p\.toml.*judge = 1"):
        load_policy(file)


def test_every_preset_opens_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "recipe" in presets()
    for name in presets():
        assert load_policy(name) != Policy()
    assert load_policy("recipe") == Policy(
        thresholds=Thresholds(injection_max=0.7, contradicts_min=0.7, relevant_min=0.45, evidence_min=0.55)
    )
    with pytest.raises(PolicyError, match=r"Give a policy file, or one of: .*recipe"):
        load_policy("recip")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recipe").write_text("[assemble]\nk = 3\n", encoding="utf-8")
    assert load_policy("recipe").assemble.k == 3
