"""Scores a text for orders to the system that answers: who is spoken to, what it is to do, about what, and in which form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from guard_desk.records.corpus import Span
from guard_desk.text.injection.lexicon import Lexicon, RulePattern, cue_patterns, lexicon
from guard_desk.text.injection.segments import Segment, fences, quotations, segments
from guard_desk.text.injection.views import View, views

JOINT_LENGTH = 3
JOINT_FACTOR = 0.96
STRONG = 0.5
MOST_FINDINGS = 8

_ALWAYS = "always"
_LATIN = ("en", "de", "fr", "es", "pt", "it", "nl", "tr")
_SCRIPTS = (
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("ta", re.compile("[\u0b80-\u0bff]")),
)
_TOKEN = re.compile(r"[^\W\d_]+")
_LATIN_LETTER = re.compile("[a-z]")
_ORDER_START = re.compile(r"(?:^|[.,;:!?()\[\]{}\"'“”„‘’>*#|/=-]\s*|\b(?:and|then|please|kindly|now|und|et|y|ve|bitte)\s+)$")
_EXEMPT_FROM_PEOPLE = frozenset({"ai", "ai_call", "override", "new_rules", "role", "exfil", "authority", "reveal", "concealed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectionFinding:
    """One rule that holds.

    :param score: 0..1, after reductions.
    :param form: how it is written: "plain", "comment", "base64", ...
    :param span: where in the text.
    :param note: why the score was lowered; "" when it was not.
    """

    rule: str
    score: float
    form: str
    span: Span
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectionScan:
    """The whole text's score, 0..1, and the findings behind it, strongest first."""

    score: float
    findings: tuple[InjectionFinding, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """A segment with the classes that it holds: class -> range in the view."""

    segment: Segment
    classes: Mapping[str, tuple[int, int]]


@lru_cache(maxsize=2048)
def scan(text: str) -> InjectionScan:
    """Look for instructions aimed at the answering system.

    The text is read openly and through everything that hides or encodes text; each sentence, and each two or three neighbouring ones
    together, are held against the rules of `resources/injection.toml`. What is quoted or described as an example counts less.
    """
    findings: list[InjectionFinding] = []
    for view in views(text):
        findings.extend(_scan_view(view))
    strongest = tuple(sorted(_best_by_place(findings), key=lambda finding: (-finding.score, finding.span.start)))[:MOST_FINDINGS]
    return InjectionScan(score=_combined(strongest, lexicon().reduce["several"]), findings=strongest)


def _combined(findings: Sequence[InjectionFinding], several: float) -> float:
    """The best score, raised a little by each further strong finding elsewhere."""
    if not findings:
        return 0.0
    total = findings[0].score
    for finding in findings[1:]:
        if finding.score >= STRONG:
            total += (1 - total) * several * finding.score
    return min(total, 0.99)


def _best_by_place(findings: Sequence[InjectionFinding]) -> list[InjectionFinding]:
    best: dict[Span, InjectionFinding] = {}
    for finding in findings:
        known = best.get(finding.span)
        if known is None or finding.score > known.score:
            best[finding.span] = finding
    return list(best.values())


def _scan_view(view: View) -> list[InjectionFinding]:
    known = lexicon()
    languages = _languages(view.text)
    read = tuple(_Read(segment, _classes(segment, languages)) for segment in segments(view))
    around = _Around(view.text, read)
    findings = [finding for position in range(len(read)) for finding in _matches(view, read, position, 1, known, around)]
    for length in range(2, JOINT_LENGTH + 1):
        for position in range(len(read) - length + 1):
            findings.extend(_matches(view, read, position, length, known, around))
    return findings


def _languages(text: str) -> tuple[str, ...]:
    latin = _LATIN if _LATIN_LETTER.search(text) else ()
    if text.isascii():
        return (_ALWAYS, *latin)
    return (_ALWAYS, *latin, *(code for code, script in _SCRIPTS if script.search(text)))


def _classes(segment: Segment, languages: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """The classes that a segment holds, each with its first match."""
    found: dict[str, tuple[int, int]] = dict.fromkeys(segment.markers, (segment.start, segment.end))
    for name, patterns in cue_patterns(_gated(segment.text, languages)):
        for pattern in patterns:
            match = pattern.search(segment.text)
            if match is not None:
                found[name] = (segment.start + match.start(), segment.start + match.end())
                break
    return found


def _gated(text: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The languages that this sentence may be in: patterns of the others would only cost time."""
    tokens = frozenset(_TOKEN.findall(text))
    gates = lexicon().gates
    return tuple(code for code in languages if code not in gates or _passes(tokens, *gates[code]))


def _passes(tokens: frozenset[str], words: frozenset[str], beginnings: tuple[str, ...]) -> bool:
    return not tokens.isdisjoint(words) or any(token.startswith(beginnings) for token in tokens)


class _Around:
    """What stands around a match: quotation marks (strings in fenced code are not meant), words that describe."""

    def __init__(self, text: str, read: Sequence[_Read]) -> None:
        self.text = text
        code = fences(text)
        self.quotes = tuple(quote for quote in quotations(text) if not any(left <= quote[0] < right for left, right in code))
        self.read = read

    def quoted(self, span: tuple[int, int]) -> bool:
        """Whether a match stands in quotation marks; it may begin with the mark before them (": \"AI:")."""
        return any(left - 3 <= span[0] and span[1] <= right and span[1] > left + 1 for left, right in self.quotes)

    def described(self, position: int, length: int) -> bool:
        """Whether this sentence or a neighbouring one speaks about attacks, examples or wordings."""
        near = self.read[max(0, position - 1) : position + length + 1]
        return any("describes" in item.classes and not self.quoted(item.classes["describes"]) for item in near)

    def orders(self, spans: Sequence[tuple[int, int]]) -> bool:
        """Whether a match begins a clause, as an order does."""
        return any(
            _ORDER_START.search(self.text[max(0, start - 12) : start + 1][:-1]) or _ORDER_START.search(self.text[start : start + 1])
            for start, _ in spans
        )


def _matches(view: View, read: Sequence[_Read], position: int, length: int, known: Lexicon, around: _Around) -> list[InjectionFinding]:
    """The best rule that holds in `length` neighbouring segments."""
    window = read[position : position + length]
    classes = dict(window[0].classes)
    for item in window[1:]:
        for name, place in item.classes.items():
            classes.setdefault(name, place)
    if not classes:
        return []
    best: InjectionFinding | None = None
    for rule in known.rules:
        if (length > 1 and not rule.joint) or (best is not None and rule.score * JOINT_FACTOR <= best.score):
            continue
        core = _core(rule, classes)
        if core is None or (length > 1 and _within_one(core, window)) or not _is_masked(core, window):
            continue
        score, note = _lowered(rule, core, classes, position, length, known, around)
        if best is None or score > best.score:
            span = view.origin(min(start for start, _ in core.values()) if length > 1 else window[0].segment.start, window[-1].segment.end)
            best = InjectionFinding(
                rule=rule.name, score=score * (JOINT_FACTOR if length > 1 else 1.0), form=window[0].segment.form, span=span, note=note
            )
    return [best] if best is not None else []


def _core(rule: RulePattern, classes: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]] | None:
    """The matched classes of a rule, each part of it by another class; None when it does not hold."""
    core: dict[str, tuple[int, int]] = {}
    for part in rule.needs:
        fitting = next((name for name in sorted(part) if name in classes and name not in core), None)
        if fitting is None:
            return None
        core[fitting] = classes[fitting]
    return core


def _is_masked(core: Mapping[str, tuple[int, int]], window: Sequence[_Read]) -> bool:
    """Where letters were masked one by one, the words that a rule calls concealed must hold such letters."""
    masked = [position for item in window for position in item.segment.masked]
    if "concealed" not in core or not masked:
        return True
    return any(start <= position < end for name, (start, end) in core.items() if name != "concealed" for position in masked)


def _within_one(core: Mapping[str, tuple[int, int]], window: Sequence[_Read]) -> bool:
    return any(all(item.segment.start <= start and end <= item.segment.end for start, end in core.values()) for item in window)


def _lowered(
    rule: RulePattern,
    core: Mapping[str, tuple[int, int]],
    classes: Mapping[str, tuple[int, int]],
    position: int,
    length: int,
    known: Lexicon,
    around: _Around,
) -> tuple[float, str]:
    """The rule's score, less for quoted, described, human or machine-written text."""
    spans = [span for name, span in core.items() if name not in ("concealed", "aside")] or list(core.values())
    reduce = known.reduce
    if "concealed" in core:
        return rule.score, ""
    described = around.described(position, length)
    quoted = [around.quoted(span) for span in spans]
    if quoted[0] or (described and any(quoted)):
        return rule.score * reduce["quoted" if described else "quoted_bare"], "quoted as an example" if described else "in quotation marks"
    if "log" in classes and "exfil" not in core:  # a placeholder in an address is no template
        return rule.score * reduce["log"], "a log line or a template"
    if "people" in classes and not _EXEMPT_FROM_PEOPLE & set(core):
        return rule.score * reduce["people"], "addressed to people"
    if described and not around.orders(spans):
        return rule.score * reduce["described"], "described, not ordered"
    return rule.score, ""
