"""The settings of a judge from text: as the command line gives them, and as a window checks them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from guard_desk.errors import InputError
from guard_desk.models.judges.wordings import load_wordings
from guard_desk.models.remote.address import parse_address
from guard_desk.records.evidence import Question
from guard_desk.records.judging import Classifier, JudgeSettings, RemoteForm

MOST_REQUESTS = 64
LONGEST_TIMEOUT_S = 3600.0
_CLASSIFIER = "classifier."
_KEYS = ("key", "api_key", "token", "password")


def read_settings(pairs: Sequence[str], start: JudgeSettings | None = None) -> JudgeSettings:
    """Settings from "NAME=VALUE" texts, the last one of a name counts.

    :raises InputError: naming the value, what is allowed and what to do.
    """
    settings = start or JudgeSettings()
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not value.strip():
            raise InputError(f"the judge's setting {name.strip()!r} has no value.", remedy="Write NAME=VALUE, e.g. concurrency=8.")
        settings = with_setting(settings, name.strip(), value.strip())
    return settings


def with_setting(settings: JudgeSettings, name: str, value: str) -> JudgeSettings:
    """Settings with one of them changed, read from text. "none" takes a target, model, price or wording back.

    :raises InputError: for an unknown name or a value that is not allowed.
    """
    if name.startswith(_CLASSIFIER):
        return _with_classifier(settings, name.removeprefix(_CLASSIFIER), value)
    if name in _KEYS:
        # The value is not repeated: it may be a secret.
        raise InputError("keys are no settings.", remedy="Set the key in the window (kept in the keyring), or GUARD_DESK_API_KEY.")
    if name not in _READERS:
        known = ", ".join((*_READERS, *(f"{_CLASSIFIER}{question}" for question in Question)))
        raise InputError(f"there is no setting {name!r} of a judge.", remedy=f"Known: {known}.")
    return replace(settings, **{name: _READERS[name](value)})


def check_requests(settings: JudgeSettings) -> None:
    """Settings of requests as a program may give them; those from text were checked when they were read.

    :raises InputError: for a number out of range.
    """
    _concurrency(str(settings.concurrency))
    _timeout(str(settings.timeout_s))
    for price in (settings.price_input, settings.price_output):
        _price(str(price).lower())


def without_secrets(settings: JudgeSettings) -> JudgeSettings:
    """Settings as they may be stored: an address that holds more than host and path is left out."""
    return settings if settings.target is None or _storable(settings.target) else replace(settings, target=None)


def keyless_name(name: str) -> str:
    """A judge's name as it may be stored: "NAME:TARGET" without a target that `without_secrets` would leave out."""
    plain, _, target = name.partition(":")
    return name if _storable(target) else plain


def _storable(target: str) -> bool:
    if "://" not in target:
        return True
    try:
        parse_address(target)
    except InputError:
        return False
    return True


def _text(value: str) -> str | None:
    return None if value == "none" else value


def _form(value: str) -> RemoteForm:
    try:
        return RemoteForm(value)
    except ValueError as exc:
        raise InputError(f"form={value!r} is no form of a server.", remedy=f"One of: {', '.join(RemoteForm)}.") from exc


def _concurrency(value: str) -> int:
    if not value.isdecimal() or not 1 <= int(value) <= MOST_REQUESTS:
        raise InputError(f"concurrency={value!r} is not allowed.", remedy=f"Give a whole number from 1 to {MOST_REQUESTS}.")
    return int(value)


def _timeout(value: str) -> float:
    seconds = _number(value)
    if seconds is None or not 0 < seconds <= LONGEST_TIMEOUT_S:
        remedy = f"Give the seconds that one request may take, more than 0 and at most {LONGEST_TIMEOUT_S:g}, e.g. 60."
        raise InputError(f"timeout_s={value!r} is not allowed.", remedy=remedy)
    return seconds


def _price(value: str) -> float | None:
    price = _number(value)
    if value != "none" and (price is None or price < 0):
        raise InputError(f"the price {value!r} is not allowed.", remedy="Give the price of a million tokens, e.g. 0.25, or none.")
    return price


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


_READERS: dict[str, Callable[[str], Any]] = {
    "target": _text,
    "model": _text,
    "form": _form,
    "concurrency": _concurrency,
    "timeout_s": _timeout,
    "price_input": _price,
    "price_output": _price,
    "wordings": lambda value: None if value == "none" else load_wordings(value),
}


def _with_classifier(settings: JudgeSettings, question: str, value: str) -> JudgeSettings:
    if question not in tuple(Question):
        raise InputError(f"there is no question {question!r}.", remedy=f"One of: {', '.join(Question)}.")
    others = tuple(classifier for classifier in settings.classifiers if classifier.question != question)
    if value == "none":
        return replace(settings, classifiers=others)
    source, label = _source_and_label(value)
    return replace(settings, classifiers=(*others, Classifier(question=question, source=source, label=label)))


def _source_and_label(value: str) -> tuple[str, str | None]:
    """ "FOLDER:label" in two; a colon of the path itself (a drive) is none before a label."""
    source, colon, label = value.rpartition(":")
    if not colon or Path(value).exists() or "/" in label or "\\" in label:
        return value, None
    if not source or not label.strip():
        raise InputError(f"the classifier {value!r} has no source or no label.", remedy="Write FOLDER, or FOLDER:label.")
    return source, label.strip()
