"""The score of each candidate value under a policy: weights, voices, caps. The formula is told in `stages/thin.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from guard_desk.policy import ThinPolicy
from guard_desk.records.decision import Candidate, LineScore, Stance
from guard_desk.text.thinning.sources import Source, recency
from guard_desk.text.thinning.statements import Statement, Statements

_COPIES_FROM = 3
# A line that is this much older than every copy of it is where they have it from.
_ORIGIN_DAYS = 60
_CORROBORATING = 0.5


@dataclass(frozen=True, slots=True)
class Weighed:
    """A statement with its weight under the policy."""

    statement: Statement
    source: Source
    reliability: float
    recency: float
    strength: float
    note: str

    @property
    def weight(self) -> float:
        """What the statement adds when nothing caps it."""
        return self.reliability * self.recency * self.strength


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with what decides ties.

    :param number: of the candidate in `Statements`.
    :param standing: (reliability, month, how many such lines) of its most reliable counted lines.
    :param support: passage ids that the prompt needs for it, strongest first.
    :param stating: passage ids that state it, whether they count or not.
    :param denying: passage ids that deny it.
    """

    candidate: Candidate
    number: int
    standing: tuple[float, str, int]
    support: tuple[str, ...]
    stating: frozenset[str]
    denying: frozenset[str]


class Scorer:
    """Scores candidates under one policy."""

    def __init__(self, statements: Statements, policy: ThinPolicy, as_of: date, run_day: date) -> None:
        self.statements = statements
        self.policy = policy
        self.as_of = as_of
        self.run_day = run_day

    def candidate(self, number: int, active: Sequence[bool]) -> Scored | None:
        """One candidate; None when no active line states it."""
        own = [s for s in self.statements.statements if s.candidate == number and active[s.position]]
        stating = [self._weigh(s) for s in own if s.mention.stance is Stance.STATES]
        if not stating:
            return None
        denying = [self._weigh(s) for s in own if s.mention.stance is Stance.NEGATES]
        lines = self._lines(stating, 1.0) + self._lines(denying, -self.policy.negation_penalty)
        lines.sort(key=lambda line: (*_rank(line), line.passage_id))
        total = max(0.0, sum(line.contribution for line in lines))
        candidate = Candidate(
            value=self._value(stating, lines),
            canonical=self.statements.canonicals[number],
            score=total,
            lines=tuple(lines),
            part=self.statements.part,
        )
        return Scored(
            candidate=candidate,
            number=number,
            standing=self._standing(stating, lines),
            support=self._support(stating, lines),
            stating=frozenset(map(self._id, stating)),
            denying=frozenset(map(self._id, denying)),
        )

    def _value(self, stating: Sequence[Weighed], lines: Sequence[LineScore]) -> str:
        """The value as its best line writes it; of equal lines the longest form, then the first of the alphabet: never the pool's order."""
        counted = [line for line in lines if line.stance is Stance.STATES]
        best = min(map(_rank, counted))
        ids = {line.passage_id for line in counted if _rank(line) == best}
        return min((w.statement.mention.text for w in stating if self._id(w) in ids), key=lambda text: (-len(text), text))

    def standing(self, position: int) -> float:
        """Rank and age of a passage's source, whatever the passage says."""
        source = self.statements.sources[position]
        age = recency(source, self.as_of, self.policy.half_life_days, self.policy.undated_recency)
        return float(getattr(self.policy.reliability, source.kind) * age)

    def _id(self, weighed: Weighed) -> str:
        return self.statements.passage_ids[weighed.statement.position]

    def _weigh(self, statement: Statement) -> Weighed:
        source = self.statements.sources[statement.position]
        future = source.first is not None and source.first > self.run_day
        notes = (*source.notes, *(("future date",) if future else ()), *(("hedged",) if statement.mention.hedged else ()))
        return Weighed(
            statement,
            source,
            reliability=getattr(self.policy.reliability, source.kind),
            recency=recency(source, self.as_of, self.policy.half_life_days, self.policy.undated_recency),
            strength=statement.certainty * (self.policy.hedged_strength if statement.mention.hedged else 1.0),
            note=", ".join(notes),
        )

    def _lines(self, weighed: Sequence[Weighed], sign: float) -> list[LineScore]:
        """Line scores of one stance, caps applied."""
        voices: dict[int, list[Weighed]] = {}
        for item in weighed:
            voices.setdefault(item.statement.voice, []).append(item)
        capped: dict[int, str] = {}
        speakers: list[Weighed] = []
        for members in voices.values():
            trusted = sorted(_trusted(members), key=self._order)
            speakers.append(trusted[0])
            capped.update({id(item): "voice" for item in trusted[1:]})
            voices[trusted[0].statement.voice] = trusted
        self._cap(speakers, capped, lambda item: item.source.document, self.policy.cap_per_source, "source")
        self._cap(speakers, capped, lambda item: item.source.domain, self.policy.cap_per_domain, "domain")
        return [self._line(item, sign, capped.get(id(item), "")) for members in voices.values() for item in members]

    def _order(self, item: Weighed) -> tuple[float, float, float, int, str, str, tuple[str, ...], str]:
        """Strongest first, then the higher tag, then newest, then by how the value is written: the longer form, then the alphabet.

        Document, wording and id decide last. A line without a document is named by its place, so of lines that write the value alike
        the order of the pool may decide which one stands for the others, never a score or a value.
        """
        newest = 0 if item.source.last is None else item.source.last.toordinal()
        tag: float = getattr(self.policy.reliability, item.source.kind)
        text = item.statement.mention.text
        return -item.weight, -tag, -newest, -len(text), text, item.source.document, item.statement.phrase, self._id(item)

    def _cap(self, speakers: list[Weighed], capped: dict[int, str], key: Callable[[Weighed], str], cap: int, why: str) -> None:
        taken: dict[str, int] = {}
        for item in sorted(speakers, key=self._order):
            name = key(item)
            if not name or id(item) in capped:
                continue
            taken[name] = taken.get(name, 0) + 1
            if taken[name] > cap:
                capped[id(item)] = why

    def _line(self, item: Weighed, sign: float, why: str) -> LineScore:
        return LineScore(
            passage_id=self._id(item),
            stance=item.statement.mention.stance,
            span=item.statement.mention.span,
            reliability=item.reliability,
            recency=item.recency,
            contribution=0.0 if why else sign * item.weight,
            voice=item.statement.voice,
            capped=why,
            note=item.note,
        )

    def _support(self, stating: Sequence[Weighed], lines: Sequence[LineScore]) -> tuple[str, ...]:
        """The lines that count, then those of their voices that bear them out in other words.

        These come from other documents and are at least half as reliable as the best.

        A voice counts once in the score, yet the news that repeats a report in words of its own is worth reading; a plain copy is not.
        """
        by_id = {self._id(item): item for item in stating}
        counting = [line for line in lines if line.contribution > 0]
        floor = max((line.reliability for line in counting), default=0.0) * _CORROBORATING
        chosen = [line.passage_id for line in counting]
        phrases = {_told(by_id[i]) for i in chosen}
        documents = {by_id[i].source.document for i in chosen}
        for line in lines:
            item = by_id.get(line.passage_id)
            if item is None or line.stance is not Stance.STATES or line.capped != "voice" or line.reliability < floor:
                continue
            if _told(item) not in phrases and item.source.document not in documents:
                chosen.append(line.passage_id)
                phrases.add(_told(item))
                documents.add(item.source.document)
        return tuple(chosen)

    def _standing(self, stating: Sequence[Weighed], lines: Sequence[LineScore]) -> tuple[float, str, int]:
        counting = {line.passage_id for line in lines if line.stance is Stance.STATES and not line.capped}
        counted = [
            (line.reliability, item.source.month)
            for item in stating
            for line in lines
            if self._id(item) in counting and line.passage_id == self._id(item) and line.stance is Stance.STATES
        ]
        best = max(counted, default=(0.0, ""))
        return (*best, counted.count(best))


