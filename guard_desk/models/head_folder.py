"""Folders of transformers models with a head: the configuration of one that runs no code of its own and unpickles nothing."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from guard_desk.errors import ModelError
from guard_desk.models.folder import PREFIX, check_weights, find_folder, folder_digest

logger = logging.getLogger("guard_desk.models")

_LARGEST_CONFIG = 4 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadFolder:
    """A checked folder.

    :param source: as the user named it.
    :param config: its `config.json`.
    :param digest: sha256 that changes with any file of the model; `weights` that of the weights alone.
    """

    source: str
    path: Path
    config: Mapping[str, Any]
    digest: str
    weights: str


def open_head(source: str, heads: str | tuple[str, ...], refusal: str) -> HeadFolder:
    """Find and check a folder.

    :param source: a folder, "folder:PATH", or "organisation/name" of the local hub cache.
    :param heads: as in `checked_config`, `refusal` too.
    :raises MissingModelError: for a hub name that is not in the cache.
    :raises ModelError: for a folder without such a head, that would run code or unpickle.
    """
    path = find_folder(source)
    config = checked_config(path, heads, refusal)
    digest, weights = folder_digest(path)
    return HeadFolder(source=source.removeprefix(PREFIX), path=path, config=config, digest=digest, weights=weights)


def fields_of(folder: HeadFolder) -> dict[str, Any]:
    """The fields of a checked folder, for a record that knows more of it."""
    return {item.name: getattr(folder, item.name) for item in fields(HeadFolder)}


def checked_config(path: Path, heads: str | tuple[str, ...], refusal: str) -> Mapping[str, Any]:
    """The folder's configuration.

    :param heads: what its architecture must name, e.g. "TokenClassification"; one of them.
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
    heads = (heads,) if isinstance(heads, str) else heads
    kinds = architectures(config)
    if not any(head in kind for kind in kinds for head in heads):
        named = ", ".join(kind[:60] for kind in kinds) or "nothing"
        raise ModelError(f"{path} {refusal}: its config.json names {named}, not a ...{' or ...'.join(heads)}.")
    check_weights(path)
    if not any(file.suffix == ".safetensors" for file in path.iterdir()):
        raise ModelError(f"{path} holds no weights (model.safetensors).")
    return config


def architectures(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The classes that a configuration names."""
    named = config.get("architectures")
    return tuple(str(kind) for kind in named) if isinstance(named, list) else ()


def load_head(path: Path, auto: str, device: str, *, what: str, harm: str, **options: Any) -> tuple[Any, Any]:
    """Tokenizer and model of a folder that `checked_config` has passed, ready to be asked.

    :param auto: the library's class, e.g. "AutoModelForTokenClassification".
    :param device: as `resolve_device` gives it.
    :param what: the model for people, e.g. "detector".
    :param harm: what weights that are not complete would lead to, e.g. "its marks would be random".
    :param options: further ones of `from_pretrained`.
    :raises ModelError: when the library cannot load it, or when weights are missing.
    """
    started = time.perf_counter()
    import transformers
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    safe = {"trust_remote_code": False, "local_files_only": True}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(str(path), use_fast=True, **safe)
        model, report = getattr(transformers, auto).from_pretrained(
            str(path), use_safetensors=True, output_loading_info=True, **safe, **options
        )
        model = model.to(device).eval()
    except Exception as exc:
        # The libraries below raise errors of their own, and the tokenizers' one plain Exception.
        raise ModelError(f"The {what} in {path} cannot be loaded on {device}: {exc}") from exc
    if report.get("missing_keys"):
        missing = ", ".join(sorted(report["missing_keys"])[:5])
        raise ModelError(f"The weights in {path} are not complete ({missing} is missing); {harm}.")
    logger.info("Loaded %s on %s in %.1f s", path, device, time.perf_counter() - started)
    return tokenizer, model


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
