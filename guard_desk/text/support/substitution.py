"""Whether the answer repeats a sentence of the passages with another thing in one place ("allergic to aspirin" for "to penicillin").

Names and values are checked as such; this is for plain nouns. Silent when in doubt: all other words must be the same and
in the same order, the place must be one where a noun stands, and nothing may hint that both words mean the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import ValueKind
from guard_desk.text.languages import is_cjk
from guard_desk.text.polarity import antonyms
from guard_desk.text.support.language import phrase_set
from guard_desk.text.support.ordinals import is_ordinal
from guard_desk.text.support.pool import Aligned, Place, Pool
from guard_desk.text.support.views import Unit, View
from guard_desk.text.words import Word, fold_word, stem_word

_LONGEST = 3
_LONGEST_HAN = 5
_FEWEST_SHARED = 2
_FEWEST_SHARED_HAN = 3
_FEWEST_WORDS = 4
_MOST_LOOKED_AT = 4
_ALIKE = 4


@dataclass(frozen=True, slots=True)
class Substitution:
    """What stands in the place of what.

    :param span: in the answer; `instead` in the passage's text.
    :param opposite: whether they are small words that say the opposite ("before", "after").
    """

    span: Span
    instead: Span
    place: Place
    opposite: bool = False


def substituted(view: View, unit: Unit, aligned: Sequence[Aligned], pool: Pool, asked: frozenset[str]) -> Substitution | None:
    """The one place in which a sentence names another thing than the passage's sentence that it repeats."""
    mine = view.words_in(unit.span.start, unit.span.end)
    for item in aligned[:_MOST_LOOKED_AT]:
        place = item.place
        if place.in_title or place.view.language != view.language:
            continue
        theirs = place.view.words_in(place.unit.span.start, place.unit.span.end)
        start, end, other_end = _different(mine, theirs)
        if _are_opposite(mine[start:end], theirs[start:other_end], view.language) and _enough_shared((*mine[:start], *mine[end:])):
            return Substitution(_covering(mine[start:end]), _covering(theirs[start:other_end]), place, opposite=True)
        other = theirs[_head(theirs, start, other_end) : other_end]
        start = _head(mine, start, end)
        ours = mine[start:end]
        if not _comparable(view, unit, ours) or not _comparable(place.view, place.unit, other):
            continue
        if any(is_ordinal(word.folded, view.language) for word in ours):
            continue  # looked at by themselves; "Third, ..." only counts the steps
        if not _enough_shared((*mine[:start], *mine[end:])) or not _is_slot(view, mine, start, end):
            continue
        if not _known(ours, pool, asked) and not _may_be_same(ours, other, view.language):
            return Substitution(_covering(ours), _covering(other), place)
    return None


def _different(mine: Sequence[Word], theirs: Sequence[Word]) -> tuple[int, int, int]:
    """Where two rows of words part and meet again: start, end of the first, end of the second."""
    shorter = min(len(mine), len(theirs))
    start = 0
    while start < shorter and mine[start].folded == theirs[start].folded:
        start += 1
    tail = 0
    while tail < shorter - start and mine[-1 - tail].folded == theirs[-1 - tail].folded:
        tail += 1
    end, other_end = len(mine) - tail, len(theirs) - tail
    return start, end, other_end


def _are_opposite(left: Sequence[Word], right: Sequence[Word], language: str) -> bool:
    """Whether one small word stands for its opposite; opposite nouns and verbs are compared as such elsewhere."""
    if len(left) != 1 or len(right) != 1 or left[0].content or right[0].content:
        return False
    return right[0].stem in antonyms(language).get(left[0].stem, frozenset())


def _head(words: Sequence[Word], start: int, end: int) -> int:
    """Where the nouns of a run begin, behind its articles and prepositions."""
    while start < end and not words[start].content:
        start += 1
    return start


def _comparable(view: View, unit: Unit, run: Sequence[Word]) -> bool:
    """Whether a run names one plain thing: few words, all of content, none of them in a value or a denial."""
    if not run or not all(word.content for word in run):
        return False
    if len(run) > (_LONGEST_HAN if is_cjk(run[0].text[0]) else _LONGEST) or (is_cjk(run[0].text[0]) and len(run) < 2):
        return False
    span = _covering(run)
    if any(view.values[position].span.overlaps(span) for position in unit.values if view.values[position].kind is not ValueKind.ENTITY):
        return False
    return not any(cue.span.overlaps(span) for cue in view.facts.cues)


