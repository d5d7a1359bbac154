"""Writes text with a model behind an address: any server with the OpenAI form of /chat/completions."""

from __future__ import annotations

from collections.abc import Generator as PythonGenerator
from typing import Any
from urllib.parse import urlsplit

from guard_desk.errors import InputError, RemoteError
from guard_desk.models.llama import defused
from guard_desk.models.remote.address import Address, parse_address
from guard_desk.models.remote.answers import read_models
from guard_desk.models.remote.client import RemoteClient, RetryPolicy
from guard_desk.models.remote.keys import find_key
from guard_desk.progress import RunContext
from guard_desk.protocols import Usage
from guard_desk.records.evidence import ModelInfo

ENDINGS = ("/chat/completions", "/completions", "/models")
ANSWER_TOKENS = 512
# Raise it when the same prompt would be sent with other settings.
VERSION = "1"


class ChatGenerator:
    """A chat model on a server, asked at temperature 0. The key is read for each request and kept nowhere.

    :param target: address of the server, with or without its version ("https://api.openai.com/v1").
    :param model: the model's name there; None = the first one that the server lists, asked for with the first request.
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

    @property
    def info(self) -> ModelInfo:
        """The revision names model and server; the model is "" until one that is not named has been asked for."""
        name = self._model or ""
        place = self._address.base.partition("://")[2]
        detail = f"{name or 'The first model'} at {self._address.host}: what it reads is sent there."
        return ModelInfo(name=name or "llm", revision=f"{VERSION}:{name}@{place}", detail=detail)

    def generate(self, prompt: str, ctx: RunContext) -> PythonGenerator[str, None, Usage]:
        """The answer in one piece.

        :returns: the usage, as the generator's value; 0 where the server does not count.
        :raises RemoteError: when there is no usable reply.
        :raises Cancelled: at once.
        """
        client = RemoteClient(address=self._address, key=find_key(self._address.host), timeout_s=self._timeout_s, retry=self._retry)
        with client:
            if self._model is None:
                self._model = self._first_model(client, ctx)
            body = {
                "model": self._model,
                "messages": [{"role": "user", "content": defused(prompt)}],
                "max_tokens": self._answer_tokens,
                "temperature": 0,
            }
            data = client.request("POST", f"{self._path}/chat/completions", body, ctx=ctx).data
        text, finished = self._read(data)
        yield text
        usage = data.get("usage")
        return Usage(prompt_tokens=_count(usage, "prompt_tokens"), answer_tokens=_count(usage, "completion_tokens"), finished=finished)

    def _first_model(self, client: RemoteClient, ctx: RunContext) -> str:
        names = chat_models(client, ctx)
        if not names:
            raise RemoteError(f"{self._address} lists no models.", remedy="Name the model.", repeats=True)
        return names[0]

    def _read(self, data: Any) -> tuple[str, bool]:
        """Text and whether it was finished."""
        choices = data.get("choices") if isinstance(data, dict) else None
        choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        message = choice.get("message")
        text = message.get("content") if isinstance(message, dict) else None
        if not isinstance(text, str):
            raise RemoteError(f"{self._address} sent a reply without text.", remedy="Check the address and the model.")
        return text, choice.get("finish_reason") != "length"


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


def _count(usage: Any, name: str) -> int:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= 10**12 else 0
