"""Any frozen record as plain dicts and lists, for JSON output."""

from __future__ import annotations

from functools import cache
from typing import Any

import cattrs


def to_fields(record: object) -> dict[str, Any]:
    """The fields of a record, nested records as dicts, tuples as lists, enums as their words."""
    fields: dict[str, Any] = _converter().unstructure(record)
    return fields


@cache
def _converter() -> cattrs.Converter:
    converter = cattrs.Converter()
    converter.register_unstructure_hook(tuple, lambda items: [converter.unstructure(item) for item in items])
    return converter
