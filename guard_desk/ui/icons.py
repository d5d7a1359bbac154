"""Icons by what they mean, drawn by qtawesome in the theme's colours."""

from __future__ import annotations

from functools import cache

import qtawesome
from PySide6.QtGui import QIcon

from guard_desk.ui.theme import Colors

_NAMES = {
    "open": "mdi6.folder-open-outline",
    "run": "mdi6.play",
    "cancel": "mdi6.stop",
    "undo": "mdi6.undo",
    "redo": "mdi6.redo",
    "baseline": "mdi6.pin-outline",
    "reset": "mdi6.backup-restore",
    "table": "mdi6.table",
    "device": "mdi6.chip",
    "save": "mdi6.content-save-outline",
    "copy": "mdi6.content-copy",
    "edit": "mdi6.pencil-outline",
    "again": "mdi6.refresh",
    "forward": "mdi6.arrow-right",
    "search": "mdi6.magnify",
    "warning": "mdi6.alert-outline",
    "error": "mdi6.alert-circle-outline",
    "info": "mdi6.information-outline",
    "done": "mdi6.check",
    "settings": "mdi6.tune",
    "split": "mdi6.call-split",
    "merge": "mdi6.call-merge",
    "link": "mdi6.link-variant",
    "expand": "mdi6.chevron-right",
    "filter": "mdi6.filter-outline",
}


@cache
def icon(meaning: str, colors: Colors, color: str = "") -> QIcon:
    """An icon by its meaning.

    :param color: #rrggbb; the muted text colour when not given.
    :raises KeyError: for a meaning that has no icon.
    """
    return qtawesome.icon(_NAMES[meaning], color=color or colors.text, color_disabled=colors.edge)
