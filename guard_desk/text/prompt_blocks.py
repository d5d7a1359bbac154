"""The words of a prompt: blocks, borders that cannot be forged, the template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from guard_desk import resources
from guard_desk.records.corpus import Passage

NOTHING = "(none)"
GUARD = "> "

# Whatever a model may read as the start of a new line, not only the line feed.
_LINES = re.compile(r"(\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])")
# White space and characters without a glyph, behind which a forged border could hide.
_EDGES = re.compile(r"^[\s\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]+|[\s\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]+$")


@cache
def template() -> str:
    """The prompt with {query}, {accepted} and {conflicting}; no line feed at the end."""
    return resources.path("prompt.txt").read_text(encoding="utf-8").rstrip("\n")


@cache
def headings() -> frozenset[str]:
    """The template's own lines, which a passage must not imitate."""
    lines = (line.strip() for line in template().split("\n"))
    return frozenset(line for line in lines if line and not line.startswith(("{", "-")))


def guarded(text: str, ids: Iterable[str]) -> str:
    """The text with `> ` before every line that would look like a border of the prompt; all else verbatim.

    :param ids: ids of the prompt's passages; a line starting with one of them in brackets is a border.
    """
    if not _may_forge(text):
        return text
    marks = tuple(f"[{_one_line(passage_id)}]" for passage_id in ids)
    parts = _LINES.split(text)
    parts[::2] = [GUARD + line if _forges(line, marks) else line for line in parts[::2]]
    return "".join(parts)


def _may_forge(text: str) -> bool:
    return "[" in text or any(heading in text for heading in headings())


def _forges(line: str, marks: tuple[str, ...]) -> bool:
    bare = _EDGES.sub("", line)
    return bare in headings() or bare.startswith(marks)


def _one_line(text: str) -> str:
    return _LINES.sub(" ", text)


def block(passage: Passage, *, ids: Iterable[str], sources: Sequence[str], notes: Sequence[str]) -> str:
    """One passage as the model sees it.

    :param sources: of all members; shown only when the caller gives them (a group of more than one).
    :param notes: one line each.
    """
    ids = tuple(ids)
    title = _one_line(passage.title) if passage.title else ""
    lines = [f"[{_one_line(passage.id)}] {title}" if title else f"[{_one_line(passage.id)}]", guarded(passage.text, ids)]
    if sources:
        lines.append("Sources: " + "; ".join(_one_line(source) for source in sources))
    lines += [f"Note: {_one_line(note)}" for note in notes]
    return "\n".join(lines)


def fill(query: str, accepted: Sequence[str], conflicting: Sequence[str]) -> tuple[str, int, int]:
    """The whole prompt, and where the accepted and the conflicting blocks begin in it (code points)."""
    parts = re.split(r"\{(query|accepted|conflicting)\}", template())
    values = {"query": query, "accepted": "\n\n".join(accepted) or NOTHING, "conflicting": "\n\n".join(conflicting) or NOTHING}
    starts: dict[str, int] = {}
    text = ""
    for index, part in enumerate(parts):
        if index % 2:
            starts[part] = len(text)
            part = values[part]
        text += part
    return text, starts["accepted"], starts["conflicting"]
