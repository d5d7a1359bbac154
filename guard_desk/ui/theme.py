"""One grid, one type scale, few colours with one meaning each; light and dark.

A colour never stands alone: every route has a mark, every kind of finding an underline. Contrast is tested: 4.5:1 for
text, 3:1 for borders and marks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from guard_desk.records.answer import Kind, Label
from guard_desk.records.decision import Place

GRID = 4
"""All distances are multiples of this, in device-independent pixels."""

GAP, PAD, WIDE = 2 * GRID, 3 * GRID, 4 * GRID


class Mode(StrEnum):
    """Which colours: those of the system, or always one."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Colors:
    """Colours by meaning, as #rrggbb.

    :param ground: behind everything; `surface`: panels and tables; `raised`: headers, buttons, cards.
    :param line: borders that separate; `edge`: borders of things one can act on (3:1).
    :param evidence: goes to the accepted block; `conflict`: to the conflicting block; `excluded`: left out by a rule;
        `hostile`: left out as an injection; `unjudged`: no answers; `other`: merged, capped, over k, over budget.
    """

    ground: str
    surface: str
    raised: str
    text: str
    muted: str
    line: str
    edge: str
    accent: str
    on_accent: str
    selection: str
    evidence: str
    conflict: str
    excluded: str
    hostile: str
    unjudged: str
    other: str
    wrong: str
    doubtful: str
    attribution: str
    wrong_fill: str
    doubtful_fill: str
    conflict_fill: str
    attribution_fill: str
    evidence_fill: str


LIGHT = Colors(
    ground="#f3f5f7",
    surface="#ffffff",
    raised="#f8f9fb",
    text="#1a1f26",
    muted="#55606c",
    line="#dde2e8",
    edge="#7d8894",
    accent="#0a5db5",
    on_accent="#ffffff",
    selection="#d6e7fa",
    evidence="#13733a",
    conflict="#8f5600",
    excluded="#5d6772",
    hostile="#b3202c",
    unjudged="#6b5b95",
    other="#3d6480",
    wrong="#b3202c",
    doubtful="#4a5fae",
    attribution="#7a3e9d",
    wrong_fill="#fde4e4",
    doubtful_fill="#e6eafa",
    conflict_fill="#fdf0d5",
    attribution_fill="#f2e6f8",
    evidence_fill="#dff3e6",
)

