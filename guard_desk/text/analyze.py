"""Everything that is known of one text without a model, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import TextFacts
from guard_desk.text.facts import find_facts
from guard_desk.text.languages import detect, with_data
from guard_desk.text.names import find_names, merge
from guard_desk.text.polarity import find_cues
from guard_desk.text.sentences import sentences
from guard_desk.text.values import find_values

Entities = Sequence[tuple[Span, str]]


def analyze_text(text: str, languages: Sequence[str] | None = None, entities: Entities = ()) -> TextFacts:
    """Languages, sentences, typed values, cues and facts of a text.

    :param languages: codes, the main one first; found by `languages.detect` when None.
    :param entities: (span, label) pairs of a model; joined with the names that the rules find.
    """
    return _analyze(text, None if languages is None else tuple(languages), tuple(entities))


@lru_cache(maxsize=2048)
def _analyze(text: str, languages: tuple[str, ...] | None, entities: tuple[tuple[Span, str], ...]) -> TextFacts:
    codes = with_data(detect(text) if languages is None else languages)
    found = sentences(text)
    values = find_values(text, codes, merge(find_names(text, codes[0]), entities))
    cues = find_cues(text, codes)
    return TextFacts(languages=codes, sentences=found, values=values, cues=cues, facts=find_facts(text, found, values, cues, codes))
