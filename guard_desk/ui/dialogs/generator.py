"""Chooses who writes the answers; only the fields of the chosen kind are seen. Keys go to the keyring, never into the settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from guard_desk.records.judging import JudgeSettings
from guard_desk.records.state import Models
from guard_desk.ui import generator_work, judge_work
from guard_desk.ui.dialogs.error import message_of
from guard_desk.ui.dialogs.judge_forms import Problem, ServerForm, beside, under
from guard_desk.ui.dialogs.kind_frame import Steps, frame_kinds, inside_column, say
from guard_desk.ui.dialogs.server_keys import ServerKeys
from guard_desk.ui.generator_kinds import (
    GeneratorKind,
    advice,
    generator_host,
    kind_of,
    kinds_of,
    name_of,
    parts_of,
    privacy_words,
    problem_of,
)
from guard_desk.ui.generator_work import Written, written_words
from guard_desk.ui.judge_work import KeyState, Work
from guard_desk.ui.layout import fitting
from guard_desk.ui.runner import Outcome
from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.widgets.labels import banner_sheet, tinted

_SIZE = (190 * GRID, 94 * GRID)
_NAMES, _TRIAL = "judge_models", "judge_trial"


class PathForm(QWidget):
    """The path of a model file, or of a folder."""

    def __init__(self, name: str, label: str, hint: str, *, folder: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder, self._title = folder, f"Choose a {label.replace('&', '').lower()}"
        self.target, self.problem, self.browse = QLineEdit(self), Problem(self), QPushButton("&Browse…", self)
        self.target.setObjectName(f"generator_{name}")
        self.target.setAccessibleName(label.replace("&", ""))
        self.target.setPlaceholderText(hint)
        self.browse.setAccessibleName(self._title)
        self.browse.setAutoDefault(False)
        self.browse.clicked.connect(self._ask)
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(GAP)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(label, under(beside(self.target, self.browse), self.problem))

    @Slot()
    def _ask(self) -> None:
        if self._folder:
            path = QFileDialog.getExistingDirectory(self, self._title, self.target.text())
        else:
            path, _ = QFileDialog.getOpenFileName(self, self._title, self.target.text(), "Model files (*.gguf);;All files (*)")
        if path:
            self.target.setText(path)


class GeneratorDialog(QDialog):
    """What a worker finds for it comes back by `take`.

    :param fetched: names of the generators on this machine.
    """

    def __init__(
        self, models: Models, fetched: Sequence[str], theme: Theme, ask: Callable[[str, Work], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("generator_dialog")
        self.setWindowTitle("Generator")
        self._theme, self._device, self._ask = theme, models.device, ask
        self._fetched, self._offered, self._touched = tuple(fetched), kinds_of(fetched), set[str]()
        self._build()
        self._lay_out()
        self._connect()
        self.resize(fitting(self, *_SIZE, theme))
        chosen = kind_of(models.generator, self._offered)
        self._fill(chosen, *parts_of(models.generator, chosen))
        self.kinds.setCurrentRow(self._offered.index(chosen))
        self.kinds.setFocus(Qt.FocusReason.OtherFocusReason)

    # What there is

    def _build(self) -> None:
        self.kinds = QListWidget(self)
        self.kinds.setObjectName("generator_kind")
        self.kinds.setAccessibleName("Generators")
        for kind in self._offered:
            item = QListWidgetItem(kind.title)
            item.setData(Qt.ItemDataRole.UserRole, kind.name)
            self.kinds.addItem(item)
        self._title, self._about, self.privacy, self.hint, self.told = (QLabel(self) for _ in range(5))
        self.steps = Steps(self)
        for label, name in ((self.privacy, "generator_privacy"), (self.hint, "generator_advice"), (self.told, "generator_result")):
            label.setObjectName(name)
        for label in (self._title, self._about, self.privacy, self.hint, self.told):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.told.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._title.setFont(self._theme.font(1, bold=True))
        self.hint.setStyleSheet(banner_sheet(self._theme.colors))
        self.file = PathForm("file", "Model &file", "model.gguf", folder=False, parent=self)
        self.folder = PathForm("folder", "&Model folder", "folder, or organisation/name", folder=True, parent=self)
        self.server = ServerForm(self, name="generator", brief=True)
        self.keys = ServerKeys(self.server, self._ask, self._host, self)
        self._pages: dict[str, QWidget] = {"file": self.file, "folder": self.folder, "server": self.server}
        self.test = QPushButton("&Test", self)
        self.test.setObjectName("generator_test")
        self.test.setToolTip("Has one short answer to a question of ours written. Nothing of your corpus is sent.")
        self.test.setAutoDefault(False)

    def _lay_out(self) -> None:
        inside, column = inside_column()
        for widget in (self._title, self._about, self.privacy, self.steps, self.hint, *self._pages.values()):
            column.addWidget(widget)
        column.addWidget(self.test, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.told)
        column.addStretch(1)
        widest = self.server.minimumSizeHint().width()
        self.buttons, self.use = frame_kinds(self, self.kinds, inside, widest, "&Use this generator")
        self.use.setObjectName("generator_use")

    def _connect(self) -> None:
        self.kinds.currentRowChanged.connect(self._choose)
        for form in (self.file, self.folder):
            form.target.textChanged.connect(self._typed)
        self.server.changed.connect(self._typed)
        self.server.models_asked.connect(self._list_models)
        self.server.key_edited.connect(self._forget_result)
        self.test.clicked.connect(self._try)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    # What is chosen

    @property
    def kind(self) -> GeneratorKind:
        """The kind that is chosen."""
        return self._offered[max(0, self.kinds.currentRow())]

    def chosen(self) -> str | None:
        """The name of the generator; None for none."""
        return name_of(self.kind, *self._written())

    def _written(self) -> tuple[str, str]:
        """Target and model as they stand in the fields."""
        if self.kind.page == "server":
            return self.server.target.text(), self.server.model.currentText()
        form = {"file": self.file, "folder": self.folder}.get(self.kind.page)
        return (form.target.text(), "") if form is not None else ("", "")

    def _fill(self, kind: GeneratorKind, target: str, model: str) -> None:
        self.server.show_address(target if kind.page == "server" else "", model)
        if kind.page == "file":
            self.file.target.setText(target)
        elif kind.page == "folder":
            self.folder.target.setText(target)
        self._touched.clear()

    def accept(self) -> None:
        """Keep a key that was typed, and close."""
        if self.kind.page == "server":
            self.keys.store()
        super().accept()

    @Slot()
    def _choose(self) -> None:
        kind = self.kind
        self._title.setText(kind.title)
        missing = kind.name == "local" and "smollm2" not in self._fetched
        fetch = " It is not on this machine yet: fetch it once with guard-desk models add smollm2." if missing else ""
        self._about.setText(f"{kind.about}{fetch}")
        self.steps.say(kind.steps)
        for page, form in self._pages.items():
            form.setVisible(page == kind.page)
        self.test.setText("&Test connection" if kind.page == "server" else "&Test")
        self.test.setVisible(kind.tries)
        if kind.page == "server":
            self.keys.look_again()
        self._check()

    @Slot()
    def _typed(self) -> None:
        self._touched.add(self.kind.name)
        self._check()

    @Slot()
    def _check(self) -> None:
        """Say what is wrong under the field, and what is sent where."""
        kind, (target, _) = self.kind, self._written()
        problem = problem_of(kind, target)
        quiet = not target.strip() and kind.name not in self._touched
        for page, label in (("server", self.server.problem), ("file", self.file.problem), ("folder", self.folder.problem)):
            label.say(problem if page == kind.page else "", self._theme, quiet=quiet)
        self.use.setEnabled(not problem)
        self.test.setEnabled(not problem)
        self.server.list_models.setEnabled(not problem)
        name = None if problem else self.chosen()
        leaves, words = (
            (True, "Prompts are sent to the server that you name.") if problem and kind.page == "server" else privacy_words(name)
        )
        self.privacy.setText(f"{'▲' if leaves else '●'} {words}")
        tinted(self.privacy, self._theme.colors.conflict if leaves else self._theme.colors.evidence)
        hint = advice(name)
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        self._forget_result()

    def _host(self) -> str:
        host = generator_host(Models(generator=self.chosen())) if self.kind.page == "server" else None
        return host.name if host is not None else ""

    @Slot()
    def _forget_result(self) -> None:
        self._say("", "")

    # What a worker does

    @Slot()
    def _try(self) -> None:
        name = self.chosen()
        if name is not None:
            if self.kind.page == "server":
                self.keys.store()
            self._say("… Asking…", self._theme.colors.muted)
            self._ask(_TRIAL, generator_work.try_generator(name, self._device))

    @Slot()
    def _list_models(self) -> None:
        self.keys.store()
        self._say("… Asking the server for its models…", self._theme.colors.muted)
        self._ask(_NAMES, judge_work.list_models("llm", JudgeSettings(target=self.server.target.text().strip())))

    def take(self, outcome: Outcome) -> None:
        """Show what a worker found."""
        result, good = outcome.result, self._theme.colors.evidence
        if outcome.error is not None:
            self._say(f"✗ {message_of(outcome.error)}", self._theme.colors.wrong)
        elif isinstance(result, KeyState):
            self.server.show_key(result.words, stored=result.stored)
        elif isinstance(result, Written):
            self._say(f"✓ {written_words(result)}", good)
        elif isinstance(result, tuple):
            self.server.offer(result)
            self._say(f"✓ The server lists {len(result)} {'model' if len(result) == 1 else 'models'}.", good)

    def _say(self, text: str, color: str) -> None:
        say(self.told, text, color)
