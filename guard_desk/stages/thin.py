"""Thin: which value the evidence supports, how firmly, and which lines the prompt needs for it.

    score(value) = sum over voices that state it:  reliability x recency x strength
                 - negation_penalty x the same sum over voices that deny it,      at least 0

A *voice* is a statement group: lines that say the value in near wording, whatever their names and tags. It counts once, with its
strongest line, because ten copies of a claim are one claim. A tag is no proof either: in a voice of four or more documents
a higher tag that under a third of them wear lifts nothing, unless its line is older than all the others (then they are
copies of it). After that at most `cap_per_source` voices of one document count, and twice as many of one domain. Recency
halves with every half-life; an undated line counts half, because its age is not known. A hedged line ("I think") counts
a little less than a plain one.

Reading (candidates per line) is done once a pool in `text.thinning.statements`; only scoring depends on the policy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from guard_desk.policy import ThinMode, ThinPolicy
from guard_desk.protocols import TokenCounter
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.decision import ROUTES, Drop, Group, Route, Routed, Stance, Thinned
from guard_desk.records.evidence import Extracted, Retrieved, TextFacts
from guard_desk.text import prompt_blocks
from guard_desk.text.analyze import analyze_text
from guard_desk.text.thinning.scoring import Scored, Scorer
from guard_desk.text.thinning.sources import parse_date
from guard_desk.text.thinning.statements import Statements, read_statements


def thin(routed: Routed, retrieved: Retrieved, extracted: Extracted, policy: ThinPolicy, *, today: str) -> Thinned:
    """Candidates, support and drops of the accepted and conflicting evidence.

    :param today: run date, YYYY-MM-DD; later dates count as undated.
    """
    active = [ROUTES[route] is not Route.EXCLUDE for route in routed.routes.tolist()]
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
    scorer = Scorer(statements, policy, as_of or run_day, run_day)
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
    dropped = _drops(result, statements, counted, groups, policy)
    gone = {drop.passage_id for drop in dropped}
    return replace(result, dropped=dropped, support=tuple(i for i in support if i not in gone))


def _conflict(stated: Sequence[Scored], statements: Statements) -> bool:
    """Whether two passages give values that cannot both be right, or one denies what another states."""
    for index, left in enumerate(stated):
        if left.denying - left.stating or (left.denying and len(left.stating) > 1):
            return True
        for right in stated[index + 1 :]:
            pair = (min(left.number, right.number), max(left.number, right.number))
            if pair in statements.clashing and len(left.stating | right.stating) > 1:
                return True
    return False


def _contenders(stated: Sequence[Scored], statements: Statements, policy: ThinPolicy) -> list[Scored]:
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


def _close(first: Scored, other: Scored, policy: ThinPolicy) -> bool:
    """Scores within the margin, or the same number of best lines of equal rank and month on both sides."""
    if other.candidate.score <= 0:
        return False
    if first.candidate.score - other.candidate.score < policy.contested_margin * first.candidate.score:
        return True
    denied = any(line.contribution < 0 for item in (first, other) for line in item.candidate.lines)
    return not denied and bool(first.standing[1]) and first.standing == other.standing


def _best_line(item: Scored) -> str:
    return next(line.passage_id for line in item.candidate.lines if line.stance is Stance.STATES)


def _support(stated: Sequence[Scored], rivals: Sequence[Scored], leader: str | None, policy: ThinPolicy) -> tuple[str, ...]:
    """Lines kept: of the leader, strongest first; of all contenders in turn when contested."""
    chosen = rivals or (stated[:1] if leader is not None else ())
    ranked = [item.support for item in chosen]
    in_turn = [ids[place] for place in range(max(map(len, ranked), default=0)) for ids in ranked if place < len(ids)]
    return tuple(dict.fromkeys(in_turn))[: policy.max_support_lines]


def _drops(
    result: Thinned, statements: Statements, active: Sequence[bool], groups: Sequence[Group], policy: ThinPolicy
) -> tuple[Drop, ...]:
    """What leaves the prompt: in `cap` mode the capped lines, in `support` mode whatever does not support."""
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
