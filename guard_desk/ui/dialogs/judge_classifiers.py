"""For each question a classifier, and which of its labels means yes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QGridLayout, QLabel, QLineEdit, QPushButton, QWidget

from guard_desk.measure.card import QUESTION_WORDS
from guard_desk.models.judges.labels import LabelMapping
from guard_desk.records.evidence import Question
from guard_desk.records.judging import Classifier, JudgeSettings
from guard_desk.ui.dialogs.judge_forms import JudgeForm, Problem
from guard_desk.ui.judge_kinds import JudgeKind
from guard_desk.ui.theme import GRID, Theme
from guard_desk.ui.widgets.labels import tinted

_FROM_MODEL = "automatic"


class ClassifiersForm(JudgeForm):
    """For each question a folder or hub name, and which label means yes."""

    mapping_asked = Signal(str, str)
    """question, source"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("judge_classifiers")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(3, 2)
        for column, words in ((1, "Folder or hub name"), (3, "Label that means yes")):
            head = QLabel(words, self)
            head.setObjectName("muted")
            grid.addWidget(head, 0, column)
        self.rows = {question: _ClassifierRow(question, self, grid, 1 + 2 * at) for at, question in enumerate(Question)}
        for row in self.rows.values():
            row.source.textChanged.connect(self.changed)
            row.label.currentTextChanged.connect(self.changed)
            row.source.editingFinished.connect(_Asker(row, self).ask)
        self._none = Problem(self)
        grid.addWidget(self._none, 2 * len(self.rows) + 1, 0, 1, 4)

    def show_settings(self, kind: JudgeKind, settings: JudgeSettings) -> None:  # noqa: ARG002 - the form of all
        """Fill the rows, and ask for the labels of what is named."""
        known = {classifier.question: classifier for classifier in settings.classifiers}
        for question, row in self.rows.items():
            row.fill(known.get(str(question)))
            if row.source.text():
                self.mapping_asked.emit(str(question), row.source.text())

    def settings(self, base: JudgeSettings) -> JudgeSettings:
        """`base` with the classifiers that are named."""
        return replace(base, classifiers=tuple(made for row in self.rows.values() if (made := row.classifier()) is not None))

    def show_problems(self, found: Mapping[str, str], theme: Theme, *, quiet: bool = False) -> None:
        """Say what is wrong with a row, or with all."""
        self._none.say(found.get("classifiers", ""), theme, quiet=quiet)
        for question, row in self.rows.items():
            row.say_problem(found.get(str(question), ""), theme)

    def show_mapping(self, question: Question, mapping: LabelMapping | None, problem: str, theme: Theme) -> None:
        """Show how a classifier's labels are read, or why they cannot be."""
        self.rows[question].show_mapping(mapping, problem, theme)


class _ClassifierRow:
    """The widgets of one question, in two lines of a grid."""

    def __init__(self, question: Question, parent: QWidget, grid: QGridLayout, line: int) -> None:
        self.question = question
        self._mapping: tuple[str, str] = ("", "")
        words = QUESTION_WORDS[question]
        self.source, self.browse, self.label, self._note = QLineEdit(parent), QPushButton("…", parent), QComboBox(parent), QLabel(parent)
        self.source.setObjectName(f"classifier_{question}_source")
        self.source.setAccessibleName(f"{words}: folder or hub name of the classifier")
        self.source.setPlaceholderText("none: answered by the rules")
        self.browse.setAccessibleName(f"{words}: choose a folder")
        self.browse.setToolTip("Choose a folder")
        self.browse.setFixedWidth(8 * GRID)
        self.label.setObjectName(f"classifier_{question}_label")
        self.label.setAccessibleName(f"{words}: label that means yes")
        self.label.setEditable(True)
        self.label.addItem(_FROM_MODEL)
        self.label.setMinimumContentsLength(8)
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setWordWrap(True)
        self.browse.clicked.connect(self._ask)
        for column, widget in enumerate((QLabel(words, parent), self.source, self.browse, self.label)):
            grid.addWidget(widget, line, column)
        grid.addWidget(self._note, line + 1, 1, 1, 3)

    def _ask(self) -> None:
        folder = QFileDialog.getExistingDirectory(self.source, "Folder of a classifier", self.source.text())
        if folder:
            self.source.setText(folder)
            self.source.editingFinished.emit()

    def fill(self, classifier: Classifier | None) -> None:
        """Show a classifier, or none."""
        with QSignalBlocker(self.source), QSignalBlocker(self.label):
            self.source.setText(classifier.source if classifier else "")
            self.label.setEditText(classifier.label if classifier and classifier.label else _FROM_MODEL)
        self._note.clear()
        self._note.hide()

    def classifier(self) -> Classifier | None:
        """What stands in the row; None when nothing does."""
        source, label = self.source.text().strip(), self.label.currentText().strip()
        if not source:
            return None
        return Classifier(question=str(self.question), source=source, label=None if label in ("", _FROM_MODEL) else label)

    def say_problem(self, problem: str, theme: Theme) -> None:
        """Say what is wrong with the source; else how its labels are read."""
        known = self._mapping[1] if self._mapping[0] == self.source.text().strip() else ""
        text = f"✗ {problem}" if problem else known
        self._note.setText(text)
        self._note.setVisible(bool(text))
        tinted(self._note, theme.colors.wrong if text.startswith("✗") else theme.colors.muted)

    def show_mapping(self, mapping: LabelMapping | None, problem: str, theme: Theme) -> None:
        """Offer the labels and say which of them means yes."""
        words = f"✗ {problem}" if mapping is None else mapping.sentence(self.question)
        self._mapping = (self.source.text().strip(), words)
        chosen = self.label.currentText()
        with QSignalBlocker(self.label):
            self.label.clear()
            self.label.addItems([_FROM_MODEL, *(mapping.labels if mapping else ())])
            self.label.setEditText(chosen)
        self.say_problem("", theme)


class _Asker:
    """Asks for the labels of one row when its source was edited."""

    def __init__(self, row: _ClassifierRow, form: ClassifiersForm) -> None:
        self._row, self._form = row, form
        row.asker = self  # type: ignore[attr-defined]  # kept alive with the row

    def ask(self) -> None:
        """Ask."""
        if self._row.source.text().strip():
            self._form.mapping_asked.emit(str(self._row.question), self._row.source.text().strip())
