"""Which device a torch model runs on."""

from __future__ import annotations

from enum import StrEnum

from guard_desk.errors import ModelError


class Device(StrEnum):
    """What a user may ask for."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"
    MPS = "mps"


def resolve_device(wanted: str) -> str:
    """The torch device for a wish: "cpu", "cuda:0", "cuda:1", "mps". Imports torch.

    :param wanted: auto (a GPU when there is one), cpu, cuda, cuda:N or mps.
    :raises ModelError: for an unknown device, or one that this machine lacks.
    """
    kind = wanted.partition(":")[0]
    if kind not in list(Device):
        raise ModelError(f"There is no device {wanted!r}; there is {', '.join(Device)}.")
    if kind == Device.CPU:
        return "cpu"
    import torch

    if kind in (Device.AUTO, Device.CUDA) and torch.cuda.is_available():
        return wanted if ":" in wanted else f"cuda:{torch.cuda.current_device()}"
    if kind in (Device.AUTO, Device.MPS) and torch.backends.mps.is_available():
        return "mps"
    if kind == Device.AUTO:
        return "cpu"
    raise ModelError(f"The device {wanted!r} is not available on this machine. Use --device auto or --device cpu.")
