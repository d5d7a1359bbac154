"""The quick name finder gives what spaCy gives."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from guard_desk.models.embedded import embedded_folder
from guard_desk.models.spacy_names import NameFinder, understood

pytestmark = pytest.mark.models

CASES = Path(__file__).parents[1] / "data" / "verify_dev.jsonl"
ODD = [
    "",
    " ",
    "\n\n",
    "New York",
    "  New York  \n ",
    "Ann",
    "the United States of America and the European Union",
    "Mr. J. R. Halloran-Voss of\nDelmar  Lines, Inc. met the U.N. in New York City on June 5, 2026.",
    "PETRA HALLORAN BOUGHT ACME CORP FROM THE BANK OF ENGLAND",
    "🚀\r\nParis, London, Rome, Berlin and Ann Voss",
]


@cache
def pipeline() -> Any:
    import spacy

    folder = embedded_folder("en_core_web_sm")
    others = [name for name in spacy.util.load_config(folder / "config.cfg")["nlp"]["pipeline"] if name != "ner"]
    return spacy.util.load_model_from_path(folder, exclude=others)


def texts() -> list[str]:
    rows = [json.loads(line) for line in CASES.read_bytes().split(b"\n") if line.strip()]
    found = [text for row in rows for text in (row["answer"], *(passage["text"] for passage in row["passages"]))]
    words = " ".join(found).split()
    drawn = random.Random(0)
    # Words in disorder make names of many lengths at places where no text has them.
    mixed = [" ".join(drawn.choice(words) for _ in range(60)) for _ in range(60)]
    return [*found, *mixed, *ODD]


def test_names_are_those_of_spacy() -> None:
    given = texts()
    ner = pipeline().get_pipe("ner")
    assert understood(ner)
    expected = [[(name.start, name.end, name.label_) for name in document.ents] for document in pipeline().pipe(given)]
    found = list(NameFinder(ner).names([pipeline().make_doc(text) for text in given]))
    assert found == expected
    assert sum(end - start > 2 for names in expected for start, end, _ in names) > 20


def test_other_kinds_of_name_finders_are_left_to_spacy() -> None:
    import spacy

    assert not understood(spacy.blank("en").add_pipe("entity_ruler"))
    full = spacy.util.load_model_from_path(embedded_folder("en_core_web_sm"))
    assert not understood(full.get_pipe("parser"))
