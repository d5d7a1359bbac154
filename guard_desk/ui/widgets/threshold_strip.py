"""One threshold: the rule in words, its picture, a slider and a spin box that agree, and what the threshold does."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QLocale, QObject, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QSlider, QStyle, QToolButton, QWidget

from guard_desk.measure.strips import GRID as STEPS
from guard_desk.measure.strips import Strip, StripRule
from guard_desk.records.decision import Route
from guard_desk.ui.icons import icon
from guard_desk.ui.numbers import counted, share, signed
from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.strip_plot import StripPlot

QWIDGETSIZE_MAX = 16777215
"""Qt's own name and value for "no limit", which PySide does not export."""

NAMES = {"injection_max": "Injection", "contradicts_min": "Contradiction", "relevant_min": "Relevance", "evidence_min": "Evidence"}
_KNOBS = {
    "injection_max": "injection threshold",
    "contradicts_min": "contradiction threshold",
    "relevant_min": "relevance floor",
    "evidence_min": "evidence threshold",
}
_KEYS = "Arrow keys .01, with Shift .001; [ and ] to the next flip; B back to the baseline."
_ARROWS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1, Qt.Key.Key_PageDown: -10, Qt.Key.Key_PageUp: 10}


def rule_words(rule: StripRule, threshold: float) -> str:
    """A rule as people say it: "Injection > .70 → exclude"."""
    return f"{NAMES[rule.name]} {'>' if rule.above else '<'} {share(threshold)} → {rule.route}"


def _short_title(rule: StripRule) -> str:
    """ "Injection >": the number stands in the spin box beside it."""
    return rule_words(rule, 0).split(" →")[0].rsplit(" ", 1)[0]


class ThresholdSpin(QDoubleSpinBox):
    """Two decimals, three where the third counts."""

    def textFromValue(self, value: float) -> str:  # noqa: N802 - Qt's name
        """As the number is read: "0.70", "0.705"."""
        text = super().textFromValue(value)
        zero = QLocale().zeroDigit()
        return text.removesuffix(zero)


