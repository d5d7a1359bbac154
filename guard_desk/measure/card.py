"""Everything that explains what became of one passage, ready to be shown: no drawing in here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from guard_desk.measure.doubts import is_unreliable
from guard_desk.measure.explain import Flip, RuleStep, flips, rule_trace
from guard_desk.measure.reasons import (
    KEPT,
    KEPT_OTHERS,
    QUESTION_OF,
    Leg,
    answer_title,
    because,
    leg_of,
    questions_in_order,
    reasons_for,
)
from guard_desk.records.answer import EvidenceSpan
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.decision import Group, LineScore, Override, Place, Placement, Refusal, Route, Rule, Stance
from guard_desk.records.evidence import Hit, Judgement, Question, Retrieved, ValueKind
from guard_desk.records.trace import Trace
from guard_desk.text.injection import scan

THRESHOLD_WORDS = {
    "injection_max": "injection limit",
    "contradicts_min": "contradiction threshold",
    "relevant_min": "relevance floor",
    "evidence_min": "evidence threshold",
}
RULE_WORDS = {
    Rule.INJECTION: "Injection",
    Rule.CONTRADICTS: "Contradicts",
    Rule.RELEVANT: "Relevant",
    Rule.EVIDENCE: "Evidence",
    Rule.DEFAULT: "Otherwise",
    Rule.NOT_JUDGED: "Not judged",
}
QUESTION_WORDS = {
    Question.RELEVANT: "Relevant",
    Question.EVIDENCE: "Evidence",
    Question.CONTRADICTS: "Contradicts",
    Question.INJECTION: "Injection",
}
_INSTRUCTION_SCORE = 0.5


class MarkKind(StrEnum):
    """Why words of a passage are marked."""

    NUMBER = "number"
    DATE = "date"
    INSTRUCTION = "instruction"
    SUPPORT = "support"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardMark:
    """Marked words of the passage text.

    :param tip: what they are, in plain words.
    """

    span: Span
    kind: MarkKind
    tip: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One fact, as a line.

    :param head: a word or two in front; "" = none.
    :param leg: the part of the judge that says so; "" where no judge speaks.
    :param spans: what it rests on in the passage text.
    :param passage_ids: other passages that it speaks of.
    :param override: what a person may decide otherwise here.
    """

    text: str
    head: str = ""
    leg: str = ""
    spans: tuple[Span, ...] = ()
    passage_ids: tuple[str, ...] = ()
    override: Override | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Lines under a title.

    :param shown: so many lines are shown at first; None = all.
    """

    title: str
    lines: tuple[Line, ...]
    shown: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What is known of one passage.

    :param hit: None when it was not retrieved.
    :param placement: None while a run is on its way, and when it was not retrieved.
    :param steps: the four rules in order; empty when not judged or not yet routed.
    :param outcome: where the route leads, in words.
    :param problem: one sentence when something is missing; "" otherwise.
    :param unreliable: it counts as an injection, so that its other three answers cannot be trusted.
    """

    passage: Passage
    hit: Hit | None = None
    placement: Placement | None = None
    judgement: Judgement | None = None
    steps: tuple[RuleStep, ...] = ()
    outcome: str = ""
    flips: tuple[Flip, ...] = ()
    sections: tuple[Section, ...] = ()
    problem: str = ""
    unreliable: bool = False


def card(trace: Trace, passage_id: str, passage: Passage | None = None) -> Card | None:
    """The card of a passage.

    :param passage: the corpus' own passage, for one that is not in the pool.
    :returns: None when neither pool nor corpus has it.
    """
    position = position_of(trace.retrieved, passage_id)
    if position is None:
        return _unretrieved(passage)
    judgement, decision = trace.judged.judgements[position], trace.routed.decision(position)
    answers, thresholds = judgement.answers, trace.routed.thresholds
    return Card(
        passage=trace.retrieved.passages[position],
        hit=trace.retrieved.hits[position],
        placement=trace.prompt.places[position],
        judgement=judgement,
        steps=rule_trace(answers, thresholds) if answers else (),
        outcome=outcome_words(decision.route, decision.rule) if answers else "",
        flips=flips(answers, thresholds) if answers else (),
        sections=tuple(section for section in _sections(trace, position) if section.lines),
        problem="" if answers else _not_judged(judgement),
        unreliable=is_unreliable(answers, thresholds),
    )


def partial_card(retrieved: Retrieved, judgements: Sequence[Judgement], passage_id: str) -> Card | None:
    """The card of a passage while the run is on its way; None when it is not in the pool."""
    position = position_of(retrieved, passage_id)
    if position is None:
        return None
    judgement = judgements[position] if position < len(judgements) else None
    missing = "Not judged yet: its turn comes." if judgement is None else _not_judged(judgement) if judgement.answers is None else ""
    return Card(
        passage=retrieved.passages[position],
        hit=retrieved.hits[position],
        judgement=judgement,
        sections=reasons(judgement) if judgement is not None else (),
        problem=missing or "Judged; it is routed when the whole pool is.",
    )


