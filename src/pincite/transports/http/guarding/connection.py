"""A connection that neither a client that sends nothing nor one that reads nothing can hold for ever."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from pincite.transports.http.guarding.limiter import Shares

_REFUSAL = b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Connection(H11Protocol):
    """uvicorn's HTTP/1.1 connection with limits that uvicorn lacks, and a close that loses no answer.

    A connection is refused if its address has its share already. It is aborted if a request's headers are not complete
    in time, counted from its first byte or from the opening of the connection, or if the client does not read an answer
    that waits for it. Subclasses set the limits.

    An answer to a body that is still arriving, as of one that is too large, is sent at once; the rest of the body is
    discarded within the same limit. A socket that is closed with unread bytes resets the connection, and many clients
    would see that instead of the answer.
    """

    seconds: float = 15.0
    """Both time limits."""

    shares: Shares
    """What addresses hold open."""

    address_of: Callable[[Any], str]
    """Return the address that a transport counts for; empty if it is a proxy, whose callers are counted by request."""

    _address = ""

    _sending: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(cast("asyncio.Transport", _Lingering(transport, self._is_receiving)))
        address = type(self).address_of(transport)
        if address and not self.shares.take(address):
            transport.write(_REFUSAL)
            transport.close()
            return
        self._address = address
        self._await_request()

    def data_received(self, data: bytes) -> None:
        """Stop waiting once a request's headers are complete."""
        if self.transport.is_closing():  # the rest of a refused body
            return
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
        if self._address:
            self.shares.free(self._address)
        super().connection_lost(exc)

    def _await_request(self) -> None:
        if self._sending is None and not self.transport.is_closing():
            self._sending = self.loop.call_later(self.seconds, self._abort_unless_answering)

    def _abort_unless_answering(self) -> None:
        self._sending = None
        if not self._is_answering():
            self.transport.abort()

    def _is_receiving(self) -> bool:
        if self.conn.their_state is not h11.SEND_BODY:
            return False
        self._sending = _cancelled(self._sending)
        self._sending = self.loop.call_later(self.seconds, self.transport.abort)
        return True

    def _is_answering(self) -> bool:
        cycle = cast("RequestResponseCycle | None", self.cycle)  # None before the first request, against its annotation
        return cycle is not None and not cycle.response_complete


class _Lingering:
    """A transport that half-closes while a body is still arriving; the client closes it, or a timer aborts it.

    Args:
        transport: The transport.
        is_receiving: Whether a body is arriving.
    """

    def __init__(self, transport: Any, is_receiving: Callable[[], bool]) -> None:
        self._transport = transport
        self._is_receiving = is_receiving
        self._is_closed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def is_closing(self) -> bool:
        """Return True if nothing more is sent."""
        return self._is_closed or self._transport.is_closing()

    def close(self) -> None:
        """Send nothing more."""
        if self.is_closing():
            return
        self._is_closed = True
        if self._is_receiving():
            self._transport.resume_reading()
            self._transport.write_eof()
        else:
            self._transport.close()


def _cancelled(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def connection_class(seconds: float, shares: Shares, address_of: Callable[[Any], str]) -> type[Connection]:
    """Return the class of connections with these limits."""
    own = {"seconds": seconds, "shares": shares, "address_of": staticmethod(address_of)}
    return type("Connection", (Connection,), own)
