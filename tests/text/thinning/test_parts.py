"""The parts of a question, each as a question of its own."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.text.thinning.parts import asked_parts, question_parts


@pytest.mark.parametrize(
    ("question", "spans", "texts"),
    [
        (
            "When was the Alder bridge built, and who paid for it?",
            ["When was the Alder bridge built", "who paid for it"],
            ["When was the Alder bridge built?", "who paid for the Alder bridge?"],
        ),
        (
            "When was the Alder bridge built and by whom?",
            ["When was the Alder bridge built", "by whom"],
            ["When was the Alder bridge built?", "by whom was the Alder bridge built?"],
        ),
        (
            "When and where was Ada Lind born?",
            ["When", "where was Ada Lind born"],
            ["When was Ada Lind born?", "where was Ada Lind born?"],
        ),
        (
            "What is the capital of Vellania and what is its population?",
            ["What is the capital of Vellania", "what is its population"],
            ["What is the capital of Vellania?", "what is Vellania's population?"],
        ),
        (
            "When was the tunnel opened, how long is it, and who designed it?",
            ["When was the tunnel opened", "how long is it", "who designed it"],
            ["When was the tunnel opened?", "how long is the tunnel?", "who designed the tunnel?"],
        ),
        (
            "Who was the first mayor of Brask? When did she take office?",
            ["Who was the first mayor of Brask", "When did she take office"],
            ["Who was the first mayor of Brask?", "When did the first mayor of Brask take office?"],
        ),
        (
            "Is the park open on Sundays, and how much does it cost?",
            ["Is the park open on Sundays", "how much does it cost"],
            ["Is the park open on Sundays?", "how much does the park cost?"],
        ),
        (
            "Which port does the daemon use, and which protocol?",
            ["Which port does the daemon use", "which protocol"],
            ["Which port does the daemon use?", "which protocol does the daemon use?"],
        ),
        (
            "Wann wurde die Brücke gebaut und wer hat sie bezahlt?",
            ["Wann wurde die Brücke gebaut", "wer hat sie bezahlt"],
            ["Wann wurde die Brücke gebaut?", "wer hat die Brücke bezahlt?"],
        ),
        (
            "Who designed the Harbour bridge and when was it opened?",
            ["Who designed the Harbour bridge", "when was it opened"],
            ["Who designed the Harbour bridge?", "when was the Harbour bridge opened?"],
        ),
        (
            "When was the Harbour opened and who owns it?",
            ["When was the Harbour opened", "who owns it"],
            ["When was the Harbour opened?", "who owns the Harbour?"],
        ),
        (
            "Where is the battery of the X2 and how do I charge it?",
            ["Where is the battery of the X2", "how do I charge it"],
            ["Where is the battery of the X2?", "how do I charge the battery of the X2?"],
        ),
        (
            "When was the dam built, where was it planned?",
            ["When was the dam built", "where was it planned"],
            ["When was the dam built?", "where was the dam planned?"],
        ),
        (
            "Qui a conçu le viaduc de Merval et quand a-t-il été inauguré ?",
            ["Qui a conçu le viaduc de Merval", "quand a-t-il été inauguré"],
            ["Qui a conçu le viaduc de Merval?", "quand a-t-il été inauguré le viaduc de Merval?"],
        ),
        (
            "谁赢得了2022年的松河杯，决赛在哪里举行？",
            ["谁赢得了2022年的松河杯", "决赛在哪里举行"],
            ["谁赢得了2022年的松河杯？", "2022年的松河杯的决赛在哪里举行？"],
        ),
        (
            "谁是松河杯的创办人，决赛在哪里举行？",
            ["谁是松河杯的创办人", "决赛在哪里举行"],
            ["谁是松河杯的创办人？", "松河杯的决赛在哪里举行？"],
        ),
        ("望江楼什么时候建成？谁设计的？", ["望江楼什么时候建成", "谁设计的"], ["望江楼什么时候建成？", "望江楼谁设计的？"]),
        (
            "青山公园什么时候开放，门票多少钱？",
            ["青山公园什么时候开放", "门票多少钱"],
            ["青山公园什么时候开放？", "青山公园的门票多少钱？"],
        ),
        ("望江楼何时建成？它有多高？", ["望江楼何时建成", "它有多高"], ["望江楼何时建成？", "望江楼的有多高？"]),
        ("张伟什么时候出生？李强什么时候出生？", ["张伟什么时候出生", "李强什么时候出生"], ["张伟什么时候出生？", "李强什么时候出生？"]),
    ],
)
def test_several_things_are_asked(question: str, spans: list[str], texts: list[str]) -> None:
    parts = asked_parts(question)
    assert [part.span.of(question) for part in parts] == spans
    assert [part.text for part in parts] == texts


@pytest.mark.parametrize(
    "question",
    [
        "Who founded Acme and Sons?",
        "Who wrote the book that Lind and Moss published?",
        "What is the height and weight of the tower?",
        "Ada Lind was a painter. When was she born?",
        "谁和谁一起创办了云帆公司？",
        "小王和小李谁更高？",
        "How many attempts are allowed, when the account is locked?",
        "melting point K5",
        "",
        "?!",
    ],
)
def test_one_thing_is_asked(question: str) -> None:
    assert [part.text for part in asked_parts(question)] == [question]


@given(st.text(max_size=80))
def test_parts_lie_in_the_question_in_order(question: str) -> None:
    spans = question_parts(question)
    assert spans
    assert all(0 <= span.start <= span.end <= len(question) for span in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))
