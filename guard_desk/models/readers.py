"""Loads the models that read an answer beside the rules, as `Models` names them."""

from __future__ import annotations

import logging
from functools import lru_cache

from guard_desk import resources
from guard_desk.errors import InputError
from guard_desk.models.detectors import load_detector
from guard_desk.models.generators import REMOTE as GENERATOR_REMOTE
from guard_desk.models.registry import load_generator
from guard_desk.models.remote.chat import ChatGenerator, split_target
from guard_desk.protocols import ClaimJudge, Generator, Readers
from guard_desk.records.state import Models

logger = logging.getLogger("guard_desk.models")

_RULES = "features"
_REMOTE = "llm:"
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
    if name.startswith(_REMOTE):
        target, model = split_target(name)
        return ChatGenerator(target, model=model, timeout_s=timeout_s)
    if name.startswith(GENERATOR_REMOTE):
        # Whoever asks before texts leave the machine looks for the one prefix.
        raise InputError("a claim model on a server is not named openai:.", remedy="Write llm:ADDRESS or llm:MODEL@ADDRESS.")
    return load_generator(Models(generator=name, device=device))


def keyless_claim_model(name: str | None) -> str | None:
    """The name of a claim model as it may be stored: None for an address that holds more than host and path, which may be a key."""
    if name is None or not name.startswith(_REMOTE):
        return name
    try:
        ChatGenerator(split_target(name)[0])
    except InputError:
        return None
    return name
