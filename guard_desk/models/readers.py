"""Loads the models that read an answer beside the rules, as `Models` names them."""

from __future__ import annotations

import logging
from functools import lru_cache

from guard_desk import resources
from guard_desk.errors import InputError
from guard_desk.models.detectors import load_detector
from guard_desk.models.generators import REMOTE as OPENAI
from guard_desk.models.registry import load_generator
from guard_desk.models.remote.chat import ChatGenerator, split_target
from guard_desk.protocols import ClaimJudge, Generator, Readers
from guard_desk.records.state import Models

logger = logging.getLogger("guard_desk.models")

_RULES = "features"
# A judge on a chat server is named by the first, a generator there by the second.
_REMOTE = ("llm:", OPENAI)
_KEPT = 4


def load_readers(models: Models) -> Readers:
    """The readers of an answer; each is loaded once a process.

    The shipped claim judge takes part unless the judge is "features", which means rules alone; detector and language model take part
    where they are named.

    :raises MissingModelError: for a detector or a language model that is not on this machine.
    :raises ModelError: for one that cannot be used.
    :raises InputError: for the name of a server that is none.
    """
    return Readers(
        claim_judge=None if models.judge.partition(":")[0] == _RULES else _claim_judge(models.device),
        claim_model=_claim_model(models.claim_model, models.device, models.judge_settings.timeout_s),
        detector=load_detector(models.detector, models.device) if models.detector else None,
    )


def _claim_judge(device: str) -> ClaimJudge | None:
    """The shipped claim judge; None where the trained weights are not part of this installation."""
    if not all(resources.path("judge", name).is_file() for name in ("judge.safetensors", "judge.json", "embedded.toml")):
        return None
    from guard_desk.models.judges.claims import load_claim_judge

    return load_claim_judge(device)


@lru_cache(maxsize=_KEPT)
def _claim_model(name: str | None, device: str, timeout_s: float) -> Generator | None:
    if not name or name == "none":
        return None
    target = server_of(name)
    if target is not None:
        address, model = target
        return ChatGenerator(address, model=model, timeout_s=timeout_s)
    return load_generator(Models(generator=name, device=device))


def server_of(name: str | None) -> tuple[str, str | None] | None:
    """Address and model of a claim model behind a server; None for one on this machine, and for none.

    :raises InputError: when the address is missing.
    """
    return split_target(name) if name is not None and name.startswith(_REMOTE) else None


def keyless_claim_model(name: str | None) -> str | None:
    """The name of a claim model as it may be stored: None for an address that holds more than host and path, which may be a key."""
    try:
        target = server_of(name)
        if target is not None:
            ChatGenerator(target[0])
    except InputError:
        return None
    return name
