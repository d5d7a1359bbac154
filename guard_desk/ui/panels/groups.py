"""Groups: what was merged and what was kept apart, word by word; a person's word stands over the guards'."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from guard_desk.measure.near_pairs import NearPairs, Pair, near_pairs, why_nothing
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Group, Override, Placement
from guard_desk.records.trace import Trace
from guard_desk.ui.icons import icon
from guard_desk.ui.knob_values import start_value, value_in_force
from guard_desk.ui.models.table import plain_tip
from guard_desk.ui.panels.base import Notice, Panel
from guard_desk.ui.theme import GAP, GRID, PAD, Theme, place_style
from guard_desk.ui.view import Selection, View
from guard_desk.ui.widgets.elided import ElidedLabel
from guard_desk.ui.widgets.knob_editor import KnobEditor
from guard_desk.ui.widgets.labels import Badge, tinted
from guard_desk.ui.widgets.pair_view import PairView
from guard_desk.ui.widgets.two_lines import SECOND_LINE, TwoLines

_ROLE = Qt.ItemDataRole.UserRole
_MOST_SHOWN = 300
"""Rows of a section; more would be no list that a person reads."""


class GroupsPanel(Panel):
    """Groups and refusals on the left, the chosen pair on the right."""

    promise = "Passages that say the same, merged; and pairs kept apart because a number, date or negation differs."

    knob_moved = Signal(str, object)
    knob_released = Signal()
    override_asked = Signal(object)
    """Override"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("groups_view")
        self.setAccessibleName("Groups of near-duplicates")
        self._trace: Trace | None = None
        self._theme: Theme | None = None
        self._pairs = NearPairs(groups=(), apart=(), refused=0, by_hand=())
        self._passages: Mapping[str, Passage] = {}
        self._places: Mapping[str, Placement] = {}
        self._selection = Selection()
        self._showing = False
        self.tree = self._make_tree()
        self.editors = {path: KnobEditor(path, self, label=name, least_label=0) for path, name in _KNOBS}
        for editor in self.editors.values():
            editor.moved.connect(self.knob_moved)
            editor.released.connect(self.knob_released)
        self.verdict, self.similarity, self.sources = Badge(self), QLabel(self), ElidedLabel(parent=self)
        self.verdict_words = ElidedLabel(parent=self)
        self.sources.setObjectName("muted")
        self.similarity.setObjectName("muted")
        self.pair_view = PairView(self)
        self.apart_button = self._make_button("Keep apart", "groups_keep_apart", "Take the second passage out of this group")
        self.merge_button = self._make_button("Merge anyway", "groups_merge", "Join exactly the two groups of these passages")
        self.apart_button.clicked.connect(self._ask_apart)
        self.merge_button.clicked.connect(self._ask_merge)
        self._lay_out()

    # Its parts

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget(self)
        tree.setObjectName("groups_list")
        tree.setAccessibleName("Merged groups, and near pairs kept apart")
        tree.setHeaderHidden(True)
        tree.setRootIsDecorated(False)
        self._two_lines = TwoLines(tree)
        tree.setItemDelegate(self._two_lines)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setIndentation(3 * GRID)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setTabKeyNavigation(False)
        tree.setMinimumHeight(10 * GRID)
        tree.currentItemChanged.connect(self._chosen)
        return tree

    def _make_button(self, text: str, name: str, tip: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        button.setToolTip(tip)
        button.setAccessibleDescription(tip)
        return button

    def _lay_out(self) -> None:
        self._list = QWidget(self)
        column = QVBoxLayout(self._list)
        column.setContentsMargins(PAD, GAP, GRID, GAP)
        column.setSpacing(GAP)
        column.addWidget(self.tree, 1)
        knobs = QHBoxLayout()
        knobs.setContentsMargins(PAD, 0, PAD, GAP)
        knobs.setSpacing(PAD)
        for editor in self.editors.values():
            knobs.addWidget(editor, 1)
        self.right = QStackedWidget(self)
        self._nothing = Notice(self)
        self.right.addWidget(self._nothing)
        self.right.addWidget(self._lay_out_pair())
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.addWidget(self._list)
        self.splitter.addWidget(self.right)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setSizes([220, 400])
        self.splitter.setChildrenCollapsible(False)
        outer = QVBoxLayout(self.content)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.splitter, 1)
        outer.addLayout(knobs)

    def _lay_out_pair(self) -> QWidget:
        pair = QWidget(self)
        column = QVBoxLayout(pair)
        column.setContentsMargins(GRID, GAP, PAD, GAP)
        column.setSpacing(GRID)
        top = QHBoxLayout()
        top.setSpacing(GAP)
        top.addWidget(self.verdict)
        top.addWidget(self.verdict_words, 1)
        bottom = QHBoxLayout()
        bottom.setSpacing(GAP)
        bottom.addWidget(self.similarity)
        bottom.addWidget(self.sources, 1)
        bottom.addWidget(self.apart_button)
        bottom.addWidget(self.merge_button)
        column.addLayout(top)
        column.addWidget(self.pair_view, 1)
        column.addLayout(bottom)
        return pair

    # What it shows

    def set_theme(self, theme: Theme) -> None:
        """Take other colours or text sizes."""
        self._theme = theme
        self.tree.setFont(theme.font(0))
        self._two_lines.set_theme(theme)
        for editor in self.editors.values():
            editor.set_theme(theme)
        self._nothing.set_theme(theme)
        self.pair_view.set_theme(theme)
        self.verdict.setFont(theme.font(-1))
        self.verdict_words.setFont(theme.font(0, bold=True))
        for label in (self.similarity, self.sources):
            label.setFont(theme.font(-1))
        for button, meaning in ((self.apart_button, "split"), (self.merge_button, "merge")):
            button.setFont(theme.font(0))
            button.setIcon(icon(meaning, theme.colors))
        self._trace = None

    def show_result(self, view: View) -> None:
        """Show the groups of a run."""
        assert view.trace is not None
        for path, editor in self.editors.items():
            editor.set_start(start_value(view, path))
            editor.show_value(value_in_force(view, path))
        before, self._trace = self._trace, view.trace
        if before is None or before.retrieved is not view.trace.retrieved:
            self._passages = {passage.id: passage for passage in view.trace.retrieved.passages}
        if before is None or before.prompt is not view.trace.prompt:
            self._places = {placement.passage_id: placement for placement in view.trace.prompt.places}
        changed = before is None or before.grouped is not view.trace.grouped or before.overrides != view.trace.overrides
        if changed:
            self._fill(view.trace)
        if changed or view.selection != self._selection:
            self._selection = view.selection
            self._follow(view.selection)
        self._show_pair()

    def _fill(self, trace: Trace) -> None:
        """List all pairs; the one that was shown stays the chosen one where it still exists."""
        shown = self._current()
        self._pairs = near_pairs(trace, _MOST_SHOWN)
        self._showing = True
        self.tree.clear()
        for section in self._sections():
            self.tree.addTopLevelItem(section)
            section.setExpanded(True)
        items = list(_pair_items(self.tree))
        again = next((item for item in items if shown and _same(item.data(0, _ROLE), shown)), None)
        if again is None and shown is not None:
            again = next((item for item in items if item.data(0, _ROLE).concerns(shown.right_id)), None)
        if items:
            self.tree.setCurrentItem(again or items[0])
        self._showing = False
        self._list.setVisible(bool(items))
        self._nothing.say("Nothing was merged or kept apart", why_nothing(trace))

    def _sections(self) -> Iterator[QTreeWidgetItem]:
        pairs = self._pairs
        if pairs.groups:
            section = _section(f"Merged ({len(pairs.groups)})", f"{len(pairs.groups)} groups of more than one passage")
            section.addChildren([_group_item(group, members) for group, members in pairs.groups[:_MOST_SHOWN]])
            yield _with_rest(section, len(pairs.groups))
        if pairs.apart:
            section = _section(f"Kept apart ({pairs.refused:,})", "Near pairs that differ in something that matters")
            section.addChildren([_pair_item(pair, pair.reason) for pair in pairs.apart])
            yield _with_rest(section, pairs.refused)
        if pairs.by_hand:
            section = _section(f"By hand ({len(pairs.by_hand)})", "Pairs that a person merged or keeps apart")
            section.addChildren([_pair_item(pair, pair.reason) for pair in pairs.by_hand])
            yield section

    def _follow(self, selection: Selection) -> None:
        """Show a pair of the chosen passage, unless the one that is shown is such a pair."""
        shown = self._current()
        if selection.primary is None or (shown is not None and shown.concerns(selection.primary)):
            return
        found = next((item for item in _pair_items(self.tree) if item.data(0, _ROLE).concerns(selection.primary)), None)
        if found is not None:
            self._showing = True
            self.tree.setCurrentItem(found)
            self.tree.scrollToItem(found)
            self._showing = False

    def _current(self) -> Pair | None:
        item = self.tree.currentItem()
        found = item.data(0, _ROLE) if item is not None else None
        return found if isinstance(found, Pair) else None

    def _show_pair(self) -> None:
        pair = self._current()
        if pair is None or self._theme is None:
            self.right.setCurrentIndex(0 if not any(True for _ in self._pairs) else self.right.currentIndex())
            return
        self.right.setCurrentIndex(1)
        colors = self._theme.colors
        color, fill = (colors.evidence, colors.evidence_fill) if pair.merged else (colors.conflict, colors.conflict_fill)
        self.verdict.say("≡" if pair.merged else "≠", "merged" if pair.merged else "not merged", color, fill)
        self.verdict_words.say(pair.reason, pair.headline)
        tinted(self.verdict_words, colors.text)
        self.pair_view.show_pair(self._passages[pair.left_id], self._passages[pair.right_id], pair)
        self.pair_view.say_places(self._place_words(pair.left_id), self._place_words(pair.right_id))
        self.similarity.setText("" if pair.similarity is None else f"similarity {pair.similarity:.3f}")
        kept = self._sources(pair)
        self.sources.say(f"sources kept: {', '.join(kept)}" if pair.merged and kept else "", "\n".join(kept))
        self.apart_button.setVisible(pair.merged)
        self.merge_button.setVisible(not pair.merged)

    def _place_words(self, passage_id: str) -> str:
        placement = self._places.get(passage_id)
        if placement is None or self._theme is None:
            return ""
        style = place_style(self._theme.colors, placement.place, placement.rule)
        return f"{style.mark} {style.word}{f' into {placement.into}' if placement.into else ''}"

    def _sources(self, pair: Pair) -> tuple[str, ...]:
        return next((group.sources for group, _ in self._pairs.groups if pair.left_id in group.members), ())

    # What a person does

    @Slot(QTreeWidgetItem, QTreeWidgetItem)
    def _chosen(self, item: QTreeWidgetItem | None, _before: QTreeWidgetItem | None) -> None:
        pair = self._current() if item is not None else None
        if self._showing or pair is None:
            return
        self._show_pair()
        self.selected.emit((pair.left_id, pair.right_id), pair.right_id)

    @Slot()
    def _ask_apart(self) -> None:
        self._ask(merge=False)

    @Slot()
    def _ask_merge(self) -> None:
        self._ask(merge=True)

    def _ask(self, *, merge: bool) -> None:
        pair = self._current()
        if pair is not None:
            self.override_asked.emit(Override(left_id=pair.left_id, right_id=pair.right_id, merge=merge))


