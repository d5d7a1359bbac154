"""A model that writes text, in a transformers folder on this machine: found and checked without loading it. Nothing in it can run code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guard_desk.errors import ModelError
from guard_desk.models.folder import PREFIX as FOLDER
from guard_desk.models.folder import find_folder, folder_digest
from guard_desk.models.head_folder import checked_config

PREFIX = "transformers:"
HEADS = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "MTModel")

_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterFolder:
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


def is_writer_name(name: str) -> bool:
    """Whether a generator's name means a folder or a hub name."""
    return name.startswith((PREFIX, FOLDER)) or bool(_HUB_NAME.fullmatch(name)) or (Path(name).expanduser() / "config.json").is_file()


def open_writer(name: str) -> WriterFolder:
    """Find and check a model.

    :param name: "transformers:FOLDER", "transformers:organisation/name" of the local hub cache, or one of the two alone.
    :raises MissingModelError: for a hub name that is not in the cache.
    :raises ModelError: for a folder that writes no text, that would run code or unpickle.
    """
    source = name.removeprefix(PREFIX).strip()
    if not source:
        raise ModelError(f"{name!r} names no folder. Write {PREFIX}FOLDER or {PREFIX}organisation/name.")
    path = find_folder(source)
    config = checked_config(path, HEADS, "writes no text")
    digest, weights = folder_digest(path)
    return WriterFolder(source=source.removeprefix(FOLDER), path=path, config=config, digest=digest, weights=weights)
