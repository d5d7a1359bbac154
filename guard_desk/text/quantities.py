"""Quantities: numbers with units, money and percentages, ranges, compounds ("2 hours 17 minutes") and bounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from guard_desk.records.evidence import Bound, ValueKind
from guard_desk.text import context, units
from guard_desk.text.amounts import Amount, show
from guard_desk.text.found import Found
from guard_desk.text.numbers import read_amount
from guard_desk.text.scan import Scan
from guard_desk.text.units import Measure, spell
from guard_desk.text.vocabulary import Currency, Vocabulary

_COMPOUND = frozenset({"time", "length", "mass", "angle", "volume"})
_HALF = Fraction(1, 2)
_DETERMINERS = frozenset({"the", "a", "an", "this", "that", "every", "each", "no"})


@dataclass(frozen=True, slots=True)
class Part:
    """One number with what it measures, from token `begin` to `end`; `value` as written, before conversion."""

    begin: int
    end: int
    amount: Amount
    value: Fraction
    measure: Measure | None

    @property
    def converted(self) -> Fraction:
        return self.value if self.measure is None else self.measure.convert(self.value)


def find_quantity(scan: Scan, at: int, words: Vocabulary) -> tuple[Found, int] | None:
    """The quantity that starts at a token, and the token after it."""
    if scan.word(at - 1) == "^" and scan.glued(at):
        return None  # a footnote mark
    if scan.kind(at) == "number" and scan.glued(at) and scan.kind(at - 1) == "word" and scan.words[at - 1].isascii():
        return None  # the 2 of "BCL2"
    part = _read_part(scan, at, words)
    if part is None or _is_list_mark(scan, part):
        return None
    part = _compound(scan, part, words)
    ranged = _range(scan, part, words)
    if ranged is not None:
        low, high = ranged
        return _build(scan, low, high, words), high.end
    if not _counts(scan, part, words):
        return None
    return _build(scan, part, None, words), part.end


def _is_list_mark(scan: Scan, part: Part) -> bool:
    """ "1. Drain" and "2) Wait" at the start of a line number a list."""
    begin = part.begin
    if part.amount.shape != "digits" or part.measure is not None or len(part.amount.written) > 2 or not part.amount.written:
        return False
    if begin > 0 and not scan.breaks(begin) and not (scan.word(begin - 1) == "(" and (begin == 1 or scan.breaks(begin - 1))):
        return False
    return scan.word(part.end) in (".", ")") and scan.kind(part.end + 1) in ("word", "cjk", "sign") and not scan.glued(part.end + 1)


def _read_part(scan: Scan, at: int, words: Vocabulary) -> Part | None:
    """A number with its sign, currency and unit."""
    begin, negative = at, False
    if scan.word(at) in ("-", "minus", "零") and _is_minus(scan, at):
        at, negative = at + (2 if scan.word(at) == "零" else 1), True
    currency: Currency | None = None
    before = units.match_currency_before(scan, at, words) if at < len(scan) else None
    if before is not None:
        at, currency = before
    amount = read_amount(scan, at, words)
    if amount is None:
        return None
    if currency is not None:
        amount = _with_letter(scan, amount, words)
        measure: Measure | None = units.money(currency, amount.end)
    else:
        amount, measure = _measured(scan, amount, words)
        measure = units.with_rate_before(scan, begin, measure, words) if measure is not None else None
    value = -amount.value if negative else amount.value
    if measure is None and amount.shape == "half":
        return None
    part = Part(begin, measure.end if measure else amount.end, amount, value, measure)
    return _and_half(scan, part, words)


def _is_minus(scan: Scan, at: int) -> bool:
    """A minus, not a dash between words or digits; "零下" too."""
    if scan.word(at) == "零":
        return scan.word(at + 1) == "下" and scan.kind(at + 2) in ("number", "cjk")
    if scan.word(at) == "minus":
        return scan.kind(at + 1) in ("number", "word")
    free = at == 0 or (not scan.glued(at) or scan.word(at - 1) in "([:=~")
    return free and scan.glued(at + 1) and scan.kind(at + 1) == "number"


def _with_letter(scan: Scan, amount: Amount, words: Vocabulary) -> Amount:
    """Apply a letter that means a magnitude only of money: "€84.6m"."""
    at = amount.end
    token = scan.words[at] if at < len(scan) else ""
    if scan.glued(at) and token in words.money_magnitudes and not (scan.glued(at + 1) and scan.kind(at + 1) in ("word", "number")):
        return replace(amount, value=amount.value * words.money_magnitudes[token], end=at + 1, written="")
    return amount


def _measured(scan: Scan, amount: Amount, words: Vocabulary) -> tuple[Amount, Measure | None]:
    """What stands behind a number: percent, unit or currency."""
    at = amount.end
    if amount.shape == "per":
        hundred = amount.written == "100"
        amount = replace(amount, value=amount.value * (100 if hundred else 1000), written="")
        return amount, Measure(at, "%" if hundred else "‰", "%", "percent", Fraction(1) if hundred else Fraction(1, 10))
    if amount.shape in ("ordinal", "fraction", "times"):
        return amount, _unit_of(scan, at, words) if amount.shape == "fraction" else None
    if scan.breaks(at) and scan.kind(at) != "word":
        return amount, None
    spaced = _spaced_letter(scan, amount, words)
    if spaced is not None:
        return spaced
    lettered = _with_letter(scan, amount, words)
    if lettered is not amount:
        found = units.match_currency_after(scan, lettered.end, words)
        if found is not None:
            return lettered, units.money(found[1], found[0])
    found = units.match_currency_after(scan, at, words)
    if found is not None and not _prefers_unit(scan, at, found[0], words):
        return amount, units.money(found[1], found[0])
    return amount, _unit_at(scan, at, words)


def _spaced_letter(scan: Scan, amount: Amount, words: Vocabulary) -> tuple[Amount, Measure] | None:
    """ "1 M€": the letter stands with the currency sign."""
    at = amount.end
    token = scan.words[at] if at + 1 < len(scan) else ""
    if token not in words.money_magnitudes or not scan.glued(at + 1) or scan.words[at + 1] not in words.currency_symbols:
        return None
    scaled = replace(amount, value=amount.value * words.money_magnitudes[token], end=at + 1, written="")
    return scaled, units.money(words.currency_symbols[scan.words[at + 1]], at + 2)


def _prefers_unit(scan: Scan, at: int, end: int, words: Vocabulary) -> bool:
    """A longer unit name beats a currency name ("pounds per square inch")."""
    unit = units.match_unit(scan, at, words)
    return unit is not None and unit.end > end


def _unit_at(scan: Scan, at: int, words: Vocabulary) -> Measure | None:
    """The unit behind a number, a hyphen ("14-day") or an adjective ("400 operating hours") between them."""
    unit = units.match_unit(scan, at, words)
    if unit is not None:
        return unit
    if scan.word(at) == "-" and scan.glued(at) and scan.glued(at + 1) and scan.kind(at + 1) == "word":
        return units.match_unit(scan, at + 1, words)
    if words.has("numbers.unit_adjectives", scan.word(at)):
        unit = units.match_unit(scan, at + 1, words)
        return unit if unit is not None and len(scan.word(at + 1)) > 2 else None
    return None


def _unit_of(scan: Scan, at: int, words: Vocabulary) -> Measure | None:
    """The unit of a fraction: "3/4 inch", "two thirds of a mile"."""
    if scan.word(at) in ("of", "de", "d'une", "d'un") and words.has("numbers.articles", scan.word(at + 1)):
        return units.match_unit(scan, at + 2, words)
    if words.has("numbers.articles", scan.word(at)):
        return units.match_unit(scan, at + 1, words)
    return units.match_unit(scan, at, words)


def _and_half(scan: Scan, part: Part, words: Vocabulary) -> Part:
    """Apply "and a half" behind a unit: "an hour and a half", "两年半", "un an et demi"."""
    if part.measure is None or part.measure.dimension in ("money", "percent") or part.value.denominator != 1:
        return part
    for length in (3, 2, 1):
        if part.end + length <= len(scan) and scan.phrase(part.end, part.end + length) in words.group("numbers.and_half"):
            return replace(part, end=part.end + length, value=part.value + _HALF)
    return part


def _compound(scan: Scan, part: Part, words: Vocabulary) -> Part:
    """Add smaller parts of the same dimension: "2 hours 17 minutes", "2 小时 30 分钟"."""
    while part.measure is not None and part.measure.dimension in _COMPOUND and part.measure.offset == 0:
        at = part.end
        if words.has("numbers.joiners", scan.word(at)) or scan.word(at) in ("and", "零", "又"):
            at += 1
        if scan.kind(at) not in ("number", "word", "cjk") or scan.breaks(at):
            return part
        following = _small_symbol(scan, _read_part(scan, at, words), words)
        if following is None or following.measure is None or following.amount.shape in ("fraction", "ordinal", "article"):
            return part
        below = following.measure
        smaller = below.unit == part.measure.unit and below.factor < part.measure.factor
        if not smaller or following.converted >= part.measure.factor or "/" in below.name:
            return part
        total = (part.converted + following.converted) / part.measure.factor
        part = replace(part, end=following.end, value=total, measure=replace(part.measure, end=following.end))
    return part


def _small_symbol(scan: Scan, part: Part | None, words: Vocabulary) -> Part | None:
    """Read the "in" of "5 ft 3 in", which is a preposition elsewhere."""
    if part is None or part.measure is not None:
        return part
    unit = words.compound_symbols.get(scan.words[part.end] if part.end < len(scan) else "")
    if unit is None:
        return part
    return replace(part, end=part.end + 1, measure=Measure(part.end + 1, unit.name, unit.base, unit.dimension, unit.factor))


def _range(scan: Scan, low: Part, words: Vocabulary) -> tuple[Part, Part] | None:
    """The two ends of "3-5 days", "between 3 and 5", "3至5天"; None when it is no range."""
    at = low.end
    token = scan.word(at)
    between = words.has("numbers.ranges.between", scan.word(low.begin - 1))
    dash = token in ("-", "~") and scan.glued(at) == scan.glued(at + 1)
    worded = words.has("numbers.ranges.to", token) or (between and words.has("numbers.ranges.and", token))
    if not (dash or worded) or low.amount.shape in ("ordinal", "times", "article", "half", "fraction"):
        return None
    high = _read_part(scan, at + 1, words)
    if high is None or high.amount.shape in ("ordinal", "times", "article", "fraction"):
        return None
    high = _compound(scan, high, words)
    if low.measure is not None and high.measure is not None and worded and not between:
        return None  # "from 6.1% to 7.4%" moves from one value to another
    return _same_measure(low, high)


def _same_measure(low: Part, high: Part) -> tuple[Part, Part] | None:
    """Give both ends of a range one measure: "$3-5", "3-5 days", "2 to 4 million euros"."""
    if low.measure is None and high.measure is not None:
        low = replace(low, measure=high.measure)
    elif high.measure is None and low.measure is not None:
        if low.measure.dimension != "money":
            return None
        high = replace(high, measure=low.measure)
    if low.measure is not None and high.measure is not None and low.measure.unit != high.measure.unit:
        return None
    if (
        low.value < high.value
        and high.amount.value >= 1000
        and low.amount.value < 1000
        and high.value % 1000 == 0
        and high.amount.written == ""
    ):
        scale = Fraction(10) ** (3 * ((len(str(int(high.value))) - 1) // 3))  # "2 to 4 million": both in millions
        if low.value * scale < high.value:
            low = replace(low, value=low.value * scale)
    return (low, high) if low.converted < high.converted else None


def _counts(scan: Scan, part: Part, words: Vocabulary) -> bool:
    """Whether a lone number is a value at all: articles, numerals inside words and odd ordinals are none."""
    shape = part.amount.shape
    if shape == "article" or (shape == "half" and part.measure is not None):
        return _article_counts(scan, part, words)
    if shape == "times" and part.amount.value == 1:  # "once" joins clauses too
        return words.has("numbers.per", scan.word(part.end)) and scan.word(part.end + 1) in words.unit_words
    if shape == "ordinal":
        return _ordinal_counts(scan, part, words)
    if shape == "cjk" and part.measure is None:
        return _numeral_counts(scan, part, words)
    return True


def _article_counts(scan: Scan, part: Part, words: Vocabulary) -> bool:
    """ "a week" after "for" is one week, "twice a week" is none; "one" counts unless it stands for a noun."""
    before = scan.word(part.begin - 1)
    first = scan.word(part.begin)
    if first not in words.group("numbers.articles"):
        if part.measure is not None:
            return True
        if scan.word(part.begin - 2) in _DETERMINERS and scan.kind(part.begin - 1) == "word":
            return False  # "the black one"
        return (
            not words.has("numbers.one_stops", before)
            and bool(context.noun_after(scan, part.end, words))
            and scan.word(part.end) not in ("of", "another")
        )
    if (
        part.measure is None
        or (before == "than" and words.has("numbers.article_stops", scan.word(part.end)))
        or scan.word(part.end) in ("ago",)
    ):
        return False
    needed = words.group("numbers.article_after")
    return not needed or words.languages[0] != "en" or not before or before in needed or scan.kind(part.begin - 1) == "sign"


def _ordinal_counts(scan: Scan, part: Part, words: Vocabulary) -> bool:
    """Ordinals count before a noun; "first", "second" only behind a word that points ("on the second floor")."""
    if scan.kind(part.begin) == "number":
        return True
    following = scan.word(part.end)
    if scan.kind(part.end) != "word" or words.has("numbers.ordinal_stops", following) or words.has("numbers.not_nouns", following):
        return False
    if following in words.small or following in words.multipliers:
        return False
    return part.amount.value > 2 or words.has("numbers.not_nouns", scan.word(part.begin - 1))


def _numeral_counts(scan: Scan, part: Part, words: Vocabulary) -> bool:
    """A Chinese numeral counts before a classifier, or when it has places or several characters."""
    following = scan.word(part.end)
    if scan.word(part.begin - 1) in words.group("numbers.ordinal_prefix"):
        return True
    if part.end - part.begin > 1:
        return True
    if not context.has_classifier(scan, part.end, words):
        return False
    if scan.word(part.begin) == "一" and words.has("numbers.article_classifiers", following):
        if context.bound_before(scan, part.begin, words) is not Bound.EXACT:
            return True
        return any(
            scan.phrase(max(0, part.begin - length), part.begin) in words.group("numbers.only") for length in (1, 2) if part.begin >= length
        )
    return True


def _build(scan: Scan, low: Part, high: Part | None, words: Vocabulary) -> Found:
    """The value of a part, or of a range."""
    end = (high or low).end
    bound = context.bound_before(scan, low.begin, words) if high is None else Bound.EXACT
    after, stop = context.bound_after(scan, end, words)
    if bound in (Bound.EXACT, Bound.ABOUT) and after is not Bound.EXACT:
        bound = after
    else:
        stop = end
    if bound is Bound.EXACT and low.measure is None:
        bound = context.bound_behind_noun(scan, end, words)
    plural = scan.word(end) in ("多", "余") and low.measure is None
    noun = "" if low.measure is not None else _noun(scan, low, stop + (1 if plural else 0), words)
    measure = (high or low).measure
    ends = (low, high) if high is not None else (low,)
    values = [part.converted if part.measure is not None else part.value for part in ends]
    unit = measure.unit if measure else ""
    label = {"ordinal": "ordinal", "fraction": "fraction"}.get(low.amount.shape, "") if measure is None else ""
    if label == "" and scan.word(low.begin - 1) in words.group("numbers.ordinal_prefix") and scan.kind(low.begin) in ("cjk", "number"):
        label = "ordinal"
    spelled = "..".join(show(value) for value in values)
    written = "..".join(show(part.value) for part in ends) + (f" {measure.name}" if measure else "")
    return Found(
        kind=_kind(measure),
        start=scan.starts[low.begin],
        end=scan.ends[end - 1],
        canonical=("ordinal " if label == "ordinal" else "") + (f"{spelled} {unit}" if unit else spelled),
        number=values[0],
        high=values[1] if high is not None else None,
        unit=unit,
        dimension=measure.dimension if measure else "",
        bound=Bound.ABOUT if plural and bound is Bound.EXACT else bound,
        noun=noun,
        label=label,
        written=written,
    )


def _kind(measure: Measure | None) -> ValueKind:
    if measure is None:
        return ValueKind.NUMBER
    return {"money": ValueKind.MONEY, "percent": ValueKind.PERCENT, "percentage_points": ValueKind.PERCENT}.get(
        measure.dimension, ValueKind.NUMBER
    )


def _noun(scan: Scan, part: Part, end: int, words: Vocabulary) -> str:
    if part.amount.shape == "times":
        return "time"
    return context.noun_after(scan, end, words) or context.label_before(scan, part.begin, words)


__all__ = ["find_quantity", "spell"]
