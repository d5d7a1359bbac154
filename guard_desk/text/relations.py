"""How two typed values relate: the same, another value, the same number in another unit, or not comparable."""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from guard_desk.records.evidence import Bound, Value, ValueKind
from guard_desk.text.normalize import fold_text, unaccented


class Relation(StrEnum):
    """How one value relates to another. `compare` is symmetric and looks at the values alone, not at what they are of.

    EQUAL: the same value, whatever its format.
    BOUND: the same amount, other limit ("up to 6" and "6 or more", "by 15 May" and "on 15 May").
    PARTIAL: both can be right, one says less ("June 2026" and "15 June 2026", "30 days" and "a month", "3-5" and "4").
    UNIT: the same number as written, another unit or currency ("85 m" and "85 ft", "$40" and "€40").
    DIFFERENT: the same kind of thing, another value.
    INCOMPARABLE: not the same kind of thing.
    """

    EQUAL = "equal"
    BOUND = "bound"
    PARTIAL = "partial"
    UNIT = "unit"
    DIFFERENT = "different"
    INCOMPARABLE = "incomparable"


_QUANTITIES = frozenset({ValueKind.NUMBER, ValueKind.MONEY, ValueKind.PERCENT})
# A month has 28 to 31 days; between these, "a month" and "30 days" can both be right.
_SHORTEST_MONTH, _LONGEST_MONTH = Fraction(28 * 86400), Fraction(31 * 86400)
# Conversions are rounded in prose ("10 miles (16 km)").
_ROUNDING = Fraction(1, 100)


def compare(a: Value, b: Value) -> Relation:
    """How two values relate; the order does not matter.

    The counted noun is not looked at: "460 employees" and "460 visitors" are EQUAL, and the caller decides whether
    they are said of the same thing.
    """
    if a.kind in _QUANTITIES and b.kind in _QUANTITIES:
        return _quantities(a, b)
    if a.kind is not b.kind:
        return _mixed(a, b)
    if a.kind is ValueKind.DATE:
        return _bounded(a, b, _dates(a, b))
    if a.kind is ValueKind.TIME:
        return _bounded(a, b, _times(a, b))
    if a.kind is ValueKind.IDENTIFIER:
        return _identifiers(a, b)
    return _entities(a, b)


def _bounded(a: Value, b: Value, relation: Relation) -> Relation:
    return Relation.BOUND if relation is Relation.EQUAL and a.bound is not b.bound else relation


def _mixed(a: Value, b: Value) -> Relation:
    """A year and a bare number can be one thing read twice ("2000"); so can a number and a version or code."""
    kinds = {a.kind, b.kind}
    if kinds == {ValueKind.DATE, ValueKind.NUMBER}:
        same = a.number is not None and a.number == b.number and not a.unit and not b.unit
        return Relation.EQUAL if same else Relation.INCOMPARABLE
    if kinds == {ValueKind.IDENTIFIER, ValueKind.NUMBER}:
        return Relation.EQUAL if a.canonical == b.canonical else Relation.INCOMPARABLE
    return Relation.INCOMPARABLE


# --- quantities --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16384)
def _numbers(canonical: str) -> tuple[Fraction, ...]:
    """The number, or the two ends of a range, of a canonical spelling."""
    spelled = canonical.removeprefix("ordinal ").split(" ", 1)[0]
    return tuple(Fraction(part) for part in spelled.split(".."))


@lru_cache(maxsize=16384)
def _integers(canonical: str) -> tuple[tuple[int, int], ...]:
    """The same as numerators and denominators, which are compared in a tenth of the time."""
    return tuple((number.numerator, number.denominator) for number in _numbers(canonical))


def _written(value: Value) -> tuple[str, str]:
    """(number, unit) as written before conversion."""
    return _parted(value.written)


@lru_cache(maxsize=16384)
def _parted(written: str) -> tuple[str, str]:
    number, _, unit = written.partition(" ")
    return number, unit


def _quantities(a: Value, b: Value) -> Relation:
    if (a.label == "ordinal") != (b.label == "ordinal"):
        return Relation.INCOMPARABLE
    if a.unit == b.unit and a.dimension == b.dimension:
        return _same_unit(a, b)
    if a.dimension == b.dimension and a.dimension == "time":
        return _months_and_days(a, b)
    share = _share(a, b)
    if share is not None:
        return share
    return _other_unit(a, b)


