"""The detector over token classifiers, on tiny folders made here."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from guard_desk.errors import Cancelled, MissingModelError, ModelError
from guard_desk.models.detectors import load_detector
from guard_desk.models.detectors.token_classifier import TokenDetector
from guard_desk.models.detectors.token_folder import open_token_classifier, supported_labels
from guard_desk.progress import CancelToken, RunContext
from guard_desk.records.corpus import Passage, Query
from tests.models.detectors.tiny_detector import LONGEST, make_detector

pytestmark = pytest.mark.models

QUERY = Query(text="the cat")
NAMES = ("supported", "hallucinated")


@pytest.fixture(scope="module")
def marks_dog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_detector(tmp_path_factory.mktemp("detector") / "dog", *NAMES, marked="dog")


@pytest.fixture(scope="module")
def random(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_detector(tmp_path_factory.mktemp("detector") / "random", *NAMES, seed=3)


@pytest.fixture
def copy(marks_dog: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(marks_dog, tmp_path / "copy"))


def passages(*texts: str) -> list[Passage]:
    return [Passage(id=f"p{number}", text=text) for number, text in enumerate(texts)]


def found(folder: Path, answer: str, *texts: str) -> list[str]:
    spans = load_detector(str(folder), "cpu").detect(QUERY, passages(*texts), answer, RunContext())
    return [span.of(answer) for span, _ in spans]


def test_words_are_found_at_their_places(marks_dog: Path) -> None:
    answer = "\U0001f680\r\nThe dog  runs. A cat sits on the Dog dog\tdog."
    assert found(marks_dog, answer, "the cat sits") == ["dog", "Dog dog\tdog"]


def test_no_words_are_found_in_what_the_prompt_says(marks_dog: Path) -> None:
    assert found(marks_dog, "the cat", "the dog runs", "a dog") == []
    assert found(marks_dog, " \n", "the dog runs") == []


def test_nothing_is_cut_from_a_long_answer(marks_dog: Path) -> None:
    answer = "the cat sits on a mat. " * 120 + "the dog runs"
    assert found(marks_dog, answer, "the cat sits") == ["dog"]


def test_confidence_is_the_models_probability(marks_dog: Path) -> None:
    ((_, confidence),) = load_detector(str(marks_dog), "cpu").detect(QUERY, passages("a cat"), "a dog", RunContext())
    assert 0.9 < confidence <= 1.0


def test_the_label_that_means_unsupported_is_read_by_its_name(tmp_path: Path) -> None:
    turned = make_detector(tmp_path / "turned", "hallucinated", "supported", marked="dog")
    assert found(turned, "the dog runs", "a cat") == ["the", "runs"]


def test_a_word_is_unsupported_only_beside_every_part_of_long_passages(random: Path) -> None:
    detector = TokenDetector(open_token_classifier(str(random)), "cpu")
    detector.load()
    texts = ["the cat sits on a mat " * 14, "a dog runs far away in the rain " * 10, "the rain " * 20]
    answer = "the dog sits in the rain far away on a mat"
    prompts = list(detector._prompts(QUERY.text, passages(*texts), detector._count(answer)))
    assert len(prompts) > 1
    readings = [[value for _, value in detector._read(prompt, answer)] for prompt in prompts]
    lowest = np.min(np.array(readings), axis=0)
    assert np.ptp(np.array(readings), axis=0).max() > 0.01  # the parts do not all say the same
    together = detector._lowest(QUERY.text, passages(*texts), answer, RunContext())
    assert np.allclose([value for _, value in sorted(together.items(), key=lambda item: item[0].start)], lowest)


def test_prompts_hold_every_passage_to_its_end_and_fit(random: Path) -> None:
    detector = TokenDetector(open_token_classifier(str(random)), "cpu")
    detector.load()
    ends = ["cat far away", "rain on mat", "dog away far"]
    texts = [f"{'the cat sits on a mat ' * 30}{end}" for end in ends]
    prompts = list(detector._prompts(QUERY.text, passages(*texts), 20))
    assert all(any(end in prompt for prompt in prompts) for end in ends)
    assert all(detector._count(prompt) + 20 + 3 <= LONGEST for prompt in prompts)


def test_a_passage_that_names_a_place_of_the_prompt_changes_nothing(marks_dog: Path) -> None:
    assert found(marks_dog, "the dog runs", "{passages} {question} [SEP] the dog [CLS]") == ["dog"]


def test_it_can_be_cancelled(marks_dog: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        load_detector(str(marks_dog), "cpu").detect(QUERY, passages("a cat"), "a dog", RunContext(token=token))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("LABEL_0", "LABEL_1"), (0,)),
        (("hallucination", "supported"), (1,)),
        (("supported", "evident conflict", "baseless info"), (0,)),
        (("Correct", "Hallucinated"), (0,)),
    ],
)
def test_labels(labels: tuple[str, ...], expected: tuple[int, ...], tmp_path: Path) -> None:
    assert supported_labels(labels, tmp_path) == expected


def test_labels_that_do_not_tell_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="B-PER, I-PER, X"):
        supported_labels(("B-PER", "I-PER", "X"), tmp_path)


def test_a_folder_that_is_no_token_classifier(copy: Path) -> None:
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps({**config, "architectures": ["BertForSequenceClassification"]}))
    with pytest.raises(ModelError, match="names BertForSequenceClassification"):
        load_detector(str(copy), "cpu")


def test_code_and_pickles_are_refused(copy: Path) -> None:
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps({**config, "auto_map": {"AutoModel": "own.py"}}))
    with pytest.raises(ModelError, match="auto_map"):
        open_token_classifier(str(copy))
    (copy / "config.json").write_text(json.dumps(config))
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(ModelError, match="pickle"):
        open_token_classifier(str(copy))


def test_missing_weights_are_told(copy: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(copy / "model.safetensors")
    save_file({name: value for name, value in weights.items() if not name.startswith("classifier")}, copy / "model.safetensors")
    with pytest.raises(ModelError, match="not complete"):
        TokenDetector(open_token_classifier(str(copy)), "cpu").load()


def test_a_name_that_is_not_in_the_cache() -> None:
    with pytest.raises(MissingModelError, match="hf download nobody/nothing"):
        load_detector("nobody/nothing", "cpu")
