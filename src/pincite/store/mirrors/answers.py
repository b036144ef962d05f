"""Limits of an engine's answers: the time limit of its client is for each part of one, and there is none of size."""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import httpx


class Limits(NamedTuple):
    """Limits of an answer: seconds until it ends, and bytes."""

    seconds: int
    max_bytes: int

    def hooks(self) -> dict[str, list[Callable[[httpx.Response], None]]]:
        """Return the event hooks of an HTTPX client with these limits.

        Reading an answer that exceeds them raises `httpx.DecodingError` or `httpx.ReadTimeout`.
        """

        def limit(response: httpx.Response) -> None:
            if isinstance(response.stream, httpx.SyncByteStream):
                response.stream = _Limited(response.stream, self)

        return {"response": [limit]}


class _Limited(httpx.SyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream, limits: Limits) -> None:
        self._stream = stream
        self._max_bytes = limits.max_bytes
        self._end = time.monotonic() + limits.seconds

    def __iter__(self) -> Iterator[bytes]:
        read = 0
        for part in self._stream:
            read += len(part)
            if read > self._max_bytes:
                raise httpx.DecodingError(f"an answer of more than {self._max_bytes} bytes")
            if time.monotonic() > self._end:
                raise httpx.ReadTimeout("an answer that does not end in time")
            yield part

    def close(self) -> None:
        self._stream.close()
