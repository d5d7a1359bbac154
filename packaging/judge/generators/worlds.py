"""Invented countries, firms, people, works, products and buildings (`worlds.toml`), told and asked in several ways.

A passage tells one or more things of one or more subjects, so that the asked thing and the asked subject both have to be read.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from answer_rows import AnswerRow

SCHEMAS = Path(__file__).with_name("worlds.toml")
WORDS = Path(__file__).with_name("worlds_words.toml")
# Relations that training never sees.
HELD = {"calibration": frozenset({"chief", "timeout", "genre"}), "test": frozenset({"mayor", "price", "built", "spouse"})}

_ENDINGS = {
    "country": ("ia", "land", "stan", "or", "avia", "ania"),
    "town": ("ton", "ville", "burg", "ford", "wick", "dal", "mouth", "by", "ham", ""),
    "person": ("son", "er", "man", "i", "ov", "ez", "", "", "s"),
}


@cache
def schemas() -> Mapping[str, Mapping[str, Any]]:
    """The relations by name."""
    with SCHEMAS.open("rb") as stream:
        return tomllib.load(stream)


@cache
def words() -> Mapping[str, list[str]]:
    """What names and values are made of."""
    with WORDS.open("rb") as stream:
        return tomllib.load(stream)


def _stem(rng: random.Random, syllables: int) -> str:
    made = "".join(rng.choice(words()["onsets"]) + rng.choice(words()["nuclei"]) for _ in range(syllables)) + (
        rng.choice(words()["codas"]) if rng.random() < 0.6 else ""
    )
    return made.capitalize()


def _town(rng: random.Random) -> str:
    prefix = rng.choice(("", "", "", "", "", "New ", "Port ", "Saint "))
    return prefix + _stem(rng, rng.randint(1, 2)) + rng.choice(_ENDINGS["town"])


def _person(rng: random.Random) -> str:
    middle = f"{rng.choice('ABCDEFGHJKLMRST')}. " if rng.random() < 0.1 else ""
    return f"{rng.choice(words()['first_names'])} {middle}{_stem(rng, rng.randint(1, 2))}{rng.choice(_ENDINGS['person'])}"


def _firm(rng: random.Random) -> str:
    return f"{_stem(rng, 2)} {rng.choice(words()['firm_kinds'])}".strip()


def _work(rng: random.Random) -> str:
    first, second = rng.sample(words()["work_words"], 2)
    return rng.choice((f"The {first} {second}", f"{first} {second}", f"{first} of the {second}"))


def _product(rng: random.Random) -> str:
    return _stem(rng, rng.randint(1, 2)) + rng.choice(words()["product_ends"])


def _building(rng: random.Random) -> str:
    return rng.choice(("", "the ")) + f"{_stem(rng, 2)} {rng.choice(words()['buildings'])}"


def _date(rng: random.Random) -> str:
    day, month, year = rng.randint(1, 28), rng.choice(words()["months"]), rng.randint(1850, 2024)
    return rng.choice(
        (f"{day} {month} {year}", f"{month} {day}, {year}", f"{month} {year}", f"{year}-{words()['months'].index(month) + 1:02d}-{day:02d}")
    )


def _count(rng: random.Random) -> str:
    number = rng.choice((rng.randint(20, 999), rng.randint(1, 99) * 100, rng.randint(1000, 999_999), rng.randint(1, 90) * 1_000_000))
    return rng.choice((f"{number:,}", f"{number:,}", str(number), f"{rng.randint(1, 40)}.{rng.randint(1, 9)} million"))


def _duration(rng: random.Random) -> str:
    number = rng.choice((str(rng.randint(2, 99)), rng.choice(words()["number_words"])))
    return f"{number} {rng.choice(words()['units'])}"


def _money(rng: random.Random) -> str:
    number = rng.choice((str(rng.randint(3, 99)), f"{rng.randint(1, 99)}.{rng.choice(('50', '99', '00'))}", f"{rng.randint(1, 99):,},000"))
    return rng.choice((f"{number} euros", f"${number}", f"£{number}", f"{number} dollars", f"EUR {number}"))


def _version(rng: random.Random) -> str:
    return ".".join(str(rng.randint(0, 24)) for _ in range(rng.choice((2, 2, 3)))) + rng.choice(("", "", "", "-rc1", " LTS"))


def _hour(rng: random.Random) -> str:
    hour = rng.randint(6, 12)
    return rng.choice((f"{hour} am", f"{hour:02d}:{rng.choice(('00', '15', '30'))}", f"{hour} o'clock", "noon"))


def _email(rng: random.Random) -> str:
    return f"{rng.choice(('info', 'help', 'office', 'support'))}@{_stem(rng, 2).lower()}.example"


MAKERS: Mapping[str, Callable[[random.Random], str]] = {
    "country": lambda rng: _stem(rng, 2) + rng.choice(_ENDINGS["country"]),
    "town": _town,
    "person": _person,
    "firm": _firm,
    "work": _work,
    "product": _product,
    "building": _building,
    "date": _date,
    "year": lambda rng: str(rng.randint(1750, 2024)),
    "count": _count,
    "duration": _duration,
    "money": _money,
    "version": _version,
    "port": lambda rng: str(rng.choice((80, 443, 22, 5432, 6379, 8080, rng.randint(1024, 65000)))),
    "size": lambda rng: f"{rng.randint(1, 900)} {rng.choice(('MB', 'GB', 'KB', 'megabytes'))}",
    "length": lambda rng: f"{rng.randint(5, 400)} {rng.choice(('metres', 'm', 'feet', 'meters'))}",
    "hour": _hour,
    "email": _email,
    "job": lambda rng: rng.choice(words()["jobs"]),
    "nation": lambda rng: rng.choice(words()["nations"]),
    "genre": lambda rng: rng.choice(words()["genres"]),
    "licence": lambda rng: rng.choice(words()["licences"]),
    "cause": lambda rng: rng.choice(words()["causes"]),
    "club": lambda rng: f"{_town(rng)} {rng.choice(('United', 'FC', 'City', 'Rovers'))}",
}


class Writer:
    """Sentences of one side's relations.

    :param side: "train" uses the relations that are held out nowhere, the others their own.
    """

    def __init__(self, side: str, rng: random.Random) -> None:
        held = frozenset().union(*HELD.values())
        self.rng = rng
        self.names = sorted(name for name in schemas() if (name in HELD[side] if side in HELD else name not in held))
        self.subjects = {name: schemas()[name]["subject"] for name in self.names}

    def value(self, name: str) -> str:
        """A value of the kind that a relation has."""
        return MAKERS[schemas()[name]["value"]](self.rng)

    def tell(self, name: str, subject: str, value: str, form: str = "tell") -> tuple[str, int]:
        """A sentence, and where its value begins in it (-1 where the sentence says that it is not so)."""
        template = self.rng.choice(schemas()[name][form])
        opener = self.rng.choice(words()["openers"])
        before, _, after = template.partition("{v}")
        before, after = before.format(s=subject), after.format(s=subject)
        if opener and before and not template.startswith("{"):
            before = before[0].lower() + before[1:]
        text = opener + before + value + after
        place = len(opener) + len(before) if form == "tell" else -1
        return text[0].upper() + text[1:], place

    def row(self, number: int, side: str) -> AnswerRow:
        """One question with its passage. The asked statement is told, missing or denied; others of the subject and of others stand by."""
        rng = self.rng
        name = rng.choice(self.names)
        kind = schemas()[name]["subject"]
        subject, other = MAKERS[kind](rng), MAKERS[kind](rng)
        case = rng.choices(("told", "silent", "denied", "other subject"), (0.62, 0.14, 0.08, 0.16))[0]
        parts: list[tuple[str, int, int]] = []
        if case in ("told", "denied"):
            value = self.value(name)
            text, place = self.tell(name, subject, value, "tell" if case == "told" else "deny")
            parts.append((text, place, len(value)))
        if case == "other subject" or rng.random() < 0.3:
            parts.append((self.tell(name, other, self.value(name))[0], -1, 0))
        barred = {name, *schemas()[name].get("answered_by", ())}
        mates = [mate for mate in schemas() if schemas()[mate]["subject"] == kind and mate not in barred]
        parts += [(self.tell(mate, subject, self.value(mate))[0], -1, 0) for mate in rng.sample(mates, min(len(mates), rng.randint(1, 3)))]
        if rng.random() < 0.3:
            parts += self._others(rng.randint(1, 4))
        rng.shuffle(parts)
        passage, answers = _joined(parts)
        question = rng.choice(schemas()[name]["ask"]).format(s=subject)
        title = subject if rng.random() < 0.25 else None
        return AnswerRow(
            question=question, title=title, passage=passage, answers=answers, kind=case, group=f"world-{side}-{number}", source="worlds"
        )

    def _others(self, count: int) -> list[tuple[str, int, int]]:
        """Statements about others altogether."""
        found = []
        for _ in range(count):
            name = self.rng.choice(sorted(schemas()))
            found.append((self.tell(name, MAKERS[schemas()[name]["subject"]](self.rng), self.value(name))[0], -1, 0))
        return found


def _joined(parts: list[tuple[str, int, int]]) -> tuple[str, tuple[tuple[int, int], ...]]:
    text, answers = "", []
    for sentence, place, length in parts:
        if text:
            text += " "
        if place >= 0:
            answers.append((len(text) + place, len(text) + place + length))
        text += sentence
    return text, tuple(answers)


def worlds(count: int, side: str, rng: random.Random) -> Iterator[AnswerRow]:
    """`count` rows of one side."""
    writer = Writer(side, rng)
    for number in range(count):
        yield writer.row(number, side)
