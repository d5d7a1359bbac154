"""A loaded model of the transformers library that writes text: what it reads and how it is asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from guard_desk.errors import ModelError
from guard_desk.models.device import resolve_device
from guard_desk.models.generators.pieces import TextPieces
from guard_desk.models.head_folder import HeadFolder, load_head
from guard_desk.models.llama import defused
from guard_desk.progress import CancelToken
from guard_desk.text.normalize import speakable

# Where the architecture counts relative distances (T5) nothing ends; memory does.
LONGEST = 8192
_WAIT_S = 0.05
# What a folder may say about writing. The rest (sampling, beams, searches whose code lies on the hub) is not taken from it.
_TOKENS = ("bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id", "forced_bos_token_id", "forced_eos_token_id")


class TransformersModel:
    """Tokenizer and weights, loaded once and asked by one thread at a time.

    :param folder: checked by `open_writer`.
    :param device: auto, cpu, cuda, cuda:N or mps.
    """

    def __init__(self, folder: HeadFolder, device: str = "auto") -> None:
        self.folder = folder
        self.device = device if device == "cpu" else ""
        self._wanted = device
        self._tokenizer: Any = None
        self._model: Any = None
        self._lock = threading.Lock()

    def write(self, prompt: str, answer_tokens: int, hand: Callable[[str | int], None], stop: CancelToken) -> bool:
        """Write an answer: the number of the prompt's tokens is handed over first, then pieces of text, each token's number after it.

        :param hand: takes text, and counts of tokens: the prompt's, then one for each token written.
        :param stop: looked at before each token.
        :returns: whether the answer was finished.
        :raises ModelError: for a prompt that is too long, and when the model cannot be loaded or fails.
        """
        while not self._lock.acquire(timeout=_WAIT_S):  # an answer that was left behind ends with its token
            if stop.cancelled:
                return False
        try:
            self._load()
            return _Writing(self._model, self._tokenizer, self.folder.source, hand, stop).run(self._read(prompt), answer_tokens)
        finally:
            self._lock.release()

    def load(self) -> None:
        """Read the weights, once. :raises ModelError: when the library cannot load the folder."""
        with self._lock:
            self._load()

    def _load(self) -> None:
        if self._model is not None:
            return
        self.device = resolve_device(self._wanted)
        options = {"dtype": "float32" if self.device == "cpu" else "auto"}
        tokenizer, model = load_head(
            self.folder.path, self._auto(), self.device, what="generator", harm="its answers would be random", **options
        )
        model.generation_config = _plain_config(model, tokenizer)
        self._tokenizer, self._model = tokenizer, model

    def _auto(self) -> str:
        """The library's class for this kind of model."""
        import transformers

        try:
            config = transformers.AutoConfig.from_pretrained(str(self.folder.path), trust_remote_code=False, local_files_only=True)
        except Exception as exc:  # the library raises what its parsers raise
            raise ModelError(f"{self.folder.path / 'config.json'} cannot be used: {exc}") from exc
        return "AutoModelForSeq2SeqLM" if config.is_encoder_decoder else "AutoModelForCausalLM"

    def _read(self, prompt: str) -> Any:
        """The tokens of a prompt: as a user's turn where the model has a chat template, else as it stands."""
        text = self._defused(speakable(prompt))
        try:
            if not self._tokenizer.chat_template:
                return self._tokenizer(text, return_tensors="pt", verbose=False)
            turns = [{"role": "user", "content": text}]
            # Models that think first know the flag, others pass over it.
            asked = self._tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True, enable_thinking=False)
            return self._tokenizer(asked, add_special_tokens=False, return_tensors="pt", verbose=False)
        except Exception as exc:  # a template raises what its author likes
            raise ModelError(f"The tokenizer or chat template of {self.folder.source} failed: {exc}") from exc

    def _defused(self, text: str) -> str:
        """No passage can end the user's turn: the tokenizer's own borders are broken by a space, those of others too."""
        text = defused(text)
        for border in self._tokenizer.all_special_tokens:
            if len(border) > 1:
                text = text.replace(border, f"{border[0]} {border[1:]}")
        return text


