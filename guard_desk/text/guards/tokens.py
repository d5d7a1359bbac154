"""The words of a text as comparison reads them: contractions and elisions taken apart, letters as names, and runs between values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value
from guard_desk.text.guards.lexicon import Lexicon
from guard_desk.text.words import Word, fold_word, stem_word, words

SENTENCE_END = frozenset(".!?;:。！？；：\n")
_ELISION = re.compile(r"^(?:l|d|j|m|t|s|n|c|qu)'(?=\w)")


def tokens_of(text: str, lex: Lexicon) -> list[Word]:
    """The words of a text with contractions and elisions taken apart."""
    found: list[Word] = []
    for word in words(text, lex.language):
        parts = lex.contractions.get(word.folded)
        elision = _ELISION.match(word.folded) if lex.language == "fr" else None
        if parts:
            found.extend(Word(word.span, part, part, stem_word(part, lex.language), False) for part in parts)
        elif elision and len(word.text) == len(word.folded):
            cut = word.span.start + elision.end()
            head, tail = word.folded[: elision.end()], word.folded[elision.end() :]
            found.append(Word(Span(word.span.start, cut), head, head, head, False))
            found.append(Word(Span(cut, word.span.end), text[cut : word.span.end], tail, stem_word(tail, "fr"), True))
        elif word.folded in lex.irregular:
            found.append(replace(word, stem=stem_word(lex.irregular[word.folded], lex.language)))
        elif _is_letter_name(text, word):
            name = f"{word.text}'"  # phrases are looked up by the text of their first word
            found.append(replace(word, text=name, folded=name, stem=name))
        else:
            found.append(word)
    return found


def _is_letter_name(text: str, word: Word) -> bool:
    """A capital that stands alone inside a sentence is a name ("plan A"), no article."""
    if len(word.text) != 1 or not word.text.isupper() or text.isupper():
        return False
    before = text[: word.span.start].rstrip()
    return bool(before) and before[-1] not in SENTENCE_END


def runs_of(tokens: Sequence[Word], values: Sequence[Value]) -> Iterator[tuple[list[Word], Value | None]]:
    """The words before each value, with the value; last the words after the last one, with None."""
    rest = list(tokens)
    for value in values:
        run = [token for token in rest if token.span.start < value.span.start and not token.span.overlaps(value.span)]
        tail = [piece for token in rest if token.span.overlaps(value.span) for piece in _beyond(token, value.span)]
        rest = tail + [token for token in rest if token.span.start >= value.span.end]
        yield run, value
    yield rest, None


def _beyond(word: Word, value: Span) -> Iterator[Word]:
    """What of a word a value in it leaves over: the "S" of "300S"."""
    if word.span.end > value.end and word.span.start < value.end:
        text = word.text[value.end - word.span.start :]
        folded = fold_word(text)
        yield Word(Span(value.end, word.span.end), text, folded, folded, True)
