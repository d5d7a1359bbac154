from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from guard_desk.errors import CorpusError
from guard_desk.formats import load_corpus
from guard_desk.records.corpus import Format

Make = Callable[[str, bytes | str], Path]


def link(target: str, path: Path) -> None:
    try:
        path.symlink_to(target)
    except (OSError, NotImplementedError):
        pytest.skip("links cannot be made here")


def test_a_folder_gives_relative_path_and_line(make: Make, tmp_path: Path) -> None:
    make("docs/a.md", "one\n\ntwo\n")
    make("docs/sub/b.md", "three\r\n\r\nfour\r\n")
    make("docs/sub/c.txt", "five\n")
    make("docs/sub/d.md.gz", gzip.compress(b"six\n"))
    make("docs/sub/tags.txt", "[source=blog][doc=x.example] seven\n")
    make("docs/sub/picture.png", b"\x89PNG")
    make("docs/.git/hidden.md", "not this\n")
    result = load_corpus(tmp_path / "docs")
    assert result.format is Format.MARKDOWN_FOLDER
    assert [(p.id, p.text) for p in result.corpus.passages] == [
        ("a.md:1", "one"),
        ("a.md:3", "two"),
        ("sub/b.md:1", "three"),
        ("sub/b.md:3", "four"),
        ("sub/c.txt:1", "five"),
        ("sub/d.md.gz:1", "six"),
        ("sub/tags.txt:1", "seven"),
    ]


def test_a_file_that_cannot_be_used_is_listed_and_the_others_stay(make: Make, tmp_path: Path) -> None:
    make("docs/a.md", "one\n")
    make("docs/b.md", b"\x89PNG\r\n\x1a\n")
    make("docs/c.md", "")
    result = load_corpus(tmp_path / "docs")
    assert len(result.corpus) == 1
    assert [Path(item.path).name for item in result.skipped] == ["b.md", "c.md"]


def test_each_encoding_is_told(make: Make, tmp_path: Path) -> None:
    make("docs/a.md", "Größe, Übung\n")
    make("docs/b.md", "Größe, Übung und señor\n".encode("cp1252"))
    assert load_corpus(tmp_path / "docs").encoding == "utf-8, cp1252"


def test_links_that_lead_in_circles_end(make: Make, tmp_path: Path) -> None:
    make("top/docs/one.md", "one\n")
    make("top/other.md", "outside\n")
    make("shared/two.md", "two\n")
    for target, name in (
        ("..", "up"),
        (".", "self"),
        ("../../shared", "shared"),
        ("../../shared", "again"),
        ("one.md", "copy.md"),
        ("loop.md", "loop.md"),
    ):
        link(target, tmp_path / "top" / "docs" / name)
    result = load_corpus(tmp_path / "top" / "docs")
    assert sorted(p.text for p in result.corpus.passages) == ["one", "two"]


def test_folders_without_documents_say_what_to_do(make: Make, tmp_path: Path) -> None:
    make("data/a.jsonl", '{"id":"a","text":"x"}')
    with pytest.raises(CorpusError, match=r"it has a.jsonl.*Open one of its files"):
        load_corpus(tmp_path / "data")
    make("outer/beir/corpus.jsonl", '{"id":"a","text":"x"}')
    with pytest.raises(CorpusError, match="Open the BEIR folder beir/"):
        load_corpus(tmp_path / "outer")
