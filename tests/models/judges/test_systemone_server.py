from __future__ import annotations

import threading

import pytest

from guard_desk.errors import Cancelled, RemoteError
from guard_desk.models.judges.systemone_server import default_model, list_models
from guard_desk.models.judges.systemone_server import test_connection as connection_of
from guard_desk.progress import CancelToken, RunContext
from guard_desk.records.judging import JudgeSettings, RemoteForm
from tests.models.judges.decision_server import deciding
from tests.models.remote.server import in_turn, serving


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GUARD_DESK_API_KEY", "TYPESAFE_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("keyring.get_password", lambda service, user: None)


def test_the_first_model_that_the_server_lists_is_the_default() -> None:
    with deciding() as server:
        settings = JudgeSettings(target=server.url)
        assert list_models(settings) == ("jev-latest", "mock")
        assert default_model(settings) == "jev-latest"
        assert default_model(JudgeSettings(target=server.url, model="mine")) == "mine"


def test_a_server_without_a_list_is_asked_for_the_common_alias() -> None:
    with deciding("models-404") as server:
        assert list_models(JudgeSettings(target=server.url)) == ("jev-latest",)


def test_openrouter_lists_its_default_first_and_decision_models_alone() -> None:
    listed = {"data": [{"id": "openai/gpt"}, {"id": "typesafe/jev-1.14"}, {"id": "~typesafe/jev-latest"}, {"id": "typesafe/jev-1.13"}]}
    with serving(in_turn((200, listed))) as server:
        settings = JudgeSettings(target=server.url, form=RemoteForm.OPENROUTER)
        assert list_models(settings) == ("typesafe/jev-1.13", "typesafe/jev-1.14", "~typesafe/jev-latest")
        assert server.asked[0].path == "/api/v1/models"
        assert default_model(settings) == "typesafe/jev-1.13"
        assert len(server.asked) == 1


def test_a_refused_key_is_an_error_of_the_list() -> None:
    with deciding(key="sk-1") as server, pytest.raises(RemoteError, match="No key is set"):
        list_models(JudgeSettings(target=server.url))


def test_a_connection_that_works_says_with_what(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUARD_DESK_API_KEY", "sk-1")
    with deciding(key="sk-1") as server:
        test = connection_of(JudgeSettings(target=server.url))
        assert server.config.requests == 1
    assert test.works
    assert test.models == ("jev-latest", "mock")
    assert "the model jev-latest answered" in test.sentence
    assert "environment variable GUARD_DESK_API_KEY" in test.sentence
    assert "sk-1" not in test.sentence


@pytest.mark.parametrize(("fault", "words"), [("wrong-route", "404"), ("reject-jev-latest", "not served"), ("xssi-200", "not JSON")])
def test_a_connection_that_does_not_work_says_why(fault: str, words: str) -> None:
    with deciding(fault) as server:
        test = connection_of(JudgeSettings(target=server.url))
    assert not test.works
    assert words in test.sentence


@pytest.mark.parametrize("reply", [{}, [], {"answers": {"test": 1}}])
def test_another_kind_of_server_is_told_apart(reply: object) -> None:
    with serving(in_turn((200, reply))) as server:
        test = connection_of(JudgeSettings(target=server.url))
    assert not test.works
    assert "another kind of server" in test.sentence


@pytest.mark.parametrize("target", ["nowhere", "http://127.0.0.1:9"])
def test_a_wrong_address_is_a_sentence_not_an_exception(target: str) -> None:
    test = connection_of(JudgeSettings(target=target))
    assert not test.works
    assert "address" in test.sentence


def test_a_cancel_ends_the_test() -> None:
    token = CancelToken()
    with serving(lambda handler, number: handler.server.released.wait(60)) as server:
        threading.Timer(0.1, token.cancel).start()
        with pytest.raises(Cancelled):
            connection_of(JudgeSettings(target=server.url), RunContext(token=token))
        server.released.set()
