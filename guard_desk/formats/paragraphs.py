"""Plain text (paragraphs between blank lines) and tagged evidence lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guard_desk.formats.collect import Collector
from guard_desk.formats.text_file import TextFile
from guard_desk.records.corpus import Passage
from guard_desk.text.tags import TaggedLine, parse_tagged_line

_SNIFFED_LINES = 200


def read_plain_text(text: TextFile, into: Collector) -> None:
    """Each paragraph becomes a passage; its id and source are the file and the line on which it begins."""
    for number, paragraph in _paragraphs(text):
        stray = text.stray_bytes(paragraph)
        if stray:
            into.skip(text.path, number, stray)
        else:
            place = f"{text.name}:{number}"
            into.add(Passage(id=place, text=paragraph, source=place), path=text.path, line=number)


def _paragraphs(text: TextFile) -> Iterator[tuple[int, str]]:
    held: list[str] = []
    start = 0
    for number, line in text.lines():
        if number == text.cut_line:
            continue
        if line and not line.isspace():
            start = start if held else number
            held.append(line.rstrip())
        elif held:
            yield start, "\n".join(held)
            held = []
    if held:
        yield start, "\n".join(held)


def read_tagged_lines(text: TextFile, into: Collector) -> None:
    """Each line becomes a passage: source tag to source type, doc tag to source, other tags to metadata."""
    for number, line in text.lines():
        if not line or line.isspace() or number == text.cut_line:
            continue
        tagged = parse_tagged_line(line)
        reason = text.stray_bytes(line) or ("" if tagged.text else "its text is empty: there are only tags")
        if reason:
            into.skip(text.path, number, reason)
        else:
            into.add(tagged_passage(tagged, f"{text.name}:{number}"), path=text.path, line=number)


def tagged_passage(tagged: TaggedLine, passage_id: str) -> Passage:
    """A passage from a line taken apart. Without a doc tag it has no source: every such line is its own document."""
    return Passage(
        id=passage_id,
        text=tagged.text,
        source=tagged.doc,
        source_type=tagged.source,
        date=tagged.date,
        metadata=tuple((name, value) for name, value in tagged.other if value.strip()),
    )


def line_passages(lines: Sequence[Passage | str]) -> tuple[Passage, ...]:
    """Evidence lines as passages: line i of a list has id `L{i}`, 0-based; passages stay as they are."""
    return tuple(
        line if isinstance(line, Passage) else tagged_passage(parse_tagged_line(line), f"L{index}") for index, line in enumerate(lines)
    )


def looks_tagged(head: str) -> bool:
    """Whether a text is made of tagged lines: the first line is one, or at least three of ten are."""
    lines = [line for line in head.split("\n") if line.strip()][:_SNIFFED_LINES]
    tagged = [bool(line.lstrip()[:1] in "[［【" and _has_tags(line)) for line in lines]
    return bool(tagged) and (tagged[0] or sum(tagged) * 10 >= len(tagged) * 3)


def _has_tags(line: str) -> bool:
    parsed = parse_tagged_line(line)
    return parsed.text_start > 0 and any((parsed.source, parsed.doc, parsed.date, *parsed.notes))
