"""Keeps None, True and False alive under a PySide6 that gives them away.

PySide6 6.12.0 is built as if they were immortal, which they are only from Python 3.12 on. On 3.10 and 3.11 every call into Qt
that returns one of them takes a reference that it never had, and after some thousands of calls the process ends with "Fatal
Python error: none_dealloc: deallocating None". `sys.getrefcount(None)` falls by one with each `widget.update()`.
"""

from __future__ import annotations

import ctypes
import sys

_FOREVER = 1 << (8 * ctypes.sizeof(ctypes.c_ssize_t) - 4)
"""More references than any process can give away, and far from an overflow."""


def keep_singletons() -> None:
    """Give the singletons references to spare, once a process; nothing to do from Python 3.12 on."""
    if sys.version_info >= (3, 12) or sys.implementation.name != "cpython":
        return
    for thing in (None, True, False, NotImplemented, Ellipsis):
        count = ctypes.c_ssize_t.from_address(id(thing))  # the first field of every object
        if count.value < _FOREVER // 2:
            count.value += _FOREVER
