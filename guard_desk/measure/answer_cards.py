"""What the card beside a finding or a claim says: in words, with source and date of every place that it rests on. No drawing in here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guard_desk.measure.checked import LABEL_WORDS, SEVERITY_WORDS, STATE_WORDS, sure_words
from guard_desk.measure.checkers import reader_words
from guard_desk.records.answer import Claim, ClaimState, EvidenceSpan, Finding, Label
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.trace import Trace
from guard_desk.text.support.citations import PassageNames, find_marks

MOST_PLACES = 4
_AROUND = 90
"""Letters of a passage that are shown before and behind the words that count."""

_ENDS = ".!?\n。！？।"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Words of a passage that a finding or claim rests on.

    :param role: what they do to the answer, in a few words; "" where that goes without saying.
    :param source: where the passage comes from; "no source" where it does not say.
    :param dated: kind of source and date; "" without both.
    :param before: what stands before the words, `after` behind them.
    """

    passage_id: str
    role: str
    source: str
    dated: str
    before: str
    words: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCard:
    """One card.

    :param start: of the finding or claim in the answer; what a click on a place chooses again.
    :param headline: label and kind ("contradicted: date").
    :param weight: severity in words; "" for a claim.
    :param sure: confidence in words, never as a certainty; "" where nothing was checked.
    :param doubt: that only a model says so, in a sentence; "" for what rules show.
    :param side_by_side: the places are two sides of one disagreement.
    :param more: how many places are left out.
    """

    start: int
    headline: str
    words: str
    weight: str = ""
    sure: str = ""
    note: str = ""
    doubt: str = ""
    places: tuple[Place, ...] = ()
    side_by_side: bool = False
    more: int = 0


def cards_at(trace: Trace, position: int) -> tuple[AnswerCard, ...]:
    """The cards of the findings at a code point of the answer, the shortest first; of the claim there when it has no finding."""
    findings = [finding for finding in trace.attributed.spans if finding.start <= position < finding.end]
    findings.sort(key=lambda finding: finding.end - finding.start)
    if findings:
        return tuple(finding_card(trace, finding) for finding in findings)
    return tuple(claim_card(trace, claim) for claim in trace.verified.claims if claim.start <= position < claim.end)


def finding_card(trace: Trace, finding: Finding) -> AnswerCard:
    """The card of a finding."""
    places = tuple(_places(trace, finding))
    doubt = f"Only {reader_words(finding.by)} doubts this: no rule shows it." if finding.by else ""
    return AnswerCard(
        start=finding.start,
        headline=_headline(finding),
        words=finding.text,
        weight=SEVERITY_WORDS[finding.severity],
        sure=f"confidence {sure_words(finding.confidence)}",
        note=_sentence(finding.note),
        doubt=doubt,
        places=places[:MOST_PLACES],
        side_by_side=len(places) >= 2 and finding.label in (Label.CONFLICT, Label.MISATTRIBUTED),
        more=max(0, len(places) - MOST_PLACES),
    )


def _headline(finding: Finding) -> str:
    """Label and kind; the label alone where both are the same thing."""
    label = LABEL_WORDS[finding.label]
    words = label if str(finding.kind) == str(finding.label) else f"{label}: {finding.kind.replace('_', ' ')}"
    return f"{words[:1].upper()}{words[1:]}"


def claim_card(trace: Trace, claim: Claim) -> AnswerCard:
    """The card of a claim."""
    by_model = {
        ClaimState.SUPPORTED: "{} finds this in the passages; the rules alone do not.",
        ClaimState.NOT_CHECKED: "{} is not sure enough to say either.",
    }
    words = by_model.get(claim.state, "Only {} doubts this: no rule shows it.")
    roles = {ClaimState.SUPPORTED: "carries it", ClaimState.CONTRADICTED: "says otherwise"}
    known = _by_id(trace)
    places = [_place(known, item, roles.get(claim.state, "nearest")) for item in claim.evidence]
    return AnswerCard(
        start=claim.start,
        headline=STATE_WORDS[claim.state].capitalize(),
        words=claim.text,
        sure="" if claim.state is ClaimState.NOT_CHECKED else f"confidence {sure_words(claim.confidence)}",
        doubt=_sentence(words.format(reader_words(claim.by))) if claim.by else "",
        places=tuple(places[:MOST_PLACES]),
        more=max(0, len(places) - MOST_PLACES),
    )


