"""The judges by name: one loader, nothing heavy on import."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from guard_desk.errors import InputError
from guard_desk.protocols import Judge
from guard_desk.records.corpus import RecordedAnswers

# "embedded" is the best judge that ships: today the rules, later a trained model with them.
JUDGES = ("embedded", "features", "recorded")


def load_judge(name: str, *, recorded: Sequence[RecordedAnswers] = ()) -> Judge:
    """A judge by its name.

    :param name: one of `JUDGES`.
    :param recorded: the answers that the case file carries, for "recorded".
    :raises InputError: for an unknown name.
    """
    if name == "recorded":
        from guard_desk.models.judges.recorded import RecordedJudge

        return RecordedJudge(recorded)
    if name in ("embedded", "features"):
        return _features()
    raise InputError(f"there is no judge {name!r}.", remedy=f"Choose one of: {', '.join(JUDGES)}.")


@cache
def _features() -> Judge:
    from guard_desk.models.judges.features import FeaturesJudge

    return FeaturesJudge()
