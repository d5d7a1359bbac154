"""In which numbers the judge's network runs."""

from __future__ import annotations

from guard_desk.errors import ModelError

PRECISIONS = ("float32", "bfloat16")


def choose_precision(device: str, wanted: str | None = None) -> tuple[str, str]:
    """The precision, and a plain sentence why. Imports torch.

    bfloat16 where the processor multiplies it in hardware, else float32. Eight-bit weights gained a fifth over float32 on a CPU with
    AVX-512 (17 against 22 ms a row, each row with a scale of its own so that it does not hang on its neighbours), through functions that
    torch is about to remove: they are not offered.

    :param device: a torch device, as `resolve_device` gives it.
    :param wanted: one of `PRECISIONS`; None chooses.
    :raises ModelError: for an unknown precision.
    """
    if wanted is not None:
        if wanted not in PRECISIONS:
            raise ModelError(f"There is no precision {wanted!r}; there is {', '.join(PRECISIONS)}.")
        return wanted, f"Runs as {wanted} on {device}."
    if device == "cpu" and has_bfloat16():
        return "bfloat16", "Runs as bfloat16 on the CPU, which multiplies it in hardware."
    return "float32", f"Runs as float32 on {device}."


def has_bfloat16() -> bool:
    """Whether the CPU multiplies bfloat16 in hardware (AMX or AVX512-BF16)."""
    import torch

    # These questions have no public name yet; a torch without them is answered like a CPU without the feature.
    asked = (getattr(torch.cpu, name, None) for name in ("_is_amx_tile_supported", "_is_avx512_bf16_supported"))
    return any(bool(ask()) for ask in asked if ask is not None)
