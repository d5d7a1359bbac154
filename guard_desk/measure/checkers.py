"""Who checked an answer: the rules alone, or which models beside them."""

from __future__ import annotations

from guard_desk.records.answer import AnswerState
from guard_desk.records.state import Models
from guard_desk.records.trace import Trace

_NOT_USED = "Not used"
_OWN = "embedded"
_RULES = "Rules: values, names, denials, roles, citations, quotes. They always read, on this machine."
_EDITED = "The language model is asked in a run, not while the answer is edited: press F5 to have it read this one."


def checkers(trace: Trace, models: Models) -> tuple[str, str]:
    """One line for the foot of an answer, and what each of them does.

    :param models: those that are chosen now.
    :returns: ("", "") where nothing was checked.
    """
    if trace.verified.state is not AnswerState.CHECKED:
        return "", ""
    used = [model for model in trace.verified.models if not model.detail.startswith(_NOT_USED)]
    names = [reader_name(model.name) for model in used]
    line = f"checked by rules + {' + '.join(names)}" if names else "checked by rules alone"
    tips = [_RULES, *(f"{reader_name(model.name)}: {model.detail}" for model in trace.verified.models)]
    if models.claim_model is not None and not _asked(trace, models):
        tips.append(_EDITED)
        line += ", not yet by the language model"
    return line, "\n".join(tips)


def reader_name(name: str) -> str:
    """What people call a model that reads answers."""
    return "claim head" if name == _OWN else name.rpartition("/")[2] or name


def reader_words(name: str) -> str:
    """The same inside a sentence."""
    return f"the {reader_name(name)}" if name == _OWN else reader_name(name)


def _asked(trace: Trace, models: Models) -> bool:
    """Whether a language model took part: one that is neither our claim head nor the detector."""
    others = (_OWN, (models.detector or "").removeprefix("folder:"))
    return any(model.name not in others for model in trace.verified.models)
