"""Under the answer: what the marks mean, and who has checked it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from guard_desk.records.answer import Finding, Kind, Label
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GAP, GRID, PAD, FindingStyle, Theme, finding_style
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.labels import tinted

_SAMPLE = "abc"

_LOOKS: tuple[tuple[str, Kind, Label, str], ...] = (
    ("wrong, or in no passage", Kind.NUMBER, Label.CONTRADICTED, ""),
    ("only a model doubts it", Kind.CLAIM, Label.UNSUPPORTED, "model"),
    ("passages disagree", Kind.CONFLICT, Label.CONFLICT, ""),
    ("citation or quote", Kind.CITATION, Label.MISATTRIBUTED, ""),
    ("vague, or not in the prompt", Kind.VAGUE, Label.VAGUE, ""),
)
"""Every look of a finding, in words."""


class Legend(QWidget):
    """The looks that the findings have, each drawn as in the text; what does not fit is told by the tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme | None = None
        self._entries: tuple[tuple[str, FindingStyle], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("What the marks mean")

    def set_theme(self, theme: Theme) -> None:
        """Take other colours and text sizes."""
        self._theme = theme
        self.setFont(theme.font(-1))
        self._entries = ()
        self.updateGeometry()
        self.update()

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Explain the looks of these findings."""
        if self._theme is None:
            return
        colors = self._theme.colors
        present = {finding_style(colors, item.kind, item.label, item.by) for item in findings if item.start < item.end}
        every = [(words, finding_style(colors, kind, label, by)) for words, kind, label, by in _LOOKS]
        entries = tuple(entry for entry in every if entry[1] in present)
        if entries != self._entries:
            self._entries = entries
            self.setAccessibleDescription("; ".join(f"{_line_words(style)}: {words}" for words, style in every))
            self._retip()
            self.update()

    def words(self) -> tuple[str, ...]:
        """What is explained."""
        return tuple(words for words, _ in self._entries)

    def shown(self) -> int:
        """How many of the entries fit."""
        return len(self._places()) - 1

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """One line."""
        return QSize(20 * GRID, self.fontMetrics().height() + GRID)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """May become as narrow as needed."""
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Tell by tooltip what does not fit any more."""
        super().resizeEvent(event)
        self._retip()

    def _retip(self) -> None:
        whole = self.shown() == len(self._entries)
        self.setToolTip("" if whole else plain_tip("\n".join(f"{_line_words(style)}: {words}" for words, style in self._entries)))

    def _places(self) -> list[int]:
        """Where each entry that fits begins; where not all do, a sign for the others fits too."""
        metrics, places, ends = self.fontMetrics(), [0], [0]
        for words, _ in self._entries:
            width = metrics.horizontalAdvance(_SAMPLE) + GRID + metrics.horizontalAdvance(words)
            ends.append(places[-1] + width)
            places.append(ends[-1] + PAD)
        shown = len(self._entries)
        while shown and ends[shown] + (0 if shown == len(self._entries) else PAD + metrics.horizontalAdvance(_more(9))) > self.width():
            shown -= 1
        return places[: shown + 1]

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw sample and words of each look."""
        if self._theme is None:
            return
        painter = QPainter(self)
        sample = self.fontMetrics().horizontalAdvance(_SAMPLE)
        *places, end = self._places()
        for x, (words, style) in zip(places, self._entries, strict=False):
            self._draw(painter, x, _SAMPLE, self._theme.colors.text, style)
            self._draw(painter, x + sample + GRID, words, self._theme.colors.muted, None)
        if len(places) < len(self._entries):
            self._draw(painter, end, _more(len(self._entries) - len(places)), self._theme.colors.muted, None)
        painter.end()

    def _draw(self, painter: QPainter, x: int, text: str, color: str, style: FindingStyle | None) -> None:
        """By a text layout, as the answer itself is drawn, so that underlines look the same."""
        layout = QTextLayout(text, self.font(), self)
        layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(self.width())
        layout.endLayout()
        form = QTextCharFormat()
        form.setForeground(QColor(color))
        if style is not None:
            form.setUnderlineStyle(getattr(QTextCharFormat.UnderlineStyle, style.underline))
            form.setUnderlineColor(QColor(style.color))
            if style.fill:
                form.setBackground(QColor(style.fill))
        span = QTextLayout.FormatRange()
        span.start, span.length, span.format = 0, len(text), form  # type: ignore[attr-defined]
        layout.draw(painter, QPointF(x, (self.height() - line.height()) / 2), [span])


def _more(count: int) -> str:
    return f"+{count} …"


class AnswerFoot(QWidget):
    """Legend on the left, on the right who checked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.legend, self.checkers = Legend(self), ElidedLabel(parent=self)
        self.checkers.setAccessibleName("Who checked the answer")
        self.checkers.setObjectName("answer_checkers")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self.legend, 1)
        row.addWidget(self.checkers)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours and text sizes."""
        self.legend.set_theme(theme)
        self.checkers.setFont(theme.font(-1))
        tinted(self.checkers, theme.colors.muted)

    def show_check(self, findings: Sequence[Finding], words: str, tip: str) -> None:
        """Show what the marks mean and who checked; the tip says what each of them does."""
        self.legend.show_findings(findings)
        self.checkers.say(words, tip)

    def is_empty(self) -> bool:
        """Whether there is nothing to say."""
        return not self.checkers.text() and not self.legend.words()


def _line_words(style: FindingStyle) -> str:
    names = {"WaveUnderline": "wave", "DashDotLine": "dashes and dots", "DashUnderline": "dashes", "DotLine": "dots"}
    return names[style.underline] + (" on a ground" if style.underline == "DotLine" and style.fill else "")
