"""What the dialog of generators says where there is nothing to fill in."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from guard_desk.records.state import Models
from guard_desk.ui.dialogs.generator import GeneratorDialog
from tests.ui.builders import theme


def steps(dialog: GeneratorDialog, name: str) -> list[str]:
    names = [dialog.kinds.item(at).data(Qt.ItemDataRole.UserRole) for at in range(dialog.kinds.count())]
    dialog.kinds.setCurrentRow(names.index(name))
    return [label.text() for label in dialog.steps.findChildren(QLabel) if label.isVisible()]


def test_without_a_generator_it_says_what_happens_and_what_to_do(qtbot: QtBot) -> None:
    dialog = GeneratorDialog(Models(), (), theme(scale=1.5), lambda *_: None)
    qtbot.addWidget(dialog)
    dialog.show()
    shown = steps(dialog, "none")
    assert shown[::2] == ["1", "2", "3"]
    assert "as far as the prompt" in shown[1]
    assert "Copy the prompt" in shown[3]
    assert "paste what it wrote: it is checked at once" in shown[5]
    assert steps(dialog, "recorded")[::2] == ["1", "2"]
    assert steps(dialog, "local") == []
    assert steps(dialog, "none") == shown
