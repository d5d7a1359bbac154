"""What a sentence does to each of the values in it: state it, or deny it.

A sentence is cut into segments at commas, semicolons, brackets and words of contrast ("not X *but* Y"). A denial reaches
the values behind it in its segment; without any, those before it; and from a relative clause ("Sand, who no longer
chairs it") the nearest value before. "moved from X to Y" denies X. "not more than X" denies nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from guard_desk.records.corpus import Span
from guard_desk.records.decision import Stance
from guard_desk.records.evidence import CueKind, TextFacts
from guard_desk.text.thinning.coverage import SentenceView
from guard_desk.text.thinning.language import Hit, list_hits, list_positions, listed
from guard_desk.text.words import Word, fold_word

_BORDER = re.compile(r"[,;:()，；：（）、\u2014\u2013]|\s-\s")
# A remark in brackets that stand free ("[see table 3]", not "limits[max]").
_ASIDE = re.compile(r"(?<!\S)\[[^\[\]]*\](?!\w)")
# "succeeded as editor by": so many words may stand before "by".
_PASSIVE_REACH = 4
_DETERMINERS = frozenset({"no", "kein", "keine", "keinen", "aucun", "aucune", "ningún", "ninguna"})
_RELATIVE = frozenset({"who", "which", "that", "whom", "der", "die", "das", "qui", "que", "quien"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A sentence with its segments and denials.

    :param segment: number of the segment of each word.
    :param denied: segments in which something is denied.
    :param relative: denied segments that are relative clauses.
    :param whole: whether the sentence as a whole is denied ("it is false that ...").
    :param asked: words that the question asks with.
    :param adjectives: words like "former" that stand before a noun.
    :param former: words that say that something is past; `successions`: verbs whose one side is past ("replaced", "succeeded by").
    """

    sentence: SentenceView
    segment: tuple[int, ...]
    denied: frozenset[int]
    relative: frozenset[int]
    whole: bool
    denials: tuple[Hit, ...]
    former: tuple[Hit, ...]
    successions: tuple[Hit, ...]
    changes: bool
    asked: frozenset[int] = frozenset()
    adjectives: frozenset[str] = frozenset()


def read(sentence: SentenceView, spans: Sequence[Span], language: str, asked: frozenset[int] = frozenset()) -> Reading:
    """Cut a sentence into segments and find its denials; nothing is cut inside of `spans`.

    :param asked: positions of the words that the question asks with: "who *succeeded* him", "the *late* fee" make nothing past.
    """
    text, tokens = sentence.own, sentence.local
    segment = _segments(sentence, spans, language)
    harmless = list_positions(language, "deny_not", text, tokens)
    denials = tuple(hit for hit in list_hits(language, "deny", text, tokens) if not harmless & set(hit.words))
    whole = list_hits(language, "deny_line", text, tokens)
    present = list_positions(language, "former_not", text, tokens)
    covered = {word for hit in whole for word in hit.words}
    denials = tuple(hit for hit in denials if not covered & set(hit.words))
    if _asks_back(sentence):
        denials = tuple(hit for hit in denials if hit.first)
    denied = frozenset(segment[hit.first] for hit in denials)
    return Reading(
        sentence=sentence,
        segment=segment,
        denied=denied,
        relative=frozenset(number for number in denied if number and tokens[segment.index(number)].folded in _RELATIVE),
        whole=bool(whole),
        denials=denials,
        former=tuple(hit for hit in list_hits(language, "former", text, tokens) if not (present | asked) & set(hit.words)),
        successions=tuple(hit for hit in list_hits(language, "succession", text, tokens) if not asked & set(hit.words)),
        changes=bool(list_hits(language, "change", text, tokens)),
        asked=asked,
        adjectives=frozenset(listed(language, "role_modifiers")),
    )


def is_hedged(sentence: SentenceView, facts: TextFacts) -> bool:
    """Whether a sentence says that its writer is not sure."""
    return any(cue.kind is CueKind.HEDGE and cue.span.overlaps(sentence.span) for cue in facts.cues)


def _asks_back(sentence: SentenceView) -> bool:
    """ "*Wasn't* it closed because the ore ran out?" denies nothing."""
    return sentence.own.rstrip().endswith(("?", "？"))


def stances(reading: Reading, spans: Sequence[Span], language: str) -> tuple[Stance, ...]:
    """What the sentence does to each span (sorted by place)."""
    asked = reading.asked
    places = [_words_of(reading.sentence, span) for span in spans]
    denied: set[int] = set()
    for hit in (*reading.denials, *reading.former):
        denied.update(_reached(reading, hit, places, asked))
    for hit in reading.successions:
        denied.update(_succeeded(reading, hit, places, language))
    if reading.changes:
        denied.update(_left_behind(reading, places, language))
    flipped = [reading.whole != (index in denied) for index in range(len(spans))]
    return tuple(Stance.NEGATES if negated else Stance.STATES for negated in flipped)


