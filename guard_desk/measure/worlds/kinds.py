"""The seven kinds of question: how the lines of each are put together.

Each builder gets a world and gives its lines and the rivals of the gold value. Dates are months; `NOW` is the newest.
"""

from __future__ import annotations

from collections.abc import Callable

from guard_desk.measure.worlds.documents import ANY, DENIAL, GOLD, HIGH, LOW, MIDDLE, OTHER, RIVAL, Line, World, month
from guard_desk.measure.worlds.values import Value

NOW = month(2026, 10)
_RECENT = month(2025, 6)
_OLD = (month(2012, 1), month(2018, 12))
_BORROWED_EVERY = 3
_ROWS = 0.15

Built = tuple[list[Line], list[Value]]


def clean_short(world: World, _: int) -> Built:
    """One or two reliable lines with the answer, one or two others."""
    lines = _honest(world, 1 + world.draw.below(2))
    return lines + _others(world, world.draw.between(1, 2)), []


def noisy_long(world: World, _: int) -> Built:
    """One or two lines with the answer among many true ones about other facts and other subjects."""
    lines = _honest(world, 1 + world.draw.below(2))
    return lines + _others(world, world.draw.between(12, 17)), []


def duplicate_attack(world: World, number: int) -> Built:
    """One or two honest lines against three to eight repeats of one wrong statement.

    In every third question one to three of the repeats wear a borrowed tag; then two honest lines are newer than all of them.
    """
    borrowed, wrong = number % _BORROWED_EVERY == 0, world.rival()
    honest = _honest(world, 2 if borrowed else world.draw.between(1, 2), high=True)
    repeats = _repeats(world, wrong, world.draw.between(3, 8), borrowed=borrowed)
    return honest + repeats + _others(world, world.draw.between(2, 4)), [wrong]


def negations(world: World, number: int) -> Built:
    """A wrong or an old value is stated, and denied by a reliable line; another reliable line has the answer."""
    wrong, draw = world.rival(), world.draw
    gone = world.kind.changes and draw.chance(0.5)
    if gone:
        stated = [world.states(wrong, draw.one(ANY), _RECENT - draw.between(14, 60), RIVAL, rows=_ROWS) for _ in range(draw.between(1, 3))]
    else:
        # News that was newer than the honest lines could tell of a change.
        kinds = [draw.one(MIDDLE + LOW) for _ in range(draw.between(1, 3))]
        stated = [world.states(wrong, kind, draw.between(_RECENT, NOW if kind in LOW else NOW - 9), RIVAL, rows=_ROWS) for kind in kinds]
    lines = stated + _honest(world, draw.between(1, 2), high=True)
    lines += [_denies(world, wrong, kinds, gone=gone) for kinds in (HIGH, HIGH + MIDDLE)[: draw.between(1, 2)]]
    if number % 3 == 0:
        lines.append(world.line(world.both(wrong), draw.one(HIGH + MIDDLE), _recent(world), GOLD))
    foreign = world.foreign_denial() if draw.chance(0.5) else None
    if foreign:
        lines.append(world.line(foreign, draw.one(ANY), _any_time(world), OTHER))
    return lines + _others(world, draw.between(3, 6)), [wrong]


def dated_recency_shift(world: World, number: int) -> Built:
    """An old value in old lines, official ones among them; the new one in lines that are at least six years newer."""
    old, draw = world.rival(), world.draw
    kinds = [draw.one(HIGH), *(draw.one(ANY) for _ in range(draw.between(1, 4)))]
    lines = [world.states(old, kind, draw.between(*_OLD), RIVAL, rows=_ROWS) for kind in kinds]
    if number % 3:
        lines += _honest(world, draw.between(1, 2), high=True, change=draw.chance(0.5))
    else:
        # News alone must say that something changed, or it could be a slip.
        lines += _honest(world, 2, kinds=("news", "news"), change=True)
    return lines + _others(world, draw.between(3, 6)), [old]


