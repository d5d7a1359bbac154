from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from guard_desk.text.word_diff import Piece, differences, word_diff


def _changed(left: str, right: str) -> list[tuple[str, str]]:
    return [(piece.left.of(left), piece.right.of(right)) for piece in differences(left, right)]


def test_a_number_that_differs() -> None:
    assert _changed("Backups are kept for 7 days.", "Backups are kept for 30 days.") == [("7", "30")]


def test_layout_is_no_difference() -> None:
    assert _changed("Keys  expire\r\nafter a year.", "Keys expire after a year.") == []


def test_words_that_one_side_lacks_have_an_empty_place_on_the_other() -> None:
    left, right = "Exports run nightly.", "Exports never run nightly."
    (piece,) = differences(left, right)
    assert (piece.left.start, piece.left.end) == (8, 8)
    assert piece.right.of(right) == "never"


def test_chinese_is_compared_by_characters() -> None:
    assert _changed("备份保留七天。", "备份保留三天。") == [("七", "三")]


def test_tamil_words_and_emoji_stay_whole() -> None:
    assert _changed("7 நாட்கள் 👩‍💻 ok", "7 நாள் 👩‍💻 ok") == [("நாட்கள்", "நாள்")]


def test_empty_texts() -> None:
    assert word_diff("", "") == ()
    assert _changed("", "two words") == [("", "two words")]


def test_long_texts_end_soon() -> None:
    left = " ".join(f"w{n % 50}" for n in range(6000))
    assert differences(left, left + " more")[-1].right.of(left + " more") == "more"


@given(st.text(max_size=60), st.text(max_size=60))
def test_pieces_hold_both_texts_in_order(left: str, right: str) -> None:
    pieces = word_diff(left, right)
    for text, side in ((left, "left"), (right, "right")):
        spans = [getattr(piece, side) for piece in pieces]
        kept = "".join(span.of(text) for span in spans)
        assert "".join(kept.split()) == "".join(text.split())
        assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(_same(piece, left, right) for piece in pieces if piece.same)


def _same(piece: Piece, left: str, right: str) -> bool:
    return "".join(piece.left.of(left).split()) == "".join(piece.right.of(right).split())
