"""Where sentences begin and end."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.text.sentences import sentences


def split(text: str) -> list[str]:
    return [span.of(text) for span in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He left. She stayed!", ["He left.", "She stayed!"]),
        ("Dr. Smith met J. R. Jones at 3.30 p.m. on Monday. He left.", ["Dr. Smith met J. R. Jones at 3.30 p.m. on Monday.", "He left."]),
        ("Acme Inc. bought it. It cost 3.5 million.", ["Acme Inc. bought it.", "It cost 3.5 million."]),
        ("It runs in the U.S. The rest does not.", ["It runs in the U.S.", "The rest does not."]),
        ("Choose Plan B. It works.", ["Choose Plan B.", "It works."]),
        ('She said "Stop." Then (see fig. 3) he left.', ['She said "Stop."', "Then (see fig. 3) he left."]),
        ("Am 4. März 2027 endet die Frist. Das ist z. B. gut.", ["Am 4. März 2027 endet die Frist.", "Das ist z. B. gut."]),
        ("他来了。她走了！“是的。”他说", ["他来了。", "她走了！", "“是的。”", "他说"]),
        ("கோப்பு உள்ளது. அது பெரியது.", ["கோப்பு உள்ளது.", "அது பெரியது."]),
        ("Yahoo! is big. 🎉 Good!", ["Yahoo! is big.", "🎉 Good!"]),
        ("- first\n- second, www.example.com\n\n1. Drain it\n2. Wait", ["first", "second, www.example.com", "Drain it", "Wait"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |\nAfter.", ["| a | b |", "| 1 | 2 |", "After."]),
        ("Run:\n\n```sh\na. b. c\n```\nDone. Now", ["Run:", "```sh\na. b. c\n```", "Done.", "Now"]),
        ("# Limits\nThe limit is\n5 MB.", ["Limits", "The limit is\n5 MB."]),
        ("", []),
        ("  \n\t", []),
    ],
)
def test_split(text: str, expected: list[str]) -> None:
    assert split(text) == expected


PIECES = st.lists(st.sampled_from([*'aZ1é你。.!?… \n\t-|#*"”)(', "Dr.", "```", "e.g.", "🎉", "த", "\u200b", "\r\n", "1. "]), max_size=40)


@given(PIECES.map("".join))
def test_laws(text: str) -> None:
    spans = sentences(text)
    for span in spans:
        assert 0 <= span.start < span.end <= len(text)
        assert span.of(text).strip() == span.of(text)
    assert all(left.end <= right.start for left, right in itertools.pairwise(spans))


@given(st.text(max_size=80))
def test_every_letter_lies_in_a_sentence(text: str) -> None:
    inside = {place for span in sentences(text) for place in range(span.start, span.end)}
    outside = {ch for place, ch in enumerate(text) if place not in inside}
    # Markers of lists ("a)", "1.", "一、") stand outside; so do white space and rules.
    assert not any(ch.isalpha() and ch not in "一二三四五六七八九十" and not ch.isascii() for ch in outside)
