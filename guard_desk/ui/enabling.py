"""Which commands can act now: every menu, the tool bar and the palette follow these facts. No drawing in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from guard_desk.policy import Policy, Thresholds
from guard_desk.records.corpus import LoadResult
from guard_desk.ui.preferences import LARGEST, SMALLEST
from guard_desk.ui.view import Phase, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What a `View` does not tell.

    :param question: something stands in the question box.
    :param last: there is a last session to go on with.
    :param agreed: somebody agreed that passages are sent somewhere without asking again.
    :param text_scale: size of the text, 1 = the system's.
    """

    question: bool
    last: bool
    agreed: bool
    text_scale: float


class Enabling:
    """Knows what commands need (`Command.needs`)."""

    def __init__(self) -> None:
        self._loaded: LoadResult | None = None
        self._filterable = False

    def facts(self, view: View, outside: Outside) -> Mapping[str, bool]:
        """Name of a need -> whether it is met."""
        busy = view.phase in (Phase.RUNNING, Phase.LOADING)
        rested = view.loaded is not None and not busy
        return {
            "": True,
            "corpus": rested,
            "question": rested and outside.question,
            "versions": rested and self._has_versions(view.loaded),
            "left out": view.loaded is not None and bool(view.loaded.skipped or view.loaded.renamed),
            "passages": view.loaded is not None or view.trace is not None,
            "run": view.trace is not None,
            "busy": busy or view.progress is not None,
            "last": outside.last,
            "agreed": outside.agreed,
            **_policy_facts(view),
            "larger": outside.text_scale < LARGEST,
            "smaller": outside.text_scale > SMALLEST,
            "scaled": outside.text_scale != 1.0,
        }

    def _has_versions(self, loaded: LoadResult | None) -> bool:
        """Whether a passage has a version or a scope; looked up once for each corpus."""
        if loaded is not self._loaded:
            self._loaded = loaded
            passages = loaded.corpus.passages if loaded is not None else ()
            self._filterable = any(passage.version or passage.scope for passage in passages)
        return self._filterable


def _policy_facts(view: View) -> dict[str, bool]:
    state, ran = view.state, view.trace is not None
    now = (state.policy, state.overrides)
    return {
        "not default": state.policy != Policy(),
        "not recipe": state.policy.thresholds != Thresholds(),
        "not pinned": ran and (state.baseline, state.baseline_overrides) != now,
        "off baseline": ran and view.baseline is not None and (view.baseline.policy, view.baseline.overrides) != now,
    }
