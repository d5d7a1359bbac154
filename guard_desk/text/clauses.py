"""Verbs and clauses by rule, for facts and claims.

A verb is found by the lists of `[facts]` and `[clauses]` in the language data and by its ending, never by a parser. What
this can not see: imperatives, plural verbs without an ending that are in no list, and verbs at the end of German
subordinate clauses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.text.words import Word, fold_word, stem_word, words_in

# Marks between two clauses of one sentence, and a comma with the words behind it.
_STRONG = re.compile(r"[;；]|(?<=\s)[–—](?=\s)|——")
_COMMA = re.compile(r"[,，]")
_MIN_HAN = 4
# How many words on each side of a joining word are searched for a verb. No subject is that long, and a "sentence" of thousands of
# words (a list, a log) would otherwise be read anew from each "and" in it.
_WITHIN = 80


@dataclass(frozen=True, slots=True)
class Verb:
    """The verb of a clause.

    :param first: position of the first word of the verb group ("was").
    :param main: position of the main verb ("acquired").
    :param head: folded, stemmed base form; "be" for a copula.
    :param passive: whether the grammatical subject is acted upon.
    """

    first: int
    main: int
    head: str
    passive: bool = False


def find_verb(tokens: Sequence[Word], language: str, *, continues: bool = False) -> Verb | None:
    """The first finite verb of a clause; None when the rules see none.

    :param continues: the clause shares the subject of the one before it, so its first word may be the verb.
    """
    for position, word in enumerate(tokens):
        if word.folded in _set(language, "facts.copulas") or word.folded in _set(language, "facts.auxiliaries"):
            return _group(tokens, position, language)
        if _is_full_verb(tokens, position, language) if position else continues and _begins_with_verb(tokens, language):
            return Verb(position, position, base_form(word, language))
    return None


def base_form(word: Word, language: str) -> str:
    """The stem of a verb's base form ("bought" -> "buy")."""
    return _irregular(language).get(word.folded, word.stem)


def _group(tokens: Sequence[Word], first: int, language: str) -> Verb:
    """The verb group that begins with a copula or an auxiliary."""
    passive_possible = tokens[first].folded in _set(language, "clauses.passive_auxiliaries")
    if lang.entry(language, "clauses.participle_last", False):
        return _german_group(tokens, first, language, passive_possible)
    position = first + 1
    while position < len(tokens) and _is_helper(tokens[position], language):
        passive_possible = passive_possible or tokens[position].folded in _set(language, "clauses.passive_auxiliaries")
        position += 1
    if position < len(tokens) and _is_participle(tokens[position], language):
        return Verb(first, position, base_form(tokens[position], language), passive=passive_possible)
    if tokens[first].folded in _set(language, "facts.copulas") or passive_possible:
        return Verb(first, max(first, position - 1) if position > first + 1 else first, "be")
    if position < len(tokens):
        return Verb(first, position, base_form(tokens[position], language))
    return Verb(first, first, tokens[first].stem)


def _german_group(tokens: Sequence[Word], first: int, language: str, passive_possible: bool) -> Verb:
    last = len(tokens) - 1
    auxiliary = tokens[first].folded in _set(language, "facts.auxiliaries")
    if last > first and (auxiliary or passive_possible) and _is_participle(tokens[last], language) and tokens[last].text[0].islower():
        return Verb(first, last, base_form(tokens[last], language), passive=passive_possible)
    return Verb(first, first, tokens[first].stem if auxiliary else "be")


def _is_helper(word: Word, language: str) -> bool:
    paths = ("clauses.adverbs", "facts.auxiliaries", "facts.copulas")
    return any(word.folded in _set(language, path) for path in paths) or (language == "en" and word.folded.endswith("ly"))


def _is_participle(word: Word, language: str) -> bool:
    endings = tuple(lang.entry(language, "clauses.participle_endings"))
    return word.folded in _irregular(language) or (bool(endings) and len(word.folded) > 3 and word.folded.endswith(endings))


def _is_full_verb(tokens: Sequence[Word], position: int, language: str) -> bool:
    word = tokens[position]
    if tokens[position - 1].folded in _set(language, "clauses.not_before_verb") or not word.text[0].islower():
        return False
    if word.folded in _set(language, "facts.verbs"):
        return True
    past = tuple(lang.entry(language, "clauses.past_endings"))
    if word.folded in _irregular(language) or (past and word.folded.endswith(past) and len(word.folded) > 3):
        return not _is_reduced(tokens, position, language)
    if language != "en":
        return False
    before = _before_helpers(tokens, position, language)
    plural = before.folded in _set(language, "facts.pronouns") or before.folded.endswith("s") or before.text[0].isupper()
    return plural and word.content and word.stem in _verb_stems(language) and not word.folded.endswith(("s", "ing"))


def _before_helpers(tokens: Sequence[Word], position: int, language: str) -> Word:
    """The word before a place, without the helpers between them; the helper beside it when all words before it are helpers."""
    earlier = (tokens[index] for index in range(position - 1, -1, -1))
    return next((word for word in earlier if not _is_helper(word, language)), tokens[position - 1])


