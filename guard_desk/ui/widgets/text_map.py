"""Where a text's code points stand on the screen: Python counts code points, Qt counts UTF-16 units. No Qt in here.

Qt also folds line ends (CRLF, CR, U+2028, U+2029 all start a line). So the shown text is built here, piece by piece, and
every place is counted on the way; nothing is ever read back from a widget to find a place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from guard_desk.text.hidden import hidden_runs

_LINE_ENDS = re.compile("\r\n|[\r\n\u2028\u2029]")
# What a text widget cannot hold as it is: controls, halves of characters, Qt's own marks for frames and objects.
_UNHOLDABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufdd0-\ufdef\ufffc\ufffe\uffff]")
_REPLACEMENT = "\ufffd"

Offsets = npt.NDArray[np.int64]


class Utf16Map:
    """A text, what is shown of it, and the way between the two.

    :param text: any str, lone surrogates too.
    :param reveal: show invisible characters as signs (for reading); False = keep them (for writing).
    """

    def __init__(self, text: str, *, reveal: bool = True) -> None:
        self.text = text
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        widths = np.where(codes > 0xFFFF, 2, 1).astype(np.int64)
        pieces = sorted(_pieces(text, reveal))
        self.signs: tuple[tuple[int, int], ...] = tuple((at, at + len(shown)) for at, shown, is_sign in pieces if is_sign)
        """Code-point ranges that are shown as signs."""
        self.shown: str = _built(text, pieces, widths)
        """What the widget is given."""
        self._offsets: Offsets = np.concatenate(([0], np.cumsum(widths)))

    def __len__(self) -> int:
        """Code points of the text."""
        return len(self.text)

    @property
    def units(self) -> int:
        """UTF-16 units of what is shown."""
        return int(self._offsets[-1])

    def unit(self, code_point: int) -> int:
        """Where a code point starts on the screen; places outside the text are brought to its ends."""
        return int(self._offsets[min(max(code_point, 0), len(self.text))])

    def range(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` stands on the screen; characters shown by the sign before them point at that sign."""
        low, high = self.unit(start), self.unit(end)
        if low == high and start < end:
            low = int(self._offsets[max(0, int(np.searchsorted(self._offsets, low, side="left")) - 1)])
        return low, high

    def code_point(self, unit: int) -> int:
        """The code point that a place on the screen belongs to."""
        return max(0, int(np.searchsorted(self._offsets, min(max(unit, 0), self.units), side="right")) - 1)

    def code_points(self, low: int, high: int) -> tuple[int, int]:
        """The code points that a range on the screen touches; an empty range stays empty."""
        start = self.code_point(low)
        if high <= low:
            return start, start
        first = int(np.searchsorted(self._offsets, min(high, self.units), side="left"))
        exact = first < len(self._offsets) and int(self._offsets[first]) == high
        return start, self.code_point(high) if exact else min(first, len(self.text))

    def shown_units(self, low: int, high: int) -> bytes:
        """What is shown between two places, as UTF-16 bytes."""
        return self._encoded()[2 * low : 2 * high]

    def _encoded(self) -> bytes:
        if not hasattr(self, "_bytes"):
            self._bytes = self.shown.encode("utf-16-le", "surrogatepass")
        return self._bytes


_Piece = tuple[int, tuple[str, ...], bool]


def _pieces(text: str, reveal: bool) -> Iterator[_Piece]:
    """(first code point, what to show for each code point, whether it is a sign) of all that is not shown as it is."""
    for match in _LINE_ENDS.finditer(text):
        yield match.start(), ("\n",) if len(match.group()) == 1 else ("\n", ""), False
    if reveal:
        yield from ((start, shown, True) for start, shown in hidden_runs(text))
        yield from ((match.start(), (_REPLACEMENT,), False) for match in re.finditer("\ufffc", text))
        return
    for match in _UNHOLDABLE.finditer(text):
        code = ord(match.group())
        yield match.start(), (chr(0x2400 + code) if code < 0x20 else _REPLACEMENT,), False


def _built(text: str, pieces: list[_Piece], widths: Offsets) -> str:
    """The shown text; the widths of what is replaced are put into `widths`."""
    out: list[str] = []
    position = 0
    for start, shown, _ in pieces:
        out.append(text[position:start])
        out += shown
        for index, piece in enumerate(shown):
            widths[start + index] = len(piece) + sum(ch > "\uffff" for ch in piece)
        position = start + len(shown)
    out.append(text[position:])
    return "".join(out)


def typed_change(before: bytes, after: bytes) -> tuple[int, int, bytes]:
    """What really changed between two UTF-16 stretches: a text widget reports more than that.

    :returns: units equal at the start, units equal at the end, and the new units between; never cut inside a pair.
    """
    old, new = np.frombuffer(before, dtype="<u2"), np.frombuffer(after, dtype="<u2")
    most = min(len(old), len(new))
    start = _equal(old[:most], new[:most])
    end = _equal(old[len(old) - most + start :][::-1], new[len(new) - most + start :][::-1])
    if start and 0xD800 <= new[start - 1] < 0xDC00:
        start -= 1
    if end and 0xDC00 <= new[len(new) - end] < 0xE000:
        end -= 1
    return start, end, after[2 * start : len(after) - 2 * end]


def _equal(left: npt.NDArray[np.uint16], right: npt.NDArray[np.uint16]) -> int:
    different = np.flatnonzero(left != right)
    return int(different[0]) if len(different) else len(left)
