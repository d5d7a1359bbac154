"""What the dialogs of the judge let a worker do: ask a server, try a judge, read labels, keep keys. No Qt in here."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass

from guard_desk.errors import InputError, ModelError
from guard_desk.models.judges import load_judge
from guard_desk.models.judges.labels import LabelMapping, read_mapping
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage, Query
from guard_desk.records.evidence import Judgement
from guard_desk.records.judging import JudgeSettings, Spent

Work = Callable[[RunContext], object]

# A sentence of ours: trying a judge sends nothing of the corpus.
TRIAL_QUERY = Query(text="How long are backups kept?")
TRIAL_PASSAGE = Passage(id="trial", text="Backups are kept for 30 days.", title="Backup guide")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How a judge answered about a sentence of ours.

    :param seconds: from asking to the answer, loading included.
    """

    judgement: Judgement
    seconds: float
    detail: str
    spent: Spent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyState:
    """Where the key of a host is.

    :param words: for people.
    :param stored: whether it lies in the keyring, so that it can be forgotten.
    """

    words: str
    stored: bool = False


def try_judge(name: str, settings: JudgeSettings, device: str) -> Work:
    """Ask a judge about one sentence."""

    def work(ctx: RunContext) -> Trial:
        started = time.monotonic()
        judge = load_judge(name, settings=settings, device=device)
        judgement = next(iter(judge.judge(TRIAL_QUERY, [TRIAL_PASSAGE], [0.8], ctx)))
        spent = getattr(judge, "spent", None)
        return Trial(judgement=judgement, seconds=time.monotonic() - started, detail=judge.info.detail, spent=spent)

    return work


def test_server(settings: JudgeSettings) -> Work:
    """Ask a server of decision models for its models and one small question."""

    def work(ctx: RunContext) -> object:
        from guard_desk.models.judges.systemone_server import test_connection

        return test_connection(settings, ctx)

    return work


def list_models(name: str, settings: JudgeSettings) -> Work:
    """Names of the models that a server offers. :raises RemoteError: when it cannot be asked."""

    def work(ctx: RunContext) -> tuple[str, ...]:
        from guard_desk.models.judges import llm, systemone_server

        return systemone_server.list_models(settings, ctx) if name == "systemone" else llm.list_models(settings, ctx)

    return work


def read_labels(source: str) -> Work:
    """How the labels of a classifier are read. :raises ModelError: when it is none."""

    def work(_: RunContext) -> LabelMapping:
        from guard_desk.models.folder import find_folder

        folder = find_folder(source)
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as exc:
            raise ModelError(f"{source} has no config.json that can be read, so it is no classifier.") from exc
        if not isinstance(config, dict):
            raise ModelError(f"The config.json of {source} is not a table.")
        return read_mapping(config, source)

    return work


def find_key_of(host: str) -> Work:
    """Where the key of a host is."""

    def work(_: RunContext) -> KeyState:
        return _key_state(host)

    return work


def store_key(host: str, value: str) -> Work:
    """Keep a key in the keyring. :raises InputError: when there is none."""

    def work(_: RunContext) -> KeyState:
        from guard_desk.models.remote.keys import set_key

        set_key(host, value)
        return _key_state(host)

    return work


def forget_key(host: str) -> Work:
    """Take the key of a host out of the keyring."""

    def work(_: RunContext) -> KeyState:
        from guard_desk.models.remote.keys import delete_key

        delete_key(host)
        return _key_state(host)

    return work


def _key_state(host: str) -> KeyState:
    from guard_desk.models.remote.keys import find_key, keyring_trouble, variables_of

    key = find_key(host)
    if key is not None and key.source == "keyring":
        return KeyState(words=f"A key for {host} is in the system's keyring.", stored=True)
    if key is not None:
        return KeyState(words=f"The key for {host} comes from the {key.source}; it goes before the keyring.")
    trouble = keyring_trouble()
    if trouble:
        return KeyState(words=f"{trouble} For {host}: {' or '.join(variables_of(host))}.")
    return KeyState(words="No key yet. One that you type is kept in the system's keyring, in no file and no session.")


def trial_words(trial: Trial) -> str:
    """A trial for people: "Answers: relevant .97 … in 0.4 s"."""
    answers = trial.judgement.answers
    if answers is None:
        raise InputError(f"The judge did not answer: {trial.judgement.error or 'no reason was given'}")
    numbers = ", ".join(f"{name} {getattr(answers, name):.2f}" for name in ("relevant", "evidence", "contradicts", "injection"))
    return f"Works: it answered about a sentence of ours in {trial.seconds:.1f} s ({numbers})."
