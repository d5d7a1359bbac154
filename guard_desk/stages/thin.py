"""Thin: which value the evidence supports, how firmly, and which lines the prompt needs for it.

    score(value) = sum over independent statements of it:       reliability x recency x strength
                 - negation_penalty x the same sum over independent statements that deny it,      at least 0

    reliability = thin.reliability.<kind of source>
    recency     = 0.5 ** (age at thin.as_of / half_life_days); undated_recency where a date is missing, malformed or in the future
    strength    = certainty of the reading x (hedged_strength when the line hedges, else 1)

Why each is there. *Reliability* and *recency* are what is known of a source without reading it. An age that is not known counts like
that of a line one half-life old. A *hedged* line ("I think") says that its writer is not sure. *Certainty* is 1 for lines of
evidence that the strict reader understands, less for a line that lacks too many words of the question and holds a value which another
line states in full (it bears that one out and contests none), and the fitted probability for values found in running text. A denial is
evidence against a value and for no other one, so it is taken off and credited to nobody.

*Independent* statements add up; repeats do not:

- one statement a voice. A voice is a statement group: lines that say the value in near wording, fillers, hedges and synonyms
  ignored, whatever their names and tags. It counts with its strongest line, because ten copies of a claim are one claim. Where lines
  with next to nothing of their own are many, they are one voice for every value alike, the rumour as well as the truth.
- a tag is no proof. In a voice of three or more documents a kind of source counts only when at least half of them wear it; a
  line that is at least 60 days older than all of them, so that they may repeat it, is taken down only half the way.
- at most `cap_per_source` statements of one document, then at most `cap_per_domain` of one registered domain.

The leader of a part is the value with the best score. The part is *contested*, and nobody leads, when a value that cannot be right
beside it comes within `contested_margin` of its score, or when both stand on equally many best lines of equal rank and month. A value
that lost by number alone, with a line that stands as high as the leader's best, is a rival too: its best line stays in the prompt, and
so does running text of that standing that may answer in words which nobody can name for sure.
*Conflict* is said whatever the scores: two passages give values that cannot both be right, or one denies the other.

Reading (what each line states) is done once a pool in `text.thinning.statements`; only scoring depends on the policy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from guard_desk.policy import ThinMode, ThinPolicy
from guard_desk.protocols import TokenCounter
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.decision import ROUTES, Drop, Group, Route, Routed, Thinned
from guard_desk.records.evidence import Extracted, Retrieved
from guard_desk.text import prompt_blocks
from guard_desk.text.analyze import analyze_text
from guard_desk.text.thinning.contest import Verdict, decide, in_turn
from guard_desk.text.thinning.scoring import Scorer
from guard_desk.text.thinning.sources import parse_date
from guard_desk.text.thinning.statements import Pool, Statements, pool_of, read_statements


def thin(routed: Routed, retrieved: Retrieved, extracted: Extracted, policy: ThinPolicy, *, today: str) -> Thinned:
    """Candidates, support and drops of the accepted and conflicting evidence.

    :param today: run date, YYYY-MM-DD; later dates count as undated.
    """
    active = [ROUTES[route] is not Route.EXCLUDE for route in routed.routes.tolist()]
    read = read_statements(retrieved.query.text, pool_of(retrieved.passages, extracted))
    return score(read, policy, today=today, active=active, groups=routed.groups)


def thin_lines(query: Query, passages: Sequence[Passage], policy: ThinPolicy, *, today: str) -> Thinned:
    """The same for evidence lines without models: all of them count, nothing is merged."""
    facts = tuple(analyze_text(passage.text) for passage in passages)
    titles = tuple(None if passage.title is None else analyze_text(passage.title) for passage in passages)
    pool = Pool(passages=tuple(passages), facts=facts, titles=titles)
    return score(read_statements(query.text, pool), policy, today=today)


def thin_extracted(query: Query, passages: Sequence[Passage], extracted: Extracted, policy: ThinPolicy, *, today: str) -> Thinned:
    """The same for passages that the extract stage has read."""
    return score(read_statements(query.text, pool_of(passages, extracted)), policy, today=today)


def build_thin_prompt(
    query: Query, passages: Sequence[Passage], thinned: Thinned, policy: ThinPolicy, counter: TokenCounter
) -> dict[str, object]:
    """The prompt from the support alone.

    :param thinned: the candidates, thinned in mode `support`.
    :returns: `prompt`, `candidate` (None when no value wins), `support` (passage ids, a tuple), `tokens` of the prompt.
    """
    by_id = {passage.id: passage for passage in passages}
    ids = thinned.support or tuple(passage.id for passage in passages)[: policy.max_support_lines]
    blocks = {i: prompt_blocks.block(by_id[i], ids=ids, sources=(), notes=()) for i in ids}
    rivals = frozenset(thinned.rivals)
    accepted = [blocks[i] for i in ids if i not in rivals]
    prompt, _, _ = prompt_blocks.fill(query.text, accepted, [blocks[i] for i in ids if i in rivals])
    return {"prompt": prompt, "candidate": thinned.leader, "support": thinned.support, "tokens": counter.count(prompt)}


def score(
    read: Sequence[Statements], policy: ThinPolicy, *, today: str, active: Sequence[bool] | None = None, groups: Sequence[Group] = ()
) -> Thinned:
    """Score what was read. Pure, and fast enough for a slider.

    :param read: one for each part of the question.
    :param active: which passages count; all when None.
    :param groups: merge groups: a group is dropped only when every member is capped.
    """
    ids = read[0].passage_ids
    counted = tuple(active) if active is not None else (True,) * len(ids)
    run_day = _day(today) or date.max
    as_of = _as_of(read[0], counted, policy, run_day)
    verdicts = [_verdict(statements, counted, policy, as_of or run_day, run_day) for statements in read]
    leaders = [verdict.part.leader for verdict in verdicts]
    result = Thinned(
        candidates=tuple(item.candidate for verdict in verdicts for item in verdict.stated),
        leader="; ".join(leader for leader in leaders if leader is not None) if None not in leaders else None,
        contested=any(verdict.part.contested for verdict in verdicts),
        conflict=any(verdict.part.conflict for verdict in verdicts),
        support=in_turn([verdict.support for verdict in verdicts])[: policy.max_support_lines],
        dropped=(),
        rivals=_rivals(verdicts),
        as_of=None if as_of is None else as_of.isoformat(),
        parts=tuple(verdict.part for verdict in verdicts),
    )
    dropped = _drops(result, ids, counted, groups, policy)
    gone = {drop.passage_id for drop in dropped}
    return replace(result, dropped=dropped, support=tuple(i for i in result.support if i not in gone))


def _verdict(statements: Statements, active: Sequence[bool], policy: ThinPolicy, as_of: date, run_day: date) -> Verdict:
    scorer = Scorer(statements, policy, as_of, run_day)
    scored = (scorer.candidate(number, active) for number in range(len(statements.canonicals)))
    return decide([item for item in scored if item is not None], scorer, active)


def _rivals(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """The best lines of all that contest, without those that another part's leader stands on."""
    leading = {i for verdict in verdicts if verdict.part.leader is not None for i in verdict.support if i not in verdict.rivals}
    return tuple(dict.fromkeys(i for verdict in verdicts for i in verdict.rivals if len(verdicts) == 1 or i not in leading))


def _drops(result: Thinned, ids: Sequence[str], active: Sequence[bool], groups: Sequence[Group], policy: ThinPolicy) -> tuple[Drop, ...]:
    """What leaves the prompt: in `cap` mode the capped lines, in `support` mode whatever does not support."""
    if policy.mode is ThinMode.OFF:
        return ()
    going = _capped(result)
    if policy.mode is ThinMode.SUPPORT and result.support:
        keep = frozenset(result.support)
        going = {i: going.get(i, ("support", "not among the strongest lines for the leading value")) for i in ids if i not in keep}
    active_ids = {i for i, on in zip(ids, active, strict=True) if on}
    together = {member: group.members for group in groups for member in group.members}
    return tuple(
        Drop(passage_id=i, stage="thin", rule=going[i][0], detail=going[i][1])
        for i in ids
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
