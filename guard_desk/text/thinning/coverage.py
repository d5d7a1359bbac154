"""Whether a sentence speaks of what the question asks about.

Every term of the question must be met: by the same stem, a form of it, a synonym of the language data, or by the
passage around the sentence. A term that is merely absent may be forgiven (see `Coverage.missing`); one whose place is
taken by another word is not: "the annual fee of the Harwick *choir*" speaks of something else than the library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from guard_desk.records.corpus import Span
from guard_desk.text.thinning.frame import YEAR, Frame, Shape, Term
from guard_desk.text.thinning.language import base_stem, hits, list_positions, listed, phrase_groups
from guard_desk.text.words import Word, words

_ASIDE = re.compile(r"(?<!\S)\[[^\[\]]*\](?!\w)")
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»\n]{2,80})[\"”“»]")
_SHORTEST_FORM = 5
_SHORTEST_COMPOUND = 4
_REACH = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceView:
    """A sentence with its words.

    :param text: the whole passage.
    :param tokens: words with their places in the passage.
    :param local: the same words with their places in the sentence: phrase tables look at the text between words.
    :param groups: synonym group -> positions of the words that belong to it.
    """

    text: str
    span: Span
    tokens: tuple[Word, ...]
    local: tuple[Word, ...]
    groups: dict[str, tuple[int, ...]]

    @property
    def own(self) -> str:
        """The sentence alone."""
        return self.span.of(self.text)

    def positions(self, language: str, name: str) -> frozenset[int]:
        """Positions of the words that belong to a phrase of a list of the language data."""
        return list_positions(language, name, self.own, self.local)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How a sentence meets the terms of a question.

    :param matched: positions of the words that meet a term.
    :param anchors: those of them that name the asked property (the value stands near them); all when there are none.
    :param missing: stems of terms that are absent and needed.
    :param replaced: whether another word stands in a term's place.
    :param share: part of the terms that are met in the sentence itself.
    :param lacking: how many terms neither the sentence nor the passage around it has, needed or not.
    """

    matched: frozenset[int]
    anchors: frozenset[int]
    missing: frozenset[str]
    replaced: bool
    share: float
    lacking: int = 0


def asides(sentence: SentenceView) -> list[Span]:
    """Remarks in brackets that stand free ("[see table 3]", not "limits[max]"), with their places in the passage."""
    return [Span(*match.span()) for match in _ASIDE.finditer(sentence.text, sentence.span.start, sentence.span.end)]


@lru_cache(maxsize=4096)
def view(text: str, span: Span, language: str) -> SentenceView:
    """A sentence of a passage; remembered, because every part of a question reads it."""
    sentence = span.of(text)
    local = words(sentence, language)
    groups: dict[str, tuple[int, ...]] = {}
    for hit in hits(phrase_groups(language, "synonyms"), sentence, local):
        for meaning in hit.meanings:
            groups[meaning] = groups.get(meaning, ()) + hit.words
    tokens = tuple(Word(Span(w.span.start + span.start, w.span.end + span.start), w.text, w.folded, w.stem, w.content) for w in local)
    return SentenceView(text=text, span=span, tokens=tokens, local=local, groups=groups)


def cover(frame: Frame, sentence: SentenceView, context: frozenset[str]) -> Coverage:
    """How a sentence meets the terms.

    :param context: stems of the title and of earlier sentences of the passage.
    """
    found = _met_once({term: positions_of(term, sentence, frame.language) for term in frame.terms}, sentence)
    matched = frozenset(position for positions in found.values() for position in positions)
    anchors = frozenset(p for term, positions in found.items() if term.stem in frame.attribute for p in positions)
    heads = frozenset(i for i, word in enumerate(sentence.tokens) if word.stem in frame.head)
    absent = [term for term, positions in found.items() if not positions]
    by_context = [term for term in absent if _in_context(term, context, frame)]
    label = _is_label(frame, sentence, heads)
    implied = any(term.attribute and not term.implied and positions for term, positions in found.items())
    said = {term for term in absent if (label and term.verb) or (implied and term.implied)}
    missing = [term for term in absent if term not in by_context and term not in said and not _forgiven(term, found)]
    unasked = frozenset(frame.head[-1:] if _is_unasked(frame, sentence, heads) else ())
    met = len(frame.terms) - len(absent)
    return Coverage(
        matched=matched | heads,
        anchors=anchors | heads or matched,
        missing=frozenset(term.stem for term in missing) | unasked,
        lacking=len(absent) - len(by_context) + any(_is_displaced(term, sentence, frame) for term in missing),
        replaced=any(_is_replaced(term, sentence, frame) for term in absent)
        or _other_role(frame, sentence, anchors | heads)
        or _other_title(frame.text, sentence.own),
        share=met / len(frame.terms) if frame.terms else 1.0,
    )


