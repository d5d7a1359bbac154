"""The judges by name: one loader, nothing heavy on import."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module

from guard_desk.errors import InputError
from guard_desk.policy import Thresholds
from guard_desk.protocols import Judge
from guard_desk.records.corpus import RecordedAnswers
from guard_desk.records.judging import JudgeSettings

_MODULES = {
    "embedded": "embedded",
    "features": "features",
    "systemone": "systemone",
    "gguf": "gguf",
    "llm": "llm",
    "cross-encoder": "cross_encoder",
}
JUDGES = (*_MODULES, "recorded")
"""The names that `load_judge` takes, the default first."""

WITHOUT_SETTINGS = ("embedded", "features", "recorded")
"""Judges that need no settings and can be asked at once."""

_TARGETS = {"systemone": "the address of its server", "llm": "the address of its server", "gguf": "the path of its model file"}
TAKE_TARGET = tuple(_TARGETS)
"""Judges that may be named "NAME:TARGET"."""

# Settings of the window change often and each makes another judge: only the last ones are kept.
_KEPT = 8


def load_judge(
    name: str, *, settings: JudgeSettings | None = None, recorded: Sequence[RecordedAnswers] = (), device: str = "auto"
) -> Judge:
    """A judge by its name; the same one for the same name, settings and device.

    :param name: one of `JUDGES`, or "NAME:TARGET", e.g. "gguf:model.gguf".
    :param settings: None = the defaults.
    :param recorded: the answers that the case file carries, for "recorded".
    :param device: auto, cpu, cuda, cuda:N or mps.
    :raises InputError: for an unknown name, or a target where none belongs.
    :raises MissingModelError: naming the command that installs what is missing.
    """
    name, settings = split_name(name, settings or JudgeSettings())
    if name == "recorded":
        from guard_desk.models.judges.recorded import RecordedJudge

        return RecordedJudge(recorded)
    return _loaded(name, JudgeSettings() if name in WITHOUT_SETTINGS else settings, device)


def split_name(name: str, settings: JudgeSettings) -> tuple[str, JudgeSettings]:
    """The judge's own name, and the settings with the target of "NAME:TARGET".

    :raises InputError: for an unknown name, or a target where none belongs.
    """
    plain, colon, target = name.partition(":")
    if plain not in JUDGES:
        raise InputError(f"there is no judge {plain!r}.", remedy=f"Choose one of: {', '.join(JUDGES)}.")
    if not colon:
        return plain, settings
    if plain not in _TARGETS:
        raise InputError(f"the judge {plain!r} takes no target ({target!r} was given).", remedy=f"Write {plain!r} alone.")
    if not target.strip():
        raise InputError(f"the judge {name!r} has no target after the colon.", remedy=f"Give {_TARGETS[plain]}.")
    return plain, replace(settings, target=target.strip())


@cache
def thresholds_of(judge: str) -> Thresholds:
    """The own thresholds of the judge of this name (`Judgement.judge`); the recipe's for one that has none, or is not known.

    Loads no network: deciding again takes no model.

    :raises ModelError: when the installation lacks the weights of "embedded", or they cannot be used.
    """
    if judge == "embedded":
        from guard_desk.models.judges import calibration, network

        folder = network.judge_folder()
        return calibration.load_calibration(folder, network.describe(folder).weights).thresholds
    return load_judge("features").thresholds if judge == "features" else Thresholds()


@lru_cache(maxsize=_KEPT)
def _loaded(name: str, settings: JudgeSettings, device: str) -> Judge:
    judge: Judge = import_module(f"{__name__}.{_MODULES[name]}").load(settings, device)
    return judge
