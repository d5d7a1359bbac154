"""A token classifier's folder on this machine: found, checked and read without loading it. Nothing in it can run code."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from guard_desk import resources
from guard_desk.errors import ModelError
from guard_desk.models.head_folder import HeadFolder, fields_of, open_head


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenFolder(HeadFolder):
    """A checked folder, and what its outputs mean.

    :param labels: of the outputs, in order.
    :param supported: positions of the outputs that mean "the passages support this".
    """

    labels: tuple[str, ...]
    supported: tuple[int, ...]


@cache
def wordings() -> Mapping[str, Any]:
    """Prompts and label names of `resources/detectors.toml`."""
    return tomllib.loads(resources.path("detectors.toml").read_text(encoding="utf-8"))


def open_token_classifier(source: str) -> TokenFolder:
    """Find and check a token classifier.

    :param source: a folder, "folder:PATH", or "organisation/name" of the local hub cache.
    :raises MissingModelError: for a hub name that is not in the cache.
    :raises ModelError: for a folder that is no token classifier, that would run code or unpickle.
    """
    found = open_head(source, "TokenClassification", "marks no words")
    labels = _labels(found.config, found.path)
    return TokenFolder(**fields_of(found), labels=labels, supported=supported_labels(labels, found.path))


def supported_labels(labels: tuple[str, ...], path: Path) -> tuple[int, ...]:
    """Positions of the labels that mean "supported", by their names.

    :raises ModelError: when the names do not tell.
    """
    folded = [label.casefold().replace("_", " ").replace("-", " ").strip() for label in labels]
    known = {kind: {name.replace("_", " ") for name in wordings()[kind]} for kind in ("supported", "unsupported")}
    found = tuple(position for position, name in enumerate(folded) if name in known["supported"])
    others = [name for name in folded if name in known["unsupported"]]
    if not found and len(labels) - len(others) == 1:
        found = tuple(position for position, name in enumerate(folded) if name not in known["unsupported"])
    if not found or len(found) == len(labels):
        raise ModelError(
            f"{path / 'config.json'} names the labels {', '.join(labels)[:200]}, which do not tell supported words from unsupported ones. "
            "Name them in id2label, e.g. supported and unsupported."
        )
    return found


def _labels(config: Mapping[str, Any], path: Path) -> tuple[str, ...]:
    named = config.get("id2label") or {"0": "LABEL_0", "1": "LABEL_1"}
    try:
        return tuple(str(named[number]) for number in sorted(named, key=int))
    except (TypeError, ValueError) as exc:
        raise ModelError(f"{path / 'config.json'} has no usable id2label.") from exc
