"""Identifiers: URLs, addresses, paths, files, flags, settings, versions, error codes, product codes."""

from __future__ import annotations

import re
from functools import cache

from guard_desk.records.evidence import ValueKind
from guard_desk.text.found import Found
from guard_desk.text.vocabulary import Vocabulary, vocabulary

_MAX_CHUNK = 2000
# A run without spaces, quotes and brackets that end a word in prose; square and curly brackets may be inside.
_CHUNK = re.compile(r"[A-Za-z0-9_./\\:@#~%&=?+$\[\]{}<>*'-]+")
_INTERESTING = re.compile(r"\d-\d+-\d|[_/\\@#\[]|[A-Za-z]-?\d|\d[A-Za-z]|\.[A-Za-z0-9]|--?[A-Za-z]|[a-z][A-Z]")
_TRAILING = ".,:;?!'*<>-/"
_FILES = (
    "md|txt|toml|ya?ml|jsonl?|csv|tsv|xml|html?|css|jsx?|tsx?|vue|py|ipynb|rs|go|java|c|h|cpp|cc|rb|php|pl|lua|r|sh|bash|zsh|ps1|bat|exe|dll|so|ini|cfg"
    "|conf|env|log|lock|sql|db|sqlite|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|zip|tar|t?gz|bz2|xz|7z|rpm|deb|dmg|iso|img|bin|whl|jar|war|proto|pem|crt"
    "|key|cer|pfx|service|plist|properties|tf|gradle"
)
_FILE = re.compile(rf"(?:[\w~.-]+[/\\])*[\w-]+(?:\.[\w-]+)*\.(?:{_FILES})", re.IGNORECASE)
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("url", re.compile(r"(?:https?|ftp|file|ssh|git|s3|mailto)://?[^\s<>\"']+|www\.[\w-]+\.[^\s<>\"']+", re.IGNORECASE)),
    ("email", re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    ("handle", re.compile(r"@[A-Za-z]\w+")),
    ("flag", re.compile(r"--[A-Za-z][\w-]*|-[A-Za-z]")),
    ("setting", re.compile(r"--[A-Za-z][\w-]*=\S+|[A-Za-z_][\w.-]*=[\w./:-]+")),
    (
        "address",
        re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:[:/]\d+)?|(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}"),
    ),
    (
        "version",
        re.compile(
            r"[vV]\d+(?:\.\d+)*(?:[.-]?(?:alpha|beta|rc|dev|post|pre|b|a)[.-]?\d*)?(?:[+-][\w.]+)?|\d+(?:\.\d+){2,}(?:[-+][\w.]+|(?:a|b|rc)\d+)?|\d+\.\d+(?:\.\d+)*-?(?:alpha|beta|rc|dev|post)[.-]?\d*"
        ),
    ),
    ("file", _FILE),
    (
        "path",
        re.compile(
            r"~?/[\w.{}<>:@%+-]+(?:/[\w.{}<>:@%*+-]+)*/?|\.{1,2}/[\w./-]+|[A-Za-z]:\\[^\s\"']+|\\\\[^\s\"']+|[\w.-]+(?:/[\w.{}-]+){2,}/?"
        ),
    ),
    ("setting", re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+(?:\(\))?|_+[A-Za-z]\w*|[a-z]\w+\(\)")),
    ("setting", re.compile(r"[A-Za-z_]\w*(?:\.\w+)*\[\w+\](?:\.\w+)*")),
    ("camel", re.compile(r"[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}\(\)")),
    ("dotted", re.compile(r"[a-z][a-z0-9_-]+(?:\.[a-z_][a-z0-9_-]+)+(?:\(\))?")),
    ("uuid", re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")),
    ("hash", re.compile(r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,64}|0x[0-9a-fA-F]+")),
    ("number", re.compile(r"97[89](?:-?\d){10}|\d{1,5}-\d{2,7}-\d{2,7}-[\dX]|\+\d{6,15}|\d{3,}-\d{3,}-\d{3,}|\d{1,2}-\d{3}-\d{3}-\d{4}")),
    ("code", re.compile(r"#\d{2,}|#[A-Za-z]+-?\d+")),
    (
        "code",
        re.compile(
            r"[A-Z]{1,10}-?\d+[A-Za-z]?\d*(?:[-/.](?=\w*[A-Z\d])\w+)*|[A-Z][A-Za-z]*-\d+[A-Za-z]?(?:-(?=\w*[A-Z\d])\w+)*|[A-Z]+(?:-[A-Z]+)*-\d+(?:-\w+)*"
        ),
    ),
    ("code", re.compile(r"[A-Z][a-z]+\d+[A-Za-z]?|[a-z]{2,}\d+[a-z]?|[a-z]\d{2,}|[a-z]+(?:-[a-z]+)*-\d+[A-Z]?|[A-Z]{2,}(?:-[A-Z0-9]+)+")),
    ("code", re.compile(r"[A-Za-z]{2,}\d+[A-Za-z\d]*")),
    ("code", re.compile(r"\d+[A-Z]+\d+\w*|\d+[A-Z]{3,}\d*|[A-Z]+\d+[A-Z]+\d*\w*")),
)
_IN_CODE = re.compile(r"[A-Za-z][\w-]*-[\w-]+|[\w.]*[_.\d][\w.-]*")
_PLAIN_PREFIXES = re.compile(
    r"(?:under|over|mid|pre|post|top|non|sub|age|aged|plus|minus|day|week|year|step|number|page|and|or|to|am|pm)-?\d", re.IGNORECASE
)
_NOT_CODES = re.compile(
    r"Q[1-4]|H[12]|FY\d+|T[1-4]|S[12]|[Qq][1-4]-\d{4}"
    r"|[$€£]?\d+(?:st|nd|rd|th|s|k|K|M|B|bn|h|m|km|mm|cm|kg|g|mg|ms|min|GB|MB|KB|TB|kB|Mb|Gb|V|W|A|Hz|L|l|d|x)"
)
_DATE_LIKE = re.compile(r"\d{1,3}(?:\.\d{3})+|\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})|[12]\d{3}[-./]\d{1,2}[-./]\d{1,2}")
# "SOD1-mediated": a code with a word hung on it.
_HUNG = re.compile(r"(.*\d\w?)-[a-z]{3,}")
_CODE_SPAN = re.compile(r"(`{3,})([\w-]*\n)?|`")
_VERSION = r"v?(?P<version>\d{1,6}(?:\.\d{1,6}){0,5}(?:[-+.]?[a-z]{1,8}\.?\d{0,4})?)(?![\w%]|\.\d)"
_VERSION_CJK = r"v?(?P<version2>\d{1,6}(?:\.\d{1,6}){0,5})(?!\.?\d)|(?<![\d.])(?P<version3>\d{1,4}\.\d{1,4}(?:\.\d{1,4}){0,3}) ?版"


@cache
def _version_pattern(languages: tuple[str, ...]) -> re.Pattern[str]:
    """ "version 2", "版本 2.1", "2.1 版": the words are language data."""
    names = vocabulary(languages).group("numbers.version_words")
    spaced = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name.isascii() or name[0] < "\u3005") or "(?!)"
    cjk = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name[0] >= "\u3005") or "(?!)"
    return re.compile(rf"\b(?:{spaced}) {_VERSION}|(?:{cjk}) ?(?:为|是)? ?{_VERSION_CJK}", re.IGNORECASE)


