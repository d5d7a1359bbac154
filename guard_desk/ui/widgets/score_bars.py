"""Draws a candidate's score as stacked parts, and each line of it on the same scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from guard_desk.measure.score_parts import Asked, Part, Parts
from guard_desk.records.decision import Stance
from guard_desk.text.thinning.sources import kinds
from guard_desk.ui.theme import GAP, GRID, PAD, WIDE, Colors, Theme

ROLE = Qt.ItemDataRole.UserRole
"""Role under which a row holds its `Asked`, `Parts` or `Part`."""

_SHARES = {"official": 1.0, "report": 0.78, "news": 0.58, "blog": 0.42, "forum": 0.3, "social": 0.18, "unknown": 0.0}
_LEAST_WIDTH = 2.0
_SEEN = 0.005
"""Smallest difference that two decimals show."""
_STATE_SHARE = 0.45
"""Share of a heading that one state may take."""


def short(number: float) -> str:
    """A score as tables show it: .86, 1.71."""
    text = f"{number:.2f}"
    return text.replace("0.", ".", 1) if abs(number) < 1 else text


def signed(number: float) -> str:
    """The same with its sign."""
    return f"+{short(number)}" if number > 0 else short(number).replace("-", "−")


def letter(kind: str) -> str:
    """The sign of a kind of source inside its part."""
    return "?" if kind == "unknown" else kind[:1].upper()


def kind_fill(kind: str, colors: Colors) -> QColor:
    """The fill of a part: the more reliable the kind, the fuller."""
    return _mixed(QColor(colors.surface), QColor(colors.evidence), _SHARES.get(kind, 0.0))


def _mixed(base: QColor, other: QColor, share: float) -> QColor:
    parts = [
        round(a + (b - a) * share)
        for a, b in zip((base.red(), base.green(), base.blue()), (other.red(), other.green(), other.blue()), strict=True)
    ]
    return QColor(*parts)


def ink_on(fill: QColor, colors: Colors) -> QColor:
    """The theme's text colour that reads better on a fill."""
    inks = [QColor(colors.text), QColor(colors.surface)]
    return max(inks, key=lambda ink: _contrast(ink, fill))


def _contrast(one: QColor, other: QColor) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: QColor) -> float:
    channels = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (color.redF(), color.greenF(), color.blueF())]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class BarScale:
    """The common scale of all bars: the most that is added and taken by one candidate."""

    gain: float
    loss: float

    @classmethod
    def of(cls, candidates: Sequence[Parts]) -> BarScale:
        """The scale that all candidates fit into."""
        return cls(gain=max((c.gain for c in candidates), default=0.0) or 1.0, loss=max((c.loss for c in candidates), default=0.0))

    def zero(self, area: QRectF) -> float:
        """Where zero lies."""
        return area.left() + area.width() * self.loss / (self.gain + self.loss)

    def width(self, area: QRectF, amount: float) -> float:
        """How wide an amount is drawn; what counts is never invisible."""
        return max(_LEAST_WIDTH, abs(amount) * area.width() / (self.gain + self.loss)) if amount else 0.0


