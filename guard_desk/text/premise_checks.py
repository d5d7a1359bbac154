"""Holds the premises of a question against the sentences of a passage: values, denials, opposites, names, order of roles.

Each check gives a strength 0..1: how sure it is that the passage cannot be true together with the premise. How much a check counts in
the end is fitted (see `resources/judge/features.toml`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Bound, Cue, CueKind, Value, ValueKind
from guard_desk.text.languages import is_cjk
from guard_desk.text.passage_reading import PassageReading, SentenceReading
from guard_desk.text.polarity import antonyms
from guard_desk.text.premise import Premise
from guard_desk.text.question_reading import QuestionReading, key_of, placed_keys, premise_phrases
from guard_desk.text.values import Relation, compare
from guard_desk.text.words import fold_word, stem_word

CHECKS = ("quantity", "date", "denial", "opposite", "exclusive", "entity", "order")
LEAST_ALIGNED = 0.3
# Chinese keys are pairs of characters: the first word behind a negation takes about three.
HAN_HEAD = 3

_AMOUNTS = frozenset({ValueKind.NUMBER, ValueKind.MONEY, ValueKind.PERCENT})
_MOMENTS = frozenset({ValueKind.DATE, ValueKind.TIME})
# Meanings of one kind that exclude each other; with ">" only this way round.
_OPPOSITES: dict[CueKind, str] = {
    CueKind.DIRECTION: "up/down before/after include/exclude enable/disable import/export upload/download buy/sell send/receive"
    " inside/outside left/right north/south east/west",
    CueKind.STATUS: "active/ended open/closed approved/rejected planned/completed mandatory_free/paid public/private",
    CueKind.QUANTIFIER: "all/none all>only none/some always/seldom at_least/at_most",
    CueKind.COMPARISON: "more/less",
}
_NAMES_ASKED = frozenset({"person", "place", "entity", "thing"})
_LIFTS = frozenset({"unless", "except"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PremiseCheck:
    """One sign that a passage denies a premise.

    :param check: one of `CHECKS`.
    :param strength: 0..1.
    """

    check: str
    strength: float
    detail: str
    spans: tuple[Span, ...]
    query_spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PremiseVerdict:
    """What holding the premises against a passage gave.

    :param found: the checks that found something, strongest first.
    :param agreement: 0..1, how well the best sentence without any finding restates a premise.
    :param alignment: 0..1, share of a premise's words in the best sentence.
    :param other_scope: names of the question that the passage lacks while it has others: it speaks of something else.
    """

    found: tuple[PremiseCheck, ...]
    agreement: float
    alignment: float
    other_scope: bool

    def strength(self, check: str) -> float:
        """The strongest finding of a check; 0 without one."""
        return max((item.strength for item in self.found if item.check == check), default=0.0)


def check_premises(reading: QuestionReading, premises: Sequence[Premise], passage: PassageReading) -> PremiseVerdict:
    """Hold every premise against every sentence."""
    found: list[PremiseCheck] = []
    agreement = alignment = 0.0
    for premise in premises:
        for sentence in passage.sentences:
            aligned = align(premise, sentence)
            alignment = max(alignment, aligned)
            signs = list(_signs(reading, premise, passage, sentence, aligned))
            found.extend(signs)
            if not signs:
                agreement = max(agreement, aligned)
    strongest = tuple(sorted(found, key=lambda item: -item.strength))
    return PremiseVerdict(found=strongest, agreement=agreement, alignment=alignment, other_scope=is_other_scope(reading, passage))


def align(premise: Premise, sentence: SentenceReading) -> float:
    """Share of the premise's words in a sentence, those of title and sentence before counting half."""
    if not premise.keys:
        return 0.0
    own = len(premise.keys & sentence.keys)
    around = len(premise.keys & (sentence.context - sentence.keys))
    return (own + around * 0.5) / len(premise.keys) if own or around else 0.0


