"""One knob: what it shows, what it tells, and when a change of a person is over."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QDoubleSpinBox, QLineEdit, QSlider, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from guard_desk.policy import knobs
from guard_desk.ui.widgets.knob_editor import KnobEditor
from guard_desk.ui.widgets.knob_scale import KnobScale
from tests.ui import builders

NUMBERS = [knob for knob in knobs() if knob.type in (int, float)]


class Heard:
    """What an editor told."""

    def __init__(self, editor: KnobEditor) -> None:
        self.moved: list[Any] = []
        self.released = 0
        editor.moved.connect(self._moved)
        editor.released.connect(self._released)

    def _moved(self, _: str, value: Any) -> None:
        self.moved.append(value)

    def _released(self) -> None:
        self.released += 1


def shown(qtbot: QtBot, path: str, value: Any, **how: Any) -> tuple[KnobEditor, Heard]:
    editor = KnobEditor(path, **how)
    qtbot.addWidget(editor)
    editor.set_theme(builders.theme())
    editor.show_value(value)
    editor.resize(480, editor.sizeHint().height())
    editor.show()
    return editor, Heard(editor)


def slider(editor: KnobEditor) -> QSlider:
    return editor.findChild(QSlider)


def spin(editor: KnobEditor) -> QDoubleSpinBox:
    return editor.findChild(QDoubleSpinBox)


def test_names_in_the_window(qtbot: QtBot) -> None:
    editor, _ = shown(qtbot, "thin.half_life_days", 730.0)
    assert spin(editor).objectName() == "knob_thin_half_life_days"
    assert spin(editor).accessibleName() == "Half life days"
    assert slider(editor).accessibleName() == "Half life days"


def test_showing_a_value_tells_no_one_and_all_agree(qtbot: QtBot) -> None:
    editor, heard = shown(qtbot, "dedup.similarity_floor", 0.86)
    editor.show_value(0.5)
    assert (spin(editor).value(), slider(editor).value(), editor.value()) == (0.5, 50, 0.5)
    assert (heard.moved, heard.released) == ([], 0)


def test_slider_and_spin_box_move_each_other(qtbot: QtBot) -> None:
    editor, heard = shown(qtbot, "dedup.similarity_floor", 0.86)
    slider(editor).setValue(70)
    assert spin(editor).value() == 0.7
    spin(editor).setValue(0.25)
    assert slider(editor).value() == 25
    assert heard.moved == [0.7, 0.25]
    assert heard.released == 2


def test_a_drag_is_released_once(qtbot: QtBot) -> None:
    editor, heard = shown(qtbot, "dedup.similarity_floor", 0.1)
    bar = slider(editor)
    start = QPoint(round(bar.width() * 0.12), bar.height() // 2)
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=start)
    for share in (0.3, 0.4, 0.5):
        qtbot.mouseMove(bar, QPoint(round(bar.width() * share), bar.height() // 2))
    assert heard.released == 0
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=QPoint(bar.width() // 2, bar.height() // 2))
    assert len(heard.moved) >= 2
    assert heard.released == 1


def test_keys_on_the_slider_move_by_steps_whatever_the_range(qtbot: QtBot) -> None:
    editor, heard = shown(qtbot, "assemble.k", 6)
    bar = slider(editor)
    bar.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_PageUp, Qt.Key.Key_Home):
        qtbot.keyClick(bar, key)
    assert heard.moved == [7, 8, 7, 17, 1]
    assert all(isinstance(value, int) for value in heard.moved)
    assert heard.released == 5


def test_a_typed_value_counts_when_entered(qtbot: QtBot) -> None:
    editor, heard = shown(qtbot, "assemble.budget_tokens", 3000)
    box = spin(editor)
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "1200")
    assert heard.moved == []
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert (heard.moved, heard.released) == ([1200], 1)


def test_leaving_without_a_change_says_nothing(qtbot: QtBot) -> None:
    editor, heard = shown(qtbot, "thresholds.relevant_min", 0.4567)
    spin(editor).setFocus()
    spin(editor).clearFocus()
    assert (heard.moved, heard.released, editor.value()) == ([], 0, 0.4567)


def test_numbers_are_short(qtbot: QtBot) -> None:
    editor, _ = shown(qtbot, "dedup.similarity_floor", 0.86)
    assert spin(editor).text() == "0.86"
    editor.show_value(0.455)
    assert spin(editor).text() == "0.455"
    editor.show_value(1.0)
    assert spin(editor).text() == "1"


@pytest.mark.parametrize("kind", [QSlider, QDoubleSpinBox, QComboBox])
def test_the_wheel_is_left_to_the_page(qtbot: QtBot, kind: type[QWidget]) -> None:
    editor, heard = shown(qtbot, "assemble.strategy" if kind is QComboBox else "assemble.k", "sieve" if kind is QComboBox else 6)
    target = editor.findChild(kind)
    middle = QPointF(target.rect().center())
    wheel = QWheelEvent(
        middle,
        target.mapToGlobal(middle),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(target, wheel)
    assert not wheel.isAccepted()
    assert heard.moved == []


def test_a_choice(qtbot: QtBot) -> None:
    editor, heard = shown(qtbot, "assemble.strategy", "sieve_mmr")
    box = editor.findChild(QComboBox)
    assert [box.itemText(at) for at in range(box.count())] == ["topk", "mmr", "naive_dedup", "exact", "sieve", "sieve_mmr"]
    assert box.currentText() == "sieve_mmr"
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert (heard.moved, heard.released) == (["sieve"], 1)


def test_a_date(qtbot: QtBot) -> None:
    editor, heard = shown(qtbot, "thin.as_of", None)
    line = editor.findChild(QLineEdit)
    line.setFocus()
    qtbot.keyClicks(line, "2026-13-01")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert heard.moved == []
    assert "2026-13-01" in line.toolTip()
    assert "date YYYY-MM-DD" in line.accessibleDescription()
    line.selectAll()
    qtbot.keyClicks(line, "2026-06")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    line.clear()
    line.setModified(True)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert (heard.moved, heard.released) == (["2026-06", None], 2)
    assert "is not" not in line.accessibleDescription()


def test_a_moved_knob_is_marked_and_can_be_put_back(qtbot: QtBot) -> None:
    editor, heard = shown(qtbot, "assemble.k", 6, resettable=True)
    button = editor.findChild(QToolButton)
    assert not editor.changed()
    assert not button.isVisible()
    editor.show_value(9)
    assert editor.changed()
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (heard.moved, heard.released, editor.changed()) == ([6], 1, False)
    editor.set_start(4)
    assert editor.changed()


@pytest.mark.parametrize("knob", NUMBERS, ids=lambda knob: knob.path)
def test_every_slider_reaches_both_ends_and_the_default(knob: Any) -> None:
    scale = KnobScale.of(knob)
    assert (scale.value(0), scale.value(scale.positions)) == (knob.low, knob.high)
    assert scale.value(scale.position(knob.default)) == pytest.approx(knob.default, rel=0.01)
    values = [scale.value(at) for at in range(scale.positions + 1)]
    assert values == sorted(values)
    assert all(knob.check(value) == value for value in values)


@given(st.sampled_from(NUMBERS), st.floats(0, 1), st.integers(-20, 20))
def test_a_nudge_stays_in_range(knob: Any, share: float, steps: int) -> None:
    scale = KnobScale.of(knob)
    value = scale.exact(scale.low + share * (scale.high - scale.low))
    assert scale.low <= scale.nudged(value, steps) <= scale.high


def test_wide_ranges_are_logarithmic() -> None:
    wide = {knob.path for knob in NUMBERS if KnobScale.of(knob).logarithmic}
    assert wide == {"retrieve.pool", "thin.half_life_days", "thin.max_support_lines", "assemble.k", "assemble.budget_tokens"}
