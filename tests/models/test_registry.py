from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from guard_desk.errors import InputError, MissingModelError
from guard_desk.models.rankers import GivenRanker
from guard_desk.models.registry import Models, installed_models, load_encoder, load_generator, load_ranker, model_for_corpus
from guard_desk.models.tfidf import TfidfRanker
from tests.builders import passages

ENGLISH = passages("Backups are kept for seven days.", "Restore with the command.")
CHINESE = passages("备份保留七天。", "使用 restore 命令恢复。")
TAMIL = passages("காப்புப்பிரதிகள் ஏழு நாட்கள் வைக்கப்படும்.")


def test_the_same_corpus_gets_the_same_ranker() -> None:
    models = Models(encoder="tfidf")
    first = load_ranker(models, ENGLISH)
    assert isinstance(first, TfidfRanker)
    assert load_ranker(models, ENGLISH) is first
    assert load_ranker(models, CHINESE) is not first


def test_minilm_gives_way_for_scripts_it_does_not_know() -> None:
    assert model_for_corpus("minilm", ENGLISH) == ("minilm", "")
    for corpus, script in ((CHINESE, "Han"), (TAMIL, "Tamil")):
        name, reason = model_for_corpus("minilm", corpus)
        assert name == "hybrid"
        assert script in reason
    assert model_for_corpus("bm25", CHINESE) == ("bm25", "")
    assert model_for_corpus("minilm", ()) == ("minilm", "")


def test_own_vectors_need_both_parts() -> None:
    assert isinstance(load_ranker(Models(), ENGLISH, vectors=np.eye(2), query_vector=[1, 0]), GivenRanker)
    with pytest.raises(InputError, match="Give both"):
        load_ranker(Models(), ENGLISH, vectors=np.eye(2))


def test_an_unknown_encoder_is_named() -> None:
    with pytest.raises(InputError, match=r"no encoder 'maxilm'\. There is minilm, tfidf, bm25, hybrid"):
        load_encoder("maxilm")


def test_a_hub_name_that_is_not_cached_names_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(MissingModelError, match="hf download some/model-nobody-has"):
        load_encoder("some/model-nobody-has")


@pytest.mark.parametrize("name", [None, "none", "recorded"])
def test_no_generator_for_given_answers(name: str | None) -> None:
    assert load_generator(Models(generator=name)) is None


def test_a_missing_generator_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(MissingModelError, match="guard-desk models add smollm2"):
        load_generator(Models(generator="local"))
    with pytest.raises(MissingModelError, match="no such file"):
        load_generator(Models(generator=str(tmp_path / "x.gguf")))


def test_what_is_no_generator_says_what_it_is_not_and_what_to_give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUARD_DESK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("no model", encoding="utf-8")
    (tmp_path / "smollm2").mkdir()
    (tmp_path / "beside").mkdir()
    spelled = r"ends in \.gguf, or transformers:FOLDER"
    with pytest.raises(InputError, match=r"notes\.txt' is no generator: its name does not end in \.gguf.*" + spelled):
        load_generator(Models(generator=str(tmp_path / "notes.txt")))
    for folder in (str(tmp_path), "beside"):
        with pytest.raises(InputError, match=r"is no generator: it has no config\.json.*" + spelled):
            load_generator(Models(generator=folder))
    with pytest.raises(MissingModelError, match="no such file or folder.*" + spelled) as missing:
        load_generator(Models(generator=str(tmp_path / "away")))
    assert "Install it with" not in str(missing.value)
    with pytest.raises(MissingModelError, match="guard-desk models add smollm2"):
        load_generator(Models(generator="smollm2"))


@pytest.mark.parametrize(("name", "words"), [("away", "there is no model folder"), ("notes.txt", "this is a file and no model folder")])
def test_a_folder_that_is_not_there_is_a_missing_model(name: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no model", encoding="utf-8")
    with pytest.raises(MissingModelError, match=words):
        load_generator(Models(generator=f"transformers:{tmp_path / name}"))


def test_the_embedded_encoder_is_listed() -> None:
    listed = {model.name: model for model in installed_models()}
    assert listed["minilm"].kind == "encoder"
    assert listed["minilm"].known
    assert listed["minilm"].revision == "0.1.0"
