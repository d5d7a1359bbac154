from __future__ import annotations

import threading
import time
from collections import deque
from pathlib import Path

import httpx
import pytest

from guard_desk.errors import Cancelled, ModelError
from guard_desk.models.generators.llama import LlamaGenerator
from guard_desk.models.llama import defused
from guard_desk.progress import CancelToken, RunContext
from guard_desk.protocols import Usage
from tests.models.llama_server import llama_server
from tests.models.smollm2 import smollm2_file


class FakeServer:
    """Answers like the library: chunks through a callback that stops when it returns True."""

    def __init__(self, *chunks: object, error: Exception | None = None, endless: bool = False) -> None:
        self.chunks, self.error, self.endless = chunks, error, endless
        self.stopped = threading.Event()
        self.request: dict[str, object] = {}

    def handle_chat_completions(self, request: dict[str, object], receive) -> None:  # type: ignore[no-untyped-def]
        self.request = request
        for chunk in self.chunks:
            receive(chunk)
        while self.endless:
            time.sleep(0.01)
            if receive(piece("x")):
                self.stopped.set()
                return
        if self.error:
            raise self.error


def piece(text: str | None, reason: str | None = None) -> dict[str, object]:
    return {"choices": [{"delta": {"content": text}, "finish_reason": reason}]}


def generator_over(server: FakeServer) -> LlamaGenerator:
    generator = LlamaGenerator(name="fake", path=Path("fake.gguf"), weights="0" * 64)
    generator._model.server = server
    return generator


def drain(generator: LlamaGenerator, prompt: str = "Hi", ctx: RunContext | None = None) -> tuple[str, Usage]:
    stream, pieces = generator.generate(prompt, ctx or RunContext()), []
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as stop:
            return "".join(pieces), stop.value


def test_pieces_and_usage() -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}
    server = FakeServer(piece(None), piece("Seven "), piece("days"), piece(None, "length"), usage)
    assert drain(generator_over(server)) == ("Seven days", Usage(prompt_tokens=5, answer_tokens=2, finished=False))
    assert server.request["temperature"] == 0


def test_a_long_prompt_names_the_counts_and_the_knob() -> None:
    error = {"error": {"type": "exceed_context_size_error", "n_prompt_tokens": 9031, "n_ctx": 8192, "message": "too long"}}
    with pytest.raises(ModelError, match=r"9,031 tokens .* at most 8,192\. Lower assemble\.budget_tokens"):
        drain(generator_over(FakeServer([error])))


def test_other_errors_are_passed_on() -> None:
    with pytest.raises(ModelError, match="out of sorts"):
        drain(generator_over(FakeServer([{"error": {"message": "out of sorts"}}])))
    with pytest.raises(ModelError, match="local model failed: broken"):
        drain(generator_over(FakeServer(error=RuntimeError("broken"))))


def test_cancel_stops_the_library() -> None:
    server, token = FakeServer(endless=True), CancelToken()
    stream = generator_over(server).generate("Hi", RunContext(token=token))
    next(stream)
    token.cancel()
    with pytest.raises(Cancelled):
        deque(stream, maxlen=0)
    assert server.stopped.wait(1)


def test_a_reader_that_leaves_stops_the_library() -> None:
    server = FakeServer(endless=True)
    stream = generator_over(server).generate("Hi", RunContext())
    next(stream)
    stream.close()
    assert server.stopped.wait(1)


@pytest.mark.parametrize("border", ["<|im_end|>", "<|im_start|>", "</s>", "[INST]", "<end_of_turn>"])
def test_chat_borders_in_a_passage_are_only_text(border: str) -> None:
    text = defused(f"a {border} b")
    assert border not in text
    assert text.replace(" ", "") == f"a{border}b"


def test_ordinary_text_stays() -> None:
    text = "if a < b and b|c then [1] <b>bold</b> <|> [id] List<String>"
    assert defused(text) == text


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.gguf").write_bytes(b"GGUF nonsense")
    with pytest.raises(ModelError, match=r"x\.gguf cannot be loaded"):
        LlamaGenerator(name="x", path=tmp_path / "x.gguf", weights="0" * 64).load()


@pytest.fixture(scope="module")
def smollm2() -> LlamaGenerator:
    return LlamaGenerator(
        name="smollm2", path=smollm2_file(), weights="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53", device="cpu"
    )


@pytest.mark.models
def test_smollm2_answers_the_same_twice(smollm2: LlamaGenerator) -> None:
    question = "What is the capital of France? Answer in one word."
    first, usage = drain(smollm2, question)
    assert "Paris" in first
    assert usage.prompt_tokens > 10
    assert usage.finished
    assert drain(smollm2, question)[0] == first


@pytest.mark.models
def test_smollm2_counts_with_its_own_tokenizer(smollm2: LlamaGenerator) -> None:
    prompt = "备份保留多久? <|im_end|> Name one fruit. 🙂"
    short = smollm2.limited(6)
    written, usage = drain(short, prompt)
    with llama_server(context_tokens=256) as address, httpx.Client(base_url=address, timeout=120) as client:
        turns = {"messages": [{"role": "user", "content": defused(prompt)}]}
        asked = client.post("/apply-template", json=turns).json()["prompt"]
        counts = [len(client.post("/tokenize", json={"content": text}).json()["tokens"]) for text in (asked, written)]
    assert usage.prompt_tokens == counts[0]
    assert usage.answer_tokens in (counts[1], counts[1] + 1)
    assert usage.answer_tokens <= 6
    assert short.load() is smollm2.load()
    assert short.info.revision != smollm2.info.revision


@pytest.mark.models
def test_smollm2_is_cut_where_it_would_go_on(smollm2: LlamaGenerator) -> None:
    _, usage = drain(smollm2.limited(5), "Count from one to fifty in words.")
    assert (usage.answer_tokens, usage.finished) == (5, False)


@pytest.mark.models
def test_smollm2_writes_whole_characters(smollm2: LlamaGenerator) -> None:
    pieces = list(smollm2.limited(40).generate("Repeat exactly, and nothing else: 备份保留七天 🙂🙃", RunContext()))
    assert not any("\ufffd" in piece for piece in pieces)
    assert any(not piece.isascii() for piece in pieces)


@pytest.mark.models
def test_smollm2_stops_within_a_second(smollm2: LlamaGenerator) -> None:
    smollm2.load()
    token = CancelToken()
    threading.Timer(0.3, token.cancel).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        drain(smollm2, "word " * 3000, RunContext(token=token))
    assert time.monotonic() - started < 1.8


@pytest.mark.models
def test_smollm2_refuses_what_it_cannot_read(smollm2: LlamaGenerator) -> None:
    with pytest.raises(ModelError, match="at most 8,192"):
        drain(smollm2, "word " * 9000)
