from __future__ import annotations

from guard_desk.measure.prompt_use import prompt_use
from guard_desk.records.decision import Place
from tests.ui import builders


def test_blocks_and_what_is_free_make_up_the_budget() -> None:
    run = builders.trace()
    use = prompt_use(run)
    assert [item.passage_id for item in use.inside] == [block.passage_id for block in run.prompt.blocks]
    assert sum(item.tokens for item in use.inside) == use.tokens == run.prompt.passage_tokens
    assert use.free == use.budget - use.tokens
    assert use.total == run.prompt.tokens
    assert [item.number for item in use.inside] == list(range(1, len(use.inside) + 1))
    assert any(item.members > 1 for item in use.inside)


def test_what_found_no_room_is_told_with_its_reason() -> None:
    use = prompt_use(builders.decided(builders.trace(), "assemble.k", 1))
    assert {item.place for item in use.outside} == {Place.OVER_K}
    assert all(item.detail and item.number is None for item in use.outside)
    tight = prompt_use(builders.decided(builders.trace(), "assemble.budget_tokens", 1))
    assert (tight.inside, tight.tokens, tight.free) == ((), 0, 1)
    assert {item.place for item in tight.outside} == {Place.OVER_BUDGET}
