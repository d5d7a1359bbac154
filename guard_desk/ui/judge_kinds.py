"""The judges in words for people: what each is, which settings it reads, and whether passages leave the machine. No drawing in here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from guard_desk.errors import InputError
from guard_desk.models.remote.address import parse_address
from guard_desk.records.judging import JudgeSettings, RemoteForm, Spent
from guard_desk.records.state import Models
from guard_desk.ui.numbers import count, counted

TYPESAFE = "https://api.typesafe.ai"
OPENROUTER = "https://openrouter.ai"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeKind:
    """One judge as the window offers it.

    :param page: which fields it has: "none", "server", "file", "classifiers".
    :param form: whether its server may be spoken to in several forms.
    :param wordings: whether it reads the wordings of the four questions.
    :param default_target: the server where none is named.
    """

    name: str
    title: str
    about: str
    page: str = "none"
    form: bool = False
    wordings: bool = False
    default_target: str = ""

    @property
    def full_title(self) -> str:
        """The title with the name that commands use, where it is another one."""
        return self.title if self.title.casefold() == self.name else f"{self.title} ({self.name})"


KINDS: tuple[JudgeKind, ...] = (
    JudgeKind(
        name="embedded",
        title="Embedded",
        about="A small trained model and a set of checks that vote. Comes with Guard Desk, works offline, gives a reason for each answer.",
    ),
    JudgeKind(
        name="features",
        title="Rules only",
        about="The checks of the embedded judge without its trained model: quick, and every answer can be traced to a rule.",
    ),
    JudgeKind(
        name="recorded",
        title="From the case file",
        about="Repeats the answers that the opened case file carries. A passage without recorded answers is not judged.",
    ),
    JudgeKind(
        name="systemone",
        title="Decision server",
        about="Any server with POST /v1/systemone: TypeSafe, OpenRouter, llama.cpp. One request a passage, four questions in each.",
        page="server",
        form=True,
        wordings=True,
        default_target=TYPESAFE,
    ),
    JudgeKind(
        name="llm",
        title="Language model server",
        about="Any OpenAI-compatible server: four prompts a passage. Without log probabilities its numbers are not calibrated.",
        page="server",
        wordings=True,
    ),
    JudgeKind(
        name="gguf",
        title="Decision model file",
        about="A decision model in a GGUF file, run inside Guard Desk on this machine.",
        page="file",
        wordings=True,
    ),
    JudgeKind(
        name="cross-encoder",
        title="Classifiers",
        about="A classifier for each question, from a folder or the local hub cache. A question without one is answered by the rules.",
        page="classifiers",
    ),
)
"""In the order in which they are offered: those that need nothing first."""

READ_WORDINGS = tuple(kind.name for kind in KINDS if kind.wordings)


def kind_of(judge: str) -> JudgeKind:
    """The kind of a judge by its name, also of "NAME:TARGET"; the first one for a name that is not known."""
    name = judge.partition(":")[0]
    return next((kind for kind in KINDS if kind.name == name), KINDS[0])


def title_of(judge: str) -> str:
    """What people call a judge: "Decision server (systemone)"."""
    name = judge.partition(":")[0]
    return next((kind.full_title for kind in KINDS if kind.name == name), judge)


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """Where passages are sent.

    :param name: the host alone, under which its key is kept.
    :param local: whether it is this machine itself.
    :param encrypted: whether the address is https.
    """

    name: str
    local: bool
    encrypted: bool


def target_of(judge: str, settings: JudgeSettings) -> str:
    """The address or path in force, "" where there is none."""
    inside = judge.partition(":")[2].strip()
    default = OPENROUTER if kind_of(judge).form and settings.form is RemoteForm.OPENROUTER else kind_of(judge).default_target
    return inside or (settings.target or "").strip() or default


def host_of(models: Models) -> Host | None:
    """Where the judge of these models sends passages; None for a judge inside Guard Desk, and for an address that is none."""
    if kind_of(models.judge).page != "server":
        return None
    try:
        address = parse_address(target_of(models.judge, models.judge_settings))
    except InputError:
        return None
    return Host(name=address.host, local=address.loopback, encrypted=address.encrypted)


_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def problems(judge: str, settings: JudgeSettings) -> dict[str, str]:
    """What is wrong with settings, by field: "target", "classifiers". Empty when they can be used."""
    page, target = kind_of(judge).page, target_of(judge, settings)
    if page == "server":
        words = _server_problem(target)
        return {"target": words} if words else {}
    if page == "file":
        words = _file_problem(target)
        return {"target": words} if words else {}
    if page == "classifiers":
        return _classifier_problems(settings)
    return {}


def _server_problem(target: str) -> str:
    if not target:
        return "Give the address of the server, for example http://localhost:8080."
    try:
        parse_address(target)
    except InputError as exc:
        return f"{exc.cause[:1].upper()}{exc.cause[1:]} {exc.remedy}".strip()
    return ""


def _file_problem(target: str) -> str:
    if not target:
        return "Choose a model file."
    if not target.lower().endswith(".gguf"):
        return "A model file ends in .gguf."
    return "" if Path(target).expanduser().is_file() else "There is no such file."


def _classifier_problems(settings: JudgeSettings) -> dict[str, str]:
    if not settings.classifiers:
        return {"classifiers": "Give at least one question a classifier; the rules answer the others."}
    found = {}
    for classifier in settings.classifiers:
        source = classifier.source.strip()
        if not Path(source).expanduser().is_dir() and not _HUB_NAME.fullmatch(source):
            found[classifier.question] = "Neither a folder on this machine nor a hub name (organisation/name)."
    return found


def advice(judge: str, settings: JudgeSettings) -> str:
    """What to know about usable settings before passages are sent; "" when nothing."""
    host = host_of(Models(judge=judge, judge_settings=settings))
    if host is None or host.local or host.encrypted:
        return ""
    return "http:// is not encrypted: passages and key can be read on the way. Use https:// where the server has it."


def spent_words(spent: Spent) -> str:
    """What judging took: "12,345 tokens in 31 requests, cost 0.0185"."""
    about = "about " if spent.estimated else ""
    tokens = spent.input_tokens + spent.output_tokens
    cost = f", cost {about}{money(spent.cost)}" if spent.cost is not None else ""
    return f"{about}{counted(tokens, 'token')} in {counted(spent.requests, 'request')}{cost}"


def money(cost: float) -> str:
    """An amount in the user's currency: two decimals from 1 on, else three digits that count."""
    if cost == 0 or cost >= 1:
        return f"{cost:,.2f}"
    return f"{cost:.3g}" if cost >= 0.0001 else "less than 0.0001"


def privacy_words(judge: str, settings: JudgeSettings) -> tuple[bool, str]:
    """Whether passages leave the machine, and that in a sentence."""
    if kind_of(judge).page != "server":
        return False, "Stays on this machine: nothing is sent anywhere."
    host = host_of(Models(judge=judge, judge_settings=settings))
    if host is None:
        return True, "Passages are sent to the server that you name."
    if host.local:
        return False, f"Passages go to {host.name}, a server on this machine."
    return True, f"Passages leave this machine: each run sends question and passages to {host.name}."


def price_words(settings: JudgeSettings) -> str:
    """The prices in force: "0.10 / 0.40 a million tokens"; "" when none is known."""
    known = [price for price in (settings.price_input, settings.price_output) if price is not None]
    shown = [f"{price:g}" if price is not None else "?" for price in (settings.price_input, settings.price_output)]
    return f"{shown[0]} in, {shown[1]} out, a million tokens" if known else ""


def count_words(passages: int, stored: int) -> str:
    """ "31 of 50 passages (19 answers are stored)"."""
    if not stored:
        return counted(passages, "passage")
    return f"{count(passages)} of {count(passages + stored)} passages ({count(stored)} already have a stored answer)"
