"""What a question asks: the kind of value, and the words that a line must share to speak of the same thing.

No parser is used. The asking phrase ("how long", "who", "which port") and the asked nouns ("fee", "capital") come
from the language data; every other content word is a term. A term is a *key* (a name or an identifier: never
replaceable), *attribute* or *common*. A common word beside a key ("Quay 9 flats") may be left out by a line, but not
replaced ("Harwick choir" for "Harwick library").
"""

from __future__ import annotations

from functools import lru_cache

from guard_desk.records.evidence import ValueKind
from guard_desk.text.languages import detect
from guard_desk.text.thinning.language import Hit, base_stem, hits, list_hits, list_positions, listed, phrase_groups, with_section
from guard_desk.text.thinning.question import QUANTITIES, YEAR, Frame, Shape, Term, has_han
from guard_desk.text.values import find_values
from guard_desk.text.words import Word, fold_word, words

__all__ = ["QUANTITIES", "YEAR", "Frame", "Shape", "Term", "frame_of", "has_han"]

# A query without a question mark or an asking word is read as "what is ...?" up to this many words; longer ones are claims.
_LONGEST_KEYWORD_QUERY = 6
# "how much" and "how large" ask for so many kinds of value that the noun decides; "how long" only for a time or a length.
_ANY_SIZE = 3
_OPENING = frozenset('"“„«')
# One word names each of these; lengths and sums of money have many ("height", "depth"; "fee", "fine").
_SELF_EVIDENT = frozenset({"mass", "temperature", "speed", "data"})


# An age is a time, and a bare number as well ("the age of sixteen").
_COUNTED = frozenset({"number"})


@lru_cache(maxsize=512)
def frame_of(question: str) -> Frame:
    """Read a question."""
    language = with_section(detect(question))
    tokens = words(question, language)
    if language == "zh":
        from guard_desk.text.thinning.han import han_frame

        return han_frame(question, tokens)
    return _Reader(question, language, tokens).frame()


