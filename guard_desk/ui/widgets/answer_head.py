"""The head of the answer: verdict, counts, how much was checked, copy and edit; and a line that warns where one is due."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from guard_desk.measure.checked import Checked, Verdict
from guard_desk.ui.icons import icon
from guard_desk.ui.theme import GAP, GRID, Colors, Theme
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.labels import Badge, banner_sheet, note_sheet, tinted

_MARKS = {
    Verdict.REVIEW: "!",
    Verdict.PROCEED: "✓",
    Verdict.REFUSAL: "–",
    Verdict.NO_ANSWER: "○",
    Verdict.FAILED: "✕",
    Verdict.INPUT_ERROR: "✕",
    Verdict.EDITED: "↻",
    Verdict.NOT_RUN: "○",
    Verdict.WRITING: "…",
    Verdict.UNFINISHED: "…",
}


_SHORT = {
    Verdict.REFUSAL: "nothing to check in it",
    Verdict.NO_ANSWER: "nothing to check",
    Verdict.INPUT_ERROR: "nothing was checked",
    Verdict.FAILED: "no answer, nothing was checked",
}
"""Beside the badge, where the sentence itself stands below."""
# Why a generator failed stands where the answer would, with a way to try again.
_SETTLED = (Verdict.REVIEW, Verdict.PROCEED, *(verdict for verdict in _SHORT if verdict is not Verdict.FAILED))
_FLEETING = (Verdict.EDITED,)


class AnswerHead(QWidget):
    """One line; `banner` is the warning that the panel puts under it, shown while there is one."""

    edit_asked = Signal(bool)
    write_asked = Signal()
    copy_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.badge, self.counts, self.banner = Badge(self), ElidedLabel(parent=self), QLabel(self)
        self.write, self.copy, self.edit = QToolButton(self), QToolButton(self), QToolButton(self)
        self._dress(self.write, "Write again", "Have the answer written anew. One that was edited goes; undo brings it back.")
        self.write.setObjectName("write_again")
        self.write.setAccessibleName("Write the answer again")
        self.write.clicked.connect(self._write)
        self.write.hide()
        self._dress(self.copy, "Copy", "Copy the answer to the clipboard")
        self._dress(self.edit, "Edit", "Edit the answer in place; it is checked again as you type")
        self.edit.setCheckable(True)
        self.edit.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.copy.clicked.connect(self._copy)
        self.edit.toggled.connect(self.edit_asked)
        self._told: tuple[str, bool, Colors | None] = ("", False, None)
        self.banner.setTextFormat(Qt.TextFormat.PlainText)
        self.banner.setWordWrap(True)
        self.banner.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self.badge)
        row.addWidget(self.counts, 1)
        row.addWidget(self.write)
        row.addWidget(self.copy)
        row.addWidget(self.edit)

    def _dress(self, button: QToolButton, name: str, tip: str) -> None:
        button.setText(name)
        button.setToolTip(tip)
        button.setAccessibleName(f"{name} the answer")
        button.setIconSize(QSize(4 * GRID, 4 * GRID))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    @Slot()
    def _copy(self) -> None:
        self.copy_asked.emit()

    @Slot()
    def _write(self) -> None:
        self.write_asked.emit()

    def show_writing(self, *, possible: bool, due: bool, busy: bool) -> None:
        """Offer to write the answer.

        :param possible: a generator is chosen.
        :param due: the answer is of another prompt or other settings, so the button says so in words.
        """
        self.write.setVisible(possible)
        self.write.setEnabled(not busy)
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if due else Qt.ToolButtonStyle.ToolButtonIconOnly
        self.write.setToolButtonStyle(style)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours and text sizes."""
        self.badge.setFont(theme.font(0))
        self.counts.setFont(theme.font(0))
        tinted(self.counts, theme.colors.text)
        self.banner.setFont(theme.font(0))
        self._told = ("", False, None)
        for button, meaning in ((self.write, "again"), (self.copy, "copy"), (self.edit, "edit")):
            button.setFont(theme.font(0))
            button.setIcon(icon(meaning, theme.colors))

    def show_checked(self, checked: Checked, warning: str, colors: Colors, aside: str = "") -> None:
        """Show a verdict, and a warning where there is one.

        :param aside: goes on behind the counts, where nothing else says it.
        """
        color, fill = _look(checked.verdict, colors)
        self.badge.say(_MARKS[checked.verdict], checked.verdict, color, fill)
        counted = "  ·  ".join(part for part in (checked.counts, checked.sentences, aside) if part)
        self.counts.say(counted or (_SHORT.get(checked.verdict) or checked.note))
        if checked.verdict in _FLEETING:
            self.banner.setVisible(bool(self.banner.text()))  # nothing jumps while somebody types
            return
        shown = warning or (checked.note if checked.verdict in _SETTLED else "")
        warns = bool(warning) or checked.warns
        if (shown, warns, colors) != self._told:
            self._told = (shown, warns, colors)
            self.banner.setText(shown)
            self.banner.setStyleSheet(banner_sheet(colors) if warns else note_sheet(colors))
        self.banner.setVisible(bool(shown))

    def show_editing(self, editing: bool) -> None:
        """Show whether the answer is being edited, without telling anyone."""
        blocked = self.edit.blockSignals(True)
        self.edit.setChecked(editing)
        self.edit.setText("Done" if editing else "Edit")
        self.edit.blockSignals(blocked)


def _look(verdict: Verdict, colors: Colors) -> tuple[str, str]:
    if verdict in (Verdict.REVIEW, Verdict.INPUT_ERROR, Verdict.FAILED):
        return colors.wrong, colors.wrong_fill
    if verdict is Verdict.PROCEED:
        return colors.evidence, colors.evidence_fill
    if verdict in (Verdict.EDITED, Verdict.WRITING):
        return colors.accent, colors.selection
    return colors.muted, "transparent"
