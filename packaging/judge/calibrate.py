"""Weighs the votes of the embedded judge, on the weights that ship and with the product's own code.

    python packaging/judge/calibrate.py --rows ROWS [--folder resources/judge] [--most 100]

`ROWS/dev.jsonl` is what `generate.py` wrote: held-out groups, schemas and sources, and the sets of the fit pile. `--folder` holds what
`export.py` wrote and gets `embedded.toml`, the numbers that the judge loads, and `FIGURES.md` for the card. Sources weigh the same,
generated ones a quarter; figures are of rows that the numbers were not fitted on (five folds, groups kept together). Report-only
sets are not read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import calibrate_claims
import calibrate_fit as fit
import numpy as np
import torch
from calibrate_fit import Floats, Rules, Votes
from calibrate_report import AblationRow, claim_lines, figures
from calibrate_rows import Example, chosen, claim_examples, judged_examples
from rows import UNKNOWN, read_rows

from guard_desk.models.judges import votes
from guard_desk.models.judges.calibration import FILE
from guard_desk.models.judges.network import JudgeNetwork
from guard_desk.models.judges.weights import load_weights, weights_digest

NATURAL = {
    "relevant": frozenset({"hotpot", "ragtruth", "xquad-en", "xquad-de", "xquad-es"}),
    "evidence": frozenset({"hotpot", "scifact", "squad2", "xquad-en", "xquad-de", "xquad-es"}),
    "contradicts": frozenset({"fever", "fm2", "cf_snli", "conjnli-dev", "negnli-MNLI", "breaking_nli", "pairs, unseen documents"}),
    "injection": frozenset({"cyberseceval", "inj_s_labs", "inj_neuralchemy", "inserted, unseen documents"}),
}
# Few passages deny what a question takes for granted: one in ten here. The other questions are asked as if yes and no were equally likely.
SHARE = {"relevant": 0.5, "evidence": 0.5, "contradicts": 0.1, "injection": 0.5}
# One passage of the usual pool of 50.
MOST_FALSE_INJECTIONS = 0.02
CHECK_PRIOR = {"quantity": 1.5, "date": 1.5, "denial": 1.5, "opposite": 1.5, "exclusive": 0.3, "entity": 0.7, "order": 0.7}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One question, weighed: the tables of the calibration file, and held-out answers of the finished vote.

    :param share: weight of the rows with the answer yes.
    :param scores: (rows,), aligned with `votes`.
    :param uncertain: from and to which answer the vote is undecided.
    """

    tables: Mapping[str, Mapping[str, float]]
    votes: Votes
    share: float
    scores: Floats
    threshold: float
    uncertain: tuple[float, float]
    ablation: tuple[AblationRow, ...]


def collect(
    examples: Sequence[Example], question: str, names: tuple[str, ...], values: Callable[[Example], tuple[float, ...]],
    wanted: Callable[[Example], bool],
) -> tuple[Votes, list[Example]]:  # fmt: skip
    """The votes of all rows that answer a question."""
    used = [example for example in examples if example.row.label(question) != UNKNOWN and wanted(example)]
    return Votes(
        names=names,
        values=np.array([values(example) for example in used], dtype=np.float64).reshape(len(used), len(names)),
        truth=np.array([example.row.label(question) == 1 for example in used], dtype=bool),
        sources=np.array([example.source for example in used]),
        groups=np.array([example.row.group for example in used]),
        natural=NATURAL[question],
    ), used


def column(found: Votes, *names: str) -> Votes:
    """Some votes only."""
    places = [found.names.index(name) for name in names]
    return Votes(
        names=names, values=found.values[:, places], truth=found.truth, sources=found.sources, groups=found.groups, natural=found.natural
    )


def weighed(found: Votes, rules: Rules) -> dict[str, float]:
    """The fitted numbers of all rows, for the file."""
    weights, bias = fit.solve(found, rules)
    return {**{name: float(weight) for name, weight in zip(found.names, weights, strict=True)}, "bias": bias}


def log(line: str) -> None:
    """One line of progress."""
    print(line, flush=True)


# ------------------------------------------------------------------ relevance and evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Voting:
    """Who votes on a question whose numbers differ by language.

    :param negative: votes that may only speak against.
    :param sets: votes that are let off their pull together.
    """

    names: tuple[str, ...]
    negative: frozenset[str]
    sets: tuple[tuple[str, ...], ...]
    read: Callable[[Example], tuple[float, ...]]


def _relevant_votes(example: Example) -> tuple[float, ...]:
    return votes.relevant_votes(example.readings)


def _evidence_votes(example: Example) -> tuple[float, ...]:
    return votes.evidence_votes(example.readings, load_weights())


