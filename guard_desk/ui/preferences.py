"""What a person prefers and the engine never reads: theme, text size, window layout, recent files."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from guard_desk import resources
from guard_desk.ui.theme import Mode

RECENT = 10
SMALLEST, LARGEST = 0.8, 2.0


class Preferences:
    """Preferences in one INI file under the home of Guard Desk, so that `GUARD_DESK_HOME` moves them too."""

    def __init__(self, path: Path | None = None) -> None:
        self._settings = QSettings(str(path or resources.home() / "window.ini"), QSettings.Format.IniFormat)

    @property
    def mode(self) -> Mode:
        """Light, dark, or as the system."""
        stored = str(self._settings.value("mode", Mode.SYSTEM))
        return Mode(stored) if stored in tuple(Mode) else Mode.SYSTEM

    @mode.setter
    def mode(self, mode: Mode) -> None:
        self._settings.setValue("mode", str(mode))

    @property
    def text_scale(self) -> float:
        """Size of the text, 1 = the system's."""
        try:
            stored = float(str(self._settings.value("text_scale", 1.0)))
        except ValueError:
            return 1.0
        return min(LARGEST, max(SMALLEST, stored))

    @text_scale.setter
    def text_scale(self, scale: float) -> None:
        self._settings.setValue("text_scale", min(LARGEST, max(SMALLEST, scale)))

    @property
    def recent(self) -> tuple[str, ...]:
        """Files opened last, newest first."""
        stored = self._settings.value("recent", [])
        items = [stored] if isinstance(stored, str) else stored if isinstance(stored, list) else []
        return tuple(str(item) for item in items)[:RECENT]

    def remember(self, path: str) -> None:
        """Put a file first in the recent list."""
        self._settings.setValue("recent", [path, *(item for item in self.recent if item != path)][:RECENT])

    def forget(self, path: str) -> None:
        """Take a file out of the recent list."""
        self._settings.setValue("recent", [item for item in self.recent if item != path])

    @property
    def last_folder(self) -> str:
        """Where the last file was opened."""
        return str(self._settings.value("last_folder", ""))

    @last_folder.setter
    def last_folder(self, folder: str) -> None:
        self._settings.setValue("last_folder", folder)

    @property
    def trusted_hosts(self) -> tuple[str, ...]:
        """Servers to which passages are sent without asking each session."""
        stored = self._settings.value("trusted_hosts", [])
        items = [stored] if isinstance(stored, str) else stored if isinstance(stored, list) else []
        return tuple(str(item) for item in items)

    def trust_host(self, host: str) -> None:
        """Ask no more before passages are sent there."""
        self._settings.setValue("trusted_hosts", [*(item for item in self.trusted_hosts if item != host), host])

    def forget_trusted_hosts(self) -> None:
        """Ask again everywhere."""
        self._settings.remove("trusted_hosts")

    @property
    def started_before(self) -> bool:
        """False on the first start, which opens the demo."""
        return str(self._settings.value("started_before", "false")) == "true"

    def mark_started(self) -> None:
        """The first start is over."""
        self._settings.setValue("started_before", "true")

    def layout(self, name: str) -> QByteArray | None:
        """A stored window or splitter state; None when there is none."""
        stored = self._settings.value(f"layout/{name}")
        return stored if isinstance(stored, QByteArray) and not stored.isEmpty() else None

    def keep_layout(self, name: str, state: QByteArray) -> None:
        """Store a window or splitter state."""
        self._settings.setValue(f"layout/{name}", state)

    def forget_layout(self) -> None:
        """Go back to the first layout."""
        self._settings.remove("layout")

    def sync(self) -> None:
        """Write now."""
        self._settings.sync()
