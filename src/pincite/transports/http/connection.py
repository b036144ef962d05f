"""A connection that neither a client that sends nothing nor one that reads nothing can hold for ever."""

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle


class Connection(H11Protocol):
    """uvicorn's HTTP/1.1 connection with two time limits that uvicorn lacks.

    A connection is aborted if a request's headers are not complete in time, counted from its first byte or from the
    opening of the connection, or if the client does not read an answer that waits for it. Subclasses set the limit.
    """

    seconds: float = 15.0
    """Both time limits."""

    _sending: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._await_request()

    def data_received(self, data: bytes) -> None:
        """Stop waiting once a request's headers are complete."""
        super().data_received(data)
        if self._is_answering():
            self._sending = _cancelled(self._sending)
        else:
            self._await_request()

    def pause_writing(self) -> None:
        """Begin to wait for the client to read."""
        super().pause_writing()
        if self._reading is None:
            self._reading = self.loop.call_later(self.seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop waiting: the client has read."""
        super().resume_writing()
        self._reading = _cancelled(self._reading)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting for anything."""
        self._sending, self._reading = _cancelled(self._sending), _cancelled(self._reading)
        super().connection_lost(exc)

    def _await_request(self) -> None:
        if self._sending is None and not self.transport.is_closing():
            self._sending = self.loop.call_later(self.seconds, self._abort_unless_answering)

    def _abort_unless_answering(self) -> None:
        self._sending = None
        if not self._is_answering():
            self.transport.abort()

    def _is_answering(self) -> bool:
        cycle = cast("RequestResponseCycle | None", self.cycle)  # None before the first request, against its annotation
        return cycle is not None and not cycle.response_complete


def _cancelled(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def connection_class(seconds: float) -> type[Connection]:
    """Return the class of connections with this time limit."""
    return type("Connection", (Connection,), {"seconds": seconds})
