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
from guard_desk.text.premise_parts import PremiseCheck, align, key_of_name
from guard_desk.text.premise_roles import entity_signs, order_signs
from guard_desk.text.question_reading import QuestionReading, key_of, premise_phrases
from guard_desk.text.values import Relation, compare
from guard_desk.text.words import fold_word, stem_word

CHECKS = ("quantity", "date", "denial", "opposite", "exclusive", "entity", "order")
LEAST_ALIGNED = 0.3
# Chinese keys are pairs of characters: the first word behind a negation takes about three.
HAN_HEAD = 3
_NAMED_BESIDE = 2

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
_LIFTS = frozenset({"unless", "except"})


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
    replaced = any(item.check == "entity" for item in found)  # another name in its place speaks of the same thing
    other_scope = not replaced and is_other_scope(reading, passage)
    return PremiseVerdict(found=strongest, agreement=agreement, alignment=alignment, other_scope=other_scope)


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
    yield from _exclusive_signs(reading.language, premise, sentence, aligned * lift)
    yield from entity_signs(reading, premise, passage, sentence)
    yield from order_signs(reading, premise, sentence)


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
        if mine.kind in _MOMENTS and any(_opposite_cues(premise, sentence)):
            continue  # "open on Fridays" says nothing of "shut on Sundays"
        single = _only_one(mine, sentence, reading.language)
        if single is not None:
            yield PremiseCheck(
                check=check,
                strength=min(1.0, aligned),
                detail=f"The question takes {mine.text!r} for granted; the passage knows only one.",
                spans=(single,),
                query_spans=(mine.span,),
            )
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


def _only_one(mine: Value, sentence: SentenceReading, language: str) -> Span | None:
    """ "a single verse" where the question has a second one."""
    if not mine.canonical.startswith("ordinal") or (mine.number or 0) < 2 or not mine.noun:
        return None
    places = [place for key, place in sentence.order if key == key_of(stem_word(fold_word(mine.noun), language))]
    only = [cue.span for cue in sentence.cues if cue.kind is CueKind.QUANTIFIER and cue.meaning == "only"]
    return next((span for span in only if any(0 <= place.start - span.end <= 2 for place in places)), None)


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
    only = any(cue.kind is CueKind.QUANTIFIER and cue.meaning in ("only", "all") for cue in sentence.cues)
    if aligned >= 0.6 and not sentence.denied and (only or aligned >= 0.9):
        yield PremiseCheck(
            check="denial",
            strength=aligned * (0.9 if only else 0.5),
            detail="The passage states what the question denies.",
            spans=(sentence.span,),
            query_spans=(premise.span,),
        )


def _opposite_signs(language: str, premise: Premise, sentence: SentenceReading, aligned: float) -> Iterator[PremiseCheck]:
    if bool(sentence.denied) != premise.negated or _at_another_time(premise, sentence):
        return  # "was not closed" agrees with "open", and "closed on Sundays" with "open on Fridays"; the denial check sees the rest
    for mine, theirs in (*_opposite_cues(premise, sentence), *_opposite_words(language, premise, sentence)):
        yield PremiseCheck(
            check="opposite",
            strength=aligned,
            detail="The passage says the opposite.",
            spans=(theirs,),
            query_spans=(mine,),
        )


def _opposite_cues(premise: Premise, sentence: SentenceReading) -> Iterator[tuple[Span, Span]]:
    for kind, pairs in _OPPOSITES.items():
        own = {cue.meaning: cue.span for cue in premise.cues if cue.kind is kind}
        other = {cue.meaning: cue.span for cue in sentence.cues if cue.kind is kind}
        for first, second in _both_ways(pairs):
            if first not in own or second not in other or second in own:
                continue
            if first not in other or _holds_then(premise, sentence, other[second], other[first]):
                yield own[first], other[second]


def _holds_then(premise: Premise, sentence: SentenceReading, told: Span, rival: Span) -> bool:
    """ "open on Fridays and shut on Sundays": whether the first of two words is the one that the premise's time belongs to."""
    moments = [value for value in premise.values if value.kind in _MOMENTS]
    place = next((other.span.start for other in sentence.values for value in moments if _agree(value, other)), None)
    return place is not None and told.start < place and not told.start < rival.start < place


def _at_another_time(premise: Premise, sentence: SentenceReading) -> bool:
    """Whether both name a time, and none of the sentence's is the premise's."""
    mine = [value for value in premise.values if value.kind in _MOMENTS]
    theirs = [value for value in sentence.values if value.kind in _MOMENTS and any(value.kind == own.kind for own in mine)]
    return bool(mine and theirs) and not any(_agree(own, other) for own in mine for other in theirs)


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


def _exclusive_signs(language: str, premise: Premise, sentence: SentenceReading, aligned: float) -> Iterator[PremiseCheck]:
    """ "accepts cards only": what the question names beside it is excluded; surely so where a verb says what something holds or takes."""
    only = [cue for cue in sentence.cues if cue.meaning in ("only", "only_if") and not _covers(cue, premise, sentence)]
    missing = premise.keys - sentence.keys - sentence.context
    if only and missing and not sentence.denied and not any(cue.meaning in ("only", "only_if") for cue in premise.cues):
        holding = len(missing) <= _NAMED_BESIDE and aligned >= 0.5 and any(premise_phrases(language, "holding").find(sentence.text))
        yield PremiseCheck(
            check="denial" if holding else "exclusive",
            strength=aligned,
            detail="The passage allows only something else.",
            spans=(only[0].span,),
            query_spans=(premise.span,),
        )


def _covers(only: Cue, premise: Premise, sentence: SentenceReading) -> bool:
    """Whether "only" is part of a word ("read-only") or allows the very thing that the question names."""
    start = only.span.start - sentence.span.start
    behind = [key for key, place in sentence.order if place.start >= only.span.end][:2]
    behind = behind or [key for key, place in sentence.order if place.end <= only.span.start][-2:]  # "members only"
    return sentence.text[max(0, start - 1) : start] == "-" or bool(set(behind) & premise.keys)
