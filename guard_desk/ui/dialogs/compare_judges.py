"""Several judges on the same passages: where they agree, and which passages take another route. It stays open beside the window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from guard_desk.measure.card import QUESTION_WORDS
from guard_desk.measure.judge_comparison import JudgeComparison, PairComparison
from guard_desk.models.judges import JUDGES, WITHOUT_SETTINGS
from guard_desk.progress import Progress
from guard_desk.records.evidence import Question
from guard_desk.records.state import Models
from guard_desk.text.hidden import one_line
from guard_desk.ui.compare_rows import (
    agreement_rows,
    answer_rows,
    points,
    summary_words,
)
from guard_desk.ui.dialogs.compare_tables import agreement_columns, answer_columns, change_columns
from guard_desk.ui.judge_kinds import host_of, title_of
from guard_desk.ui.layout import fitting
from guard_desk.ui.models.table import Column, RowsModel, plain_tip
from guard_desk.ui.numbers import counted
from guard_desk.ui.theme import GAP, GRID, PAD, Theme
from guard_desk.ui.view import View
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.judge_scatter import JudgeScatter
from guard_desk.ui.widgets.labels import tinted
from guard_desk.ui.widgets.rows_table import RowsTable

_SIZE = (295 * GRID, 160 * GRID)
_NAMES_WIDTH = 62 * GRID
_LONGEST_HEAD = 20
_WAITING = "Choose two or more judges and press Compare. All of them are asked about the same passages; stored answers are not asked again."


class CompareDialog(QDialog):
    """Chooses judges and shows how they compare. It asks nobody itself."""

    run_asked = Signal(object)
    """tuple of Models, two or more"""
    cancel_asked = Signal()
    add_asked = Signal()
    """Another judge with its settings is to be chosen."""
    selected = Signal(object, object)
    """ids (tuple of str), primary (str or None)"""

    def __init__(self, models: Models, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("compare_view")
        self.setWindowTitle("Compare judges")
        self._theme = theme
        self._comparison: JudgeComparison | None = None
        self._titles: Mapping[str, str] = {}
        self._offered: list[Models] = []
        self._build()
        self._lay_out()
        self._connect()
        self._offer_all(models)
        self.set_theme(theme)
        self.show_busy(busy=False)
        self.resize(fitting(self, *_SIZE, theme))

    def _build(self) -> None:
        self.judges = QScrollArea(self)
        self.boxes: list[QCheckBox] = []
        self.judges.setObjectName("compare_judges")
        self.judges.setAccessibleName("Judges to compare")
        self.add_button, self.run_button, self.cancel_button = (QPushButton(words, self) for words in ("&Add…", "&Compare", "Cancel"))
        self.add_button.setToolTip("Choose another judge with its settings: a server, a model file, classifiers")
        self.add_button.setAutoDefault(False)
        self.run_button.setObjectName("compare_run")
        self.cancel_button.setObjectName("compare_cancel")
        self.bar, self.state = QProgressBar(self), QLabel(self)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(3 * GRID)
        self.bar.setAccessibleName("Progress")
        self.summary, self.what = ElidedLabel(parent=self), QLabel(_WAITING, self)
        for label in (self.state, self.what):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.what.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.state.setObjectName("compare_state")
        self.summary.setObjectName("compare_summary")
        self.pairs, self.questions = QComboBox(self), QComboBox(self)
        self.pairs.setAccessibleName("Which two judges")
        self.questions.setAccessibleName("Question")
        for question in Question:
            self.questions.addItem(QUESTION_WORDS[question], str(question))
        self.as_table = QToolButton(self)
        self.as_table.setObjectName("compare_table_button")
        self.as_table.setText("Table")
        self.as_table.setCheckable(True)
        self.as_table.setAccessibleName("Show the answers as a table")
        self.agreement = _table(agreement_columns(), lambda row: row.what, "compare_agreement", "Agreement by question", self)
        self.changes = _table(
            change_columns(self._named), lambda row: row.passage_id, "compare_changes", "Passages that take another route", self
        )
        self.answers = _table(answer_columns(self._named), lambda row: row.passage_id, "compare_answers", "Answers of both judges", self)
        self.scatter = JudgeScatter(self)

    def _lay_out(self) -> None:
        left = QWidget(self)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        buttons = QHBoxLayout()
        for button in (self.add_button, self.run_button, self.cancel_button):
            buttons.addWidget(button)
        names = QWidget(self)
        self._names = QVBoxLayout(names)
        self._names.setContentsMargins(0, 0, 0, 0)
        self._names.setSpacing(GRID)
        self._names.addStretch(1)
        self.judges.setWidgetResizable(True)
        self.judges.setFrameShape(QScrollArea.Shape.NoFrame)
        self.judges.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.judges.setWidget(names)
        self.judges.viewport().setAutoFillBackground(False)
        names.setAutoFillBackground(False)
        column.addWidget(self.judges, 1)
        column.addLayout(buttons)
        column.addWidget(self.bar)
        column.addWidget(self.state)
        left.setFixedWidth(_NAMES_WIDTH)
        self._result = QWidget(self)
        self._fill_result(self._result)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.what)
        self._pages.addWidget(self._result)
        row = QHBoxLayout(self)
        row.setContentsMargins(PAD, PAD, PAD, PAD)
        row.setSpacing(PAD)
        row.addWidget(left)
        row.addWidget(self._pages, 1)

    def _fill_result(self, result: QWidget) -> None:
        head = QHBoxLayout()
        head.setSpacing(GAP)
        head.addWidget(self.summary, 1)
        head.addWidget(self.pairs)
        tabs = QTabWidget(self)
        tabs.setDocumentMode(True)
        tabs.addTab(self.changes, "Route changes")
        tabs.addTab(self._answers_page(), "Answers")
        self.tabs = tabs
        column = QVBoxLayout(result)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addLayout(head)
        column.addWidget(self.agreement)
        column.addWidget(tabs, 1)

    def _answers_page(self) -> QWidget:
        page = QWidget(self)
        self._views = QStackedWidget(page)
        self._views.addWidget(self.scatter)
        self._views.addWidget(self.answers)
        self._legend = QLabel(page)
        self._legend.setTextFormat(Qt.TextFormat.PlainText)
        self._legend.setObjectName("muted")
        bar = QHBoxLayout()
        bar.setSpacing(GAP)
        bar.addWidget(self.questions)
        bar.addWidget(self._legend, 1)
        bar.addWidget(self.as_table)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, GRID, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(bar)
        column.addWidget(self._views, 1)
        return page

    def _connect(self) -> None:
        self.add_button.clicked.connect(self.add_asked)
        self.run_button.clicked.connect(self._run)
        self.cancel_button.clicked.connect(self.cancel_asked)
        self.pairs.currentIndexChanged.connect(self._show_pair)
        self.questions.currentIndexChanged.connect(self._show_question)
        self.as_table.toggled.connect(self._turn)
        for source in (self.changes, self.answers, self.scatter):
            source.chosen.connect(self.selected)

    def set_theme(self, theme: Theme) -> None:
        """Take colours and fonts."""
        self._theme = theme
        for table in (self.agreement, self.changes, self.answers):
            table.set_theme(theme)
        self.scatter.set_theme(theme)
        self.summary.setFont(theme.font(0, bold=True))
        rows = self.agreement.verticalHeader().defaultSectionSize() * (len(Question) + 1)
        self.agreement.setFixedHeight(rows + self.agreement.horizontalHeader().sizeHint().height() + PAD + GRID)

    # Which judges

    def _offer_all(self, models: Models) -> None:
        second = "features" if models.judge == "embedded" else "embedded"
        for name in JUDGES:
            if name in WITHOUT_SETTINGS and name != models.judge:
                self._offer(Models(judge=name, encoder=models.encoder, device=models.device), checked=name == second)
        self._offer(models, checked=True, first=True)
        self._count()

    def add(self, models: Models) -> None:
        """Offer another judge, chosen already."""
        if models not in self._offered:
            self._offer(models, checked=True)
            self._count()

    def _offer(self, models: Models, *, checked: bool, first: bool = False) -> None:
        box, name = QCheckBox(self), _name_of(models)
        box.setText(box.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, _NAMES_WIDTH - 8 * GRID).replace("&", "&&"))
        box.setAccessibleName(name)
        box.setChecked(checked)
        box.setToolTip(plain_tip(f"{name}\n{_tip_of(models)}"))
        box.toggled.connect(self._count)
        at = 0 if first else len(self.boxes)
        self._names.insertWidget(at, box)
        self.boxes.insert(at, box)
        self._offered.insert(at, models)

    def chosen(self) -> tuple[Models, ...]:
        """The judges that are ticked."""
        return tuple(models for box, models in zip(self.boxes, self._offered, strict=True) if box.isChecked())

    @Slot()
    def _count(self) -> None:
        number = len(self.chosen())
        self.run_button.setEnabled(number >= 2 and not self._busy)
        self.run_button.setToolTip("" if number >= 2 else "Choose two or more judges")

    @Slot()
    def _run(self) -> None:
        self.run_asked.emit(self.chosen())

    # What is going on

    _busy = False

    def show_busy(self, *, busy: bool, words: str = "") -> None:
        """Say that judges are being asked, or how that ended."""
        self._busy = busy
        self.bar.setVisible(busy)
        self.bar.setRange(0, 0)
        self.cancel_button.setEnabled(busy)
        self.state.setText(words)
        tinted(self.state, self._theme.colors.muted)
        self._count()

    def show_progress(self, progress: Progress) -> None:
        """Show how far it has come."""
        self.bar.setRange(0, progress.total or 0)
        self.bar.setValue(progress.done)
        total = f" of {progress.total:,}" if progress.total else ""
        self.state.setText(f"{progress.stage.capitalize()}: {progress.done:,}{total}")

    def show_trouble(self, words: str) -> None:
        """Say why there is no result."""
        self.show_busy(busy=False, words=f"✗ {words}")
        tinted(self.state, self._theme.colors.wrong)

    # What came of it

    def show_comparison(self, comparison: JudgeComparison, titles: Mapping[str, str]) -> None:
        """Show how the judges compare.

        :param titles: of the passages that have one, by id.
        """
        self._comparison, self._titles = comparison, titles
        missing = [
            f"{column.name}: {counted(column.not_judged, 'passage')} not judged" for column in comparison.judges if column.not_judged
        ]
        self.show_busy(busy=False, words="\n".join(missing) or "Done.")
        with QSignalBlocker(self.pairs):
            self.pairs.clear()
            self.pairs.addItems([f"{pair.left} – {pair.right}" for pair in comparison.pairs])
        self.pairs.setVisible(len(comparison.pairs) > 1)
        self._pages.setCurrentWidget(self._result)
        self.setWindowTitle(f"Compare judges: {comparison.query.text[:80]}")
        self._show_pair()

    def _named(self, passage_id: str) -> str:
        title = one_line(self._titles.get(passage_id, ""))
        return f"{passage_id} · {title}" if title else passage_id

    def _pair(self) -> PairComparison | None:
        if self._comparison is None or not self._comparison.pairs:
            return None
        return self._comparison.pairs[max(0, self.pairs.currentIndex())]

    @Slot()
    def _show_pair(self) -> None:
        pair = self._pair()
        if pair is None:
            return
        self.summary.say(summary_words(pair))
        self.agreement.rows_model.set_rows(agreement_rows(pair))
        self.changes.rows_model.set_rows(pair.changes)
        self.tabs.setTabText(0, f"Route changes ({len(pair.changes):,})")
        for table in (self.changes, self.answers):
            table.rows_model.rename({2: _shortened(pair.left), 3: _shortened(pair.right)})
        self._show_question()

    @Slot()
    def _show_question(self) -> None:
        pair = self._pair()
        if pair is None or self._comparison is None:
            return
        shown = points(self._comparison, pair, Question(self.questions.currentData()))
        self.scatter.show_points(shown, self._comparison.passage_ids, (pair.left, pair.right))
        self.answers.rows_model.set_rows(answer_rows(self._comparison, shown))
        self._legend.setText(f"◆ {int(shown.differs.sum()):,} yes for one, no for the other   ● same side   - - thresholds")

    @Slot(bool)
    def _turn(self, table: bool) -> None:
        self._views.setCurrentWidget(self.answers if table else self.scatter)
        self.as_table.setText("Plot" if table else "Table")

    @Slot(object)
    def show_view(self, view: View) -> None:
        """Follow theme and selection of the window."""
        if view.theme != self._theme:
            self.set_theme(view.theme)
        for table in (self.changes, self.answers):
            table.show_selection(view.selection.ids, view.selection.primary)
        self.scatter.show_primary(view.selection.primary)


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_HEAD else f"{name[: _LONGEST_HEAD - 8]}…{name[-7:]}"


def _table(columns: Sequence[Column], id_of: object, name: str, words: str, parent: QWidget) -> RowsTable:
    table = RowsTable(RowsModel(columns, id_of, parent), parent)  # type: ignore[arg-type]  # a function of the row's own kind
    table.setObjectName(name)
    table.setAccessibleName(words)
    return table


def _name_of(models: Models) -> str:
    settings = models.judge_settings
    host = host_of(models)
    where = [host.name if host is not None else None, settings.model if host is not None else settings.target]
    shown = [part for part in where if part] if models.judge.partition(":")[0] not in WITHOUT_SETTINGS else []
    return " · ".join([title_of(models.judge), *shown])


def _tip_of(models: Models) -> str:
    host = host_of(models)
    if host is None or host.local:
        return "Stays on this machine"
    return f"Passages are sent to {host.name}"
