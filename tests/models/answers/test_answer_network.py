"""The network of the answer finder: what it may mark, that neighbours change nothing, and files that do not belong together."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from guard_desk.errors import MissingModelError, ModelError, ModelHashError
from guard_desk.models.answers.edges import Edges
from guard_desk.models.answers.network import AnswerNetwork
from guard_desk.models.judges.judge_windows import PlacedWindow, WindowCutter
from guard_desk.models.judges.network import load_tokenizer
from tests.models.answers.tiny_answers import MOST_TOKENS, make_answers
from tests.models.judges.tiny_judge import LONGEST

TEXT = "The file may be up to 4 GB. Links never expire, they last as long as the share."


def windows_of(network: AnswerNetwork, *texts: str) -> list[PlacedWindow]:
    cutter = WindowCutter(network.tokenizer, LONGEST)
    return [window for text in texts for window in cutter.placed("how long does it last ?", "the file", text)]


def test_marked_places_are_short_runs_of_whole_words_of_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = make_answers(tmp_path, monkeypatch)
    for window, found in zip(windows_of(network, TEXT), network.spans(windows_of(network, TEXT)), strict=True):
        assert len(found.places)
        borders = set(window.offsets)
        for start, end in found.places:
            words = TEXT[start:end]
            assert words == words.strip()
            assert 1 <= sum(start <= first and last <= end for first, last in borders) <= MOST_TOKENS
        assert list(found.logits) == sorted(found.logits, reverse=True)


def test_neighbours_change_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = make_answers(tmp_path, monkeypatch)
    windows = windows_of(network, TEXT, "Never.", "share " * 30, "up to 4 days")
    together = network.spans(windows)
    for window, given in zip(windows, together, strict=True):
        alone = network.spans([window])[0]
        np.testing.assert_allclose(alone.logits, given.logits, atol=1e-4)
        assert alone.null == pytest.approx(given.null, abs=1e-4)


def test_pieces_of_words_neither_begin_nor_end_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_answers(tmp_path, monkeypatch)
    tokenizer = load_tokenizer(tmp_path / "base")
    edges = Edges(tokenizer)
    first, last, piece, closing = (tokenizer.token_to_id(token) for token in ("[CLS]", "share", "##s", "[SEP]"))
    begins, ends = edges.masks([first, closing, last, piece, last, closing], 2)
    assert begins.tolist() == [False, False, True, False, True, False]
    assert ends.tolist() == [False, False, False, True, True, False]
    assert edges.widened([first, closing, last, piece, last, closing], 3, 3) == (2, 3)
    assert edges.widened([first, closing, last, piece, last, closing], 2, 2) == (2, 3)


def test_files_that_do_not_belong_together_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_answers(tmp_path, monkeypatch)
    folder = tmp_path / "answers"
    described = json.loads((folder / "answers.json").read_text())
    (folder / "answers.json").write_text(json.dumps({**described, "base_sha256": "0" * 64}))
    with pytest.raises(ModelHashError, match="was trained on tiny"):
        AnswerNetwork(folder, "cpu")
    (folder / "answers.json").write_text(json.dumps({**described, "weights_sha256": "0" * 64}))
    with pytest.raises(ModelHashError, match="Export it again"):
        AnswerNetwork(folder, "cpu")
    (folder / "answers.json").write_text(json.dumps({**described, "calibration": {}}))
    with pytest.raises(ModelError, match="no description"):
        AnswerNetwork(folder, "cpu")
    (folder / "answers.json").unlink()
    with pytest.raises(MissingModelError, match=r"answers\.json"):
        AnswerNetwork(folder, "cpu")
