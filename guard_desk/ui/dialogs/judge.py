"""Chooses the judge and its settings; only the fields of the chosen one are seen. Keys go to the keyring, never into the settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from guard_desk.errors import GuardDeskError
from guard_desk.measure.card import score
from guard_desk.models.judges import JUDGES, split_name
from guard_desk.models.judges.labels import LabelMapping
from guard_desk.models.judges.systemone_server import ConnectionTest
from guard_desk.records.evidence import Judged, Question
from guard_desk.records.judging import JudgeSettings
from guard_desk.records.state import Models
from guard_desk.ui import judge_work
from guard_desk.ui.dialogs.error import message_of
from guard_desk.ui.dialogs.judge_classifiers import ClassifiersForm
from guard_desk.ui.dialogs.judge_forms import FileForm, JudgeForm, ServerForm
from guard_desk.ui.dialogs.kind_frame import frame_kinds, inside_column, say
from guard_desk.ui.dialogs.server_keys import ServerKeys
from guard_desk.ui.dialogs.wordings import WordingsDialog
from guard_desk.ui.judge_kinds import KINDS, JudgeKind, advice, host_of, privacy_words, problems, spent_words
from guard_desk.ui.judge_work import KeyState, Trial
from guard_desk.ui.layout import fitting
from guard_desk.ui.runner import Outcome
from guard_desk.ui.theme import GAP, GRID, Theme
from guard_desk.ui.widgets.labels import banner_sheet, tinted

_SIZE = (200 * GRID, 152 * GRID)
_NAMES = "judge_models"
_TRIAL = "judge_trial"
_LABELS = "judge_labels"


Ask = Callable[[str, judge_work.Work], None]
"""Has a worker do something: kind of the job, what to do."""


class JudgeDialog(QDialog):
    """What a worker finds for it comes back by `take`.

    :param judged: of the last run, for what is said of its judge.
    """

    def __init__(self, models: Models, judged: Judged | None, theme: Theme, ask: Ask, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("judge_dialog")
        self.setWindowTitle("Judge")
        self._theme, self._device, self._work = theme, models.device, ask
        try:
            name, self._settings = split_name(models.judge, models.judge_settings)
        except GuardDeskError:  # a session of another version may name a judge that is not here
            name, self._settings = models.judge, models.judge_settings
        self._targets = {name: (self._settings.target, self._settings.model)}
        self._shown: JudgeKind | None = None
        self._touched: set[str] = set()
        self._build(judged)
        self._lay_out()
        self._connect()
        self.resize(fitting(self, *_SIZE, theme))
        self.kinds.setCurrentRow(next((at for at, kind in enumerate(self._offered) if kind.name == name), 0))
        self.kinds.setFocus(Qt.FocusReason.OtherFocusReason)

    # What there is

    def _build(self, judged: Judged | None) -> None:
        self._offered = tuple(kind for kind in KINDS if kind.name in JUDGES)
        self.kinds = QListWidget(self)
        self.kinds.setObjectName("judge_kind")
        self.kinds.setAccessibleName("Judges")
        for kind in self._offered:
            item = QListWidgetItem(kind.title)
            item.setData(Qt.ItemDataRole.UserRole, kind.name)
            item.setToolTip(kind.name)
            self.kinds.addItem(item)
        self._title, self._about, self._privacy, self._advice, self._reads, self._card = (QLabel(self) for _ in range(6))
        for label in (self._title, self._about, self._privacy, self._advice, self._reads, self._card):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self._title.setFont(self._theme.font(1, bold=True))
        self._advice.setStyleSheet(banner_sheet(self._theme.colors))
        for label, name in ((self._privacy, "judge_privacy"), (self._advice, "judge_advice"), (self._card, "judge_card")):
            label.setObjectName(name)
        self._reads.setObjectName("muted")
        self._card.setText(_card_words(judged))
        self._card.setVisible(bool(self._card.text()))
        tinted(self._card, self._theme.colors.muted)
        self.server, self.file, self.classifiers = ServerForm(self), FileForm(self), ClassifiersForm(self)
        self.keys = ServerKeys(self.server, self._work, self._host_name, self)
        self._forms: dict[str, JudgeForm] = {
            "none": JudgeForm(self),
            "server": self.server,
            "file": self.file,
            "classifiers": self.classifiers,
        }
        self.test, self.wordings_button = QPushButton("&Test", self), QPushButton("&Wordings…", self)
        self.test.setObjectName("judge_test")
        self.test.setToolTip("Asks the judge about one sentence of ours. Nothing of your corpus is sent.")
        self.wordings_button.setObjectName("judge_wordings")
        self.told = QLabel(self)
        self.told.setObjectName("judge_result")
        self.told.setTextFormat(Qt.TextFormat.PlainText)
        self.told.setWordWrap(True)
        self.told.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def _lay_out(self) -> None:
        inside, column = inside_column()
        trial = QHBoxLayout()
        trial.setSpacing(GAP)
        trial.addWidget(self.test)
        trial.addWidget(self.wordings_button)
        trial.addWidget(self._reads, 1)
        for widget in (self._title, self._about, self._privacy, self._advice, *self._forms.values()):
            column.addWidget(widget)
        column.addLayout(trial)
        column.addWidget(self.told)
        column.addStretch(1)
        column.addWidget(self._card)
        widest = max(form.minimumSizeHint().width() for form in self._forms.values())
        self.buttons, self.use = frame_kinds(self, self.kinds, inside, widest, "&Use this judge")
        self.use.setObjectName("judge_use")

    def _connect(self) -> None:
        self.kinds.currentRowChanged.connect(self._choose)
        for form in self._forms.values():
            form.changed.connect(self._typed)
        self.server.models_asked.connect(self._list_models)
        self.server.key_edited.connect(self._forget_result)
        self.classifiers.mapping_asked.connect(self._read_labels)
        self.test.clicked.connect(self._try)
        self.wordings_button.clicked.connect(self._edit_wordings)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    # What is chosen

    @property
    def kind(self) -> JudgeKind:
        """The judge that is chosen."""
        return self._offered[max(0, self.kinds.currentRow())]

    def chosen(self) -> tuple[str, JudgeSettings]:
        """Name and settings. Fields of other judges stay as they were."""
        return self.kind.name, self._forms[self.kind.page].settings(self._settings)

    def accept(self) -> None:
        """Keep a key that was typed, and close."""
        self._keep_key()
        super().accept()

    @Slot()
    def _choose(self) -> None:
        kind = self.kind
        if self._shown is not None:
            self._settings = self._forms[self._shown.page].settings(self._settings)
            self._targets[self._shown.name] = (self._settings.target, self._settings.model)
        # An address is no target of another judge: each keeps its own while the dialog is open.
        target, model = self._targets.get(kind.name, (None, None))
        self._settings = replace(self._settings, target=target, model=model)
        self._shown = kind
        self._title.setText(kind.full_title)
        self._about.setText(kind.about)
        for page, form in self._forms.items():
            form.setVisible(page == kind.page)
        self._forms[kind.page].show_settings(kind, self._settings)
        self.test.setText("&Test connection" if kind.page == "server" else "&Test")
        self.test.setVisible(kind.name != "recorded")
        self.wordings_button.setVisible(kind.wordings)
        self._say_wordings()
        self.keys.look_again()
        self._check()

    def _say_wordings(self) -> None:
        own = self._settings.wordings is not None
        self._reads.setText(
            ("Own wordings of the questions are in force." if own else "Reads the shipped wordings.") if self.kind.wordings else ""
        )

    @Slot()
    def _typed(self) -> None:
        self._touched.add(self.kind.name)
        self._check()

    @Slot()
    def _check(self) -> None:
        """Say what is wrong under each field, and what is sent where; what nobody has typed yet is no mistake."""
        name, settings = self.chosen()
        found = problems(name, settings)
        form = self._forms[self.kind.page]
        form.show_problems(found, self._theme, quiet=name not in self._touched and not (settings.target or settings.classifiers))
        self.use.setEnabled(not found)
        self.test.setEnabled(not found)
        self.server.list_models.setEnabled(not found)
        leaves, words = privacy_words(name, settings)
        self._privacy.setText(f"{'▲' if leaves else '●'} {words}")
        tinted(self._privacy, self._theme.colors.conflict if leaves else self._theme.colors.evidence)
        hint = advice(name, settings)
        self._advice.setText(hint)
        self._advice.setVisible(bool(hint))
        self._forget_result()

    @Slot()
    def _forget_result(self) -> None:
        self._say("", "")

    # What a worker does

    def _ask(self, kind: str, work: judge_work.Work, words: str) -> None:
        if words:
            self._say(f"… {words}", self._theme.colors.muted)
        self._work(kind, work)

    @Slot()
    def _try(self) -> None:
        self._keep_key()
        name, settings = self.chosen()
        work = judge_work.test_server(settings) if name == "systemone" else judge_work.try_judge(name, settings, self._device)
        self._ask(_TRIAL, work, "Asking…")

    @Slot()
    def _list_models(self) -> None:
        self._keep_key()
        name, settings = self.chosen()
        self._ask(_NAMES, judge_work.list_models(name, settings), "Asking the server for its models…")

    @Slot(str, str)
    def _read_labels(self, question: str, source: str) -> None:
        self._ask(f"{_LABELS}:{question}", judge_work.read_labels(source), "")

    def _keep_key(self) -> None:
        if self.kind.page == "server":
            self.keys.store()

    def _host_name(self) -> str:
        name, settings = self.chosen()
        host = host_of(Models(judge=name, judge_settings=settings))
        return host.name if host is not None else ""

    def take(self, outcome: Outcome) -> None:
        """Show what a worker found."""
        kind, result, error = outcome.job.kind, outcome.result, outcome.error
        if kind.startswith(_LABELS):
            mapping = result if isinstance(result, LabelMapping) else None
            self.classifiers.show_mapping(Question(kind.partition(":")[2]), mapping, message_of(error) if error else "", self._theme)
            self._check()
        elif error is not None:
            self._say(f"✗ {message_of(error)}", self._theme.colors.wrong)
        elif isinstance(result, KeyState):
            self.server.show_key(result.words, stored=result.stored)
        elif isinstance(result, Trial):
            self._show_trial(result)
        elif isinstance(result, ConnectionTest):
            self.server.offer(result.models)
            sign, color = ("✓", self._theme.colors.evidence) if result.works else ("✗", self._theme.colors.wrong)
            self._say(f"{sign} {result.sentence}", color)
        elif isinstance(result, tuple):
            self.server.offer(result)
            self._say(f"✓ The server lists {len(result)} {'model' if len(result) == 1 else 'models'}.", self._theme.colors.evidence)

    def _show_trial(self, trial: Trial) -> None:
        try:
            words = judge_work.trial_words(trial)
        except GuardDeskError as exc:
            self._say(f"✗ {message_of(exc)}", self._theme.colors.wrong)
            return
        spent = f" It took {spent_words(trial.spent)}." if trial.spent is not None and trial.spent.requests else ""
        self._say(f"✓ {words}{spent}", self._theme.colors.evidence)

    def _say(self, text: str, color: str) -> None:
        say(self.told, text, color)

    # Wordings

    @Slot()
    def _edit_wordings(self) -> None:
        dialog = WordingsDialog(self._settings.wordings, self.kind.name, self._theme, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self._take_wordings)
        self._editor = dialog
        dialog.open()

    @Slot()
    def _take_wordings(self) -> None:
        self._settings = replace(self.chosen()[1], wordings=self._editor.wordings())
        self._say_wordings()
        self._check()


def _card_words(judged: Judged | None) -> str:
    """The judge of the last run: who it was, its thresholds, what it took."""
    if judged is None:
        return ""
    own = judged.thresholds
    limits = " / ".join(score(value) for value in (own.injection_max, own.contradicts_min, own.relevant_min, own.evidence_min))
    lines = [f"Last run: {judged.judge.name}, revision {judged.judge.revision}", judged.judge.detail]
    lines.append(f"Its own thresholds: {limits} (injection, contradiction, relevance, evidence)")
    if judged.spent is not None:
        lines.append(f"Spent: {spent_words(judged.spent)}")
    return "\n".join(line for line in lines if line)
