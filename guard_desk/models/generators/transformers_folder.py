"""A model that writes text, in a transformers folder on this machine: found and checked without loading it. Nothing in it can run code."""

from __future__ import annotations

import re
from pathlib import Path

from guard_desk.errors import ModelError
from guard_desk.models.folder import PREFIX as FOLDER
from guard_desk.models.head_folder import HeadFolder, open_head

PREFIX = "transformers:"
HEADS = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "MTModel")

_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def is_writer_name(name: str) -> bool:
    """Whether a generator's name means a folder or a hub name."""
    return name.startswith((PREFIX, FOLDER)) or bool(_HUB_NAME.fullmatch(name)) or (Path(name).expanduser() / "config.json").is_file()


def open_writer(name: str) -> HeadFolder:
    """Find and check a model.

    :param name: "transformers:FOLDER", "transformers:organisation/name" of the local hub cache, or one of the two alone.
    :raises MissingModelError: for a hub name that is not in the cache.
    :raises ModelError: for a folder that writes no text, that would run code or unpickle.
    """
    source = name.removeprefix(PREFIX).strip()
    if not source:
        raise ModelError(f"{name!r} names no folder. Write {PREFIX}FOLDER or {PREFIX}organisation/name.")
    return open_head(source, HEADS, "writes no text")
