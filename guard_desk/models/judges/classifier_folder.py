"""A sequence classifier's folder on this machine: found, checked and read without loading it. Nothing in it can run code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guard_desk.errors import ModelError
from guard_desk.models.folder import PREFIX, check_weights, find_folder, folder_digest
from guard_desk.models.judges.labels import LabelMapping, read_mapping

_LARGEST_CONFIG = 4 << 20


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
    config = _check(path)
    digest, weights = folder_digest(path)
    shown = source.removeprefix(PREFIX)
    return ClassifierFolder(source=shown, path=path, config=config, mapping=read_mapping(config, shown), digest=digest, weights=weights)


def label_mapping(source: str) -> LabelMapping:
    """How the labels of a classifier would be read, before it is chosen. Loads no weights.

    :param source: as in `open_classifier`.
    :raises ModelError: as `open_classifier`.
    """
    path = find_folder(source)
    return read_mapping(_check(path), source.removeprefix(PREFIX))


def _check(path: Path) -> Mapping[str, Any]:
    """:returns: the folder's configuration."""
    config = _read(path / "config.json")
    if (path / "adapter_config.json").is_file():
        raise ModelError(f"{path} is an adapter and not a whole model. Merge it with its base model and save that.")
    for name in ("config.json", "tokenizer_config.json"):
        file = path / name
        if file.is_file() and "auto_map" in _read(file):
            raise ModelError(f"{file} names code of the model's own (auto_map), which will not be run. Use a model without it.")
    kinds = config.get("architectures") or ()
    if not any("SequenceClassification" in str(kind) for kind in kinds):
        named = ", ".join(str(kind)[:60] for kind in kinds) or "nothing"
        raise ModelError(f"{path} is no classifier of texts: its config.json names {named}, not a ...ForSequenceClassification.")
    check_weights(path)
    if not any(file.suffix == ".safetensors" for file in path.iterdir()):
        raise ModelError(f"{path} holds no weights (model.safetensors).")
    return config


def _read(file: Path) -> Mapping[str, Any]:
    try:
        if file.stat().st_size > _LARGEST_CONFIG:
            raise ModelError(f"{file} is larger than any configuration ({file.stat().st_size:,} bytes).")
        content = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as exc:
        raise ModelError(f"{file.parent} is not a model folder: it has no {file.name}.") from exc
    except (OSError, ValueError, RecursionError) as exc:
        raise ModelError(f"{file} cannot be read: {exc}. Save the model again, or choose another one.") from exc
    if not isinstance(content, dict):
        raise ModelError(f"{file} must hold an object. Save the model again, or choose another one.")
    return content
