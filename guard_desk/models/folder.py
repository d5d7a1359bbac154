"""Any sentence-transformers model on this machine: a folder, or a hub name that is in the local cache."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from guard_desk.errors import MissingModelError, ModelError
from guard_desk.models.hashes import sha256_of
from guard_desk.models.sentence_transformer import SentenceTransformerEncoder

PREFIX = "folder:"

_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_READ = frozenset({".json", ".jinja", ".txt", ".model", ".safetensors"})
_PICKLED = frozenset({".bin", ".pt", ".pth", ".ckpt", ".pkl"})


def is_folder_name(name: str) -> bool:
    """Whether an encoder name means a folder or a hub name."""
    return name.startswith(PREFIX) or bool(_HUB_NAME.fullmatch(name)) or Path(name).expanduser().is_dir()


def load_folder(name: str, device: str = "auto", *, allow_network: bool = False) -> SentenceTransformerEncoder:
    """An encoder from "folder:PATH", PATH, or "organisation/name".

    Only safetensors weights and the library's own module classes are used: nothing in the folder can run code.

    :param allow_network: fetch a hub name that is not in the local cache.
    :raises MissingModelError: for a hub name that is not in the cache.
    :raises ModelError: for a folder that is no such model, or one that would run code or unpickle.
    """
    folder = find_folder(name, allow_network=allow_network)
    check_folder(folder)
    digest, weights = folder_digest(folder)
    shown = name.removeprefix(PREFIX)
    return SentenceTransformerEncoder(
        name=shown, folder=folder, digest=digest, weights=weights, device=device, detail=f"Model folder {folder}."
    )


def check_folder(folder: Path) -> None:
    """:raises ModelError: for a folder that is no sentence-transformers model of safetensors and library classes."""
    for module in _modules(folder):
        kind, path = str(module.get("type", "")), folder / str(module.get("path", ""))
        if not kind.startswith("sentence_transformers."):
            raise ModelError(
                f"{folder / 'modules.json'} names the class {kind!r}, which is not part of sentence-transformers; its code will not be run."
            )
        if not path.resolve().is_relative_to(folder.resolve()):
            raise ModelError(f"{folder / 'modules.json'} names {module.get('path')!r}, which is outside the folder.")
        check_weights(path)


def folder_digest(folder: Path) -> tuple[str, str]:
    """sha256 over all files that decide the vectors, and over the weights alone."""
    everything, weights = hashlib.sha256(), hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.suffix in _READ and path.is_file()):
        line = f"{file.relative_to(folder).as_posix()}:{sha256_of(file)}\n".encode()
        everything.update(line)
        if file.suffix == ".safetensors":
            weights.update(line)
    return everything.hexdigest(), weights.hexdigest()


def check_weights(folder: Path) -> None:
    """:raises ModelError: for a folder whose weights are pickles only."""
    if not folder.is_dir():
        return  # modules without weights (Normalize) need no folder
    files = [file for file in folder.iterdir() if file.is_file()]
    pickled = [file for file in files if file.suffix in _PICKLED]
    if pickled and not any(file.suffix == ".safetensors" for file in files):
        raise ModelError(f"{pickled[0]} is a pickle, which can run code. Use a model with safetensors weights.")


def _modules(folder: Path) -> list[dict[str, Any]]:
    file = folder / "modules.json"
    try:
        modules = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as exc:
        raise ModelError(f"{folder} is not a sentence-transformers model: it has no modules.json.") from exc
    except ValueError as exc:
        raise ModelError(f"{file} is not valid JSON: {exc}") from exc
    if not isinstance(modules, list) or not all(isinstance(module, dict) for module in modules):
        raise ModelError(f"{file} must hold a list of modules.")
    return modules


def find_folder(name: str, *, allow_network: bool = False) -> Path:
    """The folder of "folder:PATH", PATH, or "organisation/name" of the local hub cache.

    :param allow_network: fetch a hub name that is not in the local cache.
    :raises MissingModelError: for a hub name that is not in the cache, and when there is no such folder.
    """
    plain = name.removeprefix(PREFIX)
    folder = Path(plain).expanduser()
    if folder.is_dir():
        return folder
    if name.startswith(PREFIX) or not _HUB_NAME.fullmatch(plain):
        wrong = "this is a file and no model folder" if folder.exists() else "there is no model folder of that name"
        raise MissingModelError(plain, detail=f"{wrong}; give a folder, or an organisation/name of the local hub cache")
    return _from_cache(plain, allow_network)


def _from_cache(name: str, allow_network: bool) -> Path:
    from huggingface_hub import snapshot_download

    patterns = [f"*{suffix}" for suffix in sorted(_READ)]
    try:
        return Path(snapshot_download(name, local_files_only=not allow_network, allow_patterns=patterns))
    except Exception as exc:
        raise MissingModelError(name, command=f"hf download {name}", detail=f"it is not in the local cache ({type(exc).__name__})") from exc
