"""A transfer holds its limits and its policy over real sockets, whatever the server does."""

import gzip
import socket
import ssl
import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.errors import Cancelled, DownloadFailed, InvalidInput, TimeoutExceeded
from pincite.model.call import Call
from pincite.sources.url.connection import resolve
from pincite.sources.url.locations import parse
from pincite.sources.url.transfer import MAX_REDIRECTS, Transfer, TransferLimits, TransientFailure, transfer
from support.certificates import contexts
from support.faulty_server import Asked, FaultyServer, answer, faulty_server, in_turn, sending

LIMITS = TransferLimits(max_bytes=1000, idle_seconds=5.0, allow_private=True)
CONTEXT = ssl.create_default_context()


def fetch(url: str, limits: TransferLimits = LIMITS, call: Call | None = None) -> Transfer:
    return transfer(parse(url), limits, CONTEXT, call or Call())


def body(server_sends: bytes, limits: TransferLimits = LIMITS) -> bytes | None:
    with faulty_server(sending(server_sends)) as server:
        return fetch(server.url(), limits).data


def test_a_document_comes_with_its_headers_and_the_url_that_answered() -> None:
    with faulty_server(in_turn(sending(answer(status=302, location="/b?x=1")), sending(answer(b"hello")))) as server:
        fetched = fetch(server.url("/a"))
    assert (fetched.data, str(fetched.url)) == (b"hello", server.url("/b?x=1"))
    assert [asked.path for asked in server.asked] == ["/a", "/b?x=1"]
    assert server.asked[0].headers["host"] == f"127.0.0.1:{server.port}"
    assert server.asked[0].headers["accept-encoding"] == "gzip"


def test_a_body_may_be_chunked_or_end_with_its_connection() -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    assert body(chunked) == b"abcde"
    assert body(answer(b"until the end", content_length="")) == b"until the end"


def test_credentials_of_a_url_go_to_its_own_host_alone() -> None:
    with (
        faulty_server(sending(answer(b"x"))) as other,
        faulty_server(in_turn(sending(answer(status=302, location="/b")), sending(answer(b"x")))) as server,
    ):
        fetch(server.url(host="us%65r:p%40ss@127.0.0.1"))
        server.behave = sending(answer(status=307, location=other.url()))
        fetch(server.url(host="user:pass@127.0.0.1"))
    assert [asked.headers.get("authorization") for asked in server.asked] == ["Basic dXNlcjpwQHNz"] * 2 + [
        "Basic dXNlcjpwYXNz"
    ]
    assert "authorization" not in other.asked[0].headers


@pytest.mark.parametrize(
    ("host", "in_ascii"),
    [
        ("b\u00fccher.example", "xn--bcher-kva.example"),
        ("\u4f8b\u3048.\u30c6\u30b9\u30c8", "xn--r8jz45g.xn--zckzah"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ],
)
def test_a_host_in_another_script_is_resolved_and_requested_in_ascii(host: str, in_ascii: str) -> None:
    resolved: list[str] = []

    def resolver(name: str, _: int) -> list[str]:
        resolved.append(name)
        return ["127.0.0.1"]

    with faulty_server(sending(answer(b"found"))) as server:
        got = transfer(parse(server.url(host=host)), LIMITS, CONTEXT, Call(), resolver=resolver)
    assert (got.data, resolved) == (b"found", [in_ascii])
    assert server.asked[0].headers["host"] == f"{in_ascii}:{server.port}"


@pytest.mark.parametrize(
    "host",
    [
        "\uff11\uff12\uff17.0.0.1",
        "\u2460\u2461\u2466.0.0.1",
        "127\u30020\u30020\u30021",
        "\u24db\u24de\u24d2al\u210bost",
    ],
)
def test_a_loopback_address_in_other_letters_is_refused(host: str) -> None:
    with faulty_server(sending(answer(b"secret"))) as server:
        with pytest.raises((DownloadFailed, InvalidInput)):
            fetch(server.url(host=host), replace(LIMITS, allow_private=False))
        assert server.asked == []


@pytest.mark.parametrize("status", [201, 204, 206, 300, 304, 400, 401, 403, 404, 410, 418])
def test_another_answer_than_a_document_fails_at_once(status: int) -> None:
    with pytest.raises(DownloadFailed, match=rf"127\.0\.0\.1 answered with status {status}") as failure:
        body(answer(status=status))
    assert not isinstance(failure.value, TransientFailure)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 599])