BY_LANGUAGE = {
    "relevant": Voting(
        names=votes.RELEVANT_VOTES,
        negative=frozenset({"other_scope"}),
        sets=(("cover", "name_cover", "other_scope"), ("head",)),
        read=_relevant_votes,
    ),
    "evidence": Voting(
        names=votes.EVIDENCE_VOTES, negative=frozenset({"missing"}), sets=(("rules", "missing"), ("head",)), read=_evidence_votes
    ),
}


def fit_by_language(examples: Sequence[Example], question: str) -> Part:
    """English decides thresholds; other Latin languages get numbers of their own where the dev rows have enough."""
    english, rules = _fit_language(examples, question, "en")
    latin, latin_rules = _fit_language(examples, question, "latin")
    scores = fit.held_out(english, rules)
    importance = fit.row_weights(english, rules)
    threshold = fit.best_balance(scores, english.truth, importance)
    others = tuple(name for name in english.names if name not in ("cosine", "head"))
    sets = {"cosine": ("cosine",), "rules": others, "head": ("head",)}
    return Part(
        tables={f"{question}.en": weighed(english, rules), f"{question}.latin": weighed(latin, latin_rules)},
        votes=english,
        share=SHARE[question],
        scores=scores,
        threshold=threshold,
        uncertain=fit.uncertain_band(scores, english.truth, importance, threshold),
        ablation=(
            *_ablation(english, rules, sets, scores, threshold),
            *_ablation(latin, latin_rules, sets, fit.held_out(latin, latin_rules), threshold),
        ),
    )


def _fit_language(examples: Sequence[Example], question: str, language: str) -> tuple[Votes, Rules]:
    """The votes of one language, and how they are fitted."""
    voting = BY_LANGUAGE[question]
    found, _ = collect(examples, question, voting.names, voting.read, lambda example: votes.language_of(example.readings) == language)
    start = Rules(negative=voting.negative, prior={}, pulls={"cosine": fit.PULLS[0]}, share=SHARE[question])
    return found, fit.choose_pulls(found, start, voting.sets, lambda line: log(f"{question}.{language}: {line}"))


def _ablation(found: Votes, rules: Rules, sets: Mapping[str, tuple[str, ...]], scores: Floats, threshold: float) -> tuple[AblationRow, ...]:
    parts = {name: fit.held_out(column(found, *members), rules) for name, members in sets.items()}
    return tuple(AblationRow.measured(found, source, {**parts, "all": scores}, threshold, rules) for source in found.balanced_sources())


# ------------------------------------------------------------------ contradiction


def fit_contradicts(examples: Sequence[Example]) -> Part:
    """All votes, the head alone as a ceiling without a finding, the checks alone as a floor where they are certain."""
    weights = load_weights()
    found, used = collect(
        examples, "contradicts", votes.CONTRADICTS_VOTES, lambda example: votes.contradicts_votes(example.readings),
        lambda example: example.readings.heads.contradicts is not None,
    )  # fmt: skip
    ruled = Votes(
        names=votes.RULES_VOTES,
        values=np.array([[votes.logit(votes.rules_contradict(example.readings.pair, weights))] for example in used]),
        truth=found.truth, sources=found.sources, groups=found.groups, natural=found.natural,
    )  # fmt: skip
    rules = Rules(
        negative=frozenset({"agreement", "no_premise"}), prior=CHECK_PRIOR, pulls=dict.fromkeys(CHECK_PRIOR, 0.003),
        share=SHARE["contradicts"], generated=0.5,
    )  # fmt: skip
    head = column(found, "head")
    together, alone, carried = (fit.held_out(part, rules) for part in (found, head, ruled))
    noticed = np.array([votes.check_found(example.readings.pair) for example in used])
    certain = np.array([votes.check_is_certain(example.readings.pair) for example in used])
    scores = np.where(noticed, np.maximum(together, np.where(certain, carried, 0.0)), np.minimum(together, alone))
    importance = fit.row_weights(found, rules)
    threshold = fit.best_f1(scores, found.truth, importance)
    parts = {"rules": carried, "head": alone, "together": together, "all": scores}
    return Part(
        tables={
            "contradicts": weighed(found, rules),
            "contradicts_head": weighed(head, rules),
            "contradicts_rules": weighed(ruled, rules),
        },
        votes=found,
        share=rules.share,
        scores=scores,
        threshold=threshold,
        uncertain=fit.uncertain_band(scores, found.truth, importance, threshold),
        ablation=tuple(AblationRow.measured(found, source, parts, threshold, rules) for source in found.balanced_sources()),
    )


