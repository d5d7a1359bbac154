"""The numbers that the judge "features" weighs: how a passage meets a question in words, kinds of value, premises and orders."""

from __future__ import annotations

from dataclasses import dataclass

from guard_desk.text.evidence_marks import EvidenceMark, mark_evidence
from guard_desk.text.injection import InjectionScan, scan
from guard_desk.text.languages import is_cjk
from guard_desk.text.passage_reading import PassageReading, read_passage
from guard_desk.text.premise import Premise, premises
from guard_desk.text.premise_checks import CHECKS, PremiseVerdict, check_premises
from guard_desk.text.question_reading import QuestionReading, read_question

RELEVANCE = ("similarity", "cover", "name_cover", "pair_cover", "title_match", "other_scope")
EVIDENCE = (
    "similarity",
    "best_cover",
    "novelty",
    "pair_cover",
    "amount_found",
    "amount_missing",
    "name_found",
    "name_missing",
    "way_found",
    "way_missing",
    "boolean",
    "other_scope",
)
CONTRADICTION = (*CHECKS, "two_checks", "agreement")
OTHER_SCOPE_FACTOR = 0.15
PAIR_DISTANCE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PairReading:
    """All that the rules find for one pair.

    :param script: which calibration fits: "en", "latin", "other".
    """

    question: QuestionReading
    passage: PassageReading
    premises: tuple[Premise, ...]
    verdict: PremiseVerdict
    mark: EvidenceMark
    injection: InjectionScan
    similarity: float
    script: str


def read_pair(query: str, text: str, title: str | None, similarity: float, *, injection: InjectionScan | None = None) -> PairReading:
    """Read a question and a passage against each other.

    :param similarity: cosine of the dense encoder, -1..1.
    :param injection: what is already known of the passage's orders, whatever the question; None = look for them.
    """
    question = read_question(query)
    passage = read_passage(text, title, question.language)
    taken = premises(query)
    return PairReading(
        question=question,
        passage=passage,
        premises=taken,
        verdict=check_premises(question, taken, passage),
        mark=mark_evidence(question, passage),
        injection=injection or scan(f"{title}\n{text}" if title else text),
        similarity=similarity,
        script=script_of(question),
    )


def script_of(question: QuestionReading) -> str:
    """The calibration of a question: MiniLM knows English; other Latin scripts share words with it, others nothing."""
    if question.language == "en" and question.text.isascii():
        return "en"
    return "other" if any(is_cjk(char) or (ord(char) > 0x2FF and char.isalpha()) for char in question.text) else "latin"


def relevance_features(pair: PairReading) -> tuple[float, ...]:
    """Values of `RELEVANCE`."""
    question, passage = pair.question, pair.passage
    titled = len(passage.title_keys & question.keys) / len(passage.title_keys) if passage.title_keys else 0.4
    return (
        pair.similarity,
        _share(question.keys, passage.keys),
        _share(question.names, passage.names) if question.names else 0.5,
        _pair_cover(question, passage),
        titled,
        float(pair.verdict.other_scope),
    )


def evidence_features(pair: PairReading) -> tuple[float, ...]:
    """Values of `EVIDENCE`."""
    mark = pair.mark
    found = mark.found * mark.cover
    missing = float(mark.found == 0.0)
    by_group = [value for group in ("amount", "name", "way") for value in ((found, missing) if mark.group == group else (0.0, 0.0))]
    return (
        pair.similarity,
        mark.cover,
        mark.novelty,
        _pair_cover(pair.question, pair.passage),
        *by_group,
        float(pair.question.form == "boolean"),
        float(pair.verdict.other_scope),
    )


def contradiction_features(pair: PairReading) -> tuple[float, ...]:
    """Values of `CONTRADICTION`."""
    factor = OTHER_SCOPE_FACTOR if pair.verdict.other_scope else 1.0
    strengths = [pair.verdict.strength(check) * factor for check in CHECKS]
    return (*strengths, float(sum(strength > 0.4 for strength in strengths) >= 2), pair.verdict.agreement)


def _share(wanted: frozenset[str], there: frozenset[str]) -> float:
    return len(wanted & there) / len(wanted) if wanted else 0.0


def _pair_cover(question: QuestionReading, passage: PassageReading) -> float:
    """Share of the question's neighbouring words ("notice period") that stand near each other in the passage."""
    if not question.pairs:
        return 0.5
    met = 0
    for left, right in question.pairs:
        met += any(_near(order, left, right) for order in passage.order)
    return met / len(question.pairs)


def _near(order: tuple[str, ...], left: str, right: str) -> bool:
    places = [index for index, key in enumerate(order) if key == left]
    return any(right in order[max(0, place - PAIR_DISTANCE) : place + PAIR_DISTANCE + 1] for place in places)
