from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from guard_desk.cli.parser import build
from guard_desk.errors import InputError, MissingModelError
from guard_desk.models.judges import JUDGES, load_judge, network, split_name, thresholds_of
from guard_desk.policy import Thresholds
from guard_desk.records.judging import JudgeSettings
from tests.weights import needs_weights

NOWHERE = "http://127.0.0.1:9"


def test_every_judge_is_known_by_name_and_in_the_help_of_run() -> None:
    assert JUDGES[0] == "embedded"
    assert len(set(JUDGES)) == len(JUDGES)
    verbs = next(action for action in build()._actions if isinstance(action, argparse._SubParsersAction))
    words = "".join(verbs.choices["run"].format_help().split())  # lines are broken at hyphens too
    assert [name for name in JUDGES if name not in words] == []


def test_an_unknown_judge_names_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"no judge 'oracle'.*embedded, features.*recorded"):
        load_judge("oracle:x")


def test_the_same_judge_is_loaded_once_whatever_it_does_not_read() -> None:
    assert load_judge("features") is load_judge("features", settings=JudgeSettings(concurrency=9))
    assert load_judge("features").info.name == "features"


def test_other_settings_are_another_judge_and_the_same_ones_the_same() -> None:
    settings = JudgeSettings(target=NOWHERE, model="m")
    judge = load_judge("systemone", settings=settings)
    assert load_judge(f"systemone:{NOWHERE}", settings=replace(settings, target=None)) is judge
    assert load_judge("systemone", settings=replace(settings, model="n")).info.revision != judge.info.revision


def test_a_target_stands_after_the_first_colon() -> None:
    assert split_name(f"systemone:{NOWHERE}", JudgeSettings())[1].target == NOWHERE
    assert split_name("systemone", JudgeSettings(target="kept")) == ("systemone", JudgeSettings(target="kept"))
    assert split_name("systemone: http://a ", JudgeSettings(target="other"))[1].target == "http://a"


@pytest.mark.parametrize(
    ("name", "words"), [("features:x", "takes no target"), ("systemone:", "has no target"), ("recorded:f", "no target")]
)
def test_a_target_where_none_belongs_or_none_is_given(name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        load_judge(name)


@pytest.mark.models
@needs_weights
def test_the_name_and_thresholds_of_the_default_judges_answers() -> None:
    assert load_judge("embedded").info.name == "embedded"
    assert thresholds_of("embedded") == load_judge("embedded").thresholds


def test_without_its_weights_the_default_judge_says_so_and_no_other_answers_for_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(network, "judge_folder", lambda: tmp_path)
    with pytest.raises(MissingModelError, match=r"judge\.safetensors is missing.*pip install"):
        network.load_network.__wrapped__("cpu")
    with pytest.raises(MissingModelError, match="is missing"):
        thresholds_of.__wrapped__("embedded")


@needs_weights
def test_thresholds_are_known_without_loading_a_network() -> None:
    script = (
        "import sys; from guard_desk.models.judges import thresholds_of as t; t('embedded'), t('features'); print('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "False\n"


def test_the_thresholds_of_a_judgement_are_its_judges_or_the_recipes() -> None:
    assert thresholds_of("features") == load_judge("features").thresholds != Thresholds()
    assert thresholds_of("systemone") == thresholds_of("some-model-of-a-case-file") == Thresholds()
