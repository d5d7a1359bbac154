"""What loading left out or renamed: line and cause of each record."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHeaderView, QLabel, QTableView, QVBoxLayout, QWidget

from guard_desk.records.corpus import LoadResult
from guard_desk.ui.theme import GAP, GRID, PAD

_HEAD = ("Line", "What happened", "File")


class RecordsModel(QAbstractTableModel):
    """Skipped and renamed records."""

    def __init__(self, loaded: LoadResult, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = [(s.line, f"left out: {s.reason}", s.path) for s in loaded.skipped]
        self._rows += [(r.line, f"duplicate id {r.original!r}: now {r.renamed!r}, both are kept", r.path) for r in loaded.renamed]

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:  # noqa: N802 - Qt's name
        """Records."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:  # noqa: N802 - Qt's name
        """Line, cause, file."""
        return 0 if parent is not None and parent.isValid() else len(_HEAD)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text of a cell."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        value = self._rows[index.row()][index.column()]
        return "end" if value is None else str(value)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:  # noqa: N802 - Qt's name
        """Names of the columns."""
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return _HEAD[section]
        return None


class SkippedDialog(QDialog):
    """Lists what was not read as it stands; everything else was."""

    def __init__(self, loaded: LoadResult, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("skipped_dialog")
        self.setWindowTitle("What was left out")
        count, kept = len(loaded.skipped), len(loaded.corpus)
        left = f"{count:,} {'record was' if count == 1 else 'records were'} left out" if count else "nothing was left out"
        message = QLabel(f"{kept:,} passages were read as {str(loaded.format).replace('_', ' ')} ({loaded.encoding}); {left}.", self)
        message.setTextFormat(Qt.TextFormat.PlainText)
        self.table = QTableView(self)
        self.table.setObjectName("skipped_table")
        self.table.setAccessibleName("Records that were left out or renamed")
        self.table.setModel(RecordsModel(loaded, self))
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PAD, PAD, PAD, PAD)
        layout.setSpacing(GAP)
        for widget in (message, self.table, buttons):
            layout.addWidget(widget)
        self.resize(180 * GRID, 90 * GRID)
