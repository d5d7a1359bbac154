"""Where a card goes beside words: next to them, inside the window, off what has to stay in sight. Rectangles only, no widgets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPoint, QRect, QSize

from guard_desk.ui.theme import GAP, GRID


def place_beside(size: QSize, words: QRect, room: QRect, keep: Sequence[QRect] = ()) -> QPoint:
    """The top left corner of a card of this size.

    Under the words before above them, then beside them; of these places the one that covers least of what should stay in sight.
    The words themselves are covered last of all.

    :param room: what the card may not leave.
    :param keep: what should stay in sight, what matters most first.
    """
    weighed = [(words, 4 * (len(keep) + 1)), *((QRect(box), len(keep) - at) for at, box in enumerate(keep))]

    def covered(corner: QPoint) -> int:
        card = QRect(corner, size)
        return sum(weight * _area(card.intersected(box)) for box, weight in weighed)

    return min(_places(size, words, room), key=covered)


def _places(size: QSize, words: QRect, room: QRect) -> Iterator[QPoint]:
    """Every place that is tried, the likelier first; each touches the words' column or row, so that a pointer finds its way."""
    lefts = (words.left(), words.right() + 1 - size.width(), words.center().x() - size.width() // 2)
    below, above = words.bottom() + GRID, words.top() - GRID - size.height()
    beside = words.center().y() - size.height() // 2
    tried = [(left, top) for top in (below, above) for left in lefts]
    tried += [(words.right() + GAP, beside), (words.left() - GAP - size.width(), beside)]
    for left, top in tried:
        yield QPoint(
            max(room.left(), min(left, room.right() + 1 - size.width())),
            max(room.top(), min(top, room.bottom() + 1 - size.height())),
        )


def _area(box: QRect) -> int:
    return box.width() * box.height() if box.isValid() else 0