class _Writing:
    """One answer, as the library calls back for each token: `put` and `end` as a streamer, the calls as its criterion and check."""

    def __init__(self, model: Any, tokenizer: Any, name: str, hand: Callable[[str | int], None], stop: CancelToken) -> None:
        self._model = model
        self._name = name
        self._hand = hand
        self._stop = stop
        self._prompt_seen = False
        self._last = -1
        self._pieces = TextPieces(lambda ids: tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False))

    def run(self, encoded: Any, answer_tokens: int) -> bool:
        """:returns: whether the answer was finished."""
        import torch

        encoded = {name: value for name, value in encoded.items() if name in ("input_ids", "attention_mask")}
        count = int(encoded["input_ids"].shape[1])
        most = min(answer_tokens, self._room(count))
        self._hand(count)
        try:
            with torch.inference_mode():
                self._model.generate(
                    **{name: value.to(self._model.device) for name, value in encoded.items()},
                    max_new_tokens=most,
                    logits_processor=[self._check],
                    stopping_criteria=[self._stopped],
                    streamer=self,
                )
        except (RuntimeError, IndexError, ValueError, TypeError, KeyError, AttributeError, NotImplementedError, MemoryError) as exc:
            raise ModelError(f"The generator {self._name} failed on {self._model.device}: {_explained(exc)}") from exc
        ends = self._model.generation_config.eos_token_id or []
        return self._last in ends

    def put(self, tokens: Any) -> None:
        """Called with the prompt, or with what the answer begins with, and then with each token."""
        if not self._prompt_seen:
            self._prompt_seen = True
            return
        for token in tokens.flatten().tolist():
            self._last = token
            self._say(self._pieces.add(token))
            self._hand(1)

    def end(self) -> None:
        """Called after the last token."""
        self._say(self._pieces.end())

    def _say(self, text: str) -> None:
        if text:
            self._hand(text)

    def _room(self, count: int) -> int:
        """Most tokens of an answer. :raises ModelError: for a prompt that leaves none, or that is empty."""
        config = self._model.config
        longest = getattr(config, "max_position_embeddings", None)
        longest = longest if isinstance(longest, int) and longest > 0 else LONGEST
        if count == 0:
            raise ModelError("The prompt is empty.")
        if count > (longest if config.is_encoder_decoder else longest - 1):
            raise ModelError(
                f"The prompt has {count:,} tokens of the model {self._name!r}, which reads at most {longest:,}. "
                "Lower assemble.budget_tokens or assemble.k."
            )
        return longest - 1 if config.is_encoder_decoder else longest - count

    def _check(self, _: Any, scores: Any) -> Any:
        if scores.isnan().any():
            raise ModelError(f"The generator {self._name} gave numbers that are none. Try --device cpu.")
        return scores

    def _stopped(self, tokens: Any, _: Any, **__: Any) -> Any:
        return tokens.new_full((tokens.shape[0],), self._stop.cancelled, dtype=bool)


def _explained(exc: Exception) -> str:
    """An error of the library, with what to do where that is known."""
    if isinstance(exc, MemoryError) or "out of memory" in str(exc).casefold():
        return "out of memory. Choose a smaller model, lower assemble.budget_tokens, or use another device."
    return str(exc)


def _plain_config(model: Any, tokenizer: Any) -> Any:
    """Greedy, with the folder's own tokens of begin and end and nothing else of its settings."""
    from transformers import GenerationConfig

    found = {name: getattr(model.generation_config, name, None) for name in _TOKENS}
    ends = _numbers(found["eos_token_id"]) or _numbers(getattr(model.config, "eos_token_id", None))
    found["eos_token_id"] = sorted({*ends, *_numbers(tokenizer.eos_token_id)}) or None
    if found["pad_token_id"] is None:
        found["pad_token_id"] = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else next(iter(ends), 0)
    return GenerationConfig(do_sample=False, num_beams=1, **{name: value for name, value in found.items() if value is not None})


def _numbers(value: Any) -> Sequence[int]:
    return [number for number in (value if isinstance(value, list) else [value]) if isinstance(number, int)]
