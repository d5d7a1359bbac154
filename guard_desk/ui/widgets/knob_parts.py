"""The slider and the spin box of a knob."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDoubleSpinBox, QSlider, QWidget

_STEPS_OF_KEY = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_Home: -1_000_000_000,
    Qt.Key.Key_End: 1_000_000_000,
}


class StepSlider(QSlider):
    """A slider whose keys move by the knob's step, whatever a position is worth."""

    nudged = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Arrows one step, Page keys ten, Home and End to the ends."""
        steps = _STEPS_OF_KEY.get(Qt.Key(event.key()))
        if steps is None:
            super().keyPressEvent(event)
        else:
            self.nudged.emit(steps)


class PlainSpin(QDoubleSpinBox):
    """A spin box without zeros that say nothing: 0.86, not 0.860."""

    def textFromValue(self, value: float) -> str:  # noqa: N802 - Qt's name
        """The number as short as it is exact."""
        text = super().textFromValue(value)
        point = self.locale().decimalPoint()
        return text.rstrip("0").removesuffix(point) if point in text else text

    def fitting_width(self) -> int:
        """Width for a number with all its decimals; Qt measures only the two ends of the range."""
        advance = self.fontMetrics().horizontalAdvance
        texts = [super(PlainSpin, self).textFromValue(end) for end in (self.minimum(), self.maximum())]
        short = max(advance(self.textFromValue(end)) for end in (self.minimum(), self.maximum()))
        return self.sizeHint().width() + max(advance(text) for text in texts) - short


def repeats(event: QEvent) -> bool:
    """Whether a key event comes of a key that is held down."""
    return isinstance(event, QKeyEvent) and event.isAutoRepeat()
