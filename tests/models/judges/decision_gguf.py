"""Makes a decision model of a chat model: the same weights, with the two notes that the library looks for.

Its answers are those of a model that was never taught to decide; the way to them is that of a real one.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_STRING, _ARRAY = 8, 9
_ALIGNMENT = 32

# One letter an option; the answer is read at the end.
TEMPLATE = (
    "<|im_start|>user\n{{ state | tojson }}\n{{ instructions }}\n"
    "{% for option in options %}{{ 'ABCD'[loop.index0] }}. {{ option.key }}\n{% endfor %}<|im_end|>\n<|im_start|>assistant\n"
)


def make_decision_model(source: Path, target: Path, *, kind: str = "openjev", template: str = TEMPLATE) -> Path:
    """Copy a GGUF file with `llama.decision.type` and the template "systemone" added."""
    added = _text("llama.decision.type", kind) + _text("tokenizer.chat_template.systemone", template)
    with source.open("rb") as old, target.open("wb") as new:
        magic, version, tensors, notes = struct.unpack("<4sIQQ", old.read(24))
        start = old.tell()
        for _ in range(notes):
            _skip_text(old)
            _skip_value(old, *struct.unpack("<I", old.read(4)))
        for _ in range(tensors):
            _skip_text(old)
            (dimensions,) = struct.unpack("<I", old.read(4))
            old.seek(8 * dimensions + 4 + 8, 1)
        end = old.tell()
        old.seek(start)
        new.write(struct.pack("<4sIQQ", magic, version, tensors, notes + 2) + added + old.read(end - start))
        new.write(b"\0" * (-new.tell() % _ALIGNMENT))
        old.seek(end + (-end % _ALIGNMENT))
        new.write(old.read())
    return target


def _text(key: str, value: str) -> bytes:
    name, content = key.encode(), value.encode()
    return struct.pack("<Q", len(name)) + name + struct.pack("<IQ", _STRING, len(content)) + content


def _skip_text(file: BinaryIO) -> None:
    (length,) = struct.unpack("<Q", file.read(8))
    file.seek(length, 1)


def _skip_value(file: BinaryIO, kind: int) -> None:
    if kind == _STRING:
        _skip_text(file)
    elif kind == _ARRAY:
        inner, count = struct.unpack("<IQ", file.read(12))
        if inner in _SIZES:
            file.seek(_SIZES[inner] * count, 1)
        else:
            for _ in range(count):
                _skip_value(file, inner)
    else:
        file.seek(_SIZES[kind], 1)
