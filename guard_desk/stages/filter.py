"""Exact version and scope filters: the first stage."""

from __future__ import annotations

import numpy as np

from guard_desk.records.corpus import Corpus, Query
from guard_desk.records.evidence import Filtered, frozen_array


def filter_corpus(corpus: Corpus, query: Query) -> Filtered:
    """Keep the passages whose version and scope are exactly those of the query.

    A filter that the query does not set keeps everything. A passage without the field is left out. One that fails both
    filters is counted under version.

    :param corpus: all passages.
    :param query: `version` and `scope` are the filters; None = not set.
    """
    kept: list[int] = []
    counts = {"version_missing": 0, "version_other": 0, "scope_missing": 0, "scope_other": 0}
    for position, passage in enumerate(corpus.passages):
        cause = _cause("version", passage.version, query.version) or _cause("scope", passage.scope, query.scope)
        if cause:
            counts[cause] += 1
        else:
            kept.append(position)
    positions = np.array(kept, dtype=np.int64)
    frozen_array(positions)
    return Filtered(kept=positions, total=len(corpus), **counts)


def _cause(field: str, value: str | None, wanted: str | None) -> str:
    """Why a filter leaves a passage out; "" when it does not."""
    if wanted is None or value == wanted:
        return ""
    return f"{field}_missing" if value is None else f"{field}_other"
