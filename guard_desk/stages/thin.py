"""Thin: which value the evidence supports, how firmly, and which lines the prompt needs for it.

    score(value) = sum over voices that state it:  reliability x recency x strength
                 - negation_penalty x the same sum over voices that deny it,      at least 0

A *voice* is a statement group: lines that say the value in near wording, whatever their names and tags. It counts once, with its
strongest line, because ten copies of a claim are one claim. A tag is no proof either: in a voice of four or more documents
a higher tag that under a third of them wear lifts nothing, unless its line is older than all the others (then they are
copies of it). After that at most `cap_per_source` voices of one document count, and twice as many of one domain. Recency
halves with every half-life; an undated line counts half, because its age is not known. A hedged line ("I think") counts a little less than a plain one.

Reading (candidates per line) is done once a pool in `text.thinning.statements`; only scoring depends on the policy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from guard_desk.policy import ThinMode, ThinPolicy
from guard_desk.protocols import TokenCounter
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.decision import Candidate, Drop, Group, LineScore, Route, Routed, Stance, Thinned
from guard_desk.records.evidence import Extracted, Retrieved, TextFacts
from guard_desk.text import prompt_blocks
from guard_desk.text.analyze import analyze_text
from guard_desk.text.thinning.sources import Source, parse_date, recency
from guard_desk.text.thinning.statements import Statement, Statements, read_statements

HEDGED_STRENGTH = 0.8
"""Strength of a hedged statement against a plain one."""

DOMAIN_CAP = 2
"""A domain may count this many times the cap of one document."""

_COPIES_FROM = 4
_SHARE_OF_TAG = 3
_CORROBORATING = 0.5


def thin(routed: Routed, retrieved: Retrieved, extracted: Extracted, policy: ThinPolicy, *, today: str) -> Thinned:
    """Candidates, support and drops of the accepted and conflicting evidence.

    :param today: run date, YYYY-MM-DD; later dates count as undated.
    """
    active = [decision.route is not Route.EXCLUDE for decision in routed.decisions]
    statements = read_statements(retrieved.query.text, retrieved.passages, extracted.texts)
    return score(statements, policy, today=today, active=active, groups=routed.groups)


def thin_lines(query: Query, passages: Sequence[Passage], policy: ThinPolicy, *, today: str) -> Thinned:
    """The same for evidence lines without a pipeline: all of them count, nothing is merged."""
    return thin_passages(query, passages, [analyze_text(passage.text) for passage in passages], policy, today=today)


def thin_passages(query: Query, passages: Sequence[Passage], facts: Sequence[TextFacts], policy: ThinPolicy, *, today: str) -> Thinned:
    """The same for passages whose facts are known."""
    return score(read_statements(query.text, passages, facts), policy, today=today)


def build_thin_prompt(
    query: Query, passages: Sequence[Passage], policy: ThinPolicy, counter: TokenCounter, *, today: str
) -> dict[str, object]:
    """The prompt from the support alone.

    :returns: `prompt`, `candidate` (None when no value wins), `support` (passage ids, a tuple), `tokens` of the prompt.
    """
    thinned = thin_lines(query, passages, replace(policy, mode=ThinMode.SUPPORT), today=today)
    by_id = {passage.id: passage for passage in passages}
    ids = thinned.support or tuple(passage.id for passage in passages)[: policy.max_support_lines]
    blocks = {i: prompt_blocks.block(by_id[i], ids=ids, sources=(), notes=()) for i in ids}
    rivals = frozenset(thinned.rivals)
    accepted = [blocks[i] for i in ids if i not in rivals]
    prompt, _, _ = prompt_blocks.fill(query.text, accepted, [blocks[i] for i in ids if i in rivals])
    return {"prompt": prompt, "candidate": thinned.leader, "support": thinned.support, "tokens": counter.count(prompt)}


def score(
    statements: Statements, policy: ThinPolicy, *, today: str, active: Sequence[bool] | None = None, groups: Sequence[Group] = ()
) -> Thinned:
    """Score what was read. Pure, and fast enough for a slider.

    :param active: which passages count; all when None.
    :param groups: merge groups: a group is dropped only when every member is capped.
    """
    counted = tuple(active) if active is not None else (True,) * len(statements.passage_ids)
    run_day = _day(today) or date.max
    as_of = _as_of(statements, counted, policy, run_day)
    scorer = _Scorer(statements, policy, as_of or run_day, run_day)
    scored = [scorer.candidate(number, counted) for number in range(len(statements.canonicals))]
    stated = [item for item in scored if item is not None]
    stated.sort(key=lambda item: (-item.candidate.score, item.candidate.canonical))
    conflict = _conflict(stated, statements)
    rivals = _contenders(stated, statements, policy)
    leader = stated[0].candidate.value if stated and not rivals and stated[0].candidate.score > 0 else None
    support = _support(stated, rivals, leader, policy)
    result = Thinned(
        candidates=tuple(item.candidate for item in stated),
        leader=leader,
        contested=bool(rivals),
        conflict=conflict,
        support=support,
        dropped=(),
        rivals=tuple(dict.fromkeys(_best_line(item) for item in rivals)),
        as_of=None if as_of is None else as_of.isoformat(),
    )
    return replace(result, dropped=_drops(result, statements, counted, groups, policy))


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A statement with its weight under the policy."""

    statement: Statement
    source: Source
    reliability: float
    recency: float
    strength: float
    note: str

    @property
    def weight(self) -> float:
        return self.reliability * self.recency * self.strength