def test_a_server_that_is_busy_or_broken_may_answer_later(status: int) -> None:
    with pytest.raises(TransientFailure, match=f"status {status}") as failure:
        body(answer(status=status, retry_after="7"))
    assert (failure.value.reason, failure.value.retry_after) == (str(status), "7")


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnothex\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100_000,
    ],
    ids=["closes", "another protocol", "claims more", "claims twice", "no chunk", "half a chunk", "endless head"],
)
def test_an_answer_that_is_not_whole_is_a_fault_of_the_connection(sent: bytes) -> None:
    with pytest.raises(TransientFailure, match=r"connection to 127\.0\.0\.1 failed") as failure:
        body(sent)
    assert failure.value.reason == "connection"


def test_nobody_listening_is_a_fault_of_the_connection() -> None:
    with faulty_server(sending()) as server:
        url = server.url()
    with pytest.raises(TransientFailure, match="connection"):
        fetch(url)


def test_a_document_that_claims_less_than_it_sends_ends_where_it_claims() -> None:
    assert body(answer(b"abcdef", content_length="3")) == b"abc"


def test_a_document_over_the_limit_is_not_received_whether_it_says_so_or_not() -> None:
    assert body(answer(b"x" * 1000)) == b"x" * 1000
    for sent in [
        answer(b"", content_length="1001"),
        answer(b"x" * 1001, content_length=""),
        answer(b"x" * 1001, content_length="", content_encoding="gzip"),
        answer(gzip.compress(b"x" * 1001), content_encoding="gzip"),
    ]:
        with pytest.raises(DownloadFailed, match=r"larger than 0\.001 MB, the maximum") as failure:
            body(sent)
        assert not isinstance(failure.value, TransientFailure)


def test_a_bomb_is_unpacked_to_the_limit_alone() -> None:
    bomb = gzip.compress(bytes(50_000_000), 1)
    limits = replace(LIMITS, max_bytes=2_000_000)
    with pytest.raises(DownloadFailed, match="larger than 2 MB"):
        body(answer(bomb, content_encoding="gzip"), limits)
    assert len(bomb) < limits.max_bytes


def test_gzip_is_unpacked_with_all_its_members() -> None:
    packed = gzip.compress(b"one ") + gzip.compress(b"two") + b"\0\0 padding"
    assert body(answer(packed, content_encoding="x-gzip")) == b"one two"
    assert body(answer(b"", content_encoding="gzip")) == b""


def test_gzip_that_is_damaged_or_ends_early_is_not_taken_for_the_document() -> None:
    packed = gzip.compress(b"a document")
    with pytest.raises(TransientFailure, match="ends early"):
        body(answer(packed[:-4], content_encoding="gzip"))
    with pytest.raises(DownloadFailed, match="damaged gzip"):
        body(answer(b"not gzip", content_encoding="gzip"))
    with pytest.raises(DownloadFailed, match=r"not requested \(br\)"):
        body(answer(b"x", content_encoding="br"))


def test_redirects_end() -> None:
    with faulty_server(sending(answer(status=301, location="/again"))) as server:
        with pytest.raises(DownloadFailed, match=f"more than {MAX_REDIRECTS} times"):
            fetch(server.url())
        assert len(server.asked) == MAX_REDIRECTS + 1


