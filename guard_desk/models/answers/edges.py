"""Which tokens may begin and end an answer: whole words of the passage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]


class Edges:
    """Knows which word pieces go on with the word before them.

    :param tokenizer: of the library `tokenizers`, with a vocabulary of word pieces ("##ing").
    """

    def __init__(self, tokenizer: Any) -> None:
        vocabulary: dict[str, int] = tokenizer.get_vocab(with_added_tokens=True)
        self._continues = np.zeros(max(vocabulary.values()) + 1, dtype=np.bool_)
        for piece, number in vocabulary.items():
            self._continues[number] = piece.startswith("##")

    def masks(self, ids: Sequence[int] | npt.NDArray[Any], text: int) -> tuple[Flags, Flags]:
        """The tokens of a row that may begin an answer, and those that may end one.

        :param ids: the row, [SEP] last; `text` is the position of the passage's first token.
        """
        inner = self._continues[np.asarray(ids)]
        last = np.roll(~inner, -1)
        first = ~inner
        for flags in (first, last):
            flags[:text] = False
            flags[-1] = False
        return first, last

    def widened(self, ids: Sequence[int], first: int, last: int) -> tuple[int, int]:
        """The span grown to whole words."""
        while self._continues[ids[first]]:
            first -= 1
        while last + 1 < len(ids) and self._continues[ids[last + 1]]:
            last += 1
        return first, last
