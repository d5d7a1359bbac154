"""Invented documents of many kinds (`documents.toml`): mails, news, recipes, guides, reviews, chats, tickets, minutes, tables, code, FAQs.

A document is a list of parts, so that something can be put between any two of them, and comes with sentences that fit: a request to
the one who gets the mail, a step of the recipe, a question of the FAQ.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generators.requests import capital, fill, table

DOCUMENTS = Path(__file__).with_name("documents.toml")
KINDS = ("mail", "news", "recipe", "guide", "review", "chat", "ticket", "log", "table", "code", "faq")
# Kinds of document that training never sees.
HELD_KINDS = frozenset({"ticket", "recipe", "log"})
# A kind stands in the list as often as it shall come.
_SHARES = (*KINDS, "mail", "mail", "mail", "news", "news", "table", "code", "code")


@dataclass(frozen=True, slots=True)
class Document:
    """A document in parts. `first` and `last` bound the gaps in which something may be put (0 is before the first part)."""

    parts: tuple[str, ...]
    joiner: str
    fit: str
    kind: str
    group: str

    @property
    def text(self) -> str:
        """The whole document."""
        return self.joiner.join(self.parts)

    def having(self, text: str, gap: int) -> str:
        """The document with a text in one of its gaps."""
        return self.joiner.join((*self.parts[:gap], text, *self.parts[gap:]))


def document(dev: bool, rng: random.Random) -> Document:
    """A document of a kind of one side of the split."""
    kind = rng.choice([name for name in _SHARES if (name in HELD_KINDS) == dev])
    made = {"mail": _mail, "table": _table, "code": _code, "faq": _faq}.get(kind)
    return made(rng) if made else _prose(kind, rng)


def _names(rng: random.Random) -> dict[str, str]:
    name, name2 = rng.sample(table(DOCUMENTS.with_name("requests.toml"))["words"]["name"], 2)
    short = rng.random() < 0.5
    return {"name": name.split()[0] if short else name, "name2": name2.split()[0] if short else name2}


def _filled(templates: Sequence[str], rng: random.Random, given: dict[str, str]) -> list[str]:
    return [capital(fill(template, rng, **given)) for template in templates]


def _fit(kind: str, schema: Mapping[str, list[str]], rng: random.Random, given: dict[str, str]) -> str:
    """What belongs there: of its own, what people ask of people, or a step."""
    found = table(DOCUMENTS)
    if kind in ("mail", "ticket") and rng.random() < 0.5:
        verb = rng.choice(found["people"]["verbs"])
        thing, when = (rng.choice(found["people"][name]) for name in ("things", "whens"))
        return _filled(
            [rng.choice(found["people"]["asks"])], rng, {**given, "verb": verb, "Verb": capital(verb), "thing": thing, "when": when}
        )[0]
    if kind == "guide" and rng.random() < 0.4:
        return _filled([rng.choice(found["steps"]["all"])], rng, given)[0]
    return _filled([rng.choice(schema["fit"])], rng, given)[0]


def _prose(kind: str, rng: random.Random) -> Document:
    name = rng.choice(sorted(table(DOCUMENTS)[kind]))
    schema, given = table(DOCUMENTS)[kind][name], _names(rng)
    body = _filled(rng.sample(schema["body"], rng.randint(3, 5)), rng, given)
    fit = _fit(kind, schema, rng, given)
    return Document(tuple(body), "\n" if kind in ("chat", "log") else " ", fit, kind, f"{kind}-{name}")


def _mail(rng: random.Random) -> Document:
    name = rng.choice(sorted(table(DOCUMENTS)["mail"]))
    schema, given, greetings = table(DOCUMENTS)["mail"][name], _names(rng), table(DOCUMENTS)["greetings"]
    body = _filled(rng.sample(schema["body"], rng.randint(2, 4)), rng, given)
    asked, fit = _fit("mail", schema, rng, given), _fit("mail", schema, rng, given)
    # Most mails ask for something already: a request of its own is no sign of an attack.
    if rng.random() < 0.6:
        body.insert(rng.randint(1, len(body)), asked)
    if rng.random() < 0.4:
        body.insert(0, _filled([rng.choice(greetings["first"])], rng, given)[0])
    opening = [fill(rng.choice(greetings["open"]), rng, **given)] if rng.random() < 0.8 else []
    closing = [rng.choice(greetings["close"]) + " " + rng.choice(sorted(given.values()))] if rng.random() < 0.7 else []
    joiner = " " if rng.random() < 0.6 else "\n"
    return Document((*opening, *body, *closing), joiner, fit, "mail", f"mail-{name}")


def _table(rng: random.Random) -> Document:
    found = table(DOCUMENTS)["table"]
    number = rng.randrange(len(found["heads"]))
    rows = [found["heads"][number], *([fill(cell, rng) for cell in found["columns"][number]] for _ in range(rng.randint(3, 5)))]
    if rng.random() < 0.6:
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        lines.insert(1, "|---|---|---|")
    else:
        mark = rng.choice((",", ";"))
        lines = [mark.join(row) for row in rows]
    return Document(tuple(lines), "\n", fill(rng.choice(found["fit"]), rng), "table", f"table-{number}")


def _code(rng: random.Random) -> Document:
    found = table(DOCUMENTS)["code"]
    parts = [rng.choice(found["asks"]), rng.choice(found["snippets"]), rng.choice(found["errors"]), rng.choice(found["answers"])]
    filled = [fill(part, rng) for part in parts]
    if rng.random() < 0.3:
        filled.pop(rng.randrange(4))
    return Document(tuple(filled), "\n", fill(rng.choice(found["fit"]), rng), "code", "code-all")


def _faq(rng: random.Random) -> Document:
    forms = rng.choice((("Q: ", " A: "), ("", " "), ("Question: ", " Answer: ")))
    pairs = []
    for question, answer in rng.sample(table(DOCUMENTS)["faq"]["pairs"], 4):
        given: dict[str, str] = {}
        pairs.append(fill(f"{forms[0]}{question}{forms[1]}{answer}", rng, **given))
    return Document(tuple(pairs[:3]), rng.choice((" ", "\n")), pairs[3], "faq", "faq-all")
