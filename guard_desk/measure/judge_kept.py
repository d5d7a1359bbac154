"""Scores of slow models, kept in a file across runs of a bench."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path


class KeptScores:
    """Numbers by the hash of what they were given for, one JSON line each, written as they come. A damaged line is as good as none.

    :param file: made at the first score; named after the model and its revision, so that another one starts afresh.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._scores: dict[str, tuple[float, ...]] = {}
        for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
            try:
                key, *numbers = json.loads(line)
                self._scores[str(key)] = tuple(float(number) for number in numbers)
            except (ValueError, TypeError):
                continue

    def __contains__(self, texts: tuple[str, ...]) -> bool:
        return _key(texts) in self._scores

    def get(self, texts: tuple[str, ...]) -> tuple[float, ...]:
        """What was kept. :raises KeyError: when nothing was."""
        return self._scores[_key(texts)]

    def add(self, texts: tuple[str, ...], numbers: Sequence[float]) -> None:
        """Keep the numbers of these texts."""
        self._scores[_key(texts)] = tuple(numbers)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps([_key(texts), *numbers]) + "\n")


def _key(texts: tuple[str, ...]) -> str:
    return hashlib.sha256(json.dumps(texts, ensure_ascii=True).encode()).hexdigest()