def is_other_scope(reading: QuestionReading, passage: PassageReading) -> bool:
    """Whether the passage has none of the question's names, but others; or states the amount of another year."""
    years = {name for name in reading.names if _is_year(name)}
    names = reading.names - years
    others = {name for name in passage.names if not _is_year(name)}
    if names and others and not any(name in passage.names or key_of_name(name, reading) in passage.keys for name in names):
        return True
    amounts = any(value.kind in _AMOUNTS for value in reading.facts.values)
    return bool(years) and amounts and not years & passage.names and any(_is_year(name) for name in passage.names)


def _is_year(name: str) -> bool:
    return name.isdigit() and len(name) == 4


def _signs(
    reading: QuestionReading, premise: Premise, passage: PassageReading, sentence: SentenceReading, aligned: float
) -> Iterator[PremiseCheck]:
    if aligned < LEAST_ALIGNED:
        return
    lift = 0.4 if _is_lifted(reading, sentence) else 1.0
    yield from _value_signs(reading, premise, passage, sentence, aligned * lift)
    yield from _denial_signs(premise, sentence, aligned, lift)
    yield from _opposite_signs(reading.language, premise, sentence, aligned * lift)
    yield from _exclusive_signs(premise, sentence, aligned * lift)
    yield from _entity_signs(reading, premise, passage, sentence)
    yield from _order_signs(reading, premise, sentence)


def _is_lifted(reading: QuestionReading, sentence: SentenceReading) -> bool:
    """Whether an exception of the sentence ("unless --force") is what the question is about."""
    for cue in sentence.cues:
        if cue.kind is CueKind.CONDITION and cue.meaning in _LIFTS:
            behind = {key for key, place in sentence.order if place.start >= cue.span.end}
            if behind & reading.keys:
                return True
    return False


# ------------------------------------------------------------------ values


def _value_signs(
    reading: QuestionReading, premise: Premise, passage: PassageReading, sentence: SentenceReading, aligned: float
) -> Iterator[PremiseCheck]:
    for mine in premise.values:
        kinds, check = (_AMOUNTS, "quantity") if mine.kind in _AMOUNTS else (_MOMENTS, "date")
        if _is_trivial(mine, reading) or _is_stated(mine, premise, passage, sentence):
            continue
        rival = next((other for other in sentence.values if other.kind in kinds and _differs(mine, other, premise)), None)
        if rival is not None:
            yield PremiseCheck(
                check=check,
                strength=min(1.0, aligned),
                detail=f"The question takes {mine.text!r} for granted; the passage says {rival.text!r}.",
                spans=(rival.span,),
                query_spans=(mine.span,),
            )


def _is_stated(mine: Value, premise: Premise, passage: PassageReading, sentence: SentenceReading) -> bool:
    """Whether the passage gives the value as well; a date, in a sentence that is as close to the premise as this one."""
    agreeing = [other for other in passage.sentences if any(_agree(mine, value) for value in other.values)]
    if mine.kind not in _MOMENTS:
        return bool(agreeing)
    shared = premise.keys & sentence.keys
    return any(shared <= other.keys or align(premise, other) > align(premise, sentence) for other in agreeing)


def _is_trivial(value: Value, reading: QuestionReading) -> bool:
    """ "one" as a pronoun, and numbers inside names ("Baja 1000")."""
    if not _is_year(value.text) and fold_word(value.text) in reading.names:
        return True
    return value.kind is ValueKind.NUMBER and not value.dimension and value.number == 1


def _agree(mine: Value, other: Value) -> bool:
    """Equal, or one value lies within the bounds of the other."""
    if compare(mine, other) is Relation.EQUAL:
        return True
    if mine.number is None or other.number is None or mine.dimension != other.dimension or mine.unit != other.unit:
        return False
    if mine.number == other.number or _lies_within(mine.number, other) or _lies_within(other.number, mine):
        return True
    return other.high is not None and other.number <= mine.number <= other.high


