"""Which columns of a wide table are shown, and how wide: what a person chose, then by weight as many as have room. No drawing in here."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

Groups = Sequence[Sequence[str]]
"""Titles of columns by weight; those of one group come and go together. The first group is always shown."""


@dataclass(slots=True)
class ColumnChoice:
    """What a person chose.

    :param hidden: titles that are never shown.
    :param wanted: titles that are shown even where there is no room.
    :param widths: title -> width in pixels.
    """

    hidden: set[str] = field(default_factory=set)
    wanted: set[str] = field(default_factory=set)
    widths: dict[str, int] = field(default_factory=dict)

    def toggle(self, title: str, *, shown: bool) -> None:
        """Hide a column that is shown, show one that is not."""
        (self.wanted if shown else self.hidden).discard(title)
        (self.hidden if shown else self.wanted).add(title)

    def clear(self) -> None:
        """Nothing is chosen."""
        for chosen in (self.hidden, self.wanted, self.widths):
            chosen.clear()

    def shown(self, groups: Groups, needs: Mapping[str, int], room: int, *, held: Collection[str] = ()) -> frozenset[str]:
        """The columns that are shown.

        :param needs: title -> least width of each column that could be shown.
        :param held: titles that may not go now, such as the one that rows are sorted by.
        """
        possible = needs.keys() - self.hidden
        shown = {title for title in (*groups[0], *self.wanted, *held) if title in possible}
        left = room - sum(needs[title] for title in shown)
        for group in groups[1:]:
            titles = [title for title in group if title in possible and title not in shown]
            left -= sum(needs[title] for title in titles)
            if left < 0:
                break
            shown.update(titles)
        return frozenset(shown)

    def to_text(self) -> str:
        """What was chosen, as text that can be stored."""
        return json.dumps({"hidden": sorted(self.hidden), "wanted": sorted(self.wanted), "widths": self.widths})

    def take_text(self, text: str) -> None:
        """Take what was stored; text of another kind is left alone."""
        try:
            told = json.loads(text)
            hidden, wanted = set(map(str, told["hidden"])), set(map(str, told["wanted"]))
            widths = {str(title): int(width) for title, width in told["widths"].items()}
        except (ValueError, TypeError, KeyError, AttributeError):
            return
        self.hidden, self.wanted, self.widths = hidden, wanted, widths
