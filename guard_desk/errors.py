"""Every error that Guard Desk raises on purpose.

    GuardDeskError
    +-- InputError          something the user gave cannot be used
    |   +-- CorpusError     a file or folder that holds no usable passages
    |   +-- TraceError      a trace or session that cannot be read
    |   +-- PolicyError     a knob with an unknown name or a value out of range
    +-- ModelError          a model cannot be loaded or failed while running
    |   +-- MissingModelError   it is not on this machine; the message says which command fetches it, or what to give
    |   +-- ModelHashError      its files are not the ones we know
    |   +-- RemoteError         a server that runs a model refused, failed or cannot be reached
    +-- StoreError          the store of answers or vectors cannot be read or written

    Cancelled (BaseException)   the user asked to stop; never caught by `except Exception`

A message names the value, what was allowed, the file and the line where there is one, and what to do.
"""

from __future__ import annotations

from pathlib import Path


class GuardDeskError(Exception):
    """Root of the tree."""


class InputError(GuardDeskError):
    """Something the user gave cannot be used.

    :param cause: what is wrong, naming the value.
    :param path: the file or folder, when there is one.
    :param line: 1-based line (for JSON arrays: record number), when there is one.
    :param remedy: what to do about it.
    """

    def __init__(self, cause: str, *, path: Path | str | None = None, line: int | None = None, remedy: str = "") -> None:
        self.cause = cause
        self.path = None if path is None else str(path)
        self.line = line
        self.remedy = remedy
        place = "" if self.path is None else self.path + (f", line {line}" if line is not None else "") + ": "
        super().__init__(place + cause + (f" {remedy}" if remedy else ""))


class CorpusError(InputError):
    """A file or folder that holds no usable passages."""


class TraceError(InputError):
    """A trace or session file that cannot be read."""


class PolicyError(InputError):
    """A knob with an unknown name or a value out of range."""


class ModelError(GuardDeskError):
    """A model cannot be loaded, or failed while running."""


class MissingModelError(ModelError):
    """A model is not on this machine.

    :param name: the model's name.
    :param command: the command that installs it; "" where there is none, as for a folder that is not there.
    :param detail: what is missing, and without a command what to do.
    """

    def __init__(self, name: str, *, command: str = "", detail: str = "") -> None:
        self.name = name
        self.command = command
        self.detail = detail
        install = f" Install it with: {command}" if command else ""
        super().__init__(f"The model {name!r} is not installed{': ' + detail if detail else ''}.{install}")


class ModelHashError(ModelError):
    """A model's files differ from the ones whose hash is known."""


class RemoteError(ModelError):
    """A server that runs a model refused, failed, cannot be reached or answered something unusable.

    :param cause: what happened, naming the address; never the key.
    :param remedy: what to do about it.
    :param status: the HTTP status, when there was an answer.
    :param repeats: whether every other request of this run would fail in the same way.
    :param attempts: requests that were sent.
    """

    def __init__(self, cause: str, *, remedy: str = "", status: int | None = None, repeats: bool = False, attempts: int = 1) -> None:
        self.cause = cause
        self.remedy = remedy
        self.status = status
        self.repeats = repeats
        self.attempts = attempts
        super().__init__(cause + (f" {remedy}" if remedy else ""))


class StoreError(GuardDeskError):
    """The store of answers or vectors cannot be read or written."""


class Cancelled(BaseException):
    """The user asked to stop. A BaseException, so that no `except Exception` swallows it."""
