"""Finds instructions in a passage that are aimed at the system answering the question.

The words and rules are data (`resources/injection.toml`); the code undoes hiding and encoding, cuts sentences, and adds up evidence.
"""

from guard_desk.text.injection.lexicon import digest
from guard_desk.text.injection.scan import InjectionFinding, InjectionScan, scan

__all__ = ["InjectionFinding", "InjectionScan", "digest", "scan"]
