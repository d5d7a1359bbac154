"""What grammar ties together, read from spaCy's dependencies: "Linus Voss, mayor of Harwick", "the mayor is Linus Voss".

Only the parser of a pipeline is loaded beside the vectors it listens to. English pipelines use the labels of ClearNLP
("nsubjpass", "attr", "agent"), most others those of Universal Dependencies ("nsubj:pass", "cop", "obl"); both are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from guard_desk import lang
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Relation, RelationKind
from guard_desk.text.words import fold_word, stem_word

COMPONENTS = ("tok2vec", "parser")

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "nsubj:pass", "csubj", "csubjpass", "sb"})
_OBJECTS = frozenset({"dobj", "obj", "oprd", "attr", "dative", "iobj", "npadvmod", "xcomp", "oa", "pd"})
_PREPOSITIONS = frozenset({"prep", "agent", "mo", "mnr", "op", "sbp"})
_OBLIQUE = frozenset({"obl", "obl:agent", "obl:arg", "obl:mod", "nmod:tmod", "obl:tmod"})
_INSIDE_PREPOSITION = frozenset({"pobj", "pcomp", "nk"})
_COPULAR = frozenset({"attr", "pd"})
_CLAUSES = frozenset({"acl", "relcl", "acl:relcl", "rc"})
_CONJUNCTS = frozenset({"conj", "cj", "cd"})
_APPOSITION = frozenset({"appos", "app"})
_NEGATIONS = frozenset({"neg", "ng"})
# What hangs on a noun from the right and is no part of its name.
_LEFT_OUT = frozenset({*_CLAUSES, *_APPOSITION, *_CONJUNCTS, "cc", "punct", "parataxis", "advcl"})
_RELATIVE = frozenset({"who", "which", "that", "whom", "whose"})


def relations(document: Any, language: str) -> tuple[Relation, ...]:
    """The relations of a parsed document, in order; each pair of spans once."""
    found: dict[tuple[int, int, int, int], Relation] = {}
    for relation in _walk(document, language):
        same = relation.subject.start, relation.subject.end, relation.value.start, relation.value.end
        if relation.subject != relation.value:
            found.setdefault(same, relation)
    return tuple(found.values())


def _walk(document: Any, language: str) -> Iterator[Relation]:
    for token in document:
        if token.dep_ in _APPOSITION:
            yield from _both(RelationKind.APPOSITION, token.head, token)
        elif token.dep_ in ("poss", "nmod:poss", "ag"):
            yield Relation(kind=RelationKind.POSSESSION, subject=_span(token), value=_own(token.head, token))
        elif token.dep_ in ("cop",):
            yield from _copula(token.head)
        elif token.dep_ in _INSIDE_PREPOSITION and token.head.dep_ == "prep" and _is_noun_like(token.head.head):
            yield Relation(kind=RelationKind.POSSESSION, subject=_head_only(token.head.head), value=_span(token))
        if any(child.dep_ in _SUBJECTS for child in token.children) or token.dep_ in _CLAUSES or token.dep_ in _CONJUNCTS:
            yield from _clause(token, language)


def _is_noun_like(token: Any) -> bool:
    return not any(child.dep_ in _SUBJECTS for child in token.children) and token.dep_ not in (
        "ROOT",
        *_CLAUSES,
        *_CONJUNCTS,
        "advcl",
        "ccomp",
    )


def _copula(predicate: Any) -> Iterator[Relation]:
    """Universal Dependencies hang the copula on what is said."""
    for subject in (child for child in predicate.children if child.dep_ in _SUBJECTS):
        yield from _both(RelationKind.COPULA, subject, predicate, negated=_negated(predicate))


def _clause(verb: Any, language: str) -> Iterator[Relation]:
    subjects = list(_subjects(verb))
    objects = [child for child in verb.children if child.dep_ in _OBJECTS]
    obliques = list(_obliques(verb))
    negated = _negated(verb)
    predicate = _lemma(verb.text, language)
    for subject in subjects:
        for value in objects:
            if value.dep_ in _COPULAR:
                yield from _both(RelationKind.COPULA, subject, value, negated=negated)
            else:
                yield from _both(RelationKind.VERB, subject, value, predicate=predicate, negated=negated)
        for value in obliques:
            yield from _both(RelationKind.VERB, subject, value, predicate=predicate, negated=negated)
    for one in objects:  # "gave the prize to Voss"
        for other in obliques:
            yield from _both(RelationKind.VERB, one, other, predicate=predicate, negated=negated)


def _subjects(verb: Any) -> Iterator[Any]:
    """The subjects of a verb: its own, that of the verb it is joined to, or the noun that its clause describes."""
    own = [child for child in verb.children if child.dep_ in _SUBJECTS]
    if own:
        for subject in own:
            relative = verb.dep_ in _CLAUSES and fold_word(subject.text) in _RELATIVE
            yield verb.head if relative else subject
    elif verb.dep_ in _CLAUSES:
        yield verb.head
    elif verb.dep_ in _CONJUNCTS and verb.head is not verb:
        yield from (child for child in verb.head.children if child.dep_ in _SUBJECTS)


def _obliques(verb: Any) -> Iterator[Any]:
    for child in verb.children:
        if child.dep_ in _PREPOSITIONS:
            yield from (inner for inner in child.children if inner.dep_ in _INSIDE_PREPOSITION)
        elif child.dep_ in _OBLIQUE:
            yield child


def _both(kind: RelationKind, a: Any, b: Any, *, predicate: str = "", negated: bool = False) -> Iterator[Relation]:
    """Either side may be what is asked for."""
    first, second = _own(a, b), _own(b, a)
    for subject, value in ((first, second), (second, first)):
        yield Relation(kind=kind, subject=subject, value=value, predicate=predicate, negated=negated)


def _negated(verb: Any) -> bool:
    return any(child.dep_ in _NEGATIONS or fold_word(child.text) in ("never", "not", "no") for child in verb.children)


def _span(token: Any) -> Span:
    return _own(token, None)


def _own(token: Any, other: Any) -> Span:
    """A noun with what belongs to it: from its left edge to the last word before a clause, an apposition or a joined word."""
    first, last = token.i, token.i
    for child in token.lefts:
        if child.dep_ not in ("punct", "cc", "case", "mark", "cop", *_SUBJECTS, *_NEGATIONS, "aux", "advmod"):
            first = min(first, child.left_edge.i)
    for child in token.rights:
        if child.dep_ in _LEFT_OUT or (other is not None and child.left_edge.i <= other.i <= child.right_edge.i):
            break
        last = max(last, child.right_edge.i)
    return _characters(token.doc, first, last)


def _head_only(token: Any) -> Span:
    """A noun with its words to the left: "the mayor" of "the mayor of Harwick"."""
    first = min([token.i, *(child.left_edge.i for child in token.lefts if child.dep_ not in ("punct", "cc"))])
    return _characters(token.doc, first, token.i)


def _characters(document: Any, first: int, last: int) -> Span:
    return Span(document[first].idx, document[last].idx + len(document[last]))


def _lemma(text: str, language: str) -> str:
    """The stem of a verb, of its base form where the language data knows an irregular one ("written" -> "write")."""
    folded = fold_word(text)
    return stem_word(_irregular(language).get(folded, folded), language)


@cache
def _irregular(language: str) -> dict[str, str]:
    pairs = (entry.split("=", 1) for entry in lang.entry(language, "facts.irregular") if "=" in entry)
    return dict(pairs)