# ------------------------------------------------------------------ injection


def fit_injection(examples: Sequence[Example]) -> Part:
    """Scanner and head; what is hidden or encoded, or that the scanner is sure of, stands alone.

    The threshold stops one innocent text in fifty at most.
    """
    found, used = collect(
        examples, "injection", votes.INJECTION_VOTES, lambda example: votes.injection_votes(example.readings),
        lambda example: example.readings.heads.injection is not None,
    )  # fmt: skip
    rules = Rules(negative=frozenset({"damped"}), prior={}, pulls={}, share=SHARE["injection"], generated=0.5, single=0.5)
    certain = np.array([votes.certain_injection(example.readings.pair) for example in used])
    scanner = found.values[:, found.names.index("scanner")]
    # What the scanner alone would stop is stopped whatever the votes say.
    sure = np.where(scanner >= load_weights().thresholds.injection_max, scanner, 0.0)
    scores = np.maximum(fit.held_out(found, rules), np.maximum(certain, sure))
    importance = fit.row_weights(found, rules)
    threshold = fit.lowest_with(found, scores, MOST_FALSE_INJECTIONS)
    parts = {
        "rules": scanner,
        "head": fit.held_out(column(found, "head"), rules),
        "all": scores,
    }
    return Part(
        tables={"injection": weighed(found, rules)},
        votes=found,
        share=rules.share,
        scores=scores,
        threshold=threshold,
        uncertain=fit.uncertain_band(scores, found.truth, importance, threshold),
        ablation=tuple(AblationRow.measured(found, source, parts, threshold, rules) for source in found.balanced_sources()),
    )


# ------------------------------------------------------------------ the file


def toml(parts: Mapping[str, Part], claims: Mapping[str, float], made_from: Mapping[str, str]) -> str:
    """The calibration file."""
    limits = {"injection": "injection_max", "contradicts": "contradicts_min", "relevant": "relevant_min", "evidence": "evidence_min"}
    lines = ['# Weights of the votes of the judge "embedded", written by packaging/judge/calibrate.py; do not edit.', "", "[made_from]"]
    lines += [f'{name} = "{value}"' for name, value in made_from.items()]
    lines += ["", "[thresholds]", *(f"{limit} = {parts[question].threshold:.2f}" for question, limit in limits.items())]
    lines += ["", "[uncertain]", *(f"{question} = [{part.uncertain[0]:.2f}, {part.uncertain[1]:.2f}]" for question, part in parts.items())]
    lines += ["", "[claim]", *(f"{name} = {value:.4f}" for name, value in claims.items())]
    for part in parts.values():
        for name, table in part.tables.items():
            lines += ["", f"[{name}]", *(f"{vote} = {weight:.4f}" for vote, weight in table.items())]
    return "\n".join(lines) + "\n"


def origin(network: JudgeNetwork, rows: bytes) -> dict[str, str]:
    """What the numbers were made from."""
    return {
        "weights_sha256": network.description.weights,
        "rows_sha256": hashlib.sha256(rows).hexdigest(),
        "rules_sha256": weights_digest(),
        "votes": votes.VERSION,
        "precision": network.precision,
    }


def calibrate(examples: Sequence[Example]) -> dict[str, Part]:
    """All four questions."""
    parts = {question: fit_by_language(examples, question) for question in ("relevant", "evidence")}
    return {**parts, "contradicts": fit_contradicts(examples), "injection": fit_injection(examples)}


def main() -> None:
    """Read, weigh, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--folder", type=Path, default=Path("resources/judge"))
    parser.add_argument("--most", type=int, default=100, help="rows of a source and answer")
    options = parser.parse_args()
    torch.set_num_threads(1)
    network = JudgeNetwork(options.folder, "cpu")
    raw = (options.rows / "dev.jsonl").read_bytes()
    rows = chosen(list(read_rows(options.rows / "dev.jsonl")), options.most)
    examples, claims = judged_examples(rows, network), claim_examples(rows, network)
    log(f"{len(examples)} pairs, {len(claims)} claims, {network.precision}")
    parts = calibrate(examples)
    stances = calibrate_claims.fit(claims)
    made_from = origin(network, raw)
    (options.folder / FILE).write_text(toml(parts, stances.numbers, made_from), encoding="utf-8")
    text = "\n\n".join([*(figures(question, part) for question, part in parts.items()), claim_lines(stances)])
    (options.folder / "FIGURES.md").write_text(text + "\n", encoding="utf-8")
    log(text)
    log(json.dumps({question: [part.threshold, part.uncertain, part.tables] for question, part in parts.items()}, indent=1))


if __name__ == "__main__":
    main()
