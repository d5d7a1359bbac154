"""The fields of the judges that have settings: a server, a model file. Classifiers have a file of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from guard_desk.records.judging import JudgeSettings, RemoteForm
from guard_desk.ui.judge_kinds import OPENROUTER, JudgeKind
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.widgets.labels import tinted

_UNKNOWN = -1.0
_MOST_PRICE = 10_000.0
_FORMS = ((RemoteForm.SYSTEMONE, "TypeSafe, llama.cpp (/v1/systemone)"), (RemoteForm.OPENROUTER, "OpenRouter (/api/alpha/decisions)"))


class Problem(QLabel):
    """A line under a field that says what is wrong with it; gone while nothing is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.hide()

    def say(self, text: str, theme: Theme, *, quiet: bool = False) -> None:
        """Show a sentence; "" hides the line.

        :param quiet: nobody has typed yet: it is what to do, not what is wrong.
        """
        self.setText(f"{'→' if quiet else '✗'} {text}" if text else "")
        self.setVisible(bool(text))
        tinted(self, theme.colors.muted if quiet else theme.colors.wrong)


class JudgeForm(QWidget):
    """Base of the forms: shows settings, and gives back what was typed into them."""

    changed = Signal()

    def show_settings(self, kind: JudgeKind, settings: JudgeSettings) -> None:
        """Fill the fields."""

    def settings(self, base: JudgeSettings) -> JudgeSettings:
        """`base` with what stands in the fields."""
        return base

    def show_problems(self, found: Mapping[str, str], theme: Theme, *, quiet: bool = False) -> None:
        """Say under each field what is wrong with it; quietly while nobody has typed."""


class ServerForm(JudgeForm):
    """Address, model, key, concurrency, timeout, prices.

    :param name: what the names of its fields begin with.
    :param brief: address, model and key alone.
    """

    models_asked = Signal()
    key_edited = Signal()
    key_removed = Signal()

    def __init__(self, parent: QWidget | None = None, *, name: str = "judge", brief: bool = False) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_server")
        self._name = name
        self._build()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(GAP)
        self._form.setVerticalSpacing(GAP)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.addRow("Server &address", under(self.target, self.problem))
        self._form.addRow("F&orm", self.form)
        self._form.addRow("&Model", beside(self.model, self.list_models))
        self._form.addRow("&Key", under(beside(self.key, self.remove_key), self.key_state))
        self._form.addRow("&Requests at once", beside(self.concurrency, _label("&Time limit", self.timeout), self.timeout))
        self._form.addRow("&Price of a million", beside(self.price_input, QLabel("input"), self.price_output, QLabel("output tokens")))
        self._form.setRowVisible(1, False)
        for row in (4, 5) if brief else ():
            self._form.setRowVisible(row, False)

    def _build(self) -> None:
        self.target, self.problem = QLineEdit(self), Problem(self)
        self.form, self.model = QComboBox(self), QComboBox(self)
        for form, words in _FORMS:
            self.form.addItem(words, form)
        self.model.setEditable(True)
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.model.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        line = self.model.lineEdit()
        assert line is not None
        line.setPlaceholderText("the first that the server lists")
        self.list_models, self.remove_key = QPushButton("&List models", self), QPushButton("&Forget key", self)
        self.key, self.key_state = QLineEdit(self), QLabel(self)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key_state.setTextFormat(Qt.TextFormat.PlainText)
        self.key_state.setObjectName("muted")
        self.key_state.setWordWrap(True)
        self.remove_key.setEnabled(False)
        self.concurrency, self.timeout = QSpinBox(self), QSpinBox(self)
        self.concurrency.setRange(1, 64)
        self.timeout.setRange(1, 600)
        self.timeout.setSuffix(" s")
        self.price_input, self.price_output = _price("input tokens", self), _price("output tokens", self)
        named: dict[str, QWidget] = {
            "target": self.target,
            "form": self.form,
            "model": self.model,
            "list_models": self.list_models,
            "key": self.key,
            "remove_key": self.remove_key,
            "concurrency": self.concurrency,
            "timeout": self.timeout,
            "price_input": self.price_input,
            "price_output": self.price_output,
        }
        for name, widget in named.items():
            widget.setObjectName(f"{self._name}_{name}")
        for widget, words in (
            (self.target, "Server address"),
            (self.form, "Form of the server"),
            (self.model, "Model on the server"),
            (self.key, "Key of the server"),
            (self.concurrency, "Requests at one time"),
            (self.timeout, "Seconds that a request may take"),
        ):
            widget.setAccessibleName(words)
        self.concurrency.setToolTip("Requests that are on their way at one time. A server that is busy says so, and is waited for.")
        self.timeout.setToolTip("Seconds that one request may take before its passage counts as not judged.")
        self._connect()

    def _connect(self) -> None:
        for line in (self.target, self.model.lineEdit()):
            assert line is not None
            line.textChanged.connect(self._tell)
        self.form.currentIndexChanged.connect(self._form_chosen)
        for box in (self.concurrency, self.timeout, self.price_input, self.price_output):
            box.valueChanged.connect(self._tell)
        self.list_models.clicked.connect(self.models_asked)
        self.key.textEdited.connect(self.key_edited)
        self.remove_key.clicked.connect(self.key_removed)

    @Slot()
    def _tell(self) -> None:
        self.changed.emit()

    @Slot()
    def _form_chosen(self) -> None:
        self._suggest(self.form.currentData())
        self.changed.emit()

    def _suggest(self, form: object) -> None:
        """What an empty address stands for."""
        self.target.setPlaceholderText(OPENROUTER if form == RemoteForm.OPENROUTER else self._default)

    _default = ""

    def show_settings(self, kind: JudgeKind, settings: JudgeSettings) -> None:
        """Fill the fields."""
        fields = (self.form, self.concurrency, self.timeout, self.price_input, self.price_output, self.target, self.model.lineEdit())
        blockers = [QSignalBlocker(field) for field in fields if field is not None]
        self._default = kind.default_target or "http://localhost:8080"
        self._form.setRowVisible(1, kind.form)
        self.target.setText(settings.target or "")
        self.form.setCurrentIndex(max(0, self.form.findData(settings.form)))
        self._suggest(settings.form if kind.form else None)
        self.model.setEditText(settings.model or "")
        self.concurrency.setValue(settings.concurrency)
        self.timeout.setValue(round(settings.timeout_s))
        for box, price in ((self.price_input, settings.price_input), (self.price_output, settings.price_output)):
            box.setValue(_UNKNOWN if price is None else price)
        del blockers

    def show_address(self, target: str, model: str) -> None:
        """Fill address and model, where there is nothing else to fill."""
        line = self.model.lineEdit()
        assert line is not None
        blockers = [QSignalBlocker(self.target), QSignalBlocker(line)]
        self.target.setText(target)
        self.target.setPlaceholderText("http://localhost:8080/v1")
        self.model.setEditText(model)
        del blockers

    def settings(self, base: JudgeSettings) -> JudgeSettings:
        """`base` with what stands in the fields."""
        form = RemoteForm(self.form.currentData())
        typed = self.target.text().strip()
        return replace(
            base,
            target=typed or (OPENROUTER if form is RemoteForm.OPENROUTER and self._form.isRowVisible(1) else None),
            model=self.model.currentText().strip() or None,
            form=form,
            concurrency=self.concurrency.value(),
            timeout_s=base.timeout_s if round(base.timeout_s) == self.timeout.value() else float(self.timeout.value()),
            price_input=_known(self.price_input),
            price_output=_known(self.price_output),
        )

    def show_problems(self, found: Mapping[str, str], theme: Theme, *, quiet: bool = False) -> None:
        """Say under the address what is wrong with it."""
        self.problem.say(found.get("target", ""), theme, quiet=quiet)

    def offer(self, names: Sequence[str]) -> None:
        """Offer the models that the server lists; what was typed stays."""
        typed = self.model.currentText()
        with QSignalBlocker(self.model):
            self.model.clear()
            self.model.addItems(list(names))
            self.model.setEditText(typed)

    def show_key(self, state: str, *, stored: bool) -> None:
        """Say where the key is.

        :param stored: whether there is one that can be forgotten.
        """
        self.key_state.setText(state)
        self.key.setPlaceholderText("a key is stored; type another to replace it" if stored else "none")
        self.remove_key.setEnabled(stored)


