"""What was checked is what is connected to."""

import socket
import ssl
from collections.abc import Iterable, Iterator

import pytest

from pincite.errors import DownloadFailed
from pincite.model.call import Call
from pincite.sources.url.connection import MAX_ADDRESSES, Resolve, resolve
from pincite.sources.url.locations import parse
from pincite.sources.url.transfer import TransferLimits, TransientFailure, transfer
from support.faulty_server import answer, faulty_server, sending

CONTEXT = ssl.create_default_context()
PUBLIC_ONLY = TransferLimits(idle_seconds=5.0)
ANY = TransferLimits(idle_seconds=5.0, allow_private=True)


def fetch(url: str, resolver: Resolve = resolve, limits: TransferLimits = PUBLIC_ONLY) -> bytes | None:
    return transfer(parse(url), limits, CONTEXT, Call(), resolver=resolver).data


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
    ],
)
def test_loopback_is_not_reached_however_it_is_written(host: str) -> None:
    with faulty_server(sending(answer(b"secret"))) as server:
        with pytest.raises(DownloadFailed, match="not on a public address") as failure:
            fetch(server.url(host=host))
        assert server.asked == []
    assert not isinstance(failure.value, TransientFailure)


def test_the_refusal_tells_no_address_of_a_name() -> None:
    with pytest.raises(DownloadFailed) as failure:
        fetch("http://intranet.example/", lambda _, __: ["10.1.2.3"])
    assert "10.1.2.3" not in failure.value.message


@pytest.mark.parametrize("target", ["http://169.254.169.254/latest/meta-data/", "http://internal.example/"])
def test_a_redirect_to_a_private_address_is_refused(target: str) -> None:
    # The first host is let through as an intranet's would be.
    addresses = {"server.example": ["127.0.0.1"], "internal.example": ["169.254.0.9"]}
    with faulty_server(sending(answer(status=302, location=target))) as server:
        with pytest.raises(DownloadFailed, match="not on a public address"):
            fetch(server.url(host="server.example"), lambda host, _: addresses.get(host, [host]), ANY)
        assert len(server.asked) == 1


def test_a_name_with_one_private_address_is_refused() -> None:
    with pytest.raises(DownloadFailed, match="not on a public address"):
        fetch("http://mixed.example/", lambda _, __: ["93.184.216.34", "127.0.0.1"])


def test_a_name_that_changes_its_address_after_the_check_is_not_asked_again() -> None:
    answers: Iterator[list[str]] = iter([["127.0.0.1"], ["169.254.169.254"]])
    with faulty_server(sending(answer(b"checked"))) as server:
        url = server.url(host="rebinding.example")
        assert fetch(url, lambda _, __: next(answers), ANY) == b"checked"
        with pytest.raises(DownloadFailed, match="not on a public address"):
            fetch(url, lambda _, __: next(answers), ANY)
        assert len(server.asked) == 1


def test_the_next_address_is_tried_if_one_does_not_answer() -> None:
    with faulty_server(sending(answer(b"here"))) as server:
        # Nobody listens on the first: the server is bound to one address.
        assert fetch(server.url(host="two.example"), lambda _, __: ["::1", "127.0.0.1"], ANY) == b"here"
        with pytest.raises(TransientFailure):
            fetch(server.url(host="many.example"), lambda _, __: ["::1"] * MAX_ADDRESSES + ["127.0.0.1"], ANY)


def test_ipv6_is_reached_by_its_address_and_as_mapped() -> None:
    with faulty_server(sending(answer(b"six")), host="::1") as server:
        assert fetch(server.url(host="[::1]"), limits=ANY) == b"six"
        assert server.asked[0].headers["host"] == f"[::1]:{server.port}"
    with faulty_server(sending(answer(b"four"))) as server:
        assert fetch(server.url(host="[::ffff:127.0.0.1]"), limits=ANY) == b"four"


def failing(errno: int) -> Resolve:
    def resolver(_: str, __: int) -> Iterable[str]:
        raise socket.gaierror(errno, "told by a test")

    return resolver


def test_a_name_that_does_not_exist_fails_at_once_and_a_silent_name_server_does_not() -> None:
    with pytest.raises(DownloadFailed, match=r"missing\.example does not exist") as failure:
        fetch("http://missing.example/", failing(socket.EAI_NONAME))
    assert not isinstance(failure.value, TransientFailure)
    with pytest.raises(TransientFailure):
        fetch("http://slow.example/", failing(socket.EAI_AGAIN))
    with pytest.raises(DownloadFailed, match="not the name of a host"):
        fetch(f"http://{'a' * 64}.example/")
