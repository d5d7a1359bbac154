"""Asks before passages leave the machine: how many, where to, about how many tokens, what it costs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QMessageBox, QWidget

from guard_desk.records.judging import Estimate, JudgeSettings
from guard_desk.ui.judge_kinds import Host, count_words, money, price_words
from guard_desk.ui.numbers import count

MOST_HOST = 60


class RemoteRunDialog(QMessageBox):
    """Cancel is what Enter does: only who means it sends something."""

    def __init__(self, host: Host, estimate: Estimate, settings: JudgeSettings, corpus: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("remote_run_dialog")
        self.setWindowTitle("Send passages?")
        self.setIcon(QMessageBox.Icon.Question)
        self.setTextFormat(Qt.TextFormat.PlainText)
        waiting = estimate.passages - estimate.stored
        name = host.name if len(host.name) <= MOST_HOST else host.name[: MOST_HOST - 1] + "…"
        self.setText(f"This sends {count_words(waiting, estimate.stored)} of your corpus to {name}{_size(estimate)}.")
        lines = [
            f"Question and passages{f' of {corpus}' if corpus else ''} leave this machine. {name} reads them, and may keep them.",
            _price(estimate, settings),
        ]
        if not host.encrypted:
            lines.append("The address is not encrypted: others can read them on the way.")
        lines.append("What is answered is stored: the same question and passages are not sent again.")
        self.setInformativeText("\n\n".join(line for line in lines if line))
        self.forever = QCheckBox(f"Do not ask again for {name}", self)
        self.forever.setObjectName("remote_run_forever")
        self.setCheckBox(self.forever)
        self.send = self.addButton("&Send", QMessageBox.ButtonRole.AcceptRole)
        self.send.setObjectName("remote_run_send")
        cancel = self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(cancel)
        self.setEscapeButton(cancel)

    def agreed(self) -> bool:
        """Whether Send was pressed."""
        return self.clickedButton() is self.send


def _size(estimate: Estimate) -> str:
    spent = estimate.spent
    if spent is None:
        return ""
    cost = f", cost about {money(spent.cost)}" if spent.cost is not None else ""
    return f": about {count(spent.input_tokens + spent.output_tokens)} tokens{cost}"


def _price(estimate: Estimate, settings: JudgeSettings) -> str:
    if estimate.spent is None:
        return ""
    if estimate.spent.cost is None:
        return "What it costs is not known: the judge's settings name no prices."
    return f"At your prices: {price_words(settings)}."