DARK = Colors(
    ground="#14171b",
    surface="#1b1f24",
    raised="#242a31",
    text="#e8ecf0",
    muted="#a3adb8",
    line="#323a43",
    edge="#74808d",
    accent="#6fb3ff",
    on_accent="#0c1520",
    selection="#1f3d5c",
    evidence="#56cf85",
    conflict="#eeb04a",
    excluded="#9ca7b3",
    hostile="#ff8a85",
    unjudged="#b7a6e8",
    other="#8fbdda",
    wrong="#ff8a85",
    doubtful="#a9b9ff",
    attribution="#d9a5f5",
    wrong_fill="#4a2326",
    doubtful_fill="#2a3154",
    conflict_fill="#45361a",
    attribution_fill="#3d2a4a",
    evidence_fill="#1d3a29",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceStyle:
    """How a place is shown: colour and a mark that reads without it.

    :param mark: a sign drawn before the word.
    :param word: what the place is called in tables.
    """

    color: str
    mark: str
    word: str


def place_style(colors: Colors, place: Place, rule: str = "") -> PlaceStyle:
    """The style of a place; an injection has its own."""
    if place is Place.EXCLUDED and rule == "injection":
        return PlaceStyle(color=colors.hostile, mark="▲", word="injection")
    words = {"relevant": "off topic", "evidence": "no evidence", "default": "no evidence"}
    styles = {
        Place.EVIDENCE: PlaceStyle(color=colors.evidence, mark="●", word="evidence"),
        Place.CONFLICT: PlaceStyle(color=colors.conflict, mark="◆", word="conflict"),
        Place.EXCLUDED: PlaceStyle(color=colors.excluded, mark="○", word=words.get(rule, rule or "excluded")),
        Place.NOT_JUDGED: PlaceStyle(color=colors.unjudged, mark="?", word="not judged"),
        Place.MERGED: PlaceStyle(color=colors.other, mark="≡", word="merged"),
        Place.CAPPED: PlaceStyle(color=colors.other, mark="⊤", word="capped"),
        Place.BELOW_FLOOR: PlaceStyle(color=colors.other, mark="⊥", word="below floor"),
        Place.OVER_K: PlaceStyle(color=colors.other, mark="＋", word="over k"),
        Place.OVER_BUDGET: PlaceStyle(color=colors.other, mark="◧", word="over budget"),
    }
    return styles[place]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingStyle:
    """How a finding is marked: colour, fill, underline. `underline` is one of Qt's text underline styles by name."""

    color: str
    fill: str
    underline: str


def finding_style(colors: Colors, kind: Kind, label: Label, by: str = "") -> FindingStyle:
    """The style of a finding; wave = wrong, dashes and dots = conflict, dashes = attribution, dots with a fill = doubtful.

    :param by: the model that alone doubts it: dots without a fill; "" for what rules show.
    """
    if by:
        return FindingStyle(color=colors.wrong, fill="", underline="DotLine")
    if label is Label.CONFLICT:
        return FindingStyle(color=colors.conflict, fill=colors.conflict_fill, underline="DashDotLine")
    if label is Label.MISATTRIBUTED or kind is Kind.CITATION:
        return FindingStyle(color=colors.attribution, fill=colors.attribution_fill, underline="DashUnderline")
    if kind in (Kind.VAGUE, Kind.OUTSIDE_PROMPT):
        return FindingStyle(color=colors.doubtful, fill=colors.doubtful_fill, underline="DotLine")
    return FindingStyle(color=colors.wrong, fill=colors.wrong_fill, underline="WaveUnderline")


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Colours and text sizes in force.

    :param scale: of the text, 1 = the system's size.
    """

    dark: bool
    colors: Colors
    scale: float = 1.0

    def font(self, step: int = 0, *, bold: bool = False, mono: bool = False) -> QFont:
        """A font of the type scale: -1 small, 0 body, 1 heading, 2 title, 3 display."""
        font = QFont(QGuiApplication.font())
        if mono:
            font.setFamilies(["Cascadia Mono", "SF Mono", "DejaVu Sans Mono", "Noto Sans Mono", "monospace"])
            font.setStyleHint(QFont.StyleHint.Monospace)
        size = _base_points * self.scale
        font.setPointSizeF(size * {-1: 0.88, 0: 1.0, 1: 1.15, 2: 1.4, 3: 1.9}[step])
        font.setBold(bold)
        return font


_base_points = 10.0


def make_theme(mode: Mode, scale: float = 1.0) -> Theme:
    """The theme for a mode; SYSTEM asks the platform."""
    dark = mode is Mode.DARK or (mode is Mode.SYSTEM and _system_is_dark())
    return Theme(dark=dark, colors=DARK if dark else LIGHT, scale=scale)


def _system_is_dark() -> bool:
    hints = QGuiApplication.styleHints()  # kept alive while it is asked
    return hints.colorScheme() == Qt.ColorScheme.Dark


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Give the whole application the theme's palette, font and style sheet.

    The old sheet goes first: replacing one by another takes Qt four times as long.
    """
    if app.style().objectName() != "fusion":
        app.setStyle("Fusion")
    app.setStyleSheet("")
    app.setPalette(palette(theme.colors))
    _draw_borders(app, theme.colors)
    app.setFont(theme.font())
    app.setStyleSheet(style_sheet(theme))


def palette(colors: Colors) -> QPalette:
    """A full palette, so that no widget falls back to the platform's colours."""
    roles = {
        QPalette.ColorRole.Window: colors.ground,
        QPalette.ColorRole.WindowText: colors.text,
        QPalette.ColorRole.Base: colors.surface,
        QPalette.ColorRole.AlternateBase: colors.raised,
        QPalette.ColorRole.Text: colors.text,
        QPalette.ColorRole.Button: colors.raised,
        QPalette.ColorRole.ButtonText: colors.text,
        QPalette.ColorRole.BrightText: colors.hostile,
        QPalette.ColorRole.ToolTipBase: colors.raised,
        QPalette.ColorRole.ToolTipText: colors.text,
        QPalette.ColorRole.PlaceholderText: colors.muted,
        QPalette.ColorRole.Highlight: colors.selection,
        QPalette.ColorRole.HighlightedText: colors.text,
        QPalette.ColorRole.Link: colors.accent,
        QPalette.ColorRole.LinkVisited: colors.accent,
        QPalette.ColorRole.Light: colors.raised,
        QPalette.ColorRole.Midlight: colors.line,
        QPalette.ColorRole.Mid: colors.line,
        QPalette.ColorRole.Dark: colors.edge,
        QPalette.ColorRole.Shadow: colors.edge,
        QPalette.ColorRole.Accent: colors.accent,
    }
    made = QPalette()
    for role, color in roles.items():
        made.setColor(role, QColor(color))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(colors.muted))
    return made


