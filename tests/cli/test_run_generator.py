"""`run` with a generator behind a server: one that fails or is interrupted costs the answer, not the run."""

from __future__ import annotations

import _thread
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guard_desk.cli import main
from guard_desk.formats.trace import load_trace
from tests.models.remote.server import Handler, Script, Server, in_turn, serving

pytestmark = pytest.mark.models
Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def fresh_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUARD_DESK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GUARD_DESK_API_KEY", "sk-secret")


@pytest.fixture
def case(tmp_path: Path) -> Path:
    texts = ("Backups are kept for 7 days.", "Backups are kept for 30 days on the business plan.", "Backups run at night for 2 hours.")
    path = tmp_path / "case.guarddesk.json"
    passages = [{"id": f"p{at}", "text": text} for at, text in enumerate(texts)]
    path.write_text(json.dumps({"question": "How long are backups kept?", "passages": passages}), encoding="utf-8")
    return path


def arguments(case: Path, server: Server, *more: str) -> list[str]:
    plain = ["--encoder", "bm25", "--judge", "features", "--set", "generate.mode=rounds", "--set", "thresholds.evidence_min=0"]
    return ["run", str(case), *plain, "--generator", f"openai:m@{server.url}", *more]


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": text}, "finish_reason": "stop"}], **more}


def test_a_generator_that_fails_leaves_table_trace_and_reports(case: Path, tmp_path: Path, capsys: Out) -> None:
    trace = tmp_path / "t.json"
    with serving(in_turn((200, said("7 days")), (401, {"error": "bad key sk-secret"}))) as server:
        assert main(arguments(case, server, "--json", str(trace))) == 1
    shown = capsys.readouterr()
    for text in (shown.out, shown.err):
        assert "The generator m failed in round 2:" in " ".join(text.split())
        assert "refused the key (HTTP 401: bad key [key])" in " ".join(text.split())
        assert "sk-secret" not in text
    assert "rank  similarity  place" in shown.out
    assert "verify       0.000 s  skipped: there is no answer" in shown.out
    assert "Round 1    1 passage, ≈" in shown.out
    kept = load_trace(trace)
    assert [item.text for item in kept.generated.rounds] == ["7 days"]
    assert "sk-secret" not in trace.read_text()
    page = tmp_path / "r.html"
    assert main(["report", str(trace), "--html", str(page), "--xlsx", str(tmp_path / "r.xlsx")]) == 0
    assert "There is no answer." in page.read_text(encoding="utf-8")
    assert main(["route", str(trace), "--set", "assemble.k=1"]) == 0
    assert "No answer" in capsys.readouterr().out


def test_the_trace_on_stdout_is_whole_without_an_answer(case: Path, capsys: Out) -> None:
    with serving(in_turn((500, {"error": "out of memory"}))) as server:
        assert main(arguments(case, server, "--json", "-")) == 1
    shown = capsys.readouterr()
    assert "out of memory" in json.loads(shown.out)["trace"]["generated"]["failure"]
    assert "guard-desk: no answer: The generator m failed:" in shown.err


def test_a_claim_model_that_fails_is_told_and_what_it_took_is_summed(case: Path, tmp_path: Path, capsys: Out) -> None:
    trace = tmp_path / "t.json"
    verdict = said('{"verdict": "not_found"}', usage={"prompt_tokens": 700, "completion_tokens": 9})
    answer = "The owner of the library paints boats. Nobody has ever seen the moon from there."
    with serving(in_turn((200, verdict), (401, {"error": "no"}))) as server:
        options = ["--encoder", "bm25", "--judge", "features", "--claim-model", f"openai:m@{server.url}", "--answer", answer]
        assert main(["run", str(case), *options, "--json", str(trace)]) == 0
    shown = capsys.readouterr()
    assert "reading the answer: 2 requests, about 700 tokens in and 9 out" in shown.err
    assert "warning: 1 of 2 sentences were not read by m: http://127.0.0.1" in shown.err
    assert "unread  1 of 2 sentences were not read by m:" in shown.out
    assert [bool(claim.unread) for claim in load_trace(trace).verified.claims] == [False, True]


def interrupting() -> Script:
    """The second round is interrupted as by Ctrl-C."""

    def script(handler: Handler, number: int) -> None:
        if number == 1:
            handler.reply(200, said("7 days"))
            return
        _thread.interrupt_main()
        handler.server.released.wait(20)

    return script


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C interrupts, also where the tests run in the background of a shell, which starts them deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_while_it_writes_keeps_the_rest(case: Path, tmp_path: Path, capsys: Out) -> None:
    trace = tmp_path / "t.json"
    with serving(interrupting()) as server:
        assert main(arguments(case, server, "--json", str(trace))) == 130
    shown = capsys.readouterr()
    assert "The generator m was stopped in round 2" in shown.out
    assert "interrupted; what was finished is kept" in shown.err
    assert [item.text for item in load_trace(trace).generated.rounds] == ["7 days"]


def test_rounds_that_never_agree_and_counts_that_nobody_told_are_said(case: Path, tmp_path: Path, capsys: Out) -> None:
    trace, page = tmp_path / "t.json", tmp_path / "r.html"
    with serving(in_turn((200, said("7 days")), (200, said("30 days")), (200, said("2 hours")))) as server:
        assert main(arguments(case, server, "--json", str(trace))) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "No two rounds in a row agreed; the last answer is shown." in shown
    assert "≈ is an estimate" in shown
    generated = load_trace(trace).generated
    assert (generated.agreed, generated.estimated) == (False, True)
    assert main(["report", str(trace), "--html", str(page)]) == 0
    html = page.read_text(encoding="utf-8")
    assert "No two rounds in a row agreed; the last answer is shown." in html
    assert f"≈ {generated.rounds[0].prompt_tokens}" in html


def test_counts_that_the_server_tells_are_no_estimates(case: Path, capsys: Out) -> None:
    usage = {"prompt_tokens": 20, "completion_tokens": 3}
    with serving(in_turn((200, said("7 days", usage=usage)))) as server:
        assert main(arguments(case, server)) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "20 + 3 tokens" in shown
    assert "≈" not in shown
    assert "Round 2 gave the same answer as the one before." in shown
