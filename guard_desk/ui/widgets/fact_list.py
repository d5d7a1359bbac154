"""Sections of facts under each other. A fact that rests on words of the text can be chosen, and then these words are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from guard_desk.measure.card import Line, Section
from guard_desk.measure.reasons import Leg
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.widgets.labels import tinted

_LEGS: Mapping[str, str] = {
    Leg.CHECK: "A rule that compared facts of question and passage, or found words.",
    Leg.MEANING: "How close the encoder finds question and passage.",
    Leg.MODEL: "The judge's model, and the part of the passage that it read.",
}


class FactLine(QWidget):
    """One fact; a button when there is something to show for it."""

    chosen = Signal(object)
    """Line"""
    override_asked = Signal(object)
    """Override"""
    passages_asked = Signal(object)
    """ids of other passages that it speaks of"""

    def __init__(self, line: Line, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = line
        self._theme = theme
        self._active = bool(line.spans or line.passage_ids)
        self._text = QLabel(f"{line.head}: {line.text}" if line.head else line.text, self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setFont(theme.font(0))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)  # or the third line would be cut
        self._text.setSizePolicy(policy)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAP, GRID // 2, GRID // 2, GRID // 2)
        row.setSpacing(GRID)
        if line.leg:
            row.addWidget(self._leg(line.leg), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)
        if line.spans and line.passage_ids:
            row.addWidget(self._go_button(), 0, Qt.AlignmentFlag.AlignTop)
        if line.override is not None:
            row.addWidget(self._override_button(line.override.merge), 0, Qt.AlignmentFlag.AlignTop)
        self.setAccessibleName(f"{line.leg}: {self._text.text()}" if line.leg else self._text.text())
        if self._active:
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setAccessibleDescription("Press Enter to show it in the text" if line.spans else "Press Enter to go to the passage")

    def _leg(self, word: str) -> QLabel:
        """Which part of the judge speaks; as wide for each, so that the sentences begin under each other."""
        label = QLabel(word, self)
        label.setFont(self._theme.font(-1, bold=True))
        label.setFixedWidth(max(label.fontMetrics().horizontalAdvance(leg) for leg in Leg) + GAP)
        label.setToolTip(plain_tip(_LEGS.get(word, "")))
        label.setContentsMargins(0, 1, 0, 0)  # the smaller text on the line of the larger
        tinted(label, self._theme.colors.muted)
        return label

    def _override_button(self, merge: bool) -> QToolButton:
        tip = "Merge the two by hand (can be undone)" if merge else "Keep the two apart by hand (can be undone)"
        button = self._button("Merge" if merge else "Split", tip)
        button.clicked.connect(self._ask)
        return button

    def _go_button(self) -> QToolButton:
        button = self._button("Show", f"Show {self.line.passage_ids[0]} on this card")
        button.clicked.connect(self._go)
        return button

    def _button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setToolTip(plain_tip(tip))
        button.setAccessibleName(f"{text}: {self._text.text()}")
        button.setFont(self._theme.font(-1))
        return button

    @Slot()
    def _ask(self) -> None:
        self.override_asked.emit(self.line.override)

    @Slot()
    def _go(self) -> None:
        self.passages_asked.emit(self.line.passage_ids)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Choose it."""
        if self._active and event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._choose()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Enter and space choose it."""
        if self._active and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose()
        else:
            super().keyPressEvent(event)

    def _choose(self) -> None:
        if self.line.spans:
            self.chosen.emit(self.line)
        else:
            self._go()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Show the focus."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Show that the focus is gone."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """A line at the left of what can be chosen; a frame while it has the focus."""
        if not self._active:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colors = self._theme.colors
        painter.fillRect(
            0, GRID // 2, 2, self.height() - GRID, QColor(colors.accent if self.hasFocus() or self.underMouse() else colors.edge)
        )
        if self.hasFocus():
            painter.setPen(QPen(QColor(colors.accent), 1))
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), GRID / 2, GRID / 2)


class FactList(QWidget):
    """All sections."""

    line_chosen = Signal(object)
    """Line"""
    override_asked = Signal(object)
    """Override"""
    passages_asked = Signal(object)
    """ids of other passages"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme | None = None
        self._sections: tuple[Section, ...] = ()
        self._lines: list[FactLine] = []
        self._unfolded: set[str] = set()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours and text sizes."""
        self._theme = theme
        shown, self._sections = self._sections, ()
        self.show_sections(shown)

    def lines(self) -> list[FactLine]:
        """The lines that are shown, in order."""
        return list(self._lines)

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Show other sections; the same ones again cost nothing."""
        if self._theme is None or tuple(sections) == self._sections:
            return
        self._sections = tuple(sections)
        self._lines.clear()
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for section in self._sections:
            self._column.addWidget(self._title(section.title))
            self._fill(section)

    def _fill(self, section: Section) -> None:
        """The first lines; the others behind a button, unless there is only one or they were opened before."""
        question = " ".join(section.title.split()[:2])  # without its number
        shown = len(section.lines) if section.shown is None or question in self._unfolded else section.shown
        if len(section.lines) - shown == 1:
            shown += 1
        for line in section.lines[:shown]:
            self._column.addWidget(self._line(line))
        if shown < len(section.lines):
            self._column.addWidget(self._more(question, len(section.lines) - shown), 0, Qt.AlignmentFlag.AlignLeft)

    def _more(self, question: str, count: int) -> QToolButton:
        assert self._theme is not None
        button = QToolButton(self)
        button.setText(f"▸ {count} more")
        button.setAccessibleName(f"{question.strip()}: {count} more reasons")
        button.setAutoRaise(True)
        button.setFont(self._theme.font(-1))
        button.setProperty("question", question)
        button.clicked.connect(self._unfold)
        return button

    @Slot()
    def _unfold(self) -> None:
        button = self.sender()
        if isinstance(button, QToolButton):
            self._unfolded.add(str(button.property("question")))
            shown, self._sections = self._sections, ()
            self.show_sections(shown)

    def _title(self, text: str) -> QLabel:
        assert self._theme is not None
        label = QLabel(text, self)
        label.setFont(self._theme.font(-1, bold=True))
        label.setContentsMargins(0, GRID, 0, 0)
        tinted(label, self._theme.colors.muted)
        return label

    def _line(self, line: Line) -> FactLine:
        assert self._theme is not None
        made = FactLine(line, self._theme, self)
        made.chosen.connect(self.line_chosen)
        made.override_asked.connect(self.override_asked)
        made.passages_asked.connect(self.passages_asked)
        self._lines.append(made)
        return made
