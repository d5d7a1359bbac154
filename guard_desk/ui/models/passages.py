"""The table of passages: its columns, and its order with groups folded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal

from guard_desk.measure.doubts import UNCERTAIN, UNRELIABLE_TIP, is_unreliable
from guard_desk.measure.passage_rows import PassageRow, PassageRows, PassageTexts, label_agrees, label_word
from guard_desk.policy import Thresholds
from guard_desk.records.corpus import Passage
from guard_desk.records.evidence import Question
from guard_desk.text.hidden import one_line
from guard_desk.ui.models.table import LEFT, RIGHT, Column, Index, RowsModel
from guard_desk.ui.theme import LIGHT, Colors, PlaceStyle, place_style
from guard_desk.ui.widgets.ladder_paint import short

TEXT_SHOWN = 160
TIP_SHOWN = 600
"""Letters of a passage in a cell and in a tooltip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One answer as it is drawn.

    :param threshold: where the rule compares; None while unknown.
    :param doubted: it cannot be trusted; see `doubted`.
    """

    question: Question
    value: float
    threshold: float | None
    doubted: bool = False


BAR_ROLE = int(Qt.ItemDataRole.UserRole) + 1

_THRESHOLDS = {
    Question.RELEVANT: "relevant_min",
    Question.EVIDENCE: "evidence_min",
    Question.CONTRADICTS: "contradicts_min",
    Question.INJECTION: "injection_max",
}

# What a table before the first run can show.
OF_THE_CORPUS = frozenset(("passage", "id", "source", "date", "label"))


class PassagesModel(RowsModel):
    """Rows are a `PassageRows`. In their own order, groups fold: members stand under their representative or hide."""

    rows: PassageRows
    refreshed = Signal(object)
    """The rows before: the same passages in the same lines. The view draws anew only what it shows and what differs."""

    def __init__(self, parent: QObject | None = None) -> None:
        self._open: set[str] = set()
        super().__init__(passage_columns(), lambda row: row.passage.id, parent)
        self.rows = PassageRows(PassageTexts(()))

    def set_rows(self, rows: Sequence[Any]) -> None:
        """Show other passages; every group folds."""
        self._open.clear()
        super().set_rows(rows)

    def refresh(self, rows: Sequence[Any]) -> None:
        """Show what is now known of the same passages; what is on the screen stays where it is, unless groups changed."""
        assert isinstance(rows, PassageRows)
        if rows.texts is not self.rows.texts:
            self.set_rows(rows)
        elif np.array_equal(rows.own_order, self.rows.own_order) and np.array_equal(rows.heads, self.rows.heads):
            before, self.rows = self.rows, rows
            self.refreshed.emit(before)
        else:
            self.beginResetModel()
            self.rows = rows
            self._order()
            self.endResetModel()

    def id_at(self, line: int) -> str:
        """The id of the passage shown in a line."""
        return self.rows.texts.passages[int(self._shown[line])].id

    def position_at(self, line: int) -> int:
        """The position among the rows of what is shown in a line."""
        return int(self._shown[line])

    def line_of(self, identity: str) -> int | None:
        """The line in which a passage is shown; None when it is not."""
        at = self.rows.position(identity)
        line = -1 if at is None else int(self._line_numbers()[at])
        return None if line < 0 else line

    @property
    def sorted_by(self) -> str:
        """Title of the column it is sorted by; "" in its own order."""
        return "" if self._sort is None else self.columns[self._sort[0]].title

    def sort_again(self) -> None:
        """Sort by the same column again, after values have changed."""
        if self._sort is not None:
            column, descending = self._sort
            self.sort(column, Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder)

    # Groups

    @property
    def folds(self) -> bool:
        """Whether groups fold now: in their own order, without a filter."""
        return self._sort is None and self._mask is None

    @property
    def folded(self) -> int:
        """How many members are hidden in their groups."""
        return len(self._sorted) - len(self._shown) if self.folds else 0

    def is_open(self, passage_id: str) -> bool:
        """Whether the members of this representative's group are shown."""
        return passage_id in self._open

    def unfold(self, ids: Iterable[str], *, fold: bool = False) -> bool:
        """Show (or hide) the members of these groups. :returns: whether that changed anything."""
        known = set(ids)
        changed = known & self._open if fold else known - self._open
        if not changed or not self.folds:
            return False
        self.beginResetModel()
        self._open = self._open - known if fold else self._open | known
        self._show()
        self.endResetModel()
        return True

    def head_of(self, passage_id: str) -> str | None:
        """The representative under which a passage stands; None when it stands for itself."""
        at = self.rows.position(passage_id)
        if at is None or self.rows.heads[at] == at:
            return None
        return self.rows.texts.passages[int(self.rows.heads[at])].id

    def _order(self) -> None:
        super()._order()
        if self._sort is None and len(self.rows):
            self._sorted = self.rows.own_order
            self._show()

    def _show(self) -> None:
        super()._show()
        if self.folds and len(self._shown):
            heads, count = self.rows.heads, len(self.rows)
            opened = np.zeros(count, dtype=np.bool_)
            opened[[at for i in self._open if (at := self.rows.position(i)) is not None]] = True
            seen = (heads == np.arange(count)) | opened[heads]
            self._shown = self._sorted[seen[self._sorted]]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What a cell shows; an answer also as a bar, a group also with its sign."""
        if role == BAR_ROLE:
            return bar_of(self.row_at(index.row()), self.columns[index.column()].title)
        shown = super().data(index, role)
        if role == Qt.ItemDataRole.DisplayRole and self.columns[index.column()].title == "passage":
            return self._sign(self.row_at(index.row())) + str(shown)
        return shown

    def _sign(self, row: PassageRow) -> str:
        if not self.folds or (not row.folded and not row.member):
            return ""
        if row.member:
            return "    └ "
        return f"{'▾' if self.is_open(row.passage.id) else '▸'} +{row.folded}  "


def bar_of(row: PassageRow, title: str) -> Bar | None:
    """The answer of a cell, to be drawn; None where the column has none or it was not judged."""
    question = _TITLES.get(title)
    if question is None or row.judgement is None or row.judgement.answers is None:
        return None
    threshold = getattr(row.thresholds, _THRESHOLDS[question]) if row.thresholds is not None else None
    return Bar(question=question, value=getattr(row.judgement.answers, question), threshold=threshold, doubted=doubted(row, question))


def doubted(row: PassageRow, question: Question) -> bool:
    """Whether an answer cannot be trusted, because its passage counts as an injection."""
    answers = row.judgement.answers if row.judgement is not None else None
    return question is not Question.INJECTION and is_unreliable(answers, row.thresholds)


def moved_thresholds(before: Thresholds | None, now: Thresholds | None) -> tuple[str, ...]:
    """Titles of the answers whose threshold is another one."""
    if before is None or now is None:
        return tuple(_TITLES) if before is not now else ()
    names = {title: _THRESHOLDS[question] for title, question in _TITLES.items()}
    return tuple(title for title, name in names.items() if getattr(before, name) != getattr(now, name))


def bar_color(bar: Bar, colors: Colors) -> str:
    """The colour of an answer beyond its threshold, else a quiet one."""
    if bar.doubted:
        return colors.line
    loud = {
        Question.RELEVANT: colors.other,
        Question.EVIDENCE: colors.evidence,
        Question.CONTRADICTS: colors.conflict,
        Question.INJECTION: colors.hostile,
    }
    return loud[bar.question] if bar.threshold is None or bar.value > bar.threshold else colors.edge


# Columns


def style_of(row: PassageRow, colors: Colors) -> PlaceStyle:
    """Colour, mark and word of a row's place, or of why it has none."""
    if row.placement is not None:
        return place_style(colors, row.placement.place, row.placement.rule)
    if row.hit is None:
        return PlaceStyle(color=colors.muted, mark="·", word="not retrieved")
    if row.judgement is None:
        return PlaceStyle(color=colors.muted, mark="…", word="waiting")
    if row.judgement.answers is None:
        return PlaceStyle(color=colors.unjudged, mark="?", word="not judged")
    return PlaceStyle(color=colors.muted, mark="✓", word="judged")


