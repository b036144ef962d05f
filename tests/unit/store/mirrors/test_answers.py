"""An answer ends when it is too large or takes too long, whatever its server goes on sending."""

from collections.abc import Iterator

import httpx
import pytest

from pincite.store.mirrors.answers import Limits


class Parts(httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        while True:
            yield b"x" * 1000


def get(limits: Limits, stream: httpx.SyncByteStream) -> bytes:
    transport = httpx.MockTransport(lambda _: httpx.Response(200, stream=stream))
    with httpx.Client(transport=transport, event_hooks=limits.hooks()) as client:
        return client.get("http://engine.invalid/").content


def test_an_answer_without_an_end_is_left() -> None:
    with pytest.raises(httpx.DecodingError, match="more than 5000 bytes"):
        get(Limits(60, 5000), Parts())
    with pytest.raises(httpx.ReadTimeout):
        get(Limits(0, 10**12), Parts())


def test_an_answer_within_the_limits_is_read() -> None:
    assert get(Limits(60, 5000), httpx.ByteStream(b"x" * 5000)) == b"x" * 5000
