"""The pairs that de-duplication is measured on: which of them say the same is known.

PAWS and PAWS-X: sentences of nearly the same words, paraphrases or not, by people. CAD-NLI: a caption and the same caption edited by
people until another label held, so the two must stay apart. SummEdits: a summary and a small edit of it that no longer agrees with the
document (must stay apart), or still does (may merge: such an edit may also leave something out, so less than all of them is right).
Beside each set stand pairs made by rule from its own texts or from passages (`dedup_bench_rewrites`). Nothing is fitted on any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from guard_desk.measure.dedup_bench_rewrites import KEEPING, seed_of
from guard_desk.measure.judge_rows import Record, records

PAWS, PAWSX, CAD, SUMMEDITS, CRAWLS = "paws", "pawsx_zh", "cad_nli", "summedits", "crawled twice"
_PER_SOURCE = 60
_LONGEST = 1200


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPair:
    """Two texts, and whether they say the same.

    :param kind: what was done to the second one; "" where people wrote it.
    :param made: by rule.
    """

    set: str
    id: str
    a: str
    b: str
    same: bool
    kind: str = ""
    made: bool = False


@dataclass(frozen=True, slots=True)
class PairSet:
    """A set and how it is read.

    :param files: below the folder of the data; the set is left out when the first is missing.
    """

    name: str
    files: tuple[str, ...]
    read: Callable[[Path], Iterator[LabelledPair]]


def pair_sets() -> tuple[PairSet, ...]:
    """The sets, in the order of the table."""
    return (
        PairSet(PAWS, ("paws_wiki/dev.jsonl",), lambda data: _labelled(PAWS, data / "paws_wiki/dev.jsonl")),
        PairSet(PAWSX, ("pawsx_zh/dev.jsonl",), lambda data: _labelled(PAWSX, data / "pawsx_zh/dev.jsonl")),
        PairSet(CAD, ("cad_nli/dev.jsonl",), lambda data: _captions(data / "cad_nli/dev.jsonl")),
        PairSet(SUMMEDITS, ("summedits/dev.jsonl",), lambda data: _summaries(data / "summedits/dev.jsonl")),
        PairSet(CRAWLS, ("ramdocs/dev.jsonl", "clapnq/dev.jsonl", "uhgeval_zh/dev.jsonl"), _crawls),
    )


def read_set(source: PairSet, data: Path, most: int | None) -> list[LabelledPair]:
    """The pairs of a set; with `most`, those whose ids hash lowest, so that a sample is the same everywhere.

    Pairs of two equal strings are left out: everything merges them.
    """
    pairs = [pair for pair in source.read(data) if pair.a != pair.b]
    if most is not None and len(pairs) > most:
        pairs = sorted(pairs, key=lambda pair: seed_of(pair.set, pair.id))[:most]
    return pairs


def _labelled(name: str, file: Path) -> Iterator[LabelledPair]:
    for number, record in enumerate(records(file)):
        yield LabelledPair(set=name, id=str(number), a=record["sentence1"], b=record["sentence2"], same=int(record["label"]) == 1)


def _captions(file: Path) -> Iterator[LabelledPair]:
    for number, record in enumerate(records(file)):
        premise = record["original"][0]
        for version, revised in enumerate(record["revised_premise"]):
            yield LabelledPair(set=CAD, id=f"{number}/{version}", a=premise, b=revised[0], same=False)
        yield from _rewritten(CAD, str(number), premise, ("spaces", "case", "signs", "number_format"))


def _summaries(file: Path) -> Iterator[LabelledPair]:
    for record in records(file):
        for number, item in enumerate(record["items"]):
            if item["summary"] != item["original_summary"]:
                same = int(item["label"]) == 1
                yield LabelledPair(
                    set=SUMMEDITS, id=f"{record['doc_key']}/{number}", a=item["original_summary"], b=item["summary"], same=same
                )


def _crawls(data: Path) -> Iterator[LabelledPair]:
    for name, texts in (
        ("ramdocs", _documents(data / "ramdocs/dev.jsonl")),
        ("clapnq", _passages(data / "clapnq/dev.jsonl")),
        ("uhgeval_zh", _news(data / "uhgeval_zh/dev.jsonl")),
    ):
        for number, text in enumerate(_chosen(name, texts)):
            yield from _rewritten(CRAWLS, f"{name}/{number}", text, tuple(KEEPING))


def _rewritten(name: str, identity: str, text: str, kinds: Sequence[str]) -> Iterator[LabelledPair]:
    for kind in kinds:
        changed = KEEPING[kind](text, seed_of(identity, kind))
        if changed is not None:
            yield LabelledPair(set=name, id=f"{identity}/{kind}", a=text, b=changed, same=True, kind=kind, made=True)


def _chosen(name: str, texts: Sequence[str]) -> list[str]:
    """Some of the texts, always the same, none of them very long."""
    fitting = {text.strip() for text in texts if 80 <= len(text.strip()) <= _LONGEST}
    return sorted(fitting, key=lambda text: seed_of(name, text))[:_PER_SOURCE]


def _documents(file: Path) -> list[str]:
    return [document["text"] for record in _some(file) for document in record["documents"]]


def _passages(file: Path) -> list[str]:
    return [passage["text"] for record in _some(file) for passage in record["passages"]]


def _news(file: Path) -> list[str]:
    return [record["newsBeginning"] for record in _some(file)]


def _some(file: Path) -> Sequence[Record]:
    return list(records(file)) if file.is_file() else []