def _place_text(row: PassageRow) -> str:
    style = style_of(row, LIGHT)
    return f"{style.mark} {style.word}"


def _place_tip(row: PassageRow) -> str:
    detail = row.placement.detail if row.placement is not None else (row.judgement.error or "") if row.judgement is not None else ""
    return f"{style_of(row, LIGHT).word}: {detail}" if detail else style_of(row, LIGHT).word


def passage_text(passage: Passage) -> str:
    """Title and first words, on one line."""
    words = one_line(passage.text[:TEXT_SHOWN])
    return f"{one_line(passage.title)} · {words}" if passage.title else words


def _passage_tip(row: PassageRow) -> str:
    passage = row.passage
    more = " …" if len(passage.text) > TIP_SHOWN else ""
    heads = [passage.id, passage.title, passage.source, passage.date]
    group = f"{row.folded + 1} passages say this; Right opens the group" if row.folded else ""
    return "\n".join([" · ".join(head for head in heads if head), group, passage.text[:TIP_SHOWN] + more]).replace("\n\n", "\n", 1)


def _answer_text(question: Question) -> Callable[[PassageRow], str]:
    def text(row: PassageRow) -> str:
        if row.judgement is None:
            return ""
        if row.judgement.answers is None:
            return "–"
        mark = UNCERTAIN if question in row.judgement.uncertain else ""
        words = mark + short(getattr(row.judgement.answers, question), 2)
        return f"({words})" if doubted(row, question) else words

    return text


