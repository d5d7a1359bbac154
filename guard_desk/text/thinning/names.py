"""Names in running text of scripts with capitals, without a model: runs of capitalised words, quoted phrases, code words.

Entities of an analyzer, where there are any, only add to these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.text.thinning.language import list_hits, listed
from guard_desk.text.words import fold_word, stop_words, words

_QUOTED = re.compile(
    r"\"([^\"\n]{1,120})\"|“([^”\n]{1,120})”|«\s?([^»\n]{1,120}?)\s?»|„([^“”\n]{1,120})[“”]|‘([^’\n]{2,120})’(?!\w)|`([^`\n]{1,80})`|「([^」\n]{1,80})」|《([^》\n]{1,80})》|【([^】\n]{1,80})】"
)
_TOKEN = re.compile(r"&|[^\W_](?:[\w'’&/@+#-]|\.(?=\w)|\[\w*\]|\(\))*", re.UNICODE)
_CODE = re.compile(
    r"(?<![\w.])(?:[A-Za-z_][\w.]*\[[^\]\s]*\](?:\.\w+)*|[A-Za-z_]\w*\(\)|[A-Za-z_]\w*(?:[._/][A-Za-z0-9_]\w*)+|--?[a-z][\w-]+(?:=\w+)?|[a-z]+_[a-z_0-9]+)(?![\w])"
)
_TITLE_STARTS = frozenset({"the", "a", "an", "der", "die", "das", "le", "la", "les", "el", "los", "las"})
_FOR = frozenset({"for", "of", "on", "für", "pour", "para"})
_AND = frozenset({"and", "und", "et", "y", "&"})
_FORMS_OF_ADDRESS = frozenset({"mr", "mrs", "ms", "m", "mme", "mlle", "sr", "sra", "hr", "fr"})
_POSSESSIVE = ("'s", "’s")
# What a clause may begin behind, besides the start of its sentence: "Local news: ...", "name | motto | ...".
_CLAUSE_START = re.compile(r"[:：|]\s*$")


@dataclass(frozen=True, slots=True)
class Name:
    """A span that may be a name.

    :param initial: a single capitalised word at the start of a sentence, which may be any word.
    :param quoted: stands in quotes (the span is inside of them).
    :param code: looks like code or a path.
    """

    span: Span
    initial: bool = False
    quoted: bool = False
    code: bool = False


@dataclass(frozen=True, slots=True)
class _Token:
    span: Span
    text: str

    @property
    def capital(self) -> bool:
        return self.text[0].isupper() or (self.text[0].isdigit() and any(ch.isupper() for ch in self.text))


def names_in(text: str, start: int, end: int, language: str) -> tuple[Name, ...]:
    """The names between two places of a text (one sentence), in order."""
    quoted = [Name(_inner(match), quoted=True) for match in _QUOTED.finditer(text, start, end)]
    code = [Name(Span(*match.span()), code=True) for match in _CODE.finditer(text, start, end) if not _inside(match.start(), quoted)]
    taken = quoted + code
    runs = [name for name in _runs(text, start, end, language) if not any(name.span.overlaps(other.span) for other in taken)]
    return tuple(sorted(taken + runs, key=lambda name: name.span.start))


def _inner(match: re.Match[str]) -> Span:
    group = next(index for index, value in enumerate(match.groups(), 1) if value is not None)
    return Span(*match.span(group))


def _inside(place: int, names: list[Name]) -> bool:
    return any(name.span.start <= place < name.span.end for name in names)


def _runs(text: str, start: int, end: int, language: str) -> Iterator[Name]:
    tokens = [_Token(Span(*match.span()), match[0]) for match in _TOKEN.finditer(text, start, end)]
    position = 0
    while position < len(tokens):
        if not _opens(tokens, position, language):
            position += 1
            continue
        stop = _run_end(text, tokens, position, language)
        starts = _starts_clause(text, start, tokens, position)
        if starts and _is_plural_noun(tokens, position, stop):
            position += 1
            continue
        run = tokens[position:stop]
        yield _name(run, initial=starts and len(run) == 1)
        position = stop


def _starts_clause(text: str, start: int, tokens: list[_Token], position: int) -> bool:
    return position == 0 or bool(_CLAUSE_START.search(text, start, tokens[position].span.start))


def _is_plural_noun(tokens: list[_Token], position: int, stop: int) -> bool:
    """ "*Boats* of the Alder ferry sail daily": a plural that begins a clause and has "of" behind it is no part of the name."""
    return stop - position > 1 and tokens[position].text.endswith("s") and tokens[position + 1].text == "of"


def _opens(tokens: list[_Token], position: int, language: str) -> bool:
    """A capital opens a name; at the start of a sentence a stop word does not ("The", "In")."""
    token = tokens[position]
    if not token.capital or token.text == "I" or token.text.startswith(("I'", "I’")):
        return False
    is_stop = fold_word(token.text) in stop_words(language)
    if position == 0 and (is_stop or _is_filler(token.text, language)):
        return False
    return not is_stop or (position + 1 < len(tokens) and tokens[position + 1].capital)


def _is_filler(text: str, language: str) -> bool:
    """ "Apparently", "Reminder": words that copies put before a sentence."""
    tokens = words(text, language)
    return bool(list_hits(language, "fillers", text, tokens))


def _run_end(text: str, tokens: list[_Token], start: int, language: str) -> int:
    """Position behind the last word of the name that starts here."""
    joining = _words(language, "joining")
    organisation = _words(language, "organisations")
    if fold_word(tokens[start].text) in _TITLE_STARTS:
        joining = joining | _words(language, "joining_in_titles")
    end = start + 1
    while end < len(tokens):
        step = end
        if step == end and _is_for_the(tokens, start, end, organisation):
            step += 2
        while step < len(tokens) and step - end < 2 and (fold_word(tokens[step].text) in joining or tokens[step].text == "&"):
            step += 1
        if step == end and fold_word(tokens[step].text) in _words(language, "joining_in_organisations"):
            step += _is_body(tokens[start:end], organisation, language)
        listed_end = _list_end(text, tokens, start, end, organisation)
        if listed_end:
            end = listed_end
            continue
        if (
            step == len(tokens)
            or not tokens[step].capital
            or not _one_gap(text, tokens, end - 1, step)
            or tokens[end - 1].text.endswith(_POSSESSIVE)
        ):
            break
        if step > end and _is_between(tokens, start):
            break
        end = step + 1
    return end


def _is_body(tokens: list[_Token], organisation: frozenset[str], language: str) -> bool:
    """Whether a word of a name says that it names a body; German compounds end with it ("Landes*amt*")."""
    folded = [fold_word(token.text) for token in tokens]
    compound = language == "de" and any(word.endswith(tuple(organisation)) for word in folded)
    return compound or any(word in organisation for word in folded)


def _is_for_the(tokens: list[_Token], start: int, end: int, organisation: frozenset[str]) -> bool:
    """ "Society *for the* Care of Lights": two small words inside the name of a body."""
    body = any(fold_word(token.text) in organisation for token in tokens[start:end])
    small = [fold_word(token.text) for token in tokens[end : end + 2]]
    return body and len(small) > 1 and small[0] in _FOR and small[1] in _TITLE_STARTS


def _list_end(text: str, tokens: list[_Token], start: int, end: int, organisation: frozenset[str]) -> int:
    """Position behind ", Beacons and Fog" of "Society for the Care of Lights, Beacons and Fog Signals"; 0 when no list goes on."""
    if not any(fold_word(token.text) in organisation for token in tokens[start:end]):
        return 0
    step, items = end, 0
    while step < len(tokens) and tokens[step].capital and text[tokens[step - 1].span.end : tokens[step].span.start].strip() == ",":
        items, step = items + 1, step + 1
        while step < len(tokens) and tokens[step].capital and _one_gap(text, tokens, step - 1, step):
            step += 1
    closes = (
        step + 1 < len(tokens)
        and fold_word(tokens[step].text) in _AND
        and tokens[step + 1].capital
        and _one_gap(text, tokens, step - 1, step)
    )
    return step + 2 if items and closes else 0


def _one_gap(text: str, tokens: list[_Token], left: int, right: int) -> bool:
    """Only white space between the words, so that no comma or stop is crossed; the point of "J. Voss" and "Dr. Voss" is no stop."""
    gaps = ((tokens[i], text[tokens[i].span.end : tokens[i + 1].span.start].strip()) for i in range(left, right))
    return all(not gap or (gap == "." and (len(token.text) == 1 or fold_word(token.text) in titles())) for token, gap in gaps)


def _is_between(tokens: list[_Token], start: int) -> bool:
    return start > 0 and tokens[start - 1].text.lower() in ("between", "zwischen", "entre", "both", "from")


def _name(run: list[_Token], *, initial: bool) -> Name:
    last = run[-1]
    end = last.span.end
    for mark in _POSSESSIVE:
        if last.text.endswith(mark):
            end -= len(mark)
    return Name(Span(run[0].span.start, end), initial=initial)


@cache
def titles() -> frozenset[str]:
    """Titles that are written before a name with a point."""
    noise = (word.rstrip(".") for code in lang.codes() for word in lang.entry(code, "verify.name_noise"))
    return frozenset(fold_word(word) for word in noise) - _FORMS_OF_ADDRESS


@cache
def _words(language: str, name: str) -> frozenset[str]:
    return frozenset(fold_word(word) for word in listed(language, name))
