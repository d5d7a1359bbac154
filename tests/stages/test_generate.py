from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from guard_desk.errors import Cancelled, RemoteError
from guard_desk.policy import AnswerMode, GeneratePolicy
from guard_desk.progress import CancelToken, RunContext
from guard_desk.protocols import Generator, Usage
from guard_desk.records import Generated, ModelInfo, Prompt, Query
from guard_desk.records.corpus import Span
from guard_desk.records.decision import Block, Part, Place, Placement, Thinned
from guard_desk.stages.generate import Stopped, best_first, generate, sizes
from tests.fakes import WordCounter
from tests.models.fakes import ScriptedGenerator

PROMPT = Prompt(text="One question?", blocks=(), places=(), tokens=2, passage_tokens=0, budget_tokens=10, encoding="test")
NOTHING = Thinned(candidates=(), leader=None, contested=False, conflict=False, support=(), dropped=())
ROUNDS = GeneratePolicy(mode=AnswerMode.ROUNDS)
OR_LEADER = GeneratePolicy(mode=AnswerMode.ROUNDS_OR_LEADER)


class Answering:
    """Gives one answer after the other, and keeps the prompts."""

    info = ModelInfo(name="answering", revision="1")

    def __init__(self, *answers: str) -> None:
        self._answers = iter(answers)
        self.prompts: list[str] = []

    def generate(self, prompt: str, ctx: RunContext) -> Iterator[str]:
        ctx.check()
        self.prompts.append(prompt)
        yield next(self._answers)


def prompt_of(*ids: str, conflicting: Sequence[str] = ()) -> Prompt:
    def block(passage_id: str) -> Block:
        place = Place.CONFLICT if passage_id in conflicting else Place.EVIDENCE
        text = f"[{passage_id}]\ntext of {passage_id}"
        return Block(passage_id=passage_id, place=place, text=text, span=Span(0, 1), tokens=4, member_ids=(passage_id,), sources=())

    blocks = tuple(block(passage_id) for passage_id in ids)
    places = tuple(Placement(passage_id=block.passage_id, place=block.place) for block in blocks)
    return Prompt(text="all", blocks=blocks, places=places, tokens=1, passage_tokens=1, budget_tokens=99, encoding="test")


def leading(value: str | None, *support: str) -> Thinned:
    part = Part(span=Span(0, 1), leader=value, contested=False, conflict=False)
    return Thinned(candidates=(), leader=value, contested=False, conflict=False, support=support, dropped=(), parts=(part,))


def ask(
    prompt: Prompt,
    generator: Generator | None,
    *,
    ctx: RunContext | None = None,
    thinned: Thinned = NOTHING,
    policy: GeneratePolicy | None = None,
    given: str | None = None,
) -> Generated:
    query, policy = Query(text="What is it?"), policy or GeneratePolicy()
    return generate(prompt, generator, ctx or RunContext(), query=query, thinned=thinned, policy=policy, counter=WordCounter(), given=given)


def test_a_given_answer_wins() -> None:
    result = ask(PROMPT, ScriptedGenerator("no"), given="Seven days.")
    assert (result.text, result.given, result.prompt_tokens) == ("Seven days.", True, 0)


def test_without_generator_there_is_no_answer() -> None:
    result = ask(PROMPT, None)
    assert result.text is None
    assert not result.given


def test_pieces_are_handed_out_as_they_come() -> None:
    seen: list[object] = []
    usage = Usage(prompt_tokens=20, answer_tokens=3, finished=False)
    result = ask(PROMPT, ScriptedGenerator("Se", "ven", usage=usage), ctx=RunContext(on_partial=seen.append))
    assert [part.text for part in seen if isinstance(part, Generated)] == ["Se", "Seven"]
    assert (result.text, result.prompt_tokens, result.answer_tokens, result.finished) == ("Seven", 20, 3, False)


def test_without_usage_prompt_and_answer_are_counted() -> None:
    result = ask(PROMPT, ScriptedGenerator("a ", "b"))
    assert (result.prompt_tokens, result.answer_tokens, result.finished, result.estimated) == (2, 2, True, True)


