"""Questions with a short answer in a paragraph, from the training sources, and another value of the same kind for each."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from guard_desk.records.evidence import Value, ValueKind
from guard_desk.text.answers import normalise_answer, same_answer, states
from guard_desk.text.languages import is_cjk
from guard_desk.text.values import Relation, compare, find_values

SOURCES = ("squad2_halfdev", "xquad", "cmrc2018_zh")
_MOST_WORDS, _MOST_CHARACTERS = 5, 12
_CHECK_SHARE = 4
_QUESTION_WORDS = (
    "how many",
    "how much",
    "how long",
    "how old",
    "how far",
    "when",
    "where",
    "who",
    "whom",
    "whose",
    "which",
    "what",
    "why",
    "how",
)
_QUESTION_WORDS_ZH = (
    "多少",
    "几",
    "哪一年",
    "哪年",
    "何时",
    "什么时候",
    "哪里",
    "哪儿",
    "何处",
    "谁",
    "哪位",
    "哪",
    "为什么",
    "什么",
    "何",
)
_WHEN_ZH = frozenset({"哪一年", "哪年", "何时", "什么时候"})
# Answers to these are clauses; one of another question would not even look like an answer.
_REASONS = frozenset({"", "why", "how", "为什么"})
# Chinese question words that leave open what is asked for; the characters after them say it ("什么战役").
_OPEN_ZH = frozenset({"什么", "何", "哪", "几"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question of a source.

    :param answer: the first answer that the source gives; "" for an impossible question.
    :param start: its place in the context.
    :param accept: all answers that the source gives.
    """

    id: str
    question: str
    context: str
    answer: str
    start: int
    accept: tuple[str, ...]
    title: str
    lang: str

    @property
    def held(self) -> bool:
        """Whether the title is held out for checking; the same for a title in every source and language."""
        return int(hashlib.sha256(f"thinning-pools|{self.title}".encode()).hexdigest(), 16) % _CHECK_SHARE == 0


def read_asked(data: Path, languages: Sequence[str]) -> tuple[list[Asked], list[Asked]]:
    """Questions with a short answer, and impossible ones, in the order of the sources; a question about one text only once.

    Rows that share text with a measuring set are left out.

    :param data: the folder that holds `train/`.
    """
    answered, impossible = [], []
    seen: set[tuple[str, str]] = set()
    for asked in _rows(data, languages):
        key = (normalise_answer(asked.question), asked.context[:80])
        if key in seen:
            continue
        seen.add(key)
        if not asked.answer:
            impossible.append(asked)
        elif _short(asked.answer):
            answered.append(asked)
    return answered, impossible


def _rows(data: Path, languages: Sequence[str]) -> Iterator[Asked]:
    for source in SOURCES:
        with gzip.open(data / "train" / source / "data.jsonl.gz", "rt", encoding="utf-8", newline="\n") as stream:
            for line in stream:
                row = json.loads(line)
                if row["lang"] in languages and not row.get("dev_overlap"):
                    yield _asked(row)


def _asked(row: Mapping[str, object]) -> Asked:
    answers: list[dict[str, object]] = row["answers"]  # type: ignore[assignment]
    first = answers[0] if answers else {"text": "", "start": 0}
    return Asked(
        id=str(row["id"]),
        question=str(row["question"]).strip(),
        context=str(row["context"]),
        answer=str(first["text"]),
        start=int(str(first["start"])),
        accept=tuple(dict.fromkeys(str(answer["text"]) for answer in answers)),
        title=str(row["group"]).replace("_", " "),
        lang=str(row["lang"]),
    )


def _short(answer: str) -> bool:
    return len(answer) <= _MOST_CHARACTERS if any(map(is_cjk, answer)) else len(answer.split()) <= _MOST_WORDS


