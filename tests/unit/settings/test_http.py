"""The server over HTTP."""

import pytest

from pincite.errors import ConfigError
from pincite.settings import load


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HOST", "http://example.org"),
        ("PORT", "70000"),
        ("MCP_API_KEY", "käse"),
        ("CORS_ORIGINS", "localhost:3000"),
        ("PINCITE_ALLOWED_HOSTS", "docs.example.org:80"),
        ("PINCITE_TRUSTED_PROXIES", "proxy.local"),
    ],
)
def test_what_no_request_can_have_is_a_fault(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"- {name}: "):
        load({name: value})


def test_lists_are_words_with_commas_or_spaces() -> None:
    http = load({"CORS_ORIGINS": "http://a:1, https://b/", "PINCITE_TRUSTED_PROXIES": "10.0.0.2 10.1.0.0/16"}).http
    assert http.cors_origins == ("http://a:1", "https://b")
    assert http.trusted_proxies == ("10.0.0.2/32", "10.1.0.0/16")


def test_an_empty_list_of_origins_means_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORS_ORIGINS", "")
    monkeypatch.setenv("HOST", "")
    assert (load().http.cors_origins, load().http.host) == ((), "127.0.0.1")


@pytest.mark.parametrize(
    ("values", "exposed"),
    [
        ({}, False),
        ({"HOST": "192.0.2.7"}, True),
        ({"HOST": "192.0.2.7", "MCP_API_KEY": "k"}, False),
        ({"HOST": "192.0.2.7", "PINCITE_INSECURE": True}, False),
    ],
)
def test_an_address_of_the_network_without_a_key_is_exposed(values: dict[str, object], exposed: bool) -> None:
    assert load(values).http.is_exposed is exposed


def test_somebody_decided_which_pages_may_read_with_a_key_or_with_origins() -> None:
    assert not load().http.is_open_to_pages
    assert load({"MCP_API_KEY": "k"}).http.is_open_to_pages
    assert load({"CORS_ORIGINS": "*"}).http.is_open_to_pages
