"""Edits one knob of the policy: name, slider and spin box, or a choice, or a date. All of it read from `policy.Knob`."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QSlider, QWidget

from guard_desk.policy import Knob, knob_at
from guard_desk.ui.theme import GAP, GRID

_STEPS = 1000


class KnobEditor(QWidget):
    """One knob. `moved` comes while a person drags or types, `released` once at the end."""

    moved = Signal(str, object)
    released = Signal()

    def __init__(self, path: str, parent: QWidget | None = None, *, label: str = "") -> None:
        super().__init__(parent)
        self.knob = knob_at(path)
        self.setObjectName(f"editor_{path.replace('.', '_')}")
        self._label = QLabel(label or _words(self.knob), self)
        self._label.setToolTip(self._tip())
        self._label.setMinimumWidth(34 * GRID)
        self._value: Any = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self._label)
        self._build(row)

    def _tip(self) -> str:
        return f"{self.knob.description}\n{self.knob.path}: {self.knob.allowed}{', ' + self.knob.unit if self.knob.unit else ''}"

    def _build(self, row: QHBoxLayout) -> None:
        self._slider: QSlider | None = None
        self._spin: QDoubleSpinBox | None = None
        self._choice: QComboBox | None = None
        self._line: QLineEdit | None = None
        if self.knob.choices:
            self._choice = QComboBox(self)
            self._choice.addItems(list(self.knob.choices))
            self._choice.activated.connect(self._choose)
            widget: QWidget = self._choice
        elif self.knob.type is str:
            self._line = QLineEdit(self)
            self._line.setPlaceholderText("newest date of the evidence")
            self._line.editingFinished.connect(self._write)
            widget = self._line
        else:
            self._slider, self._spin = self._make_slider(), self._make_spin()
            row.addWidget(self._slider, 1)
            widget = self._spin
        self._dress(widget, f"knob_{self.knob.path.replace('.', '_')}")
        row.addWidget(widget, 0 if self._slider else 1)
        self._label.setBuddy(widget)

    def _dress(self, widget: QWidget, name: str) -> None:
        widget.setObjectName(name)
        widget.setAccessibleName(self._label.text())
        widget.setAccessibleDescription(self.knob.description)
        widget.setToolTip(self._tip())

    def _make_slider(self) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal, self)
        slider.setRange(0, _STEPS)
        slider.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        slider.setMinimumWidth(20 * GRID)
        self._dress(slider, f"knob_{self.knob.path.replace('.', '_')}_slider")
        slider.valueChanged.connect(self._slide)
        slider.sliderReleased.connect(self.released)
        slider.installEventFilter(self)
        return slider

    def _make_spin(self) -> QDoubleSpinBox:
        spin = QDoubleSpinBox(self)
        low, high = self.knob.low or 0.0, self.knob.high if self.knob.high is not None else 1e9
        step = self.knob.step or 1.0
        spin.setDecimals(0 if self.knob.type is int else max(0, -math.floor(math.log10(step))))
        spin.setRange(low, high)
        spin.setSingleStep(step)
        spin.setKeyboardTracking(False)
        spin.setMinimumWidth(22 * GRID)
        if self.knob.unit and self.knob.unit not in ("passages", "lines"):
            spin.setSuffix(f" {self.knob.unit}")
        spin.valueChanged.connect(self._spun)
        spin.editingFinished.connect(self.released)
        return spin

    def show_value(self, value: Any) -> None:
        """Show the value in force, without telling anyone."""
        if value == self._value:
            return
        self._value = value
        if self._slider is not None and self._spin is not None:
            self._put(self._slider, lambda: self._slider.setValue(self._position(float(value))))
            self._put(self._spin, lambda: self._spin.setValue(float(value)))
        elif self._choice is not None:
            self._choice.setCurrentText(str(value))
        elif self._line is not None and not self._line.isModified():
            self._line.setText("" if value is None else str(value))

    @staticmethod
    def _put(widget: QObject, do: Any) -> None:
        blocked = widget.blockSignals(True)
        do()
        widget.blockSignals(blocked)

    def _position(self, value: float) -> int:
        """Slider position of a value; wide ranges are logarithmic, so that small values can be hit."""
        low, high = self._ends()
        if self._logarithmic():
            return round(_STEPS * math.log(max(value, low) / low) / math.log(high / low))
        return round(_STEPS * (value - low) / (high - low))

    def _value_at(self, position: int) -> float:
        low, high = self._ends()
        share = position / _STEPS
        value = low * (high / low) ** share if self._logarithmic() else low + share * (high - low)
        step = self.knob.step or 1.0
        return min(high, max(low, round(value / step) * step if value > step else value))

    def _ends(self) -> tuple[float, float]:
        return (self.knob.low or 0.0, self.knob.high if self.knob.high is not None else 1.0)

    def _logarithmic(self) -> bool:
        low, high = self._ends()
        return low > 0 and high / low > 150

    @Slot(int)
    def _slide(self, position: int) -> None:
        self._tell(self._value_at(position), from_slider=True)
        if self._slider is not None and not self._slider.isSliderDown():
            self.released.emit()

    @Slot(float)
    def _spun(self, value: float) -> None:
        self._tell(value, from_slider=False)

    def _tell(self, value: float, *, from_slider: bool) -> None:
        exact: Any = round(value) if self.knob.type is int else round(value, 10)
        if exact == self._value or self._slider is None or self._spin is None:
            return
        self._value = exact
        if from_slider:
            self._put(self._spin, lambda: self._spin.setValue(float(exact)))
        else:
            self._put(self._slider, lambda: self._slider.setValue(self._position(float(exact))))
        self.moved.emit(self.knob.path, exact)

    @Slot()
    def _choose(self) -> None:
        assert self._choice is not None
        self._value = self._choice.currentText()
        self.moved.emit(self.knob.path, self._value)
        self.released.emit()

    @Slot()
    def _write(self) -> None:
        assert self._line is not None
        text = self._line.text().strip()
        self._line.setModified(False)
        self._value = text or None
        self.moved.emit(self.knob.path, self._value)
        self.released.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """The wheel over a slider scrolls the page: a knob must not move by accident."""
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def _words(knob: Knob) -> str:
    name = knob.path.rsplit(".", 1)[-1].replace("_", " ")
    return name[:1].upper() + name[1:]
