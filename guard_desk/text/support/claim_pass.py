"""A language model reads the sentences of an answer one by one; what it says counts only as far as its quotes stand in the passages."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from guard_desk import resources
from guard_desk.errors import GuardDeskError
from guard_desk.progress import RunContext
from guard_desk.protocols import Generator, Usage
from guard_desk.records.answer import ClaimState, EvidenceSpan
from guard_desk.records.evidence import ModelInfo
from guard_desk.records.judging import Spent
from guard_desk.text.languages import is_cjk
from guard_desk.text.normalize import fold, fold_text
from guard_desk.text.support import notes
from guard_desk.text.support.claim_states import Statement, carried_by_rules, cleared, has_shown, reported
from guard_desk.text.support.claim_windows import nearest_windows
from guard_desk.text.support.pool import Pool

# About a thousand tokens of passages for each sentence, whatever the pool's size.
WINDOWS = 8
_BEGINNING = 380
# Shorter quotes stand everywhere and show nothing.
_LEAST, _LEAST_CJK = 8, 3
_STATES = {"supported": ClaimState.SUPPORTED, "contradicted": ClaimState.CONTRADICTED, "not_found": ClaimState.UNSUPPORTED}
# Nobody has measured how often such a model is right here: a middling number, the same for all.
_SURE = 0.7
_OBJECT = re.compile(r"\{[^{}]*\}", re.DOTALL)
_ENDS = " \t\r\n\"'“”‘’«»„.…"


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What a model says of a sentence, after the check of its quote.

    :param evidence: the quote where it stands; None for "not found", which has nothing to quote.
    """

    state: ClaimState
    evidence: EvidenceSpan | None = None


@dataclass(frozen=True, slots=True)
class Passed:
    """A finished pass.

    :param verdicts: aligned with the statements; None where the model was not asked, gave no usable verdict, or quoted words that no
        passage has.
    :param model: the model, with what came of it in its detail.
    :param unread: aligned too: why the model did not read a sentence that it was to read; "" for all others.
    :param spent: what its replies took.
    """

    verdicts: tuple[ClaimVerdict | None, ...]
    model: ModelInfo
    unread: tuple[str, ...]
    spent: Spent


class ClaimPass:
    """Asks a model about the sentences of one answer: one request a sentence, one after the other.

    :param pool: where quotes are looked for; the model is shown the parts of it that are nearest to the sentence.
    :param text: the answer as it was given.
    """

    def __init__(self, generator: Generator, pool: Pool, question: str, text: str) -> None:
        self._generator = generator
        self._pool = pool
        self._question = question
        self._text = text

    def settled(self, statements: Sequence[Statement], ctx: RunContext) -> tuple[list[Statement], Passed]:
        """The statements with the model's findings, and what came of the asking.

        What a rule has shown to be wrong stands, and so does what the rules find word for word: the model cannot take it back.

        :raises Cancelled: between sentences and between pieces of a reply.
        """
        passed = self.read(statements, ctx)
        settled = [
            statement if verdict is None or has_shown(statement) else self._settle(statement, verdict)
            for statement, verdict in zip(statements, passed.verdicts, strict=True)
        ]
        told = [
            replace(statement, claim=replace(statement.claim, unread=why)) if why else statement
            for statement, why in zip(settled, passed.unread, strict=True)
        ]
        return told, passed

    def _settle(self, statement: Statement, verdict: ClaimVerdict) -> Statement:
        name = self._generator.info.name
        if verdict.state is ClaimState.SUPPORTED:
            return cleared(statement, verdict.state, _SURE, evidence=_listed(verdict.evidence), by=name)
        if carried_by_rules(statement):
            return statement
        if verdict.evidence is None:
            note = f"{name} finds this in none of the passages"
        else:
            note = notes.quoted(name, verdict.evidence.passage_id, verdict.evidence.text)
        return reported(statement, self._text, verdict.state, _SURE, note, evidence=_listed(verdict.evidence), by=name)

    def read(self, statements: Sequence[Statement], ctx: RunContext) -> Passed:
        """The verdicts. A model that fails is not asked again; what it said before stands.

        :raises Cancelled: between sentences and between pieces of a reply.
        """
        asked = [index for index, statement in enumerate(statements) if statement.cover is not None and statement.unit.stems]
        replies, trouble, spent = self._replies([statements[index] for index in asked], ctx)
        said = [read_reply(reply) for reply in replies]
        proven = [None if verdict is None else self._proven(*verdict) for verdict in said]
        verdicts = dict(zip(asked, proven, strict=False))  # the last ones may have no reply
        unread = dict.fromkeys(asked[len(replies) :], f"{self._generator.info.name}: {trouble}")
        everyone = range(len(statements))
        return Passed(
            verdicts=tuple(verdicts.get(index) for index in everyone),
            model=replace(self._generator.info, detail=self._told(len(asked), said, proven, trouble)),
            unread=tuple(unread.get(index, "") for index in everyone),
            spent=spent,
        )

    def _replies(self, statements: Sequence[Statement], ctx: RunContext) -> tuple[list[str], str, Spent]:
        """Replies in order up to a failure, what failed, and what all of it took."""
        replies: list[str] = []
        # The prices that are set are the judge's; a model whose weights are on this machine costs nothing.
        spent = Spent(cost=0.0 if self._generator.info.weights else None)
        for statement in statements:
            ctx.report("claims", len(replies), len(statements), unit="sentences")
            try:
                reply, usage = _reply(self._generator, self._prompt(statement), ctx)
            except GuardDeskError as exc:
                # What a request took that failed is not known.
                return replies, str(exc), replace(spent, requests=spent.requests + 1, estimated=True)
            replies.append(reply)
            spent = _added(spent, usage)
        return replies, "", spent

    def _told(self, asked: int, said: Sequence[tuple[ClaimState, str] | None], proven: Sequence[ClaimVerdict | None], trouble: str) -> str:
        """What came of the asking, behind what the model is."""
        detail = self._generator.info.detail
        if trouble and not said:
            return f"Not used: it failed at the first of {asked} sentences: {trouble} {detail}".strip()
        verdicts = sum(verdict is not None for verdict in said)
        unproven = verdicts - sum(verdict is not None for verdict in proven)
        counts = f"Asked about {asked} sentences: {verdicts} verdicts, {unproven} of them without a quote that stands in a passage."
        return f"{detail} {counts}{f' It failed after {len(said)} of them: {trouble}' if trouble else ''}".strip()

    def _proven(self, state: ClaimState, quote: str) -> ClaimVerdict | None:
        """The verdict with the place of its quote; None when it needs one and no passage has it."""
        if state is ClaimState.UNSUPPORTED:
            return ClaimVerdict(state)
        evidence = find_quote(quote, self._pool)
        return None if evidence is None else ClaimVerdict(state, evidence)

    def _prompt(self, statement: Statement) -> str:
        unit = statement.unit
        shown = [
            f"[{self._pool.passages[window.place.passage].id}] {window.text}"
            for window in nearest_windows(self._pool, unit.bare or unit.stems, statement.aligned, WINDOWS)
        ] or [f"[{passage.id}] {passage.title or ''} {passage.text[:_BEGINNING]}" for passage in self._pool.passages[:WINDOWS]]
        material = {"question": self._question, "claim": statement.claim.text, "passages": "\n\n".join(shown)}
        material["fence"] = _fence(*material.values())
        return re.sub(r"\{(\w+)\}", lambda match: material[match[1]], _template())


