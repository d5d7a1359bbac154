"""Answers that begin with yes or no, checked against what the passages say of the question's statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import ValueKind
from guard_desk.text.support.language import phrases, plain
from guard_desk.text.support.polarity import opposed, overlap
from guard_desk.text.support.pool import Aligned, Place
from guard_desk.text.support.values import states
from guard_desk.text.support.views import Unit, View
from guard_desk.text.values import Relation, compare

_AGREES = 0.75
_CLOSING = " \t\r\n.,;:!?。，；：！？、*_"


class Reply(Enum):
    """What an answer says to a yes/no question."""

    YES = auto()
    NO = auto()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a passage holds or denies what was asked."""

    holds: bool
    place: Place
    strength: float


def reply_of(text: str, languages: Sequence[str]) -> tuple[Reply, Span] | None:
    """The yes or no that a text begins with, and its place. It must be followed by a mark or the end of the text."""
    folded = plain(text).casefold()
    lead = len(folded) - len(folded.lstrip(" \t\r\n*_>\"'"))
    for code in languages:
        words = [(phrase, Reply.NO) for phrase in phrases("verify.no", code)] + [
            (phrase, Reply.YES) for phrase in phrases("verify.yes", code)
        ]
        for phrase, reply in sorted(words, key=lambda item: -len(item[0])):
            if folded.startswith(phrase, lead) and folded[lead + len(phrase) : lead + len(phrase) + 1].strip(_CLOSING) == "":
                following = folded[lead + len(phrase) : lead + len(phrase) + 1]
                if following != " ":
                    return reply, Span(lead, lead + len(phrase))
    return None


def asks_yes_no(query: View) -> bool:
    """Whether a question can be answered with yes or no: by its opening or its closing words."""
    folded = plain(query.text).casefold().strip().strip("¿").rstrip(" ?？.。")
    code = query.language
    opens = any(folded.startswith(opening + ("" if opening.endswith("'") else " ")) for opening in phrases("verify.question_open", code))
    return opens or any(folded.endswith(tail) for tail in phrases("verify.question_tail", code))


def answer_of(query: View, aligned: Sequence[Aligned]) -> Verdict | None:
    """What the closest passage says of the question's statement; None when none is close enough to tell."""
    if not query.units:
        return None
    unit = query.units[0]
    against = opposed(query, unit, unit.span, aligned)
    if against is not None:
        return Verdict(unit.comparison * against.place.unit.comparison < 0, against.place, against.strength)
    stems = unit.bare
    for item in aligned:
        strength = overlap(stems, item.place)
        if strength >= _AGREES and not item.place.in_title:
            turned = unit.comparison * item.place.unit.comparison < 0
            return Verdict(not turned and not _other_value(query, unit, item.place), item.place, strength)
    return None


def _other_value(query: View, unit: Unit, place: Place) -> bool:
    """Whether the passage has another value than the question for one of its amounts or dates."""
    theirs = [place.view.values[position] for position in place.unit.values]
    for position in unit.values:
        value = query.values[position]
        if value.kind is ValueKind.ENTITY or any(states(value, other) for other in theirs):
            continue
        if any(compare(value, other) in (Relation.DIFFERENT, Relation.UNIT) for other in theirs):
            return True
    return False
