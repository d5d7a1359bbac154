"""Characters that no one would see, and the signs that stand for them where a person reads a text.

Zero-width characters, direction marks, tag characters, variation selectors, controls and halves of characters get a short
sign; joiners and selectors that shape a letter or an emoji are ordinary spelling and stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_NAMES = {
    0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x0B: "VT", 0x0C: "FF", 0x1B: "ESC", 0x7F: "DEL", 0x85: "NEL", 0xAD: "SHY", 0x034F: "CGJ",
    0x061C: "ALM", 0x115F: "filler", 0x1160: "filler", 0x17B4: "filler", 0x17B5: "filler", 0x180E: "MVS", 0x200B: "ZWSP",
    0x200C: "ZWNJ", 0x200D: "ZWJ", 0x200E: "LRM", 0x200F: "RLM", 0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO",
    0x202E: "RLO", 0x2060: "WJ", 0x2061: "f()", 0x2062: "×", 0x2063: ",", 0x2064: "+", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI",
    0x2069: "PDI", 0x2800: "blank", 0x3164: "filler", 0xFEFF: "BOM", 0xFFA0: "filler", 0xFFF9: "IAA", 0xFFFA: "IAS", 0xFFFB: "IAT",
}  # fmt: skip
_JOINERS = "\u200c\u200d"
_TAGS = "\U000e0000-\U000e007f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_RUN = re.compile(
    f"[{_TAGS}]+|[{_SELECTORS}]+|"
    "([\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000e0080-\U000e00ff])\\1*"
)
_FLAG = "\U0001f3f4"
_FLAG_LENGTHS = range(4, 9)


def hidden_runs(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Runs of invisible characters in order.

    :returns: for each run its first code point, and what to show for each of its code points ("" = shown by the one before).
    """
    for match in _RUN.finditer(text):
        start, run = match.start(), match.group()
        if run[0] >= "\U000e0000" and run[0] <= "\U000e007f":
            if not _is_flag(text, start, run):
                yield start, _tag_signs(run)
        elif _is_selector(run[0]):
            if not _selects(text, start, run):
                yield start, (_counted("VS", len(run)), *[""] * (len(run) - 1))
        elif not (run in _JOINERS and _shapes(text, start)):
            yield start, (_counted(name_of(run[0]), len(run)), *[""] * (len(run) - 1))


def name_of(character: str) -> str:
    """The short name of an invisible character: "ZWSP", "RLO", or "U+2065"."""
    return _NAMES.get(ord(character), f"U+{ord(character):04X}")


def _counted(name: str, count: int) -> str:
    return f"‹{name}›" if count == 1 else f"‹{name} ×{count}›"


def _tag_signs(run: str) -> tuple[str, ...]:
    """Tag characters are hidden ASCII: the letters they hide, behind one sign."""
    letters = [chr(ord(ch) - 0xE0000) if "\U000e0020" <= ch <= "\U000e007e" else "·" for ch in run]
    letters[0] = "‹tags: " + letters[0]
    letters[-1] += "›"
    return tuple(letters)


def _is_flag(text: str, start: int, run: str) -> bool:
    """Flags of regions (England, Scotland) are written with tag characters behind a black flag."""
    return start > 0 and text[start - 1] == _FLAG and len(run) in _FLAG_LENGTHS and run[-1] == "\U000e007f"


def _is_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def _selects(text: str, start: int, run: str) -> bool:
    """One selector behind a sign or a letter of another script chooses its form; behind a Latin letter or in a row it hides."""
    before = text[start - 1] if start else " "
    return len(run) == 1 and not before.isspace() and not (before.isascii() and before.isalpha())


def _shapes(text: str, position: int) -> bool:
    """Whether a joiner stands between characters that it shapes: letters of Indic or Arabic scripts, emoji."""
    before = text[position - 1] if position else " "
    after = text[position + 1] if position + 1 < len(text) else " "
    return all(ord(character) >= 0x0600 for character in (before, after)) or (ord(before) >= 0x0600 and not after.isalnum())


def one_line(text: str) -> str:
    """A text on one line, for tables and labels: white space folded, invisible characters shown as signs."""
    line = " ".join(text.split())
    pieces, at = [], 0
    for start, signs in hidden_runs(line):
        pieces += [line[at:start], "".join(signs)]
        at = start + len(signs)
    return "".join(pieces) + line[at:]
