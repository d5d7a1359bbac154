"""Reports of a trace as files: HTML, CSV, XLSX, JSON."""

from guard_desk.report.files import KINDS, save_report

__all__ = ["KINDS", "save_report"]
