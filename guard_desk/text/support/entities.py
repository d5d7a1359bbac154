"""Names by identity: whether a name of the answer stands in a passage, in whatever form a writer may give it.

Case, accents, apostrophes, kinds of space, line breaks, possessives, plurals, articles, titles of persons, the order
"Surname, First name", initials, and acronyms formed from a name do not matter. One word inside another does:
"Rob" is not in "probe".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from guard_desk.records.corpus import Span
from guard_desk.text.languages import is_cjk
from guard_desk.text.normalize import fold_text, unaccented
from guard_desk.text.support.language import aliases, phrase_set
from guard_desk.text.support.pool import Place, Pool
from guard_desk.text.support.views import View
from guard_desk.text.support.words import postal_codes
from guard_desk.text.words import words

_LONGEST_ACRONYM = 8
_SHORTEST_STEM = 3
_MOST_SKIPPED = 2
_DOTTED_INSIDE = re.compile(r"(?<![\w.])(?:[^\W\d_]\.){1,7}[^\W\d_](?!\w)\.?")


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a name stands in the pool; `place` None for the question."""

    place: Place | None
    span: Span


@dataclass(frozen=True, slots=True)
class _Source:
    """A text that names may stand in. `position` is the passage, -1 for the question."""

    position: int
    view: View
    in_title: bool
    folded: str


