"""What the passages of a pool state in running text: the best option of each, when it is probable enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from guard_desk.records.corpus import Passage, Span
from guard_desk.records.evidence import AnswerSpan, CueKind, Relation, TextFacts
from guard_desk.text.languages import is_cjk
from guard_desk.text.thinning import stance
from guard_desk.text.thinning.coverage import cover, view
from guard_desk.text.thinning.frame import Frame, Shape, has_han
from guard_desk.text.thinning.han import cover_han
from guard_desk.text.thinning.mentions import Mention, text_key
from guard_desk.text.thinning.passages import Asked, Nearness, asked, keys_of, nearness
from guard_desk.text.thinning.prose import FEATURES, Option, describe, options
from guard_desk.text.thinning.prose_weights import Weights, load_weights
from guard_desk.text.thinning.prose_yes_no import SAID, read_yes_no
from guard_desk.text.thinning.voices import Wording, wording

# Up to so many sentences and words, or Chinese characters, a passage is a line of evidence.
_LINE_SENTENCES = 2
_LINE_WORDS = 30
_LINE_CHARACTERS = 45
_SURE = 0.7
_MOST = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseReading:
    """What one passage states.

    :param certainty: 0..1, the probability that these words answer.
    """

    mention: Mention
    wording: Wording
    certainty: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """The pool's passages that are read as prose, aligned.

    :param wanted: whether a passage is to be read; the others only count for what is common in the pool.
    :param answers: the model's spans for this part of the question; None without a model.
    :param strict: what the strict reader takes for the answer.
    """

    passages: Sequence[Passage]
    facts: Sequence[TextFacts]
    relations: Sequence[Sequence[Relation]]
    answers: Sequence[Sequence[AnswerSpan]] | None
    wanted: Sequence[bool]
    strict: Sequence[Sequence[Mention]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseRead:
    """What a pool states in running text.

    :param readings: by position in the pool; passages that state nothing are missing.
    :param unread: positions of passages that may answer, though in words that are not sure enough to be named.
    """

    readings: dict[int, ProseReading] = field(default_factory=dict)
    unread: frozenset[int] = frozenset()


def read_prose(frame: Frame, prose: Prose) -> ProseRead:
    """Read the passages of a pool that are wanted."""
    if (frame.shape is Shape.NONE and prose.answers is None) or not any(prose.wanted):
        return ProseRead()
    question = asked(frame, prose.passages, frame.language)
    if not question.weights:
        return ProseRead()
    near = [nearness(question, passage, facts, frame.language) for passage, facts in zip(prose.passages, prose.facts, strict=True)]
    best_own = max((max(item.own, default=0.0) for item in near), default=0.0)
    # The model marks nothing in scripts that it does not read: there the rules are alone.
    weights = load_weights("finder" if prose.answers is not None and any(prose.answers) else "rules", FEATURES)
    readings, unread = {}, set()
    for position, passage in enumerate(prose.passages):
        if not prose.wanted[position] or (frame.is_han and not has_han(passage.text)):
            continue
        if frame.shape is Shape.YES_NO:
            said = _yes_no(question, passage, prose.facts[position], near[position])
            readings.update({} if said is None else {position: said})
            continue
        best = _best(question, prose, near[position], position, best_own, weights)
        line = is_line(passage, prose.facts[position], frame.language)
        if best is None or (line and not _sure(frame, passage, near[position], *best)):
            continue
        if best[0] >= weights.least:
            readings[position] = _reading(frame, passage, prose.facts[position], near[position], best[1], best[0])
        elif best[0] >= weights.unread:
            unread.add(position)
    return ProseRead(readings=readings, unread=frozenset(unread))


def _best(question: Asked, prose: Prose, near: Nearness, position: int, best_own: float, weights: Weights) -> tuple[float, Option] | None:
    """The most probable option of a passage, with its probability."""
    passage, facts = prose.passages[position], prose.facts[position]
    tied = prose.relations[position] if prose.relations else ()
    answers = prose.answers[position] if prose.answers is not None else ()
    offered = options(question, passage, facts, near, tied, answers, prose.strict[position])
    marked = [option for option in offered if option.found is not None]
    scored = [(_probability(describe(question, near, option, marked, best_own), weights), option) for option in offered]
    return max(scored, key=lambda pair: pair[0], default=None)


def _yes_no(question: Asked, passage: Passage, facts: TextFacts, near: Nearness) -> ProseReading | None:
    read = read_yes_no(question, passage, facts, near)
    if read is None or (read[2] < SAID and is_line(passage, facts, question.frame.language)):
        return None
    mention, seen, certainty = read
    words = wording(seen, frozenset(range(len(seen.tokens))), None, question.frame)
    return ProseReading(mention=mention, wording=words, certainty=certainty)


def is_line(passage: Passage, facts: TextFacts, language: str) -> bool:
    """Whether a passage is a line of evidence and no running text: the strict reader can be trusted with it."""
    if len(facts.sentences) > _LINE_SENTENCES:
        return False
    tokens = keys_of(passage.text, language).tokens
    return len(tokens) <= (_LINE_CHARACTERS if tokens and is_cjk(tokens[0].text[0]) else _LINE_WORDS)


def _sure(frame: Frame, passage: Passage, near: Nearness, probability: float, option: Option) -> bool:
    """What overrules the strict reader on a line: the model marks the words, every name of the question is there, and most else.

    Nothing does where another word stands in the place of one that the question has ("the fee of the *choir*").
    """
    if option.found is None or probability < _SURE or near.names < 1.0 or near.whole < _MOST:
        return False
    seen = view(passage.text, near.sentences[near.sentence_of(option.span)], frame.language)
    covered = cover_han(frame, seen, passage.title or "") if frame.is_han else cover(frame, seen, frozenset())
    return not covered.replaced


def _probability(numbers: Sequence[float], weights: Weights) -> float:
    total = weights.bias + sum(number * weight for number, weight in zip(numbers, weights.weights, strict=True))
    return 1.0 / (1.0 + math.exp(-total))


def _reading(frame: Frame, passage: Passage, facts: TextFacts, near: Nearness, option: Option, certainty: float) -> ProseReading:
    sentence = near.sentences[near.sentence_of(option.span)]
    seen = view(passage.text, sentence, frame.language)
    told = stance.read(seen, [option.span], frame.language)
    kind = stance.stances(told, [option.span], frame.language)[0]
    text = option.span.of(passage.text)
    mention = Mention(
        span=option.span,
        text=text,
        stance=kind,
        sentence=sentence,
        value=option.value,
        key=text_key(text),
        bare=frame.shape in (Shape.COUNT, Shape.NUMBER),
        hedged=_hedged(sentence, facts),
        loose=True,
    )
    return ProseReading(
        mention=mention,
        wording=wording(seen, frozenset(range(len(seen.tokens))), option.span, frame),
        certainty=certainty,
    )


def _hedged(sentence: Span, facts: TextFacts) -> bool:
    return any(cue.kind is CueKind.HEDGE and cue.span.overlaps(sentence) for cue in facts.cues)
