"""How rules and claim head decide together: the fit and its file, on made sentences."""

import fit_verify as fit
import numpy as np

from guard_desk.measure.verify_rows import AnswerRow
from guard_desk.records.answer import Claim, ClaimState
from guard_desk.records.corpus import Passage, Query, Span
from guard_desk.text.analyze import analyze_text
from guard_desk.text.support.claim_head import ClaimReading, claim_values
from guard_desk.text.support.claim_numbers import read_numbers
from guard_desk.text.support.claim_states import Statement
from guard_desk.text.support.claims import Cover
from guard_desk.text.support.pool import Aligned, Pool

NAMES = ("support", "contradict")
PASSAGES = (Passage(id="p", text="Loans go back before the library shuts."),)
POOL = Pool(PASSAGES, [analyze_text(PASSAGES[0].text)], [None])


def made_answers(count=80, seed=0):
    """One sentence an answer; the head tells in nine of ten cases, contradictions are told of by chance."""
    rng = np.random.default_rng(seed)
    answers = []
    for number in range(count):
        wrong = bool(rng.random() < 0.3)
        support = float(np.clip((0.1 if wrong != (rng.random() < 0.1) else 0.9) + rng.normal(0, 0.05), 0.01, 0.99))
        text = "Whoever is late pays."
        statement = Statement(
            unit=POOL.places[0].unit,
            claim=Claim(start=0, end=len(text), text=text, state=ClaimState.SUPPORTED, confidence=0.5),
            aligned=(Aligned(POOL.places[0], 0.5),),
            cover=Cover(share=0.5, unknown=frozenset({"late"}), checked=2, best=None),
        )
        reading = ClaimReading(support=support, contradict=float(rng.random()), supporting=None, contradicting=None)
        spans = (Span(0, len(text)),) if wrong else ()
        row = AnswerRow(
            id=str(number),
            query=Query(text="?"),
            passages=PASSAGES,
            answer=text,
            cluster=str(number // 2),
            wrong=wrong,
            group="QA",
            spans=spans,
        )
        sentence = fit.Sentence(statement=statement, reading=reading, values=claim_values(statement, reading), marked=wrong, conflict=False)
        answers.append(fit.Answer(row=row, sentences=(sentence,), others=(), rules=()))
    return answers


def test_values_keep_the_sign_they_stand_for():
    rng = np.random.default_rng(1)
    marked = rng.random(300) < 0.4
    values = np.stack([np.where(marked, -2.0, 2.0) + rng.normal(0, 1, 300), np.where(marked, -1.0, 1.0) + rng.normal(0, 1, 300)], axis=1)
    weights = fit.regression(values, marked, NAMES)
    assert weights[0] < -0.5
    assert weights[1] == 0.0


def test_the_fit_finds_what_the_head_tells():
    made = fit.fit(made_answers(), seed=0)
    assert dict(zip(made.names, made.weights, strict=True))["support"] < 0
    assert 0.0 < made.accept < made.report < 0.8
    assert made.figures[1].split()[:2] == ["all", "80"]
    assert float(made.figures[1].split()[4]) > 0.7  # with the head; the rules mark nothing here
    assert fit.fit(made_answers(), seed=0).figures == made.figures


def test_the_product_reads_what_the_fit_writes(tmp_path):
    made = fit.fit(made_answers(), seed=0)
    file = tmp_path / "verify.toml"
    file.write_text(fit.toml(made, "w" * 64, "d" * 64, 0), encoding="utf-8")
    numbers = read_numbers(file)
    assert (numbers.weights, numbers.report, numbers.accept) == ("w" * 64, made.report, made.accept)
    sentence = made_answers()[0].sentences[0]
    values = np.array([sentence.values[name] for name in made.names])
    expected = 1 / (1 + np.exp(-(values @ made.weights + made.bias)))
    assert abs(numbers.probability(sentence.values) - expected) < 0.01


def test_a_limit_needs_enough_that_are_right():
    assert fit._limit([(0.9, True)] * 3, 0.8, np.arange(0.5, 0.99, 0.01)) == fit.NEVER
    assert fit._limit([(0.9, True)] * 9 + [(0.605, False)] * 9, 0.8, np.arange(0.5, 0.99, 0.01)) == 0.61