@dataclass(frozen=True, slots=True)
class _Scored:
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


class _Scorer:
    """Scores candidates under one policy."""

    def __init__(self, statements: Statements, policy: ThinPolicy, as_of: date, run_day: date) -> None:
        self.statements = statements
        self.policy = policy
        self.as_of = as_of
        self.run_day = run_day

    def candidate(self, number: int, active: Sequence[bool]) -> _Scored | None:
        """One candidate; None when no active line states it."""
        own = [s for s in self.statements.statements if s.candidate == number and active[s.position]]
        stating = [self._weigh(s) for s in own if s.mention.stance is Stance.STATES]
        if not stating:
            return None
        denying = [self._weigh(s) for s in own if s.mention.stance is Stance.NEGATES]
        lines = self._lines(stating, 1.0) + self._lines(denying, -self.policy.negation_penalty)
        lines.sort(key=lambda line: (-line.contribution, line.capped != "", -line.reliability, line.passage_id))
        total = max(0.0, sum(line.contribution for line in lines))
        best = next(line for line in lines if line.stance is Stance.STATES)
        value = next(w.statement.mention.text for w in stating if self._id(w) == best.passage_id)
        candidate = Candidate(value=value, canonical=self.statements.canonicals[number], score=total, lines=tuple(lines))
        return _Scored(
            candidate=candidate,
            number=number,
            standing=self._standing(stating, lines),
            support=self._support(stating, lines),
            stating=frozenset(map(self._id, stating)),
            denying=frozenset(map(self._id, denying)),
        )

    def _id(self, weighed: _Weighed) -> str:
        return self.statements.passage_ids[weighed.statement.position]

    def _weigh(self, statement: Statement) -> _Weighed:
        source = self.statements.sources[statement.position]
        future = source.first is not None and source.first > self.run_day
        notes = (*source.notes, *(("future date",) if future else ()), *(("hedged",) if statement.mention.hedged else ()))
        return _Weighed(
            statement,
            source,
            reliability=getattr(self.policy.reliability, source.kind),
            recency=recency(source, self.as_of, self.policy.half_life_days),
            strength=HEDGED_STRENGTH if statement.mention.hedged else 1.0,
            note=", ".join(notes),
        )

    def _lines(self, weighed: Sequence[_Weighed], sign: float) -> list[LineScore]:
        """Line scores of one stance, caps applied."""
        voices: dict[int, list[_Weighed]] = {}
        for item in weighed:
            voices.setdefault(item.statement.voice, []).append(item)
        capped: dict[int, str] = {}
        speakers: list[_Weighed] = []
        for members in voices.values():
            trusted = sorted(_trusted(members), key=self._order)
            speakers.append(trusted[0])
            capped.update({id(item): "voice" for item in trusted[1:]})
            voices[trusted[0].statement.voice] = trusted
        cap = self.policy.cap_per_source
        self._cap(speakers, capped, lambda item: item.source.document, cap, "source")
        self._cap(speakers, capped, lambda item: item.source.domain, cap * DOMAIN_CAP, "domain")
        return [self._line(item, sign, capped.get(id(item), "")) for members in voices.values() for item in members]

    def _order(self, item: _Weighed) -> tuple[float, float, str]:
        """Strongest first, then newest; the id decides last, so the order of the pool never does."""
        newest = 0 if item.source.last is None else item.source.last.toordinal()
        return -item.weight, -newest, self._id(item)

    def _cap(self, speakers: list[_Weighed], capped: dict[int, str], key: Callable[[_Weighed], str], cap: int, why: str) -> None:
        taken: dict[str, int] = {}
        for item in sorted(speakers, key=self._order):
            name = key(item)
            if not name or id(item) in capped:
                continue
            taken[name] = taken.get(name, 0) + 1
            if taken[name] > cap:
                capped[id(item)] = why

    def _line(self, item: _Weighed, sign: float, why: str) -> LineScore:
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

    def _support(self, stating: Sequence[_Weighed], lines: Sequence[LineScore]) -> tuple[str, ...]:
        """The lines that count, then those of their voices that bear them out in other words.

        These come from other documents and are at least half as reliable as the best.

        A voice counts once in the score, yet the news that repeats a report in words of its own is worth reading; a plain copy is not.
        """
        by_id = {self._id(item): item for item in stating}
        counting = [line for line in lines if line.contribution > 0]
        floor = max((line.reliability for line in counting), default=0.0) * _CORROBORATING
        chosen = [line.passage_id for line in counting]
        phrases = {by_id[i].statement.phrase for i in chosen}
        documents = {by_id[i].source.document for i in chosen}
        for line in lines:
            item = by_id.get(line.passage_id)
            if item is None or line.stance is not Stance.STATES or line.capped != "voice" or line.reliability < floor:
                continue
            if item.statement.phrase not in phrases and item.source.document not in documents:
                chosen.append(line.passage_id)
                phrases.add(item.statement.phrase)
                documents.add(item.source.document)
        return tuple(chosen)

    def _standing(self, stating: Sequence[_Weighed], lines: Sequence[LineScore]) -> tuple[float, str, int]:
        counting = {line.passage_id for line in lines if line.stance is Stance.STATES and not line.capped}
        counted = [
            (line.reliability, item.source.month)
            for item in stating
            for line in lines
            if self._id(item) in counting and line.passage_id == self._id(item) and line.stance is Stance.STATES
        ]
        best = max(counted, default=(0.0, ""))
        return (*best, counted.count(best))


