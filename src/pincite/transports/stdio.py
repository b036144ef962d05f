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
from mcp.shared.message import SessionMessage

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

Write = Callable[[memoryview], int]
"""Writes so many bytes as can be written at once; none is a `BlockingIOError`, a reader that has gone an `OSError`."""


@contextlib.asynccontextmanager
async def streams() -> "AsyncGenerator[tuple[ReadStream[SessionMessage | Exception], WriteStream[SessionMessage]]]":
    """The messages that come in by standard input, and where those go that leave by standard output.

    Meanwhile descriptor 0 is empty and descriptor 1 is standard error, for the handlers and what they start.
    """
    if not (_waits(sys.stdin, 0) and _waits(sys.stdout, 1)):
        async with stdio_server() as pair:
            yield pair
        return
    with _claimed() as (source, sink), _writing(sink) as write:
        incoming = Incoming(source)
        async with Outgoing(sink, write, gone=incoming.end) as outgoing:
            yield incoming, outgoing


class Incoming(ObjectReceiveStream[SessionMessage | Exception]):
    """Messages that are read from a pipe or a socket; a line that is no message comes as the error that says so."""

    def __init__(self, source: int) -> None:
        """Read from this descriptor, from the first `receive` on."""
        self._source = source
        self._lines: deque[bytes] = deque()
        self._rest = bytearray()
        self._reading = False
        self._ended = False
        self._wanted: asyncio.Future[None] | None = None

    async def receive(self) -> SessionMessage | Exception:
        """The next message.

        Raises:
            anyio.EndOfStream: There are no more.
        """
        while not self._lines:
            if self._ended:
                raise anyio.EndOfStream
            await self._more()
        line = self._lines.popleft().decode("utf-8", "replace")
        try:
            return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
        except ValueError as error:
            return error

    def end(self) -> None:
        """There is nothing more to be read, now."""
        self._pause()
        self._ended = True
        self._lines.clear()
        self._wake()

    async def aclose(self) -> None:
        """As `end`."""
        self.end()

    async def _more(self) -> None:
        if not self._reading:
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
                return
            *lines, rest = bytes(self._rest).split(b"\n")
            self._lines.extend(lines)
            self._rest = bytearray(rest)
            if len(self._lines) > MOST_LINES:
                self._pause()
        else:
            self._pause()
            self._ended = True
            if self._rest:
                self._lines.append(bytes(self._rest))
        self._wake()

    def _pause(self) -> None:
        if self._reading:
            self._reading = False
            asyncio.get_running_loop().remove_reader(self._source)

    def _wake(self) -> None:
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(None)


class Outgoing(ObjectSendStream[SessionMessage]):
    """Messages that are written to a pipe or a socket. What is begun is written whole, whoever stops waiting for it."""

    def __init__(self, sink: int, write: Write, *, gone: Callable[[], None]) -> None:
        """Write to this descriptor, by `write`; `gone` is called when nobody will read it any more."""
        self._sink = sink
        self._write = write
        self._gone = gone
        self._pending: deque[memoryview] = deque()
        self._written = asyncio.Event()
        self._open = True

    async def send(self, item: SessionMessage) -> None:
        """Write the message; that takes as long as the client does not read.

        Raises:
            anyio.BrokenResourceError: Nobody reads it any more.
        """
        line = item.message.model_dump_json(by_alias=True, exclude_unset=True) + "\n"
        if not self._open:
            raise anyio.BrokenResourceError
        self._pending.append(memoryview(line.encode()))
        if len(self._pending) == 1:
            self._go_on()
        while self._pending:
            await self._written.wait()
        if not self._open:
            raise anyio.BrokenResourceError

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
                rest = self._pending[0][self._write(self._pending[0]) :]
                if rest:
                    self._pending[0] = rest
                else:
                    self._pending.popleft()
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
        self._pending.clear()
        self._done()

    def _done(self) -> None:
        if not self._written.is_set():
            self._written.set()
            asyncio.get_running_loop().remove_writer(self._sink)


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
