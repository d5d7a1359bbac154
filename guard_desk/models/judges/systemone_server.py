"""What a server of decision models offers, and whether it works: for choosing one."""

from __future__ import annotations

from dataclasses import dataclass

from guard_desk.errors import InputError, RemoteError
from guard_desk.models.judges.systemone_wire import DIALECTS, Dialect, read_models
from guard_desk.models.remote.address import Address, parse_address
from guard_desk.models.remote.client import RemoteClient, RetryPolicy
from guard_desk.models.remote.keys import find_key
from guard_desk.progress import RunContext
from guard_desk.records.judging import JudgeSettings, RemoteForm

# Somebody waits in front of the window.
ASKING = RetryPolicy(attempts=2)
ASKING_MOST_S = 20.0
CONCURRENCY_MOST = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionTest:
    """What a small request to a server showed.

    :param sentence: what works, or what does not and what to do.
    :param models: the models that the server lists, the default first; empty where it lists none.
    """

    works: bool
    sentence: str
    models: tuple[str, ...] = ()


def dialect_of(settings: JudgeSettings) -> Dialect:
    """How the server of these settings is spoken to."""
    return DIALECTS[settings.form]


def address_of(settings: JudgeSettings) -> Address:
    """The address of the server, checked. :raises InputError: when it is none, or another setting is out of range."""
    if not 1 <= settings.concurrency <= CONCURRENCY_MOST:
        raise InputError(f"{settings.concurrency} requests at one time are out of range.", remedy=f"Allowed: 1 to {CONCURRENCY_MOST}.")
    if not 0 < settings.timeout_s <= 3600:
        raise InputError(f"a timeout of {settings.timeout_s:g} s is out of range.", remedy="Allowed: more than 0 to 3600 seconds.")
    dialect = dialect_of(settings)
    return parse_address(settings.target or dialect.server, endings=dialect.endings)


def list_models(settings: JudgeSettings, ctx: RunContext | None = None) -> tuple[str, ...]:
    """Names of the models that the server lists, the default first; one that keeps no list is asked for the common alias.

    OpenRouter lists hundreds of models that write text; only those of the maker of decision models are taken.

    :raises RemoteError: when the server cannot be asked.
    :raises InputError: for a wrong address or key.
    """
    dialect, address = dialect_of(settings), address_of(settings)
    client = RemoteClient(address=address, key=find_key(address.host), timeout_s=min(settings.timeout_s, ASKING_MOST_S), retry=ASKING)
    try:
        with client:
            names = read_models(client.request("GET", dialect.models, ctx=ctx or RunContext()).data)
    except RemoteError as error:
        if error.status not in (404, 405, 501):
            raise
        names = ()
    if settings.form is RemoteForm.OPENROUTER:
        return tuple(dict.fromkeys((dialect.alias, *(name for name in names if name.lstrip("~").startswith("typesafe/")))))
    return names or (dialect.alias,)


def default_model(settings: JudgeSettings) -> str:
    """The model of these settings: the one that is named, else the first one that the server lists.

    :raises RemoteError: when none is named and the server cannot be asked.
    """
    if settings.model:
        return settings.model
    return dialect_of(settings).alias if settings.form is RemoteForm.OPENROUTER else list_models(settings)[0]


def test_connection(settings: JudgeSettings, ctx: RunContext | None = None) -> ConnectionTest:  # noqa: PT028 - it is none of pytest's
    """Ask for the models and put one short question about a sentence of ours; nothing of the user's is sent.

    :raises Cancelled: when `ctx` is cancelled.
    """
    ctx = ctx or RunContext()
    try:
        address = address_of(settings)
        key = find_key(address.host)
        models = list_models(settings, ctx)
        model = settings.model or models[0]
        client = RemoteClient(address=address, key=key, timeout_s=min(settings.timeout_s, ASKING_MOST_S), retry=ASKING)
        with client:
            data = client.request("POST", dialect_of(settings).path, _small_question(model), ctx=ctx).data
    except (RemoteError, InputError) as error:
        return ConnectionTest(works=False, sentence=str(error))
    answers = data.get("answers") if isinstance(data, dict) else None
    if not isinstance(answers, dict) or not isinstance(answers.get("test"), dict):
        sentence = f"{address} was reached, but its reply holds no answer: it may be another kind of server."
        return ConnectionTest(works=False, sentence=sentence, models=models)
    access = "without a key" if key is None else f"with the {key}"
    return ConnectionTest(works=True, sentence=f"{address} works {access}: the model {model} answered a question.", models=models)


# pytest would take it for a test wherever it is imported.
test_connection.__test__ = False  # type: ignore[attr-defined]


def _small_question(model: str) -> dict[str, object]:
    question = {"type": "noul", "instructions": "Does the text greet somebody?"}
    return {"state": "Good morning!", "model": model, "questions": {"test": question}}
