"""How a language model is asked one question about a passage, and how its answer is read. No network in here."""

from __future__ import annotations

import hashlib
import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from guard_desk import resources
from guard_desk.models.llama import defused
from guard_desk.models.remote.answers import plain
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.judging import Wording

# "yes 93": a word, a space and a number, with room for marks that some models put around it.
ANSWER_TOKENS = 12
# More than this many some servers refuse.
ALTERNATIVES = 5
# Below this the model was about to say something else than yes or no.
LEAST_MASS = 0.1
_SHOWN = 60
_YES, _NO = "yes", "no"
_ANSWER = re.compile(
    r"[\W_]*(?:answer\W+)?(?P<word>yes|no)\b(?:[^\w.]{0,4}(?:probability\W{1,3})?(?P<number>\d{1,3}(?:\.\d+)?)(?P<percent>\s*%)?)?"
    r"|[\W_]*(?P<alone>\d{1,3}(?:\.\d+)?)(?P<sign>\s*%)?[\W_]*\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The answer to one question.

    :param calibrated: whether it is the share of yes in the model's own token probabilities; else a number that it wrote.
    :param text: what it wrote, shortened, as plain text.
    """

    probability: float
    calibrated: bool
    text: str


def messages_of(query: Query, passage: Passage, wording: Wording) -> list[dict[str, str]]:
    """System and user message. The material is fenced by a sign made of itself: nobody who writes a passage can know it."""
    table = _texts()
    fence = fence_of(query.text, passage.title or "", passage.text)
    material = {
        "fence": fence,
        "query": defused(query.text),
        "title": f"{defused(passage.title)}\n\n" if passage.title else "",
        "text": defused(passage.text),
        "question": wording.text,
        "instruction": wording.instruction,
        "yes": _cases(table["yes"], wording.yes),
        "no": _cases(table["no"], wording.no),
    }
    return [
        {"role": "system", "content": _filled(table["system"], material)},
        {"role": "user", "content": _filled(table["user"], material)},
    ]


def fence_of(*texts: str) -> str:
    """A sign that none of the texts contains."""
    content = "\0".join(texts)
    for number in range(1000):
        fence = hashlib.sha256(f"{number}\0{content}".encode("utf-8", "replace")).hexdigest()[:16]
        if fence not in content:
            return fence
    raise AssertionError("a thousand hashes of a text cannot all stand in it")


def read_answer(data: Any) -> Said:
    """The answer in a reply of /chat/completions.

    :raises ValueError: saying what the reply holds instead of an answer.
    """
    choice = _choice(data)
    message = choice.get("message")
    text = message.get("content") if isinstance(message, dict) else None
    shown = plain(text, _SHOWN) if isinstance(text, str) else ""
    probability = _from_tokens(choice)
    if probability is not None:
        return Said(probability=probability, calibrated=True, text=shown)
    if not isinstance(text, str) or not text.strip():
        refused = plain(str(message["refusal"]), _SHOWN) if isinstance(message, dict) and message.get("refusal") else ""
        raise ValueError(f"refused: “{refused}”" if refused else "wrote nothing")
    number = _from_text(text)
    if number is None:
        raise ValueError(f"wrote “{shown}”, which is neither yes, no nor a probability")
    return Said(probability=number, calibrated=False, text=shown)


def read_tokens(data: Any) -> tuple[int | None, int | None]:
    """Prompt and answer tokens of a reply; None where the server did not count."""
    usage = data.get("usage") if isinstance(data, dict) else None
    counts = [usage.get(name) if isinstance(usage, dict) else None for name in ("prompt_tokens", "completion_tokens")]
    prompt, answer = (
        count if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= 10**12 else None for count in counts
    )
    return prompt, answer


@cache
def _texts() -> Mapping[str, str]:
    with resources.path("llm_judge.toml").open("rb") as stream:
        return {name: str(text).strip() for name, text in tomllib.load(stream).items()}


def _filled(template: str, material: Mapping[str, str]) -> str:
    """Filled in one pass: names in braces inside the material stay as they are."""
    return re.sub(r"\{(\w+)\}", lambda match: material[match[1]], template)


def _cases(head: str, cases: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in (head, *(f"- {case}" for case in cases))) if cases else ""


def _choice(data: Any) -> Mapping[str, Any]:
    choices = data.get("choices") if isinstance(data, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise ValueError('sent a reply without "choices"')
    return choices[0]


def _from_tokens(choice: Mapping[str, Any]) -> float | None:
    """yes / (yes + no) at the first token that is a word; None where the server gives no probabilities or the model says neither."""
    first = next(_words(choice), None)
    if first is None:
        return None
    mass = {_YES: 0.0, _NO: 0.0}
    listed = []
    for entry in _alternatives(first):
        probability = _probability(entry.get("logprob"))
        if probability is None:
            continue
        listed.append(probability)
        word = _word(entry.get("token"))
        if word in mass:
            mass[word] += probability
    if mass[_YES] + mass[_NO] < LEAST_MASS or len(listed) < 2:
        return None
    # A word that is not listed is at most as probable as the last one that is.
    yes, no = (value or min(listed) for value in (mass[_YES], mass[_NO]))
    return yes / (yes + no)


def _words(choice: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The tokens that hold a letter or digit."""
    logprobs = choice.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    for entry in content if isinstance(content, list) else ():
        if isinstance(entry, dict) and any(char.isalnum() for char in str(entry.get("token", ""))):
            yield entry


def _alternatives(token: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What could have stood at this place, the token itself included once."""
    listed = token.get("top_logprobs")
    found: list[Mapping[str, Any]] = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    return found if any(entry.get("token") == token.get("token") for entry in found) else [token, *found]


def _probability(logprob: Any) -> float | None:
    if isinstance(logprob, bool) or not isinstance(logprob, (int, float)) or math.isnan(logprob):
        return None
    return math.exp(min(0.0, float(logprob)))


def _word(token: Any) -> str:
    return re.sub(r"[\W_]+", "", token).casefold() if isinstance(token, str) else ""


def _from_text(text: str) -> float | None:
    found = _ANSWER.match(text)
    if found is None:
        return None
    if found["alone"] is not None:
        return _share(found["alone"], found["sign"])
    sure = 1.0 if found["word"].casefold() == _YES else 0.0
    if found["number"] is None:
        return sure
    share = _share(found["number"], found["percent"])
    if share is None:
        return None
    # "no 95" is said by models that mean how sure they are, "no 5" by those that do as they are told: both mean no.
    return max(share, 1 - share) if sure else min(share, 1 - share)


def _share(number: str, percent: str | None) -> float | None:
    value = float(number)
    if percent is None and value <= 1:
        return value
    return value / 100 if value <= 100 else None