def _same_unit(a: Value, b: Value) -> Relation:
    if _integers(a.canonical) == _integers(b.canonical):
        return Relation.EQUAL if a.bound is b.bound else Relation.BOUND
    left, right = _numbers(a.canonical), _numbers(b.canonical)
    if len(left) != len(right):
        single, ends = (left[0], right) if len(left) == 1 else (right[0], left)
        return Relation.PARTIAL if ends[0] <= single <= ends[1] else Relation.DIFFERENT
    (number, unit), (other_number, other_unit) = _written(a), _written(b)
    if number == other_number and unit != other_unit:
        return Relation.UNIT
    if a.dimension == "data" and len(left) == 1 and _binary(left[0], right[0]):
        return Relation.PARTIAL
    if (
        unit != other_unit
        and _close(left[0], right[0])
        and len(left) == 1
        and a.dimension not in ("percent", "time", "money", "temperature", "")
    ):
        return Relation.PARTIAL
    return Relation.DIFFERENT


def _binary(left: Fraction, right: Fraction) -> bool:
    """Whether two sizes differ only by counting 1,024 for 1,000 ("1 GB" and "1,024 MB")."""
    if not left or not right:
        return False
    ratio = max(left, right) / min(left, right)
    return any(ratio == Fraction(1024, 1000) ** power for power in (1, 2, 3, 4))


def _close(left: Fraction, right: Fraction) -> bool:
    return abs(left - right) <= _ROUNDING * max(abs(left), abs(right))


def _months_and_days(a: Value, b: Value) -> Relation:
    """Months against days: PARTIAL where a calendar can make both right."""
    if _written(a)[0] == _written(b)[0]:
        return Relation.UNIT
    months, seconds = (a, b) if a.unit == "month" else (b, a)
    if seconds.unit != "s" or months.unit != "month":
        return Relation.UNIT if _written(a)[0] == _written(b)[0] else Relation.INCOMPARABLE
    count, length = _numbers(months.canonical)[-1], _numbers(seconds.canonical)[-1]
    fits = count * _SHORTEST_MONTH <= length <= count * _LONGEST_MONTH
    return Relation.PARTIAL if fits else Relation.DIFFERENT


def _share(a: Value, b: Value) -> Relation | None:
    """A fraction against a percentage: "half" and "50 %" are one; None when it is not such a pair."""
    if {a.dimension, b.dimension} != {"", "percent"}:
        return None
    fraction, percent = (a, b) if a.dimension == "" else (b, a)
    if fraction.label != "fraction":
        return None
    left, right = _numbers(fraction.canonical)[0] * 100, _numbers(percent.canonical)[0]
    if left == right:
        return Relation.EQUAL if a.bound is b.bound else Relation.BOUND
    return Relation.PARTIAL if abs(left - right) < Fraction(1, 2) else Relation.DIFFERENT


def _other_unit(a: Value, b: Value) -> Relation:
    same_number = _written(a)[0] == _written(b)[0]
    if {_written(a)[1], _written(b)[1]} == {"lb", "GBP"} and same_number:
        return Relation.EQUAL if a.bound is b.bound else Relation.BOUND  # "5 pounds" is money as well as mass
    if same_number and {a.dimension, b.dimension} == {"angle", "temperature"}:
        return Relation.PARTIAL  # "15 degrees" does not say of what scale
    if not a.unit or not b.unit:
        bare = a if not a.unit else b
        return Relation.PARTIAL if same_number and not bare.noun and bare.label == "" else Relation.INCOMPARABLE
    if "/" in a.unit or "/" in b.unit:
        left, right = a.unit.partition("/"), b.unit.partition("/")
        if left[0] == right[0] and (not left[1] or not right[1]):
            return (
                Relation.PARTIAL if same_number and _written(a)[1].split("/")[0] == _written(b)[1].split("/")[0] else Relation.INCOMPARABLE
            )
    if same_number:
        return Relation.UNIT
    return Relation.DIFFERENT if a.dimension == b.dimension else Relation.INCOMPARABLE


# --- dates and times ---------------------------------------------------------------------------------------------------

_DATE = re.compile(
    r"(?P<year>\d{4})?(?:-(?:Q(?P<quarter>\d)|H(?P<half>\d)|(?P<season>2[1-4])|-?(?P<month>\d\d)(?:-(?P<day>\d\d))?))?$"
    r"|---(?P<day2>\d\d)$|-W-(?P<weekday>\d)$|--?Q(?P<quarter2>\d)$|(?P<span>\d{2,3})X{1,2}$"
)


@lru_cache(maxsize=8192)
def _parts(canonical: str) -> dict[str, int] | None:
    """The known parts of a canonical date; None for forms that only compare as a whole."""
    match = _DATE.match(canonical)
    if match is None:
        return None
    found = {name.rstrip("2"): int(text) for name, text in match.groupdict().items() if text is not None}
    return found or None


def _dates(a: Value, b: Value) -> Relation:
    if a.canonical == b.canonical:
        return Relation.EQUAL
    for left in _readings(a):
        for right in _readings(b):
            if left == right:
                return Relation.EQUAL
    return _date_parts(a.canonical, b.canonical)


