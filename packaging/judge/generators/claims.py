"""Claims with their texts from real sources, and the same claims as premises of questions."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from feature_rows import as_question
from rows import CONTRADICT, NEUTRAL, NOT_SUPPORTED, SUPPORT, Row
from sources import Claim

# Rows a source may give a label; what is not named has no cap. ConjNLI is balanced by length instead.
CAPS = {
    ("breaking_nli", CONTRADICT): 1500,
    ("conjnli-adv_train", SUPPORT): 1600,
    ("conjnli-adv_train", CONTRADICT): 1600,
    ("conjnli-adv_train", NEUTRAL): 1600,
    ("hans_regenerated", SUPPORT): 1000,
    ("hans_regenerated", NOT_SUPPORTED): 1000,
    ("help", SUPPORT): 700,
    ("help", NOT_SUPPORTED): 700,
}
# Only texts of these say enough for a question to rest on them.
PREMISE_SOURCES = frozenset({"fever", "cf_snli", "conjnli-adv_train", "conjnli-dev", "breaking_nli", "negnli-SNLI", "negnli-MNLI"})
_COPULA = re.compile(r"^(?P<subject>[A-Z][^,.]{2,60}?) (?:is|was) (?:an?|the) (?P<what>[a-zA-Z][^,.]{3,70})\.$")
_AUXILIARY = re.compile(
    r"^(?P<subject>[A-Z][^,.]{2,60}?) (?P<verb>is|are|was|were|has|have|had|can|could|will|would|must|should) (?P<rest>[^.]{4,120})\.$"
)
_BORN = re.compile(
    r"^(?P<subject>[A-Z][^,.]{2,60}?) was (?P<what>born|released|founded|created|built|directed|written) (?P<rest>[^,.]{3,60})\.$"
)
_NOUN_FORMS = (
    "When did the {what} {subject} become known?", "Who were the friends of {subject}, the {what}?",
    "How old was the {what} {subject} in 2000?",
    "Which {what} called {subject} is meant?",
)  # fmt: skip
_VERB_FORMS = ("Why {verb} {subject} {rest}?", "How come {subject} {verb} {rest}?", "Who knew that {subject} {verb} {rest}?")
_BORN_FORMS = (
    "Who else had a part in {subject}, {what} {rest}?", "What happened after {subject} was {what} {rest}?",
    "How was {subject} received, having been {what} {rest}?",
)  # fmt: skip


def premise_question(claim: str, rng: random.Random) -> str:
    """A question that takes a claim for granted: in a clause, in a noun phrase or in the order of its words."""
    fitting: list[tuple[re.Match[str], tuple[str, ...]]] = []
    rules: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = ((_COPULA, _NOUN_FORMS), (_AUXILIARY, _VERB_FORMS), (_BORN, _BORN_FORMS))
    for pattern, forms in rules:
        match = pattern.match(claim.strip())
        if match is not None:
            fitting.append((match, forms))
    if not fitting or rng.random() < 0.3:
        return as_question(claim, rng)
    match, forms = rng.choice(fitting)
    return rng.choice(forms).format(**match.groupdict())


def claim_rows(claims: Sequence[Claim], rng: random.Random) -> Iterator[Row]:
    """The claims of each source, capped and balanced."""
    by_label: dict[tuple[str, int], list[Claim]] = {}
    for claim in claims:
        if not _leaks(claim):
            by_label.setdefault((claim.source, claim.label), []).append(claim)
    for key, found in sorted(by_label.items()):
        for claim in rng.sample(found, min(len(found), CAPS.get(key, len(found)))):
            yield Row(query=claim.claim, passage=claim.text, kind="claim", group=claim.group, source=claim.source, claim=claim.label)


def _leaks(claim: Claim) -> bool:
    """ConjNLI's rules show in the lengths: entailed hypotheses are shorter, neutral ones longer. Only the others are kept of two thirds."""
    if claim.source != "conjnli-adv_train":
        return False
    shorter = len(claim.claim) < len(claim.text)
    usual = (claim.label == SUPPORT and shorter) or (claim.label == NEUTRAL and not shorter)
    return usual and hash_tenth(claim.claim) < 6


def hash_tenth(text: str) -> int:
    """A number 0..9 that only depends on the text."""
    return sum(map(ord, text)) % 10


def premise_rows(claims: Sequence[Claim], share: float, rng: random.Random) -> Iterator[Row]:
    """Claims as premises, and wrong-entity forms: the same question before the text of another claim."""
    pool = [claim for claim in claims if claim.source in PREMISE_SOURCES and claim.label != NOT_SUPPORTED]
    by_source: dict[str, list[Claim]] = {}
    for claim in pool:
        by_source.setdefault(claim.source, []).append(claim)
    for source, found in sorted(by_source.items()):
        for claim in rng.sample(found, round(share * len(found))):
            query = premise_question(claim.claim, rng)
            yield Row(
                query=query,
                passage=claim.text,
                kind="premise",
                group=claim.group,
                source=source,
                contradicts=int(claim.label == CONTRADICT),
            )
            if rng.random() < 0.15:
                other = rng.choice(found)
                if other.group != claim.group and other.page != claim.page:
                    yield Row(
                        query=query,
                        passage=other.text,
                        kind="wrong entity",
                        group=claim.group,
                        source=source,
                        relevant=0 if source == "fever" else None,
                        contradicts=0,
                    )


def open_rows(claims: Sequence[Claim], share: float, rng: random.Random) -> Iterator[Row]:
    """FEVER has no open claims with a text: a claim before another text of its page, or of another page, is open."""
    fever = [claim for claim in claims if claim.source == "fever"]
    by_page: dict[str, list[Claim]] = {}
    for claim in fever:
        if claim.page:
            by_page.setdefault(claim.page, []).append(claim)
    for claim in rng.sample(fever, round(share * len(fever))):
        same = [other for other in by_page.get(claim.page or "", []) if other.text not in claim.text and claim.text not in other.text]
        other = rng.choice(same) if same and rng.random() < 0.2 else rng.choice(fever)
        if other.text != claim.text:
            yield Row(query=claim.claim, passage=other.text, kind="open", group=claim.group, source="fever", claim=NEUTRAL)
