"""The fitted weights of `prose`, read once: with a model that marks answers, and by the rules alone."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from guard_desk import resources


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A sum over the numbers of an option.

    :param weights: in the order of `prose.FEATURES`.
    :param least: probability from which the best option of a passage counts as stated.
    :param unread: probability from which a passage may answer, though in words that nobody can name: it is not dropped as idle.
    """

    bias: float
    weights: tuple[float, ...]
    least: float
    unread: float


@cache
def load_weights(name: str, features: tuple[str, ...]) -> Weights:
    """The weights "rules" or "finder".

    :param features: the names of the numbers, in order.
    """
    with resources.path("thinning", "prose.toml").open("rb") as stream:
        table = tomllib.load(stream)[name]
    return Weights(
        bias=float(table["bias"]),
        weights=tuple(float(table["weights"][feature]) for feature in features),
        least=float(table["least"]),
        unread=float(table["unread"]),
    )
