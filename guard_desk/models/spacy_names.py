"""The decisions of spaCy's name finder, all texts of a batch at once.

spaCy steps through a text token by token, which takes three quarters of its time. While no name is open, its choice hangs on the vector of
the next token alone (state features of `spacy.TransitionBasedParser.v2` with state type "ner": next token, first and last token of the open
name), so these choices are made for all tokens in one product of matrices; only inside names of several words it goes word by word. The
weights, the allowed moves and therefore the names are those of spaCy (`_parser_internals/ner.pyx`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Name = tuple[int, int, str]
"""First token, token after the last one, label."""

_FEATURES = 3
_NEXT, _FIRST, _LAST = range(_FEATURES)
_IMPOSSIBLE = np.float32(-np.inf)


def understood(ner: Any) -> bool:
    """Whether a pipeline's name finder is of the kind that is understood here: the greedy one with three features and its own vectors."""
    try:
        model = ner.model
        plain = model.name == "parser_model" and model.attrs["has_upper"] and not model.attrs["unseen_classes"]
        own = not any(node.name.endswith(("listener", "trf_wrapper")) for node in model.walk())
        return bool(plain and own and ner.cfg["beam_width"] == 1 and model.get_ref("lower").get_dim("nF") == _FEATURES)
    except (AttributeError, KeyError, ValueError):
        return False


class NameFinder:
    """spaCy's name finder, read from a loaded component.

    :param ner: a component that is `understood`.
    """

    def __init__(self, ner: Any) -> None:
        lower, upper = ner.model.get_ref("lower"), ner.model.get_ref("upper")
        self._vectors = ner.model.get_ref("tok2vec")
        self._lower, self._bias, self._padding = lower, lower.get_param("b"), lower.get_param("pad")[0]
        self._weights, self._upper_bias = upper.get_param("W"), upper.get_param("b")
        moves = [ner.moves.get_class_name(at).partition("-") for at in range(ner.moves.n_moves)]
        self._moves = [(kind, label) for kind, _, label in moves]
        self._place = {move: at for at, move in enumerate(self._moves)}
        self._begins = np.array([kind == "B" and label != "" for kind, label in self._moves])
        self._units = np.array([kind == "U" and label != "" for kind, label in self._moves])
        self._out = self._place["O", ""]

    def names(self, docs: Sequence[Any]) -> Iterator[list[Name]]:
        """The names of each tokenized text."""
        full = [doc for doc in docs if len(doc)]
        vectors = self._vectors.predict(full) if full else np.zeros((0, 0), dtype=np.float32)
        start = 0
        for doc in docs:
            if not len(doc):
                yield []
                continue
            # Row 0 of what spaCy's layer gives is the padding, which is not needed.
            features = self._lower.predict(vectors[start : start + len(doc)])[1:]
            start += len(doc)
            yield list(self._read(features, doc.to_array("IS_SPACE").astype(bool)))

    def _read(self, features: Floats, spaces: npt.NDArray[np.bool_]) -> Iterator[Name]:
        """The names of one text.

        :param features: (tokens, 3, hidden, pieces).
        """
        closed = self._closed(features, spaces)
        reached = 0
        for at in np.flatnonzero(closed != self._out).tolist():
            if at < reached:
                continue
            kind, label = self._moves[closed[at]]
            reached = at + 1 if kind == "U" else self._end(features, at, label)
            yield at, reached, label

    def _closed(self, features: Floats, spaces: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """The move at each token where no name is open: a name may not begin at white space, nor one of several words at the last token."""
        hidden = features[:, _NEXT] + (self._padding[_FIRST] + self._padding[_LAST] + self._bias)
        scores = hidden.max(axis=2) @ self._weights.T + self._upper_bias
        allowed = np.tile(self._begins | self._units, (len(features), 1))
        allowed[spaces] = False
        allowed[-1] &= self._units
        allowed[:, self._out] = True
        return np.asarray(np.where(allowed, scores, _IMPOSSIBLE).argmax(axis=1), dtype=np.int64)

    def _end(self, features: Floats, first: int, label: str) -> int:
        """The token after a name that begins at `first`: it goes on until the model says that its last word is reached."""
        inside, last = self._place["I", label], self._place["L", label]
        rows, bias = self._weights[[inside, last]], self._upper_bias[[inside, last]]
        base = features[first, _FIRST] + self._bias
        for at in range(first + 1, len(features) - 1):
            hidden = (base + features[at, _NEXT] + features[at - 1, _LAST]).max(axis=1)
            goes_on, ends = (rows @ hidden + bias).tolist()
            if ends > goes_on or (ends == goes_on and last < inside):
                return at + 1
        return len(features)