def _readings(value: Value) -> tuple[str, ...]:
    """Both readings of "04/03/2027"."""
    if value.label != "ambiguous":
        return (value.canonical,)
    year, month, day = value.canonical.rsplit("-", 2)
    return (value.canonical, f"{year}-{day}-{month}")


def _date_parts(left: str, right: str) -> Relation:
    one, two = _parts(left), _parts(right)
    if one is None or two is None:
        return Relation.DIFFERENT
    if "span" in one or "span" in two:
        return _in_span(left, right, one, two)
    if any(one[name] != two[name] for name in one.keys() & two.keys()):
        return Relation.DIFFERENT
    clashes = (_clashes(one, two), _clashes(two, one))
    if True in clashes:
        return Relation.DIFFERENT
    shared = bool(one.keys() & two.keys()) or False in clashes
    return Relation.PARTIAL if shared else Relation.INCOMPARABLE


def _in_span(left: str, right: str, one: dict[str, int], two: dict[str, int]) -> Relation:
    """A year inside a decade or century."""
    span, other, parts = (left, right, two) if "span" in one else (right, left, one)
    if "year" not in parts:
        return Relation.DIFFERENT if "span" in parts else Relation.INCOMPARABLE
    return Relation.PARTIAL if other.startswith(span.rstrip("X")) else Relation.DIFFERENT


def _clashes(fine: dict[str, int], coarse: dict[str, int]) -> bool | None:
    """Whether a finer date lies outside a quarter, half or weekday; None when there is nothing to check."""
    if "quarter" in coarse and "month" in fine:
        return (fine["month"] + 2) // 3 != coarse["quarter"]
    if "half" in coarse and ("month" in fine or "quarter" in fine):
        month = fine.get("month") or fine["quarter"] * 3
        return (month + 5) // 6 != coarse["half"]
    if "weekday" in coarse and {"year", "month", "day"} <= fine.keys():
        return date(max(1, fine["year"]), fine["month"], fine["day"]).isoweekday() != coarse["weekday"]
    return None


def _times(a: Value, b: Value) -> Relation:
    left, right = _minutes(a), _minutes(b)
    zones = (_zone(a), _zone(b))
    if zones[0] is not None and zones[1] is not None:
        left, right = (left - zones[0]) % 1440, (right - zones[1]) % 1440
    if left == right:
        return Relation.EQUAL
    unclear = "12h" in (a.label, b.label)
    if unclear and abs(left - right) == 12 * 60:
        return Relation.PARTIAL
    return Relation.DIFFERENT


def _zone(value: Value) -> int | None:
    """Minutes ahead of UTC; None where no zone is given."""
    if len(value.label) != 6:
        return None
    minutes = int(value.label[1:3]) * 60 + int(value.label[4:])
    return -minutes if value.label[0] == "-" else minutes


def _minutes(value: Value) -> Fraction:
    hours, minutes, *seconds = value.canonical.split(":")
    return Fraction(int(hours) * 60 + int(minutes)) + Fraction(int(seconds[0]) if seconds else 0, 60)


# --- names -------------------------------------------------------------------------------------------------------------


def _identifiers(a: Value, b: Value) -> Relation:
    if a.canonical == b.canonical:
        return Relation.EQUAL
    if a.label == b.label == "version":
        return _versions(a.canonical, b.canonical)
    return Relation.DIFFERENT if _family(a.label) == _family(b.label) else Relation.INCOMPARABLE


def _family(label: str) -> str:
    """Kinds that one identifier may be read as."""
    return {"setting": "name", "dotted": "name", "camel": "name", "code": "name", "hash": "name", "file": "path", "url": "path"}.get(
        label, label
    )


def _versions(left: str, right: str) -> Relation:
    one, two = (re.sub(r"(?:\.0)+$", "", text) for text in (left, right))
    if one == two:
        return Relation.EQUAL
    shorter, longer = sorted((left, right), key=len)
    return Relation.PARTIAL if longer.startswith((shorter + ".", shorter + "-")) else Relation.DIFFERENT


def _entities(a: Value, b: Value) -> Relation:
    left, right = _name(a.canonical), _name(b.canonical)
    return Relation.EQUAL if left == right else Relation.DIFFERENT


@lru_cache(maxsize=16384)
def _name(canonical: str) -> str:
    """A name without accents, article, possessive and punctuation."""
    plain = unaccented(fold_text(canonical)).removesuffix("'s").removesuffix("'")
    words = re.sub(r"[^\w&]+", " ", plain).split()
    return " ".join(
        words[1:] if len(words) > 1 and words[0] in ("the", "der", "die", "das", "le", "la", "les", "el", "los", "las") else words
    )


__all__ = ["Bound", "Relation", "compare"]
