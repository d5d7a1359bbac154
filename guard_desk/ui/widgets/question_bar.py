"""The question box with the file's questions, the device, and the baseline."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from guard_desk.records.corpus import LoadResult
from guard_desk.ui.theme import GAP, GRID
from guard_desk.ui.view import View

_DEVICES = (("auto", "Auto"), ("cpu", "CPU"), ("cuda", "GPU (CUDA)"), ("mps", "GPU (Metal)"))


class QuestionBar(QWidget):
    """Where the question is asked."""

    asked = Signal(str)
    """The question changed: Enter, another of the list, or the focus left the box."""
    run_asked = Signal()
    typed = Signal(str)
    """What stands in the box while a person types; it is not asked yet."""
    device_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QComboBox(self)
        self.box.setObjectName("question_box")
        self.box.setAccessibleName("Question")
        self.box.setEditable(True)
        self.box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.box.setMinimumWidth(50 * GRID)
        self.line = QLineEdit(self)
        self.box.setLineEdit(self.line)
        self.line.setPlaceholderText("Ask a question about the corpus")
        self.line.setMaxLength(4000)
        self.line.returnPressed.connect(self._run)
        self.line.editingFinished.connect(self._tell)
        self.line.textEdited.connect(self.typed)
        self.box.activated.connect(self._tell)
        self.device = QComboBox(self)
        self.device.setObjectName("device_box")
        self.device.setAccessibleName("Device that models run on")
        self.device.setToolTip("Device that models run on, from the next run on")
        self.device.setToolTip("The device that models run on. Auto takes a GPU where there is one.")
        for name, words in _DEVICES:
            self.device.addItem(words, name)
        self.device.activated.connect(self._choose_device)
        label = QLabel("&Question", self)
        label.setBuddy(self.box)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAP, 0, GAP, 0)
        row.setSpacing(GAP)
        row.addWidget(label)
        row.addWidget(self.box, 1)
        row.addWidget(self.device)
        self._loaded: LoadResult | None = None

    def show_view(self, view: View) -> None:
        """Show the question in force and the file's questions."""
        if view.loaded is not self._loaded:
            self._loaded = view.loaded
            self.box.clear()
            for query in view.loaded.queries[:200] if view.loaded else ():
                self.box.addItem(query.query.text)
            self.box.setCurrentIndex(-1)
        if not self.line.hasFocus() or not self.line.isModified():
            self._put(view.state.query.text)
        self.device.setCurrentIndex(max(0, self.device.findData(view.state.models.device)))

    def _put(self, text: str) -> None:
        if self.box.currentText() != text:
            self.box.setEditText(text)
            self.line.setCursorPosition(0)
            self.line.setModified(False)
        self.box.setToolTip("")

    def text(self) -> str:
        """What stands in the box, asked or not."""
        return self.box.currentText().strip()

    def ask_typed(self) -> None:
        """Ask what was typed and not asked yet: a key or a button may run it while the cursor stands in the box."""
        if self.line.isModified():
            self._tell()

    @Slot()
    def _tell(self) -> None:
        self.line.setModified(False)
        self.asked.emit(self.text())

    @Slot()
    def _run(self) -> None:
        self._tell()
        if self.text():
            self.run_asked.emit()

    @Slot()
    def _choose_device(self) -> None:
        self.device_chosen.emit(str(self.device.currentData()))
