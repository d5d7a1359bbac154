"""Who is behind a line: its kind of source, its document, its domain, its date."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from datetime import date, timedelta
from functools import cache

from guard_desk.policy import Reliability
from guard_desk.records.corpus import Passage
from guard_desk.text.normalize import fold_text

_DATE = re.compile(r"(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?:[T ]\d{2}:\d{2}.*)?")
_LINE_NUMBER = re.compile(r":\d+(?:-\d+)?$")
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_HOST = re.compile(r"^(?:[^@/]*@)?((?:[\w-]+\.)+[a-z][a-z0-9-]+)(?::\d+)?$", re.IGNORECASE)
_FILE_ENDINGS = frozenset(
    [
        "md",
        "txt",
        "html",
        "htm",
        "pdf",
        "csv",
        "tsv",
        "json",
        "jsonl",
        "rst",
        "doc",
        "docx",
        "xlsx",
        "pptx",
        "xml",
        "yaml",
        "yml",
        "toml",
        "py",
        "log",
        "gz",
    ]
)
# Second-level names under which different owners register ("example.co.uk", "someone.github.io").
_SHARED_SECOND = frozenset(["co", "com", "org", "net", "gov", "edu", "ac", "github", "gitlab", "blogspot", "wordpress", "readthedocs"])
_LONG_ENDING = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Who is behind a line; nothing here depends on the policy.

    :param kind: a field of `policy.Reliability`.
    :param document: same for lines of one document; a line without one is a document of its own.
    :param domain: registered domain of the document; "" when it has none.
    :param first: first day that the date may mean; None when undated or malformed.
    :param last: last day that it may mean.
    :param notes: what was odd ("unknown source kind", "malformed date", "undated").
    """

    kind: str
    document: str
    domain: str
    first: date | None
    last: date | None
    notes: tuple[str, ...]

    @property
    def month(self) -> str:
        """Year and month, "" when undated: two sources of one month are of equal date."""
        return "" if self.first is None else f"{self.first:%Y-%m}"


@cache
def kinds() -> tuple[str, ...]:
    """The kinds of source that have a weight."""
    return tuple(item.name for item in fields(Reliability))


def source_of(passage: Passage) -> Source:
    """Who is behind a passage."""
    kind, kind_note = kind_of(passage.source_type)
    first, last, date_note = parse_date(passage.date)
    document = document_of(passage)
    return Source(
        kind=kind,
        document=document,
        domain=domain_of(document),
        first=first,
        last=last,
        notes=tuple(note for note in (kind_note, date_note) if note),
    )


def kind_of(source_type: str | None) -> tuple[str, str]:
    """The kind of source and a note when it is not known. Case and white space do not count."""
    if source_type is None or not source_type.strip():
        return "unknown", "no source kind"
    folded = fold_text(source_type).strip()
    return (folded, "") if folded in kinds() else ("unknown", "unknown source kind")


def parse_date(text: str | None) -> tuple[date | None, date | None, str]:
    """First and last day that a date tag may mean, and a note when it cannot be used.

    "2025-09" and "2025-09-30" are understood (with a time of day behind the day); anything else counts as undated.
    """
    if text is None or not text.strip():
        return None, None, "undated"
    match = _DATE.fullmatch(fold_text(text).strip().upper())
    if match is None:
        return None, None, "malformed date"
    year, month, day = int(match[1]), int(match[2]), int(match[3] or 1)
    try:
        first = date(year, month, day)
    except ValueError:
        return None, None, "malformed date"
    if match[3]:
        return first, first, ""
    try:
        following = date(year + month // 12, month % 12 + 1, 1)
    except ValueError:  # December of the last year that dates can hold
        return first, first, ""
    return first, following - timedelta(days=1), ""


def document_of(passage: Passage) -> str:
    """The document a passage belongs to: its source without scheme, line number and fragment."""
    if passage.source is None or not passage.source.strip():
        return f"\x00{passage.id}"
    plain = _SCHEME.sub("", fold_text(passage.source).strip())
    return _LINE_NUMBER.sub("", plain.split("#", 1)[0]).rstrip("/") or f"\x00{passage.id}"


def domain_of(document: str) -> str:
    """The registered domain of a document, "" when it is a file or a plain name.

    The last two labels, three under endings that different owners share. This needs no list of public suffixes and
    errs towards one owner, which only ever counts less.
    """
    host = _HOST.match(document.split("/", 1)[0].split("?", 1)[0])
    if host is None:
        return ""
    labels = host[1].split(".")
    if "/" not in document and labels[-1] in _FILE_ENDINGS:
        return ""
    shared = len(labels) >= _LONG_ENDING and labels[-2] in _SHARED_SECOND
    return ".".join(labels[-3:] if shared else labels[-2:])


def recency(source: Source, as_of: date, half_life_days: float, undated: float) -> float:
    """0..1: halves with every half-life of age at `as_of`; `undated` when there is no date or one after it."""
    if source.first is None or source.last is None or source.first > as_of:
        return undated
    age = (as_of - min(source.last, as_of)).days
    return float(0.5 ** (age / half_life_days))