_KNOBS = (("dedup.similarity_floor", "Floor"), ("assemble.strategy", "Strategy"))


def _section(title: str, tip: str) -> QTreeWidgetItem:
    item = QTreeWidgetItem([title])
    item.setToolTip(0, plain_tip(tip))
    item.setFlags(Qt.ItemFlag.ItemIsEnabled)
    font = item.font(0)
    font.setBold(True)
    item.setFont(0, font)
    return item


def _with_rest(section: QTreeWidgetItem, count: int) -> QTreeWidgetItem:
    if count > _MOST_SHOWN:
        rest = QTreeWidgetItem([f"… and {count - _MOST_SHOWN:,} more; a higher floor shows fewer"])
        rest.setFlags(Qt.ItemFlag.NoItemFlags)
        section.addChild(rest)
    return section


def _group_item(group: Group, members: tuple[Pair, ...]) -> QTreeWidgetItem:
    """A group; one of two members is its only pair, larger ones open."""
    count, sources = len(group.members), len(group.sources)
    words = f"{count} passages · {sources} {'source' if sources == 1 else 'sources'}"
    item = _pair_item(members[0], words)
    if len(members) > 1:
        item.setData(0, SECOND_LINE, ", ".join(group.members))
        item.addChildren([_pair_item(pair, pair.reason) for pair in members])
    return item


def _pair_item(pair: Pair, words: str) -> QTreeWidgetItem:
    similarity = "" if pair.similarity is None else f"{pair.similarity:.3f} · ".replace("0.", ".", 1)
    item = QTreeWidgetItem([words])
    item.setData(0, _ROLE, pair)
    item.setData(0, SECOND_LINE, f"{similarity}{pair.left_id} | {pair.right_id}")
    item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{words}, {pair.left_id} and {pair.right_id}")
    item.setToolTip(0, plain_tip(f"{words}\n{pair.left_id} | {pair.right_id}\n{pair.headline}"))
    return item


def _pair_items(tree: QTreeWidget) -> Iterator[QTreeWidgetItem]:
    """Every row that shows a pair, from the top."""
    for at in range(tree.topLevelItemCount()):
        section = tree.topLevelItem(at)
        for number in range(section.childCount()):
            row = section.child(number)
            if isinstance(row.data(0, _ROLE), Pair):
                yield row
            yield from (row.child(i) for i in range(row.childCount()))


def _same(pair: Pair, other: Pair) -> bool:
    return {pair.left_id, pair.right_id} == {other.left_id, other.right_id}
