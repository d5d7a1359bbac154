"""The judge that ships: a small trained network, the encoder's cosine and the rules of "features" vote on each question.

What the network cannot read (scripts other than Latin) the rules answer alone. A question of several parts is judged by its parts, see
`question_parts`. Answers name the part of the passage and the facts that decided; `resources/judge/CARD.md` says what they are worth.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence

from guard_desk.errors import ModelError
from guard_desk.models.judges import judge_windows, votes
from guard_desk.models.judges.calibration import Calibration, load_calibration
from guard_desk.models.judges.embedded_reasons import embedded_reasons
from guard_desk.models.judges.features import RULES_VERSION
from guard_desk.models.judges.network import JudgeNetwork, judge_folder, load_network
from guard_desk.models.judges.pair_features import read_pair
from guard_desk.models.judges.pair_reader import HeadReading, PairReader
from guard_desk.models.judges.question_parts import decide, parts_material, reasons_by_part, several_parts
from guard_desk.models.judges.votes import Readings, answers_of
from guard_desk.models.judges.weights import load_weights, weights_digest
from guard_desk.policy import Thresholds
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Answers, Judgement, ModelInfo, Question
from guard_desk.records.judging import JudgeSettings

logger = logging.getLogger("guard_desk.models")

NAME = "embedded"
# Passages that go through the network together; their answers are handed out before the next ones are read.
TOGETHER = 32
# Of the whole question, then of its parts.
_Heads = Sequence[HeadReading]


class EmbeddedJudge:
    """Answers from the votes of network, cosine and rules.

    :param network: with the weights that `numbers` were fitted for.
    :param numbers: how the votes are weighed.
    """

    similarity_digits = 3

    def __init__(self, network: JudgeNetwork, numbers: Calibration) -> None:
        self._reader = PairReader(network)
        self._numbers = numbers
        self._weights = load_weights()
        self._info = ModelInfo(
            name=NAME,
            revision=revision_of(network, numbers),
            weights=network.description.weights,
            device=network.device,
            detail=f"A small trained network, the encoder's similarity and rules vote; each answer names its reasons. {network.choice}",
        )

    @property
    def info(self) -> ModelInfo:
        """The revision is a hash of weights, calibration, rules and precision."""
        return self._info

    @property
    def thresholds(self) -> Thresholds:
        """Fitted with the calibration, on training data."""
        return self._numbers.thresholds

    def key_material(self, query: Query, passage: Passage) -> Sequence[str]:
        """Query text, title and text: all that is read, and its parts where it has several. The stage adds the rounded similarity."""
        return (NAME, query.text, passage.title or "", passage.text, *parts_material(query.text))

    def judge(self, query: Query, passages: Sequence[Passage], similarities: Sequence[float], ctx: RunContext) -> Iterator[Judgement]:
        """One judgement a passage, in order, some at a time. :raises Cancelled: between passes and between passages."""
        for start in range(0, len(passages), TOGETHER):
            part = passages[start : start + TOGETHER]
            heads = self._read(query, part, ctx)
            for passage, reading, similarity in zip(part, heads, similarities[start : start + TOGETHER], strict=True):
                ctx.check()
                yield self._safely(query, passage, reading, round(float(similarity), self.similarity_digits))

    def _read(self, query: Query, passages: Sequence[Passage], ctx: RunContext) -> Sequence[_Heads | ModelError]:
        """The network's readings; where it fails on some together, each alone, so that one odd text costs only itself."""
        texts = (query.text, *(part.text for part in several_parts(query.text)))
        try:
            found = self._reader.read_pairs([text for text in texts for _ in passages], [*passages] * len(texts), ctx)
        except ModelError as exc:
            if len(passages) == 1:
                return [exc]
            logger.warning("%d passages are read one by one: %s", len(passages), exc)
            return [reading for passage in passages for reading in self._read(query, [passage], ctx)]
        return [found[number :: len(passages)] for number in range(len(passages))]

    def _safely(self, query: Query, passage: Passage, heads: _Heads | ModelError, similarity: float) -> Judgement:
        try:
            if isinstance(heads, ModelError):
                raise heads
            return self._judgement(query, passage, heads, similarity)
        except Exception as exc:
            # One odd text must not cost the others their answers; it stays "not judged".
            logger.exception("Passage %s could not be judged", passage.id)
            return Judgement(passage_id=passage.id, answers=None, judge=NAME, error=f"{type(exc).__name__}: {exc}")

    def _judgement(self, query: Query, passage: Passage, heads: _Heads, similarity: float) -> Judgement:
        parts = several_parts(query.text)
        whole = read_pair(query.text, passage.text, passage.title, similarity)
        others = [read_pair(part.text, passage.text, passage.title, similarity, injection=whole.injection) for part in parts]
        readings = [Readings(pair=pair, heads=head) for pair, head in zip([whole, *others], heads, strict=True)]
        decided = decide([answers_of(reading, self._numbers, self._weights) for reading in readings])
        limit = self.thresholds.injection_max
        reasons = [embedded_reasons(reading, passage, decided.answers, limit) for reading in readings]
        return Judgement(
            passage_id=passage.id,
            answers=decided.answers,
            judge=NAME,
            reasons=reasons_by_part(decided, reasons, parts),
            uncertain=uncertain_questions(decided.answers, self._numbers),
        )


def uncertain_questions(answers: Answers, numbers: Calibration) -> tuple[Question, ...]:
    """Questions whose answer lies in the judge's uncertain band."""
    return tuple(question for question, (low, high) in numbers.uncertain.items() if low <= float(getattr(answers, question.value)) <= high)


def revision_of(network: JudgeNetwork, numbers: Calibration) -> str:
    """Changes whenever the same input could give another answer."""
    parts = (network.description.weights, numbers.digest, weights_digest(), RULES_VERSION, votes.VERSION, judge_windows.VERSION)
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return f"{digest[:16]}-{network.precision}"


def load(settings: JudgeSettings, device: str = "auto") -> EmbeddedJudge:  # noqa: ARG001 - this judge has no settings
    """The shipped judge.

    :raises MissingModelError: when the installation lacks its weights.
    :raises ModelError: when they cannot be used.
    """
    network = load_network(device)
    return EmbeddedJudge(network, load_calibration(judge_folder(), network.description.weights))
