"""A judge that asks a language model in words: any server with the OpenAI form of /chat/completions, one request a question.

The probability is the share of yes among the model's first words where the server gives token probabilities. Else it is a number that
the model writes, which is not calibrated, and is shown so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any

from guard_desk.errors import InputError, RemoteError
from guard_desk.models.judges.llm_prompt import ALTERNATIVES, ANSWER_TOKENS, Said, messages_of, read_answer, read_tokens
from guard_desk.models.judges.settings import check_requests
from guard_desk.models.judges.spending import Failures, Tally, cost_of, estimated_tokens
from guard_desk.models.judges.wordings import shipped_wordings
from guard_desk.models.remote.address import Address, parse_address
from guard_desk.models.remote.chat import ENDINGS, chat_models, version_path
from guard_desk.models.remote.client import RemoteClient, brief_client
from guard_desk.models.remote.keys import find_key
from guard_desk.models.remote.pool import in_order
from guard_desk.policy import Thresholds
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Answers, Judgement, ModelInfo, Question, Reason
from guard_desk.records.judging import JudgeSettings, Spent

NAME = "llm"
# Raise it when the same prompt would be sent with other settings, or answers read in another way.
VERSION = "1"
# "yes 93"
_OUTPUT_TOKENS = 4
# Servers that know no token probabilities refuse a request for them with one of these.
_NOT_UNDERSTOOD = frozenset({400, 422})

Outcome = Said | RemoteError | ValueError


def load(settings: JudgeSettings, device: str) -> LlmJudge:  # noqa: ARG001 - the form of all judges
    """The judge of these settings. Asks the server for its models only where no model is named.

    :raises InputError: for a missing or wrong address, or when no model is named and the server lists none.
    :raises RemoteError: when no model is named and the server cannot be asked.
    """
    return LlmJudge(settings, model=settings.model or _first_model(settings), address=_address(settings))


def list_models(settings: JudgeSettings, ctx: RunContext | None = None) -> tuple[str, ...]:
    """Names of the models that the server lists, in its order; empty where it lists none.

    :raises InputError: for a missing or wrong address or key.
    :raises RemoteError: when the server cannot be asked.
    """
    with brief_client(_address(settings), settings.timeout_s) as client:
        return chat_models(client, ctx or RunContext())


def _address(settings: JudgeSettings) -> Address:
    check_requests(settings)
    if not settings.target:
        raise InputError("The judge llm has no server.", remedy="Give its address, e.g. llm:http://localhost:8080/v1.")
    return parse_address(settings.target, endings=ENDINGS)


def _first_model(settings: JudgeSettings) -> str:
    models = list_models(settings)
    if not models:
        raise InputError(f"{_address(settings)} lists no models.", remedy="Name one with the setting model.")
    return models[0]


@dataclass(frozen=True, slots=True)
class _Item:
    """One question about one passage."""

    passage: Passage
    question: Question


class LlmJudge:
    """Four requests a passage, at most `settings.concurrency` at one time.

    The key is read when `judge` is called and forgotten afterwards.

    :param model: the model's name on the server.
    """

    def __init__(self, settings: JudgeSettings, *, model: str, address: Address) -> None:
        self._settings = settings
        self._model = model
        self._address = address
        self._wordings = settings.wordings or shipped_wordings()
        self._tally = Tally(settings=settings)
        # None until a server has answered.
        self._offers_probabilities: bool | None = None
        self._wrote_numbers: bool | None = None

    @property
    def info(self) -> ModelInfo:
        """The revision names model and server: another one of these is another judge."""
        place = self._address.base.partition("://")[2]
        source = {
            None: "Answers are shares of yes where it gives token probabilities, else numbers that it writes, which are not calibrated.",
            False: "Answers are the share of yes in its token probabilities.",
            True: "The server gave no usable token probabilities: answers are numbers that the model wrote, not calibrated.",
        }[self._wrote_numbers]
        detail = f"{self._model} at {self._address.host}: query and passages are sent there. {source}"
        return ModelInfo(name=NAME, revision=f"{VERSION}:{self._model}@{place}", detail=detail)

    @property
    def thresholds(self) -> Thresholds:
        """The recipe's: nobody fitted any for this model."""
        return Thresholds()

    @property
    def spent(self) -> Spent:
        """Taken by the last call of `judge`, requests that were left behind included."""
        return self._tally.spent()

    def estimate(self, query: Query, passages: Sequence[Passage]) -> Spent:
        """Tokens are counted with the app's encoding; the server's own count differs a little."""
        tokens = sum(_prompt_tokens(self._body(query, item)) for item in _items(passages))
        requests = len(Question) * len(passages)
        output = _OUTPUT_TOKENS * requests
        cost = cost_of(self._settings, tokens, output)
        return Spent(requests=requests, input_tokens=tokens, output_tokens=output, cost=cost, estimated=True)

    def key_material(self, query: Query, passage: Passage) -> Sequence[str]:
        """The four requests."""
        return tuple(json.dumps(self._body(query, item), sort_keys=True) for item in _items([passage]))

    def judge(
        self,
        query: Query,
        passages: Sequence[Passage],
        similarities: Sequence[float],  # noqa: ARG002 - the protocol's form
        ctx: RunContext,
    ) -> Iterator[Judgement]:
        """One judgement a passage, in order, as they are finished; one question without an answer leaves a passage not judged.

        A failure that every passage would meet (key, credit, address, or five times the same) ends the asking.

        :raises Cancelled: at once; requests in flight are left behind.
        """
        try:
            client = RemoteClient(address=self._address, key=find_key(self._address.host), timeout_s=self._settings.timeout_s)
        except InputError as error:
            yield from (self._failed(passage, str(error)) for passage in passages)
            return
        self._tally = tally = Tally(settings=self._settings, client=client)
        failures = Failures()

        def ask(item: _Item, worker_ctx: RunContext) -> Outcome:
            if failures.final is not None:
                return failures.final
            outcome = self._ask(client, tally, self._body(query, item), worker_ctx)
            failures.note(outcome)
            return outcome

        with client, closing(in_order(_items(passages), ask, concurrency=self._settings.concurrency, ctx=ctx)) as outcomes:
            for passage in passages:
                yield self._judgement(passage, dict(zip(Question, islice(outcomes, len(Question)), strict=True)))

    def _body(self, query: Query, item: _Item) -> dict[str, Any]:
        return {
            "model": self._model,
            "messages": messages_of(query, item.passage, getattr(self._wordings, item.question.value)),
            "max_tokens": ANSWER_TOKENS,
            "temperature": 0,
            "logprobs": True,
            "top_logprobs": ALTERNATIVES,
        }

    def _ask(self, client: RemoteClient, tally: Tally, body: dict[str, Any], ctx: RunContext) -> Outcome:
        tally.open(1)
        try:
            data = self._reply(client, body, ctx)
        except RemoteError as error:
            tally.open(-1)
            return error
        tally.open(-1)
        prompt, answer = read_tokens(data)
        tally.add(
            _prompt_tokens(body) if prompt is None else prompt,
            _OUTPUT_TOKENS if answer is None else answer,
            estimated=prompt is None or answer is None,
        )
        try:
            return read_answer(data)
        except ValueError as error:
            return error

    def _reply(self, client: RemoteClient, body: dict[str, Any], ctx: RunContext) -> Any:
        """The reply; a server that refuses to be asked for token probabilities is asked without."""
        path = f"{version_path(self._address)}/chat/completions"
        without = {name: value for name, value in body.items() if "logprobs" not in name}
        if self._offers_probabilities is False:
            return client.send("POST", path, without, ctx=ctx).data
        try:
            data = client.send("POST", path, body, ctx=ctx).data
        except RemoteError as error:
            if self._offers_probabilities or error.status not in _NOT_UNDERSTOOD:
                raise
            try:
                data = client.send("POST", path, without, ctx=ctx).data
            except RemoteError:
                # It is something else that the server does not take.
                raise error from None
            self._offers_probabilities = False
            return data
        self._offers_probabilities = True
        return data

    def _judgement(self, passage: Passage, outcomes: dict[Question, Outcome]) -> Judgement:
        said: dict[Question, Said] = {}
        for question, outcome in outcomes.items():
            if isinstance(outcome, RemoteError):
                return self._failed(passage, str(outcome))
            if isinstance(outcome, ValueError):
                return self._failed(passage, f"Asked about {question.value}, {self._model} {outcome}.")
            said[question] = outcome
        self._wrote_numbers = bool(self._wrote_numbers) or not all(answer.calibrated for answer in said.values())
        return Judgement(
            passage_id=passage.id,
            answers=Answers(**{question.value: round(answer.probability, 6) for question, answer in said.items()}),
            judge=NAME,
            reasons=tuple(self._reason(question, answer) for question, answer in said.items()),
        )

    def _reason(self, question: Question, said: Said) -> Reason:
        wrote = f"{self._model} wrote “{said.text}”"
        if said.calibrated:
            detail = f"{wrote}; yes has {said.probability:.3f} of the probability of yes and no."
            return Reason(question=question, rule="token probability", detail=detail)
        detail = f"{wrote}, read as {said.probability:.2f}: a number in words, not calibrated."
        return Reason(question=question, rule="not calibrated", detail=detail)

    def _failed(self, passage: Passage, error: str) -> Judgement:
        return Judgement(passage_id=passage.id, answers=None, judge=NAME, error=error)


def _items(passages: Sequence[Passage]) -> list[_Item]:
    return [_Item(passage, question) for passage in passages for question in Question]


def _prompt_tokens(body: dict[str, Any]) -> int:
    return sum(estimated_tokens(message["content"]) for message in body["messages"])
