"""Runs whose evidence disagrees: values with sources of several kinds, a copy, a denial."""

from __future__ import annotations

from collections.abc import Sequence

from guard_desk.formats import make_corpus
from guard_desk.pipeline import run_path
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.trace import Trace
from tests.fakes import fake_parts
from tests.ui.builders import POLICY

LINES = (
    ("Backups are kept for 7 days.", "official", "docs.example/backup", "2026-06"),
    ("I read that backups are kept for 7 days.", "forum", "forum.example/a", "2026-05"),
    ("Backups are kept for 30 days.", "blog", "blog.example/b", "2025-05"),
    ("Backups are not kept for 30 days.", "news", "news.example/c", "2026-04"),
)


def run_of(pool: Sequence[Passage], question: str) -> Trace:
    """A run with fakes on these passages."""
    return run_path(make_corpus(tuple(pool)), Query(text=question), POLICY, fake_parts(), RunContext(), answer=None)


def disputed(lines: Sequence[tuple[str, str, str, str]] = LINES) -> Trace:
    """Two values, one of them copied, the other denied."""
    pool = [
        Passage(id=f"p{at}", text=text, source_type=kind, source=source, date=date) for at, (text, kind, source, date) in enumerate(lines)
    ]
    return run_of(pool, "How long are backups kept?")
