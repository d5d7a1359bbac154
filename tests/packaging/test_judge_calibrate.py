"""The calibration's fits, thresholds and file, on made votes."""

import random
from dataclasses import replace

import calibrate_claims
import calibrate_fit as fit
import numpy as np
import pytest
from calibrate import Part, toml
from calibrate_fit import Rules, Votes
from calibrate_report import AblationRow, claim_lines, figures
from calibrate_rows import ClaimExample
from rows import CONTRADICT, NEUTRAL, SUPPORT, Row

from guard_desk.models.judges.calibration import load_calibration
from guard_desk.models.judges.votes import CONTRADICTS_VOTES, EVIDENCE_VOTES, INJECTION_VOTES, RELEVANT_VOTES

RULES = Rules(prior={}, pulls={"cosine": 0.001})


def made_votes(count=400, *, head=1.0, seed=0):
    """Cosine tells the truth, the head as strongly as is said; one source of three is generated, and twice as large."""
    rng = np.random.default_rng(seed)
    truth = rng.random(count) < 0.4
    values = np.stack([truth * 0.5 + rng.normal(0, 0.3, count), head * (truth * 2.0 - 1) + rng.normal(0, 1.0, count)], axis=1)
    sources = np.array(["one", "two", "made", "made"])[rng.integers(0, 4, count)]
    groups = np.array([f"g{number // 3}" for number in range(count)])
    return Votes(names=("cosine", "head"), values=values, truth=truth, sources=sources, groups=groups, natural=frozenset({"one", "two"}))


def test_sources_weigh_the_same_and_generated_ones_less():
    found = made_votes()
    weights = fit.row_weights(found, replace(RULES, share=0.25))
    sums = {source: weights[found.sources == source].sum() for source in ("one", "two", "made")}
    assert sums["one"] == pytest.approx(sums["two"])
    assert sums["made"] == pytest.approx(sums["one"] / 4)
    assert weights[found.truth].sum() == pytest.approx(0.25)


def test_a_vote_that_points_the_wrong_way_gets_no_weight():
    weights, _ = fit.solve(made_votes(head=-1.0), RULES)
    assert weights[0] > 0
    assert weights[1] == 0
    against, _ = fit.solve(made_votes(head=-1.0), replace(RULES, negative=frozenset({"head"})))
    assert against[1] < 0


def test_rows_of_a_group_are_predicted_without_each_other():
    found = made_votes(60)
    alone = replace(found, groups=np.array(["one"] * len(found.truth)))
    changed = replace(alone, truth=alone.truth ^ (alone.sources == "two"))
    of_source = alone.sources == "two"
    assert fit.held_out(changed, RULES)[of_source] == pytest.approx(fit.held_out(alone, RULES)[of_source])
    scores = fit.held_out(found, RULES)
    assert ((scores > 0) & (scores < 1)).all()
    changed = replace(found, truth=found.truth ^ (found.groups == "g5"))
    own = found.groups == "g5"
    assert fit.held_out(changed, RULES)[own] == pytest.approx(scores[own])


def test_a_useless_vote_is_held_and_a_good_one_let_off():
    good = fit.choose_pulls(made_votes(), RULES, (("head",),), lambda line: None)
    assert good.pulls["head"] < fit.PULLS[-1]
    noise = made_votes(head=0.0)
    assert fit.unseen(noise, fit.choose_pulls(noise, RULES, (("head",),), lambda line: None)) >= fit.unseen(noise, RULES) - 0.002


def test_thresholds_keep_what_they_promise():
    found = made_votes()
    scores = fit.held_out(found, RULES)
    weights = fit.row_weights(found, RULES)
    limit = fit.lowest_with(found, scores, 0.03)
    rates = [(scores[(found.sources == source) & ~found.truth] > limit).mean() for source in ("one", "two", "made")]
    assert np.mean(rates) <= 0.03
    balanced = fit.best_balance(scores, found.truth, weights)
    assert 0.3 < balanced < 0.7
    low, high = fit.uncertain_band(scores, found.truth, weights, balanced)
    assert low < balanced < high
    assert fit.uncertain_band(scores, found.truth, weights, 0.95)[1] < 0.99
    assert fit.recall_at(scores, found.truth, 0.01) <= 1.0
    assert fit.ece(scores, found.truth, weights) < 0.1


def test_the_claim_temperature_is_found_again():
    rng = random.Random(0)
    examples = []
    for number in range(1500):
        logits = np.array([rng.gauss(0, 1.5) for _ in range(3)])
        chances = np.exp(logits) / np.exp(logits).sum()
        label = rng.choices([SUPPORT, CONTRADICT, NEUTRAL], chances)[0]
        row = Row(query="q", passage="p", kind="claim", group=str(number), source="made", claim=label)
        examples.append(ClaimExample(row=row, source="made", logits=logits * 3))
    found = calibrate_claims.fit(examples)
    assert found.numbers["temperature"] == pytest.approx(3.0, abs=0.4)
    assert found.right >= calibrate_claims.RIGHT
    assert "| made | 1500 |" in claim_lines(found)


def test_the_file_that_is_written_is_the_one_that_is_read(tmp_path):
    def part(tables):
        found = made_votes()
        scores = fit.held_out(found, RULES)
        rows = tuple(AblationRow.measured(found, source, {"head": scores, "all": scores}, 0.5, RULES) for source in ("one", "made"))
        return Part(tables=tables, votes=found, share=0.5, scores=scores, threshold=0.5, uncertain=(0.4, 0.6), ablation=rows)

    def table(names):
        return {**dict.fromkeys(names, 1.25), "bias": -0.5}

    parts = {
        "relevant": part({"relevant.en": table(RELEVANT_VOTES), "relevant.latin": table(RELEVANT_VOTES)}),
        "evidence": part({"evidence.en": table(EVIDENCE_VOTES), "evidence.latin": table(EVIDENCE_VOTES)}),
        "contradicts": part(
            {"contradicts": table(CONTRADICTS_VOTES), "contradicts_head": table(("head",)), "contradicts_rules": table(("rules",))}
        ),
        "injection": part({"injection": table(INJECTION_VOTES)}),
    }
    text = toml(parts, {"temperature": 1.5, "least_certain": 0.6}, {"weights_sha256": "abc"})
    (tmp_path / "embedded.toml").write_text(text)
    found = load_calibration(tmp_path, "abc")
    assert found.relevant["latin"].names == RELEVANT_VOTES
    assert found.contradicts.weights[0] == 1.25
    assert found.uncertain["injection"] == (0.4, 0.6)
    assert found.thresholds.evidence_min == 0.5
    assert "Threshold 0.50" in figures("relevant", parts["relevant"])
