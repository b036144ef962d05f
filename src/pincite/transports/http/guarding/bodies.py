"""The bodies of requests: bounded in size, in time, and together."""

import contextlib
from collections.abc import AsyncGenerator

import anyio
from starlette.datastructures import Headers
from starlette.types import Message, Receive

from pincite.errors import RateLimited
from pincite.model.sizes import MEGABYTE
from pincite.settings import Http
from pincite.transports.http.exchange import Gone, Refused

MAX_HELD_BYTES = 64_000_000
"""Bodies that are held at a time; a further one is refused until there is room."""

_BODILESS = frozenset({"GET", "HEAD", "OPTIONS", "DELETE"})


class Bodies:
    """Read bodies before their requests are served.

    Args:
        http: The settings.
    """

    def __init__(self, http: Http) -> None:
        self._max_bytes = int(http.max_request * MEGABYTE)
        self._too_large = Refused(
            413,
            "VALIDATION_ERROR",
            f"The request is larger than {http.max_request:g} MB (PINCITE_MAX_REQUEST).",
            {"connection": "close"},
        )
        self._seconds = http.request_timeout
        self._held = 0

    @contextlib.asynccontextmanager
    async def read_body(self, headers: Headers, method: str, receive: Receive) -> AsyncGenerator[bytes]:
        """Read a body, and hold it for the block.

        Raises:
            Refused: It is too large, or was not complete in time.
            RateLimited: Too much is held at present.
            Gone: The client has gone.
        """
        declared = headers.get("content-length", "")
        if method in _BODILESS and declared in {"", "0"} and "transfer-encoding" not in headers:
            yield b""
            return
        if declared.isdecimal() and int(declared[:20]) > self._max_bytes:
            raise self._too_large
        body = bytearray()
        try:
            await self._receive(body, receive)
            yield bytes(body)
        finally:
            self._held -= len(body)

    async def _receive(self, body: bytearray, receive: Receive) -> None:
        more = True
        with anyio.move_on_after(self._seconds):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Gone
                part = message.get("body", b"")
                body += part
                self._held += len(part)
                if len(body) > self._max_bytes:
                    raise self._too_large
                if self._held > MAX_HELD_BYTES:
                    raise RateLimited("The server holds too many large requests")
                more = message.get("more_body", False)
        if more:
            message = f"The request was not complete after {self._seconds:g} seconds."
            raise Refused(408, "TIMEOUT", message, {"connection": "close"})


def replay(body: bytes, receive: Receive) -> Receive:
    """Return a `Receive` that begins with the complete body."""
    unread = True

    async def replay() -> Message:
        nonlocal unread
        if unread:
            unread = False
            return {"type": "http.request", "body": body, "more_body": False}
        while (message := await receive())["type"] == "http.request":
            pass
        return message

    return replay
