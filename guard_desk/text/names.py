"""Proper names by rule, so that entities are found without a model, and merged with a model's.

In scripts with capitals a name is a run of capitalised words, with particles inside ("Ministry of Inland Waters and
Fisheries", "Ingrid van der Meer"), acronyms, and words with inner capitals. A lone capitalised word at the start of a
sentence is taken only when the text writes it with a capital elsewhere too. In German, where every noun has a capital,
only runs of two, words behind a head ("Stadt", "Familie") and nouns with an ending of the data count. Chinese names are
found by surname and context, and by endings ("...公司").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.text.languages import is_cjk
from guard_desk.text.sentences import sentences
from guard_desk.text.words import fold_word, stop_words

NAME = "NAME"
PERSON = "PERSON"

Entity = tuple[Span, str]

# A word of a name: letters, inner apostrophes, hyphens, digits, stops in an acronym ("D'Arcy", "Müller-Brandt", "Kestrel-7", "H2O", "U.S").
# Most words are plain ASCII: the second line reads those as the third would, in a third of the time.
_TOKEN = re.compile(
    r"(?:[A-Z]\.)+[A-Z](?![^\W_])"
    r"|[A-Za-z][A-Za-z0-9]*+(?![^\W_]|[\u0300-\u036f'’-])"
    r"|[^\W\d_][^\W_\u0300-\u036f]*(?:[\u0300-\u036f]+[^\W_]*)*(?:['’][^\W\d_]{2,})*(?:-[^\W_]+)*|&|\d+[^\W_]*(?:-[^\W_]+)*"
)
_ACRONYM = re.compile(r"[A-Z][A-Z0-9]{1,6}s?|(?:[A-Z]\.)+[A-Z]")
_INNER_CAPITAL = re.compile(r"[^\W\d_]*[a-z][A-Z]|[A-Z][a-z]+-\d")
_CODE = re.compile(r"[A-Z]{1,6}-?\d+[A-Z]?|[A-Z0-9_]+_[A-Z0-9_]+")
_MODEL_NUMBER = re.compile(r"\d{1,4}[A-Za-z]{0,2}")
_NUMBER_GOES_ON = re.compile(r"[.,:]\d|\s?[%°€$£]")
_JOINABLE = re.compile(r"[ \t\u00a0\u202f]+|[ \t]*\r?\n[ \t]*")
# Marks behind which a capital tells nothing.
_OPENERS = frozenset(':\u201c\u201e\u00ab"|•*>')
_SHOUTING_LETTERS = 12


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    text: str
    first: bool
    """Whether a sentence, a quotation or a part behind a colon begins here."""

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()

    @property
    def folded(self) -> str:
        return fold_word(self.text)


@lru_cache(maxsize=4096)
def find_names(text: str, language: str = "en") -> tuple[Entity, ...]:
    """The names of a text as (span, label), in order, never overlapping.

    :returns: label "NAME", or "PERSON" where the context says so.
    """
    if language in ("zh", "ja"):
        return tuple(sorted(_chinese(text), key=lambda entity: entity[0].start)) + tuple(_latin_inside(text))
    tokens = _tokens(text)
    capitals = frozenset(token.text for token in tokens if token.capital and not token.first)
    lower = frozenset(token.text for token in tokens if not token.capital)
    found = list(_runs(text, tokens, language, capitals, lower))
    return tuple(found)


def merge(names: Sequence[Entity], entities: Sequence[Entity]) -> tuple[Entity, ...]:
    """Names found by rule joined with a model's entities: of two that overlap the longer stays, with the model's label."""
    labelled = sorted([*((span, label, 0) for span, label in names), *((span, label, 1) for span, label in entities)], key=_longest_first)
    kept: list[Entity] = []
    for span, label, _ in labelled:
        if not any(span.overlaps(other) for other, _ in kept):
            better = next((model for place, model in entities if place.overlaps(span)), label)
            kept.append((span, better if label == NAME else label))
    return tuple(sorted(kept, key=lambda entity: entity[0].start))


def _longest_first(entity: tuple[Span, str, int]) -> tuple[int, int, int]:
    span, _, model = entity
    return span.start - span.end, -model, span.start


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    for sentence in sentences(text):
        if _is_shouting(sentence.of(text)):
            continue
        last_end = sentence.start
        for match in _TOKEN.finditer(text, sentence.start, sentence.end):
            first = last_end == sentence.start or not _OPENERS.isdisjoint(text[last_end : match.start()])
            tokens.append(_Token(match.start(), match.end(), match[0], first))
            last_end = match.end()
    return tokens


def _is_shouting(sentence: str) -> bool:
    if sentence.islower() or sentence[1:].islower():
        return False
    letters = [ch for ch in sentence if ch.isalpha()]
    return len(letters) >= _SHOUTING_LETTERS and sum(map(str.isupper, letters)) > 0.7 * len(letters)


def _runs(text: str, tokens: list[_Token], language: str, capitals: frozenset[str], lower: frozenset[str]) -> Iterator[Entity]:
    position = 0
    while position < len(tokens):
        run = _run(text, tokens, position, language) if _may_begin(tokens[position], text, language) else 0
        if not run:
            position += 1
            continue
        chosen = _trimmed(tokens[position : position + run], language, capitals)
        if chosen and _is_name(chosen, tokens, position, language, capitals, lower):
            yield Span(chosen[0].start, chosen[-1].end), NAME
        position += run


def _may_begin(token: _Token, text: str, language: str) -> bool:
    if not token.capital or (token.folded in stop_words(language) and not _ACRONYM.fullmatch(token.text)):
        return False
    return _stands_alone(token, text)


def _stands_alone(token: _Token, text: str) -> bool:
    """Whether a word is no part of a path, an address, an option or code: those belong to `identifiers`."""
    before = text[token.start - 1] if token.start else " "
    after = text[token.end] if token.end < len(text) else " "
    return before not in "_/\\.@#$%=-`<{[" and after not in "_/\\@=`({[" and not _CODE.fullmatch(token.text)


def _run(text: str, tokens: list[_Token], position: int, language: str) -> int:
    """How many tokens the name that begins at `position` takes, particles inside included."""
    end = position + 1
    has_of = False
    while end < len(tokens):
        if not _JOINABLE.fullmatch(text, tokens[end - 1].end, tokens[end].start) or tokens[end].first:
            break
        if _continues(text, tokens, end, language):
            end += 1
        else:
            join = _join(text, tokens, end, language, has_of)
            if not join:
                break
            has_of = has_of or _phrase(tokens, end, join) in _data(language, "names.of")
            end += join + 1
    return end - position


def _continues(text: str, tokens: list[_Token], position: int, language: str) -> bool:
    token = tokens[position]
    if token.capital:
        return token.text not in _data(language, "names.not_names") and _stands_alone(token, text)
    return _MODEL_NUMBER.fullmatch(token.text) is not None and _is_model_number(text, tokens, position)


def _is_model_number(text: str, tokens: list[_Token], position: int) -> bool:
    """Whether a number behind a name belongs to it ("Orbis 300", "Lumen Vault 4") and counts nothing ("Harwick 212 beds")."""
    name, number = tokens[position - 1], tokens[position]
    if name.text.lower() in _months() or (len(number.text) == 4 and number.text.startswith(("19", "20"))):
        return False
    if position + 1 == len(tokens) or not _JOINABLE.fullmatch(text, number.end, tokens[position + 1].start):
        return _NUMBER_GOES_ON.match(text, number.end) is None
    following = tokens[position + 1].text
    return not following.endswith(("s", "people")) and len(following) > 2


def _join(text: str, tokens: list[_Token], position: int, language: str, has_of: bool) -> int:
    """Length of the particle at `position` that joins two capitalised words; 0 when there is none."""
    joins = _data(language, "names.joins") | (_data(language, "names.joins_after_of") if has_of else frozenset())
    for length in (2, 1):
        following = position + length
        if following >= len(tokens) or not tokens[following].capital or tokens[following].first:
            continue
        glued = all(_JOINABLE.fullmatch(text, tokens[place - 1].end, tokens[place].start) for place in range(position, following + 1))
        if glued and _phrase(tokens, position, length) in joins and tokens[following].folded not in stop_words(language):
            return length
    return 0


def _phrase(tokens: list[_Token], position: int, length: int) -> str:
    return " ".join(token.text for token in tokens[position : position + length])


def _trimmed(run: list[_Token], language: str, capitals: frozenset[str]) -> list[_Token]:
    """A run without months, openers and articles at its borders."""
    not_names = _data(language, "names.not_names")
    while run and run[0].text in not_names:
        run = run[1:]
    if len(run) > 1 and run[0].first and run[0].text not in capitals and run[0].folded in _data(language, "names.openers"):
        run = run[1:]
    of_names = _data(language, "names.of_heads")
    if len(run) > 2 and run[0].first and run[1].text in _data(language, "names.of") and run[0].text not in of_names:
        run = run[1:]
    while run and not run[0].capital:
        run = run[1:]
    return run


def _is_name(
    run: list[_Token], tokens: list[_Token], position: int, language: str, capitals: frozenset[str], lower: frozenset[str]
) -> bool:
    head = run[0]
    if len(run) == 1:
        if head.text in _data(language, "names.not_names"):
            return False
        if _ACRONYM.fullmatch(head.text) or _INNER_CAPITAL.search(head.text):
            return True
    if language == "de":
        return _is_german_name(run, tokens, position)
    if len(run) > 1 or not head.first:
        return len(head.text) > 1
    return head.text in capitals and head.folded not in lower


def _is_german_name(run: list[_Token], tokens: list[_Token], position: int) -> bool:
    """German writes every noun with a capital: heads, endings, and runs of two capitalised words decide."""
    before = tokens[position - 1].text if position else ""
    heads = _data("de", "names.heads")
    if before in heads or any(token.text in heads for token in run[:-1]):
        return True
    words = [token for token in run if token.capital]
    if len(words) >= 2:
        return not (run[0].first and len(words) == 2 and len(run) == 2 and run[0].text in _data("de", "names.openers"))
    return words[0].text.endswith(tuple(_data("de", "names.endings"))) or bool(_INNER_CAPITAL.search(words[0].text))


@cache
def _data(language: str, path: str) -> frozenset[str]:
    return frozenset(lang.entry(language, path))


@cache
def _months() -> frozenset[str]:
    return frozenset(word.lower() for code in lang.codes() for word in lang.entry(code, "names.not_names"))


def _latin_inside(text: str) -> Iterator[Entity]:
    """Latin names inside Chinese text: every capitalised run, as nothing else there has capitals."""
    for match in re.finditer(r"[A-Z][A-Za-z]+(?:[ -][A-Z][A-Za-z]+)*(?: \d{1,4}\b(?!\s*[A-Za-z%]))?", text):
        if match[0] not in _data("en", "names.not_names") and not _CODE.fullmatch(match[0]):
            yield Span(match.start(), match.end()), NAME


def _chinese(text: str) -> Iterator[Entity]:
    taken: list[Span] = []
    for match in _chinese_person().finditer(text):
        span = Span(match.start("name"), match.end("name"))
        taken.append(span)
        yield span, PERSON
    for match in _chinese_body().finditer(_without_hedges(text)):
        span = Span(match.start(), match.end())
        if not any(span.overlaps(other) for other in taken) and is_cjk(text[span.start]):
            yield span, NAME


def _without_hedges(text: str) -> str:
    """The text with hedges and phrases of grammar blanked out, places kept: they are no part of a name."""
    return _chinese_grammar().sub(lambda match: "\uff0c" * len(match[0]), text)


@cache
def _chinese_grammar() -> re.Pattern[str]:
    phrases = [*lang.entry("zh", "hedge.hedge"), *lang.entry("zh", "stopwords.phrases")]
    return re.compile("|".join(sorted(map(re.escape, phrases), key=len, reverse=True)))


@cache
def _chinese_person() -> re.Pattern[str]:
    surnames = "|".join(sorted(lang.entry("zh", "names.surnames"), key=len, reverse=True))
    before = "|".join(sorted(lang.entry("zh", "names.before_person"), key=len, reverse=True))
    blocked = "|".join(lang.entry("zh", "names.blocked_persons")) or "(?!)"
    after = "|".join(sorted(lang.entry("zh", "names.after_person"), key=len, reverse=True))
    return re.compile(
        rf"(?:^|(?<=[，。；：、！？\s（(“])|{before})"
        rf"(?P<name>(?!{blocked})(?:{surnames})[\u4e00-\u9fff]{{1,2}}?(?:·[\u4e00-\u9fff]+)?)"
        rf"(?={after}|[，。；、！？）)”]|$)"
    )


@cache
def _chinese_body() -> re.Pattern[str]:
    """Bodies and places: a few characters without grammar in front of an ending of the data."""
    grammar = "".join(sorted(word for word in lang.entry("zh", "stopwords.words") if len(word) == 1))
    endings = "|".join(sorted(lang.entry("zh", "names.endings"), key=len, reverse=True))
    blocked = "|".join(lang.entry("zh", "names.blocked")) or "(?!)"
    return re.compile(rf"(?!{blocked})(?:(?![{grammar}])[\u4e00-\u9fff·]){{2,8}}?(?:{endings})(?![\u4e00-\u9fff](?:{endings}))")