class ScoreDelegate(QStyledItemDelegate):
    """Paints the column of scores."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.scale = BarScale(gain=1.0, loss=0.0)
        self.theme: Theme | None = None

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: N802 - Qt's name
        """One height for all rows."""
        hint = super().sizeHint(option, index)
        return QSize(hint.width(), option.fontMetrics.height() + GAP)  # type: ignore[attr-defined]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Draw a candidate's bar or one line of it."""
        row = index.data(ROLE)
        if self.theme is None or not isinstance(row, (Asked, Part, Parts)):
            super().paint(painter, option, index)
            return
        style = option.widget.style()  # type: ignore[attr-defined]
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect)  # type: ignore[attr-defined]
        if isinstance(row, Asked):
            draw_heading(painter, rect, row, self.theme)
        elif isinstance(row, Parts):
            self._candidate(painter, rect, row)
        else:
            self._line(painter, rect, row)
        painter.restore()

    def _bars(self, rect: QRectF, text_width: float) -> QRectF:
        return rect.adjusted(GRID, GRID, -text_width - GAP, -GRID)

    def _candidate(self, painter: QPainter, rect: QRectF, row: Parts) -> None:
        assert self.theme is not None
        colors = self.theme.colors
        bold = self.theme.font(0, bold=True)
        metrics = QFontMetricsF(bold)
        room = metrics.horizontalAdvance("00.00") + QFontMetricsF(self.theme.font(-1)).horizontalAdvance(" +99⊤") + GRID
        area = self._bars(rect, room)
        for box, part in self.boxes(area, row):
            _draw_part(painter, box, part, self.theme)
        self._zero(painter, rect, area)
        text = QRectF(area.right() + GAP, rect.top(), room, rect.height())
        painter.setFont(bold)
        painter.setPen(QColor(colors.text))
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, short(row.candidate.score))
        if row.capped:
            painter.setFont(self.theme.font(-1))
            painter.setPen(QColor(colors.muted))
            painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, f"+{len(row.capped)}⊤")

    def boxes(self, area: QRectF, row: Parts) -> Iterator[tuple[QRectF, Part]]:
        """Where each part of a candidate is drawn: what is added right of zero, what is taken left of it."""
        right = left = self.scale.zero(area)
        for part in row.added:
            width = self.scale.width(area, part.line.contribution)
            yield QRectF(right, area.top(), width, area.height()), part
            right += width
        for part in row.taken:
            width = self.scale.width(area, part.line.contribution)
            left -= width
            yield QRectF(left, area.top(), width, area.height()), part

    def _zero(self, painter: QPainter, rect: QRectF, area: QRectF) -> None:
        assert self.theme is not None
        painter.setPen(QPen(QColor(self.theme.colors.edge), 1))
        zero = self.scale.zero(area)
        painter.drawLine(QPointF(zero, rect.top()), QPointF(zero, rect.bottom()))

    def _line(self, painter: QPainter, rect: QRectF, row: Part) -> None:
        assert self.theme is not None
        colors, line = self.theme.colors, row.line
        font = self.theme.font(-1)
        metrics = QFontMetricsF(font)
        side = metrics.height()
        chip = QRectF(rect.left() + GRID, rect.center().y() - side / 2 + 1, side, side - 1)
        _draw_part(painter, chip, row, self.theme)
        painter.setFont(font)
        painter.setPen(QColor(colors.muted if line.capped else colors.text))
        text = QRectF(chip.right() + GAP, rect.top(), rect.right() - chip.right() - GAP - GRID, rect.height())
        words = metrics.elidedText(line_words(row), Qt.TextElideMode.ElideRight, text.width())
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)


def one_line(text: str) -> str:
    """A text without line ends, for a cell."""
    return " ".join(text.split())


def line_words(row: Part) -> str:
    """What a line adds and how that comes about: "+.86 = 1 × .86 · official · voice 2"."""
    line = row.line
    product = f"{short(line.reliability)} × {short(line.recency)}"
    weight, added = line.reliability * line.recency, abs(line.contribution)
    factor = added / weight if weight and added else 1.0  # what hedging or the penalty for denials makes of it
    product += f" × {short(factor)}" if abs(factor - 1) >= _SEEN else ""
    amount = f"capped: {row.why_capped} · {product}" if line.capped else f"{signed(line.contribution)} = {product}"
    return " · ".join(part for part in (amount, row.kind, f"voice {line.voice}", line.note) if part)


def part_words(asked: Asked) -> str:
    """What became of a part of the question: "★ 1889 · ≠ conflict", "◆ contested", "no line answers this part"."""
    return " · ".join(words for words, _ in _states(asked))


def _states(asked: Asked) -> Iterator[tuple[str, str]]:
    """Words and the name of the colour of each thing that is to be said of a part."""
    if not asked.candidates:
        yield "○ no line answers this part", "muted"
        return
    if asked.leader is not None:
        yield f"★ {one_line(asked.leader)}", "evidence"
    if asked.contested:
        yield "◆ contested", "conflict"
    if asked.conflict:
        yield "≠ conflict", "conflict"


def draw_heading(painter: QPainter, rect: QRectF, asked: Asked, theme: Theme) -> None:
    """A part of the question: its words, and at the right what became of it. The state is never cut before the words are."""
    colors = theme.colors
    painter.setPen(QPen(QColor(colors.line), 1))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())
    small, bold = theme.font(-1, bold=True), theme.font(0, bold=True)
    metrics, right = QFontMetricsF(small), rect.right() - GRID
    most = rect.width() * _STATE_SHARE
    painter.setFont(small)
    for words, color in reversed(list(_states(asked))):
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, most)
        width = metrics.horizontalAdvance(shown) + 1
        painter.setPen(QColor(getattr(colors, color)))
        painter.drawText(QRectF(right - width, rect.top(), width, rect.height()), Qt.AlignmentFlag.AlignVCenter, shown)
        right -= width + PAD
    painter.setFont(bold)
    painter.setPen(QColor(colors.text))
    text = QRectF(rect.left() + GRID, rect.top(), max(0.0, right - rect.left() - GRID), rect.height())
    words = QFontMetricsF(bold).elidedText(one_line(asked.words), Qt.TextElideMode.ElideRight, text.width())
    painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)


