"""Made-up worlds with a question each, whose right answer is beyond doubt: the questions of the suite `paper`.

The seven kinds follow the published stress set of candidate scoring (product.md). The texts lie in `resources/bench/paper_*.toml`.

The rule of truth, which a careful reader follows and every question is built to obey:

1. Only lines about the asked fact of the asked subject count; other facts and other subjects do not answer.
2. Sources rank official, report, news, then blog, forum and social.
3. The same statement once more, in nearly the same words, is no further evidence, whatever its tag claims; a line that repeats a forum's
   sentence at a forum's address under the tag "official" stays a forum's.
4. Of what reliable sources (official, report, news) say in their own words, the newest counts: it is years newer than a reliable line that
   says otherwise, or no other reliable line says otherwise, or a reliable line denies what the other says.
5. What a reliable line denies, and no newer reliable line states, is not the answer.

The gold value of every question fulfils all that bear on it at once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from guard_desk.measure.worlds.data import QuestionType, question_types
from guard_desk.measure.worlds.documents import GOLD, World
from guard_desk.measure.worlds.draw import Draw
from guard_desk.measure.worlds.kinds import KINDS, dated_recency_shift
from guard_desk.measure.worlds.values import Namer, Value

DEFAULT_COUNT = 300
DEFAULT_SEED = 2026


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperCase:
    """A question with its evidence lines.

    :param kind: one of the seven.
    :param type: the type of question, e.g. "mayor".
    :param lines: tagged lines, in mixed order.
    :param gold: the right value, plain.
    :param accept: every spelling of it, `gold` the first.
    :param rivals: wrong values that lines state as the answer, each with its spellings.
    :param decoys: values of the same form that lines state of something else, each with its spellings.
    :param gold_lines: positions of the lines that state the right value.
    :param roles: what each line does: gold, rival, denial, other.
    """

    id: str
    kind: str
    type: str
    question: str
    lines: tuple[str, ...]
    gold: str
    accept: tuple[str, ...]
    rivals: tuple[tuple[str, ...], ...]
    decoys: tuple[tuple[str, ...], ...]
    gold_lines: tuple[int, ...]
    roles: tuple[str, ...]


def paper_cases(count: int = DEFAULT_COUNT, seed: int = DEFAULT_SEED) -> tuple[PaperCase, ...]:
    """The questions, the kinds in turn: the first seven are one of each.

    The same count and seed give the same questions on every machine; another count keeps the first ones.
    """
    draw = Draw(seed)
    namer = Namer(draw)
    types = {name: _dealt(name, draw) for name in KINDS}
    names = tuple(KINDS)
    return tuple(_case(names[at % len(names)], at // len(names), types[names[at % len(names)]], namer, draw) for at in range(count))


def digest(cases: Sequence[PaperCase]) -> str:
    """The sha256 of the questions with everything that belongs to them."""
    return hashlib.sha256(json.dumps([asdict(case) for case in cases], sort_keys=True).encode("ascii")).hexdigest()


def _dealt(kind: str, draw: Draw) -> list[QuestionType]:
    """The types of one kind of question in an order that comes round."""
    return draw.shuffled([one for one in question_types() if one.changes or kind != dated_recency_shift.__name__])


def _case(kind: str, number: int, types: list[QuestionType], namer: Namer, draw: Draw) -> PaperCase:
    world = World(types[number % len(types)], namer, draw)
    question = world.question()
    built, rivals = KINDS[kind](world, number)
    lines = draw.shuffled(built)
    return PaperCase(
        id=f"{kind}-{number:02}",
        kind=kind,
        type=world.kind.name,
        question=question,
        lines=tuple(line.text for line in lines),
        gold=world.gold.plain,
        accept=world.gold.accept,
        rivals=_spellings(rivals),
        decoys=_spellings(world.decoys),
        gold_lines=tuple(at for at, line in enumerate(lines) if line.role == GOLD),
        roles=tuple(line.role for line in lines),
    )


def _spellings(values: list[Value]) -> tuple[tuple[str, ...], ...]:
    return tuple(value.accept for value in values)