def _lies_within(number: float, limit: Value) -> bool:
    assert limit.number is not None
    if limit.bound in (Bound.MORE_THAN, Bound.LEAST):
        return number >= limit.number
    return limit.bound is Bound.LESS_THAN and number < limit.number


def _differs(mine: Value, other: Value, premise: Premise) -> bool:
    relation = compare(mine, other)
    if relation is Relation.UNIT:
        return True
    if relation is not Relation.DIFFERENT:
        return False
    if mine.kind in _MOMENTS or mine.dimension:
        return mine.kind == other.kind or mine.dimension == other.dimension
    nouns = {key_of(value.noun) for value in (mine, other) if value.noun}
    return len(nouns) <= 1 or bool(nouns & premise.keys and other.noun and key_of(other.noun) in premise.keys)


# ------------------------------------------------------------------ denials and opposites


def _denial_signs(premise: Premise, sentence: SentenceReading, aligned: float, lift: float) -> Iterator[PremiseCheck]:
    """The sentence denies what the premise says, or says what the premise denies."""
    if premise.negated:
        yield from _missing_denial(premise, sentence, aligned * lift)
        return
    for span, after, before in sentence.denied:
        share = _denied_share(premise, after, before)
        if share == 0.0:
            continue
        shared = premise.keys & {*after, *before}
        yield PremiseCheck(
            check="denial",
            strength=min(1.0, (0.35 + 0.65 * share) * min(1.0, aligned + 0.2)) * lift,
            detail="The passage denies what the question takes for granted.",
            spans=(span, *(place for key, place in sentence.order if key in shared)),
            query_spans=(premise.span,),
        )


def _denied_share(premise: Premise, after: tuple[str, ...], before: frozenset[str]) -> float:
    """How much of what a negation is about belongs to the premise: fully when the first word behind it does, else by half."""
    reached = [key for key in after if key in premise.keys]
    if reached:
        heads = after[: HAN_HEAD if is_cjk(after[0][0]) else 1]
        return len(reached) / len(after) * (1.0 if any(key in premise.keys for key in heads) else 0.5)
    return 0.5 * len(before & premise.keys) / len(before) if before else 0.0


def _missing_denial(premise: Premise, sentence: SentenceReading, aligned: float) -> Iterator[PremiseCheck]:
    only = any(cue.kind is CueKind.QUANTIFIER and cue.meaning == "only" for cue in sentence.cues)
    if aligned >= 0.6 and not sentence.denied and (only or aligned >= 0.9):
        yield PremiseCheck(
            check="denial",
            strength=aligned * (0.9 if only else 0.5),
            detail="The passage states what the question denies.",
            spans=(sentence.span,),
            query_spans=(premise.span,),
        )


def _opposite_signs(language: str, premise: Premise, sentence: SentenceReading, aligned: float) -> Iterator[PremiseCheck]:
    if bool(sentence.denied) != premise.negated:  # "was not closed" agrees with "open"; the denial check sees the rest
        return
    for mine, theirs in (*_opposite_cues(premise.cues, sentence.cues), *_opposite_words(language, premise, sentence)):
        yield PremiseCheck(
            check="opposite",
            strength=aligned,
            detail="The passage says the opposite.",
            spans=(theirs,),
            query_spans=(mine,),
        )


def _opposite_cues(mine: Sequence[Cue], theirs: Sequence[Cue]) -> Iterator[tuple[Span, Span]]:
    for kind, pairs in _OPPOSITES.items():
        own = {cue.meaning: cue.span for cue in mine if cue.kind is kind}
        other = {cue.meaning: cue.span for cue in theirs if cue.kind is kind}
        for first, second in _both_ways(pairs):
            if first in own and second in other and first not in other and second not in own:
                yield own[first], other[second]


def _both_ways(pairs: str) -> Iterator[tuple[str, str]]:
    """(in the question, in the passage); ">" holds one way only: "all" is denied by "only", "single" not by "each"."""
    for pair in pairs.split():
        first, second = pair.replace(">", "/").split("/")
        yield first, second
        if ">" not in pair:
            yield second, first


