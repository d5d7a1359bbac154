"""The dialog that chooses the models of the next run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from guard_desk.records.state import Models
from guard_desk.ui.dialogs.choices import choice_box, framed
from guard_desk.ui.generator_kinds import title_of as generator_title
from guard_desk.ui.judge_kinds import title_of
from guard_desk.ui.reader_kinds import NONE, claim_words, detector_words
from guard_desk.ui.theme import GAP, GRID

_LABELS = {"encoder": "&Encoder", "device": "De&vice"}


class ModelsDialog(QDialog):
    """Chooses encoder, the readers of the answer and the device; judge and generator have dialogs of their own."""

    judge_asked = Signal()
    """What was chosen here is taken, and the judge is to be chosen."""
    generator_asked = Signal()
    """The same of the generator."""

    def __init__(self, models: Models, choices: Mapping[str, Sequence[str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("models_dialog")
        self.setWindowTitle("Models")
        self._models = models
        self._boxes = {name: choice_box(name, choices[name], str(getattr(models, name) or NONE)) for name in _LABELS}
        self.judge = self._button("judge", title_of(models.judge))
        self.judge.clicked.connect(self._ask_judge)
        self.generator = self._button("generator", generator_title(models.generator))
        self.generator.clicked.connect(self._ask_generator)
        self.detector = choice_box("span detector", (NONE,), models.detector or NONE, editable=True)
        self.claim_model = choice_box("claim model", choices["claim_model"], models.claim_model or NONE, editable=True)
        self.detector.setObjectName("models_detector")
        self.claim_model.setObjectName("models_claim_model")
        self.detector_hint, self.claim_hint = _hint(self), _hint(self)
        for box in (self.detector, self.claim_model):
            box.currentTextChanged.connect(self._say)
        form = self._form()
        hint = QLabel("The encoder may also be a folder on this machine. The next run uses the choice.", self)
        self.buttons = framed(self, form, hint)
        self._say()

    def _button(self, name: str, title: str) -> QPushButton:
        button = QPushButton(f"{title}…", self)
        button.setObjectName(f"models_{name}")
        button.setAccessibleName(f"{name.capitalize()}: {title}")
        button.setToolTip(f"Choose the {name} and its settings")
        button.setAutoDefault(False)
        return button

    def _form(self) -> QFormLayout:
        self.folder = QPushButton("&Folder…", self)
        self.folder.setAccessibleName("Choose the folder of a span detector")
        self.folder.setAutoDefault(False)
        self.folder.clicked.connect(self._ask_folder)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(_LABELS["encoder"], self._boxes["encoder"])
        form.addRow("&Judge", self.judge)
        form.addRow("&Generator", self.generator)
        rows = (
            ("&Span detector", self.detector, self.folder, self.detector_hint),
            ("&Claim model", self.claim_model, None, self.claim_hint),
        )
        for name, box, button, hint in rows:
            label = QLabel(name, self)
            label.setBuddy(box)
            form.addRow(label, _stacked(box, button, hint))
        form.addRow(_LABELS["device"], self._boxes["device"])
        return form

    def models(self) -> Models:
        """What was chosen."""
        chosen: dict[str, str | None] = {name: box.currentText().strip() for name, box in self._boxes.items()}
        for name, box in (("detector", self.detector), ("claim_model", self.claim_model)):
            chosen[name] = box.currentText().strip()
        for name in ("detector", "claim_model"):
            chosen[name] = None if chosen[name] in ("", NONE) else chosen[name]
        return replace(self._models, **chosen)  # type: ignore[arg-type]

    @Slot()
    def _say(self) -> None:
        """What the readers do, cost and send; a name that cannot be used cannot be taken."""
        wrong = False
        for box, hint, words in ((self.detector, self.detector_hint, detector_words), (self.claim_model, self.claim_hint, claim_words)):
            said, problem = words(box.currentText().strip())
            hint.setText(f"✕ {problem}" if problem else said)
            strong = bool(problem) or said.startswith("▲")
            hint.setStyleSheet("QLabel { color: palette(window-text); }" if strong else "")
            box.setAccessibleDescription(hint.text())
            wrong = wrong or bool(problem)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not wrong)
        self.judge.setEnabled(not wrong)
        self.generator.setEnabled(not wrong)

    @Slot()
    def _ask_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(self, "Choose the folder of a span detector")
        if path:
            self.detector.setCurrentText(path)

    @Slot()
    def _ask_judge(self) -> None:
        self.accept()
        self.judge_asked.emit()

    @Slot()
    def _ask_generator(self) -> None:
        self.accept()
        self.generator_asked.emit()


def _hint(parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setObjectName("muted")
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    label.setMinimumWidth(120 * GRID)
    label.setMinimumHeight(3 * label.fontMetrics().lineSpacing())  # so that nothing jumps while a name is typed
    return label


def _stacked(box: QComboBox, button: QPushButton | None, hint: QLabel) -> QWidget:
    field = QWidget()
    column = QVBoxLayout(field)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(GRID)
    row = QHBoxLayout()
    row.setSpacing(GAP)
    row.addWidget(box, 1)
    if button is not None:
        row.addWidget(button)
    column.addLayout(row)
    column.addWidget(hint)
    return field
