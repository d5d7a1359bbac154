"""Bytes in, records out, and back: one module a format, one registry (`registry.READERS`)."""

from guard_desk.formats.collect import corpus_digest, make_corpus
from guard_desk.formats.load import load_corpus
from guard_desk.formats.write import safe_cell, save_case, save_passages

__all__ = ["corpus_digest", "load_corpus", "make_corpus", "safe_cell", "save_case", "save_passages"]
