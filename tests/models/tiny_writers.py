"""Models that write text, of two layers with random weights; and one that writes what it is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TEXTS = ["Backups are kept for seven days. 备份保留七天。", "How long? Nine weeks 🙂🙃 and a day.", "passage question answer <|end|>"]
END, BEGIN, TURN = "<|end|>", "<|begin|>", "<|turn|>"
TEMPLATE = (
    "{% for m in messages %}<|turn|>{{ m.role }}: {{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|turn|>model: {% endif %}"
)


def make_tokenizer(folder: Path, *, template: str | None = None, merges: int = 320) -> Any:
    """A tokenizer of bytes, trained on a few sentences."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import PreTrainedTokenizerFast

    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(TEXTS * 4, vocab_size=merges, min_frequency=2, special_tokens=[END, BEGIN, TURN], show_progress=False)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=trained._tokenizer,
        eos_token=END,
        bos_token=BEGIN,
        pad_token=END,
        additional_special_tokens=[TURN],
        model_max_length=100_000,
    )
    if template:
        tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    return tokenizer


def make_causal(folder: Path, *, positions: int = 256, template: str | None = None, seed: int = 0) -> Path:
    """A decoder of the Llama kind."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = make_tokenizer(folder, template=template)
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=positions,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=tokenizer.bos_token_id,
        initializer_range=0.5,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def make_seq2seq(folder: Path, *, seed: int = 0) -> Path:
    """An encoder and decoder of the T5 kind."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    tokenizer = make_tokenizer(folder)
    torch.manual_seed(seed)
    config = T5Config(
        vocab_size=len(tokenizer),
        d_model=32,
        d_kv=16,
        d_ff=64,
        num_layers=2,
        num_heads=2,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        decoder_start_token_id=tokenizer.pad_token_id,
        initializer_factor=3.0,
    )
    T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder


def make_speaker(folder: Path, text: str, *, after: str, ends: bool = True) -> Path:
    """A GPT-2 that writes `text` behind the prompt `after`: each position says its token."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = make_tokenizer(folder)
    told = [*tokenizer(text)["input_ids"], *([tokenizer.eos_token_id] if ends else [])]
    start = len(tokenizer(after)["input_ids"])
    places = 128
    config = GPT2Config(
        vocab_size=len(tokenizer),
        n_positions=places,
        n_embd=places,
        n_layer=1,
        n_head=1,
        eos_token_id=tokenizer.eos_token_id,
        tie_word_embeddings=False,
    )
    model = GPT2LMHeadModel(config)
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if not name.endswith("ln_f.weight"):
                weights.zero_()
        model.transformer.wpe.weight.copy_(torch.eye(places))
        for step, token in enumerate(told):
            model.lm_head.weight[token, start - 1 + step] = 1.0
    model.save_pretrained(folder)
    return folder
