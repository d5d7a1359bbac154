"""The verbs, run as a person would. Those that judge or encode use the real models."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from guard_desk.cli import main
from guard_desk.formats.trace import load_trace

models = pytest.mark.models


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "backup.md").write_text("# Backups\n\nBackups are kept for 7 days.\n\nBackups run at 02:30.\n", encoding="utf-8")
    (folder / "gate.md").write_text("The gate opens at six.\n", encoding="utf-8")
    return folder


def lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


@models
def test_run_writes_a_trace_that_route_decides_again(notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = tmp_path / "trace.json"
    assert main(["run", str(notes), "-q", "How long are backups kept?", "--answer", "For 9 days.", "--json", str(trace)]) == 0
    shown = capsys.readouterr().out
    assert "9 days" in shown
    assert "review" in shown
    again = tmp_path / "again.json"
    assert main(["route", str(trace), "--set", "thresholds.relevant_min=1", "--json", str(again)]) == 0
    assert load_trace(again).prompt.count("evidence") == 0
    for kind in ("html", "csv", "xlsx"):
        assert main(["report", str(trace), f"--{kind}", str(tmp_path / f"report.{kind}")]) == 0
        assert (tmp_path / f"report.{kind}").stat().st_size > 500


@models
def test_json_on_stdout_prints_nothing_else(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(notes), "-q", "How long are backups kept?", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["guard_desk_trace"] == 1


@models
def test_the_demo_has_its_question_and_a_second_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "demo"]) == 0
    assert "Share links expire after 30 days" in capsys.readouterr().out
    assert main(["run", "demo", "--question-number", "2"]) == 0
    assert "How large may a single file be?" in capsys.readouterr().out
    assert main(["run", "demo", "--question-number", "9"]) == 2
    assert "2 question(s)" in capsys.readouterr().err


@models
def test_search_and_expand(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", str(notes), "-q", "When do backups run?", "--k", "1", "--json", "-"]) == 0
    packet = json.loads(capsys.readouterr().out)
    (item,) = packet["items"]
    assert item["text"] == "Backups run at 02:30."
    assert main(["expand", str(notes), "--id", item["id"]]) == 0
    assert lines(capsys.readouterr().out)[0]["text"] == item["text"]
    assert main(["expand", str(notes), "--id", "nobody"]) == 2
    assert "'nobody'" in capsys.readouterr().err


def test_dedup_answers_line_by_line_and_goes_on_after_a_bad_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pairs.jsonl"
    rows = [
        '{"id": 1, "a": "Kept for 7 days.", "b": "Kept for seven days."}',
        "{bad",
        '{"id": 3, "a": "Kept for 7 days.", "b": "Kept for 9 days."}',
    ]
    file.write_text("\n".join(rows), encoding="utf-8")
    assert main(["dedup", str(file)]) == 1
    first, bad, third = lines(capsys.readouterr().out)
    assert (first["id"], first["merge"]) == (1, True)
    assert (bad["line"], "no JSON" in bad["error"]) == (2, True)
    assert (third["merge"], third["guard"], third["left"], third["right"]) == (False, "number", "7", "9") or third["left"].startswith("7")


def test_thin_reads_tagged_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    tagged = [
        "[source=official][doc=a.example][date=2026-03] The fee is 24 euros.",
        "[source=blog][doc=b.example][date=2025-03] The fee is 40 euros.",
    ]
    file.write_text(json.dumps({"id": "t", "question": "What is the fee?", "lines": tagged}), encoding="utf-8")
    assert main(["thin", str(file)]) == 0
    (row,) = lines(capsys.readouterr().out)
    assert (row["leader"], row["conflict"], row["support"][0]) == ("24 euros", True, "L0")


@models
def test_verify_and_judge_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    passage = {"id": "a", "text": "Backups are kept for 7 days."}
    file.write_text(json.dumps({"id": "v", "query": "How long?", "passages": [passage], "answer": "For 9 days."}), encoding="utf-8")
    assert main(["verify", str(file)]) == 0
    (row,) = lines(capsys.readouterr().out)
    assert (row["action"], row["spans"][0]["text"]) == ("review", "9 days")
    file.write_text(json.dumps({"id": "j", "query": "How long are backups kept?", "passage": passage}), encoding="utf-8")
    assert main(["judge", str(file)]) == 0
    (row,) = lines(capsys.readouterr().out)
    assert set(row["answers"]) == {"relevant", "evidence", "contradicts", "injection"}
    assert row["decision"]["route"] in ("include", "conflict", "exclude")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["run", "no-such-folder", "-q", "x"], 2, "no-such-folder"),
        (["route", "no-such-trace.json"], 2, "no-such-trace.json"),
        (["dedup", "no-such.jsonl"], 2, "no-such.jsonl"),
        (["bench", "nothing"], 2, "speed"),
        (["models", "add"], 2, "smollm2"),
    ],
)
def test_wrong_use_says_what_to_do(arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == status
    assert words in capsys.readouterr().err


def test_a_missing_model_is_status_three_with_its_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("One paragraph.", encoding="utf-8")
    assert main(["run", str(tmp_path / "a.txt"), "-q", "What?", "--judge", "features", "--generator", "local"]) == 3
    assert "guard-desk models add smollm2" in capsys.readouterr().err


def test_a_model_folder_that_is_not_there_is_status_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("One paragraph.", encoding="utf-8")
    away = tmp_path / "away"
    assert main(["run", str(tmp_path / "a.txt"), "-q", "What?", "--judge", "features", "--generator", f"transformers:{away}"]) == 3
    assert f"'{away}' is not installed: there is no model folder" in capsys.readouterr().err


def test_models_lists_what_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models"]) == 0
    assert "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db" in capsys.readouterr().out


def test_import_is_light() -> None:
    code = (
        "import time, sys; start = time.perf_counter(); import guard_desk; took = time.perf_counter() - start;"
        "heavy = {'torch', 'PySide6', 'spacy', 'sentence_transformers', 'tiktoken'} & set(sys.modules);"
        "from guard_desk import load_corpus, merge_verdict, route; heavy |= {'torch', 'PySide6', 'spacy'} & set(sys.modules);"
        "print(heavy or 'light', took < 0.5)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["light", "True"]


def test_a_name_that_nothing_has_is_wrong_use(notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"query": "q", "passage": "p"}\n')
    for arguments in (
        ["run", str(notes), "-q", "How?", "--judge", "features", "--encoder", "maxilm"],
        ["run", str(notes), "-q", "How?", "--judge", "maximus"],
        ["judge", str(pairs), "--judge", "maximus"],
        ["serach"],
    ):
        assert main(arguments) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        assert arguments[-1] in shown.err


def test_metadata_that_is_no_object_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"a": "x", "b": "x", "meta_a": "v2"}\n')
    assert main(["dedup", str(pairs)]) == 1
    assert "'v2'" in lines(capsys.readouterr().out)[0]["error"]


def test_help_loads_no_verb_and_names_itself_shortly() -> None:
    script = (
        "import sys, guard_desk.cli\n"
        "try: guard_desk.cli.main(['run', '--help'])\n"
        "except SystemExit: print([name for name in ('numpy', 'rich', 'guard_desk.api') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("usage: guard-desk run ")
    assert done.stdout.endswith("[]\n")


@models
@pytest.mark.parametrize("verb", ["judge", "verify", "thin", "dedup"])
def test_the_help_of_a_verb_of_lines_shows_a_line_that_it_takes(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    file = tmp_path / "lines.jsonl"
    file.write_text(capsys.readouterr().out.split("A line: ")[1], encoding="utf-8")
    assert main([verb, str(file)]) == 0
    (answer,) = lines(capsys.readouterr().out)
    assert not answer.get("error")


@models
def test_a_report_is_printed_as_pdf_with_every_script(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("Backups are kept for 7 days. 备份保留 7 天。 கோப்புகள் 😀\n", encoding="utf-8")
    trace, target = tmp_path / "trace.json", tmp_path / "report.pdf"
    assert main(["run", str(folder), "-q", "How long are backups kept?", "--answer", "For 9 days.", "--json", str(trace)]) == 0
    assert main(["report", str(trace), "--pdf", str(target)]) == 0
    assert target.read_bytes().startswith(b"%PDF")
    assert main(["report", str(trace), "--pdf", str(tmp_path / "no" / "report.pdf")]) == 2
    assert sorted(path.name for path in tmp_path.glob("*.pdf*")) == ["report.pdf"]
