"""Writers of answers, behind `protocols.Generator`, by their names. Nothing heavy on import.

- a fetched model's name or the path of a GGUF file: `llama`, in this process;
- "transformers:FOLDER", "transformers:organisation/name" of the local hub cache, or one of them alone: `transformers`, in this process;
- "openai:ADDRESS", "openai:MODEL@ADDRESS": `remote.chat`, any server with the OpenAI form of /chat/completions.
"""

from __future__ import annotations

from guard_desk.errors import InputError
from guard_desk.models.remote.address import Address, parse_address
from guard_desk.models.remote.chat import ENDINGS, split_target
from guard_desk.records.state import Models

REMOTE = "openai:"


def host_of(models: Models) -> Address | None:
    """Where the generator of these models sends its prompts; None for one on this machine, for none, and for an address that is none."""
    name = models.generator or ""
    if not name.startswith(REMOTE):
        return None
    try:
        return parse_address(split_target(name)[0], endings=ENDINGS)
    except InputError:
        return None


def keyless_generator(name: str | None) -> str | None:
    """The name of a generator as it may be stored: None for an address that holds more than host and path, which may be a key."""
    remote = name is not None and name.startswith(REMOTE)
    return None if remote and host_of(Models(generator=name)) is None else name
