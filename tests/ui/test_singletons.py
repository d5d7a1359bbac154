from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QObject

from guard_desk.ui.singletons import keep_singletons


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="they are immortal")
def test_calls_into_qt_never_use_up_the_singletons() -> None:
    keep_singletons()
    thing = QObject()
    for _ in range(200_000):
        thing.setObjectName("x")
        thing.isWidgetType()
    assert all(sys.getrefcount(one) > 1 << 40 for one in (None, True, False))
