"""How marked stretches of a text are drawn: which of them are near, their format, where their lines stand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QTextBlock, QTextCharFormat

from guard_desk.ui.widgets.marks import MarkStyle, Segment

_DEEPER = 0.14
"""How much more of the mark's colour each mark underneath adds to the fill."""


def within(ordered: Sequence[Segment], start: int, end: int) -> Sequence[Segment]:
    """Those of the ordered segments that touch a range."""
    first = bisect_right(ordered, start, key=lambda item: item.end)
    last = bisect_left(ordered, end, key=lambda item: item.start)
    return ordered[first:last]


def mark_format(style: MarkStyle, depth: int, fill: MarkStyle | None = None) -> QTextCharFormat:
    """The format of a stretch.

    :param depth: how many filled marks lie over each other.
    :param fill: the mark whose fill shows, where that of the topmost one does not.
    """
    form = QTextCharFormat()
    ground = fill or style
    if ground.fill:
        form.setBackground(_blended(QColor(ground.fill), QColor(ground.color), _DEEPER * max(0, depth - 1)))
    if style.underline:
        form.setUnderlineStyle(getattr(QTextCharFormat.UnderlineStyle, style.underline))
        form.setUnderlineColor(QColor(style.color))
    return form


def _blended(base: QColor, other: QColor, share: float) -> QColor:
    share = min(share, 0.4)
    mix = [round(a * (1 - share) + b * share) for a, b in zip(base.getRgb()[:3], other.getRgb()[:3], strict=True)]  # type: ignore[index]
    return QColor(*mix)


def line_boxes(block: QTextBlock, low: int, high: int, origin: QPointF) -> Iterator[QRectF]:
    """Where the units from `low` to `high` of a document stand within one block, one box a line.

    :param origin: of the block.
    """
    layout, first = block.layout(), block.position()
    start, end = max(0, low - first), min(block.length() - 1, high - first)
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        begin, stop = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
        if begin >= stop:
            continue
        left, right = (_x(line.cursorToX(place)) for place in (begin, stop))
        box = QRectF(min(left, right), line.y(), abs(right - left), line.height())
        yield box.translated(origin).adjusted(-1, 0.5, 1, -0.5)


def _x(found: object) -> float:
    """PySide gives (x, position) here."""
    return float(found[0] if isinstance(found, tuple) else found)  # type: ignore[arg-type]
