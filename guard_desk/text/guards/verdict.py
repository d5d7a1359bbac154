"""Whether two passages say the same: all guards in their order.

Conservative: after synonyms, formats and word order are accounted for, any difference that is left keeps two passages
apart. Which guard is named follows from what is left; that it is kept apart does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from guard_desk.policy import DedupPolicy
from guard_desk.records.corpus import Passage, Span
from guard_desk.records.decision import Guard, MergeVerdict
from guard_desk.records.evidence import TextFacts, ValueKind
from guard_desk.text.analyze import analyze_text
from guard_desk.text.guards.changes import Change, changes, span_of
from guard_desk.text.guards.explain import explained
from guard_desk.text.guards.lexicon import lexicon
from guard_desk.text.guards.matching import Matching, cannot_match, match
from guard_desk.text.guards.metadata import metadata_verdict
from guard_desk.text.guards.order import Disorder, disorder
from guard_desk.text.guards.parts import clash
from guard_desk.text.guards.pronouns import readings
from guard_desk.text.guards.signs import signs
from guard_desk.text.guards.similarity import one_line, shared_units, surface
from guard_desk.text.guards.units import Text, Unit, prepare
from guard_desk.text.guards.wording import PRIORITY, name_change
from guard_desk.text.languages import detect, with_data
from guard_desk.text.normalize import fold_text, plain
from guard_desk.text.values import find_values

# Texts that share less than this are different texts: the guard that is named then says only that.
_UNRELATED = 0.3


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdict on content alone, before any floor.

    :param exact: the texts are equal but for case, spaces and punctuation, so that no floor of similarity applies.
    """

    verdict: MergeVerdict
    exact: bool


def merge_verdict(a: Passage | str, b: Passage | str, *, similarity: float | None = None) -> MergeVerdict:
    """Whether two passages may be shown as one.

    :param similarity: cosine of the pair, when an encoder gave one; else the share of equal units stands in.
    :returns: the verdict, naming the guard that refused and both differing spans.
    """
    left = a if isinstance(a, Passage) else Passage(id="a", text=a)
    right = b if isinstance(b, Passage) else Passage(id="b", text=b)
    found = compare_texts(left, right, analyze_text(left.text), analyze_text(right.text))
    return with_floor(found, similarity, DedupPolicy().similarity_floor)


def with_floor(found: Comparison, similarity: float | None, floor: float) -> MergeVerdict:
    """The verdict under a floor of similarity.

    :param similarity: of the pair; None keeps the share of equal units that the comparison measured.
    :param floor: passages less alike are not merged, unless their texts are equal.
    """
    verdict = found.verdict if similarity is None else replace(found.verdict, similarity=similarity)
    if verdict.merge and not found.exact and verdict.similarity is not None and verdict.similarity < floor:
        return replace(verdict, merge=False)
    return verdict


def compare_texts(a: Passage, b: Passage, facts_a: TextFacts, facts_b: TextFacts) -> Comparison:
    """Compare two passages by content; symmetric but for left and right.

    :param facts_a: of `a.text`; `facts_b` of `b.text`.
    """
    if _is_after(a, b):
        found = _compare(b, a, facts_b, facts_a)
        return Comparison(mirrored(found.verdict), found.exact)
    return _compare(a, b, facts_a, facts_b)


def may_merge(a: Passage, b: Passage, facts_a: TextFacts, facts_b: TextFacts) -> bool:
    """Whether `compare_texts` would merge two passages; quicker, since no guard has to be named.

    :param facts_a: of `facts_for_guards`, or of any analysis of `a.text`; `facts_b` of `b.text`.
    """
    if _is_after(a, b):
        a, b, facts_a, facts_b = b, a, facts_b, facts_a
    if metadata_verdict(a, b) is not None:
        return False
    if one_line(a.text) == one_line(b.text):
        return True
    facts_a, facts_b = _in_one_language(a.text, b.text, facts_a, facts_b)
    left, right = prepare(a.text, facts_a), prepare(b.text, facts_b)
    if left.units and right.units and cannot_match(left, right):
        return False
    matching = match(left.units, right.units)
    if signs(a.text) == signs(b.text) and _says_the_same(left, right, matching):
        return True
    return any(_reads_alike(*reading) for reading in readings(left, right, matching))


def facts_for_guards(text: str, languages: Sequence[str] | None = None) -> TextFacts:
    """The facts of a text that a merge depends on: its languages and values. Cues and clauses, which name a guard, are left out."""
    codes = with_data(detect(text) if languages is None else languages)
    return TextFacts(languages=codes, sentences=(), values=find_values(text, codes), cues=(), facts=())


def _says_the_same(left: Text, right: Text, matching: Matching) -> bool:
    matching = explained(left, right, matching)
    if not left.units or not right.units:
        return _without_units(left, right).merge
    if matching.left or matching.right:
        return False
    return disorder(left, right, matching.pairs) is None and clash(left, right, matching.pairs) is None


def _is_after(a: Passage, b: Passage) -> bool:
    return (b.text, b.version or "", b.scope or "") < (a.text, a.version or "", a.scope or "")


def mirrored(verdict: MergeVerdict) -> MergeVerdict:
    """The verdict with left and right exchanged."""
    return replace(verdict, left=verdict.right, right=verdict.left, left_span=verdict.right_span, right_span=verdict.left_span)


