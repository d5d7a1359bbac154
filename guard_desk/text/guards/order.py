"""The role guard: the same words in another order, and whether grammar explains it.

Units that keep their order form blocks. Blocks that swapped places are put together again by the moves that grammar
allows: a phrase moved with its preposition, a clause with its conjunction, items of a list, a genitive made a compound,
active made passive. If one block is left the two texts give everything the same part; if not, something changed hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from guard_desk.records.decision import Guard
from guard_desk.text.guards.blocks import Block, blocks_of, fuse, is_core, links_of, touch
from guard_desk.text.guards.lexicon import lexicon
from guard_desk.text.guards.lists import is_list
from guard_desk.text.guards.units import Kind, Text

_LONGEST_LIST = 8
# Most units of each half of a genitive.
_LONGEST_HALF = 3
# The mark of what stands behind its owner ("the pool's heater").
_OWNED = frozenset({"owned"})


@dataclass(frozen=True, slots=True)
class Disorder:
    """Units (positions) that changed places without an explanation."""

    left: tuple[int, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Rules:
    agents: frozenset[str]
    genitives: frozenset[str]
    ordered: bool


Pairs = Sequence[tuple[int, int]]
Move = Callable[[list[Block], "_Rules"], "list[Block] | None"]


def disorder(left: Text, right: Text, pairs: Pairs) -> Disorder | None:
    """The first place where the order differs and no move of grammar explains it; None when all is explained.

    :param pairs: positions of equal units.
    """
    core = sorted((i, j) for i, j in pairs if is_core(left.units[i]) and is_core(right.units[j]))
    floated = _misplaced_float(left, right, pairs, core)
    if floated is not None:
        return floated
    found = _first_disorder(left, right, core)
    return found and _first_disorder(left, right, _straight(left, core)) and found


def _straight(left: Text, core: Pairs) -> Pairs:
    """The same pairs with the occurrences of a repeated unit paired in order."""
    by_key: dict[str, list[tuple[int, int]]] = {}
    for i, j in core:
        by_key.setdefault(left.units[i].key, []).append((i, j))
    straight: list[tuple[int, int]] = []
    for group in by_key.values():
        straight.extend(zip([i for i, _ in group], sorted(j for _, j in group), strict=True))
    return sorted(straight)


def _first_disorder(left: Text, right: Text, core: Pairs) -> Disorder | None:
    lex = lexicon(left.language)
    rules = _Rules(
        agents=frozenset(f"link:{word}" for word in lex.sets["agents"]),
        genitives=frozenset(f"link:{word}" for word in lex.sets["genitives"]),
        ordered=any("then" in unit.marks for unit in (*left.units, *right.units)),
    )
    for component in _components(core):
        found = _check(left, right, component, rules) if len(component) > 1 else None
        if found is not None:
            return found
    return None


def _components(core: Pairs) -> list[list[tuple[int, int]]]:
    """Smallest stretches of the left whose partners form a stretch of the right."""
    ranks = {j: rank for rank, j in enumerate(sorted(j for _, j in core))}
    components: list[list[tuple[int, int]]] = []
    current: list[tuple[int, int]] = []
    highest = -1
    for place, (i, j) in enumerate(core):
        current.append((i, j))
        highest = max(highest, ranks[j])
        if highest == place:
            components.append(current)
            current = []
    return components


def _check(left: Text, right: Text, component: list[tuple[int, int]], rules: _Rules) -> Disorder | None:
    blocks = _joined(blocks_of(left, right, component))
    while len(blocks) > 1:
        shorter = next(filter(None, (move(blocks, rules) for move in _MOVES)), None)
        if shorter is None:
            break
        blocks = _joined(shorter)
    if len(blocks) <= 1:
        return None
    lefts = [i for i, _ in component]
    rights = sorted(j for _, j in component)
    moved = [block for place, block in enumerate(blocks) if _rank(blocks, block) != place] or blocks
    return Disorder(
        left=tuple(lefts[place] for block in moved for place in range(block.left.first, block.left.last + 1)),
        right=tuple(
            rights[place]
            for block in sorted(moved, key=lambda b: b.right.first)
            for place in range(block.right.first, block.right.last + 1)
        ),
    )


def _rank(blocks: list[Block], block: Block) -> int:
    return sum(1 for other in blocks if other.right.first < block.right.first)


def _follows(blocks: list[Block], a: Block, b: Block) -> bool:
    """Whether b comes next after a on the right."""
    return a.right.last < b.right.first and not any(a.right.last < other.right.first < b.right.first for other in blocks)


def _joined(blocks: list[Block]) -> list[Block]:
    """Put neighbours together that stand in the same order on both sides."""
    joined: list[Block] = []
    for block in blocks:
        if joined and _follows(blocks, joined[-1], block):
            joined[-1] = fuse(joined[-1], block)
        else:
            joined.append(block)
    return joined


def _both_ways(blocks: list[Block]) -> Iterator[tuple[list[Block], bool]]:
    """The blocks, and the same blocks with the sides exchanged: a move explains both directions."""
    yield blocks, False
    yield sorted((block.flipped() for block in blocks), key=lambda block: block.left.first), True


def _back(blocks: list[Block], flipped: bool) -> list[Block]:
    return sorted((block.flipped() for block in blocks), key=lambda block: block.left.first) if flipped else blocks


def _replaced(blocks: list[Block], old: Sequence[Block], new: Block) -> list[Block]:
    return sorted([block for block in blocks if block not in old] + [new], key=lambda block: block.left.first)


def _genitive(blocks: list[Block], rules: _Rules) -> list[Block] | None:
    """ "date of purchase", "purchase date"."""
    for ordered, flipped in _both_ways(blocks):
        for x, y in pairwise(ordered):
            swapped = _follows(ordered, y, x) and touch(x.right, y.right) and touch(x.left, y.left)
            plain = x.right.marks <= _OWNED and y.right.marks == x.left.marks and max(x.size, y.size) <= _LONGEST_HALF
            ends = (
                y.left.ends or bool(y.left.after) or x.right.marks == _OWNED
            )  # "version of the basic text" says nothing basic of the version
            once = not (x.compound or y.compound)  # "the red house of Anna" is not "Anna's house of red"
            if swapped and ends and once and y.left.marks & rules.genitives and plain:
                return _back(_replaced(ordered, (x, y), replace(fuse(x, y), compound=True)), flipped)
    return None


def _list(blocks: list[Block], rules: _Rules) -> list[Block] | None:
    """Items around "and" in another order, when nothing says that their order counts."""
    if rules.ordered:
        return None
    for size in range(2, min(_LONGEST_LIST, len(blocks)) + 1):
        for start in range(len(blocks) - size + 1):
            window = blocks[start : start + size]
            if is_list(window):
                fused = window[0]
                for block in window[1:]:
                    fused = fuse(fused, block)
                return _replaced(blocks, window, fused)
    return None


def _passive(blocks: list[Block], rules: _Rules) -> list[Block] | None:
    """ "x did y", "y was done by x"."""
    for ordered, flipped in _both_ways(blocks):
        for x, verb, y in zip(ordered, ordered[1:], ordered[2:], strict=False):
            agent = x.right.marks & rules.agents and not (x.left.marks | y.left.marks) & rules.agents
            agent = agent and "be" in verb.right.marks | x.right.marks and "be" not in verb.left.marks
            behind = _follows(ordered, y, verb) and _follows(ordered, verb, x)
            before = _follows(ordered, y, x) and _follows(ordered, x, verb)
            if agent and (behind or before):
                return _back(_replaced(ordered, (x, verb, y), fuse(fuse(x, verb), y)), flipped)
    return None


def _without_agent(blocks: list[Block], _rules: _Rules) -> list[Block] | None:
    """ "do y" (you), "y must be done": nothing stands before the verb in the active clause."""
    for ordered, flipped in _both_ways(blocks):
        for verb, y in pairwise(ordered):
            passive = "be" in verb.right.marks and not any("be" in block.left.all_marks for block in ordered)
            if _follows(ordered, y, verb) and verb.left.initial and passive:
                return _back(_replaced(ordered, (verb, y), fuse(verb, y)), flipped)
            if _follows(ordered, y, verb) and "object" in y.right.marks:
                return _back(_replaced(ordered, (verb, y), fuse(verb, y)), flipped)
    return None


def _front(blocks: list[Block], _rules: _Rules) -> list[Block] | None:
    """The end of a sentence put before it, set off by a comma."""
    if len(blocks) != 2:
        return None
    for ordered, flipped in _both_ways(blocks):
        x, y = ordered
        if min(x.size, y.size) > 1 and "," in x.right.marks and not {",", "and"} & y.left.marks:
            return _back([fuse(x, y)], flipped)
    return None


def _moved_phrase(blocks: list[Block], _rules: _Rules) -> list[Block] | None:
    """A phrase that moved with its preposition, a clause with its conjunction, or a date."""
    for place, block in enumerate(blocks):
        if len(blocks) > 1 and _may_move(blocks, place, block):
            return [other for other in blocks if other is not block]
    return None


def _may_move(blocks: list[Block], place: int, block: Block) -> bool:
    if any(side.cuts_before or side.cuts_behind for side in (block.left, block.right)):
        return False
    rank, last = _rank(blocks, block), len(blocks) - 1
    if not (place in (0, last) or rank in (0, last)):
        return False
    shared = links_of(block.left.marks) & links_of(block.right.marks)
    later = "then" in block.left.marks and "open:direction:before" in block.right.marks
    later = later or ("then" in block.right.marks and "open:direction:before" in block.left.marks)
    if not (shared or block.dated or later):
        return False
    at_edges = block.left.at_edge and block.right.at_edge
    for position, other in enumerate(blocks):
        if other is block:
            continue
        crossed = (position < place) != (_rank(blocks, other) < rank)
        alike = shared & (links_of(other.left.marks) | links_of(other.right.marks)) or (block.dated and other.dated)
        if crossed and other.valued and not shared:
            return False  # "100 in 2013" is not "2013 in 100"
        around = other.left.marks | other.right.marks | block.left.marks | block.right.marks
        if crossed and (alike or (not at_edges and {"and", "open:condition:but"} & around)):
            return False
    return True


_MOVES: tuple[Move, ...] = (_genitive, _list, _passive, _without_agent, _front, _moved_phrase)


def _misplaced_float(left: Text, right: Text, pairs: Pairs, core: Pairs) -> Disorder | None:
    """A negation or modal that went to another clause, or two free expressions that changed places."""
    partners = dict(core)
    floats = sorted((i, j) for i, j in pairs if left.units[i].floats and right.units[j].floats)
    for i, j in floats:
        mates = {partners[k] for k in partners if left.units[k].clause == left.units[i].clause}
        others = {k for k in partners.values() if right.units[k].clause == right.units[j].clause}
        if mates and others and 2 * len(mates & others) < min(len(mates), len(others)):
            return Disorder((i,), (j,))
    quantifiers = [(k, m) for k, m in core if left.units[k].guard is Guard.QUANTIFIER]
    for i, j in floats:
        for k, m in quantifiers:
            if left.units[i].guard is Guard.NEGATION and (i < k) is not (j < m):
                return Disorder((k, i), (m, j))  # "not all are" is not "all are not"
    free = sorted((i, j) for i, j in pairs if left.units[i].kind is Kind.FREE)
    for (i, j), (k, m) in pairwise(free):
        if j > m:
            return Disorder((i, k), (m, j))
    return None
