"""Small sets of checked answers in the published forms, with invented texts."""

from __future__ import annotations

from pathlib import Path

from .judge_data import write


def ragtruth(file: Path) -> None:
    def response(number: int, text: str, wrong: list[str]) -> dict:
        marks = [{"start": text.index(part), "end": text.index(part) + len(part), "text": part} for part in wrong]
        return {"id": str(number), "output": text, "hallucination_labels": marks}

    write(
        file,
        [
            {
                "source_key": "a",
                "task_type": "QA",
                "query": " how long are kilns fired \n",
                "context": "Kilns are fired for 9 hours.\n\n \nThey cool in 2 days.\n\n",
                "responses": [
                    response(1, "Kilns are fired for 9 hours.", []),
                    response(2, "Kilns are fired for 7 hours and cool in 5 days.", ["7 hours", "5 days"]),
                ],
            },
            {
                "source_key": "b",
                "task_type": "Data2txt",
                "query": "Write an overview.",
                "context": "{'name': 'Orrest Kiln', 'review': 'Warm.\\nOpen late.'}\n\nend",
                "responses": [response(3, "Orrest Kiln is warm.", [])],
            },
        ],
    )


def wice(file: Path) -> None:
    write(
        file,
        [
            {
                "claim": 'Ada Fenn\'s kiln burnt "birch" in 1911.',
                "claim_tokens": ["Ada", "Fenn", "'s", "kiln", "burnt", "``", "birch", "''", "in", "1911", "."],
                "non_supported_spans": [False, False, False, False, False, True, True, True, False, True, True],
                "evidence": ["(meta data) TITLE: The kiln", "Ada Fenn had a kiln.", "It burnt peat in 1910."],
                "meta": {"id": "w1", "claim_title": "Orrest"},
            }
        ],
    )


def uhgeval(file: Path) -> None:
    write(
        file,
        [
            {
                "id": "u1",
                "headLine": "奥雷斯特面包",
                "type": "num",
                "newsBeginning": "面包店七点开门。",
                "newsRemainder": "面包在五点出炉。",
                "hallucinatedContinuation": "面包店八点开门，面包在五点出炉。",
                "annotations": ["面包店<sep>合理", "八点<sep>不合理，应为七点", "面包<sep>合理", "火车<sep>合理"],
            }
        ],
    )


def summedits(file: Path) -> None:
    original = "The kiln burns birch and cools slowly."
    write(
        file,
        [
            {
                "domain": "sales_call",
                "doc_key": "d1",
                "doc": "\nThe kiln burns birch. It cools slowly.",
                "items": [
                    {"id": "s1", "summary": original, "label": 1, "original_summary": original},
                    {"id": "s2", "summary": "The kiln burns 40 peat bricks and cools.", "label": 0, "original_summary": original},
                    {"id": "s3", "summary": "The kiln burns birch.", "label": 0, "original_summary": original},
                ],
            }
        ],
    )


def everything(data: Path) -> Path:
    """All sets in the folder of the data."""
    ragtruth(data / "ragtruth/test_dev.jsonl")
    ragtruth(data / "ragtruth/train_sample_dev.jsonl")
    wice(data / "wice/tokens_dev.jsonl")
    uhgeval(data / "uhgeval_zh/dev.jsonl")
    summedits(data / "summedits/dev.jsonl")
    return data
