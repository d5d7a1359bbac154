"""Asks before text leaves the machine: how much, where to, about how many tokens, what it costs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QMessageBox, QWidget

from guard_desk.records.judging import Estimate, JudgeSettings
from guard_desk.ui.judge_kinds import Host, count_words, money, price_words
from guard_desk.ui.numbers import count, counted
from guard_desk.ui.reader_kinds import TOKENS_A_SENTENCE

MOST_HOST = 60


class SendDialog(QMessageBox):
    """Cancel is what Enter does: only who means it sends something."""

    def __init__(self, host: Host, text: str, lines: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("remote_run_dialog")
        self.setWindowTitle("Send passages?")
        self.setIcon(QMessageBox.Icon.Question)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        open_words = "" if host.encrypted else "The address is not encrypted: others can read them on the way."
        self.setInformativeText("\n\n".join(line for line in (*lines[:-1], open_words, lines[-1]) if line))
        self.forever = QCheckBox(f"Do not ask again for {_shown(host)}", self)
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


class RemoteRunDialog(SendDialog):
    """Before a judge that is elsewhere is asked."""

    def __init__(self, host: Host, estimate: Estimate, settings: JudgeSettings, corpus: str, parent: QWidget | None = None) -> None:
        waiting, name = estimate.passages - estimate.stored, _shown(host)
        text = f"This sends {count_words(waiting, estimate.stored)} of your corpus to {name}{_size(estimate)}."
        lines = (
            f"Question and passages{f' of {corpus}' if corpus else ''} leave this machine. {name} reads them, and may keep them.",
            _price(estimate, settings),
            "What is answered is stored: the same question and passages are not sent again.",
        )
        super().__init__(host, text, lines, parent)


class RemoteWriteDialog(SendDialog):
    """Before a generator that is elsewhere writes the answer.

    :param most: most passages of the prompt; `tokens`: most tokens of these.
    :param rounds: most rounds in which it is asked; 1 when it is asked once.
    """

    def __init__(self, host: Host, most: int, tokens: int, rounds: int, corpus: str, parent: QWidget | None = None) -> None:
        name = _shown(host)
        often = "" if rounds < 2 else f", asked in up to {rounds} rounds, each with more of them"
        text = f"This sends the prompt to {name}: the question and up to {counted(most, 'passage')}, at most {count(tokens)} tokens{often}."
        lines = (
            f"Question and passages{f' of {corpus}' if corpus else ''} leave this machine. {name} reads them, and may keep them.",
            "What it costs is for the server to say. What it writes is not stored: each run asks again.",
        )
        super().__init__(host, text, lines, parent)


class RemoteReadDialog(SendDialog):
    """Before a language model that is elsewhere reads the answer.

    :param sentences: about how many there are; None while the answer is not written yet.
    """

    def __init__(self, host: Host, sentences: int | None, corpus: str, parent: QWidget | None = None) -> None:
        name = _shown(host)
        size = "" if sentences is None else f": about {counted(sentences, 'sentence')}, {count(sentences * TOKENS_A_SENTENCE)} tokens"
        text = f"This sends the answer to {name}, sentence by sentence, each with the passages nearest to it{size}."
        lines = (
            f"Question, answer and passages{f' of {corpus}' if corpus else ''} leave this machine. {name} reads them, and may keep them.",
            "What it costs is for the server to say. What it answers is not stored: each run asks again.",
        )
        super().__init__(host, text, lines, parent)
        self.setWindowTitle("Send the answer?")


def _shown(host: Host) -> str:
    return host.name if len(host.name) <= MOST_HOST else host.name[: MOST_HOST - 1] + "…"


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
