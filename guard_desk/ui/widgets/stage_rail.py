"""The stage rail: the whole path in one line, with counts and states. Each stage is a button that opens its view."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from guard_desk.measure.rail import STAGES, Cell, CellState, cells, running_cells, waiting_cells
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GAP, GRID, PAD, Colors, Theme
from guard_desk.ui.view import Phase, View

_MARKS = {
    CellState.WAITING: "○",
    CellState.RUNNING: "◐",
    CellState.DONE: "●",
    CellState.STALE: "↻",
    CellState.FAILED: "✕",
}


_NO_COUNT = {CellState.RUNNING: "…", CellState.DONE: "✓"}


class StageRail(QWidget):
    """Shows how far a run is and what each stage left."""

    stage_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stage_rail")
        self.setAccessibleName("Stages of the run")
        self._shown: tuple[object, ...] = (None, None, None, None)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self.cells = {stage: _StageButton(stage, first=index == 0, parent=self) for index, (stage, _) in enumerate(STAGES)}
        for button in self.cells.values():
            row.addWidget(button, 1)
            button.clicked.connect(self._choose)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        for button in self.cells.values():
            button.set_theme(theme)

    def set_low(self, low: bool) -> None:
        """Be one line in place of two, where the window is low."""
        for button in self.cells.values():
            button.set_low(low)

    def show_view(self, view: View) -> None:
        """Show the run's stages."""
        now = (view.phase, view.stage, view.trace, view.loaded)
        if all(one is other for one, other in zip(now, self._shown, strict=True)):
            return
        self._shown = now
        for cell in _cells_of(view):
            self.cells[cell.stage].show_cell(cell)

    @Slot()
    def _choose(self) -> None:
        button = self.sender()
        if isinstance(button, _StageButton):
            self.stage_chosen.emit(button.stage)


def _cells_of(view: View) -> tuple[Cell, ...]:
    if view.phase is Phase.RUNNING:
        return running_cells(view.stage)
    if view.trace is not None:
        return cells(view.trace)
    first, *rest = waiting_cells()
    if view.loaded is not None:
        first = replace(first, count=f"{len(view.loaded.corpus):,}", detail="passages of the corpus, before the filter")
    return (first, *rest)


class _StageButton(QAbstractButton):
    """One stage: mark and title above, count below, an arrow to the next."""

    def __init__(self, stage: str, *, first: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.stage = stage
        self._first = first
        self._cell: Cell | None = None
        self._theme: Theme | None = None
        self._low = False
        self.setObjectName(f"stage_{stage}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_theme(self, theme: Theme) -> None:
        """Take colours and height of the text."""
        self._theme = theme
        small, body = QFontMetrics(theme.font(-1)), QFontMetrics(theme.font(1, bold=True))
        self.setFixedHeight(body.height() + GRID if self._low else small.height() + body.height() + GAP)
        self.update()

    def set_low(self, low: bool) -> None:
        """Count beside the title, not under it."""
        if low != self._low:
            self._low = low
            if self._theme is not None:
                self.set_theme(self._theme)

    def show_cell(self, cell: Cell) -> None:
        """Show a stage; unchanged ones are not drawn again."""
        if cell == self._cell:
            return
        self._cell = cell
        self.setAccessibleName(f"{cell.title}: {cell.count or cell.state}")
        self.setAccessibleDescription(cell.detail)
        self.setToolTip(plain_tip(cell.detail))
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw it."""
        if self._cell is None or self._theme is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colors = self._theme.colors
        left = GAP if self._first else PAD + GRID
        if not self._first:
            painter.setPen(QPen(QColor(colors.edge), 1.5))
            middle = self.height() / 2
            for step in (-1, 1):
                painter.drawLine(GRID, int(middle + step * GRID * 1.5), GAP, int(middle))
        self._paint_words(painter, left, colors)
        if self.hasFocus():
            painter.setPen(QPen(QColor(colors.accent), 1.5))
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), GRID, GRID)

    def _paint_words(self, painter: QPainter, left: int, colors: Colors) -> None:
        """Title and count: under each other, or in a low window side by side."""
        assert self._cell is not None
        assert self._theme is not None
        width, align = self.width() - left - GRID, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        small, strong = self._theme.font(-1), self._theme.font(1 if not self._low else 0, bold=True)
        words = self._cell.count or _NO_COUNT.get(self._cell.state, "–")
        of_title, of_count = QFontMetrics(small), QFontMetrics(strong)
        title = of_title.elidedText(f"{_MARKS[self._cell.state]} {self._cell.title}", Qt.TextElideMode.ElideRight, width)
        head = QRect(left, GRID, width, of_title.height())
        below = QRect(left, GRID + of_title.height(), width, of_count.height())
        if self._low:
            head = QRect(left, 0, of_title.horizontalAdvance(title), self.height())
            below = QRect(head.right() + GAP, 0, max(0, self.width() - GRID - head.right() - GAP), self.height())
        painter.setFont(small)
        painter.setPen(QColor(self._color()))
        painter.drawText(head, align, title)
        painter.setFont(strong)
        painter.setPen(QColor(colors.text if self._cell.count else colors.muted))
        painter.drawText(below, align, of_count.elidedText(words, Qt.TextElideMode.ElideRight, below.width()))

    def _color(self) -> str:
        assert self._cell is not None
        assert self._theme is not None
        colors = self._theme.colors
        return {
            CellState.RUNNING: colors.accent,
            CellState.STALE: colors.conflict,
            CellState.FAILED: colors.wrong,
        }.get(self._cell.state, colors.muted)