def _answer_tip(question: Question) -> Callable[[PassageRow], str]:
    def tip(row: PassageRow) -> str:
        if row.judgement is None:
            return ""
        if row.judgement.answers is None:
            return f"not judged: {row.judgement.error or 'no answer'}"
        value: float = getattr(row.judgement.answers, question)
        words = f"{question} {value:.3f}"
        if row.thresholds is not None:
            words += f", threshold {getattr(row.thresholds, _THRESHOLDS[question]):.3f}"
        unsure = f", {UNCERTAIN} uncertain: in the judge's band around its own threshold" if question in row.judgement.uncertain else ""
        doubt = [UNRELIABLE_TIP] if doubted(row, question) else []
        reasons = [reason.detail for reason in row.judgement.reasons if reason.question is question]
        return "\n".join([words + unsure, *doubt, *reasons])

    return tip


def _label_text(row: PassageRow) -> str:
    word, agrees = label_word(row.labels), label_agrees(row)
    return word if agrees is None else f"{'✓' if agrees else '✗'} {word}"


def _label_color(row: PassageRow, colors: Colors) -> str | None:
    agrees = label_agrees(row)
    return None if agrees is None else colors.evidence if agrees else colors.wrong


_ANSWERS = (
    ("rel", Question.RELEVANT, "Does it address the subject of the question?"),
    ("evi", Question.EVIDENCE, "Does it state something usable in a direct answer?"),
    ("con", Question.CONTRADICTS, "Does it conflict with a premise of the question?"),
    ("inj", Question.INJECTION, "Does it try to control the system that answers?"),
)
_TITLES = {title: question for title, question, _ in _ANSWERS}


def _answer_column(title: str, question: Question, words: str) -> Column:
    return Column(
        title=title,
        text=_answer_text(question),
        keys=lambda rows: rows.answers(str(question)),
        align=RIGHT,
        tip=_answer_tip(question),
        header_tip=f"{question}: {words} {UNCERTAIN} marks an uncertain answer, brackets an unreliable one (the passage is an injection); "
        "the notch is the threshold.",
        color=lambda row, colors: colors.muted if doubted(row, question) else None,
        chars=6,
    )


def _field_column(title: str, field: str, chars: int) -> Column:
    return Column(
        title=title,
        text=lambda row: one_line(getattr(row.passage, field) or ""),
        keys=lambda rows: rows.texts.keys(field, lambda passage: getattr(passage, field)),
        chars=chars,
    )


def passage_columns() -> tuple[Column, ...]:
    """The columns, in the order they start with."""
    return (
        Column(
            title="#",
            text=lambda row: str(row.hit.rank) if row.hit else "",
            keys=lambda rows: rows.ranks,
            align=RIGHT,
            header_tip="Rank of retrieval",
            chars=3,
        ),
        Column(
            title="place",
            text=_place_text,
            keys=lambda rows: rows.place_codes,
            color=lambda row, colors: style_of(row, colors).color,
            tip=_place_tip,
            header_tip="Where it ended",
            chars=15,
        ),
        Column(
            title="passage",
            text=lambda row: passage_text(row.passage),
            keys=lambda rows: rows.texts.keys("passage", lambda p: p.title or p.text[:TEXT_SHOWN]),
            align=LEFT,
            tip=_passage_tip,
            chars=24,
        ),
        Column(
            title="sim",
            text=lambda row: short(row.hit.similarity) if row.hit else "",
            keys=lambda rows: rows.similarities,
            align=RIGHT,
            header_tip="Similarity to the question: cosine, -1 to 1",
            chars=5,
        ),
        _field_column("id", "id", 11),
        *(_answer_column(*answer) for answer in _ANSWERS),
        Column(
            title="tokens",
            text=lambda row: f"{row.placement.tokens:,}" if row.placement and row.placement.tokens else "",
            keys=lambda rows: rows.tokens,
            align=RIGHT,
            header_tip="Tokens of its block in the prompt",
            chars=6,
        ),
        _field_column("source", "source", 22),
        _field_column("date", "date", 10),
        Column(
            title="label",
            text=_label_text,
            keys=lambda rows: rows.label_keys(),
            color=_label_color,
            header_tip="What a person said; ✓ where the decision agrees",
            chars=13,
        ),
    )