def _places(trace: Trace, finding: Finding) -> Iterator[Place]:
    known = _by_id(trace)
    if finding.label is Label.MISATTRIBUTED:
        yield from _cited(finding, known)
    for at, item in enumerate(finding.evidence):
        yield _place(known, item, _role(finding, at))


def _role(finding: Finding, at: int) -> str:
    if finding.label is Label.CONFLICT:
        return "agrees with the answer" if at == 0 else "says otherwise"
    if finding.label is Label.CONTRADICTED:
        return "seems to say otherwise" if finding.by else "says instead"
    roles = {Label.MISATTRIBUTED: "has the statement", Label.OUTSIDE_PROMPT: "says it, but is not in the prompt"}
    return roles.get(finding.label, "nearest")


def _cited(finding: Finding, known: dict[str, Passage]) -> Iterator[Place]:
    """The passages that a citation names."""
    ids = list(known)
    better = {item.passage_id for item in finding.evidence}
    for mark in find_marks(finding.text, PassageNames(ids), ()):
        for position in mark.passages:
            passage = known[ids[position]]
            if passage.id not in better:
                start = EvidenceSpan(passage_id=passage.id, start=0, end=0, text="")
                yield _place(known, start, "is cited here")


def _by_id(trace: Trace) -> dict[str, Passage]:
    return {passage.id: passage for passage in trace.retrieved.passages}


def _place(known: dict[str, Passage], item: EvidenceSpan, role: str) -> Place:
    passage = known.get(item.passage_id)
    text = "" if passage is None else (passage.title or "") if item.in_title else passage.text
    whole = text[item.start : item.end] == item.text
    before, after = _around(text, Span(item.start, item.end)) if whole else ("", "")
    return Place(
        passage_id=item.passage_id,
        role=f"{role}, in its title" if item.in_title else role,
        source=(passage.source if passage else None) or "no source",
        dated=" · ".join(part for part in (passage.source_type, passage.date) if part) if passage else "",
        before=before,
        words=item.text,
        after=after,
    )


def _around(text: str, span: Span) -> tuple[str, str]:
    """The rest of the sentence that words stand in, cut at `_AROUND` letters on each side."""
    before = text[max(0, span.start - _AROUND) : span.start]
    cut = max(before.rfind(mark) for mark in _ENDS)
    whole = cut >= 0 or span.start <= _AROUND
    lead = before[cut + 1 :].lstrip()
    after = text[span.end : span.end + _AROUND]
    ends = [at for mark in _ENDS if (at := after.find(mark)) >= 0]
    inside = after[: min(ends) + 1] if ends and span.end > span.start else after
    cut_short = not ends and span.end + _AROUND < len(text)
    return (lead if whole else f"…{lead}"), (f"{inside}…" if cut_short else inside.rstrip())


def _sentence(note: str) -> str:
    return f"{note[:1].upper()}{note[1:]}{'' if not note or note[-1] in _ENDS + ')…”' else '.'}"


def plain_card(cards: Sequence[AnswerCard]) -> str:
    """Cards as plain text, for a reader of the screen."""
    lines = []
    for card in cards:
        head = " · ".join(part for part in (card.headline, card.weight, card.sure) if part)
        lines += [head, *(part for part in (card.note, card.doubt) if part)]
        for place in card.places:
            origin = " · ".join(part for part in (place.source, place.dated) if part)
            lines.append(f"{place.passage_id} ({origin}) {place.role}: {place.before}{place.words}{place.after}")
    return "\n".join(lines)
