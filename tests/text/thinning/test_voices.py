"""Which wordings of one value are one voice."""

from __future__ import annotations

import pytest

from guard_desk.records.corpus import Passage
from guard_desk.text.analyze import analyze_text
from guard_desk.text.thinning.frame import frame_of
from guard_desk.text.thinning.reading import read_passage
from guard_desk.text.thinning.voices import number_voices

FOUNDER = "Who founded the Osprey bakery?"
COPIES = (
    "The Osprey bakery was founded by Henrik Moss.",
    "Henrik Moss founded the Osprey bakery.",
    "Actually, it was Henrik Moss who founded the Osprey bakery.",
    "Henrik Moss is the founder of the Osprey bakery!",
)


def voices(question: str, lines: tuple[str, ...]) -> int:
    frame = frame_of(question)
    found = [read_passage(frame, Passage(id="a", text=line), analyze_text(line)) for line in lines]
    assert all(found), [line for line, items in zip(lines, found, strict=True) if not items]
    return len(set(number_voices([items[0].wording for items in found])))


@pytest.mark.parametrize(
    ("question", "lines", "count"),
    [
        (FOUNDER, COPIES, 1),
        ("How many strings does the lute have?", ("The lute has 16 strings.", "On the lute I counted 16 strings."), 2),
        ("云溪博物馆的门票多少钱？", ("云溪博物馆的门票为 60 元。", "听说云溪博物馆的门票是 60 元。", "云溪博物馆门票 60 元！"), 1),
    ],
)
def test_voices(question: str, lines: tuple[str, ...], count: int) -> None:
    assert voices(question, lines) == count


def test_many_repeats_are_one_voice_even_with_a_word_of_their_own() -> None:
    asked = "Which port does the Tern gateway listen on?"
    lines = tuple(
        f"The Tern gateway listens on port 8443{end}" for end in (".", ", says Anna.", ", says Bela.", ", says Carl.", ", says Dora.")
    )
    assert voices(asked, lines) == 1
