"""Guard Desk: inspect, tune and explain the step between retrieval and generation.

    from guard_desk import load_corpus, run
    trace = run(load_corpus("docs/").corpus, "How long are backups kept?")

Nothing heavy is imported until a name is used; no model is loaded until a call needs it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from guard_desk.version import __version__

if TYPE_CHECKING:
    from guard_desk.api import (
        Models,
        build_thin_prompt,
        compare_judges,
        estimate,
        expand,
        judge,
        load_corpus,
        load_trace,
        merge_verdict,
        redecide,
        route,
        run,
        save_trace,
        search,
        thin,
        verify,
    )
    from guard_desk.policy import Policy, Thresholds
    from guard_desk.records.corpus import Passage, Query
    from guard_desk.records.trace import Trace

_HOME = {
    **dict.fromkeys(("Policy", "Thresholds"), "guard_desk.policy"),
    **dict.fromkeys(("Passage", "Query"), "guard_desk.records.corpus"),
    "Trace": "guard_desk.records.trace",
}

__all__ = [
    "Models",
    "Passage",
    "Policy",
    "Query",
    "Thresholds",
    "Trace",
    "__version__",
    "build_thin_prompt",
    "compare_judges",
    "estimate",
    "expand",
    "judge",
    "load_corpus",
    "load_trace",
    "merge_verdict",
    "redecide",
    "route",
    "run",
    "save_trace",
    "search",
    "thin",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'guard_desk' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME.get(name, "guard_desk.api")), name)


def __dir__() -> list[str]:
    return __all__
