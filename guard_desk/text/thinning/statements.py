"""All that a pool states about a question, read once: content only, no policy. Scoring (`stages/thin.py`) works on this."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from guard_desk.records.corpus import Passage, Span
from guard_desk.records.decision import Stance
from guard_desk.records.evidence import AnswerSpan, Extracted, Relation, TextFacts
from guard_desk.text.thinning.corroboration import CERTAINTY, corroborating
from guard_desk.text.thinning.frame import Frame, Shape, Term, frame_of
from guard_desk.text.thinning.han import is_asked
from guard_desk.text.thinning.mentions import Mention, canonical, compatible, group
from guard_desk.text.thinning.parts import AskedPart, asked_parts
from guard_desk.text.thinning.prose_reading import Prose, is_line, read_prose
from guard_desk.text.thinning.reading import Found, read_passage
from guard_desk.text.thinning.sources import Source, source_of
from guard_desk.text.thinning.voices import Wording, are_repeats, number_voices

_CACHED = 16
_FEW_CHUNKS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One passage states or denies one candidate value.

    :param position: of the passage in `Statements.passage_ids`.
    :param candidate: number of the value.
    :param voice: number of the statement group: equal for near wordings of one candidate and stance.
    :param phrase: the wording of the line, by which copies are told from independent lines of one voice.
    :param certainty: 0..1, how sure it is that the line states this; 1 for what the strict reader finds.
    """

    position: int
    candidate: int
    voice: int
    phrase: tuple[str, ...]
    mention: Mention
    certainty: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """What the passages of a pool state about a question.

    :param sources: one a passage.
    :param canonicals: one a candidate: equal for equal values whatever their format.
    :param clashing: pairs of candidates that cannot both be right.
    :param shape: the kind of value that the question asks for.
    :param part: position of the part of the question that this is read for.
    :param span: its words in the question.
    :param unread: positions of passages that may answer, though in words that are not sure enough to be named.
    """

    passage_ids: tuple[str, ...]
    sources: tuple[Source, ...]
    canonicals: tuple[str, ...]
    statements: tuple[Statement, ...]
    clashing: frozenset[tuple[int, int]]
    shape: Shape
    part: int
    span: Span
    unread: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Passages with all that is known of them, aligned; what nobody looked for is empty.

    :param facts: of the texts.
    :param titles: facts of the titles.
    :param relations: what grammar ties together in each text.
    :param answers: words of each text that a model takes for an answer.
    """

    passages: tuple[Passage, ...]
    facts: tuple[TextFacts, ...]
    titles: tuple[TextFacts | None, ...] = ()
    relations: tuple[tuple[Relation, ...], ...] = ()
    answers: tuple[tuple[AnswerSpan, ...], ...] = ()

    def is_same(self, other: Pool) -> bool:
        """Whether both hold the very same objects; records are frozen, so that is the same content."""
        return all(_identical(getattr(self, item.name), getattr(other, item.name)) for item in fields(self))


def pool_of(passages: Sequence[Passage], extracted: Extracted) -> Pool:
    """The passages as the extract stage has read them."""
    return Pool(
        passages=tuple(passages),
        facts=extracted.texts,
        titles=extracted.titles,
        relations=extracted.relations,
        answers=extracted.answers,
    )


_cache: OrderedDict[str, list[tuple[Pool, tuple[Statements, ...]]]] = OrderedDict()
_lock = threading.Lock()


def read_statements(question: str, pool: Pool) -> tuple[Statements, ...]:
    """Read the passages for each part of a question.

    The last few results are kept: while a policy slider moves, the same pool is asked for again and again.
    """
    with _lock:
        for known, result in _cache.get(question, ()):
            if known.is_same(pool):
                return result
    result = tuple(_read(part, number, pool) for number, part in enumerate(asked_parts(question)))
    with _lock:
        entries = _cache.setdefault(question, [])
        entries[:] = [(pool, result), *entries[:2]]
        _cache.move_to_end(question)
        while len(_cache) > _CACHED:
            _cache.popitem(last=False)
    return result


def _identical(a: Sequence[object], b: Sequence[object]) -> bool:
    return len(a) == len(b) and all(left is right for left, right in zip(a, b, strict=True))


@dataclass(frozen=True, slots=True)
class _Entry:
    """What one passage states or denies, however it was read."""

    position: int
    mention: Mention
    wording: Wording
    certainty: float = 1.0


def _read(part: AskedPart, number: int, pool: Pool) -> Statements:
    frame = frame_of(part.text)
    entries, unread = _entries(frame, number, pool)
    kept = _one_a_value(entries)
    groups = group([entry.mention for entry in kept])
    order = sorted(range(len(groups)), key=lambda g: min(canonical(kept[i].mention) for i in groups[g]))
    candidate_of = {member: place for place, g in enumerate(order) for member in groups[g]}
    voices = _voices(kept, candidate_of)
    statements = tuple(
        Statement(
            position=entry.position,
            candidate=candidate_of[i],
            voice=voices[i],
            phrase=entry.wording.sequence,
            mention=entry.mention,
            certainty=entry.certainty,
        )
        for i, entry in enumerate(kept)
    )
    canonicals = tuple(min((canonical(kept[i].mention) for i in groups[g]), key=lambda c: (-len(c), c)) for g in order)
    return Statements(
        passage_ids=tuple(passage.id for passage in pool.passages),
        sources=tuple(source_of(passage) for passage in pool.passages),
        canonicals=canonicals,
        statements=statements,
        clashing=frozenset() if frame.plural else _clashing(kept, groups, order),
        shape=frame.shape,
        part=number,
        span=part.span,
        unread=unread,
    )


def _entries(frame: Frame, number: int, pool: Pool) -> tuple[list[_Entry], frozenset[int]]:
    """What the strict reader finds in lines of evidence and metadata, then what stands in running text; and the passages left unread."""
    pairs = enumerate(zip(pool.passages, pool.facts, strict=True))
    found = [(i, item) for i, (passage, facts) in pairs for item in read_passage(frame, passage, facts)]
    certain = [_is_certain(frame, passage, facts) for passage, facts in zip(pool.passages, pool.facts, strict=True)]
    strict = [entry for entry in _about_the_question(frame, found) if certain[entry[0]] or entry[1].mention.stance is Stance.NEGATES]
    done = {position for position, _ in strict if certain[position]}
    hints: list[list[Mention]] = [[] for _ in pool.passages]
    for position, item in found:
        if not item.missing and item.mention.stance is Stance.STATES:
            hints[position].append(item.mention)
    prose = Prose(
        passages=pool.passages,
        facts=pool.facts,
        relations=pool.relations,
        answers=tuple(tuple(a for a in marked if a.part == number) for marked in pool.answers) if pool.answers else None,
        wanted=tuple(i not in done for i in range(len(pool.passages))),
        strict=hints,
    )
    read = read_prose(frame, prose)
    entries = [_Entry(position, item.mention, item.wording) for position, item in strict]
    entries += _corroborating(frame, pool, certain, strict, read.readings)
    entries += [_Entry(i, item.mention, item.wording, item.certainty) for i, item in read.readings.items()]
    return sorted(entries, key=lambda entry: entry.position), read.unread


def _corroborating(
    frame: Frame, pool: Pool, certain: Sequence[bool], strict: Sequence[tuple[int, Found]], read: Mapping[int, object]
) -> Iterator[_Entry]:
    """Lines that bear out a value that others state in full."""
    known = [item.mention for _, item in strict if item.mention.stance is Stance.STATES]
    done = {position for position, _ in strict} | set(read)
    for position, (passage, facts) in enumerate(zip(pool.passages, pool.facts, strict=True)):
        if known and certain[position] and position not in done:
            found = corroborating(frame, passage, facts, known)
            if found is not None:
                yield _Entry(position, found.mention, found.wording, CERTAINTY)


def _is_certain(frame: Frame, passage: Passage, facts: TextFacts) -> bool:
    """Whether the strict reader's word holds: for lines of evidence, for metadata claims, and for questions that prose is not read for."""
    return passage.claim_value is not None or frame.shape is Shape.YES_NO or is_line(passage, facts, frame.language)