def _begins_with_verb(tokens: Sequence[Word], language: str) -> bool:
    word = tokens[0]
    past = tuple(lang.entry(language, "clauses.past_endings"))
    return word.text[0].islower() and (
        word.folded in _set(language, "facts.verbs") or word.folded in _irregular(language) or (bool(past) and word.folded.endswith(past))
    )


def _is_reduced(tokens: Sequence[Word], position: int, language: str) -> bool:
    """Whether a participle belongs to the noun before it: "files stored on disk are deleted"."""
    rest = tokens[position + 1 : position + 1 + _WITHIN]
    if not rest or rest[0].folded not in _set(language, "clauses.prepositions"):
        return False
    return any(word.folded in _set(language, "facts.copulas") or word.folded in _set(language, "facts.auxiliaries") for word in rest)


def split_clauses(text: str, sentence: Span, language: str) -> tuple[Span, ...]:
    """The independent clauses of a sentence: parts that each have a verb; the whole sentence when it has one."""
    cuts = list(_chinese_cuts(text, sentence) if language in ("zh", "ja") else _cuts(text, sentence, language))
    spans = []
    start = sentence.start
    for left, right in cuts:
        spans.append(trimmed(text, start, left))
        start = right
    spans.append(trimmed(text, start, sentence.end))
    return tuple(span for span in spans if span.start < span.end)


def _cuts(text: str, sentence: Span, language: str) -> Iterator[tuple[int, int]]:
    """(end of one clause, start of the next), where both sides have a verb."""
    start = sentence.start
    for left, right in _candidates(text, sentence, language):
        if left < start:
            continue
        before, behind = words_in(text, Span(start, left), language), words_in(text, Span(right, sentence.end), language)
        if _has_verb(before, language) and _starts_clause(behind, language):
            yield left, right
            start = right


def _candidates(text: str, sentence: Span, language: str) -> Iterator[tuple[int, int]]:
    pattern = _coordinator(language)
    for match in pattern.finditer(text, sentence.start, sentence.end):
        yield match.start(), match.end()


@cache
def _coordinator(language: str) -> re.Pattern[str]:
    listed = sorted(lang.entry(language, "clauses.coordinators"), key=len, reverse=True)
    joined = "|".join(re.escape(word).replace("\\ ", r"\s+") for word in listed) or "(?!)"
    return re.compile(rf",?\s+(?:{joined})\s+|\s*;\s+|\s+[–—]\s+", re.IGNORECASE)


def _has_verb(tokens: Sequence[Word], language: str) -> bool:
    return len(tokens) > 1 and find_verb(tokens[:_WITHIN], language) is not None and not _depends(tokens, language)


def _depends(tokens: Sequence[Word], language: str) -> bool:
    """Whether a part begins like a subordinate clause, whose verb says nothing of its own."""
    return tokens[0].folded in _set(language, "clauses.subordinators")


def _starts_clause(tokens: Sequence[Word], language: str) -> bool:
    """Whether what follows is a clause: a verb at once (shared subject), or a verb behind a subject of its own."""
    if len(tokens) < 2 or _depends(tokens, language):
        return False
    verb = find_verb(tokens[:_WITHIN], language, continues=True)
    if verb is None or verb.first == 0:
        return verb is not None
    # "in Norway and Iceland are affected": a verb right behind one name closes the list before it.
    return verb.first > 1 or tokens[0].folded in _set(language, "facts.pronouns")


def _chinese_cuts(text: str, sentence: Span) -> Iterator[tuple[int, int]]:
    start = sentence.start
    for match in re.finditer(r"[，；,;]\s*", text[sentence.start : sentence.end]):
        left, right = sentence.start + match.start(), sentence.start + match.end()
        following = re.split(r"[，；,;]", text[right : sentence.end], maxsplit=1)[0]
        if _is_chinese_clause(text[start:left]) and _is_chinese_clause(following) and not _leans(text[start:left]):
            yield left, right
            start = right


def _is_chinese_clause(part: str) -> bool:
    stripped = part.strip(" 。！？；，,;!?")
    signs = (ch for ch in stripped if "\u4e00" <= ch <= "\u9fff")
    return len(tuple(islice(signs, _MIN_HAN))) == _MIN_HAN


def _leans(part: str) -> bool:
    """Whether a Chinese part depends on what follows ("升级失败时")."""
    stripped = part.strip()
    begins, ends = tuple(lang.entry("zh", "clauses.subordinators")), tuple(lang.entry("zh", "clauses.endings"))
    return stripped.startswith(begins) or stripped.endswith(ends)


def trimmed(text: str, start: int, end: int) -> Span:
    """A span without white space and joining marks at its borders."""
    while start < end and (text[start].isspace() or text[start] in ",，;；、"):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",，;；、"):
        end -= 1
    return Span(start, end)


@cache
def _set(language: str, path: str) -> frozenset[str]:
    return frozenset(fold_word(word) for word in lang.entry(language, path))


@cache
def _irregular(language: str) -> dict[str, str]:
    """Irregular form -> stem of the base form."""
    pairs = (entry.split("=") for entry in lang.entry(language, "facts.irregular"))
    return {form: stem_word(base, language) for form, base in pairs}


@cache
def _verb_stems(language: str) -> frozenset[str]:
    listed = [stem_word(fold_word(verb), language) for verb in lang.entry(language, "facts.verbs")]
    return frozenset((*listed, *_irregular(language).values()))
