"""Keys of servers: from the environment, else from the system's keyring. They are never written anywhere else."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, field

from guard_desk.errors import InputError

logger = logging.getLogger("guard_desk.models")

KEYRING_SERVICE = "guard-desk"
GENERAL_VARIABLE = "GUARD_DESK_API_KEY"
VARIABLES = {
    "api.typesafe.ai": "TYPESAFE_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
    "api.openai.com": "OPENAI_API_KEY",
}


@dataclass(frozen=True, slots=True)
class Key:
    """A key and where it was found. Its value is in no `repr`.

    :param source: "environment variable NAME" or "keyring".
    """

    value: str = field(repr=False)
    source: str

    def __str__(self) -> str:
        return f"key from the {self.source}"


def find_key(host: str) -> Key | None:
    """The key for a host, read anew each time: the general variable, the service's own variable, the keyring; None without one.

    A keyring that cannot be used counts as empty; `keyring_trouble` says why.

    :raises InputError: for a value that cannot be a key.
    """
    for name in variables_of(host):
        if value := os.environ.get(name, "").strip():
            return Key(_checked(value, f"the environment variable {name}"), f"environment variable {name}")
    value = (_stored(host) or "").strip()
    return Key(_checked(value, "the keyring"), "keyring") if value else None


def variables_of(host: str) -> tuple[str, ...]:
    """The environment variables that are looked at for a host, the first one that is set counts."""
    own = VARIABLES.get(host.lower())
    return (GENERAL_VARIABLE,) if own is None else (GENERAL_VARIABLE, own)


def set_key(host: str, value: str) -> None:
    """Keep a key in the system's keyring.

    :raises InputError: when there is no usable keyring, or for a value that cannot be a key.
    """
    import keyring

    key = _checked(value.strip(), "what was given")
    try:
        keyring.set_password(KEYRING_SERVICE, host.lower(), key)
        kept = keyring.get_password(KEYRING_SERVICE, host.lower()) == key
    except Exception as exc:  # noqa: BLE001 - backends raise errors of their own
        raise _no_keyring(host, type(exc).__name__) from None
    if not kept:
        # The backend "null" takes everything and keeps nothing.
        raise _no_keyring(host, "it keeps nothing")


def delete_key(host: str) -> bool:
    """Take a key out of the keyring. :returns: whether there was one. :raises InputError: when there is no usable keyring."""
    import keyring

    try:
        if keyring.get_password(KEYRING_SERVICE, host.lower()) is None:
            return False
        keyring.delete_password(KEYRING_SERVICE, host.lower())
    except Exception as exc:  # noqa: BLE001 - backends raise errors of their own
        raise _no_keyring(host, type(exc).__name__) from None
    return True


def keyring_trouble() -> str:
    """Why this machine's keyring cannot be used, in one sentence; "" when it can."""
    import keyring

    try:
        keyring.get_password(KEYRING_SERVICE, KEYRING_SERVICE)
    except Exception as exc:  # noqa: BLE001 - backends raise errors of their own
        return f"This machine has no usable keyring ({type(exc).__name__}); keys come from environment variables."
    return ""


def key_remedy(host: str, key: Key | None) -> str:
    """What to do about a refused or missing key."""
    names = " or ".join(variables_of(host))
    if key is None:
        return f"No key is set for {host}: set it in the window (kept in the keyring) or in the environment variable {names}."
    return f"The key came from the {key.source}: check it, or set another one for {host} (keyring, or the environment variable {names})."


def _stored(host: str) -> str | None:
    import keyring

    try:
        return keyring.get_password(KEYRING_SERVICE, host.lower())
    except Exception as exc:  # noqa: BLE001 - backends raise errors of their own
        logger.debug("The keyring cannot be read: %s", type(exc).__name__)
        return None


def _checked(value: str, place: str) -> str:
    if not value or not value.isascii() or not value.isprintable() or " " in value:
        raise InputError(f"{place} holds no key: a key is printable ASCII without spaces.", remedy="Copy it again.")
    return value


def _no_keyring(host: str, why: str) -> InputError:
    # The cause's own text is left out: a backend may repeat what it was given.
    return InputError(
        f"this machine has no usable keyring ({why}).",
        remedy=f"Set the environment variable {' or '.join(variables_of(host))} instead.",
    )
