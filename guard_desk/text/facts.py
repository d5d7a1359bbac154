"""Simple statements of single clauses, by rule: who or what, does or is, what.

Good for "The X is Y", "X acquired Y", and for the passive, which gives the same roles as the active ("Y was acquired by
X"). In Chinese the subject is what stands before the first verb of the data, and 由 / 被 mark the agent. Limits: no
imperatives, no pronoun resolution, the subject is what stands between the last comma and the verb.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Cue, CueKind, Fact, Value
from guard_desk.text.clauses import Verb, find_verb, split_clauses
from guard_desk.text.words import Word, content_sequence, fold_word, words, words_in

_Roles = tuple[tuple[str, ...], str, tuple[str, ...]]


def find_facts(
    text: str,
    sentences: Sequence[Span],
    values: Sequence[Value],
    cues: Sequence[Cue],
    languages: Sequence[str] = ("en",),
) -> tuple[Fact, ...]:
    """The facts of a text, in order; a clause in which the rules see no verb gives none."""
    return tuple(_facts(text, sentences, values, cues, languages[0] if languages else "en"))


def _facts(text: str, sentences: Sequence[Span], values: Sequence[Value], cues: Sequence[Cue], language: str) -> Iterator[Fact]:
    starts = [value.span.start for value in values]
    denials = [cue.span for cue in cues if cue.kind is CueKind.NEGATION]
    denial_starts = [span.start for span in denials]
    for sentence in sentences:
        shared: tuple[Word, ...] = ()
        for clause in split_clauses(text, sentence, language):
            if language in ("zh", "ja"):
                roles = _chinese_roles(clause.of(text))
            else:
                roles, shared = _roles(text, clause, language, shared)
            if roles is None:
                continue
            subject, predicate, thing = roles
            begun = range(bisect_left(starts, clause.start), bisect_left(starts, clause.end))
            inside = tuple(index for index in begun if values[index].span.end <= clause.end)
            negated = sum(span.overlaps(clause) for span in denials[: bisect_left(denial_starts, clause.end)]) % 2 == 1
            yield Fact(subject=subject, predicate=predicate, object=thing, negated=negated, span=clause, values=inside)


def _roles(text: str, clause: Span, language: str, shared: tuple[Word, ...]) -> tuple[_Roles | None, tuple[Word, ...]]:
    """Roles of a clause and its grammatical subject, which the next clause of the sentence may share."""
    tokens = words_in(text, clause, language)
    verb = find_verb(tokens, language, continues=bool(shared))
    if verb is None:
        return None, shared
    begin = _subject_start(text, tokens, verb)
    before = tokens[begin : verb.first] or shared
    rest = (*tokens[verb.first + 1 : verb.main], *tokens[verb.main + 1 :])
    lead = tokens[:begin]
    if verb.passive:
        agent, others = _agent(rest, language)
        return (content_sequence(agent), verb.head, content_sequence((*before, *others, *lead))), before
    if verb.head == "be":
        rest = tokens[verb.main + 1 :]
    return (content_sequence(before), verb.head, content_sequence((*rest, *lead))), before


def _subject_start(text: str, tokens: Sequence[Word], verb: Verb) -> int:
    """Position of the first word behind the last comma before the verb ("In 2024, X bought Y")."""
    for position in range(verb.first - 1, 0, -1):
        if "," in text[tokens[position - 1].span.end : tokens[position].span.start]:
            return position
    return 0


def _agent(tokens: Sequence[Word], language: str) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """The words of the agent behind "by", and all others."""
    for position, word in enumerate(tokens[:-1]):
        following = tokens[position + 1]
        if word.folded in _set(language, "facts.agent") and not following.text[0].isdigit() and not following.folded.endswith("ing"):
            end = position + 1
            while end < len(tokens) and tokens[end].folded not in _set(language, "clauses.prepositions"):
                end += 1
            return tuple(tokens[position + 1 : end]), (*tokens[:position], *tokens[end:])
    return (), tuple(tokens)


def _chinese_roles(clause: str) -> _Roles | None:
    """Roles of a Chinese clause: 由 / 被 X V turns agent and patient round."""
    verb = _chinese_verb().search(clause)
    if verb is None:
        return None
    before, after = clause[: verb.start()], clause[verb.end() :]
    head = "be" if verb[0] in lang.entry("zh", "facts.copulas") else verb[0]
    passive = re.search(r"[由被遭]", before)
    if passive is not None and passive.start() + 1 < len(before):
        agent, patient = before[passive.end() :], before[: passive.start()] + "，" + after
        return _content(agent), head, _content(patient)
    return _content(before), head, _content(after)


def _content(part: str) -> tuple[str, ...]:
    return content_sequence(words(part, "zh"))


@cache
def _chinese_verb() -> re.Pattern[str]:
    """The first verb that is longer than one character, or a copula that has something before it."""
    verbs = sorted(lang.entry("zh", "facts.verbs"), key=len, reverse=True)
    copulas = sorted(lang.entry("zh", "facts.copulas"), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, verbs)) + "|(?<=[^\\W\\d_])(?:" + "|".join(map(re.escape, copulas)) + ")")


@cache
def _set(language: str, path: str) -> frozenset[str]:
    return frozenset(fold_word(word) for word in lang.entry(language, path))
