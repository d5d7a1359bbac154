"""The one undo stack: each reversible change of the session is a command on it; a drag is one step."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

from guard_desk.session import Change, Session


class _Command(QUndoCommand):
    """One reversible change."""

    def __init__(self, session: Session, change: Change) -> None:
        super().__init__(change.text)
        self._session = session
        self.change = change
        self.sealed = not change.merge_key

    def id(self) -> int:
        """Commands with the same key may merge."""
        return -1 if self.sealed else hash(self.change.merge_key) & 0x7FFFFFFF

    def mergeWith(self, other: QUndoCommand) -> bool:  # noqa: N802 - Qt's name
        """Take the later change of one drag into this one."""
        if self.sealed or not isinstance(other, _Command) or other.change.merge_key != self.change.merge_key:
            return False
        old, new = self.change.text.split(" -> ")[0], other.change.text.split(" -> ")[-1]
        text = f"{old} -> {new}" if " -> " in self.change.text else other.change.text
        self.change = replace(other.change, before=self.change.before, text=text)
        self.setText(self.change.text)
        return True

    def redo(self) -> None:
        """Do it."""
        self._session.apply(self.change)

    def undo(self) -> None:
        """Undo it."""
        self.sealed = True
        self._session.revert(self.change)


class UndoStack(QUndoStack):
    """Does changes of a session, and undoes them."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session

    def do(self, change: Change) -> None:
        """Do a change and keep it; one that changes nothing is dropped."""
        if change.before != change.after:
            self.push(_Command(self._session, change))

    def seal(self) -> None:
        """A drag ended: the next change is a step of its own."""
        command = self.command(self.index() - 1) if self.index() else None
        if isinstance(command, _Command):
            command.sealed = True
