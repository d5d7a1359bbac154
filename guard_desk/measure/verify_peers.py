"""Figures that others published on the sets of `verify_sets`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from guard_desk import resources
from guard_desk.measure.tables import Row

ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A figure that others published.

    :param set: name of the set.
    :param group: task or domain; "all" for the whole set.
    :param metric: what `value` is, in words.
    :param origin: where it was read.
    :param note: whether it can be compared with ours, and what differs.
    """

    set: str
    group: str
    metric: str
    peer: str
    value: float
    origin: str
    note: str


@cache
def published() -> tuple[Published, ...]:
    """Those of `resources/bench/verify_peers.toml`."""
    with resources.path("bench", "verify_peers.toml").open("rb") as stream:
        entries = tomllib.load(stream)["figure"]
    return tuple(Published(origin=entry["from"], **{key: value for key, value in entry.items() if key != "from"}) for entry in entries)


def published_rows(name: str, group: str) -> Iterator[Row]:
    """The figures on one group of a set."""
    for figure in published():
        if (figure.set, figure.group) == (name, group):
            shown = f"{name} {group}: published, {figure.peer}: {figure.metric}"
            yield Row(name=shown, figure=figure.value, note=f"{figure.origin}; {figure.note}")