def _draw_borders(app: QApplication, colors: Colors) -> None:
    """Give what one can act on a border of 3:1, and in the accent colour while it has the focus.

    Fusion draws the border as the window's colour darkened by 1.4 (black on black in the dark), the focus as the highlight.
    """
    edged = palette(colors)
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive):
        edged.setColor(group, QPalette.ColorRole.Window, QColor(colors.edge).lighter(140))
        edged.setColor(group, QPalette.ColorRole.Highlight, QColor(colors.accent))
        edged.setColor(group, QPalette.ColorRole.HighlightedText, QColor(colors.on_accent))
    for kind in ("QLineEdit", "QComboBox", "QAbstractSpinBox", "QPushButton", "QToolButton", "QSlider", "QCheckBox"):
        app.setPalette(edged, kind)  # type: ignore[arg-type]  # the stub asks for bytes, the call for text


def style_sheet(theme: Theme) -> str:
    """The few rules that the palette cannot say."""
    c = theme.colors
    # Qt takes a given least height for the least size of the box, even where its text needs more.
    line = max(6 * GRID, QFontMetrics(theme.font()).height())
    return f"""
    QToolTip {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.edge}; padding: {GRID}px; }}
    QFrame#panel {{ background: {c.surface}; border: 1px solid {c.line}; border-radius: {GRID}px; }}
    QLabel#panel_title {{ color: {c.muted}; font-weight: 600; }}
    QLabel#muted {{ color: {c.muted}; }}
    QHeaderView::section {{ background: {c.raised}; color: {c.muted}; border: 0; border-bottom: 1px solid {c.line};
        padding: {GRID}px {GAP}px; }}
    QTableView, QTreeView, QListView, QPlainTextEdit, QTextEdit {{ background: {c.surface}; border: 0; gridline-color: {c.line};
        selection-background-color: {c.selection}; selection-color: {c.text}; }}
    QTabBar::tab {{ padding: {GRID}px {PAD}px; color: {c.muted}; border: 0; border-bottom: 2px solid transparent;
        background: transparent; }}
    QTabBar::tab:selected {{ color: {c.text}; border-bottom: 2px solid {c.accent}; }}
    QTabBar::tab:focus {{ color: {c.accent}; }}
    QTabWidget::pane {{ border: 0; border-top: 1px solid {c.line}; }}
    QSplitter::handle {{ background: transparent; }}
    QStatusBar::item {{ border: 0; }}
    QStatusBar QLabel {{ padding: 0 {GAP}px; }}
    QStatusBar QPushButton {{ min-height: 0; padding: 0 {GAP}px; border: 1px solid {c.edge}; border-radius: {GRID}px; }}
    QScrollBar {{ background: transparent; border: 0; margin: 0; }}
    QScrollBar:vertical {{ width: {PAD}px; }}
    QScrollBar:horizontal {{ height: {PAD}px; }}
    QScrollBar::handle {{ background: {c.edge}; border-radius: {GRID // 2}px; margin: {GRID}px; }}
    QScrollBar::handle:hover {{ background: {c.muted}; }}
    QScrollBar::handle:vertical {{ min-height: {2 * PAD}px; }}
    QScrollBar::handle:horizontal {{ min-width: {2 * PAD}px; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QAbstractScrollArea::corner {{ background: transparent; border: 0; }}
    QToolBar {{ background: {c.ground}; border: 0; spacing: {GAP}px; padding: {GRID}px; }}
    QPushButton, QToolButton, QComboBox, QLineEdit, QSpinBox, QDoubleSpinBox {{ min-height: {line}px; }}
    QToolButton#run_button:enabled {{ color: {c.accent}; border: 1px solid {c.accent}; border-radius: {GRID}px; font-weight: 600;
        padding: 0 {GAP}px; }}
    QPushButton#primary {{ background: {c.accent}; color: {c.on_accent}; border: 1px solid {c.accent}; border-radius: {GRID}px;
        padding: 0 {PAD}px; font-weight: 600; }}
    QPushButton#primary:disabled {{ background: {c.raised}; color: {c.muted}; border-color: {c.line}; }}
    QPushButton:focus, QToolButton:focus {{ border: 1px solid {c.accent}; }}
    """