class ThresholdStrip(QWidget):
    """One strip of the rule board. It shows what it is given and says what a person did; it decides nothing."""

    moved = Signal(str, float)
    """Field of `Thresholds`, new value on the slider's grid."""
    released = Signal()
    reset_asked = Signal(str)

    def __init__(self, rule: StripRule, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rule = rule
        self.setObjectName(f"strip_{rule.name}")
        self._strip: Strip | None = None
        self._ids: Sequence[str] = ()
        self._held = self._dirty = self._compact = False
        self._build()
        self._lay_out()
        for widget in (self.slider, self.spin, self.plot):
            widget.installEventFilter(self)

    def _build(self) -> None:
        rule, knob = self.rule, _KNOBS[self.rule.name]
        self.title = ElidedLabel(parent=self)
        self.plot = StripPlot(self)
        self.plot.setAccessibleName(f"Answers and {knob}")
        self.plot.setAccessibleDescription("The button Table shows the same numbers.")
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(STEPS // 10)
        self.slider.setMinimumWidth(10 * GRID)
        self.spin = ThresholdSpin(self)
        self.spin.setDecimals(3)
        self.spin.setRange(0, 1)
        self.spin.setSingleStep(0.01)
        self.spin.setKeyboardTracking(False)
        for widget, name in ((self.slider, "slider"), (self.spin, "spin")):
            widget.setObjectName(f"threshold_{rule.name}_{name}")
            widget.setAccessibleName(knob.capitalize())
            widget.setAccessibleDescription(_KEYS)
            widget.setToolTip(f"{knob.capitalize()}\n{_KEYS}")
        self.reset = QToolButton(self)
        self.reset.setObjectName(f"threshold_{rule.name}_reset")
        self.reset.setAutoRaise(True)
        self.below, self.above = (ElidedLabel(parent=self, mode=Qt.TextElideMode.ElideMiddle) for _ in range(2))
        self.above.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.badge = QLabel(self)
        self.badge.setTextFormat(Qt.TextFormat.PlainText)
        self.badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.slider.valueChanged.connect(self._slid)
        self.slider.sliderReleased.connect(self._end)
        self.spin.valueChanged.connect(self._spun)
        self.spin.editingFinished.connect(self._end)
        self.plot.dragged.connect(self._move)
        self.plot.drag_ended.connect(self._end)
        self.reset.clicked.connect(self._ask_reset)

    def _lay_out(self) -> None:
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._head = QHBoxLayout()
        self._head.setSpacing(GAP)
        self._head.addWidget(self.title, 1)
        self._head.addWidget(self.spin)
        self._head.addWidget(self.reset)
        facts = QHBoxLayout()
        facts.setSpacing(GAP)
        facts.addWidget(self.below, 1)
        facts.addWidget(self.badge)
        facts.addWidget(self.above, 1)
        self._layout.addLayout(self._head, 0, 0)
        self._layout.addWidget(self.plot, 1, 0)
        self._layout.addWidget(self.slider, 2, 0)
        self._layout.addLayout(facts, 3, 0)
        self._layout.setRowStretch(1, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def set_compact(self, compact: bool) -> None:
        """Put the slider beside the title where the window is low."""
        if compact == self._compact:
            return
        self._compact = compact
        if compact:
            self._layout.removeWidget(self.slider)
            self._head.insertWidget(1, self.slider, 1)
        else:
            self._head.removeWidget(self.slider)
            self._layout.addWidget(self.slider, 2, 0)
        self.plot.setMinimumHeight((5 if compact else 8) * GRID)
        self._head.setStretch(0, 0 if compact else 1)
        if self._strip is not None:
            self._show_title(self._strip)
        self.updateGeometry()

    def name_width(self) -> int:
        """Width that the short title needs."""
        return self.title.fontMetrics().horizontalAdvance(_short_title(self.rule)) + GRID

    def beside_name(self) -> int:
        """Width that slider, number and button need beside the title."""
        return self.slider.minimumWidth() + self.spin.minimumWidth() + self.reset.sizeHint().width() + 3 * GAP

    def set_name_width(self, width: int) -> None:
        """Give the title beside the slider this width, so that sliders under each other begin and end together."""
        self.title.setMinimumWidth(width if self._compact else 0)
        self.title.setMaximumWidth(width if self._compact else QWIDGETSIZE_MAX)

    def full_height(self) -> int:
        """Height that it needs with the slider under the picture."""
        head = max(widget.sizeHint().height() for widget in (self.title, self.spin, self.reset))
        return head + 8 * GRID + self.slider.sizeHint().height() + self.badge.sizeHint().height()

    # How it looks

    def set_theme(self, theme: Theme) -> None:
        """Take colours and fonts."""
        c = theme.colors
        self.title.setFont(theme.font(0, bold=True))
        for label in (self.below, self.above):
            label.setFont(theme.font(-1))
            colors = label.palette()
            colors.setColor(QPalette.ColorRole.WindowText, c.muted)
            label.setPalette(colors)
        self.badge.setFont(theme.font(-1))
        self.spin.setFont(theme.font(0))
        self.spin.setStyleSheet(f"min-height: {5 * GRID}px;")
        self.spin.setFixedWidth(self.spin.fontMetrics().horizontalAdvance("0.0000") + 9 * GRID)
        self.reset.setIcon(icon("reset", c))
        self.reset.setIconSize(QSize(4 * GRID, 4 * GRID))
        self.reset.setStyleSheet(f"min-height: {5 * GRID}px; min-width: {5 * GRID}px;")
        self._badge_styles = {
            True: f"QLabel {{ background: {c.selection}; color: {c.text}; border-radius: {GRID}px; padding: 0 {GRID + 2}px;"
            f" font-weight: 600; }}",
            False: f"QLabel {{ color: {c.muted}; padding: 0 {GRID + 2}px; font-weight: 400; }}",
        }
        self.badge.setStyleSheet(self._badge_styles[bool(self._strip and self._strip.flips)])
        self.plot.set_theme(theme)
        self.plot.set_margin(self.slider.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, None, self.slider) / 2)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Title, picture of eight grid units, slider and facts."""
        return QSize(60 * GRID, super().minimumSizeHint().height())

    # What it shows

    def show_ids(self, ids: Sequence[str]) -> None:
        """Take the passage ids in pool order."""
        self._ids = ids

    def show_strip(self, strip: Strip) -> None:
        """Show a strip without telling anyone."""
        before, self._strip = self._strip, strip
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(strip.threshold * STEPS))
        with QSignalBlocker(self.spin):
            self.spin.setValue(strip.threshold)
        self._show_title(strip)
        self._show_sides(strip)
        self.badge.setText(badge(strip))
        self.badge.setToolTip(badge_tip(strip))
        if before is None or bool(before.flips) != bool(strip.flips):
            self.badge.setStyleSheet(self._badge_styles[bool(strip.flips)])
        self._show_reset(strip)
        self.plot.show_strip(strip)

    def _show_title(self, strip: Strip) -> None:
        words = rule_words(self.rule, strip.threshold)
        self.title.say(_short_title(self.rule) if self._compact else words, self._title_tip(strip))

    def _show_reset(self, strip: Strip) -> None:
        known = strip.baseline is not None and strip.baseline != strip.threshold
        self.reset.setEnabled(known)
        words = f"Back to the baseline's {share(strip.baseline)}" if strip.baseline is not None else "Back to the baseline"
        self.reset.setToolTip(words)
        self.reset.setAccessibleName(f"{_KNOBS[self.rule.name].capitalize()}: back to the baseline")

    def _title_tip(self, strip: Strip) -> str:
        inert = f"\n{counted(strip.inert, 'passage')} decided by an earlier rule (hollow)." if strip.inert else ""
        return f"{rule_words(self.rule, strip.threshold)}; the comparison is strict.{inert}\nThreshold {strip.threshold:.6g}."

    def _show_sides(self, strip: Strip) -> None:
        for label, near, number, left in ((self.below, strip.below, strip.left, True), (self.above, strip.above, strip.right, False)):
            name = self._ids[near.position] if near else ""
            gap = f" {signed(near.gap)}" if near else ""
            dot = " · " if near else ""
            ends = (f"◂ {number:,}{dot}", gap) if left else ("", f"{gap}{dot}{number:,} ▸")
            label.say(name, self._side_tip(strip, left=left), before=ends[0], after=ends[1])

    def _side_tip(self, strip: Strip, *, left: bool) -> str:
        near, number = (strip.below, strip.left) if left else (strip.above, strip.right)
        holds = strip.rule.above != left
        fate = f"go to {_FATES[strip.rule.route]}" if holds else "go on" if strip.rule.route is not Route.INCLUDE else "are excluded"
        side = "left" if left else "right"
        words = f"{counted(number, 'passage')} that reach this rule lie {side} of the threshold and {fate}."
        if near is None:
            return f"{words}\nNo route changes when the threshold moves {side}."
        return f"{words}\nThe next to flip: {self._ids[near.position]} at {share(near.value)} ({signed(near.gap)})."

    # What a person does

    @Slot(int)
    def _slid(self, position: int) -> None:
        self._move(position / STEPS)
        if not self.slider.isSliderDown() and not self._held:
            self._end()

    @Slot(float)
    def _spun(self, value: float) -> None:
        self._move(value)
        if not self._held:
            self._end()

    @Slot(float)
    def _move(self, value: float) -> None:
        value = min(1.0, max(0.0, round(value * STEPS) / STEPS))
        if self._strip is not None and value != self._strip.threshold:
            self._dirty = True
            self.moved.emit(self.rule.name, value)

    @Slot()
    def _end(self) -> None:
        if self._dirty:
            self._dirty = False
            self.released.emit()

    @Slot()
    def _ask_reset(self) -> None:
        self._back()
        self._end()

    def _back(self) -> None:
        if self._strip is not None and self._strip.baseline is not None and self._strip.baseline != self._strip.threshold:
            self._dirty = True
            self.moved.emit(self.rule.name, self._strip.baseline)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Keys of slider, spin box and picture; a held key, like a drag, is one change."""
        kind = event.type()
        if kind in (QEvent.Type.FocusIn, QEvent.Type.FocusOut) and watched is not self.spin:
            self.plot.show_focus(kind == QEvent.Type.FocusIn)
        if kind == QEvent.Type.Wheel:
            event.ignore()  # the wheel scrolls the board: a threshold must not move by accident
            return True
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self._held = True
            return self._key(event, typed=watched is self.spin)
        if kind == QEvent.Type.MouseButtonPress:
            self._held = True
        elif kind in (QEvent.Type.KeyRelease, QEvent.Type.FocusOut, QEvent.Type.MouseButtonRelease) and not _repeated(event):
            self._held = False
            self._end()
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent, *, typed: bool) -> bool:
        """Whether a key was meant for the threshold. Keys that type a number stay with the spin box."""
        strip, key = self._strip, event.key()
        if strip is None or event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier):
            return False
        fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in _ARROWS and not (typed and key in (Qt.Key.Key_Left, Qt.Key.Key_Right)):
            self._move(strip.threshold + _ARROWS[Qt.Key(key)] * (0.001 if fine else 0.01))
        elif event.text() in ("[", "]"):
            landing = strip.previous_flip() if event.text() == "[" else strip.next_flip()
            self._move(strip.threshold if landing is None else landing)
        elif key == Qt.Key.Key_B:
            self._back()
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and not typed:
            self._move(0.0 if key == Qt.Key.Key_Home else 1.0)
        else:
            return False
        return True


def _repeated(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.isAutoRepeat()


_FATES = {Route.EXCLUDE: "no block", Route.CONFLICT: "the conflict block", Route.INCLUDE: "the evidence block"}


def badge(strip: Strip) -> str:
    """What the threshold changed against the baseline: "+3 −2 flips"."""
    if not strip.flips:
        return "no flips"
    parts = [f"+{strip.gained} −{strip.lost}"] if strip.gained or strip.lost else []
    parts += [f"⇄{strip.moved}"] if strip.moved else []
    return f"{' '.join(parts)} flips"


def badge_tip(strip: Strip) -> str:
    """The badge in words."""
    if strip.baseline is None:
        return "There is no baseline."
    words = f"{strip.gained} into the prompt's blocks, {strip.lost} out, {strip.moved} from one block to the other"
    return f"Against the baseline's {share(strip.baseline)}, by this threshold alone: {words}."
