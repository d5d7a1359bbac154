"""The main window: places the panels, connects them to the desk, and owns menus and files. No logic of its own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, Qt, Slot
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QTabWidget, QVBoxLayout, QWidget

from guard_desk.errors import GuardDeskError
from guard_desk.records.corpus import LoadResult
from guard_desk.ui.actions import Command, make_action, set_icons
from guard_desk.ui.arrangement import LOW, Arrangement
from guard_desk.ui.asking import Asking
from guard_desk.ui.commands import MENUS, window_commands
from guard_desk.ui.desk import Desk
from guard_desk.ui.dialogs.error import error_box
from guard_desk.ui.enabling import Enabling, Outside
from guard_desk.ui.files import Files
from guard_desk.ui.former import former_words
from guard_desk.ui.judging import Judging
from guard_desk.ui.panels.answer import AnswerPanel
from guard_desk.ui.panels.base import Panel
from guard_desk.ui.panels.candidates import CandidatesPanel
from guard_desk.ui.panels.decision_card import DecisionCardPanel
from guard_desk.ui.panels.flip_ledger import FlipLedgerPanel
from guard_desk.ui.panels.groups import GroupsPanel
from guard_desk.ui.panels.knobs import KnobsPanel
from guard_desk.ui.panels.ladder import LadderPanel
from guard_desk.ui.panels.passages import PassagesPanel
from guard_desk.ui.panels.prompt import PromptPanel
from guard_desk.ui.panels.rule_board import RuleBoardPanel
from guard_desk.ui.preferences import Preferences
from guard_desk.ui.theme import GAP, Mode, Theme, apply_theme, make_theme
from guard_desk.ui.tool_bar import make_tool_bar
from guard_desk.ui.view import View
from guard_desk.ui.widgets.info_bar import InfoBar
from guard_desk.ui.widgets.pane import Pane
from guard_desk.ui.widgets.question_bar import QuestionBar
from guard_desk.ui.widgets.stage_rail import StageRail
from guard_desk.ui.widgets.status import StatusBar

SMALLEST = (1024, 680)
RAIL_WIDTH = 1200
"""From this width on, at text of common size, title and count of each stage have room beside each other."""


class MainWindow(QMainWindow):
    """The window. Without arguments it opens empty."""

    def __init__(self, desk: Desk | None = None, preferences: Preferences | None = None) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle("Guard Desk[*]")
        self.setAcceptDrops(True)
        self._enabling = Enabling()
        self.setMinimumSize(*SMALLEST)
        self.preferences = preferences or Preferences()
        self.desk = desk or Desk(theme=make_theme(self.preferences.mode, self.preferences.text_scale))
        self.desk.setParent(self)
        # Before the first panel: a style sheet that changes later takes fonts away from widgets that were never shown.
        self._dress(self.desk.theme)
        self.files = Files(self.desk, self.preferences, self)
        self.asking = Asking(self.desk, self)
        self.judging = Judging(self.desk, self.preferences, self)
        self._build_panels()
        self._lay_out()
        self._build_commands()
        self._connect()
        self.set_theme(self.desk.theme)
        self.reset_layout(stored=True)
        self.show_view(self.desk.view())
        self.question.box.setFocus(Qt.FocusReason.OtherFocusReason)

    # What there is

    def _build_panels(self) -> None:
        self.rail = StageRail(self)
        self.former = InfoBar("former_results", "&Back to that question", "&Back to that question", self)
        self.former.set_low(True)
        self.passages, self.rule_board, self.ledger = PassagesPanel(self), RuleBoardPanel(self), FlipLedgerPanel(self)
        self.ladder, self.candidates, self.groups = LadderPanel(self), CandidatesPanel(self), GroupsPanel(self)
        self.prompt, self.knobs = PromptPanel(self), KnobsPanel(self)
        self.card, self.answer = DecisionCardPanel(self), AnswerPanel(self)
        self.panels: tuple[Panel, ...] = (
            self.passages,
            self.ladder,
            self.candidates,
            self.groups,
            self.prompt,
            self.knobs,
            self.ledger,
            self.rule_board,
            self.card,
            self.answer,
        )
        self.answer.spare(self.passages.table)
        self.question = QuestionBar(self)
        self.status = StatusBar(self)

    def _lay_out(self) -> None:
        self.tabs = QTabWidget(self)
        self.tabs.setObjectName("centre_tabs")
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.setAccessibleName("Views of the run")
        for panel, name in (
            (self.ladder, "Ladder"),
            (self.candidates, "Candidates"),
            (self.groups, "Groups"),
            (self.prompt, "Prompt"),
            (self.knobs, "Policy"),
        ):
            self.tabs.addTab(panel, name)
        self.panes = {
            "passages": Pane("Passages", self.passages, self),
            "centre": Pane("", self.tabs, self),
            "ledger": Pane("Flip ledger", self.ledger, self),
            "rules": Pane("Rule board", self.rule_board, self),
            "card": Pane("Decision card", self.card, self),
            "answer": Pane("Answer", self.answer, self),
        }
        self.arrangement = Arrangement(self, self.preferences, self.panes)
        self.splitters = self.arrangement.splitters
        body = QWidget(self)
        column = QVBoxLayout(body)
        column.setContentsMargins(GAP, 0, GAP, 0)
        column.setSpacing(GAP)
        column.addWidget(self.rail)
        column.addWidget(self.former)
        column.addWidget(self.splitters["main"], 1)
        self.setCentralWidget(body)
        self.setStatusBar(self.status)

    def _build_commands(self) -> None:
        self.commands: tuple[Command, ...] = window_commands(self)
        self.actions_by_name: dict[str, QAction] = {command.name: make_action(command, self) for command in self.commands}
        self._undo_actions()
        menus = {name: self.menuBar().addMenu(title) for name, title in MENUS.items()}
        for menu in menus.values():
            menu.aboutToShow.connect(self.enable_commands)
        menus["edit"].addActions([self.actions_by_name["undo"], self.actions_by_name["redo"]])
        for command in self.commands:
            if command.separator:
                menus[command.menu].addSeparator()
            menus[command.menu].addAction(self.actions_by_name[command.name])
            if command.name == "open_folder":
                self.files.add_recent_menu(menus[command.menu])
        self.ladder.offer_when_empty([self.actions_by_name[name] for name in ("open_file", "open_demo", "reopen_last")])
        self.tool_bar = make_tool_bar(self)
        self.addToolBar(self.tool_bar)

    def _undo_actions(self) -> None:
        """Undo and redo name the change, so the stack makes them."""
        for name, made, keys in (
            ("undo", self.desk.undo_stack.createUndoAction(self, "Undo"), QKeySequence.StandardKey.Undo),
            ("redo", self.desk.undo_stack.createRedoAction(self, "Redo"), QKeySequence.StandardKey.Redo),
        ):
            made.setObjectName(name)
            made.setShortcuts(keys)
            self.actions_by_name[name] = made

    def _connect(self) -> None:
        desk = self.desk
        desk.view_changed.connect(self.show_view)
        desk.failed.connect(self.show_error)
        desk.told.connect(self.status.tell)
        self.former.asked.connect(self.back_to_former)
        desk.loaded.connect(self._tell_loaded)
        desk.undo_stack.cleanChanged.connect(self._tell_clean)
        self.status.cancel_asked.connect(desk.cancel)
        self.question.asked.connect(self.ask)
        self.question.run_asked.connect(self.run)
        self.question.typed.connect(self.enable_commands)
        self.question.device_chosen.connect(self.choose_device)
        self.rail.stage_chosen.connect(self.show_stage)
        self.asking.judge_asked.connect(self.judging.choose)
        self.asking.generator_asked.connect(self.judging.choose_generator)
        self.answer.generator_asked.connect(self.judging.choose_generator)
        self.judging.told.connect(self.status.tell)
        self.rule_board.own_thresholds_asked.connect(desk.own_thresholds)
        for panel in self.panels:
            panel.selected.connect(desk.select)
        for tuning in (self.candidates, self.groups, self.prompt, self.knobs, self.rule_board, self.answer):
            tuning.knob_moved.connect(self.move_knob)
            tuning.knob_released.connect(desk.seal)
        self.candidates.words_chosen.connect(desk.select_words)
        for merging in (self.groups, self.card):
            merging.override_asked.connect(desk.set_override)
        self.answer.span_chosen.connect(desk.select_span)
        self.answer.answer_edited.connect(desk.set_answer)
        self.answer.write_asked.connect(self.judging.write_again)
        self.tabs.currentChanged.connect(self._tab_shown)

    # What there is to see

    @Slot(object)
    def show_view(self, view: View) -> None:
        """Show the desk: at once in what can be seen, later in hidden tabs."""
        self._view = view
        self.rail.show_view(view)
        self.question.show_view(view)
        self.status.show_view(view)
        self.former.say(former_words(view))
        hidden = {self.tabs.widget(i) for i in range(self.tabs.count())} - {self.tabs.currentWidget()}
        for panel in self.panels:
            if panel not in hidden:
                panel.show_view(view)
        self.enable_commands()
        self.arrangement.show_changes(view)
        name = Path(view.state.corpus_path).name if view.state.corpus_path else ""
        self.setWindowTitle(f"{name}[*] – Guard Desk" if name else "Guard Desk[*]")

    @Slot(bool)
    def _tell_clean(self, clean: bool) -> None:
        self.setWindowModified(not clean)

    @Slot(int)
    def _tab_shown(self, _: int) -> None:
        panel = self.tabs.currentWidget()
        if isinstance(panel, Panel):
            panel.show_view(self._view)

    @Slot()
    def enable_commands(self) -> None:
        """Let exactly those commands be chosen that can act now."""
        outside = Outside(
            question=bool(self.question.text()),
            last=self.files.has_last(),
            agreed=self.judging.has_agreed(),
            text_scale=self.preferences.text_scale,
        )
        facts = self._enabling.facts(self._view, outside)
        for command in self.commands:
            self.actions_by_name[command.name].setEnabled(facts[command.needs])

    # What a person does

    @Slot()
    def run(self) -> None:
        """Run the question that stands in the box."""
        self.question.ask_typed()
        try:
            self.judging.run()
        except GuardDeskError as exc:
            self.show_error(exc)

    @Slot(str)
    def ask(self, text: str) -> None:
        """Ask another question."""
        self.desk.set_question(text)

    @Slot()
    def back_to_former(self) -> None:
        """Ask the question again that the results belong to."""
        if self.desk.session.trace is not None:
            self.desk.back_to(self.desk.session.trace.query)

    @Slot(str)
    def choose_device(self, device: str) -> None:
        """Run models on another device."""
        self.desk.set_device(device)

    @Slot(str, object)
    def move_knob(self, path: str, value: object) -> None:
        """Move a knob; a value that is not allowed is told in the status bar."""
        try:
            self.desk.set_knob(path, value)
        except GuardDeskError as exc:
            self.status.tell(str(exc))

    @Slot(str)
    def show_stage(self, stage: str) -> None:
        """Bring the view of a stage to the front."""
        target = {"dedup": self.groups, "thin": self.candidates, "prompt": self.prompt, "route": self.ladder, "retrieve": self.ladder}.get(
            stage
        )
        if target is not None:
            self.tabs.setCurrentWidget(target)
            target.setFocus()
        elif stage in ("answer", "verify"):
            self.answer.setFocus()

    def focus_question(self) -> None:
        """Put the cursor into the question box."""
        self.question.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.question.line.selectAll()

    def focus_filter(self) -> None:
        """Put the cursor into the filter of the passages table."""
        self.passages.focus_filter()

    def show_palette(self) -> None:
        """Find any command by its name."""
        self.enable_commands()
        self.asking.palette(list(self.actions_by_name.values()))

    def next_pane(self, step: int = 1) -> None:
        """Put the focus into the next pane that has something to act on."""
        panes = list(self.panes.values())
        now = next((i for i, pane in enumerate(panes) if pane.isAncestorOf(QApplication.focusWidget() or self)), -1 if step > 0 else 0)
        ways = (panes[(now + step * far) % len(panes)] for far in range(1, len(panes) + 1))
        any(pane.take_focus() for pane in ways)

    @Slot(object)
    def show_error(self, error: BaseException) -> None:
        """Show an error in the one dialog."""
        box = error_box(error, self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    @Slot(object)
    def _tell_loaded(self, loaded: LoadResult) -> None:
        if loaded.skipped or loaded.renamed:
            self.asking.skipped()

    # How it looks

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        if theme != self.desk.theme:
            self._dress(theme)
        self.desk.theme = theme
        self.rail.set_theme(theme)
        self.former.set_theme(theme)
        for pane in self.panes.values():
            pane.set_theme(theme)
        set_icons(self.commands, self.actions_by_name, theme)
        self.desk.touch()

    @staticmethod
    def _dress(theme: Theme) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_theme(app, theme)

    def choose_mode(self, mode: Mode) -> None:
        """Light, dark, or as the system."""
        self.preferences.mode = mode
        self.set_theme(make_theme(mode, self.preferences.text_scale))

    def scale_text(self, factor: float | None) -> None:
        """Make the text larger or smaller; None = the system's size."""
        self.preferences.text_scale = 1.0 if factor is None else self.preferences.text_scale * factor
        self.set_theme(make_theme(self.preferences.mode, self.preferences.text_scale))

    def reset_layout(self, *, stored: bool = False) -> None:
        """Lay the panes out as at the first start, or as they were kept."""
        self.arrangement.reset(stored=stored)

    # Drag and drop, closing

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Take files."""
        if _dropped(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """Open the first dropped file or folder."""
        path = _dropped(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.files.open(path)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """In a low window the panes get the room."""
        super().resizeEvent(event)
        scale = self.desk.theme.scale
        low = self.height() < LOW * scale
        self.rail.set_low(low and self.width() >= RAIL_WIDTH * scale)
        self.arrangement.set_low(low)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Follow the system's light or dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ThemeChange and self.preferences.mode is Mode.SYSTEM:
            self.set_theme(make_theme(Mode.SYSTEM, self.preferences.text_scale))

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the layout, stop all work."""
        self.arrangement.keep()
        self.hide()  # a batch that is finishing may take a moment
        self.tabs.blockSignals(True)  # tabs tell of each page that goes with the window
        self.desk.close()
        super().closeEvent(event)


def _dropped(data: QMimeData) -> str | None:
    return next((url.toLocalFile() for url in data.urls() if url.isLocalFile()), None)
