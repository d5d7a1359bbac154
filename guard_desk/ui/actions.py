"""Every command of the window: name, keys, icon, what it does. Menus, tool bar and command palette read this one list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from guard_desk.ui.icons import icon
from guard_desk.ui.theme import Theme


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command.

    :param name: objectName of its action, "run", "open_file".
    :param text: as menus show it; & marks the mnemonic.
    :param keys: standard form, e.g. "Ctrl+O"; "" for none.
    :param tip: one sentence for the status bar and the tooltip.
    :param group: name of the choice that it belongs to, one of which is always on; `checked`: on at the start.
    :param needs: what must be so for it to be enabled: "corpus", "run", "busy", "".
    """

    name: str
    menu: str
    text: str
    do: Callable[[], object]
    keys: str = ""
    icon: str = ""
    tip: str = ""
    needs: str = ""
    separator: bool = False
    group: str = ""
    checked: bool = False


def make_action(command: Command, parent: QObject) -> QAction:
    """The action of a command."""
    action = QAction(command.text, parent)
    action.setObjectName(command.name)
    action.setToolTip(f"{command.tip or command.text.replace('&', '')}{f' ({command.keys})' if command.keys else ''}")
    action.setStatusTip(command.tip)
    if command.keys:
        action.setShortcut(QKeySequence(command.keys))
    if command.group:
        group = parent.findChild(QActionGroup, command.group) or QActionGroup(parent)
        group.setObjectName(command.group)
        action.setCheckable(True)
        action.setActionGroup(group)
        action.setChecked(command.checked)
    action.triggered.connect(_Call(command.do, action).call)
    return action


class _Call(QObject):
    """Calls a command without the state that `triggered` sends along."""

    def __init__(self, do: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._do = do

    def call(self, checked: bool = False) -> None:
        """Do it."""
        del checked
        self._do()


def set_icons(commands: tuple[Command, ...], actions: dict[str, QAction], theme: Theme) -> None:
    """Draw the icons in the theme's colours."""
    for command in commands:
        if command.icon:
            color = theme.colors.accent if command.name == "run" else ""
            actions[command.name].setIcon(icon(command.icon, theme.colors, color))
