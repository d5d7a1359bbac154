"""The key of a server in a dialog: found, kept in the keyring, forgotten. It stands in no settings."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from guard_desk.ui import judge_work
from guard_desk.ui.dialogs.judge_forms import ServerForm

KEY_JOB = "judge_key"


class ServerKeys(QObject):
    """Lets a worker look after the key of the host that a form names.

    :param ask: has a worker do something: kind of the job, what to do.
    :param host: the host in force; "" where there is none.
    """

    def __init__(self, form: ServerForm, ask: Callable[[str, judge_work.Work], None], host: Callable[[], str], parent: QObject) -> None:
        super().__init__(parent)
        self._form, self._ask, self._host, self._found = form, ask, host, ""
        form.key_removed.connect(self.forget)
        form.target.editingFinished.connect(self.find)

    def look_again(self) -> None:
        """Another server may be meant by now."""
        self._found = ""
        self.find()

    @Slot()
    def find(self) -> None:
        """Ask where the key of the host is."""
        host = self._host()
        if host and host != self._found:
            self._found = host
            self._ask(KEY_JOB, judge_work.find_key_of(host))

    @Slot()
    def forget(self) -> None:
        """Take the key out of the keyring."""
        host = self._host()
        if host:
            self._ask(KEY_JOB, judge_work.forget_key(host))

    def store(self) -> None:
        """Keep the key that was typed."""
        key, host = self._form.key.text().strip(), self._host()
        if key and host:
            self._form.key.clear()
            self._ask(KEY_JOB, judge_work.store_key(host, key))
