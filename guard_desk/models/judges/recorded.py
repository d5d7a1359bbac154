"""A judge that repeats the answers which a case file carries."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence

from guard_desk.policy import Thresholds
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query, RecordedAnswers
from guard_desk.records.evidence import Answers, Judgement, ModelInfo


class RecordedJudge:
    """Answers from a file; a passage without any is not judged.

    :param recorded: the file's answers; the last one of a passage counts.
    """

    def __init__(self, recorded: Sequence[RecordedAnswers]) -> None:
        self._answers = {answers.passage_id: answers for answers in recorded}
        names = sorted({answers.judge for answers in recorded})
        content = json.dumps([[a.passage_id, a.judge, a.relevant, a.evidence, a.contradicts, a.injection] for a in recorded])
        self._info = ModelInfo(
            name="recorded",
            revision=hashlib.sha256(content.encode()).hexdigest()[:16],
            detail=f"Answers of {', '.join(names)} from the case file." if names else "The case file carries no recorded answers.",
        )

    @property
    def info(self) -> ModelInfo:
        """The recorded judges' names are in `detail`; the revision is a hash of the answers."""
        return self._info

    @property
    def thresholds(self) -> Thresholds:
        """The recipe's values: a case file names no others."""
        return Thresholds()

    def key_material(self, query: Query, passage: Passage) -> Sequence[str]:  # noqa: ARG002 - the protocol's form
        """The passage's id: all that is looked up."""
        return (passage.id,)

    def judge(
        self,
        query: Query,  # noqa: ARG002 - the protocol's form
        passages: Sequence[Passage],
        similarities: Sequence[float],  # noqa: ARG002
        ctx: RunContext,
    ) -> Iterator[Judgement]:
        """One judgement a passage, in order. :raises Cancelled: between passages."""
        for passage in passages:
            ctx.check()
            yield self._judgement(passage)

    def _judgement(self, passage: Passage) -> Judgement:
        found = self._answers.get(passage.id)
        if found is None:
            error = f"The case file carries no recorded answers for passage {passage.id!r}."
            return Judgement(passage_id=passage.id, answers=None, judge=self._info.name, error=error)
        answers = Answers(relevant=found.relevant, evidence=found.evidence, contradicts=found.contradicts, injection=found.injection)
        return Judgement(passage_id=passage.id, answers=answers, judge=found.judge)
