import socket
import sys
from pathlib import Path

import pytest

from pincite.errors import InvalidInput
from pincite.transports.cli.clients.endpoints import Endpoint, Listener, endpoint, listening_addresses, probe
from support.http_stub import HEALTHY, KEYED, OPEN, STRICT, answering

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nobody else calls a port that is closed at once


@pytest.mark.parametrize(
    ("url", "whole", "transport"),
    [
        ("http://docs.example:8000", "http://docs.example:8000/mcp", "http"),
        ("http://docs.example:8000/", "http://docs.example:8000/mcp", "http"),
        ("https://docs.example/mcp/", "https://docs.example/mcp", "http"),
        ("http://[::1]:8000/sse", "http://[::1]:8000/sse", "sse"),
        (" https://docs.example/team/mcp ", "https://docs.example/team/mcp", "http"),
    ],
)
def test_the_transport_is_that_of_the_path(url: str, whole: str, transport: str) -> None:
    assert endpoint(url) == Endpoint(whole, transport)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "docs.example:8000",
        "ftp://docs.example/mcp",
        "http:///mcp",
        "http://docs.example:99999/mcp",
        "http://docs.example/${HOME}/mcp",
        "http://docs example/mcp",
        "http://[::1/mcp",
    ],
)
def test_what_is_no_url_of_a_server_is_refused_with_an_example(url: str) -> None:
    with pytest.raises(InvalidInput, match=r"is no URL of a server\. Write one, as http://"):
        endpoint(url)


def test_a_path_of_neither_interface_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"End it in /mcp .* or /sse"):
        endpoint("http://docs.example/api")


@pytest.mark.parametrize("url", ["http://me:secret@docs.example/mcp", "http://docs.example/mcp?key=secret"])
def test_a_secret_in_the_url_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(InvalidInput, match="no place for secrets") as refused:
        endpoint(url)
    assert "=secret" not in refused.value.message and ":secret" not in refused.value.message


def test_an_endpoint_says_where_it_leads() -> None:
    far = endpoint("https://docs.example:8443/team/mcp")
    assert (far.root, far.label) == ("https://docs.example:8443/team", "docs.example-8443")
    assert far.is_encrypted and not far.is_loopback
    near = endpoint("http://localhost:8000/sse")
    assert near.is_loopback and not near.is_encrypted


@pytest.mark.parametrize(
    ("answers", "listener"),
    [
        (OPEN, Listener.OPEN),
        (KEYED, Listener.KEYED),
        (STRICT, Listener.STRICT),
        ({}, Listener.OTHER),
        ({"/health": (200, "fine", HEALTHY[2])}, Listener.OTHER),
        ({"/health": (200, "[]", HEALTHY[2])}, Listener.OTHER),
        ({"/health": (200, HEALTHY[1], "")}, Listener.OTHER),
    ],
)
def test_a_probe_tells_what_answers(answers: dict[str, tuple[int, str, str]], listener: Listener) -> None:
    with answering(answers) as port:
        assert probe(f"http://127.0.0.1:{port}").listener is listener


def test_a_prefix_of_a_proxy_is_kept() -> None:
    with answering({f"/team{path}": answer for path, answer in OPEN.items()}) as port:
        assert probe(endpoint(f"http://127.0.0.1:{port}/team/mcp").root).listener is Listener.OPEN


def test_nothing_answers_with_the_reason() -> None:
    with answering(OPEN) as port:
        pass
    assert probe(f"http://127.0.0.1:{port}").reason == "Connection refused"


def test_what_speaks_no_http_is_nothing_that_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.transports.cli.clients.endpoints.PROBE_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        found = probe(f"https://127.0.0.1:{port}")  # the handshake waits until its timeout
    assert found.listener is Listener.NOTHING
    assert found.reason == "no answer within 0.2 seconds"


@pytest.mark.skipif(sys.platform != "linux", reason="the table of sockets is Linux's")
def test_the_addresses_that_are_listened_on_are_those_of_the_sockets() -> None:
    with socket.create_server(("127.0.0.1", 0)) as near:
        port = near.getsockname()[1]
        assert listening_addresses(port) == {"127.0.0.1"}
    with socket.create_server((EVERYWHERE, 0)) as far:
        assert listening_addresses(far.getsockname()[1]) == {EVERYWHERE}


@pytest.mark.skipif(sys.byteorder != "little", reason="the tables were written on a little-endian machine")
def test_tables_of_both_families_are_read(tmp_path: Path) -> None:
    head = "  sl  local_address rem_address   st\n"
    (tmp_path / "tcp").write_text(f"{head} 0: 0100007F:1F40 00000000:0000 0A 0\n 1: 0100007F:1F41 0:0 01 0\n")
    (tmp_path / "tcp6").write_text(f"{head} 0: {'0' * 24}01000000:1F40 {'0' * 32}:0000 0A 0\n")
    assert listening_addresses(8000, tmp_path) == {"127.0.0.1", "::1"}
    assert listening_addresses(8001, tmp_path) == set()


def test_without_tables_nothing_is_known(tmp_path: Path) -> None:
    assert listening_addresses(8000, tmp_path) is None
