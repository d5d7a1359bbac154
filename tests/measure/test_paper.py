"""The suite `paper` with a small thinner and a small generator: choice of lines, scoring, figures, answers that are kept."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import pytest

from guard_desk.errors import Cancelled
from guard_desk.measure import paper, paper_scores
from guard_desk.measure.paper_methods import GENERATED, LINES_KEPT, Answered, Method, answers, kept, prompt
from guard_desk.measure.paper_scores import Scored, exact, right
from guard_desk.measure.paper_store import StoredGenerator, answer_key
from guard_desk.measure.worlds import PaperCase, paper_cases
from guard_desk.measure.worlds.kinds import KINDS
from guard_desk.progress import CancelToken, RunContext
from guard_desk.protocols import Usage
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.decision import Drop, Part, Thinned
from guard_desk.records.evidence import ModelInfo
from guard_desk.records.state import Models
from tests.fakes import WordCounter


class LineReader:
    """Answers with the last word of the first line of evidence; a token is a word."""

    info = ModelInfo(name="reader", revision="1")

    def __init__(self, *, tells: bool = True) -> None:
        self.prompts: list[str] = []
        self._tells = tells

    def generate(self, text: str, ctx: RunContext) -> Iterator[str]:
        ctx.check()
        self.prompts.append(text)
        word = text.split("\n")[1].split()[-1].strip(".")
        yield word[:2]
        yield word[2:]
        return Usage(prompt_tokens=len(text.split()), answer_tokens=1) if self._tells else None


def thinned(leader: str | None, support: Sequence[str] = (), dropped: Sequence[str] = ()) -> Thinned:
    return Thinned(
        candidates=(),
        leader=leader,
        contested=False,
        conflict=False,
        support=tuple(support),
        dropped=tuple(Drop(passage_id=i, stage="thin", rule="capped") for i in dropped),
        parts=(Part(span=Span(start=0, end=3), leader=leader, contested=False, conflict=False),),
    )


def first_three(question: str, passages: Sequence[Passage]) -> Thinned:
    """Thinning that takes the first three lines for evidence and their last word for the leader."""
    return thinned(passages[0].text.split()[-1].strip("."), [passage.id for passage in passages[:3]])


@cache
def seven() -> tuple[PaperCase, ...]:
    return paper_cases(7)


@pytest.fixture
def case() -> PaperCase:
    return replace(
        seven()[0],
        id="clean_short-99",
        question="How long does Velm Sync keep log files?",
        lines=tuple(f"[source=news][doc=d{at}.example/x][date=2026-01] Line number {at} says {at} days." for at in range(12)),
        gold="7 days",
        accept=("7 days", "one week", "168 hours"),
        rivals=(("30 days",),),
        decoys=(("90 days", "ninety days"),),
    )


@pytest.fixture
def store(tmp_path):
    return StoredGenerator(LineReader(), tmp_path / "bench" / "answers.jsonl", WordCounter())


@pytest.mark.parametrize(
    ("answer", "is_right", "is_exact"),
    [
        ("7 days", True, True),
        ("One week.", True, True),
        ("168 Hours", True, True),
        ("Log files are kept for 7 days.", True, False),
        ("17 days", False, False),
        ("7 weeks", False, False),
        ("7 days or 30 days", False, False),
        ("7 days, not ninety days", False, False),
        ("30 days", False, False),
        ("", False, False),
    ],
)
def test_an_answer_is_right_when_it_holds_the_value_and_no_wrong_one(case, answer, is_right, is_exact):
    assert right(answer, case) is is_right
    assert exact(answer, case) is is_exact


@pytest.mark.parametrize(
    ("accept", "answer"),
    [
        (("€24", "24 euros"), "€ 24"),
        (("€24", "24 euros"), "The fee is 24 Euros!"),
        (("1,240",), "1240"),
        (("1240",), "There are 1,240 seats"),
        (("4.2.1",), "v4.2.1"),
        (("KV-4821",), "kv 4821"),
        (("Ona Brastström",), "ona braststrom"),
        (("3 March 2021", "2021-03-03"), "on 2021-03-03"),
    ],
)
def test_spellings_do_not_decide(case, accept, answer):
    assert right(answer, replace(case, accept=accept, rivals=(), decoys=()))


@pytest.mark.parametrize(("accept", "answer"), [(("€24",), "€240"), (("4.2.1",), "4.2.10"), (("1240",), "1,2405"), (("May",), "Mayor")])
def test_parts_of_words_and_numbers_are_no_answers(case, accept, answer):
    assert not right(answer, replace(case, accept=accept, rivals=(), decoys=()))


def test_what_each_method_shows(case):
    found = thinned("7 days", ["L7", "L2"])
    assert kept(case, Method.FULL, found) == tuple(range(12))
    assert kept(case, Method.THIN, found) == (7, 2)
    chance = kept(case, Method.RANDOM, found)
    assert len(set(chance)) == len(chance) == LINES_KEPT
    assert chance == kept(case, Method.RANDOM, found)
    assert chance != kept(replace(case, id="clean_short-98"), Method.RANDOM, found)


def test_bm25_ranks_lines_that_share_words_with_the_question(case):
    lines = (*case.lines[:11], "[source=news][doc=z.example/x][date=2026-01] Velm Sync does keep log files for 7 days.")
    shown = kept(replace(case, lines=lines), Method.BM25, thinned(None))
    assert shown[0] == 11
    assert len(shown) == LINES_KEPT


def test_without_a_leader_thinning_shows_what_it_does_not_drop(case):
    assert kept(case, Method.THIN, thinned(None, dropped=["L0", "L3"])) == (1, 2, *range(4, 12))
    assert kept(case, Method.THIN, thinned(None, dropped=[f"L{at}" for at in range(12)])) == tuple(range(12))


def test_every_method_asks_the_same_words(case, store):
    found = {one.method: one for one in answers(case, first_three, store, WordCounter(), RunContext())}
    assert tuple(found) == tuple(Method)
    shown = store._inner.prompts
    assert all(text.startswith("Evidence:\n[source=") and text.endswith("Answer with the value only.") for text in shown)
    assert prompt(case.question, case.lines) in shown
    assert found[Method.FULL].tokens == len(prompt(case.question, case.lines).split()) + 1
    assert found[Method.LEADER].tokens == 0


def test_rounds_count_the_tokens_of_every_round_and_stop_when_the_answer_repeats(case, store):
    found = {one.method: one for one in answers(case, first_three, store, WordCounter(), RunContext())}
    two_rounds = sum(len(prompt(case.question, case.lines[:size]).split()) + 1 for size in (1, 2))
    assert found[Method.ROUNDS].tokens == two_rounds
    assert found[Method.ROUNDS].text == "days"


def test_the_fallback_is_the_leader_when_the_answer_does_not_state_it(case, store):
    def other(question, passages):
        return thinned("seven suns", ["L4"])

    found = {one.method: one for one in answers(case, other, store, WordCounter(), RunContext())}
    assert found[Method.ROUNDS].text == "days"
    assert found[Method.ROUNDS_OR_LEADER].text == "seven suns"
    assert found[Method.ROUNDS_OR_LEADER].tokens == found[Method.ROUNDS].tokens


def test_without_a_generator_the_leader_alone_answers(case):
    (only,) = answers(case, first_three, None, WordCounter(), RunContext())
    assert (only.method, only.text) == (Method.LEADER, "days")
    (nobody,) = answers(case, lambda question, passages: thinned(None), None, WordCounter(), RunContext())
    assert nobody.text == ""
    assert not right(nobody.text, case)


def test_answers_are_asked_once_and_outlive_the_run(tmp_path):
    file, first, second = tmp_path / "deep" / "answers.jsonl", LineReader(), LineReader()
    text = prompt("Who?", ["[source=news] It is Ona."])
    before = StoredGenerator(first, file, WordCounter())
    assert "".join(before.generate(text, RunContext())) == "Ona"
    after = StoredGenerator(second, file, WordCounter())
    stream = after.generate(text, RunContext())
    assert next(stream) == "Ona"
    with pytest.raises(StopIteration) as stop:
        next(stream)
    assert stop.value.value == Usage(prompt_tokens=len(text.split()), answer_tokens=1)
    assert (second.prompts, after.asked, before.asked) == ([], 0, 1)
    assert after.stored(text).seconds == before.stored(text).seconds > 0


def test_answers_that_were_stored_before_counts_could_be_estimates_are_read(tmp_path):
    file, text = tmp_path / "answers.jsonl", prompt("Who?", ["It is Ona."])
    list(StoredGenerator(LineReader(tells=False), file, WordCounter()).generate(text, RunContext()))
    assert StoredGenerator(LineReader(), file, WordCounter()).stored(text).estimated
    line = json.loads(file.read_text())
    del line["estimated"]
    file.write_text(json.dumps(line) + "\n")
    assert not StoredGenerator(LineReader(), file, WordCounter()).stored(text).estimated


def test_another_model_or_prompt_is_another_answer():
    keys = {answer_key(ModelInfo(name=name, revision=revision), text) for name in "ab" for revision in "12" for text in "xy"}
    assert len(keys) == 8


def test_half_a_line_of_an_interrupted_run_is_skipped(tmp_path, caplog):
    file = tmp_path / "answers.jsonl"
    before = StoredGenerator(LineReader(), file, WordCounter())
    list(before.generate(prompt("Who?", ["It is Ona."]), RunContext()))
    file.write_bytes(file.read_bytes() + b'{"key": "ab", "te')
    after = StoredGenerator(LineReader(), file, WordCounter())
    assert after.stored(prompt("Who?", ["It is Ona."])) is not None
    assert "line 2" in caplog.text


def test_a_model_that_tells_nothing_is_counted(tmp_path):
    kept_answers = StoredGenerator(LineReader(tells=False), tmp_path / "answers.jsonl", WordCounter())
    text = prompt("Who?", ["It is Ona."])
    list(kept_answers.generate(text, RunContext()))
    assert kept_answers.stored(text).prompt_tokens == len(text.split())
    assert kept_answers.stored(text).answer_tokens == 1


def scored(case: PaperCase, hits: Sequence[bool], tokens: Sequence[int]) -> list[Scored]:
    made = [Answered(method=Method.THIN, text="", tokens=count, seconds=0.5) for count in tokens]
    return [Scored(case=case, answered=one, right=hit, exact=False) for one, hit in zip(made, hits, strict=True)]


def test_tpc_is_all_tokens_over_right_answers(case):
    measured = scored(case, [True, False, True, True], [100, 200, 60, 40])
    assert paper_scores.tokens_per_right(measured).value == pytest.approx(400 / 3)
    assert paper_scores.mean_tokens(measured).value == pytest.approx(100)
    assert paper_scores.accuracy(measured).value == pytest.approx(0.75)
    assert paper_scores.mean_seconds(measured) == pytest.approx(0.5)
    assert math.isnan(paper_scores.tokens_per_right(scored(case, [False], [9])).value)


def test_the_difference_is_paired(case):
    left, base = scored(case, [True, True, True, False], [1] * 4), scored(case, [True, False, False, True], [1] * 4)
    assert paper_scores.difference(left, base).value == pytest.approx(0.25)
    same = paper_scores.difference(left, left)
    assert (same.value, same.low, same.high) == (0, 0, 0)


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.setenv("GUARD_DESK_HOME", str(tmp_path))
    return paper.measured(seven(), first_three, LineReader(), WordCounter(), RunContext())


def test_seven_questions_give_every_row(table, tmp_path):
    by_name = {row.name: row.figure for row in table.rows}
    for method in Method:
        assert by_name[f"{method}: accuracy"].n == 7
        assert by_name[f"{method}: exact"].n == 7
        assert {f"{kind}: {method}" for kind in KINDS} <= set(by_name)
    assert all(f"{method}: {name}" in by_name for method in GENERATED for name in ("tokens", "TPC", "seconds"))
    assert "leader: tokens" not in by_name
    assert by_name["questions"] == 7
    assert by_name["full: tokens"].value > by_name["thin: tokens"].value
    assert (tmp_path / "bench" / "paper_answers.jsonl").is_file()
    assert json.loads(table.json())["suite"] == "paper"


def test_wrong_leaders_are_told_with_question_and_gold(table):
    wrong = [text for name, text in table.details if name.startswith("wrong leader, ")]
    by_name = {row.name: row.figure for row in table.rows}
    assert len(wrong) == 7 - round(by_name["leader: accuracy"].value * 7) > 0
    assert all("leader: " in text and "gold: " in text for text in wrong)


def test_charts_show_the_figures_of_the_rows(table):
    titles = [chart.title for chart in table.charts]
    assert titles == ["Right answers by method", "Right answers by kind of question", "Tokens a question", "Tokens a right answer (TPC)"]
    by_name = {row.name: row.figure for row in table.rows}
    for point in table.charts[0].series[0].points:
        assert point.value == by_name[f"{point.label}: accuracy"].value


def test_a_second_run_asks_nothing(table, tmp_path, monkeypatch):
    reader = LineReader()
    again = paper.measured(seven(), first_three, reader, WordCounter(), RunContext())
    assert reader.prompts == []
    figures = [(row.name, str(row.figure)) for row in table.rows if "seconds" not in row.name and "asked" not in row.name]
    assert figures == [(row.name, str(row.figure)) for row in again.rows if "seconds" not in row.name and "asked" not in row.name]


def test_a_cancel_keeps_what_was_answered(tmp_path, monkeypatch):
    monkeypatch.setenv("GUARD_DESK_HOME", str(tmp_path))
    token, reader = CancelToken(), LineReader()

    def tired(question, passages):
        if reader.prompts:
            token.cancel()
        return first_three(question, passages)

    with pytest.raises(Cancelled):
        paper.measured(seven(), tired, reader, WordCounter(), RunContext(token=token))
    stored = StoredGenerator(reader, tmp_path / "bench" / "paper_answers.jsonl", WordCounter())
    assert reader.prompts
    assert all(stored.stored(text) for text in reader.prompts)


def test_the_suite_runs_without_a_generator(tmp_path, monkeypatch):
    monkeypatch.setenv("GUARD_DESK_HOME", str(tmp_path))
    table = paper.measured(seven(), first_three, None, WordCounter(), RunContext())
    assert [row.name for row in table.rows][:4] == ["questions", "lines a question", "leader: accuracy", "leader: exact"]
    assert not (tmp_path / "bench").exists()


def test_the_suite_asks_the_local_model_for_short_answers_unless_another_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("GUARD_DESK_HOME", str(tmp_path))
    loaded = []

    def load(models, *, answer_tokens):
        loaded.append((models.generator, answer_tokens))
        return None if models.generator == "none" else LineReader()

    monkeypatch.setattr(paper, "load_generator", load)
    monkeypatch.setattr(paper, "token_counter", WordCounter)
    monkeypatch.setattr(paper, "thin_pool", lambda question, passages, models, ctx: first_three(question, passages))
    table = paper.paper(Models(), None, 2, RunContext())
    assert {row.name: row.figure for row in table.rows}["questions"] == 2
    assert table.models == (LineReader.info,)
    assert paper.paper(Models(generator="none"), None, 2, RunContext()).models == ()
    assert loaded == [("local", 32), ("none", 32)]
