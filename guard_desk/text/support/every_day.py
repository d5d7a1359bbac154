"""Whether a passage's opening times or days cover "seven days a week"."""

from __future__ import annotations

from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.support.pool import Held, Pool
from guard_desk.text.support.views import View
from guard_desk.text.support.words import support_words

_WEEK_S = 7 * 86400.0
_WEEKDAY = "-W-"
_DAYS = 7
_LONGEST_MARK = 16


def every_day(view: View, value: Value, pool: Pool) -> Held | None:
    """The first weekday of a passage that names all seven, or the first and the last of a week in one sentence."""
    follows = view.text[value.span.end : value.span.end + _LONGEST_MARK].casefold().lstrip()
    if value.unit != "s" or value.number != _WEEK_S or not follows.startswith(support_words("of_the_week", view.language)):
        return None
    for passage in range(len(pool.passages)):
        named = _weekdays(pool, passage)
        days = {held.value.canonical for held in named}
        if len(days) >= _DAYS:
            return named[0]
        for held in named:
            if {f"{_WEEKDAY}1", f"{_WEEKDAY}7"} <= {other.value.canonical for other in named if other.place.unit is held.place.unit}:
                return held
    return None


def _weekdays(pool: Pool, passage: int) -> list[Held]:
    return [
        Held(place.view.values[position], place)
        for place in pool.places
        if place.passage == passage
        for position in place.unit.values
        if place.view.values[position].kind is ValueKind.DATE and place.view.values[position].canonical.startswith(_WEEKDAY)
    ]
