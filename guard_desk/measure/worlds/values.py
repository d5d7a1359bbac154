"""Invented names and values, each with the spellings that mean the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from guard_desk.measure.worlds.data import worlds
from guard_desk.measure.worlds.draw import Draw

# What is asked for lies in the first span, other events in the second: nothing happens to a bridge before it is opened.
_BEGINNINGS, _LATER_EVENTS = (1860, 1949), (1955, 2014)
_EXPIRIES = (2028, 2044)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_TOKEN = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+|[€£$]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """An answer.

    :param forms: how documents write it, the plain form first.
    :param accept: every spelling that is taken as this value, `forms` among them.
    :param listed: how a table writes it.
    """

    forms: tuple[str, ...]
    accept: tuple[str, ...]
    listed: str

    @property
    def plain(self) -> str:
        """The plain spelling."""
        return self.forms[0]


def tokens(text: str) -> tuple[str, ...]:
    """The words, numbers and signs of money of a text: no case, no marks on letters, no separators of thousands."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(sign))
    return tuple(_TOKEN.findall(_THOUSANDS.sub("", bare)))


def contains(text: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Whether the tokens of `part` stand in `text` one after the other."""
    return bool(part) and any(text[start : start + len(part)] == part for start in range(len(text) - len(part) + 1))


def clash(left: Value, right: Value) -> bool:
    """Whether a spelling of one holds a spelling of the other, so that an answer could be taken for both."""
    ours, theirs = [tokens(one) for one in left.accept], [tokens(one) for one in right.accept]
    return any(contains(a, b) or contains(b, a) for a in ours for b in theirs)


class Namer:
    """Invents names; no stem is given out twice."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._used: set[str] = set()
        self._names: dict[str, list[str]] = worlds()["names"]

    def stem(self) -> str:
        """A new stem, capitalised."""
        while True:
            stem = self._syllables()
            if stem not in self._used and not any(part in stem for part in self._names["avoid"]):
                self._used.add(stem)
                return stem.capitalize()

    def town(self) -> str:
        """A new town."""
        return self.stem() + self._draw.one(self._names["town"])

    def region(self) -> str:
        """A new region."""
        return self.stem() + self._draw.one(self._names["region"])

    def company(self) -> str:
        """A new company."""
        return f"{self.stem()} {self._draw.one(self._names['company'])}"

    def hall(self) -> str:
        """A new place for events."""
        return f"{self.stem()} {self._draw.one(self._names['hall'])}"

    def person(self) -> tuple[str, str]:
        """Given and family name."""
        return self.stem() + self._draw.one(self._names["given"]), self.stem() + self._draw.one(self._names["family"])

    def _syllables(self) -> str:
        parts = [self._draw.one(self._names["onset"]), self._draw.one(self._names["vowel"]), self._draw.one(self._names["middle"])]
        if self._draw.chance(0.6):
            parts += [self._draw.one(self._names["vowel"]), self._draw.one(self._names["middle"])]
        return "".join(parts)


class Values:
    """Draws values of one form; those of one world never clash.

    :param form: the form of a type of question, e.g. "person".
    """

    def __init__(self, form: str, namer: Namer, draw: Draw) -> None:
        self._make = getattr(self, f"_{form}")
        self._namer = namer
        self._draw = draw
        self._given: list[Value] = []
        self._currency: list[str] = draw.one(worlds()["values"]["currencies"])
        self._span = _BEGINNINGS

    def new(self, *, aside: bool = False) -> Value | None:
        """A value that clashes with none of this world before; None when this form has no more.

        :param aside: it belongs to another fact.
        """
        self._span = _LATER_EVENTS if aside else _BEGINNINGS
        for _ in range(200):
            value: Value = self._make()
            if not any(clash(value, other) for other in self._given):
                self._given.append(value)
                return value
        return None

    def _person(self) -> Value:
        given, family = self._namer.person()
        return _value((f"{given} {family}", f"{given[0]}. {family}"), (f"{family}, {given}", family), listed=f"{family}, {given}")

    def _town(self) -> Value:
        return _value((self._namer.town(),))

    def _hall(self) -> Value:
        return _value((self._namer.hall(),))

    def _company(self) -> Value:
        name = self._namer.company()
        return _value((name,), (name.split()[0],))

    def _year(self) -> Value:
        return _value((str(self._draw.between(*self._span)),))

    def _date(self) -> Value:
        return self._day(self._draw.between(*self._span))

    def _later(self) -> Value:
        return self._day(self._draw.between(*_EXPIRIES))

    def _day(self, year: int) -> Value:
        month, day = self._draw.between(1, 12), self._draw.between(1, 28)
        name = worlds()["values"]["months_of_year"][month - 1]
        forms = (f"{day} {name} {year}", f"{year}-{month:02}-{day:02}", f"{name} {day}, {year}")
        return _value(forms, (f"{day:02} {name} {year}", f"{_ordinal(day)} {name} {year}", f"{_ordinal(day)} of {name} {year}"))

    def _days(self) -> Value:
        return _value(self._draw.one(worlds()["values"]["days"]))

    def _months(self) -> Value:
        return _value(self._draw.one(worlds()["values"]["months"]))

    def _years(self) -> Value:
        return _value(self._draw.one(worlds()["values"]["years"]))

    def _number(self) -> Value:
        number = self._draw.between(101, 4800)
        return _value((f"{number:,}", str(number)) if number > 999 else (str(number),))

    def _version(self) -> Value:
        text = f"{self._draw.between(1, 12)}.{self._draw.between(0, 9)}.{self._draw.between(0, 15)}"
        return _value((text, f"v{text}"))

    def _money(self) -> Value:
        sign, word, code = self._currency
        amount = self._draw.between(4, 95)
        forms = (f"{sign}{amount}", f"{amount} {word}", f"{code} {amount}")
        return _value(forms, (f"{amount} {sign}", f"{amount} {code}", f"{sign}{amount}.00"))

    def _port(self) -> Value:
        return _value((str(self._draw.between(2100, 9899)),))

    def _colour(self) -> Value:
        return _value((self._draw.one(worlds()["values"]["colours"]),))

    def _motto(self) -> Value:
        texts = worlds()["values"]
        who, what, does = (self._draw.one(texts[name]) for name in ("motto_who", "motto_what", "motto_does"))
        return _value((f"{who} {what} {does}",))

    def _size(self) -> Value:
        gigabytes = self._draw.chance(0.4)
        amount = self._draw.between(2, 20) if gigabytes else 5 * self._draw.between(4, 180)
        short, long = ("GB", "gigabytes") if gigabytes else ("MB", "megabytes")
        return _value((f"{amount} {short}", f"{amount} {long}"), (f"{amount}{short}",))

    def _postal(self) -> Value:
        letters = "".join(self._draw.one("BDFGHKLMNPRSTVWZ") for _ in range(2))
        number = self._draw.between(1001, 9899)
        return _value((f"{letters}-{number}", f"{letters} {number}"), (f"{letters}{number}",))

    def _month(self) -> Value:
        return _value((self._draw.one(worlds()["values"]["months_of_year"]),))


def _value(forms: Iterable[str], more: Iterable[str] = (), *, listed: str | None = None) -> Value:
    written = tuple(forms)
    return Value(forms=written, accept=tuple(dict.fromkeys((*written, *more))), listed=listed or written[0])


def _ordinal(day: int) -> str:
    return f"{day}{'th' if 10 < day < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"
