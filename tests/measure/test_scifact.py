from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from guard_desk.errors import InputError
from guard_desk.measure.metrics import mean, paired
from guard_desk.measure.ranking import ndcg_at, recall_of
from guard_desk.measure.scifact import scifact
from guard_desk.measure.scifact_copies import exact_copies, hostile_copies, near_copies
from guard_desk.measure.scifact_pools import everything, load_claims, original, with_copies
from guard_desk.policy import Policy
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage
from guard_desk.records.state import Models

TEXT = (
    "We investigated 120 patients with asthma between 1999 and 2004. The new drug was associated with fewer attacks (12.5 versus 30). "
    "However, it did not change the lung function of smokers. IL-2 levels were measured in 45 patients due to a change of protocol."
)
TOPICS = (
    "asthma",
    "malaria",
    "anaemia",
    "insulin",
    "measles",
    "aspirin",
    "cartilage",
    "vitamin",
    "retina",
    "collagen",
    "nicotine",
    "tumour",
)


def test_ndcg_falls_with_the_rank_and_is_one_at_the_top() -> None:
    assert ndcg_at(["a", "b"], {"a"}, 10) == 1
    assert ndcg_at(["b", "a"], {"a"}, 10) == pytest.approx(1 / math.log2(3))
    assert ndcg_at(["a", "x", "b"], {"a", "b"}, 10) == pytest.approx((1 + 0.5) / (1 + 1 / math.log2(3)))
    assert ndcg_at(["x", "a"], {"a"}, 1) == 0
    assert math.isnan(ndcg_at(["a"], set(), 10))
    assert recall_of(["a", "a", "x"], {"a", "b"}) == 0.5


def test_paired_intervals_are_narrower_than_apart() -> None:
    left, right = [0.1 * i for i in range(20)], [0.1 * i - 0.05 for i in range(20)]
    figure = paired(left, right)
    assert figure.value == pytest.approx(0.05)
    assert figure.high - figure.low < 1e-6
    assert mean(left).high - mean(left).low > 0.1
    with pytest.raises(ValueError, match="zip"):
        paired(left, right[:3])


def test_near_copies_keep_numbers_and_negations() -> None:
    copies = near_copies(Passage(id="7", text=TEXT))
    assert [copy.id for copy in copies] == ["7~1", "7~2", "7~3"]
    assert len({copy.text for copy in copies} | {TEXT}) == 4
    for copy in copies:
        assert re.findall(r"\d+", copy.text) == re.findall(r"\d+", TEXT)
        assert copy.text.count(" not ") == TEXT.count(" not ")
    assert "Nevertheless, it did not" in copies[1].text
    assert "We examined 120" in copies[1].text


def test_hostile_copies_differ_in_one_number_or_one_negation() -> None:
    copies = [copy.text for copy in hostile_copies(Passage(id="7", text=TEXT))]
    assert copies[0] == TEXT.replace("120", "150")
    assert copies[1] == TEXT.replace("did not change", "did change")
    assert copies[2] == TEXT.replace("in 45", "in 56")


def test_numbers_inside_names_are_left_alone_and_years_stay_years() -> None:
    assert hostile_copies(Passage(id="1", text="IL-2 and p53 bind; CD4+ cells of the T-47D line do so in 10-20 min.")) == ()
    (copy,) = hostile_copies(Passage(id="1", text="Founded in 1999 as a ward."))
    assert copy.text == "Founded in 2001 as a ward."
    (copy,) = hostile_copies(Passage(id="1", text="The drug was given daily, and has been tested."))[:1]
    assert copy.text == "The drug was not given daily, and has been tested."
    assert hostile_copies(Passage(id="1", text="It has been tested."))[0].text == "It has not been tested."


def test_exact_copies_and_their_originals() -> None:
    passage = Passage(id="7", text=TEXT, title="Asthma")
    assert [(copy.id, copy.text, copy.title) for copy in exact_copies(passage)] == [(f"7~{n}", TEXT, "Asthma") for n in (1, 2, 3)]
    assert original("7~2") == original("7") == "7"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "scifact" / "beir"
    (folder / "qrels").mkdir(parents=True)
    texts = [
        f"We studied {topic} in {40 + n} patients for {n + 2} years. The treatment was associated with fewer cases of {topic}."
        for n, topic in enumerate(TOPICS)
    ]
    corpus = [{"_id": str(n), "title": f"About {topic}", "text": text} for n, (topic, text) in enumerate(zip(TOPICS, texts, strict=True))]
    queries = [{"_id": f"q{n}", "text": f"Treatment leads to fewer cases of {topic}."} for n, topic in enumerate(TOPICS[:4])]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    lines = ["query-id\tcorpus-id\tscore", *(f"q{n}\t{n}\t1" for n in range(4)), "q0\t11\t0"]
    (folder / "qrels" / "dev.tsv").write_text("\n".join(lines), encoding="utf-8")
    (folder / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore", encoding="utf-8")
    return tmp_path


def test_claims_are_read_with_what_is_relevant(data: Path) -> None:
    corpus, claims = load_claims(data, None)
    assert len(corpus) == 12
    assert {claim.id: claim.relevant for claim in claims} == {f"q{n}": frozenset({str(n)}) for n in range(4)}
    assert [claim.id for claim in load_claims(data, 2)[1]] == [claim.id for claim in claims][:2]
    with pytest.raises(InputError, match="qrels"):
        load_claims(data / "scifact", None)


def test_a_claim_sees_its_own_copies_only(data: Path) -> None:
    corpus, _ = load_claims(data, None)
    whole, filtered = with_copies(corpus, {"q0": ["0", "1"], "q1": ["1", "2"]}, exact_copies)
    assert len(whole) == 12 + 9
    own = [whole.passages[position].id for position in filtered["q1"].kept]
    assert own[:12] == [passage.id for passage in corpus.passages]
    assert set(own[12:]) == {f"{n}~{copy}" for n in (1, 2) for copy in (1, 2, 3)}
    assert len(everything(whole).kept) == 21


@pytest.mark.models
def test_the_whole_suite_on_a_small_corpus(data: Path) -> None:
    policy = Policy().with_value("assemble.k", 3)
    table = scifact(Models(encoder="tfidf"), data, None, RunContext(), policy=policy)
    found = {row.name: getattr(row.figure, "value", row.figure) for row in table.rows}
    assert found["rankers: nDCG@10, tfidf"] == 1
    assert found["natural: recall, topk"] == 1
    # Three copies of the first document fill the places of whoever is blind to copies, and free none.
    assert found["exact copies: merged, topk"] == 0
    assert found["exact copies: merged, exact"] == 1
    assert found["exact copies: merged, sieve"] == 1
    assert found["hostile copies: merged, sieve"] == 0
    assert found["hostile copies: merged, naive_dedup"] > 0.5
    assert {model.name for model in table.models} == {"minilm", "tfidf", "bm25", "hybrid"}
    assert len(table.charts) == 4