def test_a_server_that_never_answers_is_not_waited_for() -> None:
    def silent(_: Asked, __: socket.socket) -> None:
        server.ended.wait()

    with faulty_server(silent) as server, pytest.raises(TransientFailure, match="not answer in time") as failure:
        fetch(server.url(), replace(LIMITS, idle_seconds=0.05))
    assert failure.value.reason == "timeout"


def trickle(server: FaultyServer, connection: socket.socket) -> None:
    connection.sendall(answer(content_length="100"))
    while not server.ended.wait(0.005):
        connection.sendall(b".")


def test_a_server_that_trickles_is_ended_by_the_time_of_the_call() -> None:
    with (
        faulty_server(lambda _, connection: trickle(server, connection)) as server,
        pytest.raises(TimeoutExceeded),
    ):
        fetch(server.url(), call=Call(deadline=time.monotonic() + 0.1))


def test_a_cancelled_call_ends_its_transfer() -> None:
    call = Call()

    def silent(_: Asked, __: socket.socket) -> None:
        call.stop.set()
        server.ended.wait()

    with faulty_server(silent) as server, pytest.raises(Cancelled):
        fetch(server.url(), call=call)


def test_a_call_that_ends_while_a_name_is_resolved_leaves_no_connection() -> None:
    call = Call()
    resolved = threading.Event()

    def slow(host: str, port: int) -> Iterable[str]:
        call.stop.set()
        resolved.wait()
        return resolve(host, port)

    with faulty_server(sending(answer(b"x"))) as server:
        with pytest.raises(Cancelled):
            transfer(parse(server.url()), LIMITS, CONTEXT, call, resolver=slow)
        resolved.set()
        for thread in threading.enumerate():
            if thread.name == "pincite-connect":
                thread.join()
        assert server.asked == []


def test_a_name_server_that_does_not_answer_is_not_waited_for() -> None:
    ended = threading.Event()

    def silent(_: str, __: int) -> Iterable[str]:
        ended.wait()
        return []

    try:
        with pytest.raises(TransientFailure, match="not answer in time"):
            transfer(parse("http://a.example/"), replace(LIMITS, idle_seconds=0.05), CONTEXT, Call(), resolver=silent)
    finally:
        ended.set()


def test_a_certificate_is_verified_for_the_name_of_the_url(tmp_path: Path) -> None:
    server_context, trusting = contexts("docs.example", tmp_path)
    with faulty_server(sending(answer(b"secret")), server_context) as server:

        def get(host: str, context: ssl.SSLContext) -> bytes | None:
            url = parse(server.url(host=host))
            return transfer(url, LIMITS, context, Call(), resolver=lambda _, __: ["127.0.0.1"]).data

        assert get("docs.example", trusting) == b"secret"
        with pytest.raises(DownloadFailed, match=r"certificate of other\.example is not valid: Hostname mismatch"):
            get("other.example", trusting)
        with pytest.raises(DownloadFailed, match="not valid: self-signed"):
            get("docs.example", CONTEXT)


def test_a_server_that_does_not_finish_its_handshake_is_not_waited_for() -> None:
    # It speaks no TLS: it waits for the end of a request that never comes.
    with faulty_server(sending()) as server, pytest.raises(TransientFailure, match="not answer in time"):
        fetch(server.url().replace("http:", "https:"), replace(LIMITS, idle_seconds=0.1))


def test_a_document_is_compared_at_the_url_that_its_validator_is_from() -> None:
    with faulty_server(sending(answer(status=304))) as server:
        here, there = parse(server.url("/a")), parse(server.url("/b"))
        condition = {"If-None-Match": '"v1"'}
        assert transfer(here, LIMITS, CONTEXT, Call(), validators={here: condition}).data is None
        assert server.asked[0].headers["if-none-match"] == '"v1"'
        with pytest.raises(DownloadFailed, match="304"):
            transfer(here, LIMITS, CONTEXT, Call(), validators={there: condition})
        assert "if-none-match" not in server.asked[1].headers