def _about_the_question(frame: Frame, found: list[tuple[int, Found]]) -> list[tuple[int, Found]]:
    """Those that meet every term or lack a common one alone; in Chinese, where no passage meets all, those that do not lack the asked one.

    Chinese terms carry no mark of the asked property; it is the one that stands beside the asking word ("谁*设计*了松涛亭").
    """
    complete = [entry for entry in found if not entry[1].missing]
    if complete and not frame.is_han:
        needed = frozenset(term.stem for term in frame.terms if _is_needed(frame, term)) | frozenset(frame.head)
        return [entry for entry in found if not entry[1].missing or (entry[1].lacking == 1 and not entry[1].missing & needed)]
    if frame.is_han and len(frame.chunks) <= _FEW_CHUNKS:
        return complete
    return complete or [entry for entry in found if not (frame.is_han and _lacks_subject(frame, entry[1]))]


def _is_needed(frame: Frame, term: Term) -> bool:
    """Whether a line may not leave a term out.

    That are names, the asked property, what is counted, the only word beside names, a noun with "of" behind it, and all words beside a
    date, as many things happen to one object.
    """
    if term.light:
        return False
    counted = frame.shape is Shape.COUNT and term.stem in frame.head
    alone = sum(not other.key and not other.year for other in frame.terms) == 1
    central = term.key or term.stem in frame.attribute or term.verb_of_subject or term.governs
    return central or counted or alone or frame.shape is Shape.DATE


