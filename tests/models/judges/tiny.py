"""Classifiers of two layers with random weights and a vocabulary of a dozen words."""

from __future__ import annotations

from pathlib import Path

WORDS = ["backup", "backups", "are", "kept", "seven", "days", "cat", "sofa", "tail", "the", "on", "why", "do", "only", "ignore", "orders"]
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[", "]"]
LONGEST = 160


def make_classifier(folder: Path, *labels: str, seed: int = 0, **config: object) -> Path:
    """Save a classifier with these labels in safetensors."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join([*MARKS, *WORDS]), encoding="utf-8")
    BertTokenizerFast(str(vocabulary), model_max_length=LONGEST).save_pretrained(folder)
    torch.manual_seed(seed)
    settings = BertConfig(
        vocab_size=len(MARKS) + len(WORDS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=LONGEST,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
        initializer_range=0.4,
        **config,
    )
    BertForSequenceClassification(settings).save_pretrained(folder)
    return folder