def _is_unasked(frame: Frame, sentence: SentenceView, heads: frozenset[int]) -> bool:
    """ "Which vitamin does the tablet contain?": "The tablet tastes of lemon" has the subject, but nothing of what is asked."""
    if frame.shape is not Shape.OPEN or not frame.head or heads or not frame.light:
        return False
    keys = {term.stem for term in frame.terms if term.key}
    if any(not term.key and not {term.before, term.after} & keys for term in frame.terms):
        return False  # words beside the subject tell enough
    copula = sentence.positions(frame.language, "copula")
    return not copula and all(base_stem(word, frame.language) not in frame.light for word in sentence.tokens)


def _met_once(found: dict[Term, tuple[int, ...]], sentence: SentenceView) -> dict[Term, tuple[int, ...]]:
    """One word is no synonym of two terms: "employs 45 *people*" speaks of no "seating capacity"."""
    taken: set[tuple[int, ...]] = set()
    for term, positions in tuple(found.items()):
        others = {other.stem for other in found if other is not term}
        if term.attribute and positions and all(sentence.tokens[i].stem in others for i in positions):
            found[term] = ()  # "the *music* is lovely" has no composer
            continue
        if term.attribute and len(positions) == 1 and sentence.tokens[positions[0]].stem not in {other.stem for other in found}:
            found[term] = () if positions in taken else positions
            taken.add(positions)
    return found


def _is_label(frame: Frame, sentence: SentenceView, heads: frozenset[int]) -> bool:
    """ "*Frequency* assigned to Radio Pellworth: 94.8 MHz" needs no verb of the question."""
    return (
        bool(heads)
        and frame.shape in (Shape.QUANTITY, Shape.NUMBER)
        and ":" in sentence.text[sentence.tokens[min(heads)].span.end : sentence.span.end]
    )


def _other_title(question: str, text: str) -> bool:
    """Whether a line quotes other titles and not the one that the question quotes."""
    asked = [match[1].casefold() for match in _QUOTED.finditer(question)]
    told = text.casefold()
    return bool(asked) and not any(title in told for title in asked) and bool(_QUOTED.search(text))


def positions_of(term: Term, sentence: SentenceView, language: str) -> tuple[int, ...]:
    """Positions of the words that meet a term."""
    exact = [i for i, word in enumerate(sentence.tokens) if _meets(term, word, language)]
    if term.key:  # the "road office" is no part of "Elm Road" where that stands as well
        exact = [i for i in exact if not sentence.tokens[i].text[0].islower()] or exact
    grouped = [position for group in term.groups for position in sentence.groups.get(group, ())]
    return tuple(sorted(set(exact) | set(grouped)))


def _meets(term: Term, word: Word, language: str) -> bool:
    if word.stem == term.stem:
        return True
    if term.key:
        return False
    if base_stem(word, language) == term.base:
        return True
    if language == "de" and min(len(term.stem), len(word.stem)) >= _SHORTEST_COMPOUND:
        return term.stem in word.stem or word.stem in term.stem
    shorter, longer = sorted((term.stem, word.stem), key=len)
    return len(shorter) >= _SHORTEST_FORM and longer.startswith(shorter) and len(longer) - len(shorter) <= _REACH


def _in_context(term: Term, context: frozenset[str], frame: Frame) -> bool:
    """The passage may have named the subject before; the asked property must stand in the sentence itself."""
    return term.stem in context and term.stem not in frame.attribute


