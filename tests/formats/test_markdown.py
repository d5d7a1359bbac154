from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.formats import load_corpus
from guard_desk.formats.markdown import markdown_blocks

Make = Callable[[str, bytes | str], Path]
NOTES = """---
title: Runbook
owner: ops
version: 2.10
tags: [a, b]
---

Before any heading.

# Restart `nodes` {#restart}

Drain the node first.
Then restart it.

- wait
- check

  still the same item

```bash
# no heading

nodectl restart n1
```

## [Limits](http://x.example)

| Step | Minutes |
|---|---|
| drain | 3 |

> A quotation.

## Leaf

# Other
"""


def test_blocks_stay_whole_under_their_heading_path(make: Make) -> None:
    result = load_corpus(make("notes.md", NOTES))
    found = [(p.title, p.text.split("\n")[0]) for p in result.corpus.passages]
    assert found == [
        ("Runbook", "Before any heading."),
        ("Restart nodes", "Drain the node first."),
        ("Restart nodes", "- wait"),
        ("Restart nodes", "```bash"),
        ("Restart nodes > Limits", "| Step | Minutes |"),
        ("Restart nodes > Limits", "> A quotation."),
        ("Restart nodes", "Leaf"),
        ("Runbook", "Other"),
    ]
    texts = [p.text for p in result.corpus.passages]
    assert "still the same item" in texts[2]
    assert "# no heading" in texts[3]
    assert "nodectl" in texts[3]


def test_front_matter_is_metadata_as_written(make: Make) -> None:
    passage = load_corpus(make("notes.md", NOTES)).corpus.passages[0]
    assert passage.version == "2.10"
    assert passage.metadata == (("title", "Runbook"), ("owner", "ops"), ("version", "2.10"), ("tags", "a, b"))


def test_source_and_id_are_file_and_line(make: Make) -> None:
    path = make("notes.md", NOTES.replace("\n", "\r\n"))
    lines = NOTES.split("\n")
    for passage in load_corpus(path).corpus.passages:
        name, number = passage.id.split(":")
        assert passage.source == passage.id
        assert name == "notes.md"
        first = lines[int(number) - 1]
        assert passage.text.split("\n")[0] in (first, first.lstrip("# "))


def test_front_matter_that_is_broken_or_open_loses_nothing(make: Make) -> None:
    broken = load_corpus(make("a.md", "---\na: [b\nc: d\n---\ntext\n")).corpus.passages
    assert [(p.text, p.metadata) for p in broken] == [("text", (("a", "[b"), ("c", "d")))]
    open_block = load_corpus(make("b.md", "---\n\nfirst\n\nsecond\n")).corpus.passages
    assert [p.text for p in open_block] == ["first", "second"]


def test_toml_front_matter(make: Make) -> None:
    passage = load_corpus(make("a.md", '+++\ndate = 2025-09-01\nscope = "plant"\n+++\ntext\n')).corpus.passages[0]
    assert (passage.date, passage.scope) == ("2025-09-01", "plant")


def test_comments_and_rules_are_no_passages(make: Make) -> None:
    result = load_corpus(make("a.md", "<!-- a\n\nb -->\n\n***\n\ntext\n"))
    assert [p.text for p in result.corpus.passages] == ["text"]


def test_deep_nesting_does_no_harm(make: Make) -> None:
    result = load_corpus(make("a.md", ">" * 5000 + " x\n\n" + "- " * 3000 + "y\n\nplain\n"))
    assert "plain" in result.corpus.passages[-1].text


WORDS = st.sampled_from(
    ["# A", "## B", "text", "- item", "```", "| a | b |", "|---|---|", "> q", "", "    code", "---", "1. one", "<!-- c -->", "===", "\tx"]
)


@settings(deadline=None)
@given(st.lists(WORDS, max_size=30))
def test_every_block_is_lines_of_the_file_in_order(lines: list[str]) -> None:
    last = -1
    whole = "".join("".join(lines).split())
    for block in markdown_blocks(lines):
        assert block.line >= last
        last = block.line
        assert lines[block.line].strip()
        assert "".join(block.text.split()) in whole