def _enough_shared(words: Sequence[Word]) -> bool:
    content = [word for word in words if word.content]
    if any(is_cjk(word.text[0]) for word in content):
        return len(content) >= _FEWEST_SHARED_HAN
    return len(content) >= _FEWEST_SHARED or (bool(content) and len(words) >= _FEWEST_WORDS)


def _is_slot(view: View, words: Sequence[Word], start: int, end: int) -> bool:
    """Whether a noun stands there: behind an article or preposition (or at the head), and before the next small word or the end."""
    first = words[start]
    if is_cjk(first.text[0]):
        marked = start > 0 and words[start - 1].folded in phrase_set("verify.slot_marks", (view.language,))
        return marked and (len(words) <= end + 1 or not words[end].content)
    if end < len(words) and words[end].content and not view.text[words[end - 1].span.end : words[end].span.start].strip():
        return False
    if _is_verbal(words[end - 1].folded, view.language):
        return False
    return start == 0 or not words[start - 1].content


def _is_verbal(folded: str, language: str) -> bool:
    """Whether a word may be a participle: what is done may be said in many ways."""
    endings = (*lang.entry(language, "clauses.participle_endings"), *lang.entry(language, "dedup.progressive"))
    return bool(endings) and len(folded) > _ALIKE and folded.endswith(tuple(endings)) and not folded[:1].isupper()


def _known(run: Sequence[Word], pool: Pool, asked: frozenset[str]) -> bool:
    """Whether passages or question have any of the words."""
    if is_cjk(run[0].text[0]):
        pairs = [left.folded + right.folded for left, right in pairwise(run)]
        return any(pool.has_stem(pair) or pair in asked for pair in pairs)
    return any(pool.has_stem(word.stem) or word.stem in asked for word in run)


def _may_be_same(left: Sequence[Word], right: Sequence[Word], language: str) -> bool:
    """Whether two runs may name one thing: synonyms, a part of a compound, a short form, another spelling."""
    if any(len(word.text) > 1 and word.text.isupper() for word in (*left, *right)):
        return True
    ours, theirs = {word.stem for word in left}, {word.stem for word in right}
    if is_cjk(left[0].text[0]):
        return bool({word.folded for word in left} & {word.folded for word in right})
    if are_synonyms(ours, theirs, language):
        return True
    return any(_is_part(one, other) for one in ours for other in theirs)


def are_synonyms(left: Iterable[str], right: Iterable[str], language: str) -> bool:
    """Whether a stem of the one may stand for a stem of the other."""
    groups, others = _synonyms(language), frozenset(right)
    return any(groups.get(stem, frozenset()) & others for stem in left)


def may_name_one_fact(left: Iterable[str], right: Iterable[str], language: str) -> bool:
    """Whether a stem of the one may tell of the same event as a stem of the other, of looser kin than a synonym ("open", "inaugurate")."""
    ours, theirs = frozenset(left), frozenset(right)
    return are_synonyms(ours, theirs, language) or any(ours & group and theirs & group for group in _kin(language))


@cache
def _kin(language: str) -> tuple[frozenset[str], ...]:
    """The single words of the groups by which thinning knows what a question asks for."""
    groups = dict(lang.entry(language, "thinning.synonyms"))
    plain = ([phrase.lstrip("~") for phrase in phrases if " " not in phrase] for phrases in groups.values())
    return tuple(frozenset(stem_word(fold_word(word), language) for word in words) for words in plain)


def _is_part(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter) or longer.endswith(shorter) or one[:_ALIKE] == other[:_ALIKE]


@cache
def _synonyms(language: str) -> dict[str, frozenset[str]]:
    """Stem -> stems that may stand for it."""
    found: dict[str, frozenset[str]] = {}
    for group in lang.entry(language, "synonyms.groups"):
        stems = frozenset(stem_word(fold_word(piece), language) for phrase in group.split("|") for piece in phrase.split())
        for stem in stems:
            found[stem] = found.get(stem, frozenset()) | stems
    return found


def _covering(run: Sequence[Word]) -> Span:
    return Span(run[0].span.start, run[-1].span.end)