def _segments(sentence: SentenceView, spans: Sequence[Span], language: str) -> tuple[int, ...]:
    contrast = {hit.first for hit in list_hits(language, "contrast", sentence.own, sentence.local)}
    asides = [match.span() for match in _ASIDE.finditer(sentence.own)]
    aside = [next((i for i, (start, end) in enumerate(asides) if start <= word.span.start < end), -1) for word in sentence.local]
    numbers: list[int] = []
    current = 0
    for index, word in enumerate(sentence.tokens):
        if index:
            before = sentence.tokens[index - 1].span.end
            inside = any(span.start <= before and word.span.start < span.end for span in spans)
            border = _BORDER.search(sentence.text, before, word.span.start) or index in contrast or aside[index] != aside[index - 1]
            if border and not inside:
                current += 1
        numbers.append(current)
    return tuple(numbers)


def _words_of(sentence: SentenceView, span: Span) -> tuple[int, int]:
    """First and last word of a span."""
    inside = [i for i, word in enumerate(sentence.tokens) if word.span.overlaps(span)]
    return (inside[0], inside[-1]) if inside else (0, 0)


def _reached(reading: Reading, hit: Hit, places: Sequence[tuple[int, int]], asked: frozenset[int]) -> list[int]:
    """Which spans a denial reaches."""
    number = reading.segment[hit.first]
    same = [i for i, (first, _) in enumerate(places) if reading.segment[first] == number]
    if hit in reading.former and _is_past_of_another(reading, hit, places, asked):
        return []
    behind = [i for i in same if places[i][0] > hit.last]
    if behind:
        return behind
    before = [i for i in same if places[i][1] < hit.first]
    if before and _is_another_thing(reading, hit, asked):
        return []
    if before:
        return before[-1:]
    earlier = [i for i, (first, _) in enumerate(places) if reading.segment[first] < number]
    start = reading.segment.index(number)
    aside = hit in reading.former and hit.first - start <= 1
    opens = reading.sentence.tokens[start].folded in _RELATIVE or aside
    later = [i for i, (first, _) in enumerate(places) if reading.segment[first] > number]
    if hit in reading.former and not (aside and earlier):
        return later[:1] if not same else []
    return earlier[-1:] if opens and not same else []


def _is_past_of_another(reading: Reading, hit: Hit, places: Sequence[tuple[int, int]], asked: frozenset[int]) -> bool:
    """ "Founded by Crane in a *former stable*": an adjective of a noun that is neither asked for nor a value."""
    tokens = reading.sentence.tokens
    if not asked or len(hit.words) > 1 or tokens[hit.first].folded not in reading.adjectives:
        return False
    behind = next((i for i in range(hit.last + 1, len(tokens)) if tokens[i].content), None)
    same = behind is not None and reading.segment[behind] == reading.segment[hit.last]
    return same and behind not in asked and not any(first <= (behind or 0) <= last for first, last in places)


def _is_another_thing(reading: Reading, hit: Hit, asked: frozenset[int]) -> bool:
    """ "At 182 m the mast is *no giant*": what is denied is a noun of its own, not what the question asks."""
    tokens = reading.sentence.tokens
    if hit not in reading.denials or len(hit.words) > 1 or tokens[hit.first].folded not in _DETERMINERS:
        return False
    number = reading.segment[hit.last]
    behind = [i for i in range(hit.last + 1, len(tokens)) if reading.segment[i] == number and tokens[i].content]
    return bool(behind) and not asked & set(behind)


def _succeeded(reading: Reading, hit: Hit, places: Sequence[tuple[int, int]], language: str) -> list[int]:
    """ "X replaced Y" leaves Y behind; "Y, replaced by X" the nearest value before, wherever it stands."""
    by = {fold_word(word) for word in listed(language, "passive_by")}
    following = reading.sentence.tokens[hit.last + 1 : hit.last + 1 + _PASSIVE_REACH]
    if any(word.folded in by for word in following):
        return [i for i, (_, last) in enumerate(places) if last < hit.first][-1:]
    behind = [i for i, (first, _) in enumerate(places) if first > hit.last and reading.segment[first] == reading.segment[hit.last]]
    return behind[:1]


def _left_behind(reading: Reading, places: Sequence[tuple[int, int]], language: str) -> list[int]:
    """The first value of "from X to Y", when there are both."""
    tokens = reading.sentence.tokens
    origin = {fold_word(word) for word in listed(language, "change_from")}
    target = {fold_word(word) for word in listed(language, "change_to")}
    from_ = [i for i, (first, _) in enumerate(places) if _preceded(tokens, first, origin)]
    to = [i for i, (first, _) in enumerate(places) if _preceded(tokens, first, target) and i not in from_]
    return from_ if to else []


def _preceded(tokens: Sequence[Word], position: int, words: set[str]) -> bool:
    """Whether one of the words stands right before, articles skipped."""
    step = position - 1
    while step >= 0 and not tokens[step].content and tokens[step].folded not in words and position - step < 3:
        step -= 1
    return step >= 0 and tokens[step].folded in words