def _opposite_words(language: str, premise: Premise, sentence: SentenceReading) -> Iterator[tuple[Span, Span]]:
    for stem, opposites in antonyms(language).items():
        if key_of(stem) in premise.keys and key_of(stem) not in sentence.keys:
            keys = {key_of(opposite) for opposite in opposites}
            theirs = next((place for key, place in sentence.order if key in keys), None)
            if theirs is not None and not keys & premise.keys:
                yield premise.span, theirs


def _exclusive_signs(premise: Premise, sentence: SentenceReading, aligned: float) -> Iterator[PremiseCheck]:
    """ "accepts cards only": what the question names beside it is excluded."""
    only = [cue for cue in sentence.cues if cue.meaning in ("only", "only_if") and not _covers(cue, premise, sentence)]
    missing = premise.keys - sentence.keys - sentence.context
    if only and missing and not sentence.denied and not any(cue.meaning in ("only", "only_if") for cue in premise.cues):
        yield PremiseCheck(
            check="exclusive",
            strength=aligned,
            detail="The passage allows only something else.",
            spans=(only[0].span,),
            query_spans=(premise.span,),
        )


def _covers(only: Cue, premise: Premise, sentence: SentenceReading) -> bool:
    """Whether "only" is part of a word ("read-only") or allows the very thing that the question names."""
    start = only.span.start - sentence.span.start
    behind = [key for key, place in sentence.order if place.start >= only.span.end][:2]
    return sentence.text[max(0, start - 1) : start] == "-" or bool(set(behind) & premise.keys)


# ------------------------------------------------------------------ names and roles


def _entity_signs(reading: QuestionReading, premise: Premise, passage: PassageReading, sentence: SentenceReading) -> Iterator[PremiseCheck]:
    """Another name stands where the premise has one, and the rest is the same; not where a name is what is asked."""
    if reading.asked & _NAMES_ASKED:
        return
    named = {key_of_name(name, reading): name for name in reading.names if not name.isdigit()}
    mine = {key: name for key, name in named.items() if key in premise.keys}
    missing = [name for name in mine.values() if name not in passage.names]
    present = [name for name in mine.values() if name in passage.names]
    rest = premise.keys - set(mine)
    strangers = [name for name in passage.names - reading.names if name in sentence.text.casefold() and not name.isdigit()]
    if not (missing and present and strangers and rest):
        return
    shared = len(rest & sentence.keys) / len(rest)
    if shared >= 0.5:
        yield PremiseCheck(
            check="entity",
            strength=shared,
            detail=f"The passage says this of {strangers[0]!r}, not of {missing[0]!r}.",
            spans=(sentence.span,),
            query_spans=(premise.span,),
        )


def key_of_name(name: str, reading: QuestionReading) -> str:
    """The key of a name's word, as the question's keys have it."""

    return key_of(stem_word(name, reading.language))


def _order_signs(reading: QuestionReading, premise: Premise, sentence: SentenceReading) -> Iterator[PremiseCheck]:
    """The same words with subject and object exchanged."""
    placed = [key for key, _ in placed_keys(premise.span.of(reading.text), reading.language)]
    mine = [key for key in placed if placed.count(key) == 1]
    theirs = [key for key, _ in sentence.order if placed.count(key) <= 1]
    if _has_agent(reading, sentence.text) != _has_agent(reading, premise.span.of(reading.text)):
        return
    turned = set(zip(theirs[2:], theirs[1:], theirs, strict=False))
    if any(triple in turned and len(set(triple)) == 3 for triple in zip(mine, mine[1:], mine[2:], strict=False)):
        yield PremiseCheck(
            check="order",
            strength=align(premise, sentence),
            detail="Who does what is the other way round in the passage.",
            spans=(sentence.span,),
            query_spans=(premise.span,),
        )


def _has_agent(reading: QuestionReading, text: str) -> bool:
    return any(True for _ in premise_phrases(reading.language, "agent").find(text))
