"""Bodies of requests: too large, too slow, too many."""

import asyncio
from collections.abc import AsyncIterator, Iterable

import pytest
from starlette.datastructures import Headers
from starlette.types import Message

from pincite.errors import RateLimited
from pincite.settings import Http
from pincite.transports.http.exchange import Gone, Refused
from pincite.transports.http.guarding import bodies
from pincite.transports.http.guarding.bodies import Bodies
from support.waiting import paused

SMALL = Http.model_validate({"PINCITE_MAX_REQUEST": "0.001", "PINCITE_REQUEST_SECONDS": "0.2"})


def part(data: bytes, *, more: bool = True) -> Message:
    return {"type": "http.request", "body": data, "more_body": more}


async def sent(messages: Iterable[Message]) -> AsyncIterator[Message]:
    for message in messages:
        yield message
    await paused(60, "nothing more comes")


def read(reader: Bodies, *messages: Message, method: str = "POST", **headers: str) -> bytes:
    given = {name.replace("_", "-"): value for name, value in headers.items()}

    async def run() -> bytes:
        coming = sent(messages)
        async with reader.read_body(Headers(given), method, lambda: anext(coming)) as body:
            return body

    return asyncio.run(run())


def test_a_body_comes_in_parts() -> None:
    assert read(Bodies(SMALL), part(b"ab"), part(b""), part(b"cd", more=False)) == b"abcd"


def test_a_request_that_has_none_is_not_waited_for() -> None:
    assert read(Bodies(SMALL), method="GET") == b""
    assert read(Bodies(SMALL), method="DELETE", content_length="0") == b""


@pytest.mark.parametrize("size", ["1001", "99999999999999999999999999"])
def test_one_that_is_declared_too_large_is_not_read(size: str) -> None:
    with pytest.raises(Refused, match="PINCITE_MAX_REQUEST") as refused:
        read(Bodies(SMALL), content_length=size)
    assert refused.value.status == 413


@pytest.mark.parametrize(
    "headers", [{}, {"content_length": "5"}, {"content_length": "-1"}, {"transfer_encoding": "chunked"}]
)
@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_one_that_grows_too_large_is_refused(method: str, headers: dict[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        read(Bodies(SMALL), part(b"x" * 900), part(b"x" * 101), method=method, **headers)
    assert refused.value.status == 413


def test_one_that_does_not_end_in_time_is_refused() -> None:
    with pytest.raises(Refused, match=r"0\.2 seconds") as refused:
        read(Bodies(SMALL), part(b"x"))
    assert refused.value.status == 408


def test_a_client_that_has_gone_is_no_failure_of_the_request() -> None:
    with pytest.raises(Gone):
        read(Bodies(SMALL), part(b"x"), {"type": "http.disconnect"})


def test_together_they_have_a_limit_and_free_their_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "MAX_HELD_BYTES", 10)
    reader = Bodies(SMALL)
    for _ in range(3):
        assert read(reader, part(b"x" * 9, more=False)) == b"x" * 9
        with pytest.raises(RateLimited):
            read(reader, part(b"x" * 11, more=False))


def test_a_timeout_of_what_reads_it_is_its_own() -> None:
    async def run() -> None:
        coming = sent([part(b"x", more=False)])
        async with Bodies(SMALL).read_body(Headers({}), "POST", lambda: anext(coming)):
            raise TimeoutError("of the tool")

    with pytest.raises(TimeoutError, match="of the tool"):
        asyncio.run(run())
