"""Standard input and output as two streams of messages, one a line, read and written by the event loop itself.

The SDK's own way goes through a thread for each read, write and flush. It stays for what an event loop cannot
wait for: files, terminals, and Windows.
"""

import asyncio
import contextlib
import logging
import os
import select
import socket
import stat
import struct
import sys
from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator
from typing import TYPE_CHECKING, TextIO

import anyio
import mcp_types as types
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from pydantic import ValidationError

from pincite.transports.mcp.flow import Flow
from pincite.transports.mcp.messages import ID_SEARCH_CHARS, Refusal, encode, parse, too_long

if sys.platform != "win32":
    import fcntl
    import termios

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream

log = logging.getLogger("pincite.mcp")

READ_BYTES = 65_536
"""Most bytes of one read: what a pipe of Linux holds."""

MOST_LINES = 64
"""With more lines than these waiting to be taken, no more are read."""

LAST_WORDS_SECONDS = 1.0
"""How long a client may take at the end to read what was written to it."""

MAX_LINE_BYTES = 32_000_000
"""Longest message that is read. The rest of a longer line is dropped, and only its ends are kept, for the id."""

JOINED_BYTES = 65_536
"""A message up to this size is copied to have its line break, rather than written in two parts."""

Write = Callable[[memoryview], int]
"""Writes so many bytes as can be written at once; none is a `BlockingIOError`, a reader that has gone an `OSError`."""


@contextlib.asynccontextmanager
async def streams(
    flow: Flow,
) -> "AsyncGenerator[tuple[ReadStream[SessionMessage | Exception], WriteStream[SessionMessage]]]":
    """The messages that come in by standard input, and where those go that leave by standard output.

    Meanwhile descriptor 0 is empty and descriptor 1 is standard error, for the handlers and what they start.
    """
    if not (_waits(sys.stdin, 0) and _waits(sys.stdout, 1)):
        async with stdio_server() as (received, sent):
            yield Answering(received, sent), sent
        return
    with _claimed() as (source, sink), _writing(sink) as write:
        incoming = Incoming(source, flow, refuse=lambda refusal: outgoing.put(refusal.encoded()))
        async with Outgoing(sink, write, flow, gone=incoming.end) as outgoing:
            yield incoming, outgoing


class Incoming(ObjectReceiveStream[SessionMessage | Exception]):
    """Messages that are read from a pipe or a socket; lines that are no message are refused."""

    def __init__(self, source: int, flow: Flow, *, refuse: Callable[[Refusal], None]) -> None:
        """Read from this descriptor, from the first `receive` on, as long as `flow` has room."""
        self._source = source
        self._flow = flow
        self._refuse = refuse
        self._lines: deque[bytes | Refusal] = deque()
        self._rest = bytearray()
        self._start = b""
        self._reading = False
        self._ended = False
        self._wanted: asyncio.Future[None] | None = None
        flow.on_room(self._wake)

    async def receive(self) -> SessionMessage | Exception:
        """The next message.

        Raises:
            anyio.EndOfStream: There are no more.
        """
        while True:
            while not self._lines or self._flow.is_full:
                if self._ended and not self._lines:
                    raise anyio.EndOfStream
                await self._more()
            line = self._lines.popleft()
            if isinstance(line, bytes):
                if not line or line.isspace():
                    continue
                message = parse(line)
                if not isinstance(message, Refusal):
                    return self._opened(message, len(line))
                line = message
            _log_refused(line)
            if line.is_answered:
                self._refuse(line)

    def end(self) -> None:
        """There is nothing more to be read, now."""
        self._pause()
        self._ended = True
        self._lines.clear()
        self._wake()

    async def aclose(self) -> None:
        """As `end`."""
        self.end()

    def _opened(self, message: types.JSONRPCMessage, size: int) -> SessionMessage:
        if not isinstance(message, types.JSONRPCRequest):
            return SessionMessage(message)

        async def unanswered() -> None:
            self._flow.closed(message.id)

        self._flow.opened(message.id, size)
        return SessionMessage(message, ServerMessageMetadata(on_request_unanswered=unanswered))

    async def _more(self) -> None:
        if self._flow.is_full:
            self._pause()
        elif not self._reading:
            self._reading = True
            asyncio.get_running_loop().add_reader(self._source, self._read)
        self._wanted = asyncio.get_running_loop().create_future()
        await self._wanted

    def _read(self) -> None:
        try:
            data = os.read(self._source, READ_BYTES)
        except BlockingIOError:  # someone else made it so, and read what there was
            return
        except OSError:
            data = b""
        if data:
            self._rest += data
            if b"\n" not in data:
                self._bound()
                return
            first, *lines = bytes(self._rest).split(b"\n")
            self._rest = bytearray(lines.pop())
            self._lines.append(self._whole(first))
            self._lines.extend(lines)
            if len(self._lines) > MOST_LINES:
                self._pause()
        else:
            self._pause()
            self._ended = True
            if self._rest:
                self._lines.append(self._whole(bytes(self._rest)))
        self._wake()

    def _bound(self) -> None:
        """Of a line that has grown too long keep both ends only."""
        if len(self._rest) > MAX_LINE_BYTES:
            self._start = self._start or bytes(self._rest[:ID_SEARCH_CHARS])
            del self._rest[:-ID_SEARCH_CHARS]

    def _whole(self, line: bytes) -> bytes | Refusal:
        """A line that has come to its end."""
        start, self._start = self._start, b""
        if start or len(line) > MAX_LINE_BYTES:
            return too_long(start or line[:ID_SEARCH_CHARS], line[-ID_SEARCH_CHARS:], MAX_LINE_BYTES)
        return line

    def _pause(self) -> None:
        if self._reading:
            self._reading = False
            asyncio.get_running_loop().remove_reader(self._source)

    def _wake(self) -> None:
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(None)


