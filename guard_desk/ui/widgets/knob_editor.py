"""Edits one knob of the policy: name, slider and spin box, or a choice, or a date. All of it read from `policy.Knob`."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from guard_desk.errors import PolicyError
from guard_desk.policy import Knob, knob_at
from guard_desk.ui.icons import icon
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.widgets.knob_parts import PlainSpin, StepSlider, repeats
from guard_desk.ui.widgets.knob_scale import KnobScale

_UNSET: Any = object()
_WITHOUT_UNIT = ("passages", "lines")


class KnobEditor(QWidget):
    """One knob. `moved` comes while a person drags or types, `released` once at the end of each drag, key or entry.

    :param label: what the knob is called; made from its path when empty.
    :param stacked: the name (with the unit) above slider and number, for narrow columns; else all in one row.
    :param bare: the spin box or choice alone, for a row of a tool bar; name and range are told by the tooltip.
    :param resettable: with a button that puts the knob back to its start.
    :param least_label: least width of the name in a row.
    """

    moved = Signal(str, object)
    released = Signal()
    got_focus = Signal()

    def __init__(
        self,
        path: str,
        parent: QWidget | None = None,
        *,
        label: str = "",
        stacked: bool = False,
        bare: bool = False,
        resettable: bool = False,
        least_label: int = 34 * GRID,
    ) -> None:
        super().__init__(parent)
        self.knob = knob_at(path)
        self.setObjectName(f"editor_{_plain(path)}")
        self._name = label or knob_words(self.knob)
        self._unit = "" if self.knob.unit in _WITHOUT_UNIT else self.knob.unit
        if stacked and self._unit:
            self._name, self._unit = f"{self._name} ({self._unit})", ""
        self._value: Any = _UNSET
        self._start: Any = self.knob.default
        self._held = False
        self._told = False
        self._theme: Theme | None = None
        self._label = QLabel(self._name, self)
        self._label.setToolTip(self._tip())
        self._bare = bare
        self._slider: StepSlider | None = None
        self._spin: PlainSpin | None = None
        self._choice: QComboBox | None = None
        self._line: QLineEdit | None = None
        self._wrong: QAction | None = None
        self._editor = self._make_editor()
        self._label.setBuddy(self._editor)
        self._reset = self._make_reset() if resettable else None
        self._least_label = least_label
        self._lay_out(stacked=stacked)

    # Its parts

    def _tip(self) -> str:
        unit = f", {self.knob.unit}" if self.knob.unit else ""
        return plain_tip(f"{self.knob.description}\n{self.knob.path}: {self.knob.allowed}{unit}")

    def _make_editor(self) -> QWidget:
        if self.knob.choices:
            widget: QWidget = self._make_choice()
        elif self.knob.type is str:
            widget = self._make_line()
        else:
            self.scale = KnobScale.of(self.knob)
            self._slider = None if self._bare else self._make_slider()
            widget = self._make_spin()
        self._dress(widget, f"knob_{_plain(self.knob.path)}")
        return widget

    def _dress(self, widget: QWidget, name: str) -> None:
        widget.setObjectName(name)
        widget.setAccessibleName(self._name)
        widget.setAccessibleDescription(self.knob.description)
        widget.setToolTip(self._tip())
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        widget.installEventFilter(self)

    def _make_choice(self) -> QComboBox:
        self._choice = QComboBox(self)
        self._choice.addItems(list(self.knob.choices))
        if self._bare:  # the tabs beside it need the room more; the list shows the whole names
            self._choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            self._choice.setMinimumContentsLength(8)
            self._choice.view().setMinimumWidth(45 * GRID)
        self._choice.activated.connect(self._choose)
        return self._choice

    def _make_line(self) -> QLineEdit:
        self._line = QLineEdit(self)
        self._line.setPlaceholderText("none")
        self._line.setMinimumWidth(24 * GRID)
        self._line.editingFinished.connect(self._write)
        return self._line

    def _make_slider(self) -> StepSlider:
        slider = StepSlider(self)
        slider.setRange(0, self.scale.positions)
        slider.setPageStep(max(1, self.scale.positions // 10))
        slider.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        slider.setMinimumWidth(16 * GRID)
        self._dress(slider, f"knob_{_plain(self.knob.path)}_slider")
        slider.valueChanged.connect(self._slide)
        slider.nudged.connect(self._nudge)
        return slider

    def _make_spin(self) -> PlainSpin:
        spin = self._spin = PlainSpin(self)
        spin.setDecimals(self.scale.decimals)
        spin.setRange(self.scale.low, self.scale.high)
        spin.setSingleStep(self.scale.step)
        spin.setKeyboardTracking(False)
        spin.setGroupSeparatorShown(self.scale.whole)
        if self._unit:
            spin.setSuffix(f" {self._unit}")
        spin.valueChanged.connect(self._spun)
        spin.editingFinished.connect(self._end)
        return spin

    def _make_reset(self) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"reset_{_plain(self.knob.path)}")
        button.setAutoRaise(True)
        button.setAccessibleName(f"Put {self._name} back")
        policy = button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        button.setSizePolicy(policy)
        button.hide()
        button.clicked.connect(self.put_back)
        return button

    def _lay_out(self, *, stacked: bool) -> None:
        if self._bare:
            self._label.hide()
        if not stacked:
            row = QHBoxLayout(self)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(GAP)
            self._label.setMinimumWidth(0 if self._bare else self._least_label)
            for widget, stretch in ((self._label, 0), (self._slider, 1), (self._editor, 0 if self._slider else 1), (self._reset, 0)):
                if widget is not None:
                    row.addWidget(widget, stretch)
            return
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(GRID // 2)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self._label, 0, 0, 1, 2)
        if self._reset is not None:
            grid.addWidget(self._reset, 0, 2)
        if self._slider is None:
            grid.addWidget(self._editor, 1, 0, 1, 2)
        else:
            grid.addWidget(self._slider, 1, 0)
            grid.addWidget(self._editor, 1, 1)

    # What it shows

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self._theme = theme
        for widget in (self._label, self._slider, self._editor):
            if widget is not None:
                widget.ensurePolished()  # else the size asked for below is that of a box without the style sheet, and is kept
                widget.setFont(theme.font(0))
        if self._bare and self._spin is not None:
            self._spin.setStyleSheet(f"QDoubleSpinBox {{ min-height: {6 * GRID - 2}px; }}")  # as high as the choice beside it
        if self._spin is not None:
            self._spin.setMinimumWidth(self._spin.fitting_width())
        if self._reset is not None:
            self._reset.setIcon(icon("undo", theme.colors))
        self._mark()

    def value(self) -> Any:
        """The value that is shown."""
        return None if self._value is _UNSET else self._value

    def show_value(self, value: Any) -> None:
        """Show the value in force, without telling anyone."""
        if self._value is not _UNSET and value == self._value:
            return
        self._value = value
        self._put(self._slider)
        self._put(self._spin)
        if self._choice is not None:
            self._choice.setCurrentText(str(value))
        elif self._line is not None:
            self._line.setText("" if value is None else str(value))
            self._line.setModified(False)
            self._complain("")
        self._mark()

    def set_start(self, value: Any) -> None:
        """What the knob goes back to, where that is not its default."""
        if value != self._start:
            self._start = value
            self._mark()

    def set_placeholder(self, text: str) -> None:
        """What an empty date stands for."""
        if self._line is not None:
            self._line.setPlaceholderText(text)

    def name_width(self) -> int:
        """Width that the name takes at most, moved or not."""
        metrics = QFontMetrics(self._theme.font(0, bold=True)) if self._theme is not None else self._label.fontMetrics()
        return metrics.horizontalAdvance(f"• {self._name}") + GRID

    def editor_width(self) -> int:
        """Width that the spin box needs; 0 for other kinds."""
        return self._spin.fitting_width() if self._spin is not None else 0

    def set_widths(self, *, name: int = 0, editor: int = 0) -> None:
        """Give name and spin box these widths, so that editors under each other line up."""
        if name:
            self._label.setFixedWidth(name)
        if editor and self._spin is not None:
            self._spin.setFixedWidth(editor)

    def changed(self) -> bool:
        """Whether the knob stands elsewhere than at its start."""
        return self._value is not _UNSET and self._value != self._start

    def _put(self, widget: StepSlider | PlainSpin | None) -> None:
        if widget is None:
            return
        blocked = widget.blockSignals(True)
        if isinstance(widget, StepSlider):
            widget.setValue(self.scale.position(float(self._value)))
        else:
            widget.setValue(float(self._value))
        widget.blockSignals(blocked)

    def _mark(self) -> None:
        """A moved knob is bold, with a dot before its name."""
        changed = self.changed()
        self._label.setText(f"• {self._name}" if changed else self._name)
        if self._theme is not None:
            self._label.setFont(self._theme.font(0, bold=changed))
        if self._reset is not None:
            self._reset.setVisible(changed)
            self._reset.setToolTip(plain_tip(f"Back to {'none' if self._start is None else self._start}"))

    # What a person does

    @Slot(int)
    def _slide(self, position: int) -> None:
        self._tell(self.scale.value(position))

    @Slot(int)
    def _nudge(self, steps: int) -> None:
        self._tell(self.scale.nudged(0.0 if self._value is _UNSET else float(self._value), steps))

    @Slot(float)
    def _spun(self, value: float) -> None:
        self._tell(self.scale.exact(value))

    @Slot()
    def _choose(self) -> None:
        assert self._choice is not None
        self._tell(self.knob.check(self._choice.currentText()))

    @Slot()
    def _write(self) -> None:
        assert self._line is not None
        if not self._line.isModified():
            return
        self._line.setModified(False)
        text = self._line.text().strip()
        try:
            value = self.knob.check(text or None)
        except PolicyError as exc:
            self._complain(str(exc))
            return
        self._complain("")
        self._tell(value)
        self._end()

    @Slot()
    def put_back(self) -> None:
        """Put the knob back to its start."""
        self._tell(self._start)
        self._end()

    def _tell(self, value: Any) -> None:
        if value == self._value:
            # Slider or spin box may have gone to a place between two values.
            self._put(self._spin)
            return
        self.show_value(value)
        self._told = True
        self.moved.emit(self.knob.path, value)
        if not self._held:
            self._end()

    @Slot()
    def _end(self) -> None:
        """Say once that the change is over."""
        if self._told:
            self._told = False
            self.released.emit()

    def _complain(self, why: str) -> None:
        """A date that is none stays to be mended, with a sign and the reason."""
        assert self._line is not None
        if self._wrong is not None:
            self._line.removeAction(self._wrong)
            self._wrong.deleteLater()
            self._wrong = None
        self._line.setToolTip(plain_tip(why) if why else self._tip())
        self._line.setAccessibleDescription(why or self.knob.description)
        if why and self._theme is not None:
            colors = self._theme.colors
            self._wrong = self._line.addAction(icon("error", colors, colors.wrong), QLineEdit.ActionPosition.TrailingPosition)
            self._wrong.setToolTip(plain_tip(why))
        self._line.setStyleSheet(f"QLineEdit {{ border: 1px solid {self._theme.colors.wrong}; }}" if why and self._theme else "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """The wheel scrolls the page: a knob must not move by accident. A change lasts while button or key is down."""
        kind = event.type()
        if kind == QEvent.Type.Wheel:
            event.ignore()
            return True
        if kind == QEvent.Type.FocusIn:
            self.got_focus.emit()
        if kind in (QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress):
            self._held = watched is not self._line and watched is not self._choice
        elif kind in (QEvent.Type.MouseButtonRelease, QEvent.Type.FocusOut) or (kind == QEvent.Type.KeyRelease and not repeats(event)):
            self._held = False
            self._end()
        return super().eventFilter(watched, event)


def _plain(path: str) -> str:
    return path.replace(".", "_")


def knob_words(knob: Knob) -> str:
    """What a knob is called."""
    name = knob.path.rsplit(".", 1)[-1].replace("_", " ")
    special = {"k": "Places (k)", "mmr lambda": "MMR lambda", "as of": "Ages as of"}
    return special.get(name, name[:1].upper() + name[1:])