class Names:
    """Every word of the pool and of the question by its folded form."""

    def __init__(self, pool: Pool, query: View | None = None) -> None:
        self._pool = pool
        self._sources: list[_Source] = []
        self._at: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._initials: dict[str, list[tuple[int, int, int]]] | None = None
        for position, (text, title) in enumerate(zip(pool.views, pool.titles, strict=True)):
            for item, in_title in ((title, True), (text, False)):
                if item is not None:
                    self._add(position, item, in_title)
        if query is not None:
            self._add(-1, query, False)

    def _add(self, position: int, item: View, in_title: bool) -> None:
        number = len(self._sources)
        self._sources.append(_Source(position, item, in_title, _squeezed(item.text)))
        for index, token in enumerate(item.tokens):
            if not token:
                continue
            self._at[token].append((number, index))
            short = _bare(token)
            if short != token:
                self._at[short].append((number, index))

    def find(self, name: str, language: str = "en") -> tuple[Mention, ...]:
        """Where a name stands; empty when nowhere. Passages come before the question."""
        if any(is_cjk(ch) for ch in name):
            return self._containing(name)
        tokens = self._name_tokens(name, language)
        if not tokens:
            return self._containing(name)
        return self._written_so(tokens, language) or self._by_another_name(name, language) or self._by_postal_code(name)

    def _by_another_name(self, name: str, language: str) -> tuple[Mention, ...]:
        """The other names of the language data ("USA", "United States")."""
        wanted = fold_text(name).replace(".", "").removeprefix("the ")
        for group in aliases(language):
            if wanted in group:
                for other in group:
                    if other != wanted and (found := self._in_any_order(self._name_tokens(other, language))):
                        return found
        return ()

    def _by_postal_code(self, name: str) -> tuple[Mention, ...]:
        """A place by the capitals of its postal code, or by its name where the answer has the code; "in" and "or" are no codes."""
        other = postal_codes().get(name if name.isupper() else fold_text(name))
        if other is None:
            return ()
        found = self._in_any_order(tuple(other.casefold().split()))
        if not other.isupper():
            return found
        return tuple(item for item in found if item.place is not None and item.span.of(item.place.view.text).isupper())

    def _written_so(self, tokens: tuple[str, ...], language: str) -> tuple[Mention, ...]:
        return (
            self._in_any_order(tokens)
            or self._with_initials(tokens)
            or (self._spelled_by(tokens[0]) if len(tokens) == 1 else self._short_form(tokens))
            or self._inflected(tokens, language)
            or self._described(tokens)
        )

    def occurs_in(self, name: str, item: View) -> bool:
        """Whether any distinguishing word of a name stands in another text."""
        if any(is_cjk(ch) for ch in name):
            return _squeezed(name) in _squeezed(item.text)
        present = {_bare(token) for token in item.tokens}
        return any(token in present for token in self._name_tokens(name, item.language))

    def related(self, name: str, other: str) -> bool:
        """Whether two names share a distinguishing word, or all but one character of a Chinese name."""
        if any(is_cjk(ch) for ch in name + other):
            return len(set(name) & set(other)) * 2 > len(set(other))
        return bool(set(self._name_tokens(name, "en")) & set(self._name_tokens(other, "en")))

    def _name_tokens(self, name: str, language: str) -> tuple[str, ...]:
        """The words of a name that tell it apart: without articles, titles of persons and particles."""
        prepared = _DOTTED_INSIDE.sub(lambda match: match[0].replace(".", ""), name)
        found = [_bare(unaccented(word.folded)) for word in words(prepared, language)]
        noise = phrase_set("verify.name_noise", (language, "en"))
        kept = tuple(token for token in found if token not in noise and token.rstrip(".") not in noise)
        return kept or tuple(found)

    def _containing(self, name: str) -> tuple[Mention, ...]:
        squeezed = _squeezed(name)
        if not squeezed:
            return ()
        return self._mentions((number, None, None) for number, source in enumerate(self._sources) if squeezed in source.folded)

    def _in_any_order(self, tokens: Sequence[str]) -> tuple[Mention, ...]:
        """All words of the name side by side, in any order; small words may stand between."""
        rarest = min(tokens, key=lambda token: (len(self._at.get(token, ())), token))
        found = []
        for number, index in self._at.get(rarest, ()):
            ends = self._window(self._sources[number].view, index, tokens)
            if ends is not None:
                found.append((number, *ends))
        return self._mentions(found)

    def _window(self, item: View, index: int, tokens: Sequence[str]) -> tuple[int, int] | None:
        """First and last word of the run around `index` that holds all words of the name; None when it lacks one."""
        wanted = set(tokens)
        last, right = self._grown(item, index, 1, wanted)
        first, left = self._grown(item, index, -1, wanted)
        seen = {_bare(item.tokens[index]), item.tokens[index]} | right | left
        return (first, last) if wanted <= seen else None

    @staticmethod
    def _grown(item: View, index: int, step: int, wanted: set[str]) -> tuple[int, set[str]]:
        """How far a name reaches in one direction, over particles and, inside one name, over its other capitalised words."""
        noise = phrase_set("verify.name_noise", (item.language, "en"))
        joining = phrase_set("verify.conjunctions", (item.language, "en"))
        seen: set[str] = set()
        reached, position, skipped, joined = index, index + step, 0, False
        while 0 <= position < len(item.tokens):
            token = item.tokens[position]
            if not token:
                position += step
                continue
            if _bare(token) in wanted:
                if skipped and joined:
                    break
                seen.add(_bare(token))
                reached = position
            elif token not in noise:
                skipped += 1
                if skipped > _MOST_SKIPPED or not item.words[position].text[:1].isupper():
                    break
            joined = joined or token in joining or _comma_between(item, position, position - step)
            position += step
        return reached, seen

    def _with_initials(self, tokens: Sequence[str]) -> tuple[Mention, ...]:
        """ "P. Halloran" for "Petra Halloran" and the other way round: last word equal, the others by their first letter."""
        if len(tokens) < 2:
            return ()
        found = []
        for number, index in self._at.get(tokens[-1], ()):
            item = self._sources[number].view
            before = tuple(item.tokens[max(0, index - len(tokens) + 1) : index])
            after = tuple(item.tokens[index + 1 : index + len(tokens)])
            for candidate, first in ((before, index - len(before)), (after, index)):
                if len(candidate) == len(tokens) - 1 and all(map(_initial_of, candidate, tokens[:-1])):
                    found.append((number, first, first + len(tokens) - 1))
        return self._mentions(found)

    def _spelled_by(self, token: str) -> tuple[Mention, ...]:
        """Runs of words whose first letters spell an acronym."""
        letters = token.replace(".", "")
        if not 2 <= len(letters) <= _LONGEST_ACRONYM or not letters.isalpha():
            return ()
        return self._mentions(self._acronyms().get(letters, ()))

    def _acronyms(self) -> dict[str, list[tuple[int, int, int]]]:
        if self._initials is None:
            self._initials = defaultdict(list)
            for number, source in enumerate(self._sources):
                for letters, first, last in _initial_runs(source.view):
                    self._initials[letters].append((number, first, last))
        return self._initials

    def _short_form(self, tokens: Sequence[str]) -> tuple[Mention, ...]:
        """The acronym of a long name, written in capitals."""
        letters = "".join(token[0] for token in tokens)
        if len(letters) < 2:
            return ()
        found: list[tuple[int, int | None, int | None]] = [
            (number, index, index) for number, index in self._at.get(letters, ()) if self._sources[number].view.words[index].text.isupper()
        ]
        dotted = re.compile(rf"(?<!\w){re.escape('.'.join(letters))}\.?(?!\w)")
        found += [
            (number, None, None)
            for number, source in enumerate(self._sources)
            if "." in source.folded and dotted.search(fold_text(source.view.text))
        ]
        return self._mentions(found)

    def _inflected(self, tokens: Sequence[str], language: str) -> tuple[Mention, ...]:
        """A single word with another ending, in languages that inflect names."""
        if len(tokens) != 1 or language not in ("ta", "de", "ru"):
            return ()
        token = tokens[0]
        shortest = max(_SHORTEST_STEM, len(token) - 4)
        near = [
            form
            for form in self._at
            if len(form) >= shortest and (form.startswith(token) or (language == "ta" and form[:shortest] == token[:shortest]))
        ]
        endings = 2 if language == "de" else 8
        return self._mentions(
            (number, index, index) for form in sorted(near) if abs(len(form) - len(token)) <= endings for number, index in self._at[form]
        )

    def _described(self, tokens: Sequence[str]) -> tuple[Mention, ...]:
        """A full name behind words that the passages have elsewhere ("Chicago Alderman Chris Taliaferro")."""
        for count in range(1, min(_MOST_SKIPPED, len(tokens) - 2) + 1):
            if all(token in self._at or self._spelled_by(token) for token in tokens[:count]) and (
                found := self._in_any_order(tokens[count:])
            ):
                return found
        return ()

    def _mentions(self, found: Iterable[tuple[int, int | None, int | None]]) -> tuple[Mention, ...]:
        made: list[tuple[int, Mention]] = []
        for number, first, last in found:
            source = self._sources[number]
            whole = first is None or last is None
            span = Span(0, 0) if whole else Span(source.view.words[first or 0].span.start, source.view.words[last or 0].span.end)
            made.append((source.position, Mention(self._place(source, span), span)))
        made.sort(key=lambda item: (item[0] < 0, item[0], item[1].span.start))
        return tuple(mention for _, mention in made)

    def _place(self, source: _Source, span: Span) -> Place | None:
        if source.position < 0:
            return None
        unit = source.view.units[source.view.unit_at(span)]
        return Place(source.position, source.view, unit, source.in_title)


