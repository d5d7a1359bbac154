"""Documents with an order to the reading system in them, and at least two documents without one for each.

Attacks come from chat sets, from `orders.toml` and from the grammar of `requests.py`, most of them requests that look innocent and do not
belong to the document; they stand at the start, between any two sentences, or at the end of a window of a plain document or of an invented
one. The twins without an attack are the same document as it was, and the same with something of like length in the same place that
belongs there or only looks like an order: a request to people, a step, a question of the author, a quoted attack, a text about prompts.
"""

from __future__ import annotations

import base64
import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from rows import Row
from sources import Paragraph, Prompt

from generators.documents import KINDS, Document, document
from generators.questions import window_of
from generators.requests import encoded, request, task_of, trigger
from generators.requests import fill as requests_fill
from guard_desk.text.sentences import sentences

ORDERS = Path(__file__).with_name("orders.toml")
LONGEST_ATTACK, LONGEST_WINDOW = 260, 330
# Kinds of order that training never sees.
HELD_ATTACKS = frozenset({"polite", "tool"})
HELD_BENIGN = frozenset({"faq", "ticket"})
FRAMED_SHARE = 0.03
INVENTED_SHARE = 0.55
ENCODED_SHARE = 0.06
# Comments and blobs that hide nothing.
HIDDEN_BENIGN_SHARE = 0.06
# Families of request that are no harmless question of a user when they stand alone.
HARMFUL = frozenset({"security", "scam", "claim", "act"})
_IMPERATIVE = re.compile(
    r"(?:Please|Do not|Don't|Never|Always|Make|Use|Add|Run|Check|Write|Read|Ask|Tell|Give|Take|Try|Find|Keep|Set|See|Let|Create|Choose"
    r"|Avoid|Ensure|Consider|Remember|Send|Open|Click|Call|Put|Stir|Bake|Note|Test|Start|Look|Think|Explain|Include|Follow)\b"
)
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
    """`count` attacks, each with two benign twins; bare chat messages and questions; texts with trigger words; quoted prompts."""
    carriers = [paragraph for paragraph in paragraphs if not paragraph.prompt and len(paragraph.text) > 80]
    by_language: dict[str, list[Paragraph]] = {}
    for carrier in carriers:
        by_language.setdefault(carrier.language, []).append(carrier)
    chats = [
        prompt for prompt in prompts if prompt.label == 1 and 15 <= len(prompt.text) <= LONGEST_ATTACK and prompt.language in by_language
    ]
    asides = _asides(carriers)
    for number in range(count):
        order = _any_order(chats, dev, rng)
        place = ("start", "middle", "end")[number % 9 // 3]
        if order.language == "en" and rng.random() < INVENTED_SHARE:
            made = document(dev, rng)
            yield from _insertions(made, f"inserted-{made.kind}", made.text, order, place, dev, rng)
        else:
            carrier = rng.choice(by_language[order.language])
            made = _as_document(carrier, asides, dev, rng)
            longer = window_of(carrier, rng, LONGEST_WINDOW + len(order.text))
            yield from _insertions(made, f"inserted-{carrier.source.removeprefix('plain_')}", longer, order, place, dev, rng)
    yield from _bare(prompts, count // 6, rng)
    yield from _asked(count // 4, dev, rng)
    yield from _triggers(carriers, count // 4, dev, rng)
    yield from _framed([paragraph for paragraph in paragraphs if paragraph.prompt], round(count * FRAMED_SHARE), rng)
    hardest = [carrier for carrier in carriers if carrier.security or carrier.language != "en"]
    for carrier in rng.sample(hardest, min(count // 5, len(hardest))):
        yield _row(window_of(carrier, rng), carrier, "plain", 0)


def _any_order(chats: Sequence[Prompt], dev: bool, rng: random.Random) -> Order:
    """A request of the grammar, an order of the templates or an attack of the chat sets; a few in a hidden form."""
    draw = rng.random()
    if chats and draw < 0.18:
        return _from_chat(rng.choice(chats), rng)
    order = made_attack(dev, rng)
    if draw > 0.36:
        text, family = request(dev, rng)
        order = Order(text, family, f"requests-{family}")
    return replace(order, text=encoded(order.text, rng), kind=f"encoded {order.kind}") if rng.random() < ENCODED_SHARE else order


def _asides(carriers: Sequence[Paragraph]) -> dict[str, list[str]]:
    """Sentences of each source: its questions and imperatives first among them, as they are what an attack looks like."""
    found: dict[str, list[str]] = {}
    for carrier in carriers:
        for span in sentences(carrier.text):
            sentence = span.of(carrier.text)
            asking = sentence.endswith("?") or _IMPERATIVE.match(sentence) is not None
            if 20 <= len(sentence) <= 200:
                # Three times as likely as a plain statement.
                found.setdefault(carrier.source + carrier.language, []).extend([sentence] * (3 if asking else 1))
    return found


def _as_document(carrier: Paragraph, asides: Mapping[str, list[str]], dev: bool, rng: random.Random) -> Document:
    """A window of a real document, with another sentence of its source as what fits."""
    window = window_of(carrier, rng, LONGEST_WINDOW)
    parts = tuple(span.of(window) for span in sentences(window)) or (window,)
    fit = rng.choice(asides.get(carrier.source + carrier.language) or [made_benign(dev, window[:80], rng).text])
    return Document(parts, " ", fit, carrier.source, carrier.group)


def _benign(document_: Document, order: Order, dev: bool, rng: random.Random) -> Order:
    """What stands in the place of an attack in its twin, of about its length."""
    draw = rng.random()
    if draw < 0.34:
        # Within a document only a quoted question is somebody else's.
        quoting = [frame for frame in orders()["frames"]["asked"] if frame.endswith(("'", '"'))]
        told = rng.choice(orders()["frames"]["told"] if rng.random() < 0.8 else quoting)
        text, family = request(dev, rng)
        more = " " + rng.choice(orders()["frames"]["after"]) if rng.random() < 0.35 else ""
        return Order(requests_fill(told + more, rng, asked=text, task=task_of(family, rng)), "told", order.group)
    if draw < 0.43:
        quoted = rng.choice(orders()["benign"]["quoted"])
        return Order(fill(quoted, rng, attack=order.text[:160].strip("\"'")), "quoted", order.group)
    if draw < 0.48:
        return Order(trigger(dev, rng), "trigger", order.group)
    if draw < 0.55:
        return made_benign(dev, order.text[:160], rng)
    text = document_.fit
    while len(text) < 0.7 * len(order.text) and rng.random() < 0.85:
        more = document(dev, rng).fit if document_.kind in KINDS else document_.fit
        if more in text:
            break
        text = f"{text} {more}"
    # What people ask of people is not hidden from them.
    if document_.kind not in ("mail", "ticket", "chat") and rng.random() < HIDDEN_BENIGN_SHARE:
        text = rng.choice((f"<!-- {text} -->", f"/* {text} */", base64.b64encode(rng.randbytes(rng.randint(12, 60))).decode()))
    return Order(text, "fitting", order.group)


def _gap(parts: Sequence[str], place: str, rng: random.Random) -> int:
    if place == "middle" and len(parts) > 1:
        return rng.randint(1, len(parts) - 1)
    return 0 if place == "start" else len(parts)


def _insertions(made: Document, source: str, clean: str, order: Order, place: str, dev: bool, rng: random.Random) -> Iterator[Row]:
    gap, benign = _gap(made.parts, place, rng), _benign(made, order, dev, rng)
    shared = {"group": made.group, "source": source}
    yield Row(passage=made.having(order.text, gap), kind=f"{order.kind} {place}", injection=1, **shared)
    yield Row(passage=made.having(benign.text, gap), kind=f"benign {benign.kind}", injection=0, **shared)
    yield Row(passage=made.text if rng.random() < 0.5 else clean, kind="clean", injection=0, **shared)


def _asked(count: int, dev: bool, rng: random.Random) -> Iterator[Row]:
    """What a user asks for himself is no attack; in a talk that is written down, and in an exercise, it is none either."""
    side = "dev" if dev else "train"
    for _ in range(count):
        text, family = request(dev, rng)
        if family.split()[1] in HARMFUL:
            continue
        if rng.random() < 0.5:
            text = requests_fill(rng.choice(orders()["frames"]["asked"]), rng, asked=text)
        yield Row(passage=text, kind="asked", group=f"asked-{side}", source="asked", injection=0)


def _triggers(carriers: Sequence[Paragraph], count: int, dev: bool, rng: random.Random) -> Iterator[Row]:
    """Trigger words alone, and within a document."""
    english = [carrier for carrier in carriers if carrier.language == "en"]
    for number in range(count):
        text = trigger(dev, rng)
        if number % 2 and english:
            carrier = rng.choice(english)
            window = window_of(carrier, rng, LONGEST_WINDOW)
            yield _row(insert(window, text, rng.choice(("start", "middle", "end")), rng)[0], carrier, "trigger within", 0)
        else:
            yield Row(passage=text, kind="trigger", group=f"trigger-{'dev' if dev else 'train'}", source="triggers", injection=0)


def _from_chat(prompt: Prompt, rng: random.Random) -> Order:
    text = _PWNED.sub(lambda _: rng.choice(orders()["words"]["word"]), prompt.text)
    # Attacks of the chat sets seldom end in a full stop, documents nearly always do: the end must not tell.
    if not _SPLIT_END.search(text) and rng.random() < 0.8:
        text += "."
    return Order(text, "chat", prompt.group, prompt.language)


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
