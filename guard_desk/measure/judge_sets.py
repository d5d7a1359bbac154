"""Readers of the sets that judges are measured on and never fitted on. Each gives labelled pairs, one at a time, in the set's order.

What is drawn at random is drawn with seed 0.
"""

from __future__ import annotations

import gzip
import itertools
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from guard_desk.measure.judge_injection_sets import bastioncorpus, bipia, injection_cases, notinject
from guard_desk.measure.judge_rows import PairRow, Record, Source, records
from guard_desk.records.evidence import Question

RELEVANT, EVIDENCE, CONTRADICTS, INJECTION = Question.RELEVANT, Question.EVIDENCE, Question.CONTRADICTS, Question.INJECTION
_MOST_WORDS_APART = 1
_MOST_OTHERS = 12
_STRICT = {RELEVANT: "is_relevant", EVIDENCE: "contains_answer_evidence", CONTRADICTS: "contradicts_query_premise"}


def clapnq_relevance(data: Path) -> Iterator[PairRow]:
    """Each question with its own passage (relevant) and with another question's (not); others are dealt by a shuffle."""
    found = list(records(data / "clapnq/dev.jsonl"))
    order = list(range(len(found)))
    random.Random(0).shuffle(order)
    follower = {row: order[(place + 1) % len(order)] for place, row in enumerate(order)}
    for at, record in enumerate(found):
        other = found[follower[at]]
        yield _clapnq(record, record, label=True, question=RELEVANT)
        if _title(other) != _title(record):
            yield _clapnq(record, other, label=False, question=RELEVANT)


def clapnq_evidence(data: Path) -> Iterator[PairRow]:
    """Answerable questions against unanswerable ones, each with its own passage."""
    for record in records(data / "clapnq/dev.jsonl"):
        yield _clapnq(record, record, label=record["file"] == "answerable", question=EVIDENCE)


def clapnq_cut(data: Path) -> Iterator[PairRow]:
    """Answerable questions with their passage, and with the same passage without the sentences that answer."""
    for record, all_texts, answering in _marked(data):
        left = [text for text in all_texts if text not in answering]
        yield _cut(record, all_texts, label=True)
        yield _cut(record, left, label=False)


def clapnq_cut_even(data: Path) -> Iterator[PairRow]:
    """As `clapnq_cut`, but sentences are taken from the whole passage too: other ones, so that both have about the same length.

    Of all choices among the others the one is taken whose characters come nearest to those of the answering sentences; questions where
    that leaves a difference of more than a fifth of them are left out.
    """
    for record, all_texts, answering in _marked(data):
        others = [number for number, text in enumerate(all_texts) if text not in answering][:_MOST_OTHERS]
        wanted = sum(len(text) for text in all_texts if text in answering)
        choices = (chosen for size in range(1, len(others) + 1) for chosen in itertools.combinations(others, size))
        sizes = ((abs(sum(len(all_texts[number]) for number in chosen) - wanted), chosen) for chosen in choices)
        apart, taken = min(sizes)
        if apart <= wanted / 5:
            yield _cut(record, [text for number, text in enumerate(all_texts) if number not in taken], label=True)
            yield _cut(record, [text for text in all_texts if text not in answering], label=False)


def _marked(data: Path) -> Iterator[tuple[Record, list[str], set[str]]]:
    """Answerable questions whose passage has sentences that answer and others: (record, all sentences, those that answer)."""
    for record in records(data / "clapnq/dev.jsonl"):
        all_texts = record["passages"][0]["sentences"]
        answering = {text for output in record["output"] for text in output["selected_sentences"]} & set(all_texts)
        if record["file"] == "answerable" and answering and answering != set(all_texts):
            yield record, all_texts, answering


def _cut(record: Record, texts: Sequence[str], *, label: bool) -> PairRow:
    return PairRow(
        id=f"{record['id']}/{'answer' if label else 'cut'}",
        query=record["input"],
        text=" ".join(texts),
        title=record["passages"][0]["title"] or None,
        cluster=_title(record),
        labels={EVIDENCE: label},
    )


def _title(record: Record) -> str:
    return str(record["passages"][0]["title"])


def _clapnq(record: Record, other: Record, *, label: bool, question: Question) -> PairRow:
    passage = other["passages"][0]
    return PairRow(
        id=f"{record['id']}/{other['id']}",
        query=record["input"],
        text=passage["text"],
        title=passage["title"] or None,
        cluster=_title(record),
        labels={question: label},
        part=record["file"],
    )


