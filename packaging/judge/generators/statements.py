"""Sentences as an answer would say them, against the passage that they come from.

A sentence is reworded by rules that keep its meaning; one detail may then be changed or invented, on the side of the claim or on that of
the passage, so that neither side alone tells the label. Claims of FEVER are edited together with their evidence in the same way.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

from feature_rows import as_question
from rows import CONTRADICT, NEUTRAL, SUPPORT, Row
from sources import Claim, Paragraph

from generators.claims import premise_question
from generators.edits import KEEPING, Rule, changing, names_of
from generators.minimal_pairs import Placed, placed_sentences

_FRONTED = re.compile(r"^(?P<time>(?:In|During|After|Before|Since|By|On|At) [^,]{3,50}), (?P<rest>[A-Z]?[^,]{15,}[^,.])\.$")
_TRAILING_TIME = re.compile(r"^(?P<rest>.{20,}?) (?P<time>(?:in|since|during) (?:the )?(?:\d{4}s?|[A-Z][a-z]+ \d{4}))\.$")
_PARENTHESIS = re.compile(r" \([^()]{2,60}\)")
_RELATIVE = re.compile(r", (?:which|who|where|including|such as) [^,.]{5,}(?=[,.])")
_ALSO = re.compile(r"\b(?:also|however,|therefore,|in fact,|indeed,) ", re.IGNORECASE)
_BY = re.compile(
    r"^(?P<object>[A-Z][^,]{3,60}?) (?P<verb>is|was|are|were) (?P<done>[a-z]+ed|built|written|made|given|held) by (?P<by>[^,.]{3,60})\.$"
)
_INVENTED = (
    "{bare}, although nobody had expected it.", "{bare} for the second time.", "{bare}, mostly to save money.",
    "{bare}, and this is due to change soon.", "{bare}, which has been criticised.", "{bare}, as a survey of 2015 found.",
    "{bare} because the law asks for it.", "{bare}, and the cost was high.", "{bare}, chiefly for older people.",
    "{bare} at the request of the owners.", "{bare}, and most people like it.", "{bare}, on the advice of an expert.",
)  # fmt: skip
DENIED_SHARE = 0.1
_TOLD = (
    "{text}", "{text}", "{text}", "{text}", "According to the text, {low}", "The passage says that {low}", "Yes, {low}", "In short, {low}",
)  # fmt: skip
# What a page is about, most telling first.
TYPES = (
    "actress", "actor", "singer", "rapper", "footballer", "politician", "film", "television series", "album", "song", "novel", "band",
    "country", "city", "state", "company", "director", "writer", "player", "river", "university",
)  # fmt: skip


def _front(text: str) -> str:
    match = _FRONTED.match(text)
    if match is not None:
        time = match["time"][0].lower() + match["time"][1:]
        return f"{match['rest'][0].upper() + match['rest'][1:]} {time}."
    match = _TRAILING_TIME.match(text)
    if match is None or match["rest"].split()[0] in ("It", "They", "He", "She", "This", "These"):
        return text
    return f"{match['time'][0].upper() + match['time'][1:]}, {match['rest'] if names_first(match['rest']) else _lower(match['rest'])}."


def names_first(text: str) -> bool:
    """Whether a sentence begins with what looks like a name."""
    words = text.split()
    return len(words) > 1 and (words[1][:1].isupper() or not words[0][1:].islower())


_LOWERED = frozenset(
    """The A An It Its They Their He His She Her This These Those That In On At By For From If When There Some Most Many All Each Every Both
    Although Once Even Only Also However After Before During Since While As To With You Your We Our No Any Such One Two Three
    Other""".split()  # noqa: SIM905 - a list of sixty words is not easier to read
)


def _lower(text: str) -> str:
    keep = names_first(text) or text.split()[0] not in _LOWERED
    return text if keep else text[0].lower() + text[1:]


def _drop(text: str) -> str:
    return _RELATIVE.sub("", _PARENTHESIS.sub("", text), count=1).replace(",.", ".")


def _active(text: str) -> str:
    """A passive sentence with an agent, turned round as a cleft."""
    match = _BY.match(text)
    return (
        f"It {match['verb']} {match['by']} who {_DONE.get(match['done'], match['done'])} {_lower(match['object'])}."
        if match and match["verb"] == "was"
        else text
    )


_DONE = {"written": "wrote", "given": "gave"}


def reworded(text: str, rng: random.Random) -> str:
    """The sentence in other words, at least in small ways."""
    for change in rng.sample((_front, _drop, lambda told: _ALSO.sub("", told), _active), rng.randint(1, 3)):
        text = change(text)
    for rule in rng.sample(list(KEEPING.values()), rng.randint(1, len(KEEPING))):
        edit = rule(text, rng)
        text = edit.text if edit is not None else text
    return text[0].upper() + text[1:]


def told(text: str, rng: random.Random) -> str:
    """The sentence as a part of an answer."""
    return rng.choice(_TOLD).format(text=text, low=_lower(text))


def answers(paragraphs: Sequence[Paragraph], count: int, rng: random.Random) -> Iterator[Row]:
    """Rows of `count` reworded sentences: kept, changed and with something invented."""
    pool = placed_sentences(paragraphs, rng)
    rules = changing(sorted({name for place in pool for name in names_of(place.sentence)}))
    kinds = sorted(rules)
    for place in rng.sample(pool, min(count, len(pool))):
        yield from _answer(place, [rules[kind] for kind in rng.sample(kinds, len(kinds))], rng)


def _answer(place: Placed, rules: Sequence[Rule], rng: random.Random) -> Iterator[Row]:
    shared: dict[str, Any] = {"group": place.paragraph.group, "source": f"answers-{place.paragraph.source.removeprefix('plain_')}"}
    sentence = place.sentence
    edited = next((edit.text for rule in rules if (edit := rule(sentence, rng)) is not None and edit.text != sentence), "")
    if not edited:
        return
    # What is true and what is changed trade places half of the time.
    passage, other = (sentence, edited) if rng.random() < 0.5 else (edited, sentence)
    for said, kind, label in ((passage, "kept", SUPPORT), (other, "changed", CONTRADICT)):
        query = told(reworded(said, rng), rng)
        # A denied truth and a denied error: that there is a "not" must not tell.
        if rng.random() < DENIED_SHARE:
            query, label = f"It is not true that {_lower(reworded(said, rng))}", CONTRADICT if label == SUPPORT else SUPPORT
        yield Row(query=query, passage=place.passage(passage), kind=f"answer {kind}", claim=label, **shared)
    if rng.random() < 0.5:
        bare = passage.rstrip(".")
        longer = rng.choice(_INVENTED).format(bare=bare)
        # The longer claim is open; before a passage that says it, it is supported, and so is the shorter one.
        yield Row(query=told(longer, rng), passage=place.passage(passage), kind="answer invented", claim=NEUTRAL, **shared)
        yield Row(
            query=told(rng.choice((longer, reworded(passage, rng))), rng),
            passage=place.passage(longer),
            kind="answer with detail",
            claim=SUPPORT,
            **shared,
        )
    rest = " ".join(part for part in (place.before, place.after) if part)
    if len(rest) > 60 and rng.random() < 0.4:
        yield Row(
            query=told(reworded(rng.choice((sentence, edited)), rng), rng), passage=rest, kind="answer not there", claim=NEUTRAL, **shared
        )


def edited_claims(claims: Sequence[Claim], share: float, rng: random.Random) -> Iterator[Row]:
    """Supported claims of FEVER whose detail is changed in the claim, in the evidence, or in both; and evidence about another page."""
    pool = [claim for claim in claims if claim.source == "fever" and claim.label == SUPPORT]
    names = sorted({name for claim in pool for name in names_of(claim.claim)})
    rules = {
        kind: rule for kind, rule in changing(names).items() if kind in ("number", "date", "entity", "class", "direction", "quantifier")
    }
    for claim in rng.sample(pool, round(share * len(pool))):
        for rule in rng.sample(list(rules.values()), len(rules)):
            edit = rule(claim.claim, rng)
            if edit is not None and edit.text != claim.claim:
                yield from _both_sides(claim, *_difference(claim.claim, edit.text), rng)
                break
    pages = _pages_by_type(claims)
    for claim in rng.sample(list(claims), round(0.5 * share * len(claims))):
        if claim.source == "fever" and claim.page and claim.page in claim.text and claim.page in claim.claim:
            kinds = [kind for kind in TYPES if f" {kind}" in claim.text]
            if kinds and pages.get(kinds[0]):
                yield from _other_page(claim, rng.choice(pages[kinds[0]]), rng)


def _pages_by_type(claims: Sequence[Claim]) -> dict[str, list[str]]:
    """The pages whose evidence says that they are a film, a city and so on."""
    found: dict[str, set[str]] = {}
    for claim in claims:
        if claim.page and "(" not in claim.page and claim.page in claim.text:
            kind = next((kind for kind in TYPES if f" {kind}" in claim.text), None)
            if kind:
                found.setdefault(kind, set()).add(claim.page)
    return {kind: sorted(pages) for kind, pages in found.items()}


def _difference(old: str, new: str) -> tuple[str, str]:
    """The words in which two sentences differ."""
    left, right = old.split(" "), new.split(" ")
    head = next((at for at, (one, two) in enumerate(zip(left, right, strict=False)) if one != two), min(len(left), len(right)))
    tail = 0
    while tail < min(len(left), len(right)) - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    return " ".join(left[head : len(left) - tail]).strip(".,"), " ".join(right[head : len(right) - tail]).strip(".,")


def _within_name(part: str, text: str) -> bool:
    """Whether a capitalised part stands beside another capitalised word, so that it is only a piece of a name."""
    if not part[:1].isupper():
        return False
    return re.search(rf"[A-Z][\w.'-]* {re.escape(part)}\b|\b{re.escape(part)} [A-Z]", text) is not None


def _both_sides(claim: Claim, old: str, new: str, rng: random.Random) -> Iterator[Row]:
    """Only where the evidence states the detail in the same words, once, can the evidence be changed with it."""
    if (
        len(old) < 2
        or not new
        or _within_name(old, claim.claim)
        or _within_name(old, claim.text)
        or len(re.findall(rf"\b{re.escape(old)}\b", claim.text)) != 1
        or claim.claim.count(old) != 1
    ):
        return
    other_text, other_claim = re.sub(rf"\b{re.escape(old)}\b", new, claim.text), claim.claim.replace(old, new)
    shared: dict[str, Any] = {"group": claim.group, "source": "fever"}
    for said, text, label in (
        (claim.claim, other_text, CONTRADICT), (other_claim, claim.text, CONTRADICT), (other_claim, other_text, SUPPORT),
    ):  # fmt: skip
        yield Row(query=said, passage=text, kind="fever edited", claim=label, **shared)
        if rng.random() < 0.6:
            contradicts = int(label == CONTRADICT)
            yield Row(query=premise_question(said, rng), passage=text, kind="fever edited", contradicts=contradicts, **shared)


def _other_page(claim: Claim, page: str, rng: random.Random) -> Iterator[Row]:
    """The same evidence told of another one: nothing follows for the claim."""
    if page in claim.claim or page in claim.text or claim.page is None:
        return
    text = claim.text.replace(claim.page, page)
    # Parts of the name would betray that the text was once about another.
    if any(word in text for word in claim.page.split() if len(word) > 3):
        return
    shared: dict[str, Any] = {"passage": text, "kind": "other name", "group": claim.group, "source": "fever"}
    yield Row(query=claim.claim, claim=NEUTRAL, **shared)
    yield Row(
        query=premise_question(claim.claim, rng) if rng.random() < 0.7 else as_question(claim.claim, rng),
        contradicts=0,
        evidence=0,
        **shared,
    )
