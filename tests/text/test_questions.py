"""What a question asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk import lang
from guard_desk.records.evidence import ValueKind
from guard_desk.text.questions import Ask, asked


@pytest.mark.parametrize(
    ("question", "language", "ask", "dimension"),
    [
        ("How long are ledger backups kept?", "en", Ask.DURATION, "time"),
        ("What is the melting point of alloy K5?", "en", Ask.TEMPERATURE, "temperature"),
        ("How much does the Orbis 300 weigh?", "en", Ask.MASS, "mass"),
        ("What does the deposit for the town hall cost?", "en", Ask.MONEY, "money"),
        ("How many beds does the hospital have?", "en", Ask.NUMBER, ""),
        ("Who chairs the heritage panel?", "en", Ask.PERSON, ""),
        ("When was the charter signed?", "en", Ask.DATE, ""),
        ("Which command drains a node?", "en", Ask.IDENTIFIER, ""),
        ("Is the notice period three months?", "en", Ask.BOOLEAN, ""),
        ("Why did costs rise?", "en", Ask.REASON, ""),
        ("样品需要冷藏多久？", "zh", Ask.DURATION, "time"),
        ("谁负责审批？", "zh", Ask.PERSON, ""),
        ("试用账号能导出数据吗？", "zh", Ask.BOOLEAN, ""),
        ("押金是多少？", "zh", Ask.MONEY, "money"),
        ("Wie lange gilt die Karte?", "de", Ask.DURATION, "time"),
        ("Combien coûte l'inscription ?", "fr", Ask.MONEY, "money"),
        ("¿A qué hora abre la biblioteca?", "es", Ask.TIME, ""),
        ("¿Se puede pagar aquí?", "es", Ask.BOOLEAN, ""),
        ("பூங்கா எப்போது மூடப்படும்?", "ta", Ask.DATE, ""),
    ],
)
def test_asked(question: str, language: str, ask: Ask, dimension: str) -> None:
    found = asked(question, language)
    assert (found.ask, found.dimension) == (ask, dimension)


def test_focus_leaves_out_the_question_words() -> None:
    assert asked("How long are ledger backups kept?").focus == ("ledger", "backup", "kept")
    assert asked("What is the annual fee of the library?").focus == ("annual", "fee", "librari")


def test_kinds_that_answer() -> None:
    assert asked("How much is the late fee?").kinds[0] is ValueKind.MONEY
    assert asked("How deep is it?").kinds == (ValueKind.NUMBER,)
    assert asked("Why?").kinds == ()
    assert asked("Describe it.").ask is None


@given(st.text(max_size=80), st.sampled_from([*lang.codes(), "xx"]))
def test_any_text_is_a_question(text: str, language: str) -> None:
    found = asked(text, language)
    assert found.span is None or found.span.of(text)
