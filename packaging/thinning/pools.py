"""Pools of documents that agree, differ or do not answer, made from the training sources to fit thinning on.

    python packaging/thinning/pools.py --data ../shared/data --out POOLS [--languages en zh] [--n 400]

writes `fit.jsonl` and `check.jsonl` (a quarter of the titles, never to fit on). A line has the fields of RAMDocs (question, documents of
type correct / misinfo / noise with the answer each supports, gold_answers, wrong_answers) and `id, lang, kind, title, accept`; `start` of a
document is the place of its answer. `guard-desk bench ramdocs` reads `check.jsonl` too when it lies as `ramdocs/dev.jsonl` in a folder.

Documents are windows of a paragraph that hold the answer: cut between sentences or in the middle of them, some with the title before
them, as retrieved passages are. Misinformation is such a window with every mention of the answer exchanged for another value of its
kind. Noise is another paragraph of the title or of another one that has none of the values. Everything is drawn by question id, so a
pool is the same whatever else is made.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from asked import Asked, Substitutes, read_asked

from guard_desk.text.answers import states
from guard_desk.text.languages import is_cjk
from guard_desk.text.scan import CJK
from guard_desk.text.sentences import sentences

KINDS = ("agree", "differ", "outvoted", "three_ways", "unanswered")
_WEIGHTS = (3, 3, 2, 1, 1)
_WRONG_VALUES = {"agree": 0, "differ": 1, "outvoted": 1, "three_ways": 2, "unanswered": 0}
_IMPOSSIBLE_SHARE = 0.1
_WORDS, _CHARACTERS = (40, 110), (80, 240)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document of a pool.

    :param type: correct, misinfo or noise.
    :param answer: the value it supports; "unknown" for noise.
    :param start: the first place of that value in the text; None for noise.
    """

    text: str
    type: str
    answer: str = "unknown"
    start: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A question with documents.

    :param kind: agree (all give one value), differ (one wrong value), outvoted (the wrong value has more documents), three_ways (two wrong
        values), unanswered (noise alone, and no gold answer).
    :param accept: all spellings of the gold answer.
    """

    id: str
    question: str
    documents: tuple[Document, ...]
    gold_answers: tuple[str, ...]
    wrong_answers: tuple[str, ...]
    accept: tuple[str, ...]
    kind: str
    title: str
    lang: str
    held: bool

    @property
    def conflict(self) -> bool:
        """Whether its documents give values that cannot both be right."""
        return len({document.answer for document in self.documents if document.type != "noise"}) > 1


def pools(data: Path, languages: Sequence[str] = ("en",), n: int | None = None) -> Iterator[Pool]:
    """The pools in the order of their ids' hash.

    :param data: the folder that holds `train/`.
    :param n: at most so many a language.
    """
    for language in languages:
        answered, impossible = read_asked(data, (language,))
        substitutes = Substitutes(answered)
        paragraphs = _paragraphs([*answered, *impossible])
        made = 0
        for item in sorted([*answered, *impossible], key=lambda asked: random.Random(f"order/{asked.id}").random()):
            if made == n:
                break
            pool = _pool(item, substitutes, paragraphs)
            if pool is not None:
                made += 1
                yield pool


def _paragraphs(asked: Sequence[Asked]) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for item in asked:
        found.setdefault(item.title, {})[item.context] = None
    return {title: list(contexts) for title, contexts in found.items()}


def _pool(item: Asked, substitutes: Substitutes, paragraphs: Mapping[str, list[str]]) -> Pool | None:
    """One pool; None where no other value of the kind is to be had, and for most impossible questions (they outnumber the others)."""
    chance = random.Random(f"pool/{item.id}")
    kind = chance.choices(KINDS, _WEIGHTS)[0]
    if not item.answer:
        if chance.random() > _IMPOSSIBLE_SHARE:
            return None
        kind = "unanswered"
    wanted = _WRONG_VALUES[kind]
    wrong = substitutes.draw(item, wanted, chance) if wanted else []
    stating = _stating(item, kind, wrong, chance)
    if len(wrong) < wanted or any(not _clean(document, item) for document in stating):
        return None
    documents = [*stating, *_noise(item, wrong, paragraphs, chance)]
    if not documents:
        return None
    chance.shuffle(documents)
    return Pool(
        id=item.id,
        question=item.question,
        documents=tuple(documents),
        gold_answers=() if kind == "unanswered" else (item.answer,),
        wrong_answers=tuple(wrong),
        accept=item.accept,
        kind=kind,
        title=item.title,
        lang=item.lang,
        held=item.held,
    )


def _clean(document: Document, item: Asked) -> bool:
    """Whether a document holds its own value, and a wrong one no right value beside it."""
    return document.start is not None and (document.type == "correct" or not any(states(document.text, known) for known in item.accept))


def _stating(item: Asked, kind: str, wrong: Sequence[str], chance: random.Random) -> list[Document]:
    """The documents that give an answer; different windows of the paragraph, so that they are no copies of each other."""
    if kind == "unanswered":
        return []
    right = chance.choice((2, 3)) if kind == "agree" else 1 if kind == "outvoted" else chance.choice((1, 2))
    each = chance.choice((2, 3)) if kind == "outvoted" else 1
    documents = [_document(item, item.answer, "correct", chance) for _ in range(right)]
    documents += [_document(item, value, "misinfo", chance) for value in wrong for _ in range(each)]
    return list({document.text: document for document in documents}.values())


def _document(item: Asked, value: str, kind: str, chance: random.Random) -> Document:
    text = window(item, chance)
    if value != item.answer:
        for known in sorted(item.accept, key=len, reverse=True):
            text = _exchange(text, known, value)
    if chance.random() < 0.5:
        text = f"{item.title} {text}"
    place = _mention(value).search(text)
    return Document(text=text, type=kind, answer=value, start=place.start() if place else None)


def _mention(value: str) -> re.Pattern[str]:
    start = "" if is_cjk(value[0]) or not value[0].isalnum() else rf"(?<![^\W{CJK}])"
    end = "" if is_cjk(value[-1]) or not value[-1].isalnum() else rf"(?![^\W{CJK}])"
    return re.compile(start + re.escape(value) + end, re.IGNORECASE)


def _exchange(text: str, known: str, value: str) -> str:
    return _mention(known).sub(lambda _: value, text)


def window(item: Asked, chance: random.Random) -> str:
    """A part of the context with the answer: whole sentences, or cut between words."""
    end = item.start + len(item.answer)
    if chance.random() < 0.5:
        found = sentences(item.context)
        own = [i for i, span in enumerate(found) if span.start < end and item.start < span.end] or [0]
        first, last = max(0, own[0] - chance.randint(0, 2)), min(len(found) - 1, own[-1] + chance.randint(0, 2))
        return item.context[found[first].start : found[last].end].strip()
    return _cut(item.context, item.start, end, chance)


def _cut(text: str, start: int, end: int, chance: random.Random) -> str:
    joined = any(map(is_cjk, text[start:end]))
    units = list(re.finditer(r"\S" if joined else r"\S+", text))
    inside = [i for i, unit in enumerate(units) if unit.start() < end and start < unit.end()]
    length = chance.randint(*(_CHARACTERS if joined else _WORDS))
    before = chance.randint(0, max(0, length - len(inside)))
    first = max(0, inside[0] - before)
    last = min(len(units) - 1, max(inside[-1], first + length - 1))
    return text[units[first].start() : units[last].end()]


def _noise(item: Asked, wrong: Sequence[str], paragraphs: Mapping[str, list[str]], chance: random.Random) -> list[Document]:
    """Paragraphs without any of the values: the own one of an impossible question, then one of the title and one of another."""
    values = (*item.accept, *wrong)
    near = [text for text in paragraphs[item.title] if text != item.context and not any(states(text, value) for value in values)]
    titles = [title for title in paragraphs if title != item.title]
    far = paragraphs[chance.choice(titles)] if titles else []
    chosen = [item.context] if not item.answer else []
    chosen += chance.sample(near, min(len(near), chance.choice((0, 1, 1))))
    chosen += [
        text for text in chance.sample(far, min(len(far), chance.choice((0, 1)))) if not any(states(text, value) for value in values)
    ]
    return [Document(text=_shortened(text, chance), type="noise") for text in chosen]


def _shortened(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text))
    return _cut(text, place, place + 1, chance) if text[place].strip() else text


def main() -> None:
    """Write the pools."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--languages", nargs="+", default=["en"], choices=("en", "zh", "de", "es", "tr"))
    parser.add_argument("--n", type=int)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with (options.out / "fit.jsonl").open("w", encoding="utf-8") as fit, (options.out / "check.jsonl").open("w", encoding="utf-8") as check:
        for row, pool in enumerate(pools(options.data, options.languages, options.n)):
            (check if pool.held else fit).write(json.dumps({**asdict(pool), "row": row}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
