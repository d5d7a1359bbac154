"""Folders of transformers models with a head: the configuration of one that runs no code of its own and unpickles nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from guard_desk.errors import ModelError
from guard_desk.models.folder import check_weights

_LARGEST_CONFIG = 4 << 20


def checked_config(path: Path, head: str, refusal: str) -> Mapping[str, Any]:
    """The folder's configuration.

    :param head: what its architecture must name, e.g. "TokenClassification".
    :param refusal: what a folder with another head is told, e.g. "marks no words".
    :raises ModelError: for a folder without such a head, that would run code or unpickle, or whose files cannot be read.
    """
    config = _read(path / "config.json")
    if (path / "adapter_config.json").is_file():
        raise ModelError(f"{path} is an adapter and not a whole model. Merge it with its base model and save that.")
    for name in ("config.json", "tokenizer_config.json"):
        file = path / name
        if file.is_file() and "auto_map" in _read(file):
            raise ModelError(f"{file} names code of the model's own (auto_map), which will not be run. Use a model without it.")
    kinds = [str(kind) for kind in config.get("architectures") or ()]
    if not any(head in kind for kind in kinds):
        named = ", ".join(kind[:60] for kind in kinds) or "nothing"
        raise ModelError(f"{path} {refusal}: its config.json names {named}, not a ...For{head}.")
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