def _unretrieved(passage: Passage | None) -> Card | None:
    if passage is None:
        return None
    return Card(passage=passage, problem="Not in the pool: it was filtered out, or others are closer to the question.")


def _not_judged(judgement: Judgement) -> str:
    return f"Not judged: {judgement.error or 'the judge gave no answers'}."


def position_of(retrieved: Retrieved, passage_id: str) -> int | None:
    """The pool position of a passage; None when it is not in the pool."""
    return next((at for at, hit in enumerate(retrieved.hits) if hit.passage_id == passage_id), None)


def outcome_words(route: Route, rule: Rule) -> str:
    """Where a route leads: "Otherwise: exclude"."""
    return f"No rule took it in: {route}" if rule is Rule.DEFAULT else f"{RULE_WORDS[rule]} decides: {route}"


def score(value: float, other: float | None = None) -> str:
    """An answer or threshold as people write it, ".55"; with more digits where two would make it look equal to `other`."""
    for digits in (2, 3, 4, 6):
        text = f"{value:.{digits}f}"
        if other is None or value == other or text != f"{other:.{digits}f}":
            break
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def compared(step: RuleStep) -> str:
    """How the answer stands to the threshold, ".97 > .70"; true as it reads, whether the rule stopped or not."""
    sign = ">" if step.value > step.threshold else "<" if step.value < step.threshold else "="
    return f"{score(step.value, step.threshold)} {sign} {score(step.threshold, step.value)}"


def flip_words(flip: Flip) -> str:
    """ "evidence threshold .55 → .52: include"."""
    before = flip.value - flip.change
    return f"{THRESHOLD_WORDS[flip.threshold_name]} {score(before, flip.value)} → {score(flip.value, before)}: {flip.route}"


def _sections(trace: Trace, position: int) -> Iterator[Section]:
    placement, judgement = trace.prompt.places[position], trace.judged.judgements[position]
    yield Section(title="Place", lines=tuple(_place(placement)))
    yield Section(title="Group", lines=tuple(_group(trace, placement.passage_id)))
    yield Section(title="Thinning", lines=tuple(_thinning(trace, placement.passage_id)))
    decision, thresholds = trace.routed.decision(position), trace.routed.thresholds
    yield from reasons(judgement, QUESTION_OF.get(decision.rule), unreliable=is_unreliable(judgement.answers, thresholds))


def _place(placement: Placement) -> Iterator[Line]:
    if placement.detail and placement.place not in (Place.EXCLUDED, Place.NOT_JUDGED):  # the rules above say it already
        ids = (placement.into,) if placement.place is Place.MERGED and placement.into else ()
        yield Line(text=placement.detail, passage_ids=ids)


def _group(trace: Trace, passage_id: str) -> Iterator[Line]:
    by_hand = {frozenset((said.left_id, said.right_id)): said for said in trace.overrides}
    group = next((group for group in trace.routed.groups if passage_id in group.members), None)
    if group is not None and len(group.members) > 1:
        yield from _members(group, passage_id)
    for refusal in trace.grouped.refusals:
        pair = frozenset((refusal.left_id, refusal.right_id))
        if passage_id in pair and pair not in by_hand:
            yield _refused(refusal, passage_id)
    for pair, said in by_hand.items():
        if passage_id in pair:
            yield _said(said, next(iter(pair - {passage_id}), passage_id))


def _said(override: Override, other_id: str) -> Line:
    return Line(
        head="by hand",
        text=f"{'merged with' if override.merge else 'kept apart from'} {other_id}",
        passage_ids=(other_id,),
        override=Override(left_id=override.left_id, right_id=override.right_id, merge=not override.merge),
    )


def _members(group: Group, passage_id: str) -> Iterator[Line]:
    for member, source in zip(group.members, group.member_sources, strict=True):
        if member != passage_id:
            role = ", which is shown for the group" if member == group.representative else ""
            yield Line(
                head="merged",
                text=f"with {member}{role}{f' ({source})' if source else ''}",
                passage_ids=(member,),
                override=Override(left_id=passage_id, right_id=member, merge=False),
            )


def _refused(refusal: Refusal, passage_id: str) -> Line:
    verdict, is_left = refusal.verdict, refusal.left_id == passage_id
    own, other = (verdict.left, verdict.right) if is_left else (verdict.right, verdict.left)
    span = verdict.left_span if is_left else verdict.right_span
    other_id = refusal.right_id if is_left else refusal.left_id
    how_near = f", similarity {score(verdict.similarity)}" if verdict.similarity is not None else ""
    differs = f"“{own or 'nothing'}” here, “{other or 'nothing'}” there"
    why = f"{str(verdict.guard).replace('_', ' ')}, {differs}" if verdict.guard else "the words are not close enough"
    return Line(
        head="kept apart",
        text=f"from {other_id}: {why}{how_near}",
        spans=(span,) if span else (),
        passage_ids=(other_id,),
        override=Override(left_id=passage_id, right_id=other_id, merge=True),
    )


