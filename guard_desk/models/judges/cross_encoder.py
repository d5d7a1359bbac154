"""A judge made of sequence classifiers: for each question one from a folder; the others are answered by the rules of `features`.

Three kinds, told apart by the labels in `config.json`:

- entailment (NLI): relevance, evidence and injection are the entailment of a sentence (`Wording.hypothesis`) by the passage;
  contradiction is that of a premise of the query. A query that takes nothing for granted contradicts nothing.
- one output (rerankers): the sigmoid of the score of (query, passage).
- named classes: the share of those that mean yes. For injection the passage is read alone, without the query.

The answers are the classifiers' own numbers; nothing here calibrates them.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from guard_desk.errors import InputError, ModelError
from guard_desk.models import windows
from guard_desk.models.judges.classifier import Pair, Scored, TextClassifier, shared_classifier
from guard_desk.models.judges.classifier_folder import open_classifier
from guard_desk.models.judges.features import FeaturesJudge
from guard_desk.models.judges.labels import ClassifierKind, yes_labels
from guard_desk.models.judges.wordings import shipped_wordings
from guard_desk.policy import Thresholds
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import THRESHOLD_NAMES, Answers, Judgement, ModelInfo, Question, Reason
from guard_desk.records.judging import Classifier, JudgeSettings, Wording
from guard_desk.text.premise import premises

logger = logging.getLogger("guard_desk.models")

NAME = "cross-encoder"
# Raise it when the same classifier would be asked or read differently: stored answers are then asked anew.
VERSION = "1"
BATCH_PASSAGES = 16
# The answer where the query takes nothing for granted: that of the rules.
NO_PREMISE = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """One question and the classifier that answers it.

    :param yes: positions of the outputs that mean yes, and `label` their names for people.
    :param hypothesis: see `Wording`; None for the question of contradiction.
    """

    question: Question
    classifier: TextClassifier
    yes: tuple[int, ...]
    label: str
    hypothesis: str | None

    @property
    def source(self) -> str:
        return self.classifier.folder.source

    @property
    def entails(self) -> bool:
        return self.classifier.folder.mapping.kind is ClassifierKind.NLI


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """The answer to one question about one passage, with its reason."""

    probability: float
    reason: Reason


def load(settings: JudgeSettings, device: str) -> CrossEncoderJudge:
    """The judge; its classifiers are checked now and loaded when the first passage is judged.

    :param settings: `classifiers`, at most one a question.
    :raises InputError: when there are none, for an unknown question, or two for one.
    :raises MissingModelError: for a hub name that is not in the local cache.
    :raises ModelError: for a folder that cannot be used, or labels whose meaning is not known.
    """
    if not settings.classifiers:
        remedy = "Name a folder, or an organisation/name of the local hub cache, for at least one question."
        raise InputError("The judge cross-encoder has no classifiers.", remedy=remedy)
    loaded: dict[str, TextClassifier] = {}
    asked: dict[Question, _Asked] = {}
    for chosen in settings.classifiers:
        question = _question(chosen)
        if question in asked:
            raise InputError(f"There are two classifiers for the question {question.value!r}.", remedy="Name one a question.")
        if chosen.source not in loaded:
            loaded[chosen.source] = shared_classifier(open_classifier(chosen.source), device)
        asked[question] = _asked(question, loaded[chosen.source], chosen.label, _hypothesis(settings, question))
    return CrossEncoderJudge(tuple(asked.values()))


class CrossEncoderJudge:
    """Answers of classifiers, and of the rules where there is none."""

    def __init__(self, asked: Sequence[_Asked]) -> None:
        self._asked = tuple(sorted(asked, key=lambda one: list(Question).index(one.question)))
        self._rules = FeaturesJudge() if len(self._asked) < len(Question) else None
        self._own = frozenset(one.question for one in self._asked)
        self._revision = self._fingerprint()
        # Part of the cache key only where the rules read the similarity.
        self.similarity_digits = None if self._rules is None else self._rules.similarity_digits

    @property
    def info(self) -> ModelInfo:
        """The detail says how each question is answered; the device is "" until a model is loaded."""
        weights = "".join(sorted({one.classifier.folder.weights for one in self._asked}))
        return ModelInfo(
            name=NAME,
            revision=self._revision,
            weights=hashlib.sha256(weights.encode()).hexdigest(),
            device=self._asked[0].classifier.device,
            detail=self._detail(),
        )

    @property
    def thresholds(self) -> Thresholds:
        """The recipe's for classifiers, whose scale nobody fitted; the rules' own for their questions."""
        if self._rules is None:
            return Thresholds()
        theirs = [THRESHOLD_NAMES[question] for question in Question if question not in self._own]
        return replace(Thresholds(), **{name: getattr(self._rules.thresholds, name) for name in theirs})

    def key_material(self, query: Query, passage: Passage) -> Sequence[str]:
        """For each question exactly what is held against the passage, and the passage itself."""
        material = [NAME, VERSION, query.text, passage.title or "", passage.text]
        for one in self._asked:
            material += [one.question.value, json.dumps([[pair.other, pair.text] for pair in _pairs(one, query, passage)])]
        if self._rules is not None:
            material += self._rules.key_material(query, passage)
        return material

    def judge(self, query: Query, passages: Sequence[Passage], similarities: Sequence[float], ctx: RunContext) -> Iterator[Judgement]:
        """One judgement a passage, in order. :raises Cancelled: between batches."""
        for start in range(0, len(passages), BATCH_PASSAGES):
            chunk = passages[start : start + BATCH_PASSAGES]
            ctx.check()
            rules = self._by_rules(query, chunk, similarities[start : start + BATCH_PASSAGES], ctx)
            try:
                answers = [self._answers(one, query, chunk, ctx) for one in self._asked]
            except ModelError as exc:
                logger.warning("%d passages could not be judged: %s", len(chunk), exc)
                yield from (Judgement(passage_id=passage.id, answers=None, judge=NAME, error=str(exc)) for passage in chunk)
                continue
            for number, passage in enumerate(chunk):
                yield self._judgement(passage, [given[number] for given in answers], rules[number] if rules else None)

    def _by_rules(
        self, query: Query, passages: Sequence[Passage], similarities: Sequence[float], ctx: RunContext
    ) -> Sequence[Judgement] | None:
        return None if self._rules is None else tuple(self._rules.judge(query, passages, similarities, ctx))

    def _answers(self, one: _Asked, query: Query, passages: Sequence[Passage], ctx: RunContext) -> list[_Answer]:
        """This classifier's answer for each passage: the highest of its pairs."""
        pairs = [_pairs(one, query, passage) for passage in passages]
        scored = iter(one.classifier.score([pair for some in pairs for pair in some], one.yes, ctx))
        return [_best(one, some, [next(scored) for _ in some]) for some in pairs]

    def _judgement(self, passage: Passage, own: Sequence[_Answer], rules: Judgement | None) -> Judgement:
        values = {answer.reason.question: round(answer.probability, 4) for answer in own}
        reasons = tuple(answer.reason for answer in own)
        uncertain: tuple[Question, ...] = ()
        if rules is not None:
            if rules.answers is None:
                return replace(rules, judge=NAME)
            values = {question: getattr(rules.answers, question.value) for question in Question} | values
            reasons += tuple(reason for reason in rules.reasons if reason.question not in self._own)
            uncertain = tuple(question for question in rules.uncertain if question not in self._own)
        answers = Answers(**{question.value: values[question] for question in Question})
        return Judgement(passage_id=passage.id, answers=answers, judge=NAME, reasons=reasons, uncertain=uncertain)

    def _detail(self) -> str:
        parts = [f"{one.question.value}: {one.source} ({_reading(one)})" for one in self._asked]
        if self._rules is not None:
            parts.append(f"{', '.join(question.value for question in Question if question not in self._own)}: the rules of features")
        return f"Classifiers, not calibrated here. {'; '.join(parts)}."

    def _fingerprint(self) -> str:
        parts: list[object] = [VERSION, windows.VERSION, None if self._rules is None else self._rules.info.revision]
        parts += [[one.question.value, one.classifier.folder.digest, list(one.yes)] for one in self._asked]
        return f"{VERSION}-{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]}"


