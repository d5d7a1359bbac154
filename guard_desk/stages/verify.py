"""Verify: which words of an answer the passages support, contradict, or say nothing of.

The answer is checked against the whole pool, not only against what stands in the prompt; `attribute` then says what lies outside of it.
Nothing here raises for bad input: an `input_error` finding says what was wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guard_desk.progress import RunContext
from guard_desk.protocols import Analyzer, Readers
from guard_desk.records.answer import AnswerState, Claim, ClaimState, EvidenceSpan, Finding, Kind, Label, Verified
from guard_desk.records.corpus import Passage, Query, Span
from guard_desk.records.evidence import TextFacts, ValueKind
from guard_desk.text.analyze import analyze_text
from guard_desk.text.languages import detect, detect_among, script_of
from guard_desk.text.support.attribution import cited_statement, misattributed
from guard_desk.text.support.citations import Mark, PassageNames, find_marks
from guard_desk.text.support.claim_states import Statement
from guard_desk.text.support.findings import action_of, counted, finding, input_error, merged
from guard_desk.text.support.pool import Pool
from guard_desk.text.support.quotes import find_quotes, quoted_words
from guard_desk.text.support.readers import detected, marked, read_statements
from guard_desk.text.support.refusal import is_refusal
from guard_desk.text.support.regions import Regions, blanked, find_regions, inside, trimmed
from guard_desk.text.support.statements import StatementChecker
from guard_desk.text.support.vague import find_vague
from guard_desk.text.support.views import Unit, View, build_view, view
from guard_desk.text.support.yesno import Reply, answer_of, asks_yes_no, reply_of
from guard_desk.text.words import content_stems

_CHECK_EVERY = 64
# So much of the first passages tells their language.
_FEW, _SHOWS_LANGUAGE = 8, 400
# Languages that a text cannot be mistaken for unless it holds their script.
_OWN_SCRIPT = {"zh": "Han", "ta": "Tamil"}


def verify_answer(
    query: Query,
    passages: Sequence[Passage],
    facts: Sequence[TextFacts],
    titles: Sequence[TextFacts | None],
    answer: str,
    analyzer: Analyzer | None,
    ctx: RunContext,
    *,
    languages: Sequence[str] | None = None,
    readers: Readers | None = None,
) -> Verified:
    """Check an answer against the passages.

    :param facts: facts of the passages' texts, aligned with `passages`.
    :param titles: facts of their titles, aligned; None where there is no title.
    :param analyzer: finds the answer's entities; None for rules alone.
    :param languages: codes of the answer's languages, the main one first; found when None.
    :param readers: models that read the answer too; None for the rules alone.
    :returns: findings sorted by position; a refusal or an empty answer is a state of its own.
    :raises Cancelled: between sentences.
    """
    prepared = _prepared(query, passages, facts, titles, answer, analyzer, ctx, languages)
    return prepared if isinstance(prepared, Verified) else prepared.verified(readers or Readers())


def rule_statements(
    query: Query,
    passages: Sequence[Passage],
    facts: Sequence[TextFacts],
    titles: Sequence[TextFacts | None],
    answer: str,
    analyzer: Analyzer | None,
    ctx: RunContext,
) -> tuple[Pool, list[Statement]] | None:
    """What the rules alone make of each sentence, before any model has read it: what the numbers of the models are fitted to.

    :returns: None for an answer that has a state of its own.
    """
    prepared = _prepared(query, passages, facts, titles, answer, analyzer, ctx, None)
    return None if isinstance(prepared, Verified) else (prepared.pool, prepared.statements())


def _prepared(
    query: Query,
    passages: Sequence[Passage],
    facts: Sequence[TextFacts],
    titles: Sequence[TextFacts | None],
    answer: str,
    analyzer: Analyzer | None,
    ctx: RunContext,
    languages: Sequence[str] | None,
) -> _Check | Verified:
    """The check, ready to run, or the result for an answer that needs none."""
    problem = _input_problem(query, answer)
    if problem is not None:
        return failed(problem, AnswerState.INPUT_ERROR)
    if not answer.strip():
        return failed("the answer is empty", AnswerState.EMPTY)
    codes = tuple(languages) if languages else _languages(query.text, answer, passages)
    given = _Marked(answer, PassageNames([passage.id for passage in passages]))
    facts_of_answer = _facts_of(given.plain, analyzer, codes, ctx)
    if _refuses(given.plain, facts_of_answer, codes):
        return _refusal(answer, facts_of_answer)
    if not passages or len(passages) != len(facts) or len(passages) != len(titles):
        return failed("there are no passages to check the answer against", AnswerState.INPUT_ERROR)
    texts = [in_languages(passage.text, known, codes) for passage, known in zip(passages, facts, strict=True)]
    heads = [
        in_languages(passage.title, known, codes) if passage.title and known else None
        for passage, known in zip(passages, titles, strict=True)
    ]
    return _Check(query, Pool(passages, texts, heads), given, facts_of_answer, codes, ctx)


def in_languages(text: str, facts: TextFacts, codes: Sequence[str]) -> TextFacts:
    """The facts of a passage, read in the answer's language too where its own reading left that out.

    A short passage, or one padded in another language, is easily taken for another language; its values and denials would be lost.
    """
    main = codes[0]
    other_script = (main in _OWN_SCRIPT) != (facts.languages[0] in _OWN_SCRIPT)
    if main in facts.languages or (other_script and not _holds_script(text, main)):
        return facts
    names = tuple((value.span, value.label) for value in facts.values if value.kind is ValueKind.ENTITY)
    return analyze_text(text, tuple(dict.fromkeys((main, *facts.languages))), names)


def _holds_script(text: str, code: str) -> bool:
    return code in _OWN_SCRIPT and any(_OWN_SCRIPT[code] == script_of(ch) for ch in set(text))


class _Marked:
    """An answer and its citation marks. `plain` has spaces in their place: an id is no statement."""

    def __init__(self, answer: str, names: PassageNames) -> None:
        self.answer = answer
        self.regions: Regions = find_regions(answer)
        self.marks: tuple[Mark, ...] = find_marks(answer, names, self.regions.fenced)
        self.plain = blanked(answer, [mark.span for mark in self.marks])


def _input_problem(query: object, answer: object) -> str | None:
    if answer is None:
        return "there is no answer"
    if not isinstance(answer, str):
        return f"the answer is a {type(answer).__name__}, not text"
    if not isinstance(query, Query) or not isinstance(query.text, str):
        return "the question is not text"
    return None


def failed(note: str, state: AnswerState = AnswerState.INPUT_ERROR) -> Verified:
    """The result for input that cannot be checked: one `input_error` finding that points at nothing."""
    spans = (input_error(note),)
    counts = counted(spans)
    return Verified(action=action_of(counts), spans=spans, claims=(), counts=counts, state=state)


def _languages(question: str, answer: str, passages: Sequence[Passage]) -> tuple[str, ...]:
    """Languages of the answer and of the question: a short answer alone does not show its language, so the passages may tell."""
    both = f"{answer}\n{question}"
    found = detect_among(both, "\n".join([both, *(passage.text[:_SHOWS_LANGUAGE] for passage in passages[:_FEW])]))
    return tuple(dict.fromkeys((*found, *detect(question))))


def _facts_of(text: str, analyzer: Analyzer | None, codes: tuple[str, ...], ctx: RunContext) -> TextFacts:
    if analyzer is None:
        return analyze_text(text, codes)
    return in_languages(text, analyzer.analyze([text], ctx)[0], codes)


def _refuses(answer: str, facts: TextFacts, codes: Sequence[str]) -> bool:
    """Whether every sentence says that the passages do not tell."""
    sentences = [span.of(answer) for span in facts.sentences if any(ch.isalnum() for ch in span.of(answer))]
    return bool(sentences) and all(is_refusal(sentence, codes) for sentence in sentences)


def _refusal(answer: str, facts: TextFacts) -> Verified:
    claims = tuple(
        Claim(start=span.start, end=span.end, text=span.of(answer), state=ClaimState.NOT_CHECKED, confidence=1.0)
        for span in (trimmed(answer, sentence) for sentence in facts.sentences)
    )
    counts = counted(())
    return Verified(action=action_of(counts), spans=(), claims=claims, counts=counts, state=AnswerState.REFUSAL)


class _Check:
    """One check of one answer."""

    def __init__(self, query: Query, pool: Pool, marked: _Marked, facts: TextFacts, codes: tuple[str, ...], ctx: RunContext) -> None:
        self._asked = query
        self.pool = pool
        self._answer = marked.answer
        self._regions = marked.regions
        self._marks = marked.marks
        self._codes = codes
        self._ctx = ctx
        self._view: View = build_view(marked.plain, facts)
        self._query: View = view(query.text, analyze_text(query.text, codes))
        self._vague = find_vague(marked.plain, codes, self._resolves)
        self._statements = StatementChecker(
            pool=pool,
            text=marked.answer,
            answer=self._view,
            query=self._query,
            regions=marked.regions,
            skipped=self._vague,
            languages=codes,
        )

    def statements(self) -> list[Statement]:
        """The sentences, by the rules alone."""
        statements = []
        for number, unit in enumerate(self._view.units):
            if number % _CHECK_EVERY == 0:
                self._ctx.check()
            statements.append(self._statements.check(unit))
        return statements

    def verified(self, readers: Readers) -> Verified:
        """All findings and claims."""
        statements, models, spent = read_statements(readers, self.pool, self._asked, self._answer, self.statements(), self._ctx)
        claims = [statement.claim for statement in statements]
        findings = [item for statement in statements for item in statement.findings]
        findings += [*self._vague_findings(), *self._citation_findings(), *self._quote_findings(), *self._reply_findings()]
        if readers.detector is not None:
            added = detected(readers.detector, self.pool, self._asked, self._answer, self._regions, findings, self._ctx)
            claims, findings, models = marked(claims, added), [*findings, *added], (*models, readers.detector.info)
        spans = merged(findings)
        counts = counted(spans)
        supports = tuple(support for statement in statements for support in statement.supports)
        return Verified(
            action=action_of(counts), spans=spans, claims=tuple(claims), counts=counts, supports=supports, models=models, spent=spent
        )

    def _resolves(self, reference: str) -> bool:
        """Whether passages or question have what a noun phrase points at: its last word, or all of a short Chinese one."""
        stems = content_stems(reference, self._view.language)
        asked = {stem for unit in self._query.units for stem in unit.stems}
        return bool(stems) and all(self.pool.has_stem(stem) or stem in asked for stem in stems)

    def _vague_findings(self) -> Iterator[Finding]:
        for span in self._vague:
            yield finding(
                self._answer, span, Kind.VAGUE, Label.VAGUE, confidence=0.7, note="nothing in the passages says what this points at"
            )

    def _citation_findings(self) -> Iterator[Finding]:
        for mark in self._marks:
            if mark.unknown and not mark.passages:
                yield self._unknown(mark.span, ", ".join(text for _, text in mark.unknown))
                continue
            for span, text in mark.unknown:
                yield self._unknown(span, text)
            yield from self._misattribution(mark)

    def _unknown(self, span: Span, text: str) -> Finding:
        return finding(self._answer, span, Kind.CITATION, Label.UNSUPPORTED, confidence=0.95, note=f"there is no passage {text}")

    def _misattribution(self, mark: Mark) -> Iterator[Finding]:
        unit = self._unit_of(mark.span)
        if unit is None:
            return
        statement = cited_statement(self._answer, unit, mark, self._marks)
        wrong = misattributed(self._view, unit, statement, mark, self.pool)
        if wrong is None:
            return
        better = self.pool.passages[wrong.better].id
        best = next((item.place for item in self._statements.aligned(unit) if item.place.passage == wrong.better), None)
        evidence: tuple[EvidenceSpan, ...] = (self.pool.evidence(best),) if best is not None else ()
        yield finding(
            self._answer,
            mark.span,
            Kind.CITATION,
            Label.MISATTRIBUTED,
            confidence=0.5 + 0.5 * (wrong.found - wrong.cited),
            evidence=evidence,
            note=f"the statement is in {better}, not in {self._answer[mark.span.start : mark.span.end]}",
        )

    def _unit_of(self, span: Span) -> Unit | None:
        """The sentence that a citation closes; one that stands behind the full stop belongs to the sentence before."""
        units = self._view.units
        if not units:
            return None
        position = self._view.unit_at(span)
        unit = units[position]
        behind = trimmed(self._answer, Span(unit.span.start, max(unit.span.start, span.start)))
        return units[position - 1] if position and behind.start >= behind.end and unit.span.end <= span.end + 2 else unit

    def _quote_findings(self) -> Iterator[Finding]:
        for span in find_quotes(self._answer):
            if inside(span, self._regions.code) or self._is_quoted(quoted_words(span.of(self._answer))):
                continue
            yield finding(self._answer, span, Kind.CITATION, Label.UNSUPPORTED, confidence=0.85, note="no passage has these words")

    def _is_quoted(self, words: str) -> bool:
        texts = [
            self._query.text,
            *(passage.text for passage in self.pool.passages),
            *(passage.title or "" for passage in self.pool.passages),
        ]
        return any(words in quoted_words(text) for text in texts)

    def _reply_findings(self) -> Iterator[Finding]:
        """A yes or no that the passages contradict."""
        reply = reply_of(self._view.text, self._codes) if asks_yes_no(self._query) else None
        if reply is None or not self._query.units:
            return
        said, span = reply
        unit = self._query.units[0]
        verdict = answer_of(self._query, self.pool.aligned(unit.bare))
        if verdict is None or verdict.holds == (said is Reply.YES):
            return
        evidence = self.pool.evidence(verdict.place)
        note = f"the passages say {'yes' if verdict.holds else 'no'} ({evidence.passage_id}: {' '.join(evidence.text.split())[:120]})"
        yield finding(self._answer, span, Kind.NEGATION, Label.CONTRADICTED, confidence=verdict.strength, evidence=(evidence,), note=note)


__all__ = ["failed", "rule_statements", "verify_answer"]
