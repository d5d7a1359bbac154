"""Every knob of the policy, by section, with a search line; what was moved is marked and can be put back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from guard_desk.policy import Knob, knobs
from guard_desk.ui.icons import icon
from guard_desk.ui.knob_values import is_judges_own, start_value, value_in_force, waits_for_a_run, waits_for_an_answer
from guard_desk.ui.panels.base import Panel, framed_layout
from guard_desk.ui.theme import GAP, GRID, PAD, Theme
from guard_desk.ui.view import View
from guard_desk.ui.widgets.knob_editor import KnobEditor

_SECTIONS = {
    "retrieve": "Retrieve",
    "dedup": "Merge near-duplicates",
    "thresholds": "Route thresholds",
    "thin": "Thin under conflict",
    "thin.reliability": "Reliability of sources",
    "assemble": "Prompt",
    "generate": "Answer",
}
_NEXT_RUN = "↻ Takes effect with the next run (F5)."
_NEXT_ANSWER = "↻ Acts when the answer is written again."
_JUDGES_OWN = "The judge's own."


class KnobsPanel(Panel):
    """All knobs. They can be set before a run as well."""

    knob_moved = Signal(str, object)
    knob_released = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("knobs_view")
        self.setAccessibleName("Policy: every knob")
        self.rows: dict[str, _KnobRow] = {}
        self._sections: dict[str, QLabel] = {}
        self.search = QLineEdit(self)
        self.search.setObjectName("knobs_search")
        self.search.setPlaceholderText("Find a knob by its name or what it does")
        self.search.setAccessibleName("Find a knob")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.summary = QLabel(self)
        self.summary.setObjectName("muted")
        self._nothing = QLabel(self)
        self._nothing.setObjectName("muted")
        self._nothing.setTextFormat(Qt.TextFormat.PlainText)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setWordWrap(True)
        self._nothing.hide()
        self._lay_out()
        find = QShortcut(QKeySequence("/"), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.search.setFocus)

    def _lay_out(self) -> None:
        column = framed_layout(self.content)
        top = QHBoxLayout()
        top.setSpacing(GAP)
        top.addWidget(self.search, 1)
        top.addWidget(self.summary)
        column.addLayout(top)
        inside = QWidget(self)
        self._list = QVBoxLayout(inside)
        self._list.setContentsMargins(0, 0, PAD, 0)
        self._list.setSpacing(GAP)
        for knob in knobs():
            self._add(knob)
        self._list.addWidget(self._nothing)
        self._list.addStretch(1)
        self._scroll = QScrollArea(self)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(inside)
        self._scroll.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        column.addWidget(self._scroll, 1)

    def _add(self, knob: Knob) -> None:
        section = _section(knob)
        if section not in self._sections:
            title = QLabel(_SECTIONS.get(section, section), self)
            title.setContentsMargins(0, GAP if self._sections else 0, 0, 0)
            self._sections[section] = title
            self._list.addWidget(title)
        row = _KnobRow(knob, self)
        row.editor.moved.connect(self.knob_moved)
        row.editor.released.connect(self.knob_released)
        row.focused.connect(self._reveal)
        self.rows[knob.path] = row
        self._list.addWidget(row)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self.search.setFont(theme.font(0))
        self.summary.setFont(theme.font(-1))
        self._nothing.setFont(theme.font(0))
        for title in self._sections.values():
            title.setFont(theme.font(1, bold=True))
        for row in self.rows.values():
            row.set_theme(theme)
        widest = max(row.editor.name_width() for row in self.rows.values())
        numbers = max(row.editor.editor_width() for row in self.rows.values())
        for row in self.rows.values():
            row.editor.set_widths(name=widest, editor=numbers)
        for action in self.search.actions():
            if action.property("is_search"):
                self.search.removeAction(action)
        sign = self.search.addAction(icon("search", theme.colors, theme.colors.muted), QLineEdit.ActionPosition.LeadingPosition)
        sign.setProperty("is_search", True)

    def show_result(self, view: View) -> None:
        """Show the values in force, without telling anyone."""
        for row in self.rows.values():
            row.show_view(view)
        moved = sum(row.editor.changed() for row in self.rows.values())
        self.summary.setText(f"{moved} of {len(self.rows)} changed" if moved else f"{len(self.rows)} knobs, all at their start")

    def show_partial(self, view: View) -> bool:
        """Knobs need no run."""
        self.show_result(view)
        return True

    def find_knobs(self, words: str) -> None:
        """Show only the knobs that fit these words."""
        self.search.setText(words)

    @Slot(str)
    def _filter(self, text: str) -> None:
        wanted = text.casefold().split()
        shown: set[str] = set()
        for row in self.rows.values():
            fits = all(word in row.words for word in wanted)
            row.setVisible(fits)
            if fits:
                shown.add(_section(row.knob))
        for section, title in self._sections.items():
            title.setVisible(section in shown)
        self._nothing.setText(f"No knob matches “{text.strip()}”.")
        self._nothing.setVisible(not shown)

    @Slot(object)
    def _reveal(self, row: QWidget) -> None:
        self._scroll.ensureWidgetVisible(row, 0, GAP)


def _section(knob: Knob) -> str:
    return knob.path.rsplit(".", 1)[0]


class _KnobRow(QWidget):
    """One knob with what it does."""

    focused = Signal(object)

    def __init__(self, knob: Knob, parent: QWidget) -> None:
        super().__init__(parent)
        self.knob = knob
        self.editor = KnobEditor(knob.path, self, resettable=True)
        section = _SECTIONS.get(_section(knob), "")
        self.words = f"{section} {knob.path} {knob.path.replace('_', ' ')} {knob.description} {knob.unit}".casefold()
        self._hint = QLabel(knob.description, self)
        self._hint.setObjectName("muted")
        self._hint.setTextFormat(Qt.TextFormat.PlainText)
        self._hint.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(self.editor)
        column.addWidget(self._hint)
        self.editor.got_focus.connect(self._tell_focus)

    @Slot()
    def _tell_focus(self) -> None:
        self.focused.emit(self)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self.editor.set_theme(theme)
        self._hint.setFont(theme.font(-1))

    def show_view(self, view: View) -> None:
        """Show value, start and state."""
        path = self.knob.path
        self.editor.set_start(start_value(view, path))
        self.editor.show_value(value_in_force(view, path))
        notes = [_NEXT_RUN] if waits_for_a_run(view, path) else []
        notes += [_NEXT_ANSWER] if path.startswith("generate.") and waits_for_an_answer(view) else []
        notes += [_JUDGES_OWN] if is_judges_own(view, path) else []
        self._hint.setText(" ".join((*notes, self.knob.description)))
        if path == "thin.as_of":
            found = view.trace.thinned.as_of if view.trace is not None else None
            self.editor.set_placeholder(f"newest evidence: {found}" if found else "newest date of the evidence")

    def hint(self) -> str:
        """What stands under the knob."""
        return self._hint.text()
