"""Another name where the premise has one, and who does what to whom."""

from __future__ import annotations

from collections.abc import Iterator

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import CueKind
from guard_desk.text.passage_reading import PassageReading, SentenceReading
from guard_desk.text.phrases import PhraseTable
from guard_desk.text.premise import Premise
from guard_desk.text.premise_parts import PremiseCheck, align, key_of_name
from guard_desk.text.question_reading import QuestionReading, placed_keys, premise_phrases
from guard_desk.text.thinning.language import phrase_list

_NAMES_ASKED = frozenset({"person", "place", "entity", "thing"})


def entity_signs(reading: QuestionReading, premise: Premise, passage: PassageReading, sentence: SentenceReading) -> Iterator[PremiseCheck]:
    """Another name stands where the premise has one, and the rest is the same; not where a name is what is asked.

    Where the passage has none of the premise's names, it may speak of something else; it does not when all the rest is the same and the
    other name stands in the very place: behind "by", or beside the same "is".
    """
    if reading.asked & _NAMES_ASKED and reading.form not in ("reason", "manner"):
        return
    named = {key_of_name(name, reading): name for name in reading.names if not name.isdigit() and " " not in name}
    mine = {key: name for key, name in named.items() if key in premise.keys}
    missing = [name for name in mine.values() if name not in passage.names]
    present = [name for name in mine.values() if name in passage.names]
    rest = premise.keys - set(mine)
    strangers = [name for name in passage.names - reading.names if name in sentence.text.casefold() and not name.isdigit()]
    if not (missing and strangers and rest):
        return
    there = sentence.keys if present else sentence.keys | passage.title_keys
    shared = len(rest & there) / len(rest)
    if shared >= 0.5 if present else shared == 1.0 and _in_its_place(reading, premise, sentence, missing, strangers):
        yield PremiseCheck(
            check="entity",
            strength=shared,
            detail=f"The passage says this of {strangers[0]!r}, not of {missing[0]!r}.",
            spans=(sentence.span,),
            query_spans=(premise.span,),
        )


def _in_its_place(reading: QuestionReading, premise: Premise, sentence: SentenceReading, missing: list[str], strangers: list[str]) -> bool:
    """Whether a stranger is the agent of a passive sentence, or stands beside a copula as the missing name does in the question."""
    if _beside(premise_phrases(reading.language, "agent"), sentence.text, strangers, before=False):
        return True
    copula = phrase_list(reading.language, "copula")
    asked = _beside(copula, premise.span.of(reading.text), missing, before=True)
    return asked and _beside(copula, sentence.text, strangers, before=True)


def _beside(words: PhraseTable[str], text: str, names: list[str], *, before: bool) -> bool:
    """Whether a name follows one of the words; with `before`, also whether it stands right before."""
    for match in words.find(text):
        behind, ahead = text[match.span.end :].lstrip().casefold(), text[: match.span.start].rstrip().casefold()
        if any(behind.startswith(name) or (before and ahead.endswith(name)) for name in names):
            return True
    return False


def order_signs(reading: QuestionReading, premise: Premise, sentence: SentenceReading) -> Iterator[PremiseCheck]:
    """Subject and object are exchanged: the same words turned round, or the same order with "by" in one of them only."""
    own = premise.span.of(reading.text)
    mine = _once([(key, place) for key, place in placed_keys(own, reading.language) if not key.isdigit()])
    theirs = [(key, Span(place.start - sentence.span.start, place.end - sentence.span.start)) for key, place in sentence.order]
    theirs = [(key, place) for key, place in theirs if not key.isdigit()]
    compared = any(cue.kind is CueKind.COMPARISON for cue in premise.cues)  # "heavier than", turned round, is its opposite
    asked, said = _agents(reading, own), _agents(reading, sentence.text)
    triples = {tuple(key for key, _ in triple): triple for triple in zip(theirs, theirs[1:], theirs[2:], strict=False)}
    for first, second, third in zip(mine, mine[1:], mine[2:], strict=False):
        keys = (first[0], second[0], third[0])
        if len(set(keys)) < 3:
            continue
        turned, same = triples.get(keys[::-1]), triples.get(keys)
        passive = _between(asked, second[1], third[1])
        if (turned is not None and _between(said, turned[1][1], turned[2][1]) == passive) or (
            same is not None and _between(said, same[1][1], same[2][1]) != passive
        ):
            yield PremiseCheck(
                check="opposite" if compared else "order",
                strength=align(premise, sentence),
                detail="Who does what is the other way round in the passage.",
                spans=(sentence.span,),
                query_spans=(premise.span,),
            )
            return


def _once(placed: list[tuple[str, Span]]) -> list[tuple[str, Span]]:
    keys = [key for key, _ in placed]
    return [(key, place) for key, place in placed if keys.count(key) == 1]


def _agents(reading: QuestionReading, text: str) -> list[Span]:
    return [match.span for match in premise_phrases(reading.language, "agent").find(text)]


def _between(agents: list[Span], left: Span, right: Span) -> bool:
    return any(left.end <= span.start and span.end <= right.start for span in agents)
