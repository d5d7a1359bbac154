"""Words that change what a sentence says without being a value: negation, modality, condition, quantifier, direction,
comparison, status, hedge. All of them come from the language data; a word may be a cue of several kinds ("cannot" denies and forbids).

Synonyms share a meaning and opposites differ, so two texts can be compared by the meanings of their cues.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Cue, CueKind
from guard_desk.text.languages import with_data
from guard_desk.text.phrases import PhraseTable
from guard_desk.text.words import Word, fold_word, stem_word, words

Meaning = tuple[CueKind, str]

NEGATION = "not"


def find_cues(text: str, languages: Sequence[str] = ("en",)) -> tuple[Cue, ...]:
    """The cues of a text in all of its languages, sorted by place.

    :param languages: codes, the main one first; a cue of a later language is left out where an earlier one has one.
    """
    return _find_cues(text, with_data(languages))


@lru_cache(maxsize=4096)
def _find_cues(text: str, languages: tuple[str, ...]) -> tuple[Cue, ...]:
    found: list[Cue] = []
    for code in languages:
        taken = [cue.span for cue in found]
        found += [cue for cue in _cues_of(text, code) if not any(cue.span.overlaps(span) for span in taken)]
    return tuple(sorted(found, key=lambda cue: (cue.span.start, cue.span.end, cue.kind, cue.meaning)))


def _cues_of(text: str, language: str) -> Iterator[Cue]:
    tokens = words(text, language)
    used: set[int] = set()
    for match in _table(language).find(text, tokens):
        used.update(match.used)
        for kind, meaning in match.meanings:
            yield Cue(kind=kind, span=match.span, meaning=meaning)
    for position, word in enumerate(tokens):
        if position not in used and _denied_by_prefix(word, text, tokens, position, language):
            yield Cue(kind=CueKind.NEGATION, span=word.span, meaning=NEGATION)


@cache
def _table(language: str) -> PhraseTable[Meaning]:
    return PhraseTable(_phrases(language), language)


def _phrases(language: str) -> Iterator[tuple[str, Meaning | None]]:
    for kind in CueKind:
        for meaning, phrases in dict(lang.entry(language, kind.value)).items():
            if meaning not in _NOT_MEANINGS:
                yield from ((phrase, (kind, meaning)) for phrase in phrases)
    for phrase in lang.entry(language, "cues.not_cues"):
        yield phrase, None


# Entries of [negation] that are no phrases.
_NOT_MEANINGS = frozenset({"prefixed", "un_words", "un_not", "un_endings", "prefixes"})


def _denied_by_prefix(word: Word, text: str, tokens: Sequence[Word], position: int, language: str) -> bool:
    """Whether a word's beginning denies the rest: "non-resistant", "unpaid", "inactive"."""
    if not word.folded.startswith(_prefixes(language)):
        return False
    following = tokens[position + 1] if position + 1 < len(tokens) else None
    if word.folded in _words(language, "negation.prefixes"):
        return following is not None and text[word.span.end : following.span.start] in ("-", "\u2010", "\u2011")
    if word.folded in _words(language, "negation.prefixed"):
        return True
    if not word.folded.startswith("un") or word.folded in _words(language, "negation.un_not"):
        return False
    rest = word.folded[2:]
    if rest in _words(language, "negation.un_words"):
        return True
    endings = tuple(lang.entry(language, "negation.un_endings"))
    return bool(endings) and len(rest) > 3 and rest.endswith(endings) and not rest.startswith("der")


@cache
def _prefixes(language: str) -> tuple[str, ...]:
    """First two letters of every word that may deny by its beginning."""
    listed = (*lang.entry(language, "negation.prefixed"), *lang.entry(language, "negation.prefixes"))
    return tuple({fold_word(word)[:2] for word in listed} | ({"un"} if lang.entry(language, "negation.un_words") else set())) or ("\0",)


@cache
def _words(language: str, path: str) -> frozenset[str]:
    return frozenset(fold_word(word) for word in lang.entry(language, path))


@cache
def antonyms(language: str) -> Mapping[str, frozenset[str]]:
    """Stem -> stems of its opposites ("open" -> {"close", "shut"}), from the language data."""
    opposites: dict[str, set[str]] = {}
    for left, right in lang.entry(language, "antonyms.pairs"):
        for first, second in ((left, right), (right, left)):
            for word in first.split("/"):
                stem = stem_word(fold_word(word.strip()), language)
                opposites.setdefault(stem, set()).update(stem_word(fold_word(other.strip()), language) for other in second.split("/"))
    return {stem: frozenset(others - {stem}) for stem, others in opposites.items()}


def negated_at(cues: Sequence[Cue], span: Span) -> bool:
    """Whether an odd number of negations stands inside a span."""
    return sum(cue.kind is CueKind.NEGATION and cue.span.overlaps(span) for cue in cues) % 2 == 1
