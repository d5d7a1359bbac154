from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from guard_desk.cli import main, suites
from guard_desk.cli.suites import SUITES, Suite
from guard_desk.cli.terminal import check_writable
from guard_desk.measure.metrics import proportion
from guard_desk.measure.tables import Chart, ChartKind, Row, Series, Table
from guard_desk.policy import Policy
from guard_desk.progress import RunContext
from guard_desk.records.state import Models


def small(models: Models, data: Path | None, n: int | None, ctx: RunContext) -> Table:
    """A suite that says what it was given."""
    ctx.check()
    chart = Chart(title="Shares", kind=ChartKind.BARS, series=(Series.of("s", [("a", proportion(3, n or 4))]),))
    return Table(suite="small", rows=(Row(name="share", figure=proportion(3, n or 4), note=f"{models.encoder} {data}"),), charts=(chart,))


def tuned(models: Models, data: Path | None, n: int | None, ctx: RunContext, *, policy: Policy) -> Table:
    return Table(suite="tuned", rows=(Row(name="k", figure=float(policy.assemble.k)),))


@pytest.fixture(autouse=True)
def _suites(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SUITES, "small", Suite(code=f"{__name__}:small", about="a small one", data="a.txt", reads=("n", "encoder")))
    monkeypatch.setitem(SUITES, "tuned", Suite(code=f"{__name__}:tuned", about="with knobs", reads=("policy",)))
    monkeypatch.setitem(SUITES, "absent", Suite(code="guard_desk.measure.no_such_suite:run", about="not there"))


def test_table_json_and_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written, page = tmp_path / "f.json", tmp_path / "f.html"
    arguments = ["bench", "small", "--data", str(tmp_path), "--n", "6", "--encoder", "tfidf", "--json", str(written), "--html", str(page)]
    assert main(arguments) == 0
    assert "0.500" in capsys.readouterr().out
    record = json.loads(written.read_text(encoding="utf-8"))
    assert record["command"] == f"guard-desk bench small --data {tmp_path} --n 6 --encoder tfidf --json {written} --html {page}"
    assert record["rows"][0]["n"] == 6
    assert ["Encoder", "tfidf"] in record["settings"]
    html = page.read_text(encoding="utf-8")
    assert record["command"] in html
    assert "A small one." in html
    assert "<svg" in html


def test_a_page_on_stdout_is_all_that_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "small", "--data", str(tmp_path), "--html", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!DOCTYPE html>")


def test_knobs_reach_a_suite_that_reads_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "tuned", "--set", "assemble.k=4"]) == 0
    assert re.search(r"k +4\b", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["small"], "needs data"),
        (["small", "--data", "no-such-folder"], "no-such-folder: this folder does not exist"),
        (["small", "--data", __file__], "this is a file, not a folder"),
        (["small", "--judge", "features"], "--judge"),
        (["small", "--set", "assemble.k=4"], "--set"),
        (["small", "--generator", "local"], "It reads --encoder, --n."),
        (["small", "--n", "0"], "--n 0"),
        (["tuned", "--data", "."], "needs no --data"),
        (["tuned", "--set", "assemble.k=none"], "assemble.k"),
        (["absent"], "does not have"),
        (["nothing"], "Known: "),
    ],
)
def test_what_a_suite_ignores_is_refused(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_help_names_every_suite_and_its_data() -> None:
    words = suites.suite_help()
    for name, suite in SUITES.items():
        assert f"  {name} " in words
        assert suite.about in words
        assert suite.data in words


def test_an_import_that_fails_inside_a_suite_is_not_taken_for_a_missing_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Suite(code="tests.cli.test_bench:small", about="")
    monkeypatch.setattr(suites.importlib, "import_module", _fails)
    with pytest.raises(ModuleNotFoundError):
        broken.load()


def _fails(name: str) -> None:
    raise ModuleNotFoundError("No module named 'semhash'", name="semhash")


@pytest.mark.parametrize(
    ("line", "cause"),
    [(b'{"id": "t1", "lines": []}', "no field 'question'"), (b'["t1"]', "not a JSON object"), (b'{"id": "t1"', "not JSON")],
)
def test_a_set_with_a_bad_row_is_refused_with_file_and_line(
    line: bytes, cause: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thinning_dev.jsonl").write_bytes(b"\n" + line + b"\n")
    assert main(["bench", "cases", "--data", str(tmp_path)]) != 0
    told = capsys.readouterr().err
    assert "thinning_dev.jsonl, line 2: " + cause in told
    assert "Traceback" not in told


@pytest.mark.parametrize("option", ["--json", "--html"])
@pytest.mark.parametrize("place", ["no-such-folder/x.json", "a-folder"])
def test_a_file_that_cannot_be_written_is_told_before_measuring(
    option: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a-folder").mkdir()
    monkeypatch.setattr(Suite, "load", _fails)
    assert main(["bench", "small", "--data", str(tmp_path), option, str(tmp_path / place)]) == 2
    assert f"{tmp_path / place}: this file cannot be written" in capsys.readouterr().err


def test_a_file_that_can_no_longer_be_written_costs_neither_the_table_nor_the_other_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written, page = tmp_path / "f.json", tmp_path / "f.html"

    def measured(*given: Any) -> Table:
        written.mkdir()
        return small(*given)

    monkeypatch.setattr(Suite, "load", lambda _: measured)
    assert main(["bench", "small", "--data", str(tmp_path), "--json", str(written), "--html", str(page)]) == 2
    shown = capsys.readouterr()
    assert "share" in shown.out
    assert f"{written}: this file cannot be written" in shown.err
    assert "<svg" in page.read_text(encoding="utf-8")


def test_looking_whether_a_file_can_be_written_leaves_no_trace(tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text("kept", encoding="utf-8")
    for path in (old, new):
        check_writable(str(path))
    assert old.read_text(encoding="utf-8") == "kept"
    assert not new.exists()


def test_cases_without_cases_are_refused_with_the_names_of_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "cases", "--data", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert f"{tmp_path}: none of the acceptance cases" in told.err
    assert "routing.jsonl" in told.err