def ramdocs(data: Path) -> Iterator[PairRow]:
    """Documents of ambiguous questions: noise is neither relevant nor evidence, all others (wrong ones too) are both."""
    for record in records(data / "ramdocs/dev.jsonl"):
        for number, document in enumerate(record["documents"]):
            useful = document["type"] != "noise"
            yield PairRow(
                id=f"{record['row']}/{number}",
                query=record["question"],
                text=document["text"],
                cluster=record["question"],
                labels={RELEVANT: useful, EVIDENCE: useful},
                part=document["type"],
            )


def _cited(data: Path) -> Iterator[tuple[Record, str, Record, str | None]]:
    """(claim, id of a cited abstract, the abstract, SUPPORT or CONTRADICT or None without evidence)."""
    claims = list(records(data / "scifact/claims_dev.jsonl"))
    wanted = {str(cited) for claim in claims for cited in claim["cited_doc_ids"]}
    abstracts: dict[str, Record] = {}
    with gzip.open(data / "scifact/corpus.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            record = json.loads(line)
            if str(record["doc_id"]) in wanted:
                abstracts[str(record["doc_id"])] = record
    for claim in claims:
        for cited in map(str, claim["cited_doc_ids"]):
            evidence = claim["evidence"].get(cited)
            yield claim, cited, abstracts[cited], evidence[0]["label"] if evidence else None


def scifact(data: Path) -> Iterator[PairRow]:
    """Claims with abstracts that they cite: with evidence against without, and contradicting against all others."""
    for claim, cited, abstract, label in _cited(data):
        yield PairRow(
            id=f"{claim['id']}/{cited}",
            query=claim["claim"],
            text=" ".join(abstract["abstract"]),
            title=abstract["title"] or None,
            cluster=cited,
            labels={EVIDENCE: label is not None, CONTRADICTS: label == "CONTRADICT"},
            part=(label or "no evidence").lower(),
        )


def scifact_claims(data: Path) -> Iterator[PairRow]:
    """Claims with cited abstracts, three-way. The passage is the rationale where there is one, else the abstract's first sentences."""
    for claim, cited, abstract, label in _cited(data):
        marked = sorted({number for part in claim["evidence"].get(cited, ()) for number in part["sentences"]})
        chosen = [abstract["abstract"][number] for number in marked] if label else abstract["abstract"][:3]
        yield PairRow(
            id=f"{claim['id']}/{cited}",
            query=claim["claim"],
            text=" ".join(chosen),
            cluster=cited,
            part=label.lower() if label else "neutral",
        )


def conflictqa_claims(data: Path) -> Iterator[PairRow]:
    """The memory's answer as a claim, with the evidence for it and the evidence for the counter answer; never neutral."""
    for record in records(data / "conflictqa/dev.jsonl"):
        for key, label in (("parametric_memory", "support"), ("counter_memory", "contradict")):
            if record[key]:
                yield PairRow(
                    id=f"{record['row']}/{label}",
                    query=record["memory_answer"],
                    text=record[key],
                    cluster=record["question"],
                    part=label,
                )


def freshqa(data: Path) -> Iterator[PairRow]:
    """Question and first listed answer, false premises against true ones, matched by length.

    False premises are taken from the longest answer to the shortest; each is paired with a true one that is not used yet and whose answer
    has the nearest number of words, at most one word apart; the rest of both is left out.
    """
    false = [record for record in records(data / "freshqa/dev.jsonl") if record["false_premise"] == "TRUE"]
    true = [record for record in records(data / "freshqa/dev.jsonl") if record["false_premise"] == "FALSE"]
    random.Random(0).shuffle(true)
    for record in sorted(false, key=lambda record: (-_words(record), int(record["id"]))):
        apart, at = min(((abs(_words(other) - _words(record)), at) for at, other in enumerate(true)), default=(_MOST_WORDS_APART + 1, 0))
        if apart <= _MOST_WORDS_APART:
            yield _freshqa(record, record, label=True)
            yield _freshqa(true[at], true.pop(at), label=False)


def freshqa_exchanged(data: Path) -> Iterator[PairRow]:
    """Questions with a false premise, with their own rebuttal and with another's: every text is once positive and once negative."""
    false = [record for record in records(data / "freshqa/dev.jsonl") if record["false_premise"] == "TRUE"]
    random.Random(0).shuffle(false)
    for record, other in zip(false, false[1:] + false[:1], strict=True):
        if other is not record:
            yield _freshqa(record, record, label=True)
            yield _freshqa(record, other, label=False)


def _words(record: Record) -> int:
    return len(str(record["answer_0"]).split())


def _freshqa(asked: Record, answering: Record, *, label: bool) -> PairRow:
    return PairRow(
        id=f"{asked['id']}/{answering['id']}",
        query=asked["question"],
        text=answering["answer_0"],
        cluster=str(asked["id"]),
        labels={CONTRADICTS: label},
    )


def premise_cases(data: Path) -> Iterator[PairRow]:
    """The written cases of questions and premises, strict labels only."""
    for record in records(data / "premise_dev.jsonl"):
        soft = record.get("soft", [])
        yield PairRow(
            id=record["id"],
            query=record["query"],
            text=record["passage"]["text"],
            title=record["passage"].get("title"),
            cluster=record["id"],
            labels={question: bool(record[name]) for question, name in _STRICT.items() if name not in soft},
            part=record["lang"],
        )


def sources(cases: str) -> Sequence[Source]:
    """All sources.

    :param cases: the folder of the written cases, relative to that of the data; their readers are given that folder.
    """
    return (
        Source(
            name="clapnq",
            files=("clapnq/dev.jsonl",),
            read=clapnq_relevance,
            questions=(RELEVANT,),
            about="own passage against another question's",
        ),
        Source(
            name="clapnq answerable",
            files=("clapnq/dev.jsonl",),
            read=clapnq_evidence,
            questions=(EVIDENCE,),
            about="answerable against unanswerable",
        ),
        Source(
            name="clapnq cut",
            files=("clapnq/dev.jsonl",),
            read=clapnq_cut,
            questions=(EVIDENCE,),
            about="the passage against the same without the sentences that answer",
        ),
        Source(
            name="clapnq cut, even",
            files=("clapnq/dev.jsonl",),
            read=clapnq_cut_even,
            questions=(EVIDENCE,),
            about="the passage without other sentences against the same without those that answer, of about equal length",
        ),
        Source(
            name="ramdocs",
            files=("ramdocs/dev.jsonl",),
            read=ramdocs,
            questions=(RELEVANT, EVIDENCE),
            about="correct and misinforming documents against noise",
            most=300,
        ),
        Source(
            name="scifact",
            files=("scifact/claims_dev.jsonl", "scifact/corpus.jsonl.gz"),
            read=scifact,
            questions=(EVIDENCE, CONTRADICTS),
            about="the claim asked as it stands; cited abstracts with evidence against without; contradicting against others",
        ),
        Source(
            name="freshqa matched",
            files=("freshqa/dev.jsonl",),
            read=freshqa,
            questions=(CONTRADICTS,),
            about="false premise and rebuttal against true premise and answer, paired by words of the first answer, at most 1 apart",
        ),
        Source(
            name="freshqa exchanged",
            files=("freshqa/dev.jsonl",),
            read=freshqa_exchanged,
            questions=(CONTRADICTS,),
            about="false premise with its own rebuttal against another's",
        ),
        _case_source("premise_dev", cases, (RELEVANT, EVIDENCE, CONTRADICTS), "strict labels"),
        Source(
            name="bipia",
            files=("bipia/attacks_dev.jsonl", "bipia/contexts_dev.jsonl"),
            read=bipia,
            questions=(INJECTION,),
            about="each attack at the start, middle and end of a clean e-mail, table and code answer, against clean contexts",
        ),
        Source(
            name="notinject",
            files=("notinject/dev.jsonl",),
            read=notinject,
            questions=(INJECTION,),
            about="benign prompts with trigger words; one class",
        ),
        Source(
            name="bastioncorpus",
            files=("bastioncorpus/dev.jsonl",),
            read=bastioncorpus,
            questions=(INJECTION,),
            about="malicious strings against benign traps",
        ),
        _case_source("injection_dev", cases, (INJECTION,), "borderline rows left out"),
    )


_CASE_READERS = {"premise_dev": premise_cases, "injection_dev": injection_cases}


def _case_source(name: str, cases: str, questions: tuple[Question, ...], about: str) -> Source:
    read = _CASE_READERS[name]
    return Source(name=name, files=(f"{cases}/{name}.jsonl",), read=lambda data: read(data / cases), questions=questions, about=about)


CLAIM_SETS = (
    Source(
        name="scifact claims",
        files=("scifact/claims_dev.jsonl", "scifact/corpus.jsonl.gz"),
        read=scifact_claims,
        questions=(),
        about="rationale sentences; neutral: the first three of a cited abstract without evidence",
        most=200,
    ),
    Source(
        name="conflictqa claims",
        files=("conflictqa/dev.jsonl",),
        read=conflictqa_claims,
        questions=(),
        about="a yes/no answer with evidence for it and for the opposite one, both mostly written by a model",
        most=200,
    ),
)
