from __future__ import annotations

import pytest

from guard_desk.errors import Cancelled
from guard_desk.progress import CancelToken, RunContext
from guard_desk.protocols import Usage
from guard_desk.records import Generated, Prompt
from guard_desk.stages.generate import generate
from tests.models.fakes import ScriptedGenerator

PROMPT = Prompt(text="Question?", blocks=(), places=(), tokens=12, passage_tokens=0, budget_tokens=10, encoding="test")


def test_a_given_answer_wins() -> None:
    result = generate(PROMPT, ScriptedGenerator("no"), RunContext(), given="Seven days.")
    assert (result.text, result.given, result.prompt_tokens) == ("Seven days.", True, 0)


def test_without_generator_there_is_no_answer() -> None:
    result = generate(PROMPT, None, RunContext())
    assert result.text is None
    assert not result.given


def test_pieces_are_handed_out_as_they_come() -> None:
    seen: list[object] = []
    usage = Usage(prompt_tokens=20, answer_tokens=3, finished=False)
    result = generate(PROMPT, ScriptedGenerator("Se", "ven", usage=usage), RunContext(on_partial=seen.append))
    assert [part.text for part in seen if isinstance(part, Generated)] == ["Se", "Seven"]
    assert (result.text, result.prompt_tokens, result.answer_tokens, result.finished) == ("Seven", 20, 3, False)


def test_without_usage_the_prompt_and_the_pieces_are_counted() -> None:
    result = generate(PROMPT, ScriptedGenerator("a", "b"), RunContext())
    assert (result.prompt_tokens, result.answer_tokens, result.finished) == (12, 2, True)


def test_cancel_stops_between_pieces() -> None:
    token = CancelToken()
    ctx = RunContext(token=token, on_partial=lambda _: token.cancel())
    with pytest.raises(Cancelled):
        generate(PROMPT, ScriptedGenerator("a", "b"), ctx)
