"""Markdown: each paragraph, list, table, quotation and code block is a passage under its heading path.

The blocks are found by markdown-it; the text of a passage is the file's own lines, word for word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from guard_desk.formats.collect import Collector
from guard_desk.formats.front_matter import FrontMatter, split_front_matter
from guard_desk.formats.text_file import TextFile
from guard_desk.records.corpus import Passage

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_COMMENT = re.compile(r"\s*(<!--.*?-->\s*)+", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"(\*\*|__|~~|`|\*(?=\S)|(?<=\S)\*)")
_ANCHOR = re.compile(r"\s*\{#[^}]*\}\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block of a Markdown text.

    :param line: 0-based first line in the parsed text.
    :param text: its lines as written.
    :param title: headings above it, joined.
    """

    line: int
    text: str
    title: str | None


def read_markdown(text: TextFile, into: Collector) -> None:
    """Each block becomes a passage; its id and source are the file and the line on which it begins."""
    lines = [line for number, line in text.lines() if number != text.cut_line]
    front, start = split_front_matter(lines)
    for block in markdown_blocks(lines[start:]):
        number = start + block.line + 1
        stray = text.stray_bytes(block.text)
        if stray:
            into.skip(text.path, number, stray)
        else:
            into.add(_passage(block, front, f"{text.name}:{number}"), path=text.path, line=number)


def _passage(block: Block, front: FrontMatter, place: str) -> Passage:
    return Passage(
        id=place,
        text=block.text,
        title=block.title or front.title,
        source=place,
        source_type=front.source_type,
        date=front.date,
        version=front.version,
        scope=front.scope,
        metadata=front.metadata,
    )


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    return parser.disable("inline")  # only the blocks are needed


def markdown_blocks(lines: list[str]) -> Iterator[Block]:
    """The top-level blocks of a text, in order. A heading with nothing under it is a block of its own."""
    path: list[tuple[int, str]] = []
    waiting: Block | None = None
    tokens = _parser().parse("\n".join(line.replace("\r", " ") for line in lines))
    for index, token in enumerate(tokens):
        if token.level or token.map is None or token.type == "hr":
            continue
        start, end = token.map
        if token.type == "heading_open":
            depth, name = int(token.tag[1:]), heading_text(tokens[index + 1])
            if waiting is not None and depth <= path[-1][0]:
                yield waiting
            path = [(level, words) for level, words in path if level < depth]
            waiting = Block(line=start, text=name, title=joined(path)) if name else waiting
            path += [(depth, name)] if name else []
            continue
        words = "\n".join(lines[start:end]).strip("\n").rstrip()
        if words and not (token.type == "html_block" and _COMMENT.fullmatch(words)):
            yield Block(line=_first_line(lines, start, end), text=words, title=joined(path))
            waiting = None
    if waiting is not None:
        yield waiting


def _first_line(lines: list[str], start: int, end: int) -> int:
    return next((number for number in range(start, end) if lines[number].strip()), start)


def heading_text(inline: Token) -> str:
    """A heading's words without link targets and emphasis marks."""
    words = _ANCHOR.sub("", inline.content.replace("\n", " "))
    return _MARKUP.sub("", _LINK.sub(r"\1", words)).strip()


def joined(path: list[tuple[int, str]]) -> str | None:
    """Headings from the outermost to the innermost: "Runbook > Limits"."""
    return " > ".join(words for _, words in path) or None
