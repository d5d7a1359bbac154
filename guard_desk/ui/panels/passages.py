"""The passages panel: what was retrieved (or what there is), filtered, sorted, chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from guard_desk.measure.doubts import UNCERTAIN
from guard_desk.measure.ladder import ORDER
from guard_desk.measure.passage_rows import PassageRows, PassageTexts, WordSearch, pool_rows
from guard_desk.records.corpus import Labels, Passage
from guard_desk.records.decision import Place
from guard_desk.records.evidence import Judgement, Retrieved
from guard_desk.records.trace import Trace
from guard_desk.ui.icons import icon
from guard_desk.ui.models.passages import PassagesModel
from guard_desk.ui.panels.base import Panel
from guard_desk.ui.theme import GRID, LIGHT, PAD, Theme, place_style
from guard_desk.ui.view import Phase, View
from guard_desk.ui.widgets.passages_table import PassagesTable

SLICE_S = 0.03
"""How long the window's thread searches in one go."""
SETTLE_MS = 300
"""After a slider rests so long, a table sorted by what it moves is sorted again."""

_DECIDED = ("place", "tokens", "label")

Source = tuple[Trace | Retrieved | Sequence[Passage] | None, Sequence[Judgement] | None, Mapping[str, Labels] | None, bool]


class PassagesPanel(Panel):
    """Filter line, table and footer."""

    promise = "The passages with their rank, their scores and where each of them ended."

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = PassagesModel(self)
        self.table = PassagesTable(self.model, self.content)
        self.filter = _FilterLine(self.table, self.content)
        self.places = QToolButton(self.content)
        self.footer = QLabel(self.content)
        self._texts: dict[int, PassageTexts] = {}
        self._source: Source = (None, None, None, False)
        self._names: frozenset[str] = frozenset()
        self._whole_corpus = self._uncertain_only = False
        self._search: WordSearch | None = None
        self._searching = QTimer(self, interval=0)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._build_places()
        self._lay_out()
        self._connect()

    def _build_places(self) -> None:
        self.places.setObjectName("passages_places")
        self.places.setAccessibleName("Places and columns to show")
        self.places.setToolTip("Show only some places, or the whole corpus; choose columns")
        self.places.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.places.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.places.setText("All")
        self._menu = QMenu(self.places)
        self._columns = QMenu("&Columns", self._menu)
        self.places.setMenu(self._menu)

    def _lay_out(self) -> None:
        self.footer.setTextFormat(Qt.TextFormat.PlainText)
        self.footer.setObjectName("muted")
        self.footer.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.footer.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line = QHBoxLayout()
        line.setContentsMargins(PAD, GRID, PAD, 0)
        line.setSpacing(GRID)
        line.addWidget(self.filter, 1)
        line.addWidget(self.places)
        column = QVBoxLayout(self.content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(line)
        column.addWidget(self.table, 1)
        column.addWidget(self.footer)
        self.title_row = self.footer
        self.setFocusProxy(self.table)

    def _connect(self) -> None:
        self.table.chosen.connect(self._chosen)
        self.table.activated_row.connect(self._make_primary)
        self.filter.textChanged.connect(self._start_search)
        self._searching.timeout.connect(self._search_on)
        self._settle.timeout.connect(self.model.sort_again)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.model.modelReset.connect(self._say_count)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self.table.set_theme(theme)
        self.filter.setFont(theme.font(0))
        self.places.setFont(theme.font(0))
        self.places.setIcon(icon("filter", theme.colors))
        self.footer.setFont(theme.font(-1))

    def focus_filter(self) -> None:
        """Put the cursor into the filter line."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    # What it shows

    def show_result(self, view: View) -> None:
        """Show the pool of the run in force, or the whole corpus with what the run says of it."""
        if view.phase is Phase.RUNNING and self.show_partial(view):
            return
        trace = view.trace
        assert trace is not None
        corpus = view.loaded.corpus.passages if view.loaded is not None and self._whole_corpus else None
        source: Source = (trace, None, view.labels, corpus is not None)
        if not _same(source, self._source):
            self._source = source
            self._take(pool_rows(trace, self._texts_of(corpus or trace.retrieved.passages), view.labels))
        self.table.show_columns_of_corpus(False)
        self._follow(view)

    def show_partial(self, view: View) -> bool:
        """Show what was retrieved and judged so far; before a run, the corpus."""
        if view.retrieved is not None and view.phase is not Phase.READY:
            source: Source = (view.retrieved, view.partial_judgements, view.labels, False)
            if not _same(source, self._source):
                self._source = source
                texts = self._texts_of(view.retrieved.passages)
                self._take(PassageRows(texts, retrieved=view.retrieved, judgements=view.partial_judgements, labels=view.labels))
            self.table.show_columns_of_corpus(False)
        elif view.loaded is not None and view.phase is not Phase.LOADING:
            passages = view.loaded.corpus.passages
            source = (passages, None, view.labels, True)
            if not _same(source, self._source):
                self._source = source
                self._take(PassageRows(self._texts_of(passages), labels=view.labels))
            self.table.show_columns_of_corpus(True)
        else:
            return False
        self._follow(view)
        return True

    def _texts_of(self, passages: Sequence[Passage]) -> PassageTexts:
        """Texts are folded once for each corpus and pool; the two last shown are kept."""
        known = self._texts.get(id(passages))
        if known is None or known.passages is not passages:
            known = PassageTexts(passages)
            kept = {key: texts for key, texts in self._texts.items() if texts is self.model.rows.texts}
            self._texts = kept | {id(passages): known}
        return known

    def _take(self, rows: PassageRows) -> None:
        """Show rows: in place where they are of the same passages."""
        if rows.texts is self.model.rows.texts:
            self.model.refresh(rows)
            if self.model.sorted_by in _DECIDED:
                self._settle.start()
            if self._names or self._uncertain_only:
                self._apply_filter()
        else:
            self.model.set_rows(rows)
            self._start_search()
        self.filter.setPlaceholderText(f"Filter {len(rows):,} passages: words of text, title, id, source")
        self._say_count()

    def _follow(self, view: View) -> None:
        heads = {head for i in view.selection.ids[:1000] if (head := self.model.head_of(i)) is not None}
        if heads and view.selection.primary is not None and self.model.line_of(view.selection.primary) is None:
            self.model.unfold(heads)
        self.table.show_selection(view.selection.ids, view.selection.primary)

    # Filter

    @Slot()
    def _start_search(self) -> None:
        words = self.filter.text().split()
        self._search = WordSearch(self.model.rows.texts, self.filter.text()) if words else None
        self._searching.stop()
        self._search_on()

    @Slot()
    def _search_on(self) -> None:
        if self._search is None or self._search.advance(SLICE_S):
            self._searching.stop()
            self._apply_filter()
        elif not self._searching.isActive():
            self._searching.start()
            self.footer.setText("searching…")

    def searching(self) -> bool:
        """Whether the filter is still looking through the texts."""
        return self._searching.isActive()

    def _apply_filter(self) -> None:
        if self._searching.isActive():
            return
        masks = [self._search.mask] if self._search is not None else []
        if self._names:
            masks.append(self.model.rows.in_places(self._names))
        if self._uncertain_only:
            masks.append(self.model.rows.uncertain())
        self.table.sentence = self._nothing(bool(masks))
        self.model.set_filter(np.logical_and.reduce(masks) if masks else None)

    def _nothing(self, filtered: bool) -> str:
        words = self.filter.text().strip()
        if words:
            return f"No passage holds “{words}”." + (" The filter by place is on, too." if self._names else "")
        if self._uncertain_only:
            return "The judge was not uncertain about any of these passages."
        return "No passage has such a place." if filtered else "There are no passages here."

    @Slot()
    def _say_count(self) -> None:
        shown, total, folded = self.model.rowCount(), len(self.model.rows), self.model.folded
        text = f"showing {shown:,} of {total:,}" + (f" · {folded:,} folded in groups" if folded else "")
        self.footer.setText(text)
        self.footer.setAccessibleName(text)

    # Places

    @Slot()
    def _fill_menu(self) -> None:
        self._menu.clear()
        for name, count in self.model.rows.place_names().items():
            action = QAction(f"{place_words(name)}   {count:,}", self._menu)
            action.setCheckable(True)
            action.setChecked(name in self._names)
            action.setData(name)
            action.triggered.connect(self._toggle_place)
            self._menu.addAction(action)
        self._menu.addSeparator()
        every = self._menu.addAction("All places", self._all_places)
        every.setEnabled(bool(self._names) or self._uncertain_only)
        doubtful = self._menu.addAction(f"{UNCERTAIN} Uncertain answers only   {int(self.model.rows.uncertain().sum()):,}")
        doubtful.setObjectName("passages_uncertain")
        doubtful.setCheckable(True)
        doubtful.setChecked(self._uncertain_only)
        doubtful.toggled.connect(self.show_uncertain_only)
        whole = self._menu.addAction("Whole corpus, also what was not retrieved")
        whole.setCheckable(True)
        whole.setChecked(self._whole_corpus)
        whole.setEnabled(self.view is not None and self.view.trace is not None and self.view.loaded is not None)
        whole.toggled.connect(self.show_whole_corpus)
        self._menu.addSeparator()
        self._columns.clear()
        self.table.fill_columns(self._columns)
        self._menu.addMenu(self._columns)

    @Slot()
    def _toggle_place(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.show_places(self._names ^ {str(action.data())})

    @Slot()
    def _all_places(self) -> None:
        self._uncertain_only = False
        self.show_places(frozenset())

    def show_places(self, names: frozenset[str]) -> None:
        """Show only passages in these places (`Placement.name`; "" = none); empty = all."""
        self._names = names
        self._say_filter()
        self._apply_filter()

    @Slot(bool)
    def show_uncertain_only(self, only: bool) -> None:
        """Show only passages with an answer in the judge's uncertain band."""
        self._uncertain_only = only
        self._say_filter()
        self._apply_filter()

    def _say_filter(self) -> None:
        names = self._names
        shown = ", ".join(place_words(name) for name in (*ORDER, "") if name in names)
        places = shown if len(names) == 1 else f"{len(names)} places" if names else ""
        unsure = f"{UNCERTAIN} uncertain" if self._uncertain_only else ""
        self.places.setText(" · ".join(word for word in (places, unsure) if word) or "All")

    @Slot(bool)
    def show_whole_corpus(self, whole: bool) -> None:
        """Show the pool alone, or every passage of the corpus with what the run says of it."""
        self._whole_corpus = whole
        if self.view is not None:
            self.show_view(self.view)

    # What a person does

    @Slot(object, object)
    def _chosen(self, ids: tuple[str, ...], primary: str | None) -> None:
        self.selected.emit(ids, primary)

    @Slot(str)
    def _make_primary(self, passage_id: str) -> None:
        chosen = self.view.selection.ids if self.view is not None else ()
        self.selected.emit(chosen if passage_id in chosen else (passage_id,), passage_id)


def place_words(name: str) -> str:
    """A place's mark and word, by `Placement.name`."""
    if not name:
        return "· no place"
    place, _, rule = name.partition(":")
    style = place_style(LIGHT, Place(place), rule)
    return f"{style.mark} {style.word}"


def _same(left: Source, right: Source) -> bool:
    """Whether two sources are the very same things; comparing their content would cost more than showing it."""
    return all(one is other for one, other in zip(left[:3], right[:3], strict=True)) and left[3] == right[3]


class _FilterLine(QLineEdit):
    """Down goes into the table, Escape clears."""

    def __init__(self, table: PassagesTable, parent: QWidget) -> None:
        super().__init__(parent)
        self._table = table
        self.setObjectName("passages_filter")
        self.setAccessibleName("Filter passages")
        self.setClearButtonEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Down: into the table. Escape: clear."""
        if event.key() == Qt.Key.Key_Down:
            self._table.setFocus(Qt.FocusReason.TabFocusReason)
            if not self._table.selectionModel().hasSelection() and self._table.passages.rowCount():
                self._table.selectRow(0)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
