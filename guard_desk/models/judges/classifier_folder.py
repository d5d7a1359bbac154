"""A sequence classifier's folder on this machine: found, checked and read without loading it. Nothing in it can run code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guard_desk.models.folder import PREFIX, find_folder, folder_digest
from guard_desk.models.head_folder import checked_config
from guard_desk.models.judges.labels import LabelMapping, read_mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifierFolder:
    """A checked folder.

    :param source: as the user named it.
    :param config: its `config.json`.
    :param digest: sha256 that changes with any file of the model; `weights` that of the weights alone.
    """

    source: str
    path: Path
    config: Mapping[str, Any]
    mapping: LabelMapping
    digest: str
    weights: str


def open_classifier(source: str) -> ClassifierFolder:
    """Find and check a classifier.

    :param source: a folder, "folder:PATH", or "organisation/name" of the local hub cache.
    :raises MissingModelError: for a hub name that is not in the cache.
    :raises ModelError: for a folder that is no classifier, that would run code or unpickle.
    """
    path = find_folder(source)
    config = checked_config(path, "SequenceClassification", "is no classifier of texts")
    digest, weights = folder_digest(path)
    shown = source.removeprefix(PREFIX)
    return ClassifierFolder(source=shown, path=path, config=config, mapping=read_mapping(config, shown), digest=digest, weights=weights)


def label_mapping(source: str) -> LabelMapping:
    """How the labels of a classifier would be read, before it is chosen. Loads no weights.

    :param source: as in `open_classifier`.
    :raises ModelError: as `open_classifier`.
    """
    path = find_folder(source)
    return read_mapping(checked_config(path, "SequenceClassification", "is no classifier of texts"), source.removeprefix(PREFIX))