class FileForm(JudgeForm):
    """The path of a model file."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("judge_file")
        self.path, self._problem = QLineEdit(self), Problem(self)
        self.path.setObjectName("judge_path")
        self.path.setAccessibleName("Model file")
        self.path.setPlaceholderText("model.gguf")
        self.browse = QPushButton("&Browse…", self)
        self.browse.setAccessibleName("Choose a model file")
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(GAP)
        form.addRow("Model &file", under(beside(self.path, self.browse), self._problem))
        self.path.textChanged.connect(self.changed)
        self.browse.clicked.connect(self._ask)

    @Slot()
    def _ask(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Choose a model file", self.path.text(), "Model files (*.gguf);;All files (*)")
        if path:
            self.path.setText(path)

    def show_settings(self, kind: JudgeKind, settings: JudgeSettings) -> None:  # noqa: ARG002 - the form of all
        """Fill the field."""
        with QSignalBlocker(self.path):
            self.path.setText(settings.target or "")

    def settings(self, base: JudgeSettings) -> JudgeSettings:
        """`base` with the path."""
        return replace(base, target=self.path.text().strip() or None)

    def show_problems(self, found: Mapping[str, str], theme: Theme, *, quiet: bool = False) -> None:
        """Say what is wrong with the path."""
        self._problem.say(found.get("target", ""), theme, quiet=quiet)


def _price(words: str, parent: QWidget) -> QDoubleSpinBox:
    box = QDoubleSpinBox(parent)
    box.setRange(_UNKNOWN, _MOST_PRICE)
    box.setDecimals(3)
    box.setSingleStep(0.05)
    box.setSpecialValueText("not known")
    box.setAccessibleName(f"Price of a million {words}")
    box.setToolTip(plain_tip(f"What a million {words} cost, in your currency. With it a run says what it costs, before and after."))
    return box


def _known(box: QDoubleSpinBox) -> float | None:
    return None if box.value() < 0 else box.value()


def _label(text: str, buddy: QWidget) -> QLabel:
    made = QLabel(text)
    made.setBuddy(buddy)
    return made


def beside(*widgets: QWidget) -> QWidget:
    """Widgets in a row."""
    return _joined(QHBoxLayout, widgets)


def under(*widgets: QWidget) -> QWidget:
    """Widgets in a column."""
    return _joined(QVBoxLayout, widgets)


def _joined(make: Callable[[QWidget], QHBoxLayout | QVBoxLayout], widgets: Sequence[QWidget]) -> QWidget:
    holder = QWidget()
    layout = make(holder)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(GRID if make is QVBoxLayout else GAP)
    for widget in widgets:
        layout.addWidget(widget)
    first = widgets[0]
    holder.setFocusProxy(first.focusProxy() or first)
    return holder
