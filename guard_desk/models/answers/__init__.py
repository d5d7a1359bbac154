"""The finder of answers: a small trained network that marks the words of a passage that answer a question. Nothing heavy on import."""

from __future__ import annotations

from functools import cache

from guard_desk import resources
from guard_desk.protocols import AnswerFinder
from guard_desk.records.state import Models

_FILES = ("weights.safetensors", "answers.json")
_RULES = "features"


def load_finder(models: Models) -> AnswerFinder | None:
    """The shipped finder, once a process and device; None with the judge "features", which means rules alone.

    None as well where the trained weights are not part of this installation.

    :raises ModelError: when the weights are there and cannot be used.
    """
    if models.judge.partition(":")[0] == _RULES or not all(resources.path("answers", name).is_file() for name in _FILES):
        return None
    return _finder(models.device)


@cache
def _finder(device: str) -> AnswerFinder:
    from guard_desk.models.answers.finder import EmbeddedFinder
    from guard_desk.models.answers.network import load_network

    return EmbeddedFinder(load_network(device))
