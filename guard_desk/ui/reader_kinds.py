"""The models that read an answer beside the rules, in words for people: what each costs, and where text goes. No drawing in here."""

from __future__ import annotations

import re
from pathlib import Path

from guard_desk.errors import InputError
from guard_desk.models.readers import server_of
from guard_desk.models.remote.address import parse_address
from guard_desk.models.remote.chat import ENDINGS
from guard_desk.records.state import Models
from guard_desk.ui.generator_kinds import generator_host
from guard_desk.ui.judge_kinds import Host, host_of

NONE = "none"
TOKENS_A_SENTENCE = 1500
"""About what one sentence takes: its prompt, a thousand tokens of passages, and the reply."""

_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_FOLDER = "folder:"


def reader_host(models: Models) -> Host | None:
    """Where the sentences of an answer are sent to be read; None for a language model on this machine, and for none."""
    try:
        target = server_of(models.claim_model)
        address = None if target is None else parse_address(target[0], endings=ENDINGS)
    except InputError:
        return None
    if address is None:
        return None
    return Host(name=address.host, local=address.loopback, encrypted=address.encrypted)


def hosts_of(models: Models) -> tuple[Host, ...]:
    """Every server that these models send text to, each once; those on this machine last."""
    found = {host.name: host for host in (host_of(models), generator_host(models), reader_host(models)) if host is not None}
    return tuple(sorted(found.values(), key=lambda host: host.local))


def detector_words(name: str) -> tuple[str, str]:
    """What a detector does and costs, and what is wrong with its name ("" when nothing)."""
    if name in ("", NONE):
        return "Off. A token classifier marks words that it finds unsupported, beside the rules.", ""
    folder = name.removeprefix(_FOLDER)
    if not Path(folder).expanduser().is_dir() and not _HUB_NAME.fullmatch(name):
        return "", "Neither a folder on this machine nor a hub name (organisation/name)."
    words = "Stays on this machine. It reads the answer with all passages at each check, also while you type: seconds for long ones."
    return words, ""


def claim_words(name: str) -> tuple[str, str]:
    """What a language model that reads each sentence does and costs, and what is wrong with its name ("" when nothing)."""
    if name in ("", NONE):
        return "Off. A language model reads each sentence of the answer; what it says counts only where its quote stands in a passage.", ""
    try:
        target = server_of(name)
        if target is None:
            return "Stays on this machine. One request a sentence, seconds each; in a run only, not while you type.", ""
        address = parse_address(target[0], endings=ENDINGS)
    except InputError as exc:
        return "", f"{exc.cause[:1].upper()}{exc.cause[1:]} {exc.remedy}".strip()
    cost = f"One request of about {TOKENS_A_SENTENCE:,} tokens a sentence; in a run only, not while you type."
    if address.loopback:
        return f"Goes to {address.host}, a server on this machine. {cost}", ""
    open_words = "" if address.encrypted else " The address is not encrypted: others can read it on the way."
    return (
        f"▲ Leaves this machine: each run sends the question, every sentence of the answer and the passages nearest to it to "
        f"{address.host}. {cost}{open_words}",
        "",
    )
