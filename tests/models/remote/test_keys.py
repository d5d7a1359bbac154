from __future__ import annotations

from collections.abc import Iterator

import keyring
import keyring.backends.fail
import keyring.backends.null
import pytest
from keyring.backend import KeyringBackend

from guard_desk.errors import InputError
from guard_desk.models.remote.keys import delete_key, find_key, key_remedy, keyring_trouble, set_key, variables_of


class Memory(KeyringBackend):
    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class Broken(Memory):
    def get_password(self, service: str, username: str) -> str | None:
        raise OSError("no bus; the secret was sk-leak")

    set_password = delete_password = get_password  # type: ignore[assignment]


@pytest.fixture(autouse=True)
def ring(monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    for name in ("GUARD_DESK_API_KEY", "TYPESAFE_API_KEY", "OPENROUTER_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    before, memory = keyring.get_keyring(), Memory()
    keyring.set_keyring(memory)
    yield memory
    keyring.set_keyring(before)


def test_a_key_is_kept_by_host_found_and_taken_away(ring: Memory) -> None:
    assert find_key("api.typesafe.ai") is None
    set_key("API.typesafe.ai", " sk-1 \n")
    assert ring.kept == {("guard-desk", "api.typesafe.ai"): "sk-1"}
    found = find_key("api.typesafe.ai")
    assert found is not None
    assert (found.value, found.source) == ("sk-1", "keyring")
    assert find_key("openrouter.ai") is None
    assert delete_key("api.typesafe.ai") is True
    assert delete_key("api.typesafe.ai") is False


def test_the_environment_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    set_key("openrouter.ai", "sk-ring")
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-own")
    assert str(find_key("openrouter.ai")) == "key from the environment variable OPENROUTER_API_KEY"
    monkeypatch.setenv("GUARD_DESK_API_KEY", "sk-general")
    assert find_key("openrouter.ai").value == "sk-general"
    assert find_key("localhost").value == "sk-general"


def test_a_services_variable_is_not_sent_to_another_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    assert find_key("api.openai.com").value == "sk-openai"
    assert find_key("openrouter.ai") is None
    assert find_key("evil.api.openai.com.example.org") is None


def test_a_key_is_in_no_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUARD_DESK_API_KEY", "sk-secret")
    key = find_key("x.org")
    assert "sk-secret" not in repr(key) + str(key) + key_remedy("x.org", key)


@pytest.mark.parametrize("value", ["", "two words", "line\nbreak", "schlüssel"])
def test_what_cannot_be_a_key_is_refused_and_not_repeated(value: str) -> None:
    with pytest.raises(InputError, match="no key") as caught:
        set_key("x.org", value)
    assert not value or value not in str(caught.value)


@pytest.mark.parametrize("backend", [keyring.backends.fail.Keyring, Broken])
def test_without_a_usable_keyring_the_environment_still_works(backend: type[KeyringBackend], monkeypatch: pytest.MonkeyPatch) -> None:
    keyring.set_keyring(backend())
    assert "no usable keyring" in keyring_trouble()
    assert find_key("x.org") is None
    for act in (lambda: set_key("openrouter.ai", "sk-1"), lambda: delete_key("openrouter.ai")):
        with pytest.raises(InputError, match="OPENROUTER_API_KEY instead") as caught:
            act()
        assert "sk-leak" not in str(caught.value)
    monkeypatch.setenv("GUARD_DESK_API_KEY", "sk-2")
    assert find_key("x.org").value == "sk-2"


def test_a_keyring_that_keeps_nothing_is_no_keyring() -> None:
    keyring.set_keyring(keyring.backends.null.Keyring())
    with pytest.raises(InputError, match="keeps nothing"):
        set_key("x.org", "sk-1")


def test_a_usable_keyring_is_no_trouble() -> None:
    assert keyring_trouble() == ""
    assert variables_of("API.typesafe.ai") == ("GUARD_DESK_API_KEY", "TYPESAFE_API_KEY")


def test_the_remedy_names_the_host_and_the_variables() -> None:
    assert "openrouter.ai" in key_remedy("openrouter.ai", None)
    assert "OPENROUTER_API_KEY" in key_remedy("openrouter.ai", None)
