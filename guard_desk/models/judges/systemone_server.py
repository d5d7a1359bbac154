"""What a server of decision models offers, and whether it works: for choosing one."""

from __future__ import annotations

from dataclasses import dataclass

from guard_desk.errors import InputError, RemoteError
from guard_desk.models.judges.settings import check_requests
from guard_desk.models.judges.systemone_wire import DIALECTS, Dialect
from guard_desk.models.remote.address import Address, parse_address
from guard_desk.models.remote.answers import read_models
from guard_desk.models.remote.client import brief_client
from guard_desk.progress import RunContext
from guard_desk.records.judging import JudgeSettings, RemoteForm


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
    check_requests(settings)
    dialect = dialect_of(settings)
    return parse_address(settings.target or dialect.server, endings=dialect.endings)


def list_models(settings: JudgeSettings, ctx: RunContext | None = None) -> tuple[str, ...]:
    """Names of the models that the server lists, the default first; one that keeps no list is asked for the common alias.

    OpenRouter lists hundreds of models that write text; only those of the maker of decision models are taken.

    :raises RemoteError: when the server cannot be asked.
    :raises InputError: for a wrong address or key.
    """
    dialect, address = dialect_of(settings), address_of(settings)
    try:
        with brief_client(address, settings.timeout_s) as client:
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
        models = list_models(settings, ctx)
        model = settings.model or models[0]
        with brief_client(address, settings.timeout_s) as client:
            data = client.request("POST", dialect_of(settings).path, _small_question(model), ctx=ctx).data
    except (RemoteError, InputError) as error:
        return ConnectionTest(works=False, sentence=str(error))
    answers = data.get("answers") if isinstance(data, dict) else None
    if not isinstance(answers, dict) or not isinstance(answers.get("test"), dict):
        sentence = f"{address} was reached, but its reply holds no answer: it may be another kind of server."
        return ConnectionTest(works=False, sentence=sentence, models=models)
    access = "without a key" if client.key is None else f"with the {client.key}"
    return ConnectionTest(works=True, sentence=f"{address} works {access}: the model {model} answered a question.", models=models)


# pytest would take it for a test wherever it is imported.
test_connection.__test__ = False  # type: ignore[attr-defined]


def _small_question(model: str) -> dict[str, object]:
    question = {"type": "noul", "instructions": "Does the text greet somebody?"}
    return {"state": "Good morning!", "model": model, "questions": {"test": question}}
