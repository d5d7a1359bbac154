"""The finder: what it gives for passages, with tiny random weights where any will do and with the shipped ones where they must know."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guard_desk.errors import Cancelled
from guard_desk.models import answers
from guard_desk.models.answers import finder as module
from guard_desk.models.answers import load_finder
from guard_desk.models.answers.finder import EmbeddedFinder
from guard_desk.models.answers.network import AnswerNetwork
from guard_desk.models.judges.judge_windows import PlacedWindow
from guard_desk.progress import CancelToken, Progress, RunContext
from guard_desk.protocols import AnswerFinder
from guard_desk.records.corpus import Passage
from guard_desk.records.state import Models
from tests.builders import passages
from tests.models.answers.tiny_answers import make_answers
from tests.weights import needs_answers

QUESTION = "Who is the mayor of Harwick?"
TEXTS = st.text(st.sampled_from("the file 4 days 😀 備份 é e\u0301 ﬁ İ . \n\t"), max_size=120)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> AnswerNetwork:
    with pytest.MonkeyPatch.context() as patch:
        network = make_answers(tmp_path_factory.mktemp("tiny"), patch)
        assert network.tokenizer.token_to_id("file")
        network.load()
        patch.undo()
    return network


@pytest.fixture
def tiny_finder(tiny: AnswerNetwork, monkeypatch: pytest.MonkeyPatch) -> EmbeddedFinder:
    from guard_desk.models.judges import network

    monkeypatch.setattr(network, "embedded_folder", lambda name: tiny._folder.parent / "base")
    return EmbeddedFinder(tiny)


def shipped() -> AnswerFinder:
    found = load_finder(Models(device="cpu"))
    assert found is not None
    return found


def words(finder: AnswerFinder, question: str, text: str, least: float = 0.1) -> list[str]:
    found = finder.find([question], [Passage(id="p", text=text)], RunContext())
    return [mark.span.of(text) for mark in found[0] if mark.score >= least]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(text=TEXTS)
def test_spans_lie_in_the_text_whatever_its_characters(tiny_finder: EmbeddedFinder, text: str) -> None:
    for mark in tiny_finder.find(["the file ?"], [Passage(id="p", text=text)], RunContext())[0]:
        found = mark.span.of(text)
        assert 0 <= mark.span.start < mark.span.end <= len(text)
        assert found == found.strip()
        assert 0 < mark.score <= 1


def test_parts_of_a_question_are_told_apart_and_sorted_together(tiny_finder: EmbeddedFinder) -> None:
    pool = passages("The file may be up to 4 GB.", "Links never expire.", "")
    both = tiny_finder.find(["the file ?", "how long ?"], pool, RunContext())
    assert len(both) == 3
    assert {mark.part for mark in both[0]} == {0, 1}
    assert both[2] == ()
    for part, question in enumerate(("the file ?", "how long ?")):
        alone = EmbeddedFinder(tiny_finder._network).find([question], pool, RunContext())
        assert [(mark.span, mark.score) for mark in both[0] if mark.part == part] == [(mark.span, mark.score) for mark in alone[0]]
    assert all([mark.score for mark in marks] == sorted((mark.score for mark in marks), reverse=True) for marks in both)


def test_a_second_run_asks_the_network_nothing(tiny_finder: EmbeddedFinder, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = passages("The file may be up to 4 GB.", "Links never expire.")
    first = tiny_finder.find(["the file ?"], pool, RunContext())

    def fail(windows: Sequence[PlacedWindow]) -> None:
        raise AssertionError("the network was asked again")

    monkeypatch.setattr(tiny_finder._network, "spans", fail)
    renamed = [Passage(id=f"other {passage.id}", text=passage.text) for passage in pool]
    assert tiny_finder.find(["the file ?"], renamed, RunContext()) == first


def test_what_is_kept_is_bounded(tiny_finder: EmbeddedFinder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 3)
    tiny_finder.find(["the file ?"], passages(*(f"file {number}" for number in range(7))), RunContext())
    assert len(tiny_finder._kept) == 3


def test_a_cancel_is_noticed_between_batches_and_what_was_found_is_kept(tiny_finder: EmbeddedFinder) -> None:
    token, seen = CancelToken(), []

    def watch(progress: Progress) -> None:
        seen.append(progress)
        if progress.done:
            token.cancel()

    pool = passages(*(f"The file may be up to {number} days." for number in range(300)))
    with pytest.raises(Cancelled):
        tiny_finder.find(["the file ?"], pool, RunContext(token=token, on_progress=watch))
    assert 0 < len(tiny_finder._kept) < len(pool)
    assert seen[0].total == len(pool)
    assert {progress.stage for progress in seen} == {"answers"}


def test_a_cancel_is_noticed_within_a_long_passage(tiny_finder: EmbeddedFinder) -> None:
    token, asked = CancelToken(), []
    original = tiny_finder._network.spans

    def spans(windows: Sequence[PlacedWindow]) -> object:
        asked.append(len(windows))
        token.cancel()
        return original(windows)

    tiny_finder._network.spans = spans  # type: ignore[assignment,method-assign]
    try:
        with pytest.raises(Cancelled):
            tiny_finder.find(["the file ?"], passages("The file may be up to 4 GB. " * 200), RunContext(token=token))
    finally:
        del tiny_finder._network.spans
    assert asked == [module.FEWEST_WINDOWS]


@pytest.mark.parametrize(
    ("question", "text"), [("备份保留多久？", "Backups are kept for 7 days."), ("the file ?", "备份保留七天。"), ("கோப்பு ?", "கோப்பு")]
)
def test_scripts_that_the_network_does_not_read_get_no_marks(tiny_finder: EmbeddedFinder, question: str, text: str) -> None:
    assert tiny_finder.find([question], passages(text), RunContext()) == ((),)


def test_the_rules_alone_have_no_finder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_finder(Models(judge="features")) is None
    monkeypatch.setattr(answers.resources, "path", lambda *parts: tmp_path.joinpath(*parts))
    assert load_finder(Models()) is None


@needs_answers
@pytest.mark.models
@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        (QUESTION, "The mayor of Harwick is Linus Voss. The harbour is old.", "Linus Voss"),
        (QUESTION, "😀😀 In Harwick 备份 (哈里克) the mayor is Linus Voss 👍🏽.", "Linus Voss"),
        ("Where was Ada Moss born?", "Ada Moss was born in Cafe\u0301 Zu\u0308rich\u0301 in 1961.", "Cafe\u0301 Zu\u0308rich\u0301"),
        ("When was Ada Moss born?", "Ada Moss, a painter, was born in Lund in 1961.", "1961"),
        ("How long are backups kept?", "The service keeps backups for 14 days.\r\n\r\nIt costs 3 euros.", "14 days"),
    ],
)
def test_answers_are_marked_at_their_places(question: str, text: str, expected: str) -> None:
    assert words(shipped(), question, text)[:1] == [expected]


@needs_answers
@pytest.mark.models
def test_what_does_not_answer_is_not_marked() -> None:
    assert words(shipped(), QUESTION, "The printer on the second floor is out of paper.") == []
    assert words(shipped(), QUESTION, "Harwick has a harbour and two mills.") == []


@needs_answers
@pytest.mark.models
def test_a_long_passage_is_read_to_its_end() -> None:
    text = "The harbour is open on weekdays and closed on Sundays. " * 60 + "The mayor of Harwick is Linus Voss."
    assert "Linus Voss" in words(shipped(), QUESTION, text)


@needs_answers
@pytest.mark.models
def test_order_and_company_of_passages_change_no_answer() -> None:
    pool = passages("The mayor of Harwick is Linus Voss.", "In 2019 Harwick elected Ada Moss. She has been mayor since.", "Rain. " * 90)
    first = EmbeddedFinder(answers._finder("cpu")._network)  # type: ignore[attr-defined]
    second = EmbeddedFinder(answers._finder("cpu")._network)  # type: ignore[attr-defined]
    forward = first.find([QUESTION], pool, RunContext())
    backward = second.find([QUESTION], pool[::-1], RunContext())[::-1]
    assert [[mark.span for mark in marks] for marks in forward] == [[mark.span for mark in marks] for marks in backward]
    for one, other in zip(forward, backward, strict=True):
        assert [mark.score for mark in one] == pytest.approx([mark.score for mark in other], abs=0.02)
    assert first.info == second.info
