"""One made-up world: a subject, documents about it, and lines that say, deny or repeat something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from guard_desk.measure.worlds.data import QuestionType, worlds
from guard_desk.measure.worlds.draw import Draw
from guard_desk.measure.worlds.values import Namer, Value, Values

# Kinds of source, the most reliable first.
HIGH = ("official", "report")
MIDDLE = ("news",)
LOW = ("blog", "forum", "social")
ANY = HIGH + MIDDLE + LOW

GOLD, RIVAL, DENIAL, OTHER = "gold", "rival", "denial", "other"
_MONTHS = 12
_SWAPPED_LENGTH = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A tagged line, and what it does: states the gold value, states a rival, denies a rival without stating gold, or neither."""

    text: str
    role: str


def month(year: int, number: int) -> int:
    """A month as a count, so that it can be added to."""
    return year * _MONTHS + number - 1


class World:
    """A subject of its own with everything that is said about it.

    :param kind: the type of question that is asked.
    """

    def __init__(self, kind: QuestionType, namer: Namer, draw: Draw) -> None:
        self.kind = kind
        self.draw = draw
        self.values = Values(kind.value, namer, draw)
        self._namer = namer
        self._texts = worlds()
        self.stem, self.subject = self._named()
        self.gold = self.rival()
        self.decoys: list[Value] = []
        self._said: set[str] = set()
        self._own_domain = True

    def rival(self) -> Value:
        """Another value of the asked form."""
        value = self.values.new()
        if value is None:
            raise AssertionError(f"the form {self.kind.value} has too few values")
        return value

    def question(self) -> str:
        """The question."""
        return self.draw.one(self.kind.ask).format(s=self.subject)

    def statement(self, value: Value, *, change: bool = False, form: str | None = None) -> str:
        """A sentence that states a value, in a wording that this world has not used for it as long as there is one."""
        wordings = self.kind.now if change else self.kind.say
        return self._filled(self._fresh(wordings, value.plain), v=form or self.form(value))

    def states(
        self, value: Value, kind: str, at: int, role: str, *, change: bool = False, form: str | None = None, rows: float = 0
    ) -> Line:
        """A line that states a value.

        :param change: in words of change.
        :param form: how it writes the value; None = mostly plain.
        :param rows: the share of such lines that are rows of tables, each wording of a row once.
        """
        unused = [wording for wording in self.kind.row if wording + value.plain not in self._said]
        if change or not unused or not self.draw.chance(rows):
            text = self.statement(value, change=change, form=form)
            about = self._about() if self.draw.chance(0.15) else None
            return self.line(f"{text} {about}" if about else text, kind, at, role)
        written = value.listed if value.listed != value.plain else form or self.form(value)
        return self.line(self._filled(self._fresh(unused, value.plain), v=written), kind, at, role, row=True)

    def denial(self, rival: Value, *, gone: bool = False) -> str:
        """A sentence that denies a rival."""
        return self._filled(self._fresh(self.kind.gone if gone else self.kind.deny, rival.plain), w=self.form(rival))

    def both(self, rival: Value) -> str:
        """A sentence that denies a rival and states the gold value."""
        return self._filled(self._fresh(self.kind.both), v=self.form(self.gold), w=self.form(rival))

    def form(self, value: Value) -> str:
        """How a document writes a value: mostly the plain form."""
        return value.plain if self.draw.chance(0.75) else self.draw.one(value.forms)

    def aside(self) -> str:
        """A true sentence that does not answer: another fact, or another subject."""
        near = [wording for wording in self.kind.near if "{x}" in wording or wording not in self._said]
        value = self.values.new(aside=True) if near and self.draw.chance(0.6) else None
        if value is not None:
            self.decoys.append(value)
            return self._filled(self._fresh(near), x=self._named()[1], same=self.form(value))
        about = self._about() if self.draw.chance(0.65) else None
        if about is not None:
            return about
        other = self._named()[1]
        return self._filled(self._fresh(self._texts["about"][self.kind.subject], other), s=other)

    def _about(self) -> str | None:
        """A fact about the subject that has nothing to do with the question; each once, None when all were told."""
        unused = [wording for wording in self._texts["about"][self.kind.subject] if wording not in self._said]
        return self._filled(self._fresh(unused)) if unused else None

    def foreign_denial(self) -> str | None:
        """A denial about another subject; None when there is no further value."""
        value = self.values.new(aside=True)
        if value is None:
            return None
        self.decoys.append(value)
        return self._filled(self._fresh(self.kind.deny), s=self._named()[1], w=value.plain)

    def line(self, text: str, kind: str, at: int, role: str, *, row: bool = False) -> Line:
        """A line as a document of this kind of source has it.

        :param at: its month, by `month`.
        """
        frame = self.draw.one(self._texts["frame"]["row" if row else kind])
        nick, town = self.draw.one(self._texts["values"]["nicks"]), self._namer.town() if "{town}" in frame else ""
        return self._tagged(frame.format(t=text, nick=nick, town=town), kind, self._domain(kind, role), at, role)

    def repeat(self, text: str, value: Value, kind: str, at: int, *, tag: str | None = None) -> Line:
        """A statement of a value once more, from another document, with small changes of wording.

        :param kind: the kind of source that it comes from, which its address shows.
        :param tag: the kind that it claims to be; None = `kind`.
        """
        changed = self._synonym(text)
        if self.draw.chance(0.35):
            changed = self._typing_slip(changed, kept=" ".join((*value.forms, self.subject)).split())
        repeat = self._texts["repeat"]
        lead, hedge, tail = (self.draw.one(repeat[name]) for name in ("lead", "hedge", "tail"))
        changed = f"{changed.removesuffix('.')}{hedge}{self.draw.one(['.', '.', '!', '...'])}{tail}"
        if lead and not changed.startswith((self.stem, '"', self.gold.plain)):
            changed = self._lowered(changed)
        return self._tagged(lead + changed, tag or kind, self._domain(kind, RIVAL), at, RIVAL)

    def _tagged(self, text: str, kind: str, domain: str, at: int, role: str) -> Line:
        return Line(text=f"[source={kind}][doc={domain}][date={at // _MONTHS}-{at % _MONTHS + 1:02}] {text}", role=role)

    def _domain(self, kind: str, role: str) -> str:
        """A domain that no other line has; that of the first official line with the gold value is the subject's own."""
        own = kind == "official" and role == GOLD and self._own_domain
        self._own_domain = self._own_domain and not own
        patterns: list[str] = self._texts["domain"][kind]
        pattern = patterns[0] if own else self.draw.one(patterns[1:] if kind == "official" else patterns)
        return pattern.format(x=(self.stem if own else self._namer.stem()).lower())

    def _named(self) -> tuple[str, str]:
        """The stem and the name of a subject of this kind."""
        subject = self.kind.subject
        stem = getattr(self._namer, subject)() if subject in ("town", "region") else self._namer.stem()
        if subject == "company":
            return stem, f"{stem} {self.draw.one(self._texts['names']['company'])}"
        return stem, self.draw.one(self._texts["subject"][subject]).format(x=stem)

    def _fresh(self, wordings: Sequence[str], about: str = "") -> str:
        """A wording that was not used yet for the same thing; any, when all were."""
        unused = [wording for wording in wordings if wording + about not in self._said]
        chosen = self.draw.one(unused or wordings)
        self._said.add(chosen + about)
        return chosen

    def _filled(self, wording: str, **values: str) -> str:
        makers: dict[str, Any] = {
            "town": self._namer.town,
            "company": self._namer.company,
            "person": lambda: " ".join(self._namer.person()),
            "n": lambda: str(self.draw.between(2, 90)),
        }
        extra = {name: make() for name, make in makers.items() if f"{{{name}}}" in wording}
        text = wording.format(**{"s": self.subject, **extra, **values})
        # "v4.2" and the like stay as they are at the start of a sentence; words do not.
        return text[0].upper() + text[1:] if text[:2].isalpha() or text[:2] == "a " else text

    def _synonym(self, text: str) -> str:
        known = [pair for pair in self._texts["repeat"]["synonyms"] if pair[0] in text]
        if not known or not self.draw.chance(0.6):
            return text
        common, other = self.draw.one(known)
        return text.replace(common, other, 1)

    def _typing_slip(self, text: str, kept: Sequence[str]) -> str:
        """Two letters of one common word changed places; names and values stay."""
        words = text.split(" ")
        common = [word.isascii() and word.isalpha() and word.islower() and word not in kept for word in words]
        places = [at for at, word in enumerate(words) if common[at] and len(word) >= _SWAPPED_LENGTH]
        if places:
            at = self.draw.one(places)
            cut = self.draw.between(1, len(words[at]) - 3)
            word = words[at]
            words[at] = word[:cut] + word[cut + 1] + word[cut] + word[cut + 2 :]
        return " ".join(words)

    def _lowered(self, text: str) -> str:
        """Without the capital of a common first word: "Just read that the mayor ..."."""
        first = text.split(" ", 1)[0]
        return text[0].lower() + text[1:] if first in self._texts["repeat"]["common"] else text
