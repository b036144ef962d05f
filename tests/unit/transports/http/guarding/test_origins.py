"""Host, Origin and the address of the caller."""

import pytest

from pincite.settings import Http
from pincite.transports.http.exchange import Refused
from pincite.transports.http.guarding import origins

OWN = "127.0.0.1:8000"


def settings(**values: object) -> Http:
    return Http.model_validate(values)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8000", "localhost:9", "LOCALHOST", "[::1]:8000", "10.1.2.3", "docs.test:80", "me"]
)
def test_addresses_and_known_names_are_hosts(host: str) -> None:
    origins.check_host(settings(HOST="me", PINCITE_ALLOWED_HOSTS="Docs.Test, other"), host)


@pytest.mark.parametrize(
    "host", ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "docs.test.evil:80", "a b"]
)
def test_other_names_are_refused(host: str) -> None:
    with pytest.raises(Refused, match="PINCITE_ALLOWED_HOSTS") as refused:
        origins.check_host(settings(PINCITE_ALLOWED_HOSTS="docs.test"), host)
    assert refused.value.status == 421


@pytest.mark.parametrize(
    ("listed", "path", "origin", "allowed"),
    [
        (None, "/api/tools/x", "https://a.example", "*"),
        (None, "/api", "null", "*"),
        ("*", "/api/tools/x", "https://a.example", "*"),
        ("https://a.example", "/api/tools/x", "https://a.example", "https://a.example"),
        ("https://A.example/", "/mcp", "https://a.example", "https://a.example"),
        ("*, https://a.example", "/mcp", "https://a.example", "https://a.example"),
        (None, "/health", "https://a.example", None),
        (None, "/mcp", f"http://{OWN}", None),
        (None, "/mcp", None, None),
    ],
)
def test_a_page_may_read_what_its_origin_may(
    listed: str | None, path: str, origin: str | None, allowed: str | None
) -> None:
    given = {} if listed is None else {"CORS_ORIGINS": listed}
    headers = origins.cors_headers(settings(**given), path, OWN, origin)
    assert headers.get("access-control-allow-origin") == allowed
    assert "access-control-allow-credentials" not in headers


@pytest.mark.parametrize(
    ("listed", "path", "origin"),
    [
        (None, "/mcp", "https://a.example"),
        (None, "/mcp/", "null"),
        (None, "/sse", "http://127.0.0.1:9000"),
        (None, "/messages/", "https://127.0.0.1:8000.evil.example"),
        ("*", "/mcp", "https://a.example"),
        ("*", "/ui/", "https://a.example"),
        ("*", "/tasks/7", "https://a.example"),
        ("https://b.example", "/api/tools/x", "https://a.example"),
        ("", "/api/tools/x", "https://a.example"),
        (None, "/mcp", "http://["),
    ],
)
def test_other_pages_are_refused(listed: str | None, path: str, origin: str) -> None:
    given = {} if listed is None else {"CORS_ORIGINS": listed}
    with pytest.raises(Refused) as refused:
        origins.cors_headers(settings(**given), path, OWN, origin)
    assert refused.value.status == 403


@pytest.mark.parametrize(
    ("origin", "foreign"),
    [
        (None, False),
        (f"http://{OWN}", False),
        ("http://localhost:3000", False),
        ("http://127.0.0.1:3000", False),
        ("http://[::1]:3000", False),
        ("http://192.168.0.7", True),
        ("https://a.example", True),
        ("null", True),
        ("http://localhost.evil.example", True),
    ],
)
def test_a_page_of_another_machine_is_foreign(origin: str | None, foreign: bool) -> None:
    assert origins.is_foreign(settings(), OWN, origin) is foreign
    assert not origins.is_foreign(settings(MCP_API_KEY="key"), OWN, origin)
    assert not origins.is_foreign(settings(CORS_ORIGINS="*"), OWN, origin)


@pytest.mark.parametrize(
    ("client", "forwarded", "caller"),
    [
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "7.7.7.7", "7.7.7.7"),
        ("10.0.0.1", "1.1.1.1, 7.7.7.7", "7.7.7.7"),
        ("10.0.0.1", "1.1.1.1, 7.7.7.7, 10.9.9.9", "7.7.7.7"),
        ("10.0.0.1", "10.2.2.2, 10.9.9.9", "10.2.2.2"),
        ("10.0.0.1", "7.7.7.7:4711", "7.7.7.7"),
        ("10.0.0.1", "nonsense", "10.0.0.1"),
        ("9.9.9.9", "7.7.7.7", "9.9.9.9"),
        ("2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"),
    ],
)
def test_only_trusted_proxies_name_the_caller(client: str, forwarded: str, caller: str) -> None:
    scope = {"client": (client, 4000)}
    headers = {"x-forwarded-for": forwarded} if forwarded else {}
    assert origins.caller_address(settings(PINCITE_TRUSTED_PROXIES="10.0.0.0/8"), scope, headers) == caller


def test_without_an_address_there_is_one_bucket() -> None:
    assert origins.caller_address(settings(), {"client": None}, {}) == "None"


def test_a_preflight_names_what_was_asked() -> None:
    assert origins.preflight_headers("x-mine")["access-control-allow-headers"] == "x-mine"
    assert "x-api-key" in origins.preflight_headers("")["access-control-allow-headers"]