def _reply(generator: Generator, prompt: str, ctx: RunContext) -> tuple[str, Usage | None]:
    """A whole reply, and what it took where the generator tells it."""
    pieces: list[str] = []
    stream = generator.generate(prompt, ctx)
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as stop:
            return "".join(pieces), stop.value if isinstance(stop.value, Usage) else None


def _added(spent: Spent, usage: Usage | None) -> Spent:
    """With one more reply."""
    return replace(
        spent,
        requests=spent.requests + 1,
        input_tokens=spent.input_tokens + (usage.prompt_tokens if usage else 0),
        output_tokens=spent.output_tokens + (usage.answer_tokens if usage else 0),
        estimated=spent.estimated or usage is None or usage.estimated,
    )


def read_reply(reply: str) -> tuple[ClaimState, str] | None:
    """State and quote of a reply; None when it is no verdict. Words around the JSON object are passed over."""
    for match in _OBJECT.finditer(reply):
        try:
            found = json.loads(match[0], strict=False)
        except ValueError:
            continue
        state = _STATES.get(str(found.get("verdict")).strip().casefold().replace(" ", "_"))
        quote = found.get("quote")
        if state is not None:
            return state, quote if isinstance(quote, str) else ""
    return None


def find_quote(quote: str, pool: Pool) -> EvidenceSpan | None:
    """Where a passage or title has these words, letter by letter after folding (case, kinds of space, quotation marks)."""
    wanted = fold_text(quote.strip(_ENDS))
    if len(wanted) < (_LEAST_CJK if any(map(is_cjk, wanted)) else _LEAST):
        return None
    for passage, text, in_title in _texts(pool):
        if wanted not in fold_text(text):
            continue
        folded = fold(text)
        place = folded.text.find(wanted)
        if place >= 0:
            span = folded.span(place, place + len(wanted))
            return EvidenceSpan(passage_id=passage, start=span.start, end=span.end, text=span.of(text), in_title=in_title)
    return None


def _listed(evidence: EvidenceSpan | None) -> list[EvidenceSpan]:
    return [] if evidence is None else [evidence]


def _texts(pool: Pool) -> Iterator[tuple[str, str, bool]]:
    for passage in pool.passages:
        yield passage.id, passage.text, False
        if passage.title:
            yield passage.id, passage.title, True


def _fence(*texts: str) -> str:
    """A sign that none of the texts contains: it is made of them, so nobody who writes a passage can know it."""
    content = "\0".join(texts)
    number = 0
    while True:
        fence = hashlib.sha256(f"{number}\0{content}".encode("utf-8", "replace")).hexdigest()[:16]
        if fence not in content:
            return fence
        number += 1


@cache
def _template() -> str:
    return str(tomllib.loads(resources.path("claim_pass.toml").read_text(encoding="utf-8"))["prompt"]).strip()
