"""What stands around a number: the words that make it a bound, and the noun that it counts."""

from __future__ import annotations

from functools import lru_cache

from guard_desk.records.evidence import Bound
from guard_desk.text.normalize import unaccented
from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Vocabulary

_LONGEST_BOUND = 6
_NEGATION_REACH = 4
_NOUN_REACH = 3
_FLIPPED = {Bound.MORE_THAN: Bound.MOST, Bound.LESS_THAN: Bound.LEAST}
_CJK_INNER = ("存", "部", "容", "外", "网", "置", "嵌")
_IGNORED_BEFORE = frozenset({"a", "an", "(", '"', "*", "le", "la", "el", "dem", "den", "für", "a*"})


def bound_before(scan: Scan, begin: int, words: Vocabulary, *, date: bool = False) -> Bound:
    """The bound that the words before a token set, negation included ("not more than" = at most)."""
    end = begin
    while end > 0 and begin - end < 3 and scan.word(end - 1) in _IGNORED_BEFORE:
        end -= 1
    for stop in dict.fromkeys((begin, end, _before_verb(scan, begin, words))):
        for length in range(min(_LONGEST_BOUND, stop), 0, -1):
            phrase = scan.phrase(stop - length, stop)
            bound = words.bounds.get(phrase)
            if bound is None or not _applies(phrase, words, date=date):
                continue
            return _FLIPPED[bound] if bound in _FLIPPED and _negated(scan, stop - length, words) else bound
    return Bound.EXACT


def _before_verb(scan: Scan, begin: int, words: Vocabulary) -> int:
    """The token of a verb that stands between a bound and its number ("至少需要三名")."""
    if scan.kind(begin - 1) == "cjk":
        for length in (2, 1):
            if begin >= length and words.has("numbers.bound_verbs", scan.phrase(begin - length, begin)):
                return begin - length
    return begin


def _applies(phrase: str, words: Vocabulary, *, date: bool) -> bool:
    """Some phrases bound only dates ("by"), and only some bound dates."""
    if date:
        return words.has("numbers.bounds_only.date", phrase)
    return not words.has("numbers.bounds_only.quantity_not", phrase)


def _negated(scan: Scan, at: int, words: Vocabulary) -> bool:
    """Whether a negation stands within a few words before a token, in the same clause."""
    for index in range(at - 1, max(-1, at - 1 - _NEGATION_REACH), -1):
        token = scan.word(index)
        if scan.kind(index) == "sign" and token not in "'`*":
            return False
        if words.has("numbers.negations.words", token) or token.endswith("n't"):
            return True
    return False


def bound_after(scan: Scan, end: int, words: Vocabulary, *, date: bool = False) -> tuple[Bound, int]:
    """The bound that the words from a token on set, and the token after them."""
    for length in range(min(4, len(scan) - end), 0, -1):
        phrase = scan.phrase(end, end + length)
        bound = words.bounds_after.get(phrase)
        if bound is None or scan.breaks(end):
            continue
        if phrase == "+" and (not scan.glued(end) or scan.kind(end + 1) == "number"):
            continue
        if phrase == "内" and scan.text.startswith(_CJK_INNER, scan.ends[end]):
            continue
        if date and not (words.has("numbers.bounds_only.date", phrase) or " at the " in f" {phrase} "):
            continue
        if not date and words.has("numbers.bounds_only.quantity_not", phrase):
            continue
        return bound, end + length
    return Bound.EXACT, end


def bound_behind_noun(scan: Scan, end: int, words: Vocabulary) -> Bound:
    """The bound behind the counted noun: "12 characters or more", "三名以上"."""
    if scan.kind(end) == "cjk":
        steps = [end + step for step in range(1, 5)]
    else:
        steps = [
            end + step
            for step in (1, 2)
            if scan.kind(end + step - 1) == "word" and not words.has("numbers.not_nouns", scan.word(end + step - 1))
        ]
    for at in steps:
        if scan.kind(at - 1) not in ("word", "cjk"):
            break
        bound, stop = bound_after(scan, at, words)
        if bound is not Bound.EXACT and (stop - at > 1):
            return bound
    return Bound.EXACT


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A folded noun without accents and plural ending: "employees" and "employee" are one."""
    plain = unaccented(word).removesuffix("'s").rstrip("'")
    if len(plain) > 4 and plain.endswith("ies"):
        return plain[:-3] + "y"
    if len(plain) > 4 and plain.endswith(("ches", "shes", "xes", "sses")):
        return plain[:-2]
    if len(plain) > 3 and plain.endswith("s") and not plain.endswith(("ss", "us", "is")):
        return plain[:-1]
    return plain


def noun_after(scan: Scan, end: int, words: Vocabulary) -> str:
    """The counted noun behind a number; "" when a function word or a sign comes first.

    In up to three words the first plural wins ("6 Tulin tablets a day"), else the first word.
    """
    if scan.kind(end) == "cjk":
        return _noun_cjk(scan, end, words)
    seen: list[str] = []
    at = end
    if scan.word(at) == "-" and scan.glued(at) and scan.glued(at + 1):
        at += 1
    while scan.word(at) in ("*", "`", "_") and at - end < 3:
        at += 1
    if scan.word(at) in ("of", "de"):  # "two of the pumps" counts pumps
        at += 1
        if scan.word(at) in ("the", "these", "our", "its", "los", "las"):
            at += 1
    while len(seen) < _NOUN_REACH and scan.kind(at) == "word" and not words.has("numbers.not_nouns", scan.word(at)):
        seen.append(scan.word(at))
        if scan.breaks(at + 1) and len(seen) > 1:
            break
        at += 1
    for word in seen:
        if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
            return stem(word)
    return stem(seen[0]) if seen else ""


def _noun_cjk(scan: Scan, at: int, words: Vocabulary) -> str:
    """Up to two characters behind the classifier, up to a particle."""
    length = _classifier(scan, at, words)
    if length:
        if words.has("numbers.counted", scan.word(at)):
            return scan.word(at)
        at += length
    stops = words.group("numbers.noun_stops")
    noun = ""
    while len(noun) < 2 and scan.kind(at) == "cjk" and scan.word(at) not in stops:
        noun += scan.word(at)
        at += 1
    return noun


def _classifier(scan: Scan, at: int, words: Vocabulary) -> int:
    """Length of the Chinese classifier at a token, 0 when there is none."""
    for length in (2, 1):
        if at + length <= len(scan) and words.has("numbers.classifiers", scan.phrase(at, at + length)):
            return length
    return 0


def has_classifier(scan: Scan, at: int, words: Vocabulary) -> bool:
    """Whether a Chinese classifier stands at a token."""
    return scan.kind(at) == "cjk" and _classifier(scan, at, words) > 0


def label_before(scan: Scan, begin: int, words: Vocabulary) -> str:
    """The noun that a number labels: "port" of "port 9301"."""
    if scan.kind(begin - 1) == "cjk":
        for length in (3, 2):
            if begin >= length and words.has("numbers.label_nouns", scan.phrase(begin - length, begin)):
                return scan.phrase(begin - length, begin)
        return ""
    at = begin - 1
    if scan.word(at) in (":", "=", ".", "#"):
        at -= 1
    return stem(scan.word(at)) if words.has("numbers.label_nouns", scan.word(at)) else ""