class _Reader:
    """Reads one question of a language with spaces."""

    def __init__(self, question: str, language: str, tokens: tuple[Word, ...]) -> None:
        self.question = question
        self.language = language
        self.tokens = tokens
        self.ask = next(iter(hits(phrase_groups(language, "ask"), question, tokens)), None)
        self.nouns = hits(phrase_groups(language, "nouns"), question, tokens)
        self.which = self._which()
        self.used = frozenset(self.ask.words if self.ask else ()) | frozenset(() if self.which is None else (self.which,))
        self.head = self._head()

    def frame(self) -> Frame:
        shape, dimensions, list_name = self._shape()
        terms = () if shape is Shape.NONE else self._terms(shape)
        return Frame(
            text=self.question,
            language=self.language,
            shape=shape,
            dimensions=dimensions,
            head=tuple(self.tokens[position].stem for position in self.head),
            attribute=frozenset(self.tokens[position].stem for position in self._attribute()),
            copular=bool(self.tokens) and self.tokens[0].folded in listed(self.language, "copula"),
            cause="cause" in self._ask_dimensions(),
            groups=frozenset(m for hit in hits(phrase_groups(self.language, "synonyms"), self.question, self.tokens) for m in hit.meanings),
            first=self._first(),
            negated=shape is not Shape.YES_NO and bool(list_hits(self.language, "not", self.question, self.tokens)),
            does=self._does_at_start(),
            open_end=shape is Shape.OPEN and not self.head and self._ends_openly(),
            place="place" in self._ask_dimensions() | self._noun_dimensions(),
            plural=self._plural(shape),
            terms=terms,
            stems=frozenset(word.stem for word in self.tokens),
            numbers=self._numbers(),
            light=self._light(terms),
            list_name=list_name,
        )

    def _light(self, terms: tuple[Term, ...]) -> frozenset[str]:
        kept = {term.position for term in terms} | set(self.head) | self.used
        dropped = frozenset(base_stem(word, self.language) for i, word in enumerate(self.tokens) if word.content and i not in kept)
        behind = max(self.head, default=-2) + 1  # "which wood *are* the chairs made from"
        copula = 0 < behind < len(self.tokens) and self.tokens[behind].folded in listed(self.language, "copula")
        return dropped | ({self.tokens[behind].stem} if copula else frozenset())

    def _numbers(self) -> frozenset[str]:
        found = [value.span for value in find_values(self.question, (self.language,)) if value.kind is ValueKind.NUMBER]
        plain = [word for word in self.tokens if word.text.isalpha() and any(word.span.overlaps(span) for span in found)]
        return frozenset(word.stem for word in plain if find_values(word.text, (self.language,)))

    def _which(self) -> int | None:
        if self.ask is not None:
            return None
        asking = {fold_word(word) for word in listed(self.language, "which")}
        return next((i for i, word in enumerate(self.tokens) if word.folded.removesuffix("'s") in asking), None)

    def _is_auxiliary(self, position: int) -> bool:
        return position < len(self.tokens) and self.tokens[position].folded in listed(self.language, "auxiliary")

    def _is_preposition(self, position: int) -> bool:
        return self.tokens[position].folded in listed(self.language, "prepositions")

    def _head(self) -> tuple[int, ...]:
        """The noun right behind "which" or "how many"; one word, more only when an auxiliary follows them."""
        if self.ask is not None and "count" in self._ask_dimensions():
            start = self.ask.last + 1
        elif self.which is not None:
            start = self.which + 1
        else:
            return ()
        if self._is_verb_of_what(start):
            return ()
        end = start
        while end < len(self.tokens) and self.tokens[end].content and not self._is_auxiliary(end):
            end += 1
        run = tuple(range(start, end))
        return run if self._is_auxiliary(end) or (self.ask is not None and end < len(self.tokens) and not run[1:]) else run[:1]

    def _is_verb_of_what(self, position: int) -> bool:
        """ "What *powers* the pump?": a word right behind "what" with an article behind it is no noun."""
        following = position + 1 < len(self.tokens) and self.tokens[position + 1].folded in listed(self.language, "articles")
        return self.ask is None and following and self.tokens[position].content

    def _ask_dimensions(self) -> frozenset[str]:
        return frozenset(self.ask.meanings[0].split()) if self.ask else frozenset()

    def _shape(self) -> tuple[Shape, frozenset[str], str]:
        asked = self._ask_dimensions()
        if "name" in asked:
            return Shape.NAME, frozenset(), ""
        if "cause" in asked:
            return Shape.OPEN, frozenset(), ""
        if "count" in asked:
            measured = self._counted_unit()
            return (Shape.QUANTITY, measured, "") if measured else (Shape.COUNT, frozenset(), "")
        if "date" in asked:
            return Shape.DATE, asked & {"day", "clock"}, ""
        named = self._noun_dimensions()
        measured = self._unit_behind(self.ask.last + 1) if self.ask is not None and "number" in asked else frozenset()
        if measured:  # "Wie viel *Gramm* Salz ...?"
            return Shape.QUANTITY, measured, ""
        if asked:
            both = asked & named or (named & QUANTITIES if len(asked) >= _ANY_SIZE or self._scales() else frozenset())
            return Shape.QUANTITY, (both or asked), ""
        if self.which is None and self._asks_yes_no():
            return Shape.YES_NO, frozenset(), ""
        if self.which is None and not self._is_keyword_query():
            return Shape.NONE, frozenset(), ""
        if not any(word.content for word in self.tokens):  # "?" asks nothing
            return Shape.NONE, frozenset(), ""
        return self._named_shape(named)

    def _counted_unit(self) -> frozenset[str]:
        """ "How many *kilocalories* ...": a unit behind the asking phrase says what is measured."""
        return self._unit_behind(self.head[0], self.head[-1] + 1) if self.head else frozenset()

    def _unit_behind(self, start: int, stop: int | None = None) -> frozenset[str]:
        """What the words at some positions measure, when they are a unit."""
        nouns = " ".join(word.text for word in self.tokens[start : start + 1 if stop is None else stop])
        text = f"2 {nouns}"
        measures = (value.dimension for value in find_values(text, (self.language,)) if value.unit and value.span.end == len(text))
        return frozenset(dimension.rsplit("_", 1)[-1] for dimension in measures)

    @staticmethod
    def _named_shape(named: frozenset[str]) -> tuple[Shape, frozenset[str], str]:
        if named & QUANTITIES:
            also = (_COUNTED if "years" in named else frozenset()) | ({"percents"} if "money" in named else frozenset())
            return Shape.QUANTITY, named & (QUANTITIES | also), ""
        for name, shape in (
            ("colour", Shape.LISTED),
            ("date", Shape.DATE),
            ("name", Shape.NAME),
            ("place", Shape.NAME),
            ("number", Shape.NUMBER),
        ):
            if name in named:
                return shape, frozenset(), "colour" if name == "colour" else ""
        return Shape.OPEN, frozenset(), ""

    def _scales(self) -> bool:
        """ "How high is the fee": a word for any size."""
        asked = frozenset(self.ask.words if self.ask else ())
        return bool(asked) and asked <= list_positions(self.language, "scaling", self.question, self.tokens)

    def _noun_dimensions(self) -> frozenset[str]:
        """What the asked noun measures: of the head, else of the property, else of any word."""
        # "The highest peak of the Sorren *range*" is no length.
        told = not self.head and bool(self._attribute()) and self._opens_with_copula()
        for places in (frozenset(self.head), self._attribute()):
            found = [hit for hit in self.nouns if places & set(hit.words)]
            if found:
                return _dimensions(found)
            if self.head:
                return frozenset()
        return frozenset() if told else _dimensions(list(self.nouns))

    def _opens_with_copula(self) -> bool:
        """ "What is the ... of ...?": the property has its place."""
        start = max(self.used, default=-1) + 1
        of = start < len(self.tokens) and any(word.folded in listed(self.language, "of") for word in self.tokens[start:])
        return self.which is not None and of and self._is_auxiliary(start) and not self._does(start)

    def _attribute(self) -> frozenset[int]:
        """Positions of the words that name the asked property: "annual fee" of "What is the annual fee of the library?".

        Where the question has no such phrase: its verb, which is the last word or stands before the first preposition.
        """
        if "cause" in self._ask_dimensions():
            return frozenset()
        start = max((*self.used, *self.head), default=-1) + 1
        content = [i for i in range(start, len(self.tokens)) if self.tokens[i].content]
        preposition = next((i for i in range(start, len(self.tokens)) if self._is_preposition(i)), None)
        simple = self._is_auxiliary(start) and not self._does(start)
        if self.which is not None and not self.head and simple and preposition is not None:
            return frozenset(i for i in content if i < preposition)
        if self.ask is not None and "name" in self._ask_dimensions() and not simple and content:
            plain = [i for i in content if not self._is_key(i)]  # "where does *Acme* have its headquarters"
            return frozenset((plain or content)[:1])
        if simple and preposition is not None and self.ask is not None and "name" in self._ask_dimensions():
            return frozenset(i for i in content if i < preposition)
        before = [i for i in content if preposition is not None and i < preposition]
        ends_with_verb = bool(self.tokens) and not self.tokens[-1].content and not self._is_preposition(len(self.tokens) - 1)
        plain = [i for i in content if not self._is_key(i) and not self._is_before_title(i)]
        places = {content[-1]} if content and not ends_with_verb else set()
        named = frozenset(i for i in places | set(before[-1:]) if not self._is_key(i))
        return named or frozenset(plain[-1:] if self.head and not ends_with_verb else ())

    def _is_before_title(self, position: int) -> bool:
        """ "the *novel* "Paper Foxes"": what a title is of."""
        behind = self.tokens[position + 1] if position + 1 < len(self.tokens) else None
        return behind is not None and self.question[self.tokens[position].span.end : behind.span.start].strip(" ") in _OPENING

    def _ends_openly(self) -> bool:
        return bool(self.tokens) and self.tokens[-1].folded in listed(self.language, "substance_prepositions")

    def _first(self) -> str:
        start = max((*self.used, *self.head), default=-1) + 1
        return self.tokens[start].stem if start < len(self.tokens) and self.tokens[start].content else ""

    def _does_at_start(self) -> bool:
        start = max((*self.used, *self.head), default=-1) + 1
        modal = self._is_auxiliary(start) and self.tokens[start].folded not in listed(self.language, "copula")
        return start < len(self.tokens) and (self._does(start) or modal)

    def _does(self, position: int) -> bool:
        return self.tokens[position].folded in ("do", "does", "did")

    def _asks_yes_no(self) -> bool:
        return bool(self.tokens) and self.tokens[0].folded in listed(self.language, "yes_no") and self.ask is None

    def _is_keyword_query(self) -> bool:
        return "?" in self.question or len(self.tokens) <= _LONGEST_KEYWORD_QUERY

    def _plural(self, shape: Shape) -> bool:
        """ "Which cities ...", "what are the ...", "who are the ...": several values may be right."""
        if shape in (Shape.COUNT, Shape.QUANTITY, Shape.YES_NO):
            return False
        if self.head and self._has_singular_verb(self.head[-1] + 1):
            return False
        if self.head:
            return self.language == "en" and _is_plural(self.tokens[self.head[-1]].folded)
        start = max(self.used, default=-1) + 1
        ends = bool(self.tokens) and self.tokens[-1].folded.endswith(listed(self.language, "participle_endings"))
        if ends or (self.tokens and self._is_preposition(len(self.tokens) - 1)):
            return False  # "what are the seals *made of*"
        return self.language == "en" and start < len(self.tokens) and self.tokens[start].folded in ("are", "were")

    def _has_singular_verb(self, position: int) -> bool:
        """ "Which species *nests* ...": one."""
        verb = self.tokens[position] if position < len(self.tokens) else None
        return verb is not None and verb.content and _is_plural(verb.folded)

    def _is_key(self, position: int) -> bool:
        text = self.tokens[position].text
        if any(ch.isdigit() for ch in text):
            return True
        # German writes every noun with a capital: there only digits tell.
        return position > 0 and self.language != "de" and text[0].isupper()

    def _terms(self, shape: Shape) -> tuple[Term, ...]:
        weak = list_positions(self.language, "weak", self.question, self.tokens) if shape is not Shape.YES_NO else frozenset()
        light = _stems(self.language, "light_verbs") | _weak_verbs(self.language) if shape is not Shape.YES_NO else frozenset()
        groups: dict[int, set[str]] = {}
        for hit in hits(phrase_groups(self.language, "synonyms"), self.question, self.tokens):
            for position in hit.words:
                groups.setdefault(position, set()).update(hit.meanings)
        unit = {self.ask.last + 1} if self.ask and "number" in self._ask_dimensions() and self._unit_behind(self.ask.last + 1) else set()
        skipped = self.used | unit | (frozenset(self.head) if shape is not Shape.COUNT else frozenset())
        attribute = self._attribute()
        terms = []
        for position, word in enumerate(self.tokens):
            is_light = base_stem(word, self.language) in light and (shape is Shape.COUNT or position not in groups)
            is_weak = position in weak or is_light
            if position in skipped or not word.content or (is_weak and not self._is_key(position)):
                continue
            if self._is_generic(position, shape) or (shape is Shape.COUNT and word.stem in _stems(self.language, "persons")):
                continue
            terms.append(self._term(position, frozenset(groups.get(position, ())), attribute))
        if not self.head and not any(
            not term.key and not term.omittable for term in terms
        ):  # "does Verin have to be *taken*": little is better than nothing
            left = [i for i in sorted(attribute & weak) if i not in skipped and not self._is_generic(i, shape)]
            terms += [self._term(position, frozenset(groups.get(position, ())), attribute) for position in left]
        return tuple(terms)

    def _is_generic(self, position: int, shape: Shape) -> bool:
        """Words that the kind of value says by itself: "period" of a time, "cost" beside another word for money."""
        if shape not in (Shape.QUANTITY, Shape.DATE, Shape.LISTED):
            return False
        stem = self.tokens[position].stem
        if stem in _stems(self.language, "measuring"):
            return any(position not in hit.words and set(hit.meanings) & QUANTITIES for hit in self.nouns)
        return stem in _stems(self.language, "generic")

    def _term(self, position: int, groups: frozenset[str], attribute: frozenset[int]) -> Term:
        word = self.tokens[position]
        key = self._is_key(position)
        beside_key = any(self._is_key(i) and self._touches(i, position) for i in (position - 1, position + 1) if 0 <= i < len(self.tokens))
        year = key and bool(YEAR.fullmatch(word.text))
        return Term(
            position=position,
            text=word.text,
            stem=word.stem,
            groups=groups,
            key=key and not year,
            omittable=year or (not key and beside_key and position not in attribute),
            attribute=position in attribute and self._content_stem(position + 1) not in _stems(self.language, "generic"),
            before=self._content_stem(position - 1),
            after=self._content_stem(position + 1),
            verb=position in attribute and position == max(i for i, w in enumerate(self.tokens) if w.content),
            light=base_stem(word, self.language) in _stems(self.language, "light_verbs"),
            governs=position + 1 < len(self.tokens) and self.tokens[position + 1].folded in listed(self.language, "of"),
            verb_of_subject=position == max((*self.used, *self.head), default=-1) + 1 and not key,
            year=year,
            into=self._direction(position),
            implied=any(position in hit.words and set(hit.meanings) & _SELF_EVIDENT for hit in self.nouns),
            base=base_stem(word, self.language),
            previous=next((w.stem for w in reversed(self.tokens[:position]) if w.content), ""),
        )

    def _direction(self, position: int) -> str:
        before = self.tokens[position - 1].folded if position else ""
        return before if before in listed(self.language, "directions") else ""

    def _touches(self, left: int, right: int) -> bool:
        first, second = sorted((left, right))
        return not self.question[self.tokens[first].span.end : self.tokens[second].span.start].strip(" -’'\"“„«")

    def _content_stem(self, position: int) -> str:
        inside = 0 <= position < len(self.tokens) and self.tokens[position].content and position not in self.used
        return self.tokens[position].stem if inside else ""


def _dimensions(found: list[Hit]) -> frozenset[str]:
    """The dimensions of the last noun that measures something, else of all."""
    measuring = [hit for hit in found if set(hit.meanings) & QUANTITIES]
    chosen = measuring[-1:] or found
    return frozenset(meaning for hit in chosen for meaning in hit.meanings)


def _is_plural(word: str) -> bool:
    return (word.endswith("s") and not word.endswith(("ss", "us", "is"))) or word in ("people", "men", "women", "children")


@lru_cache(maxsize=16)
def _weak_verbs(language: str) -> frozenset[str]:
    """Stems of the weak words: an irregular form ("given") is known by its verb."""
    return frozenset(word.stem for text in listed(language, "weak") if text.startswith("~") for word in words(text, language))


@lru_cache(maxsize=16)
def _stems(language: str, name: str) -> frozenset[str]:
    return frozenset(word.stem for text in listed(language, name) for word in words(text, language))
