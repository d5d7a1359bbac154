"""Readers of the sets that verification is measured on: RAGTruth, WiCE, UHGEval and SummEdits, in the forms in which they were published.

RAGTruth's `test_dev` and the three others are measured and never fitted on; thresholds come from RAGTruth's `train_sample_dev`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from guard_desk.measure.judge_rows import Record, records
from guard_desk.measure.verify_rows import AnswerRow, AnswerSet, Part
from guard_desk.records.corpus import Passage, Query, Span
from guard_desk.text.word_diff import differences

RAGTRUTH, WICE, UHGEVAL, SUMMEDITS = "ragtruth", "wice", "uhgeval_zh", "summedits"
TRAIN_SAMPLE = "ragtruth/train_sample_dev.jsonl"
_PARAGRAPH = re.compile(r"\n\s*\n")
_TITLE = "(meta data) TITLE:"
_SEPARATOR = "<sep>"
_UNREASONABLE = "不合理"


def ragtruth(file: Path) -> Iterator[AnswerRow]:
    """Answers of six models with spans that people marked.

    A context of the task QA is several passages, parted by blank lines; a news text or a record of a business is one. Line breaks that a
    record holds as backslash and n are line breaks. All spans count, those that are true in the world or rest on a missing value too, as in
    the published figures.
    """
    for record in records(file):
        passages = _contexts(str(record["task_type"]), str(record["context"]))
        for response in record["responses"]:
            spans = tuple(Span(mark["start"], mark["end"]) for mark in response["hallucination_labels"])
            yield AnswerRow(
                id=str(response["id"]),
                query=Query(text=str(record["query"]).strip()),
                passages=passages,
                answer=response["output"],
                cluster=record["source_key"],
                wrong=bool(spans),
                group=record["task_type"],
                spans=spans,
            )


def _contexts(task: str, context: str) -> tuple[Passage, ...]:
    texts = _PARAGRAPH.split(context) if task == "QA" else [context.replace("\\n", "\n")]
    return tuple(Passage(id=f"passage-{number}", text=text.strip()) for number, text in enumerate(texts, 1) if text.strip())


def wice(file: Path) -> Iterator[AnswerRow]:
    """Claims of Wikipedia with the words that the cited page does not support.

    The page is one passage, its title the passage's; the name of the article that claims is the question.
    """
    for record in records(file):
        claim, sentences = record["claim"], list(record["evidence"])
        title = sentences.pop(0)[len(_TITLE) :].strip() if sentences and sentences[0].startswith(_TITLE) else ""
        parts = tuple(_tokens(claim, record))
        yield AnswerRow(
            id=record["meta"]["id"],
            query=Query(text=record["meta"]["claim_title"]),
            passages=(Passage(id="page", text="\n".join(sentences), title=title or None),),
            answer=claim,
            cluster=record["meta"]["claim_title"],
            wrong=any(part.wrong for part in parts),
            spans=_runs(parts),
            parts=parts,
        )


def _runs(parts: Sequence[Part]) -> tuple[Span, ...]:
    """Wrong words that follow each other as one span."""
    runs: list[Span] = []
    follows = False
    for part in parts:
        if part.wrong:
            runs[len(runs) - follows :] = [Span(runs[-1].start, part.span.end) if follows else part.span]
        follows = part.wrong
    return tuple(runs)


def _tokens(claim: str, record: Record) -> Iterator[Part]:
    """The tokens that stand in the claim as they are written, in order; the set writes a few signs otherwise, which are left out."""
    reached = 0
    for token, wrong in zip(record["claim_tokens"], record["non_supported_spans"], strict=True):
        at = claim.find(token, reached)
        if at >= 0:
            reached = at + len(token)
            yield Part(span=Span(at, reached), wrong=bool(wrong))


def uhgeval(file: Path) -> Iterator[AnswerRow]:
    """Chinese continuations of news with keywords that people judged.

    The passages are the beginning of the news and the rest as it was really written; the headline is the question.
    """
    for record in records(file):
        answer = record["hallucinatedContinuation"]
        parts = tuple(_keywords(answer, record["annotations"]))
        texts = (("beginning", record["newsBeginning"]), ("rest", record["newsRemainder"]))
        yield AnswerRow(
            id=str(record["id"]),
            query=Query(text=record["headLine"]),
            passages=tuple(Passage(id=name, text=text) for name, text in texts if text.strip()),
            answer=answer,
            cluster=record["headLine"],
            wrong=any(part.wrong for part in parts),
            group=record["type"],
            spans=tuple(part.span for part in parts if part.wrong),
            parts=parts,
        )


def _keywords(answer: str, annotations: list[str]) -> Iterator[Part]:
    """Keywords stand in the order of the text; one that is not found behind the last is looked for from the start."""
    reached = 0
    for annotation in annotations:
        keyword, _, verdict = annotation.partition(_SEPARATOR)
        at = answer.find(keyword, reached)
        at = answer.find(keyword) if at < 0 else at
        if keyword and at >= 0:
            reached = at + len(keyword)
            yield Part(span=Span(at, reached), wrong=verdict.strip().startswith(_UNREASONABLE))


def summedits(file: Path) -> Iterator[AnswerRow]:
    """Summaries with small edits, consistent with their document or not.

    The edited words of a wrong one are its spans; an edit that only cuts words has none.
    """
    for record in records(file):
        passage = Passage(id="document", text=record["doc"].strip())
        for item in record["items"]:
            wrong = not item["label"]
            yield AnswerRow(
                id=item["id"],
                query=Query(text="What does the document say?"),
                passages=(passage,),
                answer=item["summary"],
                cluster=record["doc_key"],
                wrong=wrong,
                group=record["domain"],
                spans=edited_words(item["original_summary"], item["summary"]) if wrong else (),
            )


def edited_words(original: str, edited: str) -> tuple[Span, ...]:
    """The places of the new words in an edited text; none where words were only cut. Signs alone are no words."""
    found = (piece.right for piece in differences(original, edited))
    return tuple(span for span in found if any(ch.isalnum() for ch in span.of(edited)))


def sets() -> tuple[AnswerSet, ...]:
    """The sets, in the order in which they are reported. Where a set is sampled, its limit keeps the whole suite short."""
    return (
        AnswerSet(
            name=RAGTRUTH,
            file="ragtruth/test_dev.jsonl",
            read=ragtruth,
            about="answers of six models, spans marked by people; a half of the official test split",
        ),
        AnswerSet(
            name=WICE,
            file="wice/tokens_dev.jsonl",
            read=wice,
            about="sub-claims of Wikipedia, each partly supported by the cited page; words marked by people",
        ),
        AnswerSet(
            name=UHGEVAL,
            file="uhgeval_zh/dev.jsonl",
            read=uhgeval,
            about="Chinese continuations of news; keywords judged against the facts, not against the passages alone",
        ),
        AnswerSet(
            name=SUMMEDITS,
            file="summedits/dev.jsonl",
            read=summedits,
            about="summaries with small edits",
        ),
    )
