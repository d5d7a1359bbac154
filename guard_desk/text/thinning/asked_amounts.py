"""Amounts that a question makes plain: of an ambiguous unit, and of a currency that nobody lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.thinning.coverage import SentenceView
from guard_desk.text.thinning.frame import Frame
from guard_desk.text.values import find_values

_POUNDS = " lb"


def as_asked(frame: Frame, value: Value) -> Value:
    """What the question says of an ambiguous unit: "40 pounds" of a fine are money and no mass, "21 degrees" of warmth no angle."""
    if value.number is None:
        return value
    if "money" in frame.dimensions and value.written.endswith(_POUNDS):
        return _read_as(value, f"£{value.written.removesuffix(_POUNDS)}")
    if "temperature" in frame.dimensions and value.dimension == "angle" and value.high is None:
        return _read_as(value, f"{value.number:g} °C")
    return value


def _read_as(value: Value, text: str) -> Value:
    amount = next((amount for amount in find_values(text) if amount.unit), value)
    return replace(amount, span=value.span, text=value.text, bound=value.bound)


def coins(frame: Frame, sentence: SentenceView, values: Sequence[Value]) -> Iterator[Value]:
    """ "5 crowns": an amount in a currency that nobody lists, where money is asked for and none is written otherwise."""
    if "money" not in frame.dimensions:
        return
    for value in values:
        behind = next((word for word in sentence.tokens if word.span.start >= value.span.end), None)
        named = behind is not None and value.noun and behind.folded.startswith(value.noun) and behind.stem not in frame.stems
        if behind is not None and named and value.kind is ValueKind.NUMBER and not value.unit:
            span = Span(value.span.start, behind.span.end)
            yield replace(value, span=span, text=span.of(sentence.text))
