"""Turns plain statements into questions by their grammar: "Ada Moss wrote Tides in 1961." -> "When did Ada Moss write Tides?".

The parse is spaCy's. Only statements of a simple build are turned; the others give nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_NUMBERS = frozenset({"CARDINAL", "QUANTITY"})
_PLACES = frozenset({"GPE", "LOC", "FAC"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_AUXILIARIES = frozenset({"aux", "auxpass"})
_PLACE_PREPOSITIONS = frozenset({"in", "at", "from", "near", "to"})
_TIME_PREPOSITIONS = frozenset({"in", "on", "since", "during", "at"})
_ENDS = ".!?"
MOST_WORDS = 30


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the words that answer it. `label` is the entity's, or "ATTRIBUTE"."""

    question: str
    answer: str
    label: str


def ask(doc: Any, rng: random.Random) -> Iterator[Asked]:
    """The questions that a sentence answers, one for each of its names, dates and numbers that is not in its subject.

    :param doc: a parsed spaCy document of one sentence.
    """
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    if root is None or len(doc) > MOST_WORDS or root.pos_ not in ("VERB", "AUX") or doc[-1].text not in _ENDS:
        return
    subject = next((token for token in root.children if token.dep_ in _SUBJECTS), None)
    if subject is None or any(token.dep_ == "neg" for token in root.children) or subject.pos_ == "PRON":
        return
    held = _Statement(doc, root, subject)
    for entity in doc.ents:
        made = held.about_entity(entity, rng)
        if made is not None:
            yield made
    made = held.about_attribute()
    if made is not None:
        yield made


class _Statement:
    """A sentence with its verb and subject."""

    def __init__(self, doc: Any, root: Any, subject: Any) -> None:
        self.doc, self.root, self.subject = doc, root, subject
        self.subject_places = _places(subject)
        self.auxiliary = root if root.lemma_ == "be" else next((token for token in root.children if token.dep_ in _AUXILIARIES), None)

    def about_entity(self, entity: Any, rng: random.Random) -> Asked | None:
        if entity.root.i in self.subject_places:
            return None
        word, gone = self._wh(entity, rng)
        if entity.label_ == "NORP":
            return self._about_nation(entity)
        question = self._question(word, gone) if word else None
        return Asked(question, entity.text, entity.label_) if question else None

    def _about_nation(self, entity: Any) -> Asked | None:
        """ "X is a Danish painter": the nationality of X."""
        named = any(found.label_ == "PERSON" and found.root.i in self.subject_places for found in self.doc.ents)
        if not named or self.auxiliary is not self.root or entity.root.dep_ != "amod" or entity.root.head.dep_ != "attr":
            return None
        subject = " ".join(token.text for token in self.doc if token.i in self.subject_places)
        return Asked(f"What nationality {self.auxiliary.lower_} {subject}?", entity.text, "NORP")

    def about_attribute(self) -> Asked | None:
        """ "X is a kind of Y": what X is."""
        found = next((token for token in self.root.children if token.dep_ == "attr" and token.pos_ == "NOUN"), None)
        if found is None or self.auxiliary is not self.root:
            return None
        words = [token for token in self.doc[found.left_edge.i : found.i + 1] if token.dep_ != "det"]
        named = any(entity.label_ == "PERSON" and entity.root.i in self.subject_places for entity in self.doc.ents)
        question = self._question("Who" if named else "What", set(range(found.left_edge.i, found.right_edge.i + 1)))
        return Asked(question, "".join(token.text_with_ws for token in words).strip(), "ATTRIBUTE") if question and words else None

    def _wh(self, entity: Any, rng: random.Random) -> tuple[str, set[int]]:
        """The words that ask for an entity, and the places in the sentence that they stand for; ("", ...) when it cannot be asked."""
        gone, head, label = _range(entity), entity.root.head, entity.label_
        bare = entity.root.dep_ == "pobj" and head.i == entity.start - 1
        if label == "DATE" and bare and head.lower_ in _TIME_PREPOSITIONS:
            year = entity.text.isdigit() and len(entity.text) == 4
            return rng.choice(("In what year", "What year", "When") if year else ("When", "On what date")), {*gone, head.i}
        if label in _PLACES and bare and head.lower_ in _PLACE_PREPOSITIONS:
            return rng.choice(("Where", "Where", f"{head.text.capitalize()} which place")), {*gone, head.i}
        if label in _NUMBERS and entity.root.dep_ == "nummod" and head.tag_ == "NNS" and head.i == entity.end:
            return f"How many {head.text}", {*gone, head.i}
        if label == "MONEY" and entity.root.dep_ in ("dobj", "attr"):
            return "How much", gone
        if entity.root.dep_ in ("dobj", "attr", "pobj", "agent", "oprd") and label not in ("DATE", "NORP", "ORDINAL", "CARDINAL"):
            start = entity.start - 1 if entity.start and self.doc[entity.start - 1].dep_ == "det" else entity.start
            return ("Who" if label == "PERSON" else "What"), {*gone, *range(start, entity.start)}
        return "", gone

    def _question(self, word: str, gone: set[int]) -> str | None:
        """The wh-words, the auxiliary, the subject and what is left."""
        left = [token for token in self.doc if token.i not in gone and token.i not in self.subject_places]
        if any(token.i < min(self.subject_places) for token in left):
            return None
        subject = [_inner(token) for token in self.doc if token.i in self.subject_places]
        if self.auxiliary is not None:
            rest = [token for token in left if token.i != self.auxiliary.i]
            return _closed([word, self.auxiliary.lower_, *subject, *(token.text for token in rest)])
        helper = {"VBD": "did", "VBZ": "does", "VBP": "do"}.get(self.root.tag_)
        if helper is None:
            return None
        rest_words = [self.root.lemma_ if token.i == self.root.i else token.text for token in left]
        return _closed([word, helper, *subject, *rest_words])


def _closed(words: list[str]) -> str:
    while words and words[-1] in (*_ENDS, ","):
        words = words[:-1]
    text = " ".join(words)
    for before, after in ((" ,", ","), (" 's", "'s"), (" '", "'"), ("( ", "("), (" )", ")"), (" - ", "-"), (" :", ":"), (' "', '"')):
        text = text.replace(before, after)
    return f"{text}?"


def _inner(token: Any) -> str:
    """A word that stood first in its sentence and does no longer."""
    return token.text if token.i or token.pos_ == "PROPN" or token.ent_type_ else token.text.lower()


def _places(token: Any) -> set[int]:
    return {child.i for child in token.subtree}


def _range(entity: Any) -> set[int]:
    return set(range(entity.start, entity.end))
