"""Writes text with a model behind an address: any server with the OpenAI form of /chat/completions."""

from __future__ import annotations

import copy
import logging
from collections.abc import Generator as PythonGenerator
from contextlib import closing
from urllib.parse import urlsplit

from guard_desk.errors import InputError, RemoteError
from guard_desk.models.remote.address import Address, parse_address
from guard_desk.models.remote.answers import read_models
from guard_desk.models.remote.chat_reply import Piece
from guard_desk.models.remote.chat_request import refused_part, request_of, too_long
from guard_desk.models.remote.chat_stream import chat_pieces
from guard_desk.models.remote.client import RemoteClient, RetryPolicy
from guard_desk.models.remote.keys import find_key
from guard_desk.progress import RunContext
from guard_desk.protocols import Usage
from guard_desk.records.evidence import ModelInfo

logger = logging.getLogger("guard_desk.models")

ENDINGS = ("/chat/completions", "/completions", "/models")
ANSWER_TOKENS = 512
# Raise it when the same prompt would be sent with other settings.
VERSION = "2"
# A server that ignores the limit of tokens is not read for ever; some send a token in several pieces.
_PIECES_A_TOKEN = 4


class ChatGenerator:
    """A chat model on a server, asked at temperature 0. The key is read for each request and kept nowhere.

    :param target: address of the server, with or without its version ("https://api.openai.com/v1").
    :param model: the model's name there; None = the first one that the server lists, asked for with the first request.
    :param timeout_s: the longest silence of the server, before its first words and between two.
    :param answer_tokens: most tokens of an answer.
    :raises InputError: for a wrong address.
    """

    def __init__(
        self,
        target: str,
        *,
        model: str | None = None,
        timeout_s: float = 60.0,
        answer_tokens: int = ANSWER_TOKENS,
        retry: RetryPolicy | None = None,
    ) -> None:
        self._address = parse_address(target, endings=ENDINGS)
        self._path = version_path(self._address)
        self._model = model
        self._timeout_s = timeout_s
        self._answer_tokens = answer_tokens
        self._retry = retry or RetryPolicy()
        self._without: frozenset[str] = frozenset()

    @property
    def info(self) -> ModelInfo:
        """The revision names model, server and limit; the model is "" until one that is not named has been asked for."""
        name = self._model or ""
        place = self._address.base.partition("://")[2]
        detail = f"{name or 'The first model'} at {self._address.host}: what it reads is sent there."
        return ModelInfo(name=name or "llm", revision=f"{VERSION}:{name}@{place}.a{self._answer_tokens}", detail=detail)

    def limited(self, answer_tokens: int) -> ChatGenerator:
        """The same model with another limit of the answer's tokens."""
        other = copy.copy(self)
        other._answer_tokens = answer_tokens
        return other

    def generate(self, prompt: str, ctx: RunContext) -> PythonGenerator[str, None, Usage]:
        """The answer in pieces as they come; in one piece from a server that does not stream.

        :returns: the usage, as the generator's value; counted with the app's encoding where the server does not count.
        :raises RemoteError: when there is no usable reply, or when it breaks off: what came before is no answer then.
        :raises Cancelled: at once.
        """
        client = RemoteClient(address=self._address, key=find_key(self._address.host), timeout_s=self._timeout_s, retry=self._retry)
        with client:
            if self._model is None:
                self._model = self._first_model(client, ctx)
            while True:
                try:
                    return (yield from self._written(client, self._model, prompt, ctx))
                except RemoteError as error:
                    part = refused_part(error, self._without)
                    if part is None:
                        raise self._explained(error) from error.__cause__
                    logger.info("%s does not take %r; asking without it", self._address, part)
                    self._without |= {part}

    def _written(self, client: RemoteClient, model: str, prompt: str, ctx: RunContext) -> PythonGenerator[str, None, Usage]:
        body = request_of(model, prompt, self._answer_tokens, self._without)
        took = _Took(self._answer_tokens)
        with closing(chat_pieces(client, f"{self._path}/chat/completions", body, ctx)) as pieces:
            for piece in pieces:
                took.add(piece)
                if piece.text:
                    yield piece.text
                if took.too_much:
                    break
        if not took.text and took.thoughts:
            raise RemoteError(
                f"{model} at {self._address} wrote thoughts and no answer within {self._answer_tokens} tokens.",
                remedy="Choose a model that answers without thinking first, or switch its thinking off at the server.",
            )
        return took.usage(prompt)

    def _explained(self, error: RemoteError) -> RemoteError:
        if not too_long(error):
            return error
        return RemoteError(error.cause, remedy="Lower assemble.budget_tokens or assemble.k.", status=error.status, attempts=error.attempts)

    def _first_model(self, client: RemoteClient, ctx: RunContext) -> str:
        names = chat_models(client, ctx)
        if not names:
            raise RemoteError(f"{self._address} lists no models.", remedy="Name the model.", repeats=True)
        return names[0]


class _Took:
    """What an answer took, as far as the server tells it.

    :param most: tokens that were asked for.
    """

    def __init__(self, most: int) -> None:
        self.text = ""
        self.thoughts = False
        self._most = _PIECES_A_TOKEN * most
        self._pieces = 0
        self._finished = True
        self._prompt_tokens: int | None = None
        self._answer_tokens: int | None = None

    def add(self, piece: Piece) -> None:
        self.text += piece.text
        self.thoughts |= piece.thought
        self._pieces += bool(piece.text) or piece.thought
        self._finished &= piece.finished
        self._prompt_tokens = self._prompt_tokens if piece.prompt_tokens is None else piece.prompt_tokens
        self._answer_tokens = self._answer_tokens if piece.answer_tokens is None else piece.answer_tokens

    @property
    def too_much(self) -> bool:
        """Whether the server goes on far beyond the limit."""
        return self._pieces > self._most

    def usage(self, prompt: str) -> Usage:
        return Usage(
            prompt_tokens=_counted(prompt) if self._prompt_tokens is None else self._prompt_tokens,
            answer_tokens=_counted(self.text) if self._answer_tokens is None else self._answer_tokens,
            finished=self._finished and not self.too_much,
            estimated=self._prompt_tokens is None or self._answer_tokens is None,
        )


def version_path(address: Address) -> str:
    """What goes before "/chat/completions": people give the address with the version ("https://api.openai.com/v1") or without."""
    return "" if urlsplit(address.base).path else "/v1"


def chat_models(client: RemoteClient, ctx: RunContext) -> tuple[str, ...]:
    """Names of the models that a server lists, in its order. :raises RemoteError: when it cannot be asked."""
    return read_models(client.request("GET", f"{version_path(client.address)}/models", ctx=ctx).data)


def split_target(name: str) -> tuple[str, str | None]:
    """Address and model of "KIND:ADDRESS" or "KIND:MODEL@ADDRESS", e.g. "llm:http://localhost:8080/v1".

    :raises InputError: when the address is missing.
    """
    kind, _, target = (part.strip() for part in name.partition(":"))
    if not target:
        remedy = f"Write {kind}:ADDRESS or {kind}:MODEL@ADDRESS, e.g. {kind}:http://localhost:8080/v1."
        raise InputError(f"{name!r} names no server.", remedy=remedy)
    model, at, address = target.rpartition("@")
    # In an address an "@" would part a user name from the host; a model's name never begins like an address.
    return (address, model) if at and not model.startswith(("http://", "https://")) else (target, None)


def _counted(text: str) -> int:
    from guard_desk.models.judges.spending import estimated_tokens

    return estimated_tokens(text)
