"""Settings and wordings from text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk import resources
from guard_desk.errors import InputError
from guard_desk.models.judges.settings import keyless_name, read_settings, with_setting, without_secrets
from guard_desk.models.judges.wordings import load_wordings, parse_wordings, shipped_wordings, wordings_toml
from guard_desk.records.evidence import Question
from guard_desk.records.judging import Classifier, JudgeSettings, RemoteForm, Wording, Wordings


def test_every_setting_is_read_and_the_last_one_counts() -> None:
    pairs = [
        "target=http://localhost:1/v1",
        "model=m=1",
        "form=openrouter",
        "concurrency=2",
        "concurrency=8",
        "timeout_s=1.5",
        "price_input=0.25",
        "price_output=0",
        "classifier.injection=folder",
    ]
    assert read_settings(pairs) == JudgeSettings(
        target="http://localhost:1/v1",
        model="m=1",
        form=RemoteForm.OPENROUTER,
        concurrency=8,
        timeout_s=1.5,
        price_input=0.25,
        price_output=0.0,
        classifiers=(Classifier(question="injection", source="folder"),),
    )


def test_none_takes_a_setting_back() -> None:
    settings = read_settings(["target=x", "model=m", "price_input=1", "classifier.relevant=a"])
    assert read_settings(["target=none", "model=none", "price_input=none", "classifier.relevant=none"], settings) == JudgeSettings()


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        ("model", "has no value"),
        ("model=", "has no value"),
        ("modell=x", "no setting 'modell'.*concurrency.*classifier.evidence"),
        ("concurrency=0", "from 1 to 64"),
        ("concurrency=65", "from 1 to 64"),
        ("concurrency=²", "from 1 to 64"),
        ("timeout_s=nan", "seconds"),
        ("timeout_s=0", "seconds"),
        ("price_input=-1", "price of a million"),
        ("price_output=cheap", "price of a million"),
        ("form=grpc", "systemone, openrouter"),
        ("classifier.truth=x", "relevant, evidence, contradicts, injection"),
        ("classifier.relevant=:label", "no source"),
        ("classifier.relevant=folder:", "no label"),
        ("wordings=no-such-file.toml", "no-such-file"),
    ],
)
def test_errors_name_the_value_and_what_is_allowed(pair: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_settings([pair])


@pytest.mark.parametrize("name", ["key", "api_key", "token"])
def test_a_key_is_refused_and_not_repeated(name: str) -> None:
    with pytest.raises(InputError, match="GUARD_DESK_API_KEY") as caught:
        with_setting(JudgeSettings(), name, "sk-secret")
    assert "sk-secret" not in str(caught.value)


def test_a_colon_before_a_label_is_told_from_one_of_the_path(tmp_path: Path) -> None:
    odd = tmp_path / "a:b"
    odd.mkdir()
    for value, source, label in (
        (str(odd), str(odd), None),
        (f"{odd}:INJECTION", str(odd), "INJECTION"),
        ("org/name:unsafe", "org/name", "unsafe"),
        ("C:\\models\\x", "C:\\models\\x", None),
    ):
        (classifier,) = with_setting(JudgeSettings(), "classifier.injection", value).classifiers
        assert (classifier.source, classifier.label) == (source, label)


@pytest.mark.parametrize("target", ["https://user:key@host/v1", "https://host/v1?api_key=sk", "https://host/#sk"])
def test_an_address_that_may_hold_a_key_is_not_stored(target: str) -> None:
    assert without_secrets(JudgeSettings(target=target, model="m")) == JudgeSettings(model="m")
    assert keyless_name(f"systemone:{target}") == "systemone"


@pytest.mark.parametrize("target", ["https://host:8080/v1", "C:\\model.gguf", "models/a.gguf"])
def test_other_targets_are_stored(target: str) -> None:
    assert without_secrets(JudgeSettings(target=target)).target == target
    assert keyless_name(f"gguf:{target}") == f"gguf:{target}"


def test_the_shipped_file_is_a_file_of_wordings() -> None:
    assert load_wordings(resources.path("questions.toml")) == shipped_wordings()


def test_what_a_file_leaves_out_is_as_shipped(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[evidence]\ninstruction = "Say whether it helps."\nyes = []\n', encoding="utf-8-sig")
    settings = read_settings([f"wordings={file}"])
    assert settings.wordings is not None
    shipped = shipped_wordings()
    assert settings.wordings.evidence == replace(shipped.evidence, instruction="Say whether it helps.", yes=())
    assert settings.wordings.relevant == shipped.relevant


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[relevant", "no TOML"),
        ("a = " + "[" * 100_000, "no TOML"),
        ("[truth]", "no question 'truth'"),
        ("relevant = 1", "no table"),
        ("[relevant]\ntext = ' '", "relevant.text must be text"),
        ("[relevant]\nyes = 'x'", "relevant.yes must be a list"),
        ("[relevant]\nno = [1]", "relevant.no must be a list"),
        ("[relevant]\ncriteria = 'x'", "no field 'criteria'"),
        ("[injection]\nhypothesis = 3", "injection.hypothesis must be text"),
        ("[evidence]\nhypothesis = ''", "evidence.hypothesis must be text"),
        ("[contradicts]\nhypothesis = 'x'", "contradicts has no hypothesis.*Leave it out"),
    ],
)
def test_a_bad_file_names_the_question_and_the_field(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=rf"bad\.toml: .*{words}"):
        load_wordings(tmp_path / "bad.toml")


_words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(str.strip)
_wordings = st.builds(
    Wording, text=_words, instruction=_words, yes=st.lists(_words, max_size=2).map(tuple), no=st.lists(_words, max_size=2).map(tuple)
)


_shipped = {question.value: getattr(shipped_wordings(), question.value).hypothesis for question in Question}


def _with_hypothesis(question: Question) -> st.SearchStrategy[Wording]:
    own = st.none() if question is Question.CONTRADICTS else _words
    return st.builds(lambda wording, text: replace(wording, hypothesis=text or _shipped[question]), _wordings, own)


@given(st.builds(Wordings, **{question.value: _with_hypothesis(question) for question in Question}))
def test_wordings_come_back_from_their_file(wordings: Wordings) -> None:
    assert parse_wordings(wordings_toml(wordings)) == wordings
