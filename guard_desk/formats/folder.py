"""Folders of Markdown and text files: which files belong to one, links that lead in circles left out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

MARKDOWN_ENDINGS = (".md", ".markdown", ".mdown", ".mkd", ".mdx")
TEXT_ENDINGS = (".txt", ".text")
_IGNORED = ("node_modules", "__pycache__")


def plain_suffix(name: str) -> str:
    """The ending of a file name in lower case, without `.gz`: ".jsonl" of "A.JSONL.gz"."""
    return Path(name.casefold().removesuffix(".gz")).suffix


def readable_files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Every Markdown and text file under a folder with its relative path (`/` on every system), sorted.

    Linked folders are followed unless they lead to a folder that was or is being visited, or to one that holds the
    chosen folder. A file that is reached twice is given once.
    """
    top = folder.resolve()
    seen = {_identity(parent) for parent in (top, *top.parents)}
    files: set[tuple[int, int] | str] = set()
    waiting = [folder]
    while waiting:
        current = waiting.pop()
        for entry in _entries(current):
            if entry.is_dir():
                identity = _identity(entry)
                if not _hidden(entry.name) and identity not in seen:
                    seen.add(identity)
                    waiting.append(entry)
            elif plain_suffix(entry.name) in (*MARKDOWN_ENDINGS, *TEXT_ENDINGS) and not _hidden(entry.name):
                identity = _identity(entry)
                if identity not in files:
                    files.add(identity)
                    yield entry, entry.relative_to(folder).as_posix()


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted((Path(entry.path) for entry in os.scandir(folder)), key=lambda path: (path.name.casefold(), path.name))
    except OSError:
        return []


def _hidden(name: str) -> bool:
    return name.startswith(".") or name in _IGNORED


def _identity(path: Path) -> tuple[int, int] | str:
    """What is the same for two names of one file or folder."""
    try:
        found = path.stat()
    except OSError:
        return str(path)
    return (found.st_dev, found.st_ino) if found.st_ino else os.path.realpath(path)
