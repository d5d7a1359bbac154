"""Token classifiers of a dozen words: one that marks a word wherever it stands, and one with random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WORDS = ["the", "cat", "sits", "on", "a", "mat", "dog", "runs", "far", "away", "in", "rain", "passage", "question", "following"]
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LONGEST = 160


def make_detector(folder: Path, *labels: str, marked: str | None = None, seed: int = 0) -> Path:
    """Save a token classifier.

    :param marked: the word that output 1 fires on; None for random weights.
    """
    import torch
    from transformers import BertConfig, BertForTokenClassification, BertTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join([*MARKS, *WORDS]), encoding="utf-8")
    BertTokenizerFast(str(vocabulary), model_max_length=LONGEST).save_pretrained(folder)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(MARKS) + len(WORDS),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=LONGEST,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
        initializer_range=0.6,
    )
    model = BertForTokenClassification(config)
    if marked is not None:
        _fire_on(model, len(MARKS) + WORDS.index(marked))
    model.save_pretrained(folder)
    return folder


def _fire_on(model: Any, word: int) -> None:
    """Weights under which a word piece's outputs depend on the word alone."""
    import torch

    with torch.no_grad():
        for name, weights in model.named_parameters():
            if "LayerNorm.weight" not in name:
                weights.zero_()
        embeddings = model.bert.embeddings.word_embeddings.weight
        embeddings[: embeddings.shape[0], : embeddings.shape[0]] = torch.eye(embeddings.shape[0])
        model.classifier.weight[1, word] = 4.0
        model.classifier.bias[1] = -4.0
