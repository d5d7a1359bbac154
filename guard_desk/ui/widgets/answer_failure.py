"""Where an answer would stand that did not come: why, and a button to try again."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from guard_desk.ui.round_rows import writes
from guard_desk.ui.theme import GRID, Theme
from guard_desk.ui.view import Phase, View
from guard_desk.ui.widgets.info_bar import InfoBar

_LOW = 60 * GRID
"""Below this height of the pane, at text of common size, the bar is one short line."""


class AnswerFailure(InfoBar):
    """Gone while there is an answer, or one is being written."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("answer_failed", "&Try again", "&Try again", parent)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._scale = 1.0

    def set_theme(self, theme: Theme) -> None:
        """Take other colours and text sizes."""
        super().set_theme(theme)
        self._scale = theme.scale

    def fit(self) -> None:
        """Take no more room than the pane has to give."""
        self.set_low(self.parentWidget().height() < _LOW * self._scale)

    def show_view(self, view: View) -> None:
        """Show why the run has no answer, until it has one."""
        self.fit()
        self.say(_failure(view), "No answer: the generator failed", offer=_may_try(view))
        self.button.setEnabled(view.phase is not Phase.RUNNING)

    def instead_of(self, nothing: str) -> str:
        """What stands in the empty text: the cause, where the bar has no room for it.

        :param nothing: what else stands there.
        """
        return self.text.text() if self.says() and self.is_low() else nothing

    def says(self) -> bool:
        """Whether there is something to say."""
        return bool(self.text.text())


def _failure(view: View) -> str:
    if view.trace is None or (view.phase is Phase.RUNNING and view.partial_answer is not None):
        return ""
    given = view.trace.query == view.state.query and view.state.answer is not None
    return "" if given else view.trace.generated.failure


def _may_try(view: View) -> bool:
    asked = view.trace is not None and view.trace.query == view.state.query
    return asked and writes(view.state.models.generator)
