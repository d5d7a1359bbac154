"""Judges on the command line: their settings, what they take, thresholds of another one, and several side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from guard_desk.cli import main
from guard_desk.formats.trace import load_trace
from guard_desk.policy import load_policy, policy_toml
from tests.models.remote.server import Handler, Server, serving

models = pytest.mark.models
Out = pytest.CaptureFixture[str]
QUESTION = ["-q", "How long are backups kept?"]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "backup.md").write_text("# Backups\n\nBackups are kept for 7 days.\n\nBackups run at 02:30.\n", encoding="utf-8")
    (folder / "gate.md").write_text("The gate opens at six.\n", encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def fresh_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUARD_DESK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GUARD_DESK_API_KEY", "sk-secret")


@pytest.fixture
def server() -> Iterator[Server]:
    """A decision server: everything is relevant, a text with "7" is evidence."""

    def script(handler: Handler, number: int) -> None:
        text = handler.server.asked[-1].body["state"]["passage"]["text"]
        values = {"relevant": 0.9, "evidence": 0.9 if "7" in text else 0.2, "contradicts": 0.1, "injection": 0.1}
        answers = {name: {"type": "noul", "noul": value} for name, value in values.items()}
        handler.reply(200, {"model": "m", "answers": answers, "usage": {"input_tokens": 1000, "output_tokens": 10}})

    with serving(script) as running:
        yield running


def priced(server: Server) -> list[str]:
    """The options of a judge behind the server, one request at a time."""
    settings = ("model=m", "concurrency=1", "price_input=2", "price_output=0")
    return ["--judge", f"systemone:{server.url}", *(word for setting in settings for word in ("--judge-set", setting))]


@models
def test_an_estimate_is_told_before_and_what_was_spent_after(notes: Path, tmp_path: Path, server: Server, capsys: Out) -> None:
    trace = tmp_path / "t.json"
    assert main(["run", str(notes), *QUESTION, *priced(server), "--json", str(trace)]) == 0
    shown = capsys.readouterr()
    before, after = [line for line in shown.err.splitlines() if "requests" in line]
    assert "3 passages, 0 with stored answers; 3 requests, about" in before
    assert "systemone: 3 requests, 3,000 tokens in and 30 out, cost 0.006" in after
    assert "requests" not in shown.out
    spent = load_trace(trace).judged.spent
    assert spent is not None
    assert (spent.requests, spent.input_tokens, spent.cost) == (3, 3000, 0.006)
    assert "sk-secret" not in trace.read_text(encoding="utf-8")
    assert main(["report", str(trace), "--html", str(tmp_path / "r.html"), "--csv", str(tmp_path / "r.csv")]) == 0
    assert main(["run", str(notes), *QUESTION, *priced(server)]) == 0
    again = capsys.readouterr().err
    assert "3 passages, 3 with stored answers; 0 requests" in again
    assert len(server.asked) == 3


@models
def test_estimate_alone_sends_nothing(notes: Path, server: Server, capsys: Out) -> None:
    assert main(["run", str(notes), *QUESTION, *priced(server), "--estimate"]) == 0
    assert "3 requests, about" in capsys.readouterr().out
    assert server.asked == []
    assert main(["run", str(notes), *QUESTION, "--judge", "systemone:http://127.0.0.1:9", "--estimate"]) == 0
    assert "3 requests, about" in capsys.readouterr().out
    assert main(["run", str(notes), *QUESTION, "--judge", "features", "--estimate"]) == 0
    assert "this judge costs nothing" in capsys.readouterr().out


@models
def test_the_verb_judge_takes_the_settings_and_tells_the_sum(tmp_path: Path, server: Server, capsys: Out) -> None:
    rows = [{"id": number, "query": "How long?", "text": text} for number, text in enumerate(("For 7 days.", "Soon."))]
    (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    wordings = tmp_path / "w.toml"
    wordings.write_text('[evidence]\ninstruction = "Say whether it helps."\n', encoding="utf-8")
    assert main(["judge", str(tmp_path / "pairs.jsonl"), *priced(server), "--judge-set", f"wordings={wordings}"]) == 0
    shown = capsys.readouterr()
    assert [json.loads(line)["decision"]["route"] for line in shown.out.splitlines()] == ["include", "exclude"]
    assert "2 requests, 2,000 tokens in and 20 out, cost 0.004" in shown.err
    assert "Say whether it helps." in server.asked[0].body["questions"]["evidence"]["instructions"]


@models
def test_a_server_that_is_down_is_told_and_nothing_passes_for_judged(notes: Path, tmp_path: Path, capsys: Out) -> None:
    down = ["--judge", "systemone:http://127.0.0.1:9", "--judge-set", "model=m"]
    assert main(["run", str(notes), *QUESTION, *down, "--json", str(tmp_path / "t.json")]) == 1
    assert "systemone: 3 of 3 passages were not judged: http://127.0.0.1:9/v1/systemone cannot be reached" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "t.json"), "--csv", str(tmp_path / "r.csv")]) == 0
    assert "cannot be reached" in (tmp_path / "r.csv").read_text(encoding="utf-8-sig")
    (tmp_path / "p.jsonl").write_text('{"query": "How long?", "passage": "For 7 days."}\n', encoding="utf-8")
    assert main(["judge", str(tmp_path / "p.jsonl"), *down]) == 1
    assert "cannot be reached" in json.loads(capsys.readouterr().out)["error"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--judge", "oracle"], "no judge 'oracle'"),
        (["--judge", "features:x"], "takes no target"),
        (["--judge-set", "concurrency=99"], "from 1 to 64"),
        (["--judge-set", "key=sk-secret"], "keys are no settings"),
        (["--policy", "recip"], "one of: recipe"),
    ],
)
def test_wrong_settings_say_what_is_allowed(notes: Path, options: list[str], words: str, capsys: Out) -> None:
    assert main(["run", str(notes), *QUESTION, *options]) == 2
    shown = capsys.readouterr().err
    assert words in shown
    assert "sk-secret" not in shown


@models
def test_thresholds_of_another_judge_are_told_on_stderr_and_in_the_report(notes: Path, tmp_path: Path, capsys: Out) -> None:
    policy, trace, page = tmp_path / "p.toml", tmp_path / "t.json", tmp_path / "r.html"
    policy.write_text(policy_toml(load_policy("recipe").kept_for("systemone")), encoding="utf-8")
    assert main(["run", str(notes), *QUESTION, "--judge", "features", "--policy", str(policy), "--json", str(trace)]) == 0
    shown = capsys.readouterr()
    assert "warning: These thresholds were set for the judge systemone; the answers of features" in shown.err
    assert "warning" not in shown.out
    assert main(["report", str(trace), "--html", str(page)]) == 0
    assert "set for the judge systemone" in page.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["route", str(trace), "--set", "thin.half_life_days=90"]) == 0
    assert "set for the judge systemone" in capsys.readouterr().err


@models
def test_a_trace_cannot_rewrite_the_terminal_with_its_judges_name(notes: Path, tmp_path: Path, capsys: Out) -> None:
    file = tmp_path / "t.json"
    assert main(["run", str(notes), *QUESTION, "--judge", "features", "--json", str(file)]) == 0
    data = json.loads(file.read_text(encoding="utf-8"))
    data["trace"]["judged"]["judge"]["name"] = "oracle\u202e\x1b[2J"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert main(["route", str(file), "--policy", "recipe"]) == 0
    told = capsys.readouterr().err
    assert "the answers of oracle" in told
    assert told.replace("\n", "").isprintable()


@models
def test_a_threshold_of_set_leaves_the_others_as_the_judge_has_them(notes: Path, tmp_path: Path, capsys: Out) -> None:
    trace = tmp_path / "t.json"
    run = ["run", str(notes), *QUESTION, "--judge", "features", "--set", "thresholds.evidence_min=0.31", "--json", str(trace)]
    assert main(run) == 0
    assert "warning" not in capsys.readouterr().err
    read = load_trace(trace)
    assert read.policy.thresholds is not None
    assert (read.policy.thresholds.evidence_min, read.policy.thresholds_for) == (0.31, "features")
    assert read.policy.thresholds.relevant_min == read.judged.thresholds.relevant_min


@models
def test_the_preset_recipe_is_a_policy(notes: Path, tmp_path: Path, capsys: Out) -> None:
    trace = tmp_path / "t.json"
    assert main(["run", str(notes), *QUESTION, "--judge", "features", "--policy", "recipe", "--json", str(trace)]) == 0
    assert load_trace(trace).routed.thresholds.evidence_min == 0.55
    assert "published recipe" in capsys.readouterr().err


@models
def test_judges_side_by_side(notes: Path, tmp_path: Path, server: Server, capsys: Out) -> None:
    file = tmp_path / "c.json"
    compare = ["compare", str(notes), *QUESTION, "--judges", f"features,systemone:{server.url},recorded"]
    assert main([*compare, "--judge-set", "model=m", "--json", str(file)]) == 1, "recorded has no answers"
    shown = capsys.readouterr()
    assert "features and systemone: 3 passages judged by both" in shown.out
    assert "recorded: The case file carries no recorded answers" in shown.out
    assert "kappa" in shown.out
    assert "systemone: 3 requests" in shown.err
    assert "recorded: 3 of 3 passages were not judged: The case file" in shown.err
    read = json.loads(file.read_text(encoding="utf-8"))
    assert [judge["name"] for judge in read["judges"]] == ["features", "systemone", "recorded"]
    assert read["pairs"][1]["questions"][0]["kappa"]["value"] is None
    for change in read["pairs"][0]["changes"]:
        (passage,) = [p for p in read["passages"] if p["id"] == change["passage_id"]]
        assert passage["judges"]["systemone"]["decision"] == change["after"]
    assert main([*compare, "--judge-set", "model=m", "--json", "-"]) == 1
    assert json.loads(capsys.readouterr().out)["pairs"] == read["pairs"]
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("judges", "words"), [("features", "fewer than two"), ("features,features", "named twice"), ("features,oracle", "no judge 'oracle'")]
)
def test_what_cannot_be_compared(notes: Path, judges: str, words: str, capsys: Out) -> None:
    assert main(["compare", str(notes), *QUESTION, "--judges", judges]) == 2
    assert words in capsys.readouterr().err