def _forgiven(term: Term, found: dict[Term, tuple[int, ...]]) -> bool:
    """One word beside a key may be left out when a key is met."""
    if not term.omittable:
        return False
    others = [other for other, positions in found.items() if not positions and other.omittable and other is not term]
    return not others and any(positions for other, positions in found.items() if other.key)


def _is_replaced(term: Term, sentence: SentenceView, frame: Frame) -> bool:
    """Whether a word that the question lacks stands where the term stands in the question."""
    if term.year:
        return any(_is_other_year(word, frame) for word in sentence.tokens)
    if term.after and any(_foreign(sentence, i - 1, i, frame) for i in _places(term.after, sentence)):
        return True
    if (
        term.before
        and not (term.verb or term.verb_of_subject)
        and any(_foreign(sentence, i + 1, i, frame) for i in _places(term.before, sentence))
    ):
        return True
    if term.key and bool(term.previous) and any(_other_key(sentence, i, frame) for i in _places(term.previous, sentence)):
        return True
    return (
        term.key and bool(term.into) and any(_other_key(sentence, i, frame) for i, w in enumerate(sentence.tokens) if w.folded == term.into)
    )


def _is_displaced(term: Term, sentence: SentenceView, frame: Frame) -> bool:
    """ "The report on the *tunnel*" where the question has "the report on the *ferry*": another word, little words between."""
    for place in _places(term.previous, sentence) if term.previous else ():
        behind = sentence.tokens[place + 1 : place + 1 + _REACH]
        following = next((i for i, word in enumerate(behind) if word.content), 0)
        if following and behind[following].stem not in frame.stems and behind[0].folded in listed(frame.language, "prepositions"):
            return True
    return False


def _is_other_year(word: Word, frame: Frame) -> bool:
    """ "In 2024" where the question has 2025."""
    return bool(YEAR.fullmatch(word.text)) and word.stem not in frame.stems


def _other_role(frame: Frame, sentence: SentenceView, anchors: frozenset[int]) -> bool:
    """Whether the asked property is another one: "deputy mayor" where the question asks for the mayor."""
    if any(i + 1 not in anchors and _is_before_role(sentence, i, frame) for i in anchors):
        return True
    roles = listed(frame.language, "role_modifiers")
    places = [i for i in anchors if i and sentence.tokens[i].stem in frame.attribute]
    return bool(places) and all(sentence.tokens[i - 1].folded in roles and sentence.tokens[i - 1].stem not in frame.stems for i in places)


def _is_before_role(sentence: SentenceView, position: int, frame: Frame) -> bool:
    """ "*head* nurse" where the question asks for the director."""
    word = sentence.tokens[position]
    following = sentence.tokens[position + 1] if position + 1 < len(sentence.tokens) else None
    alone = word.stem in frame.stems or word.folded not in listed(frame.language, "role_prefixes")
    return not alone and following is not None and following.content and following.text[0].islower() and following.stem not in frame.stems


def _places(stem: str, sentence: SentenceView) -> Iterable[int]:
    return (i for i, word in enumerate(sentence.tokens) if word.stem == stem)


def _foreign(sentence: SentenceView, position: int, beside: int, frame: Frame) -> bool:
    """Whether a content word that the question lacks stands right beside a word, with nothing but space between."""
    if not 0 <= position < len(sentence.tokens):
        return False
    first, second = sentence.tokens[min(position, beside)], sentence.tokens[max(position, beside)]
    word = sentence.tokens[position]
    return word.content and word.stem not in frame.stems and not sentence.text[first.span.end : second.span.start].strip(" -")


def _other_key(sentence: SentenceView, position: int, frame: Frame) -> bool:
    """Whether another name or identifier follows: "the harbour of Harwick" where the question has Brekkevik."""
    following = (word for word in sentence.tokens[position + 1 : position + 1 + _REACH] if word.content)
    word = next(following, None)
    return word is not None and word.stem not in frame.stems and (word.text[0].isupper() or any(ch.isdigit() for ch in word.text))
