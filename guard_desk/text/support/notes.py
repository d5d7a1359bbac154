"""The notes of findings, in plain words."""

from __future__ import annotations

from guard_desk.records.evidence import Value
from guard_desk.text.support.pool import Held

_LONGEST = 120


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1].rstrip() + "…"


def instead(held: Held) -> str:
    """What the passages say in place of a value."""
    words = _short(held.value.text)
    noun = f" {held.value.noun}" if held.value.noun and held.value.noun not in words.casefold() and held.value.noun.isascii() else ""
    return f"passages say {words}{noun}"


def not_found(value: Value) -> str:
    """No passage has the value."""
    return f"no passage says {_short(value.text)}"


def no_words(words: str) -> str:
    """No passage has the words."""
    return f"no passage says {_short(words)}"


def other_thing(value: Value, held: Held) -> str:
    """The value occurs, but of something else."""
    return f"passages say {_short(held.value.text)} here; {_short(value.text)} belongs to something else"


def disagree(support_id: str, support: str, rival_id: str, rival: str) -> str:
    """Two passages give different values."""
    return f"passages disagree: {support_id} says {_short(support)}, {rival_id} says {_short(rival)}"


def denied(passage_id: str, sentence: str, reason: str) -> str:
    """A passage says the opposite."""
    return f"{reason} ({passage_id}: {_short(sentence)})"


def exchanged(passage_id: str, sentence: str) -> str:
    """Who does what to whom is the other way round in a passage."""
    return f"the passage has it the other way round ({passage_id}: {_short(sentence)})"


def another(passage_id: str, words: str) -> str:
    """A passage names another thing in the same sentence."""
    return f"passages say {_short(words)} here ({passage_id})"


def otherwise(passage_id: str, sentence: str) -> str:
    """A model reads the opposite in a passage."""
    return f"the passages seem to say otherwise ({passage_id}: {_short(sentence)})"


def quoted(model: str, passage_id: str, quote: str) -> str:
    """A model quotes what cannot be true together with a sentence."""
    return f"{model} quotes {passage_id}: {_short(quote)}"
