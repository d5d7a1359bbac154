"""Statements of invented firms from a grammar (`schemas.toml`), with everything that can be asked of them.

A passage is the fact (or what stands in its place) among other sentences about the same firm. The same question meets a passage that
answers, one that is silent, one that denies, and one about another firm.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from feature_rows import as_question
from rows import CONTRADICT, NEUTRAL, SUPPORT, Row

SCHEMAS = Path(__file__).with_name("schemas.toml")
# Whole schemas that training never sees: what is measured on them is a phenomenon, not a wording.
HELD_SCHEMAS = frozenset({"fee", "opening_day", "retention", "speed", "medicine", "visa"})
_FIRST = (
    "Cor",
    "Bel",
    "Nor",
    "Tal",
    "Ves",
    "Mar",
    "Lin",
    "Ost",
    "Har",
    "Quin",
    "Fen",
    "Dra",
    "Pel",
    "Sol",
    "Ver",
    "Gal",
    "Wex",
    "Zan",
    "Ulm",
    "Ira",
)
_LAST = (
    "vida",
    "mont",
    "lux",
    "dale",
    "tech",
    "via",
    "mark",
    "stone",
    "field",
    "wick",
    "nova",
    "soft",
    "berg",
    "line",
    "core",
    "ton",
    "mere",
)
_KINDS = ("", "", " Ltd", " Club", " Systems", " Library", " Museum", " Cloud", " Clinic", " Hotel", " Sync", " Press")
_PLACES = (
    "Leeds",
    "Bremen",
    "Lyon",
    "Porto",
    "Graz",
    "Turin",
    "Ghent",
    "Malmo",
    "Cork",
    "Basel",
    "Brno",
    "Tampere",
    "Nice",
    "Kyoto",
    "Perth",
    "Halifax",
)
_ROLES = (
    "treasurer",
    "team lead",
    "managing director",
    "registrar",
    "head of sales",
    "works manager",
    "librarian",
    "chief engineer",
    "secretary",
    "auditor",
)
_THINGS = (
    "boots",
    "lamps",
    "pumps",
    "tickets",
    "licences",
    "sensors",
    "bicycles",
    "chairs",
    "trips",
    "printers",
    "batteries",
    "courses",
    "keyboards",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")  # fmt: skip


@cache
def schemas() -> Mapping[str, Mapping[str, Any]]:
    """The schemas by name."""
    with SCHEMAS.open("rb") as stream:
        return tomllib.load(stream)


def firm(rng: random.Random) -> str:
    """An invented name."""
    return rng.choice(_FIRST) + rng.choice(_LAST) + rng.choice(_KINDS)


def slots(rng: random.Random, name: str) -> dict[str, str]:
    """Values for every slot of a schema."""
    n = rng.choice((2, 3, 5, 7, 10, 12, 14, 20, 21, 30, 45, 60, 90, 120, 250))
    m = rng.choice([value for value in (1, 4, 6, 8, 15, 18, 25, 28, 40, 75, 100, 180, 500) if value != n])
    (d, e), (p, q), (a, b), (x, y) = (rng.sample(values, 2) for values in (_DAYS, _ROLES, _PLACES, _THINGS))
    h = rng.randint(7, 11)
    year = str(rng.randint(1950, 2024))
    numbers = {"n": str(n), "m": str(m), "k": str(n + m), "w": str(7 * n), "h": str(h), "h2": str(h + rng.randint(3, 9)), "y1": year}
    return {"o": name, "d": d, "e": e, "p": p, "q": q, "a": a, "b": b, "x": x, "y": y, **numbers}


def fill(template: str, values: Mapping[str, str]) -> str:
    """A sentence; its first letter is a capital."""
    text = template.format(**values)
    return text[0].upper() + text[1:]


def policies(count: int, dev: bool, rng: random.Random) -> Iterator[Row]:
    """The rows of `count` invented statements for each schema of one side."""
    names = [name for name in schemas() if (name in HELD_SCHEMAS) == dev]
    for name in names:
        for number in range(count):
            yield from _statement(name, f"policy-{name}-{number}", [other for other in names if other != name], rng)


def _statement(name: str, group: str, others: list[str], rng: random.Random) -> Iterator[Row]:
    schema = schemas()[name]
    values, stranger = slots(rng, firm(rng)), slots(rng, firm(rng))
    around = [fill(schemas()[other]["fact"], values) for other in rng.sample(others, 3)]
    near = [fill(sentence, values) for sentence in schema["near"]]
    told = fill(rng.choice([schema["fact"], *schema["also"]]), values)
    denied = fill(rng.choice(schema["deny"]), values)
    other_firm = fill(schema["fact"], {**values, "o": stranger["o"]})
    asked = {form: fill(schema[form], values) for form in ("ask", "yes", "true", "false")}
    title = rng.choice((None, None, values["o"]))

    def row(query: str, sentence: str | None, kind: str, **labels: int) -> Row:
        return Row(
            query=query, title=title, passage=_passage(sentence, near, around, rng), kind=kind, group=group, source="policy", **labels
        )

    yield row(asked["ask"], told, "answer", relevant=1, evidence=1, contradicts=0)
    yield row(asked["ask"], None, "silent", relevant=1, evidence=0, contradicts=0)
    yield row(asked["yes"], rng.choice((told, denied)), "yes/no", relevant=1, evidence=1, contradicts=0)
    yield row(asked["true"], told, "premise holds", relevant=1, contradicts=0)
    yield row(asked["false"], told, "premise refuted", relevant=1, contradicts=1)
    yield row(asked["true"], denied, "premise denied", relevant=1, contradicts=1)
    yield row(asked[rng.choice(("true", "false"))], None, "premise open", relevant=1, contradicts=0)
    yield from _strangers(asked, other_firm, stranger, others, group, rng)
    claim = fill(rng.choice([schema["fact"], *schema["also"]]), values)
    yield row(claim, told, "restated", claim=SUPPORT)
    yield row(claim, denied, "denied", claim=CONTRADICT)
    yield row(denied, told, "denial", claim=CONTRADICT)
    yield row(claim, None, "open", claim=NEUTRAL)
    yield row(as_question(claim, rng), denied, "claim as premise", contradicts=1)
    yield row(as_question(claim, rng), told, "claim as premise", contradicts=0)


def _strangers(
    asked: Mapping[str, str], fact: str, stranger: Mapping[str, str], others: list[str], group: str, rng: random.Random
) -> Iterator[Row]:
    """The same questions before a passage about another firm, which can neither answer nor refute."""
    rest = [fill(sentence, stranger) for sentence in schemas()[rng.choice(others)]["near"]]
    for form in rng.sample(sorted(asked), 2):
        passage = _passage(fact, rest, [], rng)
        yield Row(query=asked[form], passage=passage, kind="other firm", group=group, source="policy", evidence=0, contradicts=0)
    form = rng.choice(sorted(asked))
    unrelated = _passage(None, rest, [fill(schemas()[rng.choice(others)]["fact"], stranger)], rng)
    yield Row(query=asked[form], passage=unrelated, kind="unrelated", group=group, source="policy", relevant=0, evidence=0, contradicts=0)


def _passage(sentence: str | None, near: list[str], around: list[str], rng: random.Random) -> str:
    """One to three other sentences, and the given one at a random place among them."""
    pool = near + around
    chosen = rng.sample(pool, min(len(pool), rng.randint(1, 3) if sentence else rng.randint(2, 3)))
    if sentence is None and not set(chosen) & set(near):
        chosen[0] = rng.choice(near)
    if sentence is not None:
        chosen.insert(rng.randint(0, len(chosen)), sentence)
    return " ".join(chosen)
