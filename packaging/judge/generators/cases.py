"""Passages with claims that say the same in another form, deny it, or go beyond it (`cases.toml`), and who did what to whom.

Support and contradiction come as often with a negation as without, and the same words stand in both, so that neither a "not" nor shared
words tell.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from feature_rows import as_question
from rows import CONTRADICT, NEUTRAL, SUPPORT, Row

from generators.policies import fill, firm, schemas, slots
from generators.requests import table

CASES = Path(__file__).with_name("cases.toml")
# Cases that training never sees.
HELD_CASES = frozenset({"hour", "must_not", "floor", "order", "some"})
# Cases in which every claim of "contradict" rules out every one of "support".
_MUTUAL = frozenset({"weeks", "hour", "free", "may", "must_not", "need_not", "closed", "order", "more_than"})
_DENIALS = ("It is not true that {right}.", "It is wrong to say that {right}.", "Some say that {right}. That is false.")
_MONTHS = ("January", "February", "March", "April", "June", "July", "August", "September", "October", "November", "December")
_MONTH_NUMBERS = {name: number for number, name in enumerate((*_MONTHS[:4], "May", *_MONTHS[4:]), start=1)}
_SHARES = (("a quarter", "25"), ("half", "50"), ("three quarters", "75"), ("a fifth", "20"), ("a tenth", "10"), ("a third", "33"))
_HUNDREDS = ("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_PEOPLE = (
    "lawyer",
    "doctor",
    "baker",
    "student",
    "singer",
    "judge",
    "farmer",
    "nurse",
    "banker",
    "tailor",
    "author",
    "guide",
    "clerk",
    "pilot",
)
_NAMES = ("Anna", "Boris", "Clara", "David", "Elena", "Felix", "Greta", "Hugo", "Irene", "Jonas", "Karin", "Louis", "Maria", "Nadia")
# Verb, participle, and whether the reverse is ruled out.
_DEEDS = (
    ("helped", "helped", False), ("praised", "praised", False), ("called", "called", False), ("paid", "paid", False),
    ("invited", "invited", False), ("hired", "hired", False), ("thanked", "thanked", False), ("visited", "visited", False),
    ("defeated", "defeated", True), ("succeeded", "succeeded", True), ("taught", "taught", False), ("outlived", "outlived", True),
    ("raised", "raised", True), ("replaced", "replaced", True), ("followed", "followed", True), ("overtook", "overtaken", True),
)  # fmt: skip
_RELATIONS = (
    ("is older than", "is younger than"), ("is taller than", "is shorter than"), ("earns more than", "earns less than"),
    ("was born before", "was born after"), ("lives north of", "lives south of"), ("runs faster than", "runs slower than"),
    ("arrived earlier than", "arrived later than"), ("sits to the left of", "sits to the right of"), ("is the boss of", "works under"),
)  # fmt: skip


def values(name: str, rng: random.Random) -> dict[str, str]:
    """Values for every slot of a case."""
    found = slots(rng, name)
    n = int(found["n"])
    day, year = rng.randint(1, 28), rng.randint(1950, 2024)
    month, month2 = rng.sample(_MONTHS, 2)
    (half, per), (half2, _) = rng.sample(_SHARES, 2)
    hour, hour2 = rng.sample(range(1, 12), 2)
    hundreds = rng.randrange(len(_HUNDREDS))
    big = 1100 + 100 * hundreds
    found |= {"less": str(max(1, n - rng.randint(1, max(1, n // 2)))), "more": str(n + rng.randint(1, n))}
    found |= {"date": f"{day} {month} {year}", "us": f"{month} {day}, {year}", "iso": f"{year}-{_MONTH_NUMBERS[month]:02}-{day:02}"}
    found |= {"date2": f"{day} {month2} {year}", "iso2": f"{year}-{_MONTH_NUMBERS[month2]:02}-{day:02}", "y1": str(year)}
    found |= {"half": half, "per": per, "half2": half2, "hour": f"{hour} p.m.", "clock": f"{hour + 12}:00"}
    found |= {"hour2": f"{hour2} p.m.", "clock2": f"{hour2 + 12}:00", "big": f"{big:,}", "bigplain": str(big)}
    found |= {"bigwords": f"{_HUNDREDS[hundreds]} hundred", "biglow": f"{big - 50:,}", "bighigh": f"{big + 100:,}"}
    return found


def cases(count: int, dev: bool, rng: random.Random) -> Iterator[Row]:
    """The rows of `count` passages for each case of one side."""
    names = [name for name in table(CASES) if (name in HELD_CASES) == dev]
    for name in names:
        for number in range(count):
            yield from _case(name, f"case-{name}-{number}", rng)


def _case(name: str, group: str, rng: random.Random) -> Iterator[Row]:
    case, given = table(CASES)[name], values(firm(rng), rng)
    yield from _turned(name, group, given, rng)
    other = {**given, "o": firm(rng)}
    told = fill(rng.choice(case["passage"]), given)
    labels = {"support": SUPPORT, "contradict": CONTRADICT, "open": NEUTRAL}
    for kind, label in labels.items():
        claim = fill(rng.choice(case[kind]), given)
        passage = around(told, given, rng)
        yield Row(query=claim, passage=passage, kind=f"case {kind}", group=group, source="cases", claim=label)
        contradicts = int(label == CONTRADICT)
        yield Row(query=as_question(claim, rng), passage=passage, kind=f"case {kind}", group=group, source="cases", contradicts=contradicts)
    asked = fill(rng.choice(case[rng.choice(("support", "contradict"))]), given)
    passage = around(fill(rng.choice(case["passage"]), other), other, rng)
    yield Row(query=asked, passage=passage, kind="case other firm", group=group, source="cases", claim=NEUTRAL)
    yield Row(query=as_question(asked, rng), passage=passage, kind="case other firm", group=group, source="cases", contradicts=0)


def _turned(name: str, group: str, given: dict[str, str], rng: random.Random) -> Iterator[Row]:
    """The wrong claim before a passage that states it, and the right one before a passage that denies it: no claim tells its label."""
    case = table(CASES)[name]
    right, wrong = (fill(rng.choice(case[kind]), given) for kind in ("support", "contradict"))
    within = right if right.startswith(given["o"]) else right[0].lower() + right[1:]
    denied = rng.choice(_DENIALS).format(right=within.rstrip("."))
    if name in _MUTUAL and rng.random() < 0.5:
        denied = fill(rng.choice(case["contradict"]), given)
    for claim, told, label in ((wrong, wrong, SUPPORT), (right, denied, CONTRADICT)):
        passage, shared = around(told, given, rng), {"kind": "case turned", "group": group, "source": "cases"}
        yield Row(query=claim, passage=passage, claim=label, **shared)
        yield Row(query=as_question(claim, rng), passage=passage, contradicts=int(label == CONTRADICT), **shared)


def around(sentence: str, given: dict[str, str], rng: random.Random) -> str:
    """The sentence alone, or among up to two sentences on other things of the same firm."""
    names = rng.sample(sorted(schemas()), rng.choice((0, 0, 1, 2)))
    near = [fill(rng.choice(schemas()[name]["near"]), given) for name in names]
    near.insert(rng.randint(0, len(near)), sentence)
    return " ".join(near)


def roles(count: int, dev: bool, rng: random.Random) -> Iterator[Row]:
    """Who did what to whom: active, passive and cleft sentences, and the same with the two exchanged."""
    for number in range(count):
        if rng.random() < 0.5:
            first, second = rng.sample(_NAMES, 2)
        else:
            first, second = (f"the {person}" for person in rng.sample(_PEOPLE, 2))
        same, swapped, excluded = _deed(first, second, rng) if rng.random() < 0.6 else _relation(first, second, dev, rng)
        label = CONTRADICT if excluded else NEUTRAL
        told, claim = rng.sample(same, 2)
        wrong = rng.choice(swapped)
        shared = {"kind": "roles", "group": f"roles-{'dev' if dev else 'train'}-{number}", "source": "roles"}
        yield Row(query=_sentence(claim), passage=_sentence(told), claim=SUPPORT, **shared)
        yield Row(query=_sentence(wrong), passage=_sentence(told), claim=label, **shared)
        yield Row(query=as_question(_sentence(claim), rng), passage=_sentence(told), contradicts=0, **shared)
        yield Row(query=as_question(_sentence(wrong), rng), passage=_sentence(told), contradicts=int(excluded), **shared)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _deed(first: str, second: str, rng: random.Random) -> tuple[Sequence[str], Sequence[str], bool]:
    past, participle, excluded = rng.choice(_DEEDS)

    def forms(left: str, right: str) -> list[str]:
        active, passive = f"{left} {past} {right}", f"{right} was {participle} by {left}"
        return [active, passive, f"it was {left} who {past} {right}", f"the one who was {participle} by {left} was {right}"]

    return forms(first, second), forms(second, first), excluded


def _relation(first: str, second: str, dev: bool, rng: random.Random) -> tuple[Sequence[str], Sequence[str], bool]:
    there, back = rng.choice(_RELATIONS[6:] if dev else _RELATIONS[:6])
    same = [f"{first} {there} {second}", f"{second} {back} {first}", f"it is a fact that {first} {there} {second}"]
    return same, [f"{second} {there} {first}", f"{first} {back} {second}"], True
