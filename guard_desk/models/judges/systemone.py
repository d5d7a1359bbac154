"""A judge behind an address: any server of decision models (POST /v1/systemone), or OpenRouter's form of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing

from guard_desk.errors import InputError, RemoteError
from guard_desk.models.judges.spending import Failures, Tally, cost_of, estimated_tokens
from guard_desk.models.judges.systemone_server import address_of, default_model, dialect_of, list_models, test_connection
from guard_desk.models.judges.systemone_wire import Decision, questions_of, read_decision, read_usage, request_body, state_of
from guard_desk.models.judges.wordings import shipped_wordings
from guard_desk.models.remote.address import Address
from guard_desk.models.remote.client import RemoteClient
from guard_desk.models.remote.keys import find_key
from guard_desk.models.remote.pool import in_order
from guard_desk.policy import Thresholds
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Judgement, ModelInfo, Question, Reason, limit_of
from guard_desk.records.judging import JudgeSettings, Spent

__all__ = ["SystemOneJudge", "list_models", "load", "test_connection"]

# Changes when the same body is read in another way.
READING = 1
# The answers of a decision model are one number each.
OUTPUT_TOKENS = 8

Outcome = Decision | RemoteError | ValueError


def load(settings: JudgeSettings, device: str) -> SystemOneJudge:  # noqa: ARG001 - the form of all judges
    """The judge of these settings. Asks the server for its models only where no model is named.

    :raises InputError: for a wrong address.
    :raises RemoteError: when no model is named and the server cannot be asked.
    """
    return SystemOneJudge(settings, model=default_model(settings), address=address_of(settings))


class SystemOneJudge:
    """One request a passage, four questions in each, at most `settings.concurrency` at one time.

    The key is read when `judge` is called and forgotten afterwards.

    :param model: the model's name on the server.
    """

    def __init__(self, settings: JudgeSettings, *, model: str, address: Address) -> None:
        self._settings = settings
        self._model = model
        self._address = address
        self._dialect = dialect_of(settings)
        self._wordings = settings.wordings or shipped_wordings()
        self._tally = Tally(settings=settings)

    @property
    def info(self) -> ModelInfo:
        """The revision names form, model and server: another one of these is another judge."""
        place = self._address.base.partition("://")[2]
        detail = f"{self._model} at {self._address.host}: query and passages are sent there."
        if self._dialect.decimals is not None:
            detail += f" Its probabilities are rounded to {self._dialect.decimals} decimals."
        return ModelInfo(name="systemone", revision=f"{self._settings.form}:{self._model}@{place}:{READING}", detail=detail)

    @property
    def thresholds(self) -> Thresholds:
        """The recipe's: they were made for such a model."""
        return Thresholds()

    @property
    def spent(self) -> Spent:
        """Taken by the last call of `judge`. Requests that a cancel left behind are counted, their tokens are not known: "estimated"."""
        return self._tally.spent()

    def estimate(self, query: Query, passages: Sequence[Passage]) -> Spent:
        """Tokens are counted with the app's encoding; the server's own count differs a little."""
        questions = _tokens(questions_of(self._wordings))
        tokens = sum(questions + _tokens(state_of(query, passage)) for passage in passages)
        output = OUTPUT_TOKENS * len(passages)
        cost = cost_of(self._settings, tokens, output)
        return Spent(requests=len(passages), input_tokens=tokens, output_tokens=output, cost=cost, estimated=True)

    def key_material(self, query: Query, passage: Passage) -> Sequence[str]:
        """The form and the whole body. The passage's id is not in it: it is not sent (see `systemone_wire.PASSAGE_ID`)."""
        return (self._settings.form.value, json.dumps(request_body(query, passage, self._model, self._wordings), sort_keys=True))

    def judge(
        self,
        query: Query,
        passages: Sequence[Passage],
        similarities: Sequence[float],  # noqa: ARG002 - the protocol's form
        ctx: RunContext,
    ) -> Iterator[Judgement]:
        """One judgement a passage, in order, as they are finished.

        A failure that every passage would meet (key, credit, address, or five times the same) ends the asking: the
        passages that are left carry its error; what was answered before is kept.

        :raises Cancelled: at once; requests in flight are left behind.
        """
        try:
            client = RemoteClient(address=self._address, key=find_key(self._address.host), timeout_s=self._settings.timeout_s)
        except InputError as error:
            yield from (self._failed(passage, str(error)) for passage in passages)
            return
        self._tally = tally = Tally(settings=self._settings, client=client)
        failures = Failures()

        def ask(passage: Passage, worker_ctx: RunContext) -> Outcome:
            if failures.final is not None:
                return failures.final
            outcome = self._ask(client, tally, request_body(query, passage, self._model, self._wordings), worker_ctx)
            failures.note(outcome)
            return outcome

        with client, closing(in_order(passages, ask, concurrency=self._settings.concurrency, ctx=ctx)) as outcomes:
            for passage, outcome in zip(passages, outcomes, strict=True):
                yield self._judgement(passage, outcome)

    def _ask(self, client: RemoteClient, tally: Tally, body: dict[str, object], ctx: RunContext) -> Outcome:
        tally.open(1)
        try:
            data = client.send("POST", self._dialect.path, body, ctx=ctx).data
        except RemoteError as error:
            tally.open(-1)
            return error
        tally.open(-1)
        tally.add(*self._counted(body, data))
        try:
            return read_decision(data)
        except ValueError as error:
            return error

    def _counted(self, body: dict[str, object], data: object) -> tuple[int, int, bool]:
        """Tokens in and out of a reply; what the server did not count is estimated."""
        sent, received = read_usage(data)
        estimated = sent is None or received is None
        if sent is None:
            sent = _tokens(body["state"]) + _tokens(body["questions"])
        return sent, OUTPUT_TOKENS if received is None else received, estimated

    def _judgement(self, passage: Passage, outcome: Outcome) -> Judgement:
        if isinstance(outcome, RemoteError):
            return self._failed(passage, str(outcome))
        if isinstance(outcome, ValueError):
            return self._failed(passage, f"{self._address} answered, but {outcome}.")
        return Judgement(
            passage_id=passage.id,
            answers=outcome.answers,
            judge="systemone",
            reasons=tuple(self._reason(question, outcome) for question in Question),
            uncertain=tuple(question for question in Question if self._within_rounding(question, outcome)),
        )

    def _reason(self, question: Question, decision: Decision) -> Reason:
        value = getattr(decision.answers, question.value)
        name = decision.model or self._model
        if self._dialect.decimals is None:
            return Reason(question=question, rule="model's answer", detail=f"{name} answered {value:.3f}.")
        digits = self._dialect.decimals
        return Reason(question=question, rule="rounded answer", detail=f"{name} answered {value:.{digits}f}, rounded to {digits} decimals.")

    def _within_rounding(self, question: Question, decision: Decision) -> bool:
        """Whether the answer before rounding may lie on the other side of this judge's threshold."""
        if self._dialect.decimals is None:
            return False
        value: float = getattr(decision.answers, question.value)
        return abs(value - limit_of(question, self.thresholds)) <= 0.5 * 10.0**-self._dialect.decimals + 1e-9

    def _failed(self, passage: Passage, error: str) -> Judgement:
        return Judgement(passage_id=passage.id, answers=None, judge="systemone", error=error)


def _tokens(value: object) -> int:
    return estimated_tokens(json.dumps(value, ensure_ascii=False))