def _draw_part(painter: QPainter, box: QRectF, part: Part, theme: Theme) -> None:
    """A part: filled by kind of source; hatched when it takes away; an empty frame when it is capped."""
    colors, line = theme.colors, part.line
    inside = box.adjusted(0.5, 0.5, -0.5, -0.5)
    if line.stance is Stance.NEGATES:
        painter.setPen(QPen(QColor(colors.hostile), 1))
        painter.setBrush(QBrush(QColor(colors.hostile), Qt.BrushStyle.BDiagPattern))
        painter.drawRect(inside)
        return
    fill = QColor(colors.surface) if line.capped else kind_fill(part.kind, colors)
    style = Qt.PenStyle.DashLine if line.capped else Qt.PenStyle.SolidLine
    if box.width() < GRID:  # a frame would hide the fill
        painter.fillRect(box, fill)
        return
    painter.setPen(QPen(QColor(colors.muted if line.capped else colors.evidence), 1, style))
    painter.setBrush(fill)
    painter.drawRect(inside)
    _draw_letter(painter, box, letter(part.kind), ink_on(fill, colors), theme)


def _draw_letter(painter: QPainter, box: QRectF, sign: str, ink: QColor, theme: Theme) -> None:
    font = theme.font(-1, bold=True)
    if box.width() < QFontMetricsF(font).horizontalAdvance(sign) + 2:
        return
    painter.setFont(font)
    painter.setPen(ink)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, sign)


class KindLegend(QWidget):
    """The kinds of source that occur, each with its fill and letter, then what takes away and what is capped."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme | None = None
        self._kinds: tuple[str, ...] = ()
        self._takes = self._caps = False
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self._theme = theme
        self.setFont(theme.font(-1))
        self.updateGeometry()
        self.update()

    def show_kinds(self, candidates: Sequence[Parts]) -> None:
        """Name what these candidates are made of."""
        present = {part.kind for candidate in candidates for part in (*candidate.added, *candidate.capped)}
        self._kinds = tuple(kind for kind in kinds() if kind in present)
        self._takes = any(candidate.taken for candidate in candidates)
        self._caps = any(candidate.capped for candidate in candidates)
        words = [f"{letter(kind)} {kind}" for kind in self._kinds] + ["hatched: denies it"] * self._takes + ["⊤ capped"] * self._caps
        self.setAccessibleName("Legend: " + ", ".join(words))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As many lines as the width needs."""
        return QSize(40 * GRID, self.heightForWidth(self.width()))

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        """Narrow legends are higher."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        """Height for a width."""
        rows = [place.bottom() for place, *_ in self._places(max(width, 10 * GRID))]
        return round(max(rows, default=0)) + GRID

    def _places(self, width: float) -> Iterator[tuple[QRectF, QRectF, str, str]]:
        """(swatch, text, kind, words) of each entry, wrapped into the width."""
        metrics = QFontMetricsF(self.font())
        height = metrics.height()
        entries = [(kind, kind) for kind in self._kinds]
        entries += [("-", "denies it")] * self._takes + [("⊤", "capped")] * self._caps
        x, y = 0.0, 0.0
        for kind, words in entries:
            advance = metrics.horizontalAdvance(words)
            if x and x + height + GRID + advance > width:
                x, y = 0.0, y + height + GRID
            yield QRectF(x, y, height, height), QRectF(x + height + GRID, y, advance + 2, height), kind, words
            x += height + advance + WIDE

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the entries."""
        if self._theme is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for swatch, text, kind, words in self._places(self.width()):
            self._swatch(painter, swatch, kind)
            painter.setFont(self.font())
            painter.setPen(QColor(self._theme.colors.muted))
            painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        painter.end()

    def _swatch(self, painter: QPainter, box: QRectF, kind: str) -> None:
        assert self._theme is not None
        colors = self._theme.colors
        inside = box.adjusted(0.5, 0.5, -0.5, -0.5)
        if kind == "-":
            painter.setPen(QPen(QColor(colors.hostile), 1))
            painter.setBrush(QBrush(QColor(colors.hostile), Qt.BrushStyle.BDiagPattern))
            painter.drawRect(inside)
        elif kind == "⊤":
            painter.setPen(QPen(QColor(colors.muted), 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(inside)
        else:
            fill = kind_fill(kind, colors)
            painter.setPen(QPen(QColor(colors.evidence), 1))
            painter.setBrush(fill)
            painter.drawRect(inside)
            _draw_letter(painter, box, letter(kind), ink_on(fill, colors), self._theme)
