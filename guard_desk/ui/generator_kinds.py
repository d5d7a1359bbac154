"""The generators in words for people: what each is, what names it, and where prompts go. No drawing in here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from guard_desk.errors import InputError
from guard_desk.models import generators
from guard_desk.models.remote.address import parse_address
from guard_desk.models.remote.chat import ENDINGS, split_target
from guard_desk.records.state import Models
from guard_desk.ui.judge_kinds import Host

SERVER, FOLDER = "openai:", "transformers:"
LOCAL, LOCAL_MODEL = "local", "smollm2"
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorKind:
    """One way to have answers written.

    :param name: what it is called in commands, or the prefix of that.
    :param page: which fields it has: "none", "file", "folder", "server".
    :param tries: whether it can be tried.
    :param steps: what then happens, and what a person does, one thing after the other.
    """

    name: str
    title: str
    about: str
    page: str = "none"
    tries: bool = True
    steps: tuple[str, ...] = ()


_KINDS = (
    GeneratorKind(
        name="none",
        title="None",
        about="Nothing is written. The answer is the one of the file, or one that you write or paste.",
        tries=False,
        steps=(
            "A run goes as far as the prompt: passages are retrieved, judged, routed and put together.",
            "Copy the prompt from the tab Prompt and give it to a model of your choice.",
            "Press Edit in the pane Answer and paste what it wrote: it is checked at once, sentence by sentence.",
        ),
    ),
    GeneratorKind(
        name="recorded",
        title="From the case file",
        about="Repeats the answer that the opened case file carries.",
        tries=False,
        steps=(
            "At the end of a run the file's answer is checked against the passages.",
            "A file without an answer gives none; then write or paste one in the pane Answer.",
        ),
    ),
    GeneratorKind(
        name=LOCAL,
        title="SmolLM2",
        about="A small language model that runs inside Guard Desk: fit to show what evidence does to an answer, and offline.",
    ),
    GeneratorKind(
        name="file",
        title="Model file (GGUF)",
        about="Any chat model in a GGUF file, run inside Guard Desk by llama.cpp.",
        page="file",
    ),
    GeneratorKind(
        name=FOLDER,
        title="Transformers model",
        about="A causal or sequence-to-sequence model of the transformers library, from a folder or the local hub cache. Only safetensors "
        "weights are read; nothing in a folder runs.",
        page="folder",
    ),
    GeneratorKind(
        name=SERVER,
        title="Server",
        about="Any server with the OpenAI form of /chat/completions: llama.cpp, Ollama, vLLM, or one on the internet.",
        page="server",
    ),
)


def kinds_of(fetched: Sequence[str]) -> tuple[GeneratorKind, ...]:
    """Every kind in the order in which it is offered, with the models that were fetched to this machine by their names."""
    others = (
        GeneratorKind(name=name, title=name, about=f"The model {name}, fetched to this machine and run inside Guard Desk.")
        for name in fetched
        if name != LOCAL_MODEL
    )
    at = next(at for at, kind in enumerate(_KINDS) if kind.name == "file")
    return (*_KINDS[:at], *others, *_KINDS[at:])


def kind_of(name: str | None, kinds: Sequence[GeneratorKind]) -> GeneratorKind:
    """The kind of a generator by its name; a name that is no other is taken for the path of a file."""
    name = LOCAL if name == LOCAL_MODEL else name or "none"
    for kind in kinds:
        if name == kind.name or (kind.name.endswith(":") and name.startswith(kind.name)):
            return kind
    return next(kind for kind in kinds if kind.page == "file")


def parts_of(name: str | None, kind: GeneratorKind) -> tuple[str, str]:
    """Target and model of a name: the path of a file or folder, the address of a server; "" where there is none."""
    if name is None or kind.page == "none":
        return "", ""
    if kind.page == "server":
        try:
            address, model = split_target(name)
        except InputError:
            return "", ""
        return address, model or ""
    return name.removeprefix(FOLDER) if kind.page == "folder" else name, ""


def name_of(kind: GeneratorKind, target: str, model: str) -> str | None:
    """The name of a generator as the settings hold it; None for none."""
    target, model = target.strip(), model.strip()
    if kind.page == "none":
        return None if kind.name == "none" else kind.name
    if kind.page == "server":
        return f"{SERVER}{model}@{target}" if model else f"{SERVER}{target}"
    return f"{FOLDER}{target}" if kind.page == "folder" else target


def problem_of(kind: GeneratorKind, target: str) -> str:
    """What is wrong with a target; "" when it can be used."""
    target = target.strip()
    if kind.page == "server":
        return _server_problem(target)
    if kind.page == "file":
        if not target:
            return "Choose a model file."
        if not target.lower().endswith(".gguf"):
            return "A model file ends in .gguf."
        return "" if Path(target).expanduser().is_file() else "There is no such file."
    if kind.page == "folder":
        if not target:
            return "Choose a folder, or give a hub name (organisation/name) of the local cache."
        known = Path(target).expanduser().is_dir() or _HUB_NAME.fullmatch(target)
        return "" if known else "Neither a folder on this machine nor a hub name (organisation/name)."
    return ""


def _server_problem(target: str) -> str:
    if not target:
        return "Give the address of the server, for example http://localhost:8080/v1."
    try:
        parse_address(target, endings=ENDINGS)
    except InputError as exc:
        return f"{exc.cause[:1].upper()}{exc.cause[1:]} {exc.remedy}".strip()
    return ""


def title_of(name: str | None) -> str:
    """What people call a generator: "None", "SmolLM2", "Server (api.example.com)"."""
    kind = kind_of(name, _KINDS)
    target, model = parts_of(name, kind)
    if kind.page == "server":
        host = generator_host(Models(generator=name))
        told = " at ".join(part for part in (model, host.name if host else "") if part)
        return f"{kind.title} ({told})" if told else kind.title
    if kind.page == "none":
        return kind.title
    last = re.split(r"[/\\]", target.rstrip("/\\"))[-1]
    return f"{kind.title}: {last}" if kind.page == "folder" or target.lower().endswith(".gguf") else target


def generator_host(models: Models) -> Host | None:
    """Where the generator of these models sends its prompts; None for one on this machine, for none, and for an address that is none."""
    address = generators.host_of(models)
    return None if address is None else Host(name=address.host, local=address.loopback, encrypted=address.encrypted)


def privacy_words(name: str | None) -> tuple[bool, str]:
    """Whether prompts leave the machine, and that in a sentence."""
    if name is None or not name.startswith(SERVER):
        return False, "Stays on this machine: nothing is sent anywhere."
    host = generator_host(Models(generator=name))
    if host is None:
        return True, "Prompts are sent to the server that you name."
    if host.local:
        return False, f"Prompts go to {host.name}, a server on this machine."
    return True, f"Passages leave this machine: each answer sends the question and the passages of its prompt to {host.name}."


def advice(name: str | None) -> str:
    """What to know about a usable generator before prompts are sent; "" when nothing."""
    host = generator_host(Models(generator=name))
    if host is None or host.local or host.encrypted:
        return ""
    return "http:// is not encrypted: passages and key can be read on the way. Use https:// where the server has it."
