"""What a server of decision models is sent for a pair, and how its answers are read. No network in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from guard_desk.models.llama import defused
from guard_desk.models.remote.answers import plain
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Answers, Question
from guard_desk.records.judging import RemoteForm, Wording, Wordings

# The server reads the id with the rest of the state, and ids often tell what a passage is ("attack-3") or where it lies (a path).
# So all passages go by one name: no answer can depend on an id, renaming a passage loses no answer, and no path leaves the machine.
PASSAGE_ID = "passage"
# Rounding of 32-bit floats: 1.0000001 is 1.
SLACK = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How one form is spoken.

    :param server: where it is spoken when the user names no server.
    :param path: where questions are posted.
    :param models: where models are listed.
    :param endings: what people copy along with the server's address.
    :param alias: the model that every server of this form knows by this name.
    :param decimals: to which a probability is rounded; None = not at all.
    """

    server: str
    path: str
    models: str
    endings: tuple[str, ...]
    alias: str
    decimals: int | None = None


DIALECTS: Mapping[RemoteForm, Dialect] = {
    RemoteForm.SYSTEMONE: Dialect(
        server="https://api.typesafe.ai",
        path="/v1/systemone",
        models="/v1/models",
        endings=("/v1/systemone", "/v1/models", "/v1"),
        alias="jev-latest",
    ),
    RemoteForm.OPENROUTER: Dialect(
        server="https://openrouter.ai",
        path="/api/alpha/decisions",
        models="/api/v1/models",
        endings=("/api/alpha/decisions", "/api/alpha", "/api/v1", "/api"),
        alias="typesafe/jev-1.13",
        decimals=2,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a reply says.

    :param model: the model that the server says has answered; "" when it does not say.
    """

    answers: Answers
    model: str = ""


def request_body(query: Query, passage: Passage, model: str, wordings: Wordings) -> dict[str, Any]:
    """The whole body of the request for a pair."""
    return {"state": state_of(query, passage), "model": model, "questions": questions_of(wordings)}


def state_of(query: Query, passage: Passage) -> dict[str, Any]:
    """What the questions are about. The passage's own id is not sent (see `PASSAGE_ID`); no text can close a turn of a chat."""
    title = None if passage.title is None else defused(passage.title)
    return {
        "query": defused(query.text),
        "passage": {"id": PASSAGE_ID, "title": title, "text": defused(passage.text), "source_type": passage.source_type},
    }


def questions_of(wordings: Wordings) -> dict[str, Any]:
    """The four questions, by the names of `Question`."""
    return {question.value: _question(getattr(wordings, question.value)) for question in Question}


def read_decision(data: Any) -> Decision:
    """The four answers of a reply. Further answers and fields are left alone.

    :raises ValueError: saying which answer is missing or is no probability.
    """
    answers = data.get("answers") if isinstance(data, dict) else None
    if not isinstance(answers, dict):
        raise ValueError('the reply holds no "answers"')
    values = {question.value: _probability(question, answers.get(question.value)) for question in Question}
    model = data.get("model")
    return Decision(answers=Answers(**values), model=plain(model, 80) if isinstance(model, str) else "")


def read_usage(data: Any) -> tuple[int | None, int | None]:
    """Input and output tokens of a reply, also of one whose answers cannot be used; None where the server did not count."""
    usage = data.get("usage") if isinstance(data, dict) else None
    if not isinstance(usage, dict):
        return None, None
    return _count(usage.get("input_tokens")), _count(usage.get("output_tokens"))


def _question(wording: Wording) -> dict[str, Any]:
    question: dict[str, Any] = {"type": "noul", "instructions": f"{wording.text} {wording.instruction}".strip()}
    criteria = {side: " ".join(cases) for side, cases in (("true", wording.yes), ("false", wording.no)) if cases}
    if criteria:
        question["criteria"] = criteria
    return question


def _probability(question: Question, answer: Any) -> float:
    if not isinstance(answer, dict):
        raise ValueError(f'the answer to "{question}" is missing')
    if answer.get("type") != "noul":
        raise ValueError(f'the answer to "{question}" is of type {_shown(answer.get("type"))} instead of "noul"')
    value = answer.get("noul")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f'the answer to "{question}" is {_shown(value)} instead of a probability')
    if not -SLACK <= value <= 1 + SLACK:
        raise ValueError(f'the answer to "{question}" is {_shown(value)}, not between 0 and 1')
    return min(1.0, max(0.0, float(value)))


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1e12:
        return None
    return int(value)


def _shown(value: Any) -> str:
    if value is None or isinstance(value, (list, dict)):
        return "nothing" if value is None else "a structure"
    return plain(repr(value), 40)
