"""Connections to the addresses that a download may reach: resolved, checked and connected in one step.

What was checked is what is connected to: the HTTP client never resolves a name, so that no second answer of a name
server counts ("DNS rebinding"). TLS verifies the URL's name, not the address.
"""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from httpcore2 import (
    SOCKET_OPTION,
    ConnectError,
    ConnectTimeout,
    NetworkBackend,
    NetworkStream,
    ReadTimeout,
    SyncBackend,
)

from pincite.errors import DownloadFailed
from pincite.model.call import Call
from pincite.runtime.abandonable import POLL_SECONDS, abandonable
from pincite.sources.url.addresses import is_allowed, parsed, plain
from pincite.text.excerpt import excerpt

Resolve = Callable[[str, int], Iterable[str]]
"""Return the addresses of a host, as `getaddrinfo` writes them.

Raises:
    socket.gaierror: It has none.
"""

MAX_ADDRESSES = 4
"""Addresses of one host that are tried: both families, twice. A name server may return hundreds."""


def resolve(host: str, port: int) -> Iterable[str]:
    """Return the addresses of a host by the operating system's resolver; see `Resolve`."""
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return dict.fromkeys(str(entry[4][0]) for entry in entries)


class Network(NetworkBackend):
    """A network for one download, which ends with its call.

    Args:
        call: Ends every operation when it is cancelled or out of time.
        allow_private: See `addresses.is_allowed`.
        resolver: Resolves names.
    """

    def __init__(self, call: Call, *, allow_private: bool, resolver: Resolve = resolve) -> None:
        self._call = call
        self._allow_private = allow_private
        self._resolver = resolver

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,  # noqa: ARG002 - of the interface; never set
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> NetworkStream:
        """Connect to an address of a host, all of which must be allowed.

        Raises:
            DownloadFailed: The host does not exist, or an address is not allowed.
            ConnectError, ConnectTimeout: No address answers.
            Cancelled, TimeoutExceeded: See `Call.check`.
        """
        seconds = self._seconds(timeout)

        def connect() -> NetworkStream:
            return self._connect(host, port, seconds, tuple(socket_options or ()))

        return Stream(self._interruptible(connect, seconds), self)

    def _connect(self, host: str, port: int, seconds: float, options: tuple[SOCKET_OPTION, ...]) -> NetworkStream:
        end = time.monotonic() + seconds
        failure: ConnectError | ConnectTimeout = ConnectTimeout()
        for address in self._addresses(host, port)[:MAX_ADDRESSES]:
            left = end - time.monotonic()
            if left <= 0:
                break
            try:
                return SyncBackend().connect_tcp(address, port, left, socket_options=options)
            except (ConnectError, ConnectTimeout) as error:
                failure = error
        raise failure

    def _addresses(self, host: str, port: int) -> list[str]:
        """Resolve a host and check all of its addresses: one that is private among public ones is an attack."""
        try:
            addresses = [parsed(address) for address in self._resolver(host, port)]
        except socket.gaierror as error:
            if error.errno in _NO_SUCH_HOST:
                raise DownloadFailed(f"The host {excerpt(host)} does not exist. Check the URL.") from None
            raise ConnectError(error) from error
        except (UnicodeError, ValueError):  # a label of more than 63 characters
            raise DownloadFailed(f"{excerpt(host)} is not the name of a host. Check the URL.") from None
        if not all(is_allowed(address, allow_private=self._allow_private) for address in addresses):
            # The message names no address: which ones a name has inside a network is not for everyone.
            raise DownloadFailed(
                f"{excerpt(host)} is not on a public address. Only those are fetched, unless the server's "
                "DOWNLOAD_ALLOW_PRIVATE allows private ones."
            )
        return [str(plain(address)) for address in addresses]

    def start_tls(self, stream: NetworkStream, context: ssl.SSLContext, name: str | None, seconds: float) -> "Stream":
        """Encrypt a stream; see `Stream.start_tls`."""
        return Stream(self._interruptible(lambda: stream.start_tls(context, name, seconds), seconds), self)

    def receive(self, read: Callable[[float], bytes], timeout: float | None) -> bytes:
        """Return what arrives within the timeout, looking at the call in between.

        Raises:
            ReadTimeout: Nothing arrives.
            Cancelled, TimeoutExceeded: See `Call.check`.
        """
        end = time.monotonic() + self._seconds(timeout)
        while True:
            self._call.check()
            left = end - time.monotonic()
            try:
                return read(min(max(left, 0.001), POLL_SECONDS))
            except ReadTimeout:
                if left <= POLL_SECONDS:
                    self._call.check()
                    raise

    def seconds(self, timeout: float | None) -> float:
        """Return a timeout, shortened to the call's; the call is checked first."""
        self._call.check()
        return self._seconds(timeout)

    def _seconds(self, timeout: float | None) -> float:
        left = self._call.remaining() if timeout is None else min(timeout, self._call.remaining())
        return min(max(left, 0.001), threading.TIMEOUT_MAX)

    def _interruptible(self, work: Callable[[], NetworkStream], seconds: float) -> NetworkStream:
        """Return the stream that a thread makes; a call that ends earlier leaves it to close what it makes.

        Resolving and connecting block in the operating system, where nothing reaches them.
        """
        try:
            return abandonable(work, self._call, name="pincite-connect", seconds=seconds, discard=_close)
        except TimeoutError:
            raise ConnectTimeout from None


class Stream(NetworkStream):
    """A stream whose operations end with the call of its network."""

    def __init__(self, stream: NetworkStream, network: Network) -> None:
        self._stream = stream
        self._network = network

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return what arrives; see `Network.receive`."""
        return self._network.receive(lambda seconds: self._stream.read(max_bytes, seconds), timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send bytes: a request's head, which the system's buffer takes at once."""
        self._stream.write(buffer, self._network.seconds(timeout))

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> "Stream":
        """Encrypt the connection, and verify that the server is the one of the URL."""
        return self._network.start_tls(self._stream, ssl_context, server_hostname, self._network.seconds(timeout))

    def get_extra_info(self, info: str) -> Any:
        """See `NetworkStream.get_extra_info`."""
        return self._stream.get_extra_info(info)


_NO_SUCH_HOST = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}
"""A name without an address does not get one within seconds; a name server that does not answer may."""


def _close(stream: NetworkStream) -> None:
    stream.close()
