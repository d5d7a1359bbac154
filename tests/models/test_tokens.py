from __future__ import annotations

import sys
from types import ModuleType

import pytest

from guard_desk.errors import ModelError
from guard_desk.models.registry import token_counter
from guard_desk.models.tokens import _encodings, encoding_names


def test_known_counts() -> None:
    counter = token_counter("cl100k_base")
    assert counter.encoding == "cl100k_base"
    assert [counter.count(text) for text in ("", "hello world", "tiktoken is great!")] == [0, 2, 6]


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_special_tokens_are_plain_text(name: str) -> None:
    assert token_counter(name).count("<|endoftext|>") > 1


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_any_text_can_be_counted(name: str) -> None:
    counter = token_counter(name)
    assert counter.count("备份保留七天") > 0
    assert counter.count("👩‍👩‍👧 தமிழ்") > 0
    assert counter.count("broken \ud83d end") > 0


def test_the_patterns_are_those_of_tiktoken(monkeypatch: pytest.MonkeyPatch) -> None:

    plugin = _plugin(monkeypatch)
    monkeypatch.setattr(plugin, "load_tiktoken_bpe", lambda address, expected_hash: {b"a": expected_hash})
    for name in encoding_names():
        theirs, ours = getattr(plugin, name)(), _encodings()[name]
        assert "|".join(ours["pattern"]) == theirs["pat_str"]
        assert theirs["mergeable_ranks"] == {b"a": ours["sha256"]}


def test_an_unknown_encoding_is_named() -> None:
    with pytest.raises(ModelError, match="no token encoding 'gpt9'; there is cl100k_base, o200k_base"):
        token_counter("gpt9")


def _plugin(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    import tiktoken_ext.openai_public as plugin

    assert "tiktoken_ext.openai_public" in sys.modules
    return plugin