def test_counts_that_were_told_are_no_estimates() -> None:
    usage = Usage(prompt_tokens=20, answer_tokens=3)
    assert not ask(PROMPT, ScriptedGenerator("7", usage=usage)).estimated
    in_rounds = ask(prompt_of("a"), ScriptedGenerator("7", usage=usage), policy=ROUNDS)
    assert not in_rounds.estimated
    assert not in_rounds.rounds[0].estimated
    assert ask(prompt_of("a"), Answering("7"), policy=ROUNDS).rounds[0].estimated


def test_cancel_stops_between_pieces() -> None:
    token = CancelToken()
    ctx = RunContext(token=token, on_partial=lambda _: token.cancel())
    with pytest.raises(Cancelled):
        ask(PROMPT, ScriptedGenerator("a", "b"), ctx=ctx)


@pytest.mark.parametrize(
    ("passages", "rounds", "expected"),
    [(1, 5, [1]), (2, 5, [1, 2]), (3, 5, [1, 2, 3]), (16, 5, [1, 2, 4, 8, 16]), (40, 3, [1, 2, 4]), (5, 1, [1])],
)
def test_rounds_double_and_end_with_all_passages(passages: int, rounds: int, expected: list[int]) -> None:
    assert list(sizes(passages, rounds)) == expected


def test_rounds_end_when_the_normalised_answer_repeats() -> None:
    model = Answering("Oslo", "Bergen", "The Bergen.", "never asked")
    result = ask(prompt_of(*"abcdefgh"), model, policy=ROUNDS)
    assert result.text == "The Bergen."
    assert [item.passage_ids for item in result.rounds] == [("a",), ("a", "b"), ("a", "b", "c", "d")]
    assert [item.same for item in result.rounds] == [None, False, True]
    assert (result.prompt_tokens, result.answer_tokens) == (
        sum(item.prompt_tokens for item in result.rounds),
        sum(item.answer_tokens for item in result.rounds),
    )
    assert result.finished


def test_an_answer_of_rounds_is_asked_with_the_template_and_both_blocks() -> None:
    model = Answering("x", "x")
    ask(prompt_of("a", "b", conflicting=("b",)), model, policy=ROUNDS)
    assert "text of a" in model.prompts[0]
    assert "text of b" not in model.prompts[0]
    assert model.prompts[1].index("text of a") < model.prompts[1].index("text of b")
    assert "What is it?" in model.prompts[1]


def test_the_strongest_lines_of_the_leader_come_first_then_the_rank() -> None:
    assert best_first(prompt_of("a", "b", "c", "d"), leading("x", "c", "out", "b")) == ("c", "b", "a", "d")


def test_rounds_that_run_out_keep_the_last_answer() -> None:
    result = ask(prompt_of(*"abcd"), Answering("1", "2", "3"), policy=ROUNDS, thinned=leading("9", "a"))
    assert (result.text, result.fallback, len(result.rounds)) == ("3", False, 3)


def test_the_leader_stands_in_where_the_answer_does_not_state_it() -> None:
    result = ask(prompt_of(*"abcd"), Answering("5 days", "no idea", "9 days"), policy=OR_LEADER, thinned=leading("7 days", "a"))
    assert (result.text, result.fallback) == ("7 days", True)
    assert len(result.rounds) == 3


def test_an_answer_that_states_the_leader_in_another_format_stays() -> None:
    result = ask(prompt_of("a", "b"), Answering("One week.", "It is one week."), policy=OR_LEADER, thinned=leading("7 days", "a"))
    assert (result.text, result.fallback) == ("It is one week.", False)


def test_without_a_leader_there_is_nothing_to_fall_back_to() -> None:
    result = ask(prompt_of("a", "b"), Answering("x", "y"), policy=OR_LEADER, thinned=leading(None))
    assert (result.text, result.fallback) == ("y", False)