def _trusted(members: Sequence[_Weighed]) -> list[_Weighed]:
    """The members of one voice, a higher tag than its copies bear out taken down to theirs.

    In a voice of four or more documents a kind counts only when a third of them have it or a better one, or when its line is the
    oldest of all, so that the others repeat it.
    """
    best: dict[str, float] = {}
    for item in members:
        best[item.source.document] = max(best.get(item.source.document, 0.0), item.reliability)
    if len(best) < _COPIES_FROM:
        return list(members)
    needed = -(-len(best) // _SHARE_OF_TAG)
    supported = sorted(best.values(), reverse=True)[needed - 1]
    return [_taken_down(item, supported) if item.reliability > supported and not _is_origin(item, members) else item for item in members]


def _taken_down(item: _Weighed, supported: float) -> _Weighed:
    note = "tag not borne out by its copies"
    return replace(item, reliability=supported, note=f"{item.note}, {note}" if item.note else note)


def _is_origin(item: _Weighed, members: Sequence[_Weighed]) -> bool:
    """Whether a line is dated before every other document's line of its voice."""
    others = [other for other in members if other.source.document != item.source.document]
    mine = item.source.last
    return mine is not None and all(other.source.first is not None and mine < other.source.first for other in others)


def _conflict(stated: Sequence[_Scored], statements: Statements) -> bool:
    """Whether two passages give values that cannot both be right, or one denies what another states."""
    for index, left in enumerate(stated):
        if left.denying - left.stating or (left.denying and len(left.stating) > 1):
            return True
        for right in stated[index + 1 :]:
            pair = (min(left.number, right.number), max(left.number, right.number))
            if pair in statements.clashing and len(left.stating | right.stating) > 1:
                return True
    return False


def _contenders(stated: Sequence[_Scored], statements: Statements, policy: ThinPolicy) -> list[_Scored]:
    """The candidates among which no winner is clear, the best first; empty when one is."""
    if len(stated) < 2 or stated[0].candidate.score <= 0:
        return []
    first = stated[0]
    rivals = [
        other
        for other in stated[1:]
        if (min(first.number, other.number), max(first.number, other.number)) in statements.clashing and _close(first, other, policy)
    ]
    return [first, *rivals] if rivals else []


def _close(first: _Scored, other: _Scored, policy: ThinPolicy) -> bool:
    """Scores within the margin, or the same number of best lines of equal rank and month on both sides."""
    if other.candidate.score <= 0:
        return False
    if first.candidate.score - other.candidate.score < policy.contested_margin * first.candidate.score:
        return True
    denied = any(line.contribution < 0 for item in (first, other) for line in item.candidate.lines)
    return not denied and bool(first.standing[1]) and first.standing == other.standing


def _best_line(item: _Scored) -> str:
    return next(line.passage_id for line in item.candidate.lines if line.stance is Stance.STATES)


def _support(stated: Sequence[_Scored], rivals: Sequence[_Scored], leader: str | None, policy: ThinPolicy) -> tuple[str, ...]:
    """Lines kept: of the leader, strongest first; of all contenders in turn when contested."""
    chosen = rivals or (stated[:1] if leader is not None else ())
    ranked = [item.support for item in chosen]
    in_turn = [ids[place] for place in range(max(map(len, ranked), default=0)) for ids in ranked if place < len(ids)]
    return tuple(dict.fromkeys(in_turn))[: policy.max_support_lines]


def _drops(
    result: Thinned, statements: Statements, active: Sequence[bool], groups: Sequence[Group], policy: ThinPolicy
) -> tuple[Drop, ...]:
    """What leaves the prompt: capped lines, and in `support` mode whatever does not support."""
    if policy.mode is ThinMode.OFF:
        return ()
    going = _capped(result)
    if policy.mode is ThinMode.SUPPORT and result.support:
        keep = frozenset(result.support)
        going = {
            i: going.get(i, ("support", "not among the strongest lines for the leading value"))
            for i in statements.passage_ids
            if i not in keep
        }
    active_ids = {i for i, on in zip(statements.passage_ids, active, strict=True) if on}
    together = {member: group.members for group in groups for member in group.members}
    return tuple(
        Drop(passage_id=i, stage="thin", rule=going[i][0], detail=going[i][1])
        for i in statements.passage_ids
        if i in active_ids and i in going and all(member in going for member in together.get(i, (i,)))
    )


def _capped(result: Thinned) -> dict[str, tuple[str, str]]:
    """Passages all of whose statements are capped, with rule and reason."""
    why: dict[str, tuple[str, str]] = {}
    counting: set[str] = set()
    reasons = {
        "voice": "says the same in near wording as a stronger line",
        "source": "its document already counts for this value",
        "domain": "its domain already counts for this value",
    }
    for candidate in result.candidates:
        for line in candidate.lines:
            if line.capped:
                why.setdefault(line.passage_id, ("capped", f"{candidate.value}: {reasons[line.capped]}"))
            else:
                counting.add(line.passage_id)
    return {i: reason for i, reason in why.items() if i not in counting}


def _as_of(statements: Statements, active: Sequence[bool], policy: ThinPolicy, run_day: date) -> date | None:
    """The policy's day, else the newest date of the evidence that is not after the run date."""
    if policy.as_of is not None:
        chosen = _day(policy.as_of)
        if chosen is not None:
            return chosen
    dates = [
        min(source.last, run_day)
        for source, on in zip(statements.sources, active, strict=True)
        if on and source.first and source.last and source.first <= run_day
    ]
    return max(dates, default=None)


def _day(text: str) -> date | None:
    """The last day that a date means; a bare year means its last day."""
    _, last, _ = parse_date(text if "-" in text else f"{text}-12")
    return last