def _thinning(trace: Trace, passage_id: str) -> Iterator[Line]:
    for candidate in trace.thinned.candidates:
        for line in candidate.lines:
            if line.passage_id == passage_id:
                yield Line(
                    head="states" if line.stance is Stance.STATES else "denies",
                    text=f"“{candidate.value}”: {line_words(line)}",
                    spans=(line.span,) if line.span else (),
                )
    for drop in trace.thinned.dropped:
        if drop.passage_id == passage_id:
            yield Line(head=drop.rule.replace("_", " "), text=drop.detail or "thinning took it out of the prompt")


def line_words(line: LineScore) -> str:
    """How a line's contribution comes about: "reliability 1.00 × recency .93 → +.93"."""
    parts = f"reliability {score(line.reliability)} × recency {score(line.recency)}"
    sign = "+" if line.contribution >= 0 else "−"
    result = f"adds nothing (cap: {line.capped})" if line.capped else f"{sign}{score(abs(line.contribution))}"
    return f"{parts} → {result}{f'; {line.note}' if line.note else ''}"


def reasons(judgement: Judgement, deciding: Question | None = None, *, unreliable: bool = False) -> tuple[Section, ...]:
    """Why the judge answered as it did: a section a question that has reasons, the deciding one first and longest."""
    sections = []
    for question in questions_in_order(deciding):
        found = reasons_for(judgement, question)
        value = score(getattr(judgement.answers, question)) if judgement.answers else ""
        title = answer_title(judgement, question, QUESTION_WORDS[question], value, unreliable=unreliable)
        lines = tuple(Line(text=because(reason), leg=str(leg_of(reason)), spans=reason.spans) for reason in found)
        if lines:
            sections.append(Section(title=title, lines=lines, shown=KEPT if question is deciding else KEPT_OTHERS))
    return tuple(sections)


_LIGHT = {
    ValueKind.DATE: MarkKind.DATE,
    ValueKind.TIME: MarkKind.DATE,
    ValueKind.NUMBER: MarkKind.NUMBER,
    ValueKind.MONEY: MarkKind.NUMBER,
    ValueKind.PERCENT: MarkKind.NUMBER,
}


def text_marks(trace: Trace, passage_id: str) -> tuple[CardMark, ...]:
    """Numbers, dates and instruction-like words of a pool passage; empty when it is not in the pool."""
    position = position_of(trace.retrieved, passage_id)
    if position is None:
        return ()
    values = trace.extracted.texts[position].values
    light = [CardMark(span=v.span, kind=_LIGHT[v.kind], tip=f"{v.kind}: {v.canonical or v.text}") for v in values if v.kind in _LIGHT]
    return (*instructions(trace.retrieved.passages[position], trace.judged.judgements[position]), *light)


def instructions(passage: Passage, judgement: Judgement | None) -> tuple[CardMark, ...]:
    """Words that try to command the system: those that the judge's checks named, or where they named none, those that the rules find.

    The window in which a judge's model suspects something is marked only where no words are known and the answer is yes rather than no.
    """
    given = [r for r in (judgement.reasons if judgement else ()) if r.question is Question.INJECTION and r.spans]
    named = [reason for reason in given if leg_of(reason) is Leg.CHECK]
    if not named:
        found = [finding for finding in scan(passage.text).findings if finding.score >= _INSTRUCTION_SCORE]
        marks = tuple(
            CardMark(span=item.span, kind=MarkKind.INSTRUCTION, tip=f"instruction-like: {item.rule} ({item.form})")
            for item in found
            if item.span.start < item.span.end
        )
        suspected = judgement is not None and judgement.answers is not None and judgement.answers.injection >= _INSTRUCTION_SCORE
        if marks or not suspected:
            return marks
        named = given
    return tuple(CardMark(span=span, kind=MarkKind.INSTRUCTION, tip=reason.detail) for reason in named for span in reason.spans)


def support_marks(evidence: Sequence[EvidenceSpan], passage_id: str) -> tuple[CardMark, ...]:
    """The words of a passage that a finding or claim of the answer rests on."""
    return tuple(
        CardMark(span=Span(item.start, item.end), kind=MarkKind.SUPPORT, tip="What the chosen words of the answer are held against.")
        for item in evidence
        if item.passage_id == passage_id and not item.in_title
    )


def chosen_evidence(trace: Trace, start: int | None) -> tuple[EvidenceSpan, ...]:
    """What the finding or claim of the answer that starts here rests on."""
    if start is None:
        return ()
    found = [finding.evidence for finding in trace.attributed.spans if finding.start == start]
    found += [claim.evidence for claim in trace.verified.claims if claim.start == start]
    return next((evidence for evidence in found if evidence), ())
