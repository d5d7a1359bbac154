from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from guard_desk.models.generators.pieces import TextPieces


def decode(tokens: object) -> str:
    return bytes(tokens).decode("utf-8", "replace")  # type: ignore[call-overload,no-any-return]


def written(raw: bytes) -> list[str]:
    pieces = TextPieces(decode)
    return [*(pieces.add(byte) for byte in raw), pieces.end()]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]).filter(lambda c: c != "\ufffd"), max_size=40))
def test_pieces_are_whole_characters_and_together_the_text(text: str) -> None:
    pieces = written(text.encode())
    assert "".join(pieces) == text
    assert not any("\ufffd" in piece for piece in pieces)


@given(st.binary(max_size=60))
def test_bytes_that_are_no_text_are_written_too(raw: bytes) -> None:
    assert "".join(written(raw)).replace("\ufffd", "") == decode(raw).replace("\ufffd", "")


def test_a_character_comes_with_its_last_byte() -> None:
    assert written("七🙂a".encode()) == ["", "", "七", "", "", "", "🙂", "a", ""]


def test_spaces_that_a_tokenizer_writes_between_words_only() -> None:
    words = ["seven", "days", "kept"]
    pieces = TextPieces(lambda tokens: " ".join(words[token] for token in tokens))
    assert [pieces.add(0), pieces.add(1), pieces.add(2), pieces.end()] == ["seven", " days", " kept", ""]