class Outgoing(ObjectSendStream[SessionMessage]):
    """Messages that are written to a pipe or a socket. What is begun is written whole, whoever stops waiting for it."""

    def __init__(self, sink: int, write: Write, flow: Flow, *, gone: Callable[[], None]) -> None:
        """Write to this descriptor, by `write`; `gone` is called when nobody will read it any more."""
        self._sink = sink
        self._write = write
        self._flow = flow
        self._gone = gone
        self._pending: deque[tuple[memoryview, int]] = deque()
        self._written = asyncio.Event()
        self._open = True

    async def send(self, item: SessionMessage) -> None:
        """Write the message. An answer is taken at once, since `flow` bounds how many there are; anything else takes
        as long as the client does not read.

        Raises:
            anyio.BrokenResourceError: Nobody reads it any more.
        """
        if not self._open:
            raise anyio.BrokenResourceError
        message = item.message
        self.put(encode(message))
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._flow.closed(message.id)
            return
        while self._pending:
            await self._written.wait()
        if not self._open:
            raise anyio.BrokenResourceError

    def put(self, message: bytes) -> None:
        """Write a message as soon as the client reads; nothing where nobody reads any more."""
        if not self._open:
            return
        self._flow.queued(len(message))
        idle = not self._pending
        if len(message) > JOINED_BYTES:
            self._pending += [(memoryview(message), 0), (memoryview(b"\n"), len(message))]
        else:
            self._pending.append((memoryview(message + b"\n"), len(message)))
        if idle:
            self._go_on()

    async def aclose(self) -> None:
        """Give what is still to be written a moment, and write nothing more."""
        with anyio.move_on_after(LAST_WORDS_SECONDS, shield=True):
            while self._pending:
                await self._written.wait()
        self._close()

    def _go_on(self) -> None:
        """Write as much as can be written now, and the rest when the client has read."""
        try:
            while self._pending:
                part, size = self._pending[0]
                rest = part[self._write(part) :]
                if rest:
                    self._pending[0] = (rest, size)
                else:
                    self._pending.popleft()
                    if size:
                        self._flow.written(size)
        except BlockingIOError:
            pass
        except OSError:
            log.info("client.gone")
            self._close()
            self._gone()
            return
        if self._pending:
            self._written.clear()
            asyncio.get_running_loop().add_writer(self._sink, self._go_on)
        else:
            self._done()

    def _close(self) -> None:
        self._open = False
        for _, size in self._pending:
            if size:
                self._flow.written(size)
        self._pending.clear()
        self._done()

    def _done(self) -> None:
        if not self._written.is_set():
            self._written.set()
            asyncio.get_running_loop().remove_writer(self._sink)