def _compare(a: Passage, b: Passage, facts_a: TextFacts, facts_b: TextFacts) -> Comparison:
    refusal = metadata_verdict(a, b)
    if one_line(a.text) == one_line(b.text):
        return Comparison(replace(refusal or MergeVerdict(merge=True), similarity=1.0), exact=refusal is None)
    facts_a, facts_b = _in_one_language(a.text, b.text, facts_a, facts_b)
    left, right = prepare(a.text, facts_a), prepare(b.text, facts_b)
    matching = match(left.units, right.units)
    similarity = shared_units(left, right, len(matching.pairs))
    if refusal is not None:
        return Comparison(replace(refusal, similarity=similarity), exact=False)
    verdict = _content(left, right, matching, (facts_a, facts_b))
    if verdict.merge and signs(a.text) != signs(b.text):
        verdict = MergeVerdict(merge=False, guard=Guard.IDENTIFIER, left=" ".join(signs(a.text)), right=" ".join(signs(b.text)))
    if not verdict.merge and any(_reads_alike(*reading) for reading in readings(left, right, matching)):
        verdict = MergeVerdict(merge=True)
    exact = verdict.merge and surface(a.text) == surface(b.text)
    return Comparison(replace(verdict, similarity=similarity), exact)


def _in_one_language(a: str, b: str, facts_a: TextFacts, facts_b: TextFacts) -> tuple[TextFacts, TextFacts]:
    """Facts of both texts read in one language: short texts are easily taken for another, and values read differently."""
    if facts_a.languages == facts_b.languages:
        return facts_a, facts_b
    languages = with_data(detect(plain(a).text + "\n" + plain(b).text))
    read = analyze_text if facts_a.sentences or facts_b.sentences else facts_for_guards
    return read(a, languages), read(b, languages)


def _content(left: Text, right: Text, matching: Matching, facts: Sequence[TextFacts]) -> MergeVerdict:
    """Leftover units, then order, then the parts that units play."""
    matching = explained(left, right, matching)
    if not left.units or not right.units:
        return _without_units(left, right)
    if matching.left or matching.right:
        return _refused(left, right, matching, facts)
    found = disorder(left, right, matching.pairs)
    if found is not None:
        return _disordered(left, right, found)
    guard, first, second = clash(left, right, matching.pairs) or (None, None, None)
    if guard is not None and first is not None and second is not None:
        return _refusal(guard, left, right, (first,), (second,))
    return MergeVerdict(merge=True)


def _reads_alike(left: Text, right: Text) -> bool:
    """Whether two texts say the same under one reading of their pronouns."""
    matching = explained(left, right, match(left.units, right.units))
    if matching.left or matching.right:
        return False
    return disorder(left, right, matching.pairs) is None and clash(left, right, matching.pairs) is None


def _without_units(left: Text, right: Text) -> MergeVerdict:
    """Texts of signs alone are compared as they are."""
    if fold_text(left.text) == fold_text(right.text):
        return MergeVerdict(merge=True)
    return MergeVerdict(merge=False, guard=Guard.ADDED_FACT, left=left.text, right=right.text)


def _refused(left: Text, right: Text, matching: Matching, facts: Sequence[TextFacts]) -> MergeVerdict:
    lex = lexicon(left.language)
    cues = tuple(found.cues for found in facts)
    named = [(name_change(change, left, right, lex, cues), change) for change in changes(left, right, matching)]
    (guard, _), change = min(named, key=lambda pair: (-pair[0][1], PRIORITY.index(pair[0][0])))
    return _refusal(guard, left, right, change.left, change.right)


def _disordered(left: Text, right: Text, found: Disorder) -> MergeVerdict:
    first, second = (tuple(text.units[place] for place in places) for text, places in ((left, found.left), (right, found.right)))
    return _refusal(_name_disorder(left, first), left, right, first, second)


def _name_disorder(text: Text, moved: Sequence[Unit]) -> Guard:
    """Values that changed places are other numbers or dates for their subjects; else a part changed hands."""
    kinds = [unit.value.kind for unit in moved if unit.value is not None]
    if moved[0].guard is not None and (moved[0].floats or any(unit.floats for unit in moved)):
        return moved[0].guard
    if kinds and len(kinds) >= len(moved) - len(kinds):
        return Guard.DATE if kinds[0] in (ValueKind.DATE, ValueKind.TIME) else Guard.NUMBER
    if any(mark in unit.marks for unit in text.units for mark in ("link:than", "link:als", "link:比", "link:que")):
        return Guard.COMPARISON
    return Guard.ROLE


def _refusal(guard: Guard, left: Text, right: Text, first: Sequence[Unit], second: Sequence[Unit]) -> MergeVerdict:
    spans = span_of(first), span_of(second)
    return MergeVerdict(
        merge=False, guard=guard, left=_words(left, spans[0]), right=_words(right, spans[1]), left_span=spans[0], right_span=spans[1]
    )


def _words(text: Text, span: Span | None) -> str:
    return "" if span is None else span.of(text.text)


__all__ = ["Change", "Comparison", "compare_texts", "merge_verdict", "with_floor"]
