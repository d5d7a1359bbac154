from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from guard_desk.ui.widgets.marks import Mark, MarkStyle
from guard_desk.ui.widgets.span_text import SpanText
from guard_desk.ui.widgets.text_map import Utf16Map
from tests.ui.builders import theme

STYLE = MarkStyle(color="#b3202c", fill="#fde4e4", underline="WaveUnderline")
ODD = "Zu 30 Tagen 😀\r\n备份保留 7 天。\u2028காப்பு 7 நாட்கள்\u200b end\ud83d 12 e\u0301."


def words(text: str, *wanted: str) -> list[Mark]:
    places = [(text.index(word), word) for word in wanted]
    return [Mark(start=start, end=start + len(word), style=STYLE, tip=f"<b>{word}</b>") for start, word in places]


@pytest.fixture
def shown(qtbot: QtBot) -> SpanText:
    widget = SpanText()
    qtbot.addWidget(widget)
    widget.set_theme(theme())
    widget.resize(420, 200)
    widget.show()
    return widget


def test_marks_sit_on_their_words_in_any_script(shown: SpanText) -> None:
    shown.set_text(ODD)
    shown.set_marks(words(ODD, "30 Tagen", "7 天", "7 நாட்கள்", "12"))
    drawn = [selection.cursor.selectedText() for selection in shown.extraSelections()]
    assert drawn[:4] == ["30 Tagen", "7 天", "7 நாட்கள்", "12"]
    assert drawn[4:] == ["‹ZWSP›", "‹U+D83D›"]
    assert shown.text() == ODD


def test_marks_outside_the_text_are_left_out(shown: SpanText) -> None:
    shown.set_text("abc")
    shown.set_marks([Mark(start=1, end=9, style=STYLE), Mark(start=0, end=1, style=STYLE)])
    assert len(shown.marks()) == 1


def test_a_click_chooses_and_again_the_one_underneath(shown: SpanText, qtbot: QtBot) -> None:
    text = "A claim with 30 days in it."
    shown.set_text(text)
    shown.set_marks(words(text, "A claim with 30 days in it", "30 days"))
    seen: list[int] = []
    shown.span_clicked.connect(seen.append)
    cursor = QTextCursor(shown.document())
    cursor.setPosition(text.index("days"))
    place = shown.cursorRect(cursor).center() + QPoint(3, 0)
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert seen == [13, 0]
    assert shown.chosen() == 0


def test_keys_go_from_mark_to_mark(shown: SpanText, qtbot: QtBot) -> None:
    shown.set_text(ODD)
    shown.set_marks(words(ODD, "30 Tagen", "7 天", "12"))
    seen: list[int] = []
    shown.span_clicked.connect(seen.append)
    qtbot.keyClick(shown, Qt.Key.Key_N)
    qtbot.keyClick(shown, Qt.Key.Key_F8)
    qtbot.keyClick(shown, Qt.Key.Key_P)
    qtbot.keyClick(shown, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert [ODD[start : start + 2] for start in seen] == ["30", "7 ", "30", "12"]


def test_typing_changes_only_what_was_typed(shown: SpanText, qtbot: QtBot) -> None:
    shown.set_text(ODD)
    shown.set_marks(words(ODD, "30 Tagen", "12"))
    shown.set_editable(True)
    texts: list[str] = []
    shown.edited.connect(texts.append)
    cursor = shown.textCursor()
    cursor.setPosition(Utf16Map(ODD, reveal=False).unit(ODD.index("end")))
    shown.setTextCursor(cursor)
    qtbot.keyClicks(shown, "big ")
    assert texts[-1] == ODD.replace("end", "big end")
    assert [texts[-1][m.start : m.end] for m in shown.marks()] == ["30 Tagen", "12"]
    shown.undo()
    assert shown.text() == ODD


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_edit_is_followed_code_point_by_code_point(shown: SpanText, data: st.DataObject) -> None:
    text = data.draw(st.text("ab 😀é\u0301备\r\n\u2028\u200b\ud83d", max_size=25))
    shown.set_editable(True)
    shown.set_text(text)
    for _ in range(data.draw(st.integers(1, 4))):
        chart = Utf16Map(shown.text(), reveal=False)
        start = data.draw(st.integers(0, len(shown.text())))
        end = data.draw(st.integers(start, len(shown.text())))
        typed = data.draw(st.text("xy😁天\n", max_size=4))
        cursor = QTextCursor(shown.document())
        cursor.setPosition(chart.unit(start))
        cursor.setPosition(chart.unit(end), QTextCursor.MoveMode.KeepAnchor)
        first, last = chart.code_points(chart.unit(start), chart.unit(end))
        expected = _lines(shown.text()[:first]) + typed + _lines(shown.text()[last:])
        cursor.insertText(typed)
        # Deleting a line end and typing one again may keep the old one: both are the same line end.
        assert _lines(shown.text()) == expected
        assert shown.toPlainText() == Utf16Map(shown.text(), reveal=False).shown
    while shown.document().isUndoAvailable():
        shown.undo()
    assert shown.toPlainText() == Utf16Map(shown.text(), reveal=False).shown


def test_two_line_ends_that_come_side_by_side_stay_two(shown: SpanText) -> None:
    shown.set_text("a\r\rb\nc")
    shown.set_editable(True)
    cursor = QTextCursor(shown.document())
    cursor.setPosition(3)
    cursor.deleteChar()
    assert shown.text() == "a\n\n\nc"


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\ufffd", "\ud83d")


def test_copying_gives_the_words_and_not_their_signs(shown: SpanText) -> None:
    shown.set_text("pass\u200bword 😀")
    shown.selectAll()
    assert shown.createMimeDataFromSelection().text() == "pass\u200bword 😀"


def test_what_a_mark_means_is_shown_as_plain_text(shown: SpanText) -> None:
    shown.set_text("30 days")
    shown.set_marks(words("30 days", "30"))
    shown.show()
    assert shown._tips_at(shown.cursorRect().center()) == ["<b>30</b>"]


def test_undo_is_left_to_the_window_when_nothing_was_typed(shown: SpanText, qtbot: QtBot) -> None:
    shown.set_text("abc")
    shown.set_editable(True)
    key = QKeySequence(QKeySequence.StandardKey.Undo)[0]
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key.key(), key.keyboardModifiers())
    shown.event(event)
    assert not event.isAccepted()


def test_a_long_text_with_many_marks_draws_only_those_in_sight(shown: SpanText) -> None:
    text = "word 30 😀 days. " * 12000
    shown.set_text(text)
    marks = [Mark(start=at, end=at + 6, style=STYLE) for at in range(0, len(text) - 20, 100)]
    shown.set_marks(marks)
    assert len(shown.extraSelections()) < 200
    shown.choose(marks[-1].start)
    drawn = {selection.cursor.selectionStart() for selection in shown.extraSelections()}
    assert Utf16Map(text).unit(marks[-1].start) in drawn