class Substitutes:
    """Finds another value of the same kind: a wrong answer that a careless text could give.

    Kind means: the same typed value (a year for a year, kilometres for kilometres), else the same question word and the same look
    (capitals, number of words). Values come from other questions; those that ask for the same thing ("which city") come first, then
    those of the same title.
    """

    def __init__(self, asked: Sequence[Asked]) -> None:
        self._by_kind: dict[tuple[str, ...], list[Asked]] = defaultdict(list)
        for item in asked:
            self._by_kind[kind_of(item)].append(item)

    def draw(self, item: Asked, count: int, chance: random.Random) -> list[str]:
        """Up to so many different values, none of them an answer or a word of the question or context."""
        if question_word(item.question) in _REASONS and single_value(item.answer) is None:
            return []
        offered = list(self._by_kind[kind_of(item)])
        chance.shuffle(offered)
        if question_word(item.question) in _OPEN_ZH:
            offered = [other for other in offered if head(other.question) == head(item.question)]
        offered.sort(key=lambda other: (head(other.question) != head(item.question), other.title != item.title))
        chosen: list[str] = []
        for other in offered:
            value = other.answer
            taken = any(same_answer(value, known) for known in (*item.accept, *chosen))
            if not taken and not _meets(value, item) and not any(_overlap(value, known) for known in chosen):
                chosen.append(value)
            if len(chosen) == count:
                break
        return chosen


def _meets(value: str, item: Asked) -> bool:
    """Whether the value stands in the text or the question anyway, or says part of an answer."""
    return states(item.context, value) or states(item.question, value) or any(_overlap(value, known) for known in item.accept)


def _overlap(left: str, right: str) -> bool:
    if states(left, right) or states(right, left):
        return True
    a, b = single_value(left), single_value(right)
    return a is not None and b is not None and compare(a, b) in (Relation.PARTIAL, Relation.BOUND)


def kind_of(item: Asked) -> tuple[str, ...]:
    """What makes two answers exchangeable."""
    value = single_value(item.answer)
    if value is not None:
        return (item.lang, value.kind, value.dimension or "", value.label or "", _detail(value), value.noun or "")
    digits = "digits" if any(letter.isdigit() for letter in item.answer) else ""
    asked = question_word(item.question)
    if item.lang == "zh":
        return (item.lang, "words", "when" if asked in _WHEN_ZH else asked, digits, "title" if item.answer.startswith("《") else "")
    words = item.answer.split()
    capitals = "capital" if all(word[:1].isupper() for word in words if len(word) > 3) else "plain"
    return (item.lang, "words", asked, digits, capitals, str(min(len(words), 4)))


def single_value(answer: str) -> Value | None:
    """The typed value that an answer is, and nothing else."""
    values = find_values(answer)
    if len(values) == 1 and normalise_answer(values[0].text) == normalise_answer(answer):
        return values[0]
    return None


def _detail(value: Value) -> str:
    """How exact a date is (a year for a year, a day for a day), and how large a number."""
    if value.kind is ValueKind.DATE:
        return re.sub(r"\d", "0", value.canonical)
    return str(len(str(int(value.number)))) if value.number is not None and abs(value.number) < 1e18 else ""


def head(question: str) -> str:
    """What is asked for: the question word and what follows it ("which city", "什么战役")."""
    word = question_word(question)
    rest = question[_place(question.casefold(), word) + len(word) :] if word else ""
    following = rest[:2] if any(map(is_cjk, question)) else " ".join(rest.split()[:1])
    return f"{word} {following}".casefold()


def question_word(question: str) -> str:
    """The first question word, "" without one."""
    folded = question.casefold()
    known = _QUESTION_WORDS_ZH if any(map(is_cjk, question)) else _QUESTION_WORDS
    places = [(place, -len(word), word) for word in known if (place := _place(folded, word)) >= 0]
    return min(places)[2] if places else ""


def _place(text: str, word: str) -> int:
    match = re.search(word if is_cjk(word[0]) else rf"\b{word}\b", text)
    return match.start() if match else -1
