"""Checks one answer sentence by sentence: its values, its polarity, its roles, and whether anything carries it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from guard_desk.records.answer import EvidenceSpan, Finding, Kind, Label, Support
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.support import notes
from guard_desk.text.support.claim_states import Checked, Statement, Summary
from guard_desk.text.support.claims import clause_stems, cover, is_invented, joined_denials
from guard_desk.text.support.conflicts import ConflictFinder
from guard_desk.text.support.entities import Names
from guard_desk.text.support.every_day import every_day
from guard_desk.text.support.findings import finding, kind_of
from guard_desk.text.support.identifiers import IdentifierChecker
from guard_desk.text.support.language import phrase_set, plain
from guard_desk.text.support.medicines import unknown_medicines
from guard_desk.text.support.name_check import NameChecker
from guard_desk.text.support.ordinals import other_place
from guard_desk.text.support.polarity import Opposed, opposed
from guard_desk.text.support.pool import Aligned, Held, Place, Pool
from guard_desk.text.support.qualifiers import excepts, requalified
from guard_desk.text.support.ratios import other_ratio, same_ratio
from guard_desk.text.support.refusal import is_refusal
from guard_desk.text.support.regions import Regions, inside, touches, trimmed
from guard_desk.text.support.roles import exchanged
from guard_desk.text.support.substitution import substituted
from guard_desk.text.support.values import Status, ValueChecker, ValueVerdict
from guard_desk.text.support.views import Unit, View, stems_of
from guard_desk.text.support.words import support_words

_CLAUSE_STEMS = 4
_PART_STEMS = 2
_SOURCE_REACH = 16


class StatementChecker:
    """Checks the sentences of one answer against the pool.

    :param text: the answer as it was given.
    :param answer: its view, with spaces in place of citation marks.
    :param skipped: parts of the answer that are no statements of their own (vague phrases).
    """

    def __init__(
        self, *, pool: Pool, text: str, answer: View, query: View, regions: Regions, skipped: Sequence[Span], languages: Sequence[str]
    ) -> None:
        self._pool = pool
        self._text = text
        self._answer = answer
        self._regions = regions
        self._skipped = (*skipped, *regions.form)
        self._languages = languages
        self._asked = frozenset(stem for unit in query.units for stem in unit.stems)
        self._small_talk = stems_of(phrase_set("verify.small_talk", (answer.language,)), answer.language)
        self._identifiers = IdentifierChecker(pool, query)
        self._values = ValueChecker(pool, answer, query)
        self._conflicts = ConflictFinder(pool, answer, query)
        self._name_checker = NameChecker(pool, answer, query, Names(pool, query), self._values, self._conflicts)
        self._summary = Summary(pool, text, answer)

    def aligned(self, unit: Unit) -> tuple[Aligned, ...]:
        """Sentences of the pool that share words with a sentence of the answer; a very short one borrows the question's words."""
        stems = unit.bare if len(unit.bare) >= 2 else unit.bare | self._asked
        return self._pool.aligned(stems or unit.stems)

    def check(self, unit: Unit) -> Statement:
        """One sentence with its findings, its state and its supported values."""
        text = self._answer.text
        span = trimmed(text, unit.span)
        if is_refusal(unit.span.of(text), self._languages):
            return self._summary.unchecked(unit, span)
        aligned = self.aligned(unit)
        checked = Checked()
        for value in self._claimed_values(unit):
            self._check_value(unit, value, aligned, checked)
        if not inside(unit.span, self._regions.code):
            self._check_clauses(unit, aligned, checked)
        return self._summary.statement(unit, span, aligned, checked)

    def _claimed_values(self, unit: Unit) -> Iterator[Value]:
        for position in unit.values:
            value = self._answer.values[position]
            if touches(value.span, self._skipped) or (value.kind is ValueKind.ENTITY and self._says_little(value)):
                continue
            if not self._numbers_a_source(value) and not self._counts_itself(value):
                yield value

    def _numbers_a_source(self, value: Value) -> bool:
        """Whether a number names a passage ("Passage 3 says")."""
        if value.kind is not ValueKind.NUMBER or value.unit:
            return False
        before = self._answer.words_in(value.span.start - _SOURCE_REACH, value.span.start)
        return bool(before) and before[-1].folded in phrase_set("verify.sources", (self._answer.language,))

    def _counts_itself(self, value: Value) -> bool:
        """Whether a number counts the answer's own words ("a summary in 90 words")."""
        if value.kind is not ValueKind.NUMBER or value.unit:
            return False
        following = self._answer.words_in(value.span.end, value.span.end + _SOURCE_REACH)[:1]
        named = following and following[0].folded in support_words("talk_units", self._answer.language)
        return bool(named) and not self._pool.has_stem(following[0].stem)

    def _says_little(self, value: Value) -> bool:
        """Whether a model took plain words for a name ("Good" of "Good news!")."""
        found = self._answer.words_in(value.span.start, value.span.end)
        light = phrase_set("verify.light", (self._answer.language,))
        return all(not word.content or word.folded in light for word in found) and not value.text.isupper()

    def _check_value(self, unit: Unit, value: Value, aligned: Sequence[Aligned], checked: Checked) -> None:
        if value.kind is ValueKind.ENTITY:
            self._check_name(unit, value, aligned, checked)
        elif value.kind is ValueKind.IDENTIFIER:
            self._check_identifier(value, aligned, checked)
        else:
            self._check_amount(unit, value, aligned, checked)

    def _check_amount(self, unit: Unit, value: Value, aligned: Sequence[Aligned], checked: Checked) -> None:
        verdict = self._values.check(unit, value, aligned)
        if verdict.status is Status.SUPPORTED and verdict.support is not None:
            self._supported(unit, verdict, aligned, checked)
        elif verdict.rival is not None:
            kind = Kind.UNIT if verdict.status is Status.WRONG_UNIT and value.kind is ValueKind.NUMBER else kind_of(value.kind)
            self._wrong(value, kind, verdict.rival, verdict.strength, checked)
        elif not self._values.is_known(value):
            same = same_ratio(self._answer, value, aligned) or every_day(self._answer, value, self._pool)
            if same is not None:
                self._support(value, [(same.place, same.value.span)], checked)
                return
            checked.open_values.add(value.span)
            checked.findings.append(
                finding(self._text, value.span, kind_of(value.kind), Label.UNSUPPORTED, confidence=0.7, note=notes.not_found(value))
            )

    def _supported(self, unit: Unit, verdict: ValueVerdict, aligned: Sequence[Aligned], checked: Checked) -> None:
        support = verdict.support
        assert support is not None
        places = [(held.place, held.value.span) for held in verdict.all_support or (support,)]
        self._support(verdict.value, places, checked)
        rival = self._conflicts.rival_of(unit, self._values.context(unit, verdict.value), verdict, aligned)
        if rival is not None:
            self._conflict(verdict.value.span, support, rival, checked)

    def _support(self, value: Value, places: Sequence[tuple[Place, Span]], checked: Checked) -> None:
        """Keep where a value stands; places in the question are no evidence."""
        checked.known_values += 1
        evidence = tuple(self._pool.evidence(place, span) for place, span in places if place.passage >= 0 and span.end > span.start)
        if evidence:
            checked.supports.append(Support(start=value.span.start, end=value.span.end, text=value.span.of(self._text), evidence=evidence))

    def _conflict(self, span: Span, support: Held, rival: Held, checked: Checked) -> None:
        first, second = self._pool.evidence(support.place, support.value.span), self._pool.evidence(rival.place, rival.value.span)
        note = notes.disagree(first.passage_id, first.text, second.passage_id, second.text)
        checked.findings.append(
            finding(self._text, span, Kind.CONFLICT, Label.CONFLICT, confidence=0.75, evidence=(first, second), note=note)
        )

    def _wrong(self, value: Value, kind: Kind, rival: Held, strength: float, checked: Checked) -> None:
        checked.wrong = True
        checked.findings.append(
            finding(
                self._text,
                value.span,
                kind,
                Label.CONTRADICTED,
                confidence=0.6 + 0.4 * strength,
                evidence=(self._pool.evidence(rival.place, rival.value.span),),
                note=notes.instead(rival),
            )
        )

    def _check_name(self, unit: Unit, value: Value, aligned: Sequence[Aligned], checked: Checked) -> None:
        verdict = self._name_checker.check(unit, value, aligned)
        if verdict.places:
            self._support(value, verdict.places, checked)
        if verdict.rival is not None and verdict.support is not None:
            self._conflict(value.span, verdict.support, verdict.rival, checked)
        elif verdict.rival is not None:
            self._wrong(value, Kind.ENTITY, verdict.rival, 0.6, checked)
        elif not verdict.known:
            checked.open_values.add(value.span)
            checked.findings.append(
                finding(self._text, value.span, Kind.ENTITY, Label.UNSUPPORTED, confidence=0.65, note=notes.not_found(value))
            )

    def _check_identifier(self, value: Value, aligned: Sequence[Aligned], checked: Checked) -> None:
        found = self._identifiers.find(value)
        if found is not None:
            self._support(value, [(found.place, found.span)] if found.place is not None else [], checked)
            return
        rival = self._identifiers.rival(value, aligned)
        if rival is not None:
            self._wrong(value, Kind.IDENTIFIER, rival, 0.6, checked)
            return
        checked.open_values.add(value.span)
        checked.findings.append(
            finding(self._text, value.span, Kind.IDENTIFIER, Label.UNSUPPORTED, confidence=0.8, note=notes.not_found(value))
        )

    def _check_clauses(self, unit: Unit, aligned: Sequence[Aligned], checked: Checked) -> None:
        whole = trimmed(self._answer.text, unit.span)
        against, denied_span = self._opposition(unit, whole, aligned)
        if against is None:
            against = requalified(self._answer, unit, whole, aligned)
        elif unit.negations and excepts(against.place.view, against.place.unit, unit):
            against = None
        swapped = None if against else exchanged(self._answer, unit, whole, aligned)
        if against is not None:
            self._denied(denied_span, against, checked)
        elif swapped is not None:
            checked.wrong = True
            evidence = self._pool.evidence(swapped.place)
            note = notes.exchanged(evidence.passage_id, evidence.text)
            checked.findings.append(
                finding(
                    self._text, swapped.span, Kind.ROLE, Label.CONTRADICTED, confidence=swapped.strength, evidence=(evidence,), note=note
                )
            )
        else:
            self._check_medicines(unit, aligned, checked)
            if not checked.findings:
                self._check_order(unit, aligned, checked)
            if not checked.findings:
                self._check_nouns(unit, aligned, checked)
            self._check_cover(unit, checked)

    def _check_medicines(self, unit: Unit, aligned: Sequence[Aligned], checked: Checked) -> None:
        for found in unknown_medicines(self._answer, unit, aligned, self._pool, self._asked):
            if touches(found.span, self._skipped):
                continue
            evidence = (self._pool.evidence(found.place, found.instead),) if found.place is not None else ()
            checked.wrong = checked.wrong or bool(evidence)
            label = Label.CONTRADICTED if evidence else Label.UNSUPPORTED
            note = notes.another(evidence[0].passage_id, evidence[0].text) if evidence else notes.no_words(found.span.of(self._text))
            checked.findings.append(finding(self._text, found.span, Kind.ENTITY, label, confidence=0.7, evidence=evidence, note=note))

    def _check_order(self, unit: Unit, aligned: Sequence[Aligned], checked: Checked) -> None:
        """Another place in an order, or another ratio, where a passage has one."""
        found = other_place(self._answer, unit, aligned)
        others = [(found.span, found.instead, found.place)] if found is not None else []
        for span, instead, place in (*others, *other_ratio(self._answer, unit, aligned)):
            if touches(span, self._skipped):
                continue
            evidence = self._pool.evidence(place, instead)
            note = notes.another(evidence.passage_id, evidence.text)
            checked.wrong = True
            checked.findings.append(self._contradicted(span, Kind.NUMBER, 0.75, evidence, note))

    def _check_nouns(self, unit: Unit, aligned: Sequence[Aligned], checked: Checked) -> None:
        """Another plain noun where a passage has one."""
        found = substituted(self._answer, unit, aligned, self._pool, self._asked)
        if found is None or touches(found.span, self._skipped):
            return
        evidence = self._pool.evidence(found.place, found.instead)
        checked.wrong = True
        span = trimmed(self._answer.text, unit.span) if found.opposite else found.span
        kind = Kind.NEGATION if found.opposite else Kind.ENTITY
        checked.findings.append(self._contradicted(span, kind, 0.7, evidence, notes.another(evidence.passage_id, evidence.text)))

    def _contradicted(self, span: Span, kind: Kind, confidence: float, evidence: EvidenceSpan, note: str) -> Finding:
        return finding(self._text, span, kind, Label.CONTRADICTED, confidence=confidence, evidence=(evidence,), note=note)

    def _opposition(self, unit: Unit, whole: Span, aligned: Sequence[Aligned]) -> tuple[Opposed | None, Span]:
        """What opposes a sentence, or one of its clauses."""
        found = opposed(self._answer, unit, whole, aligned)
        if len(unit.clauses) < 2:
            return found, whole
        if found is not None:
            return replace(found, agreeing=found.agreeing or self._agreeing_in_parts(unit)), whole
        for clause in unit.clauses:
            if len(clause.stems) >= _CLAUSE_STEMS:
                span = trimmed(self._answer.text, clause.span)
                found = opposed(self._answer, unit, span, self._pool.aligned(clause.stems))
                if found is not None:
                    return found, span
        return None, whole

    def _agreeing_in_parts(self, unit: Unit) -> Place | None:
        """A sentence that says the same as the first opposed clause, where every opposed clause has one.

        What the answer says in one sentence may take a passage two.
        """
        parts = [
            opposed(self._answer, unit, trimmed(self._answer.text, clause.span), self._pool.aligned(clause.stems))
            for clause in unit.clauses
            if len(clause.stems) >= _PART_STEMS
        ]
        agreeing = [part.agreeing for part in parts if part is not None]
        return agreeing[0] if agreeing and None not in agreeing else None

    def _denied(self, span: Span, against: Opposed, checked: Checked) -> None:
        """A passage says the opposite: a contradiction, or a conflict where another passage says the same as the answer."""
        evidence = self._pool.evidence(against.place)
        if against.agreeing is not None:
            same = self._pool.evidence(against.agreeing)
            note = notes.disagree(same.passage_id, same.text, evidence.passage_id, evidence.text)
            checked.findings.append(
                finding(self._text, span, Kind.CONFLICT, Label.CONFLICT, confidence=0.7, evidence=(same, evidence), note=note)
            )
            return
        checked.wrong = True
        note = notes.denied(evidence.passage_id, evidence.text, against.note)
        checked.findings.append(
            finding(self._text, span, Kind.NEGATION, Label.CONTRADICTED, confidence=against.strength, evidence=(evidence,), note=note)
        )

    def _check_cover(self, unit: Unit, checked: Checked) -> None:
        text = self._answer.text
        for clause in self._pieces(unit):
            stems = clause_stems(unit, clause, (*self._skipped, *joined_denials(unit)))
            held = any(
                clause.start <= value.span.start < clause.end and value.span not in checked.open_values
                for value in self._claimed_values(unit)
            )
            if held or any(clause.start <= item.start < clause.end and item.label is not Label.UNSUPPORTED for item in checked.findings):
                continue
            found = cover(self._answer, stems, self._pool.aligned(stems), self._pool, self._asked | self._small_talk)
            if is_invented(found, stems):
                note = "no passage says this: " + ", ".join(sorted(self._shown(unit, found.unknown))[:6])
                checked.findings.append(
                    finding(
                        self._text,
                        trimmed(text, clause),
                        Kind.CLAIM,
                        Label.UNSUPPORTED,
                        confidence=0.5 + 0.4 * (1 - found.share),
                        note=note,
                    )
                )

    def _shown(self, unit: Unit, stems: frozenset[str]) -> set[str]:
        """The words of the answer that have these stems."""
        places = [place for stem, place in unit.order if stem in stems]
        width = 2 if self._answer.language in ("zh", "ja") else 0
        shown = set()
        for place in places:
            for word in self._answer.words_in(place, place + 1):
                shown.add(plain(self._answer.text[place : max(word.span.end, place + width)]).strip())
        return shown

    def _pieces(self, unit: Unit) -> list[Span]:
        """The sentence, or its clauses where each is long enough to stand alone."""
        long_enough = [clause.span for clause in unit.clauses if len(clause.stems) >= 3]
        return [clause.span for clause in unit.clauses] if len(long_enough) == len(unit.clauses) > 1 else [unit.span]
