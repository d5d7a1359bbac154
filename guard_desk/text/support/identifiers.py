"""Identifiers (codes, flags, paths, versions, settings): the same one, or another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.normalize import fold_text
from guard_desk.text.support.pool import Aligned, Held, Place, Pool
from guard_desk.text.support.views import View

_PART = r"[\w./:\\@#-]"
_VERSION_MARK = re.compile(r"^v(?:ersion|er\.?)?\s*(?=\d)")


@dataclass(frozen=True, slots=True)
class Found:
    """Where an identifier stands; `place` None for the question."""

    place: Place | None
    span: Span


class IdentifierChecker:
    """Finds identifiers of the answer in the passages, whole."""

    def __init__(self, pool: Pool, query: View) -> None:
        self._pool = pool
        self._query = query
        self._ids = frozenset(passage.id.casefold() for passage in pool.passages)

    def find(self, value: Value) -> Found | None:
        """Where the identifier stands, by its canonical form or as a whole word of the text; None when nowhere."""
        for held in self._pool.equals(value):
            return Found(held.place, held.value.span)
        if any(other.canonical == value.canonical for other in self._query.values) or value.text.casefold() in self._ids:
            return Found(None, Span(0, 0))
        return self._as_words(value.text)

    def _as_words(self, text: str) -> Found | None:
        wanted = _VERSION_MARK.sub("", text.casefold().strip("`\"'"))
        if not wanted:
            return None
        pattern = re.compile(rf"(?<!{_PART})v?{re.escape(wanted)}(?![\w/\\@-]|[.:]\w)", re.IGNORECASE)
        for place in self._pool.places:
            if match := pattern.search(place.view.text, place.unit.span.start, place.unit.span.end):
                return Found(place, Span(match.start(), match.end()))
        return Found(None, Span(0, 0)) if pattern.search(self._query.text) or pattern.search(fold_text(self._query.text)) else None

    def rival(self, value: Value, aligned: Sequence[Aligned]) -> Held | None:
        """An identifier of the closest sentences that may stand where the answer has another one."""
        for item in aligned[:4]:
            if item.score < 0.4:
                break
            for position in item.place.unit.values:
                other = item.place.view.values[position]
                if other.kind is ValueKind.IDENTIFIER and (other.label == value.label or not other.label or not value.label):
                    return Held(other, item.place)
        return None
