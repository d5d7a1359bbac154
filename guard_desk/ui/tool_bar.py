"""The tool bar: open, run, cancel, the question, the baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolBar

if TYPE_CHECKING:
    from guard_desk.ui.main_window import MainWindow


def make_tool_bar(window: MainWindow) -> QToolBar:
    """A bar of a window's commands, with its question box."""
    bar = QToolBar("Tools", window)
    bar.setObjectName("tool_bar")
    bar.setMovable(False)
    bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    for name in ("open_file", "run", "cancel"):
        bar.addAction(window.actions_by_name[name])
    for name, button in (("run", "run_button"), ("cancel", "cancel_button")):
        widget = bar.widgetForAction(window.actions_by_name[name])
        widget.setObjectName(button)
        widget.setAccessibleName(window.actions_by_name[name].text().replace("&", ""))
    bar.addWidget(window.question)
    bar.addAction(window.actions_by_name["pin_baseline"])
    return bar
