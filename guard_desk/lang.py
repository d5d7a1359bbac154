"""Language data (negation cues, number words, months, vague phrases, ...) from `resources/lang/<code>.toml`.

Language knowledge is data: rules in `text/` read it from here, and a new language is a new file.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from guard_desk import resources


@cache
def codes() -> tuple[str, ...]:
    """The languages that have a data file, sorted ("de", "en", "es", "fr", "ta", "zh")."""
    return tuple(sorted(file.stem for file in resources.path("lang").glob("*.toml")))


@cache
def table(code: str) -> Mapping[str, Any]:
    """The whole data of one language.

    :param code: a code of `codes()`.
    :raises KeyError: for a language without a file.
    """
    file = resources.path("lang", f"{code}.toml")
    if not file.is_file():
        raise KeyError(f"no language data for {code!r}; there is {', '.join(codes())}")
    with file.open("rb") as stream:
        return tomllib.load(stream)


@cache
def entry(code: str, dotted: str, default: Any = ()) -> Any:
    """One entry by its dotted path, e.g. `entry("en", "negation.not")`; `default` where a language lacks it or has no data at all."""
    if code not in codes():
        return default
    value: Any = table(code)
    for part in dotted.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return default
        value = value[part]
    return tuple(value) if isinstance(value, list) else value


@cache
def digest() -> str:
    """sha256 over all language files: part of the revision of every judge that uses rules."""
    total = hashlib.sha256()
    for code in codes():
        total.update(resources.path("lang", f"{code}.toml").read_bytes())
    return total.hexdigest()
