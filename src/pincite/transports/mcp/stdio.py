"""Standard input and output as two streams of messages, one per line, read and written by the event loop.

The SDK's own stdio transport uses a thread for each read, write and flush. It is used only where an event loop cannot
wait: for files, terminals, and on Windows.
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
"""Maximum bytes of one read: the capacity of a Linux pipe."""

MAX_QUEUED_LINES = 64
"""Reading pauses while more lines than this wait to be parsed."""

DRAIN_SECONDS = 1.0
"""At the end, time for the client to read what is still queued."""

MAX_LINE_BYTES = 32_000_000
"""Maximum length of a message. Of a longer line only both ends are kept, for its id."""

JOINED_BYTES = 65_536
"""A message up to this size is copied to append its line break; a longer one is written in two parts."""

Write = Callable[[memoryview], int]
"""Write what can be written without blocking and return its length. Raises `BlockingIOError` if that is nothing, and
`OSError` if the reader is closed."""


@contextlib.asynccontextmanager
async def streams(
    flow: Flow,
) -> "AsyncGenerator[tuple[ReadStream[SessionMessage | Exception], WriteStream[SessionMessage]]]":
    """Open the incoming messages of standard input and the outgoing ones of standard output.

    Until the end, descriptor 0 is empty and descriptor 1 is standard error, so that handlers and their child processes
    cannot disturb the protocol.
    """
    if not (_is_pollable(sys.stdin, 0) and _is_pollable(sys.stdout, 1)):
        async with stdio_server() as (received, sent):
            yield Answering(received, sent), sent
        return
    with _private_descriptors() as (source, sink), _writer(sink) as write:
        incoming = Incoming(source, flow, refuse=lambda refusal: outgoing.put_message(refusal.encoded()))
        async with Outgoing(sink, write, flow, gone=incoming.end) as outgoing:
            yield incoming, outgoing


class Incoming(ObjectReceiveStream[SessionMessage | Exception]):
    """Messages read from a pipe or a socket; invalid lines are refused."""

    def __init__(self, source: int, flow: Flow, *, refuse: Callable[[Refusal], None]) -> None:
        """Read from the descriptor `source`, from the first `receive` on, while `flow` has room."""
        self._source = source
        self._flow = flow
        self._refuse = refuse
        self._lines: deque[bytes | Refusal] = deque()
        self._partial = bytearray()
        self._line_start = b""
        self._reading = False
        self._ended = False
        self._waiter: asyncio.Future[None] | None = None
        flow.on_room(self._wake)

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message.

        Raises:
            anyio.EndOfStream: The input has ended.
        """
        while True:
            while not self._lines or self._flow.is_full:
                if self._ended and not self._lines:
                    raise anyio.EndOfStream
                await self._wait_for_input()
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
        """Stop reading, and discard the queued lines."""
        self._pause()
        self._ended = True
        self._lines.clear()
        self._wake()

    async def aclose(self) -> None:
        """Same as `end`."""
        self.end()

    def _opened(self, message: types.JSONRPCMessage, size: int) -> SessionMessage:
        if not isinstance(message, types.JSONRPCRequest):
            return SessionMessage(message)

        async def unanswered() -> None:
            self._flow.closed(message.id)

        self._flow.opened(message.id, size)
        return SessionMessage(message, ServerMessageMetadata(on_request_unanswered=unanswered))

    async def _wait_for_input(self) -> None:
        if self._flow.is_full:
            self._pause()
        elif not self._reading:
            self._reading = True
            asyncio.get_running_loop().add_reader(self._source, self._read)
        self._waiter = asyncio.get_running_loop().create_future()
        await self._waiter

    def _read(self) -> None:
        try:
            data = os.read(self._source, READ_BYTES)
        except BlockingIOError:  # another process shares the descriptor, made it non-blocking and read the data
            return
        except OSError:
            data = b""  # a reset connection is treated as the end of the input
        if data:
            self._partial += data
            if b"\n" not in data:
                self._truncate()
                return
            first, *lines = bytes(self._partial).split(b"\n")
            self._partial = bytearray(lines.pop())
            self._lines.append(self._complete(first))
            self._lines.extend(lines)
            if len(self._lines) > MAX_QUEUED_LINES:
                self._pause()
        else:
            self._pause()
            self._ended = True
            if self._partial:
                self._lines.append(self._complete(bytes(self._partial)))
        self._wake()

    def _truncate(self) -> None:
        """Keep only both ends of a line that is too long."""
        if len(self._partial) > MAX_LINE_BYTES:
            self._line_start = self._line_start or bytes(self._partial[:ID_SEARCH_CHARS])
            del self._partial[:-ID_SEARCH_CHARS]

    def _complete(self, line: bytes) -> bytes | Refusal:
        """Return a complete line, or refuse it as too long."""
        start, self._line_start = self._line_start, b""
        if start or len(line) > MAX_LINE_BYTES:
            return too_long(start or line[:ID_SEARCH_CHARS], line[-ID_SEARCH_CHARS:], MAX_LINE_BYTES)
        return line

    def _pause(self) -> None:
        if self._reading:
            self._reading = False
            asyncio.get_running_loop().remove_reader(self._source)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Outgoing(ObjectSendStream[SessionMessage]):
    """Messages written to a pipe or a socket. A message is written completely, even if its sender is cancelled."""

    def __init__(self, sink: int, write: Write, flow: Flow, *, gone: Callable[[], None]) -> None:
        """Write to the descriptor `sink` with `write`; call `gone` when the reader has closed it."""
        self._sink = sink
        self._write = write
        self._flow = flow
        self._gone = gone
        self._pending: deque[tuple[memoryview, int]] = deque()
        self._written = asyncio.Event()
        self._open = True

    async def send(self, item: SessionMessage) -> None:
        """Write the message. Return at once for an answer, since `flow` limits how many there are; else wait until
        the client has read.

        Raises:
            anyio.BrokenResourceError: The reader has closed the stream.
        """
        if not self._open:
            raise anyio.BrokenResourceError
        message = item.message
        self.put_message(encode(message))
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._flow.closed(message.id)
            return
        while self._pending:
            await self._written.wait()
        if not self._open:
            raise anyio.BrokenResourceError

    def put_message(self, message: bytes) -> None:
        """Queue a message for writing; discard it if the stream is closed."""
        if not self._open:
            return
        self._flow.queued(len(message))
        idle = not self._pending
        if len(message) > JOINED_BYTES:
            self._pending += [(memoryview(message), 0), (memoryview(b"\n"), len(message))]
        else:
            self._pending.append((memoryview(message + b"\n"), len(message)))
        if idle:
            self._flush()

    async def aclose(self) -> None:
        """Wait `DRAIN_SECONDS` at most for queued messages to be written, then close."""
        # Shielded: this runs while the task is cancelled, and the last answers would be lost.
        with anyio.move_on_after(DRAIN_SECONDS, shield=True):
            while self._pending:
                await self._written.wait()
        self._close()

    def _flush(self) -> None:
        """Write what can be written now; continue when the client has read."""
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
            asyncio.get_running_loop().add_writer(self._sink, self._flush)
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
    """The SDK's stream of messages, which also answers the lines that the SDK would drop as invalid."""

    def __init__(
        self, incoming: "ReadStream[SessionMessage | Exception]", outgoing: "WriteStream[SessionMessage]"
    ) -> None:
        """Read from `incoming`, and send errors to `outgoing`."""
        self._incoming = incoming
        self._outgoing = outgoing

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message.

        Raises:
            anyio.EndOfStream: The input has ended.
        """
        while isinstance(item := await self._incoming.receive(), Exception):
            parsed = _reparsed(item)
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
        """Close the incoming stream."""
        await self._incoming.aclose()


def _reparsed(error: Exception) -> SessionMessage | Refusal | None:
    """Parse a line that the SDK refused once more; None for an empty line."""
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


def _is_pollable(stream: TextIO | None, descriptor: int) -> bool:
    """Return True if the stream has this descriptor and an event loop can wait for it (a pipe or a socket)."""
    try:
        if sys.platform == "win32" or stream is None or stream.fileno() != descriptor:
            return False
        mode = os.fstat(descriptor).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


@contextlib.contextmanager
def _writer(sink: int) -> Generator[Write]:
    """Return a function that writes without blocking, provided that nobody else writes into the same pipe.

    The descriptor stays in blocking mode: other processes may share the pipe, and the mode would change for them too.
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
    """Return how many bytes a writable pipe takes without blocking: its capacity if empty, else PIPE_BUF (POSIX)."""
    if sys.platform == "linux":
        (unread,) = struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))
        if not unread:
            return fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)
    return select.PIPE_BUF


@contextlib.contextmanager
def _private_descriptors() -> Generator[tuple[int, int]]:
    """Move standard input and output to private descriptors until the end."""
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
