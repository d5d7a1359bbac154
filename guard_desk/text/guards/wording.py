"""Guards of wording: what a replaced or added word makes two texts differ in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guard_desk.records.decision import Guard
from guard_desk.records.evidence import Cue, CueKind
from guard_desk.text.guards.amounts import name_values
from guard_desk.text.guards.changes import Change
from guard_desk.text.guards.lexicon import Lexicon
from guard_desk.text.guards.units import Kind, Text, Unit
from guard_desk.text.words import stem_word

_CUE_GUARDS = {
    CueKind.NEGATION: Guard.NEGATION,
    CueKind.MODALITY: Guard.MODALITY,
    CueKind.CONDITION: Guard.CONDITION,
    CueKind.QUANTIFIER: Guard.QUANTIFIER,
    CueKind.DIRECTION: Guard.DIRECTION,
    CueKind.COMPARISON: Guard.COMPARISON,
    CueKind.STATUS: Guard.STATUS,
}
# Where two guards have equal evidence the first one names the difference.
PRIORITY = (
    Guard.CURRENCY,
    Guard.UNIT,
    Guard.NUMBER,
    Guard.DATE,
    Guard.VERSION,
    Guard.SCOPE,
    Guard.ROLE,
    Guard.CONDITION,
    Guard.NEGATION,
    Guard.MODALITY,
    Guard.QUANTIFIER,
    Guard.COMPARISON,
    Guard.DIRECTION,
    Guard.STATUS,
    Guard.IDENTIFIER,
    Guard.ENTITY,
    Guard.ADDED_FACT,
)
# How much each kind of evidence says, for one side.
_OPERATOR, _LISTED, _CUE = 1.0, 0.9, 0.7
_SHORT = 2


def name_change(change: Change, left: Text, right: Text, lex: Lexicon, cues: Sequence[tuple[Cue, ...]]) -> tuple[Guard, float]:
    """The guard of one difference, and how sure that name is (0..2).

    :param cues: of the left and of the right text.
    """
    if change.addition:
        text, side = (left, 0) if change.left else (right, 1)
        return _name_addition(change, text, lex, cues[side])
    values = [unit for unit in change.left if unit.value], [unit for unit in change.right if unit.value]
    if values[0] and values[1]:
        return name_values(values[0][0], values[1][0]), 2.0
    evidence = [dict(_evidence(units, lex, found)) for units, found in zip((change.left, change.right), cues, strict=True)]
    scores = {guard: evidence[0].get(guard, 0.0) + evidence[1].get(guard, 0.0) for guard in {*evidence[0], *evidence[1]}}
    if _denies(change.left) is not _denies(change.right):
        scores[Guard.NEGATION] = 1.95
    if _negated(change, lex):
        scores[Guard.NEGATION] = max(scores.get(Guard.NEGATION, 0.0), 1.7)
    if _is_code(change.left, left) and _is_code(change.right, right):
        scores[Guard.IDENTIFIER] = 1.75
    if _is_name(change.left) and _is_name(change.right):
        scores[Guard.ENTITY] = 1.5
    scores.setdefault(Guard.ENTITY, 0.6)
    return _best(scores)


def _best(scores: dict[Guard, float]) -> tuple[Guard, float]:
    guard = min(scores, key=lambda name: (-scores[name], PRIORITY.index(name)))
    return guard, scores[guard]


def _name_addition(change: Change, text: Text, lex: Lexicon, cues: tuple[Cue, ...]) -> tuple[Guard, float]:
    units = change.addition
    first = units[0]
    if change.whole_sentence:
        return Guard.ADDED_FACT, 1.0
    if first.kind is Kind.OPENING and first.guard is not None and not first.key.endswith((":or", ":but")):
        return (Guard.CONDITION if len(units) > 1 and first.guard is not Guard.NEGATION else first.guard), 1.0
    if lex.sets["postposed"] and any(unit.kind is Kind.OPENING and unit.guard is Guard.CONDITION for unit in units):
        return Guard.CONDITION, 0.9
    operators = {unit.guard: _OPERATOR for unit in units if unit.guard is not None and unit.kind in (Kind.OPERATOR, Kind.OPENING)}
    if len(units) <= _SHORT and operators:
        return _best({guard: score for guard, score in operators.items() if guard is not None})
    if len(units) == 1:
        scores = {guard: score for guard, score in _evidence(units, lex, cues) if guard in PRIORITY}
        if _is_code(units, text):
            scores[Guard.IDENTIFIER] = 0.8
        scores.setdefault(Guard.ADDED_FACT, 0.6)
        return _best(scores)
    return Guard.ADDED_FACT, 0.8


def _evidence(units: Sequence[Unit], lex: Lexicon, cues: tuple[Cue, ...]) -> Iterator[tuple[Guard, float]]:
    """What the units of one side speak for, weakest first, so that a dict keeps the strongest."""
    for unit in units:
        for cue in cues:
            if cue.span.overlaps(unit.span) and cue.kind in _CUE_GUARDS:
                yield _CUE_GUARDS[cue.kind], _CUE
    words = _forms(units, lex)
    for guard, listed in _stemmed(lex).items():
        if any(form in listed for form in words):
            yield guard, _LISTED
    for unit in units:
        if unit.guard is not None:
            yield unit.guard, _OPERATOR


def _forms(units: Sequence[Unit], lex: Lexicon) -> set[str]:
    """Folded forms and stems of the units, and for Chinese of neighbouring characters together."""
    if lex.language == "zh":
        joined = "".join(unit.folded for unit in units)
        shortest = min(2, len(joined))  # a single character inside a longer change is part of another word
        return {joined[start:end] for start in range(len(joined)) for end in range(start + shortest, min(start + 4, len(joined)) + 1)}
    return {unit.folded for unit in units} | {unit.key for unit in units} | {unit.text for unit in units}


_STEMMED: dict[str, dict[Guard, frozenset[str]]] = {}


def _stemmed(lex: Lexicon) -> dict[Guard, frozenset[str]]:
    if lex.language not in _STEMMED:
        _STEMMED[lex.language] = {
            guard: listed | frozenset(stem_word(word, lex.language) for word in listed) for guard, listed in lex.naming.items()
        }
    return _STEMMED[lex.language]


def _denies(units: Sequence[Unit]) -> bool:
    return any(unit.guard is Guard.NEGATION and unit.kind in (Kind.OPERATOR, Kind.OPENING) for unit in units)


def _negated(change: Change, lex: Lexicon) -> bool:
    """Whether one word is the other with a prefix that denies it ("valid", "invalid")."""
    for a in change.left:
        for b in change.right:
            short, long = sorted((a.folded, b.folded), key=len)
            if any(long == prefix + short for prefix in lex.negation_prefixes) and len(short) > 2:
                return True
    return False


def _is_code(units: Sequence[Unit], text: Text) -> bool:
    """Whether a unit looks like an identifier: digits or underscores in a word, or it stands in backticks or after dashes."""
    for unit in units:
        mixed = any(ch.isdigit() for ch in unit.text) and any(ch.isalpha() for ch in unit.text)
        start, end = unit.span.start, unit.span.end
        around = text.text[max(0, start - 2) : start]
        if (
            around[-1:].isdigit()
            or mixed
            or "_" in unit.text
            or around.strip() in ("--", "-")
            or text.text.count("`", 0, start) % 2 == 1
            or text.text[end : end + 1] == "_"
        ):
            return True
        if around[-1:] in ("/", ".", "=", "_", "@", "\\") and start > 1 and not around[:1].isspace():
            return True
    return False


def _is_name(units: Sequence[Unit]) -> bool:
    """Whether a unit is written like a name: a capital that no sentence start explains."""
    return any(unit.text[:1].isupper() and (unit.span.start > 0 or len(units) > 1) for unit in units if unit.kind is Kind.WORD)