def _code_ranges(text: str) -> list[tuple[int, int]]:
    """Offsets of what stands inside backticks."""
    ranges: list[tuple[int, int]] = []
    opened: tuple[int, str] | None = None
    for match in _CODE_SPAN.finditer(text):
        mark = match[1] or "`"
        if opened is None:
            opened = (match.end() if match[2] else match.start() + len(mark), mark)
        elif mark == opened[1]:
            ranges.append((opened[0], match.start()))
            opened = None
    return ranges


def _classify(chunk: str, *, in_code: bool) -> str:
    """The kind of identifier a run is; "" for prose, numbers, dates, quantities."""
    if _DATE_LIKE.fullmatch(chunk) or _NOT_CODES.fullmatch(chunk) or chunk in vocabulary(("en",)).symbols:
        return ""
    for kind, pattern in _KINDS:
        if pattern.fullmatch(chunk):
            if kind == "code" and _PLAIN_PREFIXES.match(chunk):
                return ""
            if kind == "flag" and len(chunk) == 2 and not in_code:
                return ""
            if kind == "path" and (chunk.partition("/")[0] in vocabulary(("en",)).symbols or not re.search(r"[A-Za-z]", chunk)):
                return ""
            return kind
    return "code" if in_code and _IN_CODE.fullmatch(chunk) and re.search(r"[A-Za-z]", chunk) else ""


