"""Edits how the four questions are put to the judges that read wordings; says what differs from the shipped ones."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from guard_desk.measure.card import QUESTION_WORDS
from guard_desk.models.judges.wordings import shipped_wordings
from guard_desk.records.evidence import Question
from guard_desk.records.judging import Wording, Wordings
from guard_desk.ui.judge_kinds import READ_WORDINGS
from guard_desk.ui.layout import fitting
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GAP, GRID, PAD, Theme
from guard_desk.ui.widgets.labels import tinted

CHANGED = "●"
"""Stands beside what differs from the shipped wording."""

_SIZE = (190 * GRID, 136 * GRID)
_FIELDS = (
    ("text", "&Question, as people read it", 2),
    ("instruction", "&Instruction to the judge", 3),
    ("yes", "Answer &yes when (one case a line)", 4),
    ("no", "Answer &no when (one case a line)", 4),
)


class WordingsDialog(QDialog):
    """The four questions, one at a time.

    :param wordings: None = the shipped ones.
    :param judge: the judge in force, to say whether it reads them.
    """

    def __init__(self, wordings: Wordings | None, judge: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("wordings_dialog")
        self.setWindowTitle("Wordings of the questions")
        self._theme, self._shipped = theme, shipped_wordings()
        self._edited = wordings or self._shipped
        self.questions = QListWidget(self)
        self.questions.setObjectName("wordings_questions")
        self.questions.setAccessibleName("Questions")
        for question in Question:
            self.questions.addItem(QListWidgetItem(QUESTION_WORDS[question]))
        self.editor = _Editor(theme, self)
        self.editor.changed.connect(self._take)
        self.reset = QPushButton("&Reset this question", self)
        self.reset.setObjectName("wordings_reset")
        self.reset.clicked.connect(self._reset)
        self._problem, self._what = QLabel(self), QLabel(_what_it_does(judge), self)
        for label in (self._problem, self._what):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self._what.setObjectName("muted")
        self._problem.setObjectName("wordings_problem")
        tinted(self._problem, theme.colors.wrong)
        self._lay_out()
        self.questions.currentRowChanged.connect(self._show)
        self.questions.setCurrentRow(0)
        self._mark()
        self.resize(fitting(self, *_SIZE, theme))

    def _lay_out(self) -> None:
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        # Room for the mark, so that the list does not grow under the pointer.
        self.questions.setFixedWidth(self.questions.fontMetrics().horizontalAdvance(f"Contradicts {CHANGED}") + 3 * PAD)
        row = QHBoxLayout()
        row.setSpacing(GAP)
        row.addWidget(self.questions)
        row.addWidget(self.editor, 1)
        foot = QHBoxLayout()
        foot.setSpacing(GAP)
        foot.addWidget(self.reset)
        foot.addWidget(self._problem, 1)
        foot.addWidget(self.buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PAD, PAD, PAD, PAD)
        layout.setSpacing(GAP)
        layout.addWidget(self._what)
        layout.addLayout(row, 1)
        layout.addLayout(foot)

    def wordings(self) -> Wordings | None:
        """What was edited; None when it is what is shipped."""
        return None if self._edited == self._shipped else self._edited

    def question(self) -> Question:
        """The question that is shown."""
        return list(Question)[max(0, self.questions.currentRow())]

    @Slot()
    def _show(self) -> None:
        question = self.question()
        self.editor.show_wording(getattr(self._edited, question), getattr(self._shipped, question))
        self._mark()

    @Slot(object)
    def _take(self, wording: Wording) -> None:
        self._edited = replace(self._edited, **{str(self.question()): wording})
        self._mark()

    @Slot()
    def _reset(self) -> None:
        question = str(self.question())
        self._edited = replace(self._edited, **{question: getattr(self._shipped, question)})
        self._show()

    def _mark(self) -> None:
        """Mark what differs, and say what is missing."""
        empty = []
        for at, question in enumerate(Question):
            own, shipped = getattr(self._edited, question), getattr(self._shipped, question)
            words = QUESTION_WORDS[question]
            self.questions.item(at).setText(f"{words} {CHANGED}" if own != shipped else words)
            self.questions.item(at).setToolTip("differs from the shipped wording" if own != shipped else "the shipped wording")
            if not own.text.strip() or not own.instruction.strip():
                empty.append(words)
        question = self.question()
        self.reset.setEnabled(getattr(self._edited, question) != getattr(self._shipped, question))
        self._problem.setText(f"✗ Question and instruction must not be empty: {', '.join(empty)}." if empty else "")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not empty)


class _Editor(QWidget):
    """The fields of one question."""

    changed = Signal(object)
    """Wording"""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._wording = self._shipped = Wording(text="", instruction="")
        self._heads: dict[str, tuple[QLabel, str]] = {}
        self.fields: dict[str, QPlainTextEdit] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(GRID)
        for at, (name, words, lines) in enumerate(_FIELDS):
            field, head = QPlainTextEdit(self), QLabel(words, self)
            field.setObjectName(f"wording_{name}")
            field.setAccessibleName(words.replace("&", ""))
            field.setTabChangesFocus(True)
            field.setFrameShape(QPlainTextEdit.Shape.StyledPanel)
            field.setStyleSheet(f"QPlainTextEdit {{ border: 1px solid {theme.colors.edge}; border-radius: {GRID // 2}px; }}")
            field.setMinimumHeight(field.fontMetrics().lineSpacing() * (lines - 1) + 3 * GRID)
            field.textChanged.connect(self._tell)
            head.setBuddy(field)
            grid.addWidget(head, 2 * at, 0)
            grid.addWidget(field, 2 * at + 1, 0)
            grid.setRowStretch(2 * at + 1, lines)
            self.fields[name], self._heads[name] = field, (head, words)

    def show_wording(self, wording: Wording, shipped: Wording) -> None:
        """Show a question without telling anyone."""
        self._wording, self._shipped = wording, shipped
        for name, field in self.fields.items():
            with QSignalBlocker(field):
                field.setPlainText(_as_text(getattr(wording, name)))
        self._mark()

    @Slot()
    def _tell(self) -> None:
        self._wording = replace(
            self._wording, text=self._words("text"), instruction=self._words("instruction"), yes=self._cases("yes"), no=self._cases("no")
        )
        self._mark()
        self.changed.emit(self._wording)

    def _words(self, name: str) -> str:
        return " ".join(self.fields[name].toPlainText().split())

    def _cases(self, name: str) -> tuple[str, ...]:
        return tuple(line.strip() for line in self.fields[name].toPlainText().splitlines() if line.strip())

    def _mark(self) -> None:
        for name, (head, words) in self._heads.items():
            shipped = getattr(self._shipped, name)
            differs = getattr(self._wording, name) != shipped
            head.setText(f"{words}  {CHANGED} changed" if differs else words)
            tinted(head, self._theme.colors.conflict if differs else self._theme.colors.text)
            head.setToolTip(plain_tip(f"Shipped: {_as_text(shipped)}" if differs else ""))


def _as_text(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else "\n".join(value)


def _what_it_does(judge: str) -> str:
    name = judge.partition(":")[0]
    readers = f"{', '.join(READ_WORDINGS[:-1])} and {READ_WORDINGS[-1]}"
    own = f"{name}, the judge in force, reads them." if name in READ_WORDINGS else f"{name}, the judge in force, does not."
    return (
        f"The judges {readers} read these wordings; {own} A changed wording asks every passage anew; "
        "stored answers to the former wording stay and are found again when it comes back."
    )
