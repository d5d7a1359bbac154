from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.errors import InputError
from guard_desk.models.remote.address import parse_address


@pytest.mark.parametrize(
    ("text", "base", "host"),
    [
        ("https://api.typesafe.ai", "https://api.typesafe.ai", "api.typesafe.ai"),
        (" HTTPS://API.Typesafe.ai/ ", "https://api.typesafe.ai", "api.typesafe.ai"),
        ("http://localhost:8080/v1/systemone", "http://localhost:8080", "localhost"),
        ("http://localhost:8080/llm/v1/", "http://localhost:8080/llm", "localhost"),
        ("http://[::1]:8080", "http://[::1]:8080", "::1"),
    ],
)
def test_an_address_is_read_as_people_copy_it(text: str, base: str, host: str) -> None:
    address = parse_address(text, endings=("/v1", "/v1/systemone"))
    assert (address.base, address.host) == (base, host)


@pytest.mark.parametrize(
    "text", ["", "api.typesafe.ai", "localhost:8080", "ftp://x.org", "http://", "http://a b", "http://x:99999", "http://[::1"]
)
def test_what_is_no_address_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match="Write it in full"):
        parse_address(text)


@pytest.mark.parametrize("text", ["https://me:s3cret@x.org", "https://x.org/?key=s3cret", "https://x.org/#s3cret"])
def test_a_secret_in_the_address_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(InputError, match="never in the address") as caught:
        parse_address(text)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://localhost", True),
        ("http://127.0.0.3", True),
        ("http://[::1]", True),
        ("http://a.localhost", True),
        ("http://10.0.0.1", False),
    ],
)
def test_loopback_is_this_machine_alone(text: str, expected: bool) -> None:
    assert parse_address(text).loopback is expected


@settings(deadline=None)
@given(st.text(max_size=60).map(lambda text: "http://" + text) | st.text(max_size=60))
def test_any_text_is_an_address_or_a_clear_refusal(text: str) -> None:
    try:
        address = parse_address(text)
    except InputError:
        return
    assert parse_address(address.base) == address
