"""Whether the answer says of the same thing that it must be where a passage says that it may, or changes its condition.

A denial that both sides share says nothing here, and one that only one side has is looked at in `polarity`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Cue, CueKind
from guard_desk.text.support.language import plain
from guard_desk.text.support.polarity import Opposed, overlap
from guard_desk.text.support.pool import Aligned
from guard_desk.text.support.views import Unit, View

# The sentence must say the same but for the word of duty or condition.
_SAME = 0.75
_SAME_BACK = 0.6
_SAME_CONDITION = 0.6
_DEGREES = frozenset({"must", "may", "need_not", "cannot"})
# What the answer says, and what the passage says; "may" for "must" leaves something open and is not among them.
_STRETCHED = {
    ("must", "may"): "the passage says that this may be, not that it must",
    ("must", "need_not"): "the passage says that this need not be",
    ("need_not", "must"): "the passage says that this must be",
    ("need_not", "cannot"): "the passage forbids this",
    ("cannot", "need_not"): "the passage says that this need not be, and does not forbid it",
}
# What the answer says of a noun, and what the passage says of the same noun.
_WIDENED = {
    ("all", "some"),
    ("all", "most"),
    ("all", "many"),
    ("all", "few"),
    ("most", "few"),
    ("many", "few"),
    ("few", "many"),
    ("few", "most"),
}
_CONDITIONS = frozenset({"if", "only_if", "unless"})


def requalified(view: View, unit: Unit, clause: Span, aligned: Sequence[Aligned]) -> Opposed | None:
    """The sentence with another duty or condition, unless one as close has the answer's own."""
    stems = frozenset(stem for stem, place in unit.order if clause.start <= place < clause.end and stem in unit.bare - unit.modal)
    if len(stems) < 2:
        return None
    best: Opposed | None = None
    for item in aligned:
        place = item.place
        strength = overlap(stems, place)
        if strength < _SAME or place.in_title or place.view.language != view.language:
            continue
        theirs = place.unit.bare - place.unit.modal
        if len(stems & theirs) < _SAME_BACK * len(theirs):
            continue
        note = next((found for rule in _RULES if (found := rule(view, unit, place.view, place.unit))), "")
        if not note:
            return None if best is None or strength >= best.strength else best
        if best is None or strength > best.strength:
            best = Opposed(place, strength, note)
    return best


def _duty(mine: View, unit: Unit, theirs: View, other: Unit) -> str:
    ours, others = _degrees(mine, unit), _degrees(theirs, other)
    if len(ours) != 1 or len(others) != 1:
        return ""
    return _STRETCHED.get((next(iter(ours)), next(iter(others))), "")


def _degrees(view: View, unit: Unit) -> set[str]:
    return {cue.meaning for cue in _cues(view, unit, CueKind.MODALITY) if cue.meaning in _DEGREES}


def _condition(mine: View, unit: Unit, theirs: View, other: Unit) -> str:
    ours, others = _conditions(mine, unit), _conditions(theirs, other)
    if len(ours) != 1 or len(others) != 1 or not _about_the_same(unit, ours[0], other, others[0]):
        return ""
    here, there = _kind(mine, ours[0]), _kind(theirs, others[0])
    if here == "in_any_case" and there in _CONDITIONS:
        return "the passage says so under a condition only"
    if there == "in_any_case" and here in _CONDITIONS:
        return "the passage says so in any case"
    turned = (here == "unless") != (there == "unless")
    denied = (len(unit.negations) - len(other.negations)) % 2 == 1
    return "the passage turns the condition round" if turned and not denied and {here, there} <= _CONDITIONS else ""


def _conditions(view: View, unit: Unit) -> list[Cue]:
    return [cue for cue in _cues(view, unit, CueKind.CONDITION) if _kind(view, cue)]


def _kind(view: View, cue: Cue) -> str:
    if cue.meaning != "even_if":
        return cue.meaning if cue.meaning in _CONDITIONS else ""
    # "Although" and "despite" concede a fact; they set no condition.
    return "in_any_case" if plain(cue.span.of(view.text)).casefold() in _in_any_case(view.language) else ""


@cache
def _in_any_case(language: str) -> frozenset[str]:
    table = lang.entry(language, "dedup.operators.condition")
    listed = (phrase for name in ("even_if", "regardless") for phrase in (table.get(name, ()) if isinstance(table, dict) else ()))
    return frozenset(phrase.casefold() for phrase in listed)


def _about_the_same(unit: Unit, ours: Cue, other: Unit, others: Cue) -> bool:
    """Whether the words after both conditions are mostly the same."""
    mine, theirs = _after(unit, ours), _after(other, others)
    fewest = min(len(mine), len(theirs))
    return fewest > 0 and len(mine & theirs) >= _SAME_CONDITION * fewest


def _after(unit: Unit, cue: Cue) -> frozenset[str]:
    end = next((clause.span.end for clause in unit.clauses if clause.span.start <= cue.span.start < clause.span.end), unit.span.end)
    return frozenset(stem for stem, place in unit.order if cue.span.end <= place < end)


def _quantity(mine: View, unit: Unit, theirs: View, other: Unit) -> str:
    ours, others = _quantified(mine, unit), _quantified(theirs, other)
    for stem, meaning in ours.items():
        if (meaning, others.get(stem)) in _WIDENED:
            return "the passage says this of another number of them"
    return ""


def _quantified(view: View, unit: Unit) -> dict[str, str]:
    """The stem after each word of quantity -> the word's meaning."""
    found: dict[str, str] = {}
    for cue in _cues(view, unit, CueKind.QUANTIFIER):
        following = next((stem for stem, place in unit.order if place >= cue.span.end), None)
        if following is not None:
            found[following] = cue.meaning
    return found


def _exception(mine: View, unit: Unit, theirs: View, other: Unit) -> str:
    """What a passage excepts, stated of just that."""
    if unit.negations or other.negations or any(cue.meaning == "except" for cue in _cues(mine, unit, CueKind.CONDITION)):
        return ""
    return "the passage excepts this" if excepts(theirs, other, unit) else ""


def excepts(view: View, other: Unit, unit: Unit) -> bool:
    """Whether a passage's sentence excepts what a sentence of the answer speaks of ("free except on Mondays", "on Mondays")."""
    excepted = [_after(other, cue) for cue in _cues(view, other, CueKind.CONDITION) if cue.meaning == "except"]
    return any(stems and stems <= unit.stems for stems in excepted)


def _cues(view: View, unit: Unit, kind: CueKind) -> list[Cue]:
    return [cue for cue in view.facts.cues if cue.kind is kind and unit.span.start <= cue.span.start < unit.span.end]


_RULES = (_duty, _condition, _quantity, _exception)
