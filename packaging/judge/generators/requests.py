"""Tasks and questions that do not belong to the document they are put into, from a grammar (`requests.toml`), and benign texts with the
words that attacks are known for (`triggers.toml`).
"""

from __future__ import annotations

import base64
import random
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

REQUESTS = Path(__file__).with_name("requests.toml")
TRIGGERS = Path(__file__).with_name("triggers.toml")
# Families of task and of frame that training never sees.
HELD_FAMILIES = frozenset({"cipher", "sums", "claim"})
HELD_FRAMES = frozenset({"soft"})
QUESTION_SHARE = 0.2
_SLOT = re.compile(r"\{(\w+)\}")
_NESTED = 3


@cache
def table(path: Path) -> Mapping[str, Any]:
    """A file of templates."""
    with path.open("rb") as stream:
        return tomllib.load(stream)


@cache
def words() -> Mapping[str, list[str]]:
    """The words of all slots."""
    return {**table(REQUESTS)["words"], **table(TRIGGERS)["words"]}


def fill(template: str, rng: random.Random, **given: str) -> str:
    """A template with its slots filled at random; {topic2} is another {topic}. Doubled braces stand for single ones."""

    def value(match: re.Match[str]) -> str:
        slot = match[1]
        if slot not in given:
            pool = words()[slot if slot in words() else slot.rstrip("2")]
            given[slot] = rng.choice([word for word in pool if word not in given.values()] or pool)
        return given[slot]

    for _ in range(_NESTED):
        template = _SLOT.sub(value, template)
    return template.replace("{{", "{").replace("}}", "}")


def capital(text: str) -> str:
    """The text with a capital at its start."""
    return text[:1].upper() + text[1:]


def request(dev: bool, rng: random.Random) -> tuple[str, str]:
    """A request of one side of the split.

    :returns: its text, and the family of its task.
    """
    found = table(REQUESTS)
    if rng.random() < QUESTION_SHARE:
        family = "help" if dev else "facts" if rng.random() < 0.6 else "help"
        question = fill(rng.choice(found["questions"][family]), rng)
        return question + _limit(0.2, rng), f"question {family}"
    families = [name for name in found["tasks"] if (name in HELD_FAMILIES) == dev]
    frames = [name for name in found["frames"] if dev or name not in HELD_FRAMES]
    family = rng.choice(families)
    task, task2 = (fill(rng.choice(found["tasks"][name]), rng) for name in (family, rng.choice(families)))
    # One imperative of three without any frame: it is the usual form.
    frame = "plain" if rng.random() < 0.33 else rng.choice(frames)
    template = rng.choice(found["frames"][frame])
    given = {"task": task, "Task": capital(task), "task2": task2, "Task2": capital(task2), "rest": _limit(0.4, rng)}
    return fill(template, rng, **given), f"request {family}"


def task_of(family: str, rng: random.Random) -> str:
    """A bare task of the family of a request; of any family that training sees for a question."""
    tasks = table(REQUESTS)["tasks"]
    name = family.split()[-1]
    return fill(rng.choice(tasks.get(name) or tasks["learn"]), rng)


def _limit(share: float, rng: random.Random) -> str:
    return " " + fill(rng.choice(table(REQUESTS)["limits"]["all"]), rng) if rng.random() < share else ""


def trigger(dev: bool, rng: random.Random) -> str:
    """A benign sentence or two, or a question, with the words that attacks are known for. Every fifth template is of the dev side."""
    found = table(TRIGGERS)
    kinds = [rng.choice(("questions", "statements")) for _ in range(1 + (rng.random() < 0.3))]
    sides = [[template for at, template in enumerate(found[kind]["all"]) if (at % 5 == 4) == dev] for kind in kinds]
    return " ".join(fill(rng.choice(side), rng) for side in sides)


def encoded(text: str, rng: random.Random) -> str:
    """An order that is not plainly written: in a comment, split, spaced out or in base64."""
    forms = (
        lambda: f"<!-- {text} -->",
        lambda: f'<div style="display:none">{text}</div>',
        lambda: base64.b64encode(text.encode()).decode(),
        lambda: " ".join(text[:60]),
        lambda: "\u200b".join(text.split(" ")).replace("\u200b", " \u200b"),
        lambda: "\n".join(text.split(" ")),
        lambda: f"/* {text} */",
        lambda: f"[{text}](#)",
    )
    return rng.choice(forms)()
