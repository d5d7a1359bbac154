"""What the policy stages decide: groups, routes, candidates, places. Pure functions of stored results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from guard_desk.policy import Strategy, Thresholds
from guard_desk.records.corpus import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """A pool passage that a stage left out, and why.

    :param stage: name of the stage.
    :param rule: short name, e.g. "merged", "capped".
    :param detail: one plain sentence.
    """

    passage_id: str
    stage: str
    rule: str
    detail: str = ""


class Guard(StrEnum):
    """What may not differ between merged passages."""

    NUMBER = "number"
    UNIT = "unit"
    DATE = "date"
    NEGATION = "negation"
    MODALITY = "modality"
    CONDITION = "condition"
    QUANTIFIER = "quantifier"
    IDENTIFIER = "identifier"
    ENTITY = "entity"
    DIRECTION = "direction"
    ROLE = "role"
    COMPARISON = "comparison"
    CURRENCY = "currency"
    VERSION = "version"
    SCOPE = "scope"
    STATUS = "status"
    ADDED_FACT = "added_fact"


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeVerdict:
    """Whether two passages say the same.

    :param guard: the kind that refused; None when merged, or when they are merely not similar enough.
    :param left: the differing words of the first passage (empty when it lacks them).
    :param right: the same of the second.
    :param left_span: where `left` stands in the first text; None for metadata or absence.
    :param similarity: cosine of the pair, -1..1.
    """

    merge: bool
    guard: Guard | None = None
    left: str = ""
    right: str = ""
    left_span: Span | None = None
    right_span: Span | None = None
    similarity: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Two near passages that were kept apart."""

    left_id: str
    right_id: str
    verdict: MergeVerdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A person's word on a pair of passages, over the guards': merge them, or keep them apart."""

    left_id: str
    right_id: str
    merge: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Passages that say the same, shown once.

    :param id: the representative's id.
    :param members: passage ids in rank order, the representative first.
    :param member_sources: the source of each member, aligned with `members`; "" where it has none.
    """

    id: str
    members: tuple[str, ...]
    member_sources: tuple[str, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """Every distinct source, in rank order."""
        return tuple(dict.fromkeys(source for source in self.member_sources if source))

    @property
    def representative(self) -> str:
        """The member that is shown."""
        return self.members[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouped:
    """The pool in groups (each passage in exactly one), by content alone."""

    groups: tuple[Group, ...]
    refusals: tuple[Refusal, ...]
    dropped: tuple[Drop, ...]
    strategy: Strategy


class Route(StrEnum):
    """Where a passage goes."""

    INCLUDE = "include"
    CONFLICT = "conflict"
    EXCLUDE = "exclude"


class Rule(StrEnum):
    """The rule that decided a route."""

    INJECTION = "injection"
    CONTRADICTS = "contradicts"
    RELEVANT = "relevant"
    EVIDENCE = "evidence"
    DEFAULT = "default"
    NOT_JUDGED = "not_judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The route of one passage.

    :param value: the answer that decided; None when not judged.
    :param threshold: the threshold it was compared with; None when not judged.
    :param margin: value - threshold of that rule (of evidence for default); None when not judged.
    """

    route: Route
    rule: Rule
    value: float | None
    threshold: float | None
    margin: float | None


ROUTES = tuple(Route)
RULES = tuple(Rule)


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """One decision a pool passage as columns, in pool order; the groups split by route.

    :param routes: int8 (n,), positions in `ROUTES`.
    :param rules: int8 (n,), positions in `RULES`.
    :param values: float64 (n,), the answer that decided; NaN when not judged.
    :param limits: float64 (n,), the threshold it was compared with; NaN when not judged.
    :param groups: each group's members share a route; each part keeps its best-ranked member as representative.
    """

    passage_ids: tuple[str, ...]
    routes: npt.NDArray[np.int8]
    rules: npt.NDArray[np.int8]
    values: npt.NDArray[np.float64]
    limits: npt.NDArray[np.float64]
    groups: tuple[Group, ...]
    thresholds: Thresholds

    def decision(self, position: int) -> Decision:
        """The decision of the passage at a pool position."""
        rule = RULES[self.rules[position]]
        if rule is Rule.NOT_JUDGED:
            return Decision(route=Route.EXCLUDE, rule=rule, value=None, threshold=None, margin=None)
        value, limit = float(self.values[position]), float(self.limits[position])
        return Decision(route=ROUTES[self.routes[position]], rule=rule, value=value, threshold=limit, margin=value - limit)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Every decision, in pool order; made anew on each call."""
        return tuple(self.decision(position) for position in range(len(self.passage_ids)))


class Stance(StrEnum):
    """What a line does to a candidate value."""

    STATES = "states"
    NEGATES = "negates"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineScore:
    """What one line adds to (or takes from) a candidate.

    :param span: where the value stands in the passage.
    :param reliability: weight of its kind of source, 0..1.
    :param recency: 0..1; .5 when undated.
    :param contribution: what was added to the candidate's score (negative for a negating line; 0 when capped).
    :param voice: number of the statement group it belongs to; lines of one voice count once.
    :param capped: why it adds nothing: "" when it counts, else "source", "domain", "voice" or "unknown tag".
    :param note: what was odd about its tags ("future date", "unknown source kind", "malformed date", "undated"), else "".
    """

    passage_id: str
    stance: Stance
    span: Span | None
    reliability: float
    recency: float
    contribution: float
    voice: int
    capped: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A value that answers the question.

    :param value: the shortest span that answers, as the best line writes it.
    :param canonical: equal for equal values whatever their format.
    :param score: sum of the lines' contributions, at least 0.
    :param part: position in `Thinned.parts` of the part of the question that it answers.
    """

    value: str
    canonical: str
    score: float
    lines: tuple[LineScore, ...]
    part: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing that a question asks: "When was it built, and who paid?" has two.

    :param span: its words in the question.
    :param leader: the value of the clear winner; None when there is none, also when no line answers.
    :param contested: the leader is not clear, or sources of equal standing disagree.
    :param conflict: two lines give values that cannot both be right, or one denies another, whatever their weight.
    """

    span: Span
    leader: str | None
    contested: bool
    conflict: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Thinned:
    """Candidates of the accepted and conflicting evidence: by part of the question, within a part best first.

    :param leader: the value of the clear winner; None when there is none. Of a question of several parts: the winners joined
        by "; ", when every part has one.
    :param contested: the leader of a part is not clear, or sources of equal standing disagree.
    :param conflict: two lines give values that cannot both be right, or one denies another, whatever their weight; of any part.
    :param support: passage ids kept for the leader, strongest first (with the rivals' best lines when contested).
    :param dropped: passages that thinning takes out of the prompt, and why.
    :param as_of: the day that ages were counted from, YYYY-MM-DD; None without dates.
    :param parts: one for each thing that is asked, at least one; empty only when nothing was read (search without judging).
    """

    candidates: tuple[Candidate, ...]
    leader: str | None
    contested: bool
    conflict: bool
    support: tuple[str, ...]
    dropped: tuple[Drop, ...]
    rivals: tuple[str, ...] = ()
    as_of: str | None = None
    parts: tuple[Part, ...] = ()

    def of_part(self, part: int) -> tuple[Candidate, ...]:
        """The candidates of one part, best first; empty when no line answers it."""
        return tuple(candidate for candidate in self.candidates if candidate.part == part)


class Place(StrEnum):
    """Where a pool passage ended. Each has exactly one."""

    EVIDENCE = "evidence"
    CONFLICT = "conflict"
    EXCLUDED = "excluded"
    NOT_JUDGED = "not_judged"
    MERGED = "merged"
    CAPPED = "capped"
    BELOW_FLOOR = "below_floor"
    OVER_K = "over_k"
    OVER_BUDGET = "over_budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The place of one pool passage.

    :param rule: the route rule for "excluded"; else "".
    :param detail: one plain sentence: why.
    :param tokens: tokens of its block text in the prompt, or that it would have taken; 0 where it was not counted.
    :param into: the id of the group's representative for "merged"; else "".
    """

    passage_id: str
    place: Place
    rule: str = ""
    detail: str = ""
    tokens: int = 0
    into: str = ""

    @property
    def name(self) -> str:
        """The place as contracts name it: "excluded:injection", else the place."""
        return f"{self.place.value}:{self.rule}" if self.place is Place.EXCLUDED else self.place.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One passage of the prompt as the model sees it.

    :param span: where the block stands in the prompt text.
    :param member_ids: all passages behind it, itself first.
    :param notes: conflict notes shown with it.
    """

    passage_id: str
    place: Place
    text: str
    span: Span
    tokens: int
    member_ids: tuple[str, ...]
    sources: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The prompt and where every pool passage ended.

    :param blocks: in the order of the prompt.
    :param places: one placement a pool passage, in pool order.
    :param tokens: tokens of the whole text.
    :param passage_tokens: tokens of the blocks: what the budget limits.
    :param encoding: name of the token encoding.
    """

    text: str
    blocks: tuple[Block, ...]
    places: tuple[Placement, ...]
    tokens: int
    passage_tokens: int
    budget_tokens: int
    encoding: str

    def count(self, name: str) -> int:
        """How many pool passages ended in a place, by `Placement.name` or plain place."""
        return sum(1 for p in self.places if name in (p.name, str(p.place)))
