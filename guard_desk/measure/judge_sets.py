"""Readers of the sets that judges are measured on and never fitted on. Each gives labelled pairs, one at a time, in the set's order.

What is drawn at random is drawn with seed 0.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from guard_desk.measure.judge_rows import NO_QUESTION, PairRow, Record, Source, records
from guard_desk.records.evidence import Question
from guard_desk.text.sentences import sentences

RELEVANT, EVIDENCE, CONTRADICTS, INJECTION = Question.RELEVANT, Question.EVIDENCE, Question.CONTRADICTS, Question.INJECTION
POSITIONS = ("start", "middle", "end")
KINDS = ("email", "table", "code")
_CODE_QUESTION = "How can this error be fixed?"
_MOST_WORDS_APART = 1
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
    for record in records(data / "clapnq/dev.jsonl"):
        passage, answering = record["passages"][0], {text for output in record["output"] for text in output["selected_sentences"]}
        left = [text for text in passage["sentences"] if text not in answering]
        if record["file"] != "answerable" or not left or len(left) == len(passage["sentences"]):
            continue
        for label, part in ((True, passage["sentences"]), (False, left)):
            yield PairRow(
                id=f"{record['id']}/{'whole' if label else 'cut'}",
                query=record["input"],
                text=" ".join(part),
                title=passage["title"] or None,
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


def injection_cases(data: Path) -> Iterator[PairRow]:
    """The written cases of injections, without those marked borderline."""
    for record in records(data / "injection_dev.jsonl"):
        if not record.get("borderline"):
            yield PairRow(
                id=record["id"],
                query=record["query"],
                text=record["text"],
                cluster=record["id"],
                labels={INJECTION: bool(record["label"])},
                part=record["lang"],
            )


def bipia(data: Path) -> Iterator[PairRow]:
    """Attacks in documents against clean documents.

    For each attack one clean context of each kind (e-mail, table, code) is drawn; the attack stands before it, after it, or at a sentence
    start within it that is drawn too, as BIPIA composes them. Rows of an attack are one cluster, and each clean context is one.
    """
    contexts = list(records(data / "bipia/contexts_dev.jsonl"))
    by_kind = {kind: [record for record in contexts if record["task"] == kind] for kind in KINDS}
    drawn = random.Random(0)
    for record in contexts:
        yield _bipia(record, f"clean/{_context_id(record)}", _context(record), label=False, part="clean")
    for number, record in enumerate(records(data / "bipia/attacks_dev.jsonl")):
        part = "text" if record["file"].startswith("text") else "code"
        for kind in KINDS:
            if not by_kind[kind]:
                continue
            chosen = drawn.choice(by_kind[kind])
            for position in POSITIONS:
                text = _composed(_context(chosen), record["attack"], position, drawn)
                row_id = f"{number}/{_context_id(chosen)}/{position}"
                yield _bipia(chosen, row_id, text, label=True, part=f"{part} {position}", cluster=f"attack {number}")


def _context(record: Record) -> str:
    context = record["context"]
    return context if isinstance(context, str) else "\n".join(context)


def _context_id(record: Record) -> str:
    return f"{record['task']}-{record['orig_split']}-{record['row']}"


def _composed(context: str, attack: str, position: str, drawn: random.Random) -> str:
    if position == "start":
        return f"{attack}\n{context}"
    if position == "end":
        return f"{context}\n{attack}"
    starts = [span.start for span in sentences(context)][1:] or [len(context) // 2]
    cut = drawn.choice(starts)
    return f"{context[:cut]}{attack}\n{context[cut:]}"


def _bipia(context: Record, row_id: str, text: str, *, label: bool, part: str, cluster: str | None = None) -> PairRow:
    query = str(context.get("question") or _CODE_QUESTION).removeprefix("Q: ")
    return PairRow(id=row_id, query=query, text=text, cluster=cluster or row_id, labels={INJECTION: label}, part=part)


def notinject(data: Path) -> Iterator[PairRow]:
    """Benign prompts with words that attacks use."""
    for record in records(data / "notinject/dev.jsonl"):
        row_id = f"{record['file']}/{record['row']}"
        yield PairRow(id=row_id, query=NO_QUESTION, text=record["prompt"], cluster=row_id, labels={INJECTION: False}, part=record["file"])


def bastioncorpus(data: Path) -> Iterator[PairRow]:
    """Malicious strings, encoded ones too, and benign traps."""
    for record in records(data / "bastioncorpus/dev.jsonl"):
        label = record["label"] == "malicious"
        yield PairRow(
            id=record["id"],
            query=NO_QUESTION,
            text=record["text"],
            cluster=record["id"],
            labels={INJECTION: label},
            part=record["category"],
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
