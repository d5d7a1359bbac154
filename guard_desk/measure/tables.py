"""What a bench gives: rows of figures, as a table for people and as JSON for machines."""

from __future__ import annotations

import json
import math
import platform
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from guard_desk.measure.metrics import Figure
from guard_desk.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measured line.

    :param name: what was measured.
    :param figure: a number with its interval, or a plain number; NaN = not measured.
    :param unit: "s", "ms", "x", "" for a share.
    :param note: baseline, peer, or why it is missing.
    """

    name: str
    figure: Figure | float
    unit: str = ""
    note: str = ""

    def text(self) -> str:
        """The figure for people."""
        if isinstance(self.figure, Figure):
            return str(self.figure)
        return "-" if math.isnan(self.figure) else f"{self.figure:.4g} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The result of a suite.

    :param details: rows that explain (misses, worst errors), as (name, text).
    """

    suite: str
    rows: tuple[Row, ...]
    details: tuple[tuple[str, str], ...] = field(default=())

    def text(self) -> str:
        """A table for a terminal."""
        width = max((len(row.name) for row in self.rows), default=0)
        figures = max((len(row.text()) for row in self.rows), default=0)
        lines = [f"{self.suite}  (Guard Desk {__version__}, {platform.machine()}, Python {platform.python_version()})"]
        lines += [f"  {row.name:<{width}}  {row.text():<{figures}}  {row.note}".rstrip() for row in self.rows]
        lines += [f"  {name}: {text}" for name, text in self.details]
        return "\n".join(lines) + "\n"

    def json(self) -> str:
        """The same as JSON; NaN is null."""
        record = {
            "suite": self.suite,
            "version": __version__,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": {"system": platform.platform(), "machine": platform.machine(), "python": platform.python_version()},
            "rows": [{"name": row.name, "unit": row.unit, "note": row.note, **_numbers(row.figure)} for row in self.rows],
            "details": [list(pair) for pair in self.details],
        }
        return json.dumps(record, indent=1, ensure_ascii=True)


def _numbers(figure: Figure | float) -> dict[str, float | int | None]:
    plain = asdict(figure) if isinstance(figure, Figure) else {"value": figure}
    return {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in plain.items()}
