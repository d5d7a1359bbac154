"""Number words: "two hundred and five", "quatre-vingt-dix", "treinta y dos", "einundzwanzig", "half of"."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from guard_desk.text.amounts import HALF, Amount, mixed
from guard_desk.text.multiples import multiply, read_fraction
from guard_desk.text.scan import Scan
from guard_desk.text.vocabulary import Vocabulary, vocabulary

_LONGEST_WORD = 60


def _compound(word: str, words: Vocabulary) -> int | None:
    """A German number written as one word; None for other words and languages."""
    if not words.compound or not 7 <= len(word) <= _LONGEST_WORD:
        return None
    return _german(word)


@lru_cache(maxsize=32768)
def _german(word: str) -> int | None:
    """The value of "einundzwanzig", "zweihundertfünfzig", "dreitausend"; None for any other word."""
    small = vocabulary(("de",)).small
    if word in small:
        return small[word]
    for name, factor in (("tausend", 1000), ("hundert", 100)):
        left, found, right = word.partition(name)
        if found:
            upper = _german(left) if left else 1
            right = right.removeprefix("und")
            lower = _german(right) if right else 0
            return None if upper is None or lower is None or lower >= factor else upper * factor + lower
    left, found, right = word.partition("und")
    units, tens = small.get(left), small.get(right)
    if found and units is not None and tens is not None and 0 < units < 10 <= tens and tens % 10 == 0 and tens >= 20:
        return units + tens
    return None


def _read_share(scan: Scan, begin: int, words: Vocabulary) -> Amount | None:
    """ "half of the members", "a quarter of", "die Hälfte der": a fraction of something that is named next."""
    at = begin
    if words.has("numbers.articles", scan.word(at)) or words.small.get(scan.word(at)) == 1:
        at += 1
    part = words.fractions.get(scan.word(at))
    if part is None or (at == begin and part != 2) or not words.has("numbers.share_of", scan.word(at + 1)):
        return None
    if scan.word(begin - 1) in words.ordinals or scan.kind(at + 2) == "number":
        return None
    return Amount(begin, at + 1, Fraction(1, part), "fraction")


def _german_half(word: str, words: Vocabulary) -> Fraction | None:
    """ "anderthalb", "zweieinhalb"."""
    if not words.compound:
        return None
    if word in ("anderthalb", "eineinhalb"):
        return Fraction(3, 2)
    whole = _german(word.removesuffix("einhalb"))
    return None if whole is None else whole + HALF


def read_words(scan: Scan, begin: int, words: Vocabulary) -> Amount | None:
    """The number that number words spell from a token on; None when they spell none."""
    special = _read_share(scan, begin, words) or _read_half(scan, begin, words)
    if special is not None:
        return special
    first = scan.word(begin)
    if first.endswith("einhalb") or first == "anderthalb":
        halved = _german_half(first, words)
        if halved is not None:
            return Amount(begin, begin + 1, halved, "words")
    if first in words.times_words:
        return Amount(begin, begin + 1, Fraction(words.times_words[first]), "times")
    if first in words.ordinals and first not in words.small:
        return Amount(begin, begin + 1, Fraction(words.ordinals[first]), "ordinal")
    summed = _Sum(words)
    article = words.has("numbers.articles", first) and scan.word(begin + 1) in words.multipliers
    at = summed.read(scan, begin + 1, implied=1) if article else summed.read(scan, begin)
    if at == begin:
        is_article = words.has("numbers.articles", first)
        return Amount(begin, begin + 1, Fraction(1), "article") if is_article else None
    if summed.ordinal:
        return Amount(begin, at, Fraction(summed.total()), "ordinal")
    value, at = mixed(scan, at, Fraction(summed.total()), words)
    fraction = read_fraction(scan, at, value, words)
    if fraction is not None:
        return Amount(begin, fraction[1], fraction[0], "fraction")
    value, at = multiply(scan, at, value, words)
    shape = "article" if at == begin + 1 and value == 1 else ("year" if summed.year else "words")
    return Amount(begin, at, value, shape, str(value) if summed.year else "")


def _read_half(scan: Scan, begin: int, words: Vocabulary) -> Amount | None:
    """ "half an", "eine halbe", "une demi", "media"; the caller looks for what it halves."""
    for length in (2, 1):
        if begin + length <= len(scan) and scan.phrase(begin, begin + length) in words.group("numbers.half"):
            value, end = multiply(scan, begin + length, HALF, words)
            return Amount(begin, end, value, "half" if end == begin + length else "words")
    return None


class _Sum:
    """Adds up number words: "two hundred and five", "quatre-vingt-dix", "treinta y dos", "nineteen ninety-seven"."""

    def __init__(self, words: Vocabulary) -> None:
        self._words = words
        self._done = 0
        self._current = 0
        self._last = ""
        self.ordinal = False
        self.year = False

    def total(self) -> int:
        return self._done + self._current

    def read(self, scan: Scan, begin: int, *, implied: int = 0) -> int:
        """Take as many words as belong to one number; the token after them. `implied`: the "a" of "a dozen"."""
        at = begin
        if implied:
            self._current, self._last = implied, "small"
        between = self._words.has("numbers.ranges.between", scan.word(begin - 1))
        while at < len(scan) and at - begin < 14 and not self.ordinal and self._last != "pair":
            if scan.breaks(at) and at > begin and scan.kind(at) != "word":
                break
            if self._take(scan.word(at)):
                at += 1
                continue
            step = 0 if at == begin else self._joined(scan, at, between)
            if not step:
                break
            at += step
        return at

    def _joined(self, scan: Scan, at: int, between: bool) -> int:
        """Tokens taken by a hyphen or a joining word and the number word behind it; 0 when they do not join."""
        hyphen = scan.word(at) == "-" and scan.glued(at) and scan.glued(at + 1)
        joiner = self._words.has("numbers.joiners", scan.word(at)) and not between
        if hyphen and self._last in ("small", "multiplier"):
            steps = 2
            if self._words.has("numbers.joiners", scan.word(at + 1)) and scan.word(at + 2) == "-":  # "vingt-et-un"
                steps = 4
            return steps if self._take(scan.word(at + steps - 1)) else 0
        if joiner and self._may_join(scan.word(at + 1)):
            return 2 if self._take(scan.word(at + 1)) else 0
        return 0

    def _may_join(self, following: str) -> bool:
        if self._last == "multiplier":
            return following in self._words.small
        other = self._words.languages[0] != "en" and 20 <= self._current % 100 <= 90 and self._current % 10 == 0
        return other and self._words.small.get(following, 99) <= 11

    def _take(self, word: str) -> bool:
        small = self._words.small.get(word)
        if small is None:
            small = _compound(word, self._words)
        if small is not None:
            return self._add(small)
        multiplier = self._words.multipliers.get(word)
        if multiplier is not None and (self._last or (multiplier in (100, 1000) and self._words.languages[0] != "en")):
            return self._times(multiplier)
        ordinal = self._words.ordinals.get(word)
        if ordinal is not None and self._last == "small" and self._current % 10 == 0 and ordinal < 10 and self._current >= 20:
            self._current += ordinal
            self.ordinal = True
            return True
        return False

    def _add(self, small: int) -> bool:
        low = self._current % 100
        if not self._last:
            self._current = small
        elif self._last == "multiplier":
            if self._current and small >= 100:
                return False
            self._current += small
        elif (0 < small < 10 and low >= 20 and low % 10 == 0) or (self._current >= 100 and low == 0 and small < 100):
            self._current += small
        elif self._current == 4 and small == 20:
            self._current = 80
        elif low in (60, 80) and 10 <= small < 20:
            self._current += small
        elif self._current in (18, 19, 20) and small >= 10 and self._words.languages[0] == "en" and self._done == 0 and not self.year:
            self._current = self._current * 100 + small
            self.year = True
        else:
            return False
        self._last = "small"
        return True

    def _times(self, multiplier: int) -> bool:
        if self.year:
            return False
        if multiplier < 1000:
            if self._current >= 100:
                return False
            self._current = max(self._current, 1) * multiplier
        else:
            base = self._current if self._current else (1 if not self._done else 0)
            if not base:
                self._done *= multiplier
            else:
                self._done += base * multiplier
            self._current = 0
        self._last = "multiplier"
        return True
