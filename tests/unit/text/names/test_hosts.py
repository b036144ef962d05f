"""Names and addresses of hosts."""

from ipaddress import ip_address

import pytest

from pincite.text.names.hosts import address, is_loopback


@pytest.mark.parametrize(
    ("host", "only_here"),
    [
        *((host, True) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost", "LOCALHOST")),
        *((host, False) for host in ("0.0.0.0", "::", "10.0.0.1", "example.com", "localhost.example.com", "")),  # noqa: S104
    ],
)
def test_only_loopback_is_closed_to_others(host: str, only_here: bool) -> None:
    assert is_loopback(host) is only_here


def test_a_name_is_no_address() -> None:
    assert address("::1") == ip_address("::1")
    assert address("localhost") is None
