"""Guards of what stands beside a text: version, scope, explicit claims, and the values of the titles."""

from __future__ import annotations

from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Guard, MergeVerdict
from guard_desk.records.evidence import TextFacts
from guard_desk.text.analyze import analyze_text
from guard_desk.text.guards.amounts import name_values
from guard_desk.text.guards.matching import match
from guard_desk.text.guards.units import Unit, prepare
from guard_desk.text.normalize import fold_text


def metadata_verdict(a: Passage, b: Passage) -> MergeVerdict | None:
    """The refusal that metadata call for; None when they agree.

    A field that one passage lacks is no difference: only stated fields can disagree.
    """
    for guard, left, right in ((Guard.VERSION, a.version, b.version), (Guard.SCOPE, a.scope, b.scope)):
        if left is not None and right is not None and left != right:
            return MergeVerdict(merge=False, guard=guard, left=left, right=right)
    return _claims(a, b) or _titles(a, b)


def _claims(a: Passage, b: Passage) -> MergeVerdict | None:
    """Two values stated for one claim; a claim about another thing is another scope."""
    if a.claim_key is None or b.claim_key is None:
        return None
    if a.claim_key != b.claim_key:
        return MergeVerdict(merge=False, guard=Guard.SCOPE, left=a.claim_key, right=b.claim_key)
    if a.claim_value is None or b.claim_value is None:
        return None
    guard = _differs(a.claim_value, b.claim_value)
    return None if guard is None else MergeVerdict(merge=False, guard=guard, left=a.claim_value, right=b.claim_value)


def _titles(a: Passage, b: Passage) -> MergeVerdict | None:
    """Titles with other numbers or identifiers ("Model 300", "Model 400") make the same text about another thing."""
    if a.title is None or b.title is None or fold_text(a.title) == fold_text(b.title):
        return None
    left, right = (
        {unit.key: unit for unit in prepare(title, _facts(title)).units if unit.value is not None} for title in (a.title, b.title)
    )
    only_left, only_right = (left.keys() - right.keys()), (right.keys() - left.keys())
    if not only_left or not only_right:
        return None
    first, second = left[min(only_left)], right[min(only_right)]
    return MergeVerdict(merge=False, guard=Guard.SCOPE, left=first.text, right=second.text)


def _differs(left: str, right: str) -> Guard | None:
    """The guard between two short values; None when they are equal whatever their format."""
    if fold_text(left) == fold_text(right):
        return None
    units_left, units_right = prepare(left, _facts(left)).units, prepare(right, _facts(right)).units
    matching = match(units_left, units_right)
    if (units_left or units_right) and not matching.left and not matching.right:
        return None
    first, second = _value(units_left), _value(units_right)
    return name_values(first, second) if first is not None and second is not None else Guard.ENTITY


def _value(units: tuple[Unit, ...]) -> Unit | None:
    return next((unit for unit in units if unit.value is not None), None)


def _facts(text: str) -> TextFacts:
    return analyze_text(text)
