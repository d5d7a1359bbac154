"""What a line says to a yes/no question: "yes" or "no", shown by its own words where they can stand for the answer."""

from __future__ import annotations

from guard_desk.records.corpus import Span
from guard_desk.records.decision import Stance
from guard_desk.records.evidence import TextFacts
from guard_desk.text.thinning import stance
from guard_desk.text.thinning.coverage import Coverage, SentenceView, positions_of
from guard_desk.text.thinning.frame import Frame
from guard_desk.text.thinning.language import hits, listed, phrase_groups
from guard_desk.text.thinning.mentions import Mention

# So many words may stand between a denial and what it denies for both to be shown: "not yet permitted".
_NEAR = 3


def yes_no(frame: Frame, sentence: SentenceView, coverage: Coverage, facts: TextFacts) -> Mention | None:
    """What a sentence says; None when it lacks a term that no opposite stands for."""
    opposite = opposite_of(frame, sentence)
    if coverage.missing and not opposite:
        return None
    reading = stance.read(sentence, [], frame.language)
    negative = (bool(reading.denials) + bool(opposite) + reading.whole) % 2 == 1
    if frame.is_han:
        span, text = _shown_han(reading, coverage, opposite, negative=negative)
    else:
        span, text = _shown(frame, reading, coverage, opposite, negative=negative)
    return Mention(
        span=span,
        text=text,
        stance=Stance.STATES,
        sentence=sentence.span,
        key="no" if negative else "yes",
        hedged=stance.is_hedged(sentence, facts),
    )


def _shown(frame: Frame, reading: stance.Reading, coverage: Coverage, opposite: tuple[int, ...], *, negative: bool) -> tuple[Span, str]:
    """The predicate with its denial ("not permitted") where the question has a form of "to be", else "yes" or "no"."""
    tokens = reading.sentence.tokens
    asked = [term for term in frame.terms if term.stem in frame.attribute]
    last = positions_of(asked[-1], reading.sentence, frame.language) if frame.language == "de" and asked else ()
    predicate = opposite or last[:1] or (min(coverage.anchors),)
    place = reading.denials[0].first if reading.denials else predicate[0]
    first = place if 0 <= predicate[0] - place <= _NEAR else predicate[0]
    span = Span(tokens[first].span.start, tokens[predicate[-1]].span.end)
    shown = frame.copular and (opposite or tokens[predicate[0]].stem in frame.attribute)
    return span, span.of(reading.sentence.text) if shown else listed(frame.language, "said")[negative]


def _shown_han(reading: stance.Reading, coverage: Coverage, opposite: tuple[int, ...], *, negative: bool) -> tuple[Span, str]:
    """The denial with what it denies ("不含铅"), else 是 or 否."""
    tokens = reading.sentence.tokens
    if not reading.denials:
        return tokens[min(coverage.anchors)].span, "否" if negative else "是"
    first, last = reading.denials[0].first, reading.denials[0].last
    while last + 1 in coverage.matched:
        last += 1
    span = Span(tokens[first].span.start, tokens[last].span.end)
    return span, span.of(reading.sentence.text) if negative and not opposite else "否" if negative else "是"


def opposite_of(frame: Frame, sentence: SentenceView) -> tuple[int, ...]:
    """Positions of a word that says the opposite of a term of the question ("banned" for "permitted")."""
    groups = {group for term in frame.terms for group in term.groups}
    found = hits(phrase_groups(frame.language, "opposites"), sentence.own, sentence.local)
    return next((hit.words for hit in found if groups & set(hit.meanings)), ())
