"""Types of settings."""

import pytest

from pincite.settings.base import service_url


@pytest.mark.parametrize(
    "value", ["", "http://localhost:8002", "https://a-b.example/x?y=1", "http://[::1]:80/", " http://10.0.0.7 "]
)
def test_an_address_of_a_server_is_taken(value: str) -> None:
    assert service_url(value) == value.strip()


@pytest.mark.parametrize(
    "value",
    ["garbage", "ftp://a.example", "http://", "http://a..b/", "http://127.0.0.1:abc/", "http://[::1", "http://a b/",
     "http://a.example/x y", "http://:80", "http://a.example:99999"],
)  # fmt: skip
def test_what_no_client_could_reach_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="no address of a server"):
        service_url(value)