def _question(chosen: Classifier) -> Question:
    try:
        return Question(chosen.question)
    except ValueError as exc:
        names = ", ".join(question.value for question in Question)
        raise InputError(f"There is no question {chosen.question!r}.", remedy=f"Choose one of: {names}.") from exc


def _hypothesis(settings: JudgeSettings, question: Question) -> str | None:
    """The user's own, else the shipped one."""
    own: Wording | None = getattr(settings.wordings, question.value, None)
    shipped: Wording = getattr(shipped_wordings(), question.value)
    return (own.hypothesis if own is not None else None) or shipped.hypothesis


def _asked(question: Question, classifier: TextClassifier, label: str | None, hypothesis: str | None) -> _Asked:
    mapping = classifier.folder.mapping
    yes = yes_labels(mapping, question, label)
    named = " or ".join(mapping.labels[position] for position in yes)
    return _Asked(question=question, classifier=classifier, yes=yes, label=named, hypothesis=hypothesis)


def _pairs(one: _Asked, query: Query, passage: Passage) -> list[Pair]:
    """What this classifier is asked about a passage; none for a query without premises."""
    text = f"{passage.title}\n{passage.text}" if passage.title else passage.text
    if one.entails:
        return [Pair(text=text, other=sentence, text_first=True) for sentence in _held(one.hypothesis, query)]
    if one.question is Question.INJECTION:
        return [Pair(text=text)]
    return [Pair(text=text, other=query.text)]


def _held(hypothesis: str | None, query: Query) -> list[str]:
    """The sentences held against the passage: the question's hypothesis, or premises of the query."""
    if hypothesis is None:
        return [premise.span.of(query.text) for premise in premises(query.text)]
    return [hypothesis.replace("{query}", query.text)]


def _best(one: _Asked, pairs: Sequence[Pair], scored: Sequence[Scored]) -> _Answer:
    if not scored:
        detail = "The query takes nothing for granted that a passage could contradict."
        return _Answer(probability=NO_PREMISE, reason=Reason(question=one.question, rule="no premise", detail=detail))
    pair, found = max(zip(pairs, scored, strict=True), key=lambda both: both[1].probability)
    sentence = f" of “{pair.other}”" if one.entails else ""
    window = f" The highest of {found.windows} windows." if found.windows > 1 else ""
    cut = " The query was too long for it and was cut." if found.cut else ""
    detail = f"{one.source}: {_name(one)} {found.probability:.2f}{sentence}.{window}{cut}"
    return _Answer(probability=found.probability, reason=Reason(question=one.question, rule="classifier", detail=detail))


def _name(one: _Asked) -> str:
    return "score" if one.classifier.folder.mapping.kind is ClassifierKind.RERANKER else one.label


def _reading(one: _Asked) -> str:
    mapping = one.classifier.folder.mapping
    if mapping.kind is ClassifierKind.RERANKER:
        return "one score, through the sigmoid"
    assumed = mapping.assumed and mapping.means_yes(one.question) == (one.label,)
    return f"{one.label} means yes{', which is assumed: the labels have no names' if assumed else ''}"
