"""Learned detectors of unsupported words, behind `protocols.SpanDetector`. Nothing heavy on import."""

from __future__ import annotations

from functools import lru_cache

from guard_desk.protocols import SpanDetector

# A detector is large; the window may switch between two.
_KEPT = 2


@lru_cache(maxsize=_KEPT)
def load_detector(name: str, device: str = "auto") -> SpanDetector:
    """A token classifier of the lettucedetect kind.

    :param name: a folder, "folder:PATH", or "organisation/name" of the local hub cache.
    :param device: auto, cpu, cuda, cuda:N or mps.
    :raises MissingModelError: for a hub name that is not in the cache.
    :raises ModelError: for a folder that is no token classifier, that would run code or unpickle.
    """
    from guard_desk.models.detectors.token_classifier import TokenDetector
    from guard_desk.models.detectors.token_folder import open_token_classifier

    return TokenDetector(open_token_classifier(name), device)
