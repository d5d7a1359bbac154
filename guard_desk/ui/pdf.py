"""Prints the HTML report of a run into a PDF file."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QMarginsF, QSizeF
from PySide6.QtGui import QFont, QPageLayout, QPageSize, QPdfWriter, QTextDocument
from PySide6.QtWidgets import QApplication

from guard_desk.errors import InputError
from guard_desk.records.trace import Trace
from guard_desk.report.web import html_page
from guard_desk.version import __version__

_MARGIN_MM = 14.0
_POINTS = 9.0


class _Kept:
    """An application that the command line made; Qt wants it to outlive the call."""

    application: QApplication | None = None


def save_pdf(trace: Trace, path: Path | str) -> None:
    """Print the report on A4 pages.

    :raises InputError: when the file cannot be written.
    """
    if QApplication.instance() is None:  # fonts need one
        _Kept.application = QApplication([])
    target = Path(path).expanduser()
    part = target.with_name(f".{target.name}.part")
    document = QTextDocument()
    document.setDefaultFont(QFont("Noto Sans", int(_POINTS)))
    document.setHtml(_printable(html_page(trace)))
    writer = QPdfWriter(str(part))
    writer.setTitle("Guard Desk report")
    writer.setCreator(f"Guard Desk {__version__}")
    writer.setResolution(150)
    margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    layout = QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Landscape, margins, QPageLayout.Unit.Millimeter)
    writer.setPageLayout(layout)
    document.documentLayout().setPaintDevice(writer)
    document.setPageSize(QSizeF(layout.paintRectPixels(150).size()))
    document.print_(writer)
    del writer  # ends the file
    try:
        part.replace(target)
    except OSError as exc:
        raise InputError(f"cannot be written: {exc.strerror}.", path=target, remedy="Choose another folder.") from exc
    finally:
        part.unlink(missing_ok=True)


def _printable(page: str) -> str:
    """The page in the older style language that Qt prints: light colours in place of variables, bars as text, details opened."""
    colors = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", page.split(":root {", 1)[1].split("}", 1)[0]))
    for pattern, made in (
        (r"@media [^{]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", ""),
        (r":root \{[^}]*\}", ""),
        (r"\.bar div \{[^}]*\}", ""),
        (r'<div class="bar"><span>(.*?)</span><div[^>]*></div><span>(\d+)</span></div>', r"<p><b>\2</b> \1</p>"),
        (r'<div class="card"><b>(.*?)</b>(.*?)</div>', r"<p><b>\1</b> \2</p>"),
        (r"<th scope=\"col\">Passage</th><th scope=\"col\">Place</th>", '<th width="420">Passage</th><th width="150">Place</th>'),
        (r"<table>", '<table width="100%">'),
        (r"<summary>", "<b>"),
        (r"</summary>", "</b>"),
        (r"</?(?:details|bdi)[^>]*>", ""),
    ):
        page = re.sub(pattern, made, page)
    page = re.sub(r"var\(--([\w-]+)\)", lambda found: colors.get(found[1], "#000000"), page)
    return page.replace("<mark class", "<span class").replace("</mark>", "</span>").replace("mark.", "span.").replace("rem;", "em;")