def _trim(chunk: str) -> tuple[int, str]:
    """Cut punctuation of the sentence and unbalanced brackets off a run: (characters cut in front, the rest)."""
    front = 0
    while chunk and (
        chunk[0] in "'*:;,?!%&+=]}>"
        or (chunk[0] == "." and not chunk.startswith(("./", "../")))
        or (chunk[0] == "[" and chunk.count("[") >= chunk.count("]"))
        or (chunk[0] in "<{" and chunk[-1:] not in ">}")
    ):
        chunk, front = chunk[1:], front + 1
    previous = None
    while chunk and chunk != previous:
        previous = chunk
        chunk = chunk.rstrip(_TRAILING if not chunk.endswith(">") or "<" not in chunk else _TRAILING.replace(">", "").replace("<", ""))
        if chunk.endswith("]") and chunk.count("]") > chunk.count("["):
            chunk = chunk[:-1]
        if chunk.endswith("}") and chunk.count("}") > chunk.count("{"):
            chunk = chunk[:-1]
        if chunk.endswith("'s"):
            chunk = chunk[:-2]
    return front, chunk


def canonical(kind: str, text: str) -> str:
    """One spelling of an identifier: case folded; "v3.14.2" and "3.14.2" are one version."""
    folded = text.casefold()
    if kind == "version":
        return folded.removeprefix("v")
    if kind in ("url", "path"):
        return folded.removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/") or folded
    if kind == "number":
        return folded.replace("-", "")
    return folded


def find_identifiers(text: str, words: Vocabulary) -> list[Found]:
    """The identifiers of a plain text, in order."""
    found: list[Found] = []
    codes = _code_ranges(text)
    inside = 0
    for match in _CHUNK.finditer(text):
        if match.end() - match.start() > _MAX_CHUNK or not _INTERESTING.search(match.group()):
            continue
        while inside < len(codes) and codes[inside][1] <= match.start():
            inside += 1
        in_code = inside < len(codes) and codes[inside][0] <= match.start()
        front, chunk = _trim(match.group())
        start = match.start() + front
        if not chunk or (start and text[start - 1].isalnum() and text[start - 1] < "\u3000"):
            continue
        found.extend(_take(start, chunk, in_code=in_code))
    return _with_versions(text, found, words)


def _take(start: int, chunk: str, *, in_code: bool) -> list[Found]:
    kind = _classify(chunk, in_code=in_code)
    if kind:
        return [Found(kind=ValueKind.IDENTIFIER, start=start, end=start + len(chunk), canonical=canonical(kind, chunk), label=kind)]
    hung = _HUNG.fullmatch(chunk)
    if hung:
        return _take(start, hung[1], in_code=in_code)
    if chunk.startswith("[") and chunk.endswith("]"):
        return _take(start + 1, chunk[1:-1], in_code=in_code)
    return []


def _with_versions(text: str, found: list[Found], words: Vocabulary) -> list[Found]:
    """Add the numbers that "version 2", "版本 2.1" name."""
    versions = []
    for match in _version_pattern(words.languages).finditer(text):
        group = next(name for name in ("version", "version2", "version3") if match[name])
        start, end = match.span(group)
        if not any(one.start < end and start < one.end for one in found):
            versions.append(Found(kind=ValueKind.IDENTIFIER, start=start, end=end, canonical=match[group].casefold(), label="version"))
    return sorted(found + versions, key=lambda one: one.start) if versions else found