def _squeezed(text: str) -> str:
    return unaccented(fold_text(text)).replace(" ", "")


@lru_cache(maxsize=65536)
def _bare(token: str) -> str:
    """A token without possessive and without the s of a plural."""
    if token.endswith("'s"):
        token = token[:-2]
    token = token.rstrip("'")
    return token[:-1] if len(token) > 3 and token.endswith("s") and not token.endswith("ss") else token


def _comma_between(item: View, position: int, other: int) -> bool:
    left, right = sorted((position, other))
    return any(mark in item.text[item.words[left].span.end : item.words[right].span.start] for mark in ",;&/，、；")


def _initial_of(left: str, right: str) -> bool:
    """Whether two words may be one first name: equal, or one is the other's initial."""
    if left == right:
        return True
    return (len(left) == 1 or len(right) == 1) and left[:1] == right[:1]


def _initial_runs(item: View) -> Iterable[tuple[str, int, int]]:
    """(letters, first word, last word) of runs of words written with capitals; small words between them are skipped or counted."""
    noise = phrase_set("verify.name_noise", (item.language, "en"))
    for first, word in enumerate(item.words):
        if not word.text[:1].isupper():
            continue
        letters = ""
        for last in range(first, min(len(item.words), first + _LONGEST_ACRONYM + 3)):
            current = item.words[last]
            if current.text[:1].isupper():
                letters += item.tokens[last][:1]
                if len(letters) >= 2:
                    yield letters, first, last
            elif item.tokens[last] not in noise:
                break