def _lacks_subject(frame: Frame, found: Found) -> bool:
    """Whether a Chinese line lacks the asked property or a title in quotes."""
    return any(is_asked(frame.text, term) or f"《{term}》" in frame.text for term in found.missing)


def _one_a_value(found: list[_Entry]) -> list[_Entry]:
    """Each passage states or denies a value once; its first statement stands for it."""
    kept: dict[tuple[int, str, Stance], _Entry] = {}
    for entry in found:
        kept.setdefault((entry.position, canonical(entry.mention), entry.mention.stance), entry)
    return list(kept.values())


def _voices(kept: list[_Entry], candidate_of: dict[int, int]) -> dict[int, int]:
    """Numbers of the statement groups, 0-based over the whole pool."""
    parts: dict[tuple[int, Stance], list[int]] = {}
    for i, entry in enumerate(kept):
        parts.setdefault((candidate_of[i], entry.mention.stance), []).append(i)
    wordings = {key: [kept[i].wording for i in members] for key, members in parts.items()}
    repeats = any(are_repeats(told) for told in wordings.values())
    numbers: dict[int, int] = {}
    base = 0
    for key, members in sorted(parts.items()):
        local = number_voices(wordings[key], repeats=repeats)
        known = {old: new for new, old in enumerate(dict.fromkeys(local))}
        numbers.update({member: base + known[number] for member, number in zip(members, local, strict=True)})
        base += len(known)
    return numbers


def _clashing(kept: list[_Entry], groups: Sequence[Sequence[int]], order: Sequence[int]) -> frozenset[tuple[int, int]]:
    """Candidates of different values, unless one only says less than the other."""
    pairs = set()
    for a in range(len(order)):
        for b in range(a + 1, len(order)):
            left, right = groups[order[a]], groups[order[b]]
            if not any(compatible(kept[i].mention, kept[j].mention) for i in left for j in right):
                pairs.add((a, b))
    return frozenset(pairs)
