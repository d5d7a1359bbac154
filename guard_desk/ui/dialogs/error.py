"""The one error dialog: cause, file, line, remedy, and details that can be copied."""

from __future__ import annotations

import platform

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from guard_desk.errors import GuardDeskError, InputError, MissingModelError
from guard_desk.version import __version__

_UNEXPECTED = "Something in Guard Desk went wrong. What was finished is kept."


def error_box(error: BaseException, parent: QWidget | None = None) -> QMessageBox:
    """The dialog for an error, not yet shown."""
    box = QMessageBox(parent)
    box.setObjectName("error_dialog")
    box.setIcon(QMessageBox.Icon.Warning)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle("Guard Desk")
    box.setText(_cause(error))
    box.setInformativeText(_remedy(error))
    copy = QPushButton("Copy details", box)
    box.addButton(copy, QMessageBox.ButtonRole.ActionRole)
    copy.clicked.disconnect()
    copy.clicked.connect(_Copier(details(error), box).copy)
    box.addButton(QMessageBox.StandardButton.Close)
    box.setDefaultButton(QMessageBox.StandardButton.Close)
    return box


def _cause(error: BaseException) -> str:
    if isinstance(error, InputError):
        place = "" if error.path is None else f"{error.path}{f', line {error.line}' if error.line else ''}\n\n"
        word = error.cause.split(" ", 1)[0]
        return place + (error.cause[:1].upper() + error.cause[1:] if word.isalpha() else error.cause)  # names of knobs stay as they are
    if isinstance(error, MissingModelError):
        return f"The model {error.name!r} is not on this machine."
    if isinstance(error, GuardDeskError):
        return str(error)
    return _UNEXPECTED


def message_of(error: BaseException) -> str:
    """Cause and remedy in one line, for places beside the dialog. What an error that nobody foresaw says is for no one's eyes."""
    return str(error) if isinstance(error, GuardDeskError) else _UNEXPECTED


def _remedy(error: BaseException) -> str:
    if isinstance(error, InputError):
        return error.remedy
    if isinstance(error, MissingModelError):
        return f"Install it with:  {error.command}" if error.command else f"{error.detail[:1].upper()}{error.detail[1:]}."
    return "" if isinstance(error, GuardDeskError) else "Try again; if it comes back, send the copied details to the developers."


def details(error: BaseException) -> str:
    """What may be sent to others: kinds of error and where in our code, never passages, keys or paths."""
    lines = [f"Guard Desk {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"]
    seen: BaseException | None = error
    while seen is not None:
        lines.append(type(seen).__name__)
        step = seen.__traceback__
        while step is not None:
            module = str(step.tb_frame.f_globals.get("__name__", "?"))
            if module.startswith("guard_desk"):
                lines.append(f"  {module}:{step.tb_lineno} {step.tb_frame.f_code.co_name}")
            step = step.tb_next
        seen = seen.__cause__
    return "\n".join(lines)


class _Copier:
    """Puts the details on the clipboard."""

    def __init__(self, text: str, box: QMessageBox) -> None:
        self._text = text
        box.copier = self  # type: ignore[attr-defined]  # kept alive with the dialog

    def copy(self) -> None:
        """Copy."""
        QGuiApplication.clipboard().setText(self._text)
