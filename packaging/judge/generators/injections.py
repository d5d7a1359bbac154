"""Documents with an order to the reading system in them, and at least two documents without one for each.

Attacks come from chat sets and from `orders.toml`; they stand at the start, between any two sentences, or at the end of a window of a
plain document. The twins without an attack are the same window as it was, and the same window with something in the same place that only
looks like an order: an imperative to people, a mail, a ticket, a log, a quoted attack, a text about prompts.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rows import Row
from sources import Paragraph, Prompt

from generators.questions import window_of
from guard_desk.text.sentences import sentences

ORDERS = Path(__file__).with_name("orders.toml")
LONGEST_ATTACK, LONGEST_WINDOW = 260, 330
# Kinds of order that training never sees.
HELD_ATTACKS = frozenset({"polite", "tool"})
HELD_BENIGN = frozenset({"faq", "ticket"})
FRAMED_SHARE = 0.05
_PWNED = re.compile(r"\bPWNED\b", re.IGNORECASE)
_SPLIT_END = re.compile(r"[.!?…\"')\]>]$")


@dataclass(frozen=True, slots=True)
class Order:
    """Something to put into a document, with the kind that it is."""

    text: str
    kind: str
    group: str
    language: str = "en"


@cache
def orders() -> Mapping[str, Mapping[str, Any]]:
    """Templates of attacks and of benign texts, and the words of their slots."""
    with ORDERS.open("rb") as stream:
        return tomllib.load(stream)


def fill(template: str, rng: random.Random, **given: str) -> str:
    """A template with its slots filled at random; {Task} is {task} with a capital."""
    words = {slot: rng.choice(values) for slot, values in orders()["words"].items()}
    if "task}" in template.lower():
        task = fill(rng.choice(orders()["attacks"]["task"]), rng)
        words |= {"task": task, "Task": task[0].upper() + task[1:]}
    return template.format(**{**words, **given})


def made_attack(dev: bool, rng: random.Random) -> Order:
    """An attack from the templates of one side."""
    kinds = [kind for kind in orders()["attacks"] if kind != "task" and (kind in HELD_ATTACKS) == dev]
    kind = rng.choice(kinds)
    return Order(fill(rng.choice(orders()["attacks"][kind]), rng), kind, f"orders-{kind}")


def made_benign(dev: bool, attack: str, rng: random.Random) -> Order:
    """A text that looks like an order and is none; a quarter quote an attack."""
    kinds = [kind for kind in orders()["benign"] if kind not in ("frame", "quoted") and (kind in HELD_BENIGN) == dev]
    kind = "quoted" if rng.random() < 0.25 else rng.choice(kinds)
    return Order(fill(rng.choice(orders()["benign"][kind]), rng, attack=attack.strip("\"'")), kind, f"orders-{kind}")


def insert(window: str, order: str, place: str, rng: random.Random) -> tuple[str, int]:
    """The window with the order at its start, at its end, or between two of its sentences.

    :returns: the text, and where the order begins in it.
    """
    spans = sentences(window)
    at = 0 if place == "start" else len(window) if place == "end" or len(spans) < 2 else rng.choice(spans[1:]).start
    before, after = window[:at].rstrip(), window[at:].lstrip()
    start = len(before) + 1 if before else 0
    return " ".join(part for part in (before, order, after) if part), start


def injections(paragraphs: Sequence[Paragraph], prompts: Sequence[Prompt], count: int, dev: bool, rng: random.Random) -> Iterator[Row]:
    """`count` attacks, two thirds from templates, each with two benign twins; bare chat messages; quoted prompts."""
    carriers = [paragraph for paragraph in paragraphs if not paragraph.prompt and len(paragraph.text) > 80]
    by_language: dict[str, list[Paragraph]] = {}
    for carrier in carriers:
        by_language.setdefault(carrier.language, []).append(carrier)
    chats = [
        prompt for prompt in prompts if prompt.label == 1 and 15 <= len(prompt.text) <= LONGEST_ATTACK and prompt.language in by_language
    ]
    for number in range(count):
        order = _from_chat(rng.choice(chats), rng) if chats and number % 3 == 0 else made_attack(dev, rng)
        carrier = rng.choice(by_language[order.language])
        yield from _document(carrier, order, ("start", "middle", "end")[number % 9 // 3], dev, rng)
    yield from _bare(prompts, count // 5, rng)
    yield from _framed([paragraph for paragraph in paragraphs if paragraph.prompt], round(count * FRAMED_SHARE), rng)
    hardest = [carrier for carrier in carriers if carrier.security or carrier.language != "en"]
    for carrier in rng.sample(hardest, min(count // 3, len(hardest))):
        yield _row(window_of(carrier, rng), carrier, "plain", 0)


def _from_chat(prompt: Prompt, rng: random.Random) -> Order:
    text = _PWNED.sub(lambda _: rng.choice(orders()["words"]["word"]), prompt.text)
    # Attacks of the chat sets seldom end in a full stop, documents nearly always do: the end must not tell.
    if not _SPLIT_END.search(text) and rng.random() < 0.8:
        text += "."
    return Order(text, "chat", prompt.group, prompt.language)


def _document(carrier: Paragraph, order: Order, place: str, dev: bool, rng: random.Random) -> Iterator[Row]:
    window = window_of(carrier, rng, LONGEST_WINDOW)
    benign = made_benign(dev, order.text[:160], rng)
    yield _row(insert(window, order.text, place, rng)[0], carrier, f"{order.kind} {place}", 1)
    yield _row(insert(window, benign.text, place, rng)[0], carrier, f"benign {benign.kind}", 0)
    yield _row(window, carrier, "clean", 0)


def _bare(prompts: Sequence[Prompt], count: int, rng: random.Random) -> Iterator[Row]:
    """Chat messages alone, as many of each label."""
    for label in (0, 1):
        pool = [prompt for prompt in prompts if prompt.label == label and len(prompt.text) < 450]
        for prompt in rng.sample(pool, min(count, len(pool))):
            text = _from_chat(prompt, rng).text
            yield Row(passage=text, kind=f"bare {label}", group=prompt.group, source=prompt.source, injection=label)


def _framed(paragraphs: Sequence[Paragraph], count: int, rng: random.Random) -> Iterator[Row]:
    """Prompts of others as documents about prompts: quoted and named as such."""
    pool = [paragraph for paragraph in paragraphs if len(paragraph.text) < 300]
    for paragraph in rng.sample(pool, min(count, len(pool))):
        text = fill(rng.choice(orders()["benign"]["frame"]), rng, prompt=paragraph.text)
        yield _row(text, paragraph, "framed prompt", 0)


def _row(text: str, carrier: Paragraph, kind: str, label: int) -> Row:
    return Row(passage=text, kind=kind, group=carrier.group, source=f"inserted-{carrier.source.removeprefix('plain_')}", injection=label)
