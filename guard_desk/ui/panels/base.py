"""What every panel is: a titled frame that shows a `View` and says what a person did, nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from guard_desk.ui.theme import GAP, GRID, PAD, WIDE, Theme
from guard_desk.ui.view import Phase, View

_WAITING = {
    Phase.EMPTY: ("Nothing is open", "Open a corpus or a case file: drop it here, or press Ctrl+O."),
    Phase.LOADING: ("Reading…", "The passages appear here as soon as they are read."),
    Phase.READY: ("Ready to run", "Press F5, or Enter in the question box, and see what reaches the prompt."),
    Phase.RUNNING: ("Running…", "This is shown as soon as the run is done."),
    Phase.CANCELLED: ("Cancelled", "What was finished is kept. Press F5 to go on from there."),
    Phase.FAILED: ("The run failed", "The message says why. Mend it and press F5."),
}


class Panel(QWidget):
    """Base of all panels.

    A subclass sets `objectName`, builds its content into `self.content`, and overrides `show_result` and, where it has
    something to show while a run is on its way, `show_partial`. It never asks the desk; it emits `selected` and its own
    signals. What it puts into `title_row` (and into its own layout) stands beside the title once a pane frames it.
    """

    selected = Signal(object, object)
    """ids (tuple of str), primary (str or None)"""

    promise = ""
    """What stands here after a run; said in place of a notice while there was none, so that one pane alone says what to do."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view: View | None = None
        self.content = QWidget(self)
        self.title_row: QWidget | None = None
        self._notice = Notice(self)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._notice)
        self._stack.addWidget(self.content)

    def show_view(self, view: View) -> None:
        """Show the desk as it is now."""
        previous, self.view = self.view, view
        if previous is None or previous.theme != view.theme:
            _polish(self)
            self._notice.set_theme(view.theme)
            self.set_theme(view.theme)
        if view.phase in (Phase.DONE, Phase.CANCELLED, Phase.FAILED, Phase.RUNNING) and view.trace is not None:
            self._stack.setCurrentWidget(self.content)
            self.show_result(view)
        elif self.show_partial(view):
            self._stack.setCurrentWidget(self.content)
        else:
            self._notice.say(*_notice_of(view, self.promise))
            self._notice.show_offers(view.phase is Phase.EMPTY)
            self._stack.setCurrentWidget(self._notice)
        if self.title_row is not None:
            self.title_row.setVisible(self._stack.currentWidget() is self.content and self.has_title_row())

    def offer_when_empty(self, actions: Sequence[QAction]) -> None:
        """Put buttons for these commands where nothing is open."""
        self._notice.offer(actions)

    def has_title_row(self) -> bool:
        """Whether `title_row` has something to say."""
        return True

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes; the base has nothing to do."""

    def show_result(self, view: View) -> None:
        """Show a finished run (`view.trace` is not None). Compare with what is shown and change only that."""
        raise NotImplementedError

    def show_partial(self, view: View) -> bool:
        """Show what there is before a run has finished. :returns: False when there is nothing, so that the notice stands."""
        del view
        return False


def _polish(panel: QWidget) -> None:
    """Polish what was never shown: Qt's style sheets drop fonts and colours that a widget got before, once the sheet has changed."""
    for widget in (panel, *panel.findChildren(QWidget)):
        widget.ensurePolished()


def _notice_of(view: View, promise: str) -> tuple[str, str]:
    title, hint = _WAITING.get(view.phase, ("", ""))
    if view.phase in (Phase.EMPTY, Phase.READY) and promise:
        return "", promise
    if view.phase is Phase.FAILED and view.loaded is None:
        title = "That could not be opened"
    return title, view.message if view.phase is Phase.FAILED and view.message else hint


class Notice(QWidget):
    """A designed empty state: what is the case, and what to do."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QLabel(self)
        self._hint = QLabel(self)
        for label in (self._title, self._hint):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
        self._hint.setObjectName("muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE, WIDE, WIDE, WIDE)
        layout.setSpacing(GAP)
        layout.addStretch(2)
        layout.addWidget(self._title)
        layout.addWidget(self._hint)
        self._offers = QWidget(self)
        self._row = QHBoxLayout(self._offers)
        self._row.setContentsMargins(0, GAP, 0, 0)
        self._row.setSpacing(GAP)
        self._row.addStretch(1)
        self._row.addStretch(1)
        self._offers.hide()
        layout.addWidget(self._offers)
        layout.addStretch(3)

    def offer(self, actions: Sequence[QAction]) -> None:
        """Have buttons for these commands; they are shown by `show_offers`."""
        for at, action in enumerate(actions, 1):
            button = QToolButton(self._offers)
            button.setDefaultAction(action)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setAccessibleName(action.text().replace("&", ""))
            button.setObjectName(f"offer_{action.objectName()}")
            self._row.insertWidget(at, button)

    def show_offers(self, shown: bool) -> None:
        """Show the buttons or hide them."""
        self._offers.setVisible(shown and self._row.count() > 2)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's fonts."""
        self._title.setFont(theme.font(1, bold=True))
        self._hint.setFont(theme.font(0))

    def say(self, title: str, hint: str) -> None:
        """Show a title and a hint."""
        self._title.setText(title)
        self._title.setVisible(bool(title))
        self._hint.setText(hint)


def framed_layout(widget: QWidget) -> QVBoxLayout:
    """A vertical layout on the grid, for a panel's content."""
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(PAD, GRID, PAD, GAP)
    layout.setSpacing(GAP)
    return layout
