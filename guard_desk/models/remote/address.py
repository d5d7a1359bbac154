"""Addresses of servers as people write them."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from guard_desk.errors import InputError

_REMEDY = "Write it in full, e.g. https://api.example.com or http://localhost:8080."


@dataclass(frozen=True, slots=True)
class Address:
    """A server's address without a trailing slash.

    :param base: scheme, host, port and path, e.g. "http://localhost:8080/v1".
    :param host: the host alone, lower case: the name under which its key is kept.
    """

    base: str
    host: str

    @property
    def encrypted(self) -> bool:
        """Whether it is https."""
        return self.base.startswith("https://")

    @property
    def loopback(self) -> bool:
        """Whether it is this machine."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def __str__(self) -> str:
        return self.base


def parse_address(text: str, *, endings: tuple[str, ...] = ()) -> Address:
    """The address of a server.

    :param endings: paths that people copy along with it and that the caller adds itself, e.g. "/v1/systemone".
    :raises InputError: when it is none, or holds a user name or key.
    """
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname, parts.port
    except ValueError as exc:
        raise InputError("the address of the server is not an address.", remedy=_REMEDY) from exc
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        # Not repeated: what stands there may be a secret.
        raise InputError(f"the address of {host!r} holds more than host and path.", remedy="Keys are set apart, never in the address.")
    if parts.scheme.lower() not in ("http", "https") or not host or any(char.isspace() or not char.isprintable() for char in text.strip()):
        raise InputError(f"{_shown(text)} is not the address of a server.", remedy=_REMEDY)
    path = parts.path.rstrip("/")
    for ending in sorted(endings, key=len, reverse=True):
        if path.endswith(ending):
            path = path.removesuffix(ending)
            break
    name = f"[{host}]" if ":" in host else host
    return Address(base=f"{parts.scheme.lower()}://{name}{f':{port}' if port else ''}{path}", host=host)


def _shown(text: str) -> str:
    return ascii(text.strip()[:80])