def _rank(line: LineScore) -> tuple[float, bool, float]:
    """The strongest line first, then one that counts, then the more reliable source."""
    return -line.contribution, line.capped != "", -line.reliability


def _told(item: Weighed) -> tuple[tuple[str, ...], str]:
    """The wording of a line with the form in which it writes the value: "36 hours" is no plain copy of "a day and a half"."""
    return item.statement.phrase, item.statement.mention.text.casefold()


def _trusted(members: Sequence[Weighed]) -> list[Weighed]:
    """The members of one voice, a higher tag than its copies bear out taken down to theirs.

    In a voice of three or more documents a kind of source counts only when half of them have it or a better one. A line that
    is much older than the others, so that they may repeat it, is taken down half the way: dates are written as easily as tags.
    """
    best: dict[str, float] = {}
    for item in members:
        best[item.source.document] = max(best.get(item.source.document, 0.0), item.reliability)
    if len(best) < _COPIES_FROM:
        return list(members)
    supported = sorted(best.values(), reverse=True)[(len(best) - 1) // 2]
    return [_taken_down(item, supported, members) if item.reliability > supported else item for item in members]


def _taken_down(item: Weighed, supported: float, members: Sequence[Weighed]) -> Weighed:
    borne_out = (item.reliability + supported) / 2 if _is_origin(item, members) else supported
    note = "tag not borne out by its copies"
    return replace(item, reliability=borne_out, note=f"{item.note}, {note}" if item.note else note)


def _is_origin(item: Weighed, members: Sequence[Weighed]) -> bool:
    """Whether a line is dated long before every other document's line of its voice."""
    others = [other for other in members if other.source.document != item.source.document]
    mine = item.source.last
    return mine is not None and all(other.source.first is not None and (other.source.first - mine).days >= _ORIGIN_DAYS for other in others)
