"""What the prompt's tokens go to, block by block, and what found no room."""

from __future__ import annotations

from dataclasses import dataclass

from guard_desk.records.decision import Place
from guard_desk.records.trace import Trace

_NO_ROOM = (Place.OVER_BUDGET, Place.OVER_K, Place.BELOW_FLOOR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A passage of the prompt, or one that found no room.

    :param number: place in the prompt, from 1; None when it is not in it.
    :param share: of the budget, 0..1.
    :param members: passages behind it, itself included.
    :param detail: why it is not in the prompt; "" when it is.
    """

    passage_id: str
    place: Place
    tokens: int
    share: float
    number: int | None = None
    members: int = 1
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptUse:
    """Where the tokens go.

    :param inside: the blocks in the order of the prompt; `outside`: accepted passages without room, in rank order.
    :param tokens: of the passages, which the budget limits; `total`: with the rules and the question.
    """

    inside: tuple[Use, ...]
    outside: tuple[Use, ...]
    tokens: int
    budget: int
    total: int

    @property
    def free(self) -> int:
        """Tokens that the budget still has."""
        return max(0, self.budget - self.tokens)


def prompt_use(trace: Trace) -> PromptUse:
    """The use of a run's prompt."""
    prompt = trace.prompt
    budget = max(1, prompt.budget_tokens)
    inside = tuple(
        Use(
            passage_id=block.passage_id,
            place=block.place,
            tokens=block.tokens,
            share=block.tokens / budget,
            number=number,
            members=len(block.member_ids),
        )
        for number, block in enumerate(prompt.blocks, 1)
    )
    outside = tuple(
        Use(passage_id=item.passage_id, place=item.place, tokens=item.tokens, share=item.tokens / budget, detail=item.detail)
        for item in prompt.places
        if item.place in _NO_ROOM
    )
    return PromptUse(inside=inside, outside=outside, tokens=prompt.passage_tokens, budget=prompt.budget_tokens, total=prompt.tokens)
