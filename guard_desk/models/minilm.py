"""The embedded encoder: all-MiniLM-L6-v2 from the files of a pinned package."""

from __future__ import annotations

from guard_desk.models.embedded import catalogue, embedded_folder
from guard_desk.models.sentence_transformer import SentenceTransformerEncoder

NAME = "minilm"


def load_minilm(device: str = "auto") -> SentenceTransformerEncoder:
    """The encoder; its weights are read when the first text has to be encoded.

    :param device: auto, cpu, cuda, cuda:N or mps.
    :raises MissingModelError: when the package is not installed.
    :raises ModelHashError: when a file differs from the one we know.
    """
    folder = embedded_folder(NAME)
    entry = catalogue()[NAME]
    # The hash of the weights stands for all files: each was compared with the catalogue.
    weights = str(entry["files"][entry["weights"]])
    return SentenceTransformerEncoder(name=NAME, folder=folder, digest=weights, weights=weights, device=device, detail=str(entry["detail"]))
