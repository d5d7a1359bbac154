from __future__ import annotations

from pathlib import Path

import pytest

from guard_desk.models.judges import JUDGES
from guard_desk.records.judging import Classifier, JudgeSettings, RemoteForm, Spent
from guard_desk.records.state import Models
from guard_desk.ui.judge_kinds import (
    KINDS,
    advice,
    count_words,
    host_of,
    money,
    privacy_words,
    problems,
    spent_words,
    target_of,
)


def models(judge: str, target: str | None = None, **fields: object) -> Models:
    return Models(judge=judge, judge_settings=JudgeSettings(target=target, **fields))  # type: ignore[arg-type]


def test_every_judge_has_its_words() -> None:
    assert {kind.name for kind in KINDS} >= set(JUDGES)


@pytest.mark.parametrize(
    ("chosen", "name", "local"),
    [
        (models("systemone"), "api.typesafe.ai", False),
        (models("systemone", form=RemoteForm.OPENROUTER), "openrouter.ai", False),
        (models("systemone:http://localhost:8080"), "localhost", True),
        (models("llm", "http://127.0.0.1:1"), "127.0.0.1", True),
        (models("llm", "http://192.168.1.20:8080/v1"), "192.168.1.20", False),
    ],
)
def test_where_passages_go(chosen: Models, name: str, local: bool) -> None:
    host = host_of(chosen)
    assert host is not None
    assert (host.name, host.local) == (name, local)


@pytest.mark.parametrize("chosen", [models("embedded"), models("gguf", "https://x.example"), models("llm"), models("llm", "no address")])
def test_nothing_is_sent_where_there_is_no_server(chosen: Models) -> None:
    assert host_of(chosen) is None


def test_privacy_is_said_plainly() -> None:
    assert privacy_words("embedded", JudgeSettings()) == (False, "Stays on this machine: nothing is sent anywhere.")
    leaves, words = privacy_words("systemone", JudgeSettings())
    assert leaves
    assert "leave this machine" in words
    assert "api.typesafe.ai" in words
    assert privacy_words("llm", JudgeSettings(target="http://localhost:1"))[0] is False


def test_problems_stand_at_their_field(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").touch()
    assert problems("embedded", JudgeSettings(target="whatever")) == {}
    assert problems("systemone", JudgeSettings()) == {}
    assert "address" in problems("llm", JudgeSettings())["target"]
    assert "target" in problems("llm", JudgeSettings(target="ftp://x"))
    secret = problems("llm", JudgeSettings(target="https://user:sk-secret@x.example"))["target"]
    assert "sk-secret" not in secret
    assert "no such file" in problems("gguf", JudgeSettings(target=str(tmp_path / "other.gguf")))["target"]
    assert problems("gguf", JudgeSettings(target=str(tmp_path / "m.gguf"))) == {}
    assert "classifiers" in problems("cross-encoder", JudgeSettings())
    bad = JudgeSettings(classifiers=(Classifier(question="injection", source="/no/such folder"),))
    assert set(problems("cross-encoder", bad)) == {"injection"}
    good = JudgeSettings(
        classifiers=(Classifier(question="injection", source=str(tmp_path)), Classifier(question="relevant", source="a/b"))
    )
    assert problems("cross-encoder", good) == {}


def test_an_open_line_is_warned_of() -> None:
    assert "not encrypted" in advice("systemone", JudgeSettings(target="http://192.168.1.20"))
    assert advice("systemone", JudgeSettings(target="http://localhost:1")) == ""
    assert advice("systemone", JudgeSettings()) == ""


def test_amounts() -> None:
    assert [money(value) for value in (0, 0.0000001, 0.01854, 0.5, 12.345)] == ["0.00", "less than 0.0001", "0.0185", "0.5", "12.35"]
    assert spent_words(Spent(requests=1, input_tokens=1200, output_tokens=34)) == "1,234 tokens in 1 request"
    assert spent_words(Spent(requests=2, input_tokens=1, cost=0.5, estimated=True)) == "about 1 token in 2 requests, cost about 0.5"
    assert count_words(3, 0) == "3 passages"
    assert count_words(3, 2) == "3 of 5 passages (2 already have a stored answer)"
    assert target_of("gguf:model.gguf", JudgeSettings()) == "model.gguf"