class Answering(ObjectReceiveStream[SessionMessage | Exception]):
    """The SDK's messages; what it could not parse is answered, where the SDK would drop it."""

    def __init__(
        self, incoming: "ReadStream[SessionMessage | Exception]", outgoing: "WriteStream[SessionMessage]"
    ) -> None:
        """Read from one stream, and answer by the other."""
        self._incoming = incoming
        self._outgoing = outgoing

    async def receive(self) -> SessionMessage | Exception:
        """The next message.

        Raises:
            anyio.EndOfStream: There are no more.
        """
        while isinstance(item := await self._incoming.receive(), Exception):
            parsed = _parsed_again(item)
            if isinstance(parsed, SessionMessage):
                return parsed
            if parsed is not None:
                _log_refused(parsed)
                if parsed.is_answered:
                    await self._answer(parsed)
        return item

    async def _answer(self, refusal: Refusal) -> None:
        number = refusal.id if isinstance(refusal.id, str | int) else None
        error = types.ErrorData(code=refusal.code, message=refusal.message)
        await self._outgoing.send(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=number, error=error)))

    async def aclose(self) -> None:
        """Read no more."""
        await self._incoming.aclose()


def _parsed_again(error: Exception) -> SessionMessage | Refusal | None:
    """What to make of a line that the SDK could not parse; None for an empty one."""
    first = error.errors(include_url=False)[0] if isinstance(error, ValidationError) else None
    line = first["input"] if first is not None and first["type"] == "json_invalid" else None
    if not isinstance(line, str):
        return Refusal(types.INVALID_REQUEST, "Invalid request")
    if not line or line.isspace():
        return None
    parsed = parse(line.encode("utf-8", "replace"))
    return parsed if isinstance(parsed, Refusal) else SessionMessage(parsed)


def _log_refused(refusal: Refusal) -> None:
    log.warning("message.refused", extra={"code": refusal.code, "problem": refusal.message})


def _waits(stream: TextIO | None, descriptor: int) -> bool:
    """Whether this stream is this descriptor, and one that an event loop can wait for."""
    try:
        if sys.platform == "win32" or stream is None or stream.fileno() != descriptor:
            return False
        mode = os.fstat(descriptor).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


@contextlib.contextmanager
def _writing(sink: int) -> Generator[Write]:
    """What writes there without ever waiting, as long as nobody else writes into the same pipe.

    The descriptor stays a blocking one: others may hold the same pipe, and would be met by the change.
    """
    if stat.S_ISSOCK(os.fstat(sink).st_mode):
        with socket.socket(fileno=os.dup(sink)) as connection:
            yield lambda data: connection.send(data, socket.MSG_DONTWAIT)
        return
    ready = select.poll()
    ready.register(sink, select.POLLOUT)

    def write(data: memoryview) -> int:
        if not ready.poll(0):
            raise BlockingIOError
        return os.write(sink, data[: _room(sink)])

    yield write


def _room(pipe: int) -> int:
    """Bytes that a pipe with any room at all takes without waiting: PIPE_BUF (POSIX), an empty one what it can hold."""
    if sys.platform == "linux":
        (unread,) = struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))
        if not unread:
            return fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)
    return select.PIPE_BUF


@contextlib.contextmanager
def _claimed() -> Generator[tuple[int, int]]:
    """Standard input and output under other numbers, which nobody else knows, until the end."""
    source, sink = (fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 3) for number in (0, 1))
    empty = os.open(os.devnull, os.O_RDWR)
    try:
        os.dup2(empty, 0)
        os.dup2(empty if sys.stderr is None else 2, 1)
        yield source, sink
    finally:
        os.dup2(source, 0)
        os.dup2(sink, 1)
        for held in (source, sink, empty):
            os.close(held)
