"""Yes or no from running text: the sentence that speaks of what is asked, and whether it is denied there."""

from __future__ import annotations

from guard_desk import lang
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.decision import Stance
from guard_desk.records.evidence import CueKind, TextFacts
from guard_desk.text.thinning import stance
from guard_desk.text.thinning.coverage import SentenceView, view
from guard_desk.text.thinning.frame import Frame
from guard_desk.text.thinning.language import hits, listed, phrase_groups
from guard_desk.text.thinning.mentions import Mention
from guard_desk.text.thinning.passages import Asked, Nearness
from guard_desk.text.words import words_in

# Weight of the question's keys that a sentence needs, with the sentences beside it and alone.
_WINDOW = 0.65
_OWN = 0.5
SAID = 0.9
"""Certainty of a passage that begins with yes or no."""


def read_yes_no(question: Asked, passage: Passage, facts: TextFacts, near: Nearness) -> tuple[Mention, SentenceView, float] | None:
    """What a passage says to a yes/no question, the sentence that says it, and how sure that is; None when it says nothing."""
    frame = question.frame
    if near.names < 1.0 or not near.own:
        return None
    said = _said(frame, passage)
    best = max(range(len(near.own)), key=lambda i: (near.own[i], -i))
    if said is not None:
        seen = view(passage.text, near.sentences[0], frame.language)
        return _mention(facts, seen, said[0], frame.language, denied=said[1]), seen, SAID
    if near.own[best] < _OWN or near.window[best] < _WINDOW:
        return None
    seen = view(passage.text, near.sentences[best], frame.language)
    denied = _is_denied(question, near, seen)
    return _mention(facts, seen, near.sentences[best], frame.language, denied=denied), seen, near.own[best]


def _said(frame: Frame, passage: Passage) -> tuple[Span, bool] | None:
    """A passage that begins with "Yes," or "No,": that word, and whether it denies."""
    first = words_in(passage.text, Span(0, min(len(passage.text), 12)), frame.language)[:1]
    if not first or passage.text[first[0].span.end : first[0].span.end + 1] not in (",", ".", "!", "，", "。", "！"):
        return None
    for name, denies in (("verify.yes", False), ("verify.no", True)):
        if first[0].folded in lang.entry(frame.language, name):
            return first[0].span, denies
    return None


def _is_denied(question: Asked, near: Nearness, seen: SentenceView) -> bool:
    """Whether a denial stands in a segment with words of the question, or the opposite of one of them; both together cancel out."""
    language = question.frame.language
    reading = stance.read(seen, [], language)
    met = {near.read.tokens[place].span.start for place, _ in near.places}
    segments = {reading.segment[i] for i, word in enumerate(seen.tokens) if word.span.start in met}
    denied = any(reading.segment[hit.first] in segments for hit in reading.denials)
    groups = {group for term in question.frame.terms for group in term.groups}
    opposite = any(groups & set(hit.meanings) for hit in hits(phrase_groups(language, "opposites"), seen.own, seen.local))
    return (denied + opposite + reading.whole) % 2 == 1


def _mention(facts: TextFacts, seen: SentenceView, span: Span, language: str, *, denied: bool) -> Mention:
    hedged = any(cue.kind is CueKind.HEDGE and cue.span.overlaps(seen.span) for cue in facts.cues)
    return Mention(
        span=span,
        text=listed(language, "said")[denied],
        stance=Stance.STATES,
        sentence=seen.span,
        key="no" if denied else "yes",
        hedged=hedged,
    )
