import json
import random
from collections.abc import Iterator

import numpy as np
import pytest
import torch
from answer_batches import AnswerEncoder
from answer_calibrate import Read, fit, least_score, loss
from answer_export import export
from answer_model import MOST_TOKENS, AnswerNet, span_losses
from answer_rows import SIDES, AnswerRow
from answer_train import AnswerPlan, AnswerRun, held_loss, train
from model import tiny_base
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from train import Folder

from guard_desk.models.answers.module import build_answer_module
from guard_desk.models.answers.network import WindowSpans
from guard_desk.models.judges.network_module import merged

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "where", "who", "in", "by", "red", "blue", "green", "tall", "small", "##er", ".", "?"]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def tokenizer() -> Tokenizer:
    made = Tokenizer(WordPiece({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = BertNormalizer(lowercase=True), BertPreTokenizer()
    return made


def made_rows(count: int) -> list[AnswerRow]:
    """ "where" asks for the word after "in", "who" for the one after "by"; a third of the rows have no such word."""
    rng, found = random.Random(0), []
    for number in range(count):
        asked, sign = (("where", "in"), ("who", "by"))[number % 2]
        others = [rng.choice(("tall", "small")) for _ in range(rng.randrange(1, 4))]
        text, answers = " ".join(others) + " ", ()
        if number % 3:
            text += f"{sign} "
            answer = rng.choice(("red", "blue", "green", "taller"))
            answers = ((len(text), len(text) + len(answer)),)
            text += answer
        found.append(AnswerRow(question=f"{asked} ?", passage=f"{text} .", answers=answers, kind="k", group=f"g{number}", source="made"))
    return found


def made_run(passes: int = 1600) -> AnswerRun:
    torch.manual_seed(0)
    encoder = AnswerEncoder(tokenizer(), 40)
    plan = AnswerPlan(start="base", rank=4, passes=passes, batch=16, rate=5e-3, longest=40)
    return AnswerRun(AnswerNet(tiny_base(len(WORDS)), rank=4), encoder, encoder.encode(made_rows(120)), plan)


def test_rows_are_encoded_as_whole_words():
    encoder = AnswerEncoder(tokenizer(), 40)
    row = AnswerRow(question="who ?", passage="by taller .", answers=((3, 6),), kind="k", group="g", source="s")
    (coded,) = encoder.encode([row])
    (span,) = coded.spans
    assert [WORDS[number] for number in coded.ids[span[0] : span[1] + 1]] == ["tall", "##er"]
    batch = encoder.collate([coded])
    assert batch.gold[0, span[0], span[1]]
    assert not batch.last[0, span[0]]
    assert not batch.first[0, : coded.text].any()


def test_training_learns_where_answers_stand_and_where_none_does():
    run = made_run(4800)
    before = held_loss(run, run.rows)
    while run.step < run.plan.steps:
        run.advance()
    after = held_loss(run, run.rows)
    assert after["loss"] < 0.6 * before["loss"]
    assert after["answered"] > before["answered"]
    assert after["best_span"] > 0.5


def test_a_stopped_run_goes_on_exactly(tmp_path):
    whole = made_run()
    for _ in range(9):
        whole.advance()
    first, folder = made_run(), Folder(tmp_path)
    train(first, folder, first.rows, lambda: first.step >= 5)
    second = made_run()
    second.restore(torch.load(folder.checkpoint, weights_only=True))
    for _ in range(4):
        second.advance()
    for name, value in whole.network.trained().items():
        assert torch.equal(value, second.network.trained()[name]), name
    with pytest.raises(ValueError, match="batch 16"):
        AnswerRun(second.network, second.encoder, second.rows, AnswerPlan(start="base", rank=4, batch=8, longest=40)).restore(
            second.state()
        )


def test_the_loss_is_minus_the_log_probability_of_any_right_span():
    spans, null = torch.zeros(2, 2, 2), torch.zeros(2)
    gold = torch.zeros(2, 2, 2, dtype=torch.bool)
    gold[0, 0, 1] = gold[0, 1, 1] = True
    found = span_losses(spans, null, gold)
    assert found.tolist() == pytest.approx([torch.log(torch.tensor(5 / 2)).item(), torch.log(torch.tensor(5.0)).item()])


def test_the_product_scores_as_it_was_trained():
    run = made_run()
    for _ in range(30):
        run.advance()
    run.network.eval()
    torch.manual_seed(0)
    base = dict(tiny_base(len(WORDS)).state_dict())
    module = build_answer_module(
        {"layer_norm_eps": 1e-12, "num_hidden_layers": 2, "num_attention_heads": 2}, merged(base, run.network.trained()), "cpu", "float32"
    )
    part = run.encoder.collate(run.rows[:8])
    with torch.inference_mode():
        spans, null = run.network(part.ids, part.types, part.mask, part.first, part.last)
        logits, places, other = module(part.ids, part.types, part.mask, part.first, part.last, 5)
    assert torch.allclose(null, other, atol=0.1)
    assert torch.allclose(spans.flatten(1).gather(1, places), logits, atol=0.1)
    assert len(run.network.lengths) == MOST_TOKENS


def test_an_export_names_its_hashes(tmp_path):
    run = made_run()
    manifest = json.dumps({**{side: {"sha256": side} for side in SIDES}, "read": {"x": "y"}, "licences": {"x": "MIT"}}).encode()
    described = export(run.state(), manifest, tmp_path)
    assert described["rows_sha256"] == {side: side for side in SIDES}
    assert json.loads((tmp_path / "answers.json").read_text()) == json.loads(json.dumps(described))
    assert (tmp_path / "weights.safetensors").stat().st_size < 2.5 * sum(value.numel() for value in run.network.trained().values()) + 20_000


def test_calibration_finds_the_temperature_that_the_scores_need():
    rng, readings = random.Random(0), []
    row = AnswerRow(question="q", passage="red blue", answers=((0, 3),), kind="k", group="g", source="squad2")
    for _ in range(300):
        # Logits of 6 stand for a probability of .73, as after a division by 6.
        place = [[0, 3]] if rng.random() < 0.73 else [[4, 8]]
        readings.append(Read(row, [WindowSpans(np.array(place), np.array([6.0], dtype=np.float32), 0.0)]))
    temperature, null, found = fit(readings)
    assert found < 0.62
    assert 6 / temperature - null == pytest.approx(1.0, abs=0.3)
    assert least_score(readings, temperature, null) < 0.73


def test_a_right_answer_that_is_held_too_unlikely_costs_more_than_a_wrong_one():
    row = AnswerRow(question="q", passage="red blue", answers=((0, 3),), kind="k", group="g", source="squad2")
    right, wrong = (Read(row, [WindowSpans(np.array([place]), np.array([-9.0], dtype=np.float32), 0.0)]) for place in ([0, 3], [4, 8]))
    assert loss([right], [1.0], 1.0, 0.0) > 4
    assert loss([wrong], [1.0], 1.0, 0.0) < 0.01