def test_finished_rounds_are_handed_out_before_a_cancel() -> None:
    token, seen = CancelToken(), []

    def receive(part: object) -> None:
        seen.append(part)
        if isinstance(part, Generated) and len(part.rounds) == 2:
            token.cancel()

    with pytest.raises(Stopped) as stop:
        ask(prompt_of(*"abcdefgh"), Answering("x", "y", "z"), ctx=RunContext(token=token, on_partial=receive), policy=ROUNDS)
    assert [item.text for item in seen[-1].rounds] == ["x", "y"]
    assert not seen[-1].finished
    left = stop.value.generated
    assert (left.text, left.rounds) == (None, seen[-1].rounds)
    assert left.failure.startswith("The generator answering was stopped in round 3:")


def test_rounds_say_whether_the_last_two_agreed() -> None:
    assert ask(prompt_of(*"ab"), Answering("1", "1"), policy=ROUNDS).agreed is True
    assert ask(prompt_of(*"ab"), Answering("1", "2"), policy=ROUNDS).agreed is False
    assert ask(prompt_of("a"), Answering("1"), policy=ROUNDS).agreed is None
    assert ask(PROMPT, Answering("1")).agreed is None


# A generator that fails costs the answer alone


class Failing(Answering):
    """Gives its answers, then raises in the middle of the next one."""

    def __init__(self, error: BaseException, *answers: str) -> None:
        super().__init__(*answers)
        self._error, self._left = error, len(answers)

    def generate(self, prompt: str, ctx: RunContext) -> Iterator[str]:
        if not self._left:
            yield "half an ans"
            raise self._error
        self._left -= 1
        yield from super().generate(prompt, ctx)


REFUSED = RemoteError("http://host/v1 refused the key (HTTP 401).", remedy="Set another key.", status=401)


def test_a_generator_that_fails_gives_no_answer_and_says_why() -> None:
    result = ask(PROMPT, Failing(REFUSED))
    assert result.text is None
    assert result.failure == "The generator answering failed: http://host/v1 refused the key (HTTP 401). Set another key."
    assert (result.rounds, result.finished, result.generator.name) == ((), False, "answering")


def test_the_rounds_before_a_failure_are_kept() -> None:
    result = ask(prompt_of(*"abcdefgh"), Failing(REFUSED, "x", "y"), policy=OR_LEADER, thinned=leading("7 days", "a"))
    assert (result.text, result.fallback, result.agreed) == (None, False, None)
    assert [item.text for item in result.rounds] == ["x", "y"]
    assert result.prompt_tokens == sum(item.prompt_tokens for item in result.rounds)
    assert "failed in round 3: http://host/v1 refused the key" in result.failure
    assert result.failure.endswith("The 2 rounds before it are kept.")


@pytest.mark.parametrize(("error", "words"), [(MemoryError(), "not enough memory"), (KeyError("passage text"), "KeyError. Run again")])
def test_whatever_a_generator_raises_costs_the_answer_alone(error: Exception, words: str, caplog: pytest.LogCaptureFixture) -> None:
    result = ask(PROMPT, Failing(error))
    assert result.text is None
    assert words in result.failure
    assert "passage text" not in result.failure
    caplog.clear()  # the unforeseen one is logged for the developers


def test_a_stream_that_is_left_is_closed_at_once() -> None:
    closed = []

    class Open(Answering):
        def generate(self, prompt: str, ctx: RunContext) -> Iterator[str]:
            try:
                yield "some"
                yield "words"
            finally:
                closed.append(prompt)

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Stopped) as stop:
        ask(PROMPT, Open(), ctx=RunContext(on_partial=interrupt))
    assert closed == [PROMPT.text]
    assert stop.value.generated.text is None


def test_an_interrupt_is_a_cancel_that_keeps_the_rounds() -> None:
    with pytest.raises(Stopped) as stop:
        ask(prompt_of(*"abcd"), Failing(KeyboardInterrupt(), "x"), policy=ROUNDS)
    assert [item.text for item in stop.value.generated.rounds] == ["x"]


def test_a_prompt_without_passages_is_asked_once() -> None:
    result = ask(PROMPT, Answering("insufficient"), policy=ROUNDS)
    assert (result.text, result.rounds) == ("insufficient", ())