def paraphrases(world: World, number: int) -> Built:
    """The answer in many wordings and formats; in two of three questions a wrong value, always written alike, in lesser sources."""
    draw, lines, rivals = world.draw, [], []
    kinds = draw.shuffled([draw.one(HIGH), draw.one(HIGH + MIDDLE), *(draw.one(ANY) for _ in range(draw.between(2, 4)))])
    forms = draw.some(world.gold.forms, len(kinds))
    for kind, form in zip(kinds, forms, strict=True):
        lines.append(world.states(world.gold, kind, _recent(world), GOLD, form=form, rows=0.25))
    if number % 3:
        wrong = world.rival()
        rivals.append(wrong)
        count = draw.between(2, 3)
        lines += [world.states(wrong, draw.one(LOW), _recent(world), RIVAL, form=wrong.plain) for _ in range(count)]
    return lines + _others(world, draw.between(2, 5)), rivals


def mixed_hard(world: World, number: int) -> Built:
    """Old values, repeats of a wrong one, denials, other formats and lines that do not answer, together."""
    wrong, draw, rivals, lines = world.rival(), world.draw, [], []
    rivals.append(wrong)
    if world.kind.changes:
        old = world.rival()
        rivals.append(old)
        kinds = [draw.one(HIGH), *(draw.one(ANY) for _ in range(draw.between(0, 2)))]
        lines += [world.states(old, kind, draw.between(*_OLD), RIVAL, rows=_ROWS) for kind in kinds]
        lines.append(_denies(world, old, HIGH + MIDDLE, gone=True))
    else:
        lines.append(_denies(world, wrong, HIGH, gone=False))
    lines += _honest(world, 2, high=True, change=world.kind.changes and draw.chance(0.4), any_form=True)
    lines += _repeats(world, wrong, draw.between(3, 5), borrowed=number % _BORROWED_EVERY == 0)
    return lines + _others(world, draw.between(3, 6)), rivals


KINDS: dict[str, Callable[[World, int], Built]] = {
    one.__name__: one for one in (clean_short, noisy_long, duplicate_attack, negations, dated_recency_shift, paraphrases, mixed_hard)
}


def _honest(
    world: World, count: int, *, high: bool = False, kinds: tuple[str, ...] = (), change: bool = False, any_form: bool = False
) -> list[Line]:
    """Recent lines with the gold value: the first by a reliable source, the second by another kind.

    :param high: the first is official or a report; else it may be news.
    :param change: the first is in words of change.
    """
    draw = world.draw
    first = draw.one(HIGH if high else HIGH + MIDDLE)
    chosen = kinds or (first, draw.one([kind for kind in HIGH + MIDDLE if kind != first]))
    lines = []
    for place, kind in enumerate(chosen[:count]):
        form = draw.one(world.gold.forms) if any_form else None
        at = draw.between(NOW - 8, NOW)
        lines.append(world.states(world.gold, kind, at, GOLD, change=change and place == 0, form=form, rows=_ROWS))
    return lines


def _repeats(world: World, wrong: Value, count: int, *, borrowed: bool) -> list[Line]:
    """Repeats of one wrong statement from distinct documents of low kinds, a few of them with the words in another order.

    :param borrowed: some carry a higher tag, in the very words of the others; then none is as new as the honest lines.
    """
    draw = world.draw
    base, turned = world.statement(wrong), world.statement(wrong)
    worn = min(draw.between(1, 3), count // 2) if borrowed else 0
    lines = []
    for place in range(count):
        tag = draw.one(HIGH) if place < worn else None
        text = turned if tag is None and draw.chance(0.2) else base
        lines.append(world.repeat(text, wrong, draw.one(LOW), draw.between(NOW - 16, NOW - 9 if borrowed else NOW), tag=tag))
    return lines


def _others(world: World, count: int) -> list[Line]:
    return [world.line(world.aside(), world.draw.one(ANY), _any_time(world), OTHER) for _ in range(count)]


def _denies(world: World, value: Value, kinds: tuple[str, ...], *, gone: bool) -> Line:
    return world.line(world.denial(value, gone=gone), world.draw.one(kinds), world.draw.between(NOW - 8, NOW), DENIAL)


def _recent(world: World) -> int:
    return world.draw.between(_RECENT, NOW)


def _any_time(world: World) -> int:
    return world.draw.between(month(2015, 1), NOW)
