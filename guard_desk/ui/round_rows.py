"""The rounds in which an answer was asked for, as rows and in words. No drawing in here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from guard_desk.measure.answer_rounds import ESTIMATED, doubt_words, outcome_words, tokens_words
from guard_desk.policy import AnswerMode
from guard_desk.records.answer import Generated, Round
from guard_desk.ui.numbers import counted
from guard_desk.ui.view import Phase, View

NO_GENERATOR = ("none", "recorded")
"""Generators that write nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRow:
    """One round as the table shows it.

    :param asked: None while it is being written, and for one that was stopped.
    :param same: a sign and a word: what became of the answer against the round before.
    """

    number: int
    text: str
    same: str
    asked: Round | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """All rounds of an answer, with one sentence.

    :param warns: whether the sentence is about something wrong.
    :param live: they are still coming.
    :param stopped: they are those of a run that was stopped.
    """

    rows: tuple[RoundRow, ...]
    words: str
    warns: bool = False
    live: bool = False
    stopped: bool = False


def writes(generator: str | None) -> bool:
    """Whether a generator of this name writes answers."""
    return generator is not None and generator not in NO_GENERATOR


def rounds_of(view: View) -> Rounds:
    """The rounds to show: those on their way, those of a stopped run, else those of the answer in force."""
    if view.phase is Phase.RUNNING and (view.partial_answer is not None or view.partial_rounds):
        return _live(view)
    if view.phase in (Phase.CANCELLED, Phase.FAILED) and (view.partial_rounds or _in_rounds(view)) and view.partial_answer is not None:
        return _stopped(view)
    if view.trace is None or view.trace.query != view.state.query:
        return Rounds(rows=(), words=_before(view))
    return _finished(view.trace.generated, view)


def stale_words(view: View) -> str:
    """What is to be said of an answer that would be written otherwise now; "" when nothing."""
    trace = view.trace
    if trace is None or trace.generated.text is None or "generate" not in trace.stale:
        return ""
    todo = "Write it again to follow them." if writes(view.state.models.generator) else "Run again to follow them."
    return f"Written from another prompt or in another way: passages or settings have changed since. {todo}"


def stopped_words(view: View) -> str:
    """What became of an answer that was stopped while another one is shown; "" when none was."""
    if view.phase is not Phase.CANCELLED or view.partial_answer is None or view.trace is None or view.trace.query != view.state.query:
        return ""
    if view.trace.generated.failure:
        return ""  # there is none before
    done = f" after {counted(len(view.partial_rounds), 'round')}" if view.partial_rounds else ""
    return f"The new answer was stopped{done}; this is the one before."


def _in_rounds(view: View) -> bool:
    return view.state.policy.generate.mode is not AnswerMode.ONCE


def _live(view: View) -> Rounds:
    rows, text = _rows(view.partial_rounds), view.partial_answer or ""
    if not rows and not _in_rounds(view):
        return Rounds(rows=(), words="The answer is being written in one go from the whole prompt.", live=True)
    writing = not view.partial_rounds or text != view.partial_rounds[-1].text
    number = len(rows) + 1
    if writing:
        rows += (RoundRow(number=number, text=text, same="… writing"),)
    most = view.state.policy.generate.max_rounds
    return Rounds(rows=rows, words=f"Round {number if writing else len(rows)} of at most {most} is being written…", live=True)


def _stopped(view: View) -> Rounds:
    rows, text = _rows(view.partial_rounds), view.partial_answer or ""
    if not view.partial_rounds or text != view.partial_rounds[-1].text:
        rows += (RoundRow(number=len(rows) + 1, text=text, same="■ stopped"),)
    done = counted(len(view.partial_rounds), "finished round")
    verb = "Stopped" if view.phase is Phase.CANCELLED else "Failed"
    return Rounds(
        rows=rows, words=f"{verb}: {done} {'is' if len(view.partial_rounds) == 1 else 'are'} kept here.", warns=True, stopped=True
    )


def _finished(generated: Generated, view: View) -> Rounds:
    if not generated.rounds:
        return Rounds(rows=(), words=_once(generated, view))
    last, words = generated.rounds[-1], outcome_words(generated)
    if generated.failure:
        words = f"No answer came: {counted(len(generated.rounds), 'finished round')} kept"
    elif len(generated.rounds) == 1:
        words = f"One round, with {counted(len(last.passage_ids), 'line')}"
    seconds = sum(item.seconds for item in generated.rounds)
    spent = tokens_words(generated) + (f", {seconds:.1f} s" if seconds else "")
    warns = bool(generated.failure or doubt_words(generated)) or not last.same
    return Rounds(rows=_rows(generated.rounds), words=f"{words.rstrip('.')} · {spent}{_estimated(generated)}", warns=warns)


def _estimated(generated: Generated) -> str:
    return f" · {ESTIMATED}" if generated.estimated else ""


def _rows(rounds: Sequence[Round]) -> tuple[RoundRow, ...]:
    signs = {None: "–", True: "✓ same", False: "≠ other"}
    return tuple(RoundRow(number=at, text=item.text, same=signs[item.same], asked=item) for at, item in enumerate(rounds, 1))


def _before(view: View) -> str:
    if not writes(view.state.models.generator):
        return _CHOOSE
    how = "in rounds" if _in_rounds(view) else "in one go from the whole prompt"
    return f"The next run writes the answer {how}."


_CHOOSE = "No generator is chosen, so no answer is written. Choose one to have answers written, in one go or in rounds."


def _once(generated: Generated, view: View) -> str:
    if generated.given:
        return "This answer was given or edited, not written in rounds." if writes(view.state.models.generator) else _CHOOSE
    if generated.failure:
        return "No round was finished before the generator failed."
    if generated.text is None:
        return _before(view)
    spent = f"{tokens_words(generated)}. {ESTIMATED}" if generated.estimated else f"{tokens_words(generated)}."
    return f"Written in one go from the whole prompt: {spent} Choose “rounds” to ask with 1, 2, 4, … lines until the answer repeats."
