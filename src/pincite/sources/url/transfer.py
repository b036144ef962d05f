"""One transfer of a document over HTTP: redirects, encodings and limits, without retries."""

import base64
import ssl
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import cast
from urllib.parse import unquote_to_bytes

import httpcore2
from httpcore2 import ConnectionPool, NetworkError, ProtocolError, Response, TimeoutException
from httpx2 import URL, Headers

from pincite.errors import DownloadFailed
from pincite.model.call import Call
from pincite.model.sizes import MEGABYTE
from pincite.sources.url.connection import Network, Resolve, resolve
from pincite.sources.url.locations import host_of, redirected
from pincite.text.excerpt import excerpt
from pincite.version import __version__

MAX_REDIRECTS = 10
"""Half of what browsers follow (20): documents are rarely behind more than three."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_DOCUMENT = frozenset({200, 203})
_NOT_MODIFIED = 304
_GZIP = frozenset({"gzip", "x-gzip"})
_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_BITS = 16 + zlib.MAX_WBITS
_KNOWN_STATUSES = frozenset(status.value for status in HTTPStatus)
_MAX_LENGTH_DIGITS = 20
"""A longer `Content-Length` is nonsense; the body is counted in any case."""
_PIECE_BYTES = 1_000_000
"""Bytes that are unpacked at a time: a bomb never takes more than that above the limit."""

_HEADERS = {
    "User-Agent": f"pincite/{__version__}",
    "Accept": "*/*",
    "Accept-Encoding": "gzip",  # the one that all servers know; others are not unpacked
    "Connection": "close",
}


@dataclass(frozen=True, slots=True)
class TransferLimits:
    """Limits of a transfer.

    Attributes:
        max_bytes: Maximum size of a document, unpacked.
        idle_seconds: Seconds that a server may take to accept a connection, and between two parts of its answer.
        allow_private: Whether private and loopback addresses may be reached.
    """

    max_bytes: int = 100 * MEGABYTE
    idle_seconds: float = 10.0
    allow_private: bool = False


@dataclass(frozen=True, slots=True)
class Transfer:
    """The answer of a server.

    Attributes:
        url: The URL that answered, after redirects.
        headers: Its headers.
        data: The document; None if it is the same as the one that the validators name.
    """

    url: URL
    headers: Headers
    data: bytes | None


class TransientFailure(DownloadFailed):
    """A failure that another attempt may not have: a connection fault, a timeout, status 429 or 5xx.

    Attributes:
        reason: What failed, as a word for the log.
        retry_after: The `Retry-After` of the answer, as the server wrote it; empty without one.
    """

    def __init__(self, message: str, *, reason: str, retry_after: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.retry_after = retry_after


def transfer(
    url: URL,
    limits: TransferLimits,
    context: ssl.SSLContext,
    call: Call,
    *,
    validators: Mapping[URL, Mapping[str, str]] | None = None,
    resolver: Resolve = resolve,
) -> Transfer:
    """Fetch a document.

    Every redirect is checked as the URL was, and every connection goes to the address that was checked. Proxies of
    the environment are not used: a proxy would resolve names itself.

    Args:
        url: Checked by `locations.parse`.
        limits: The limits.
        context: Verifies certificates.
        call: Ends the transfer when it is cancelled or out of time.
        validators: Headers of a conditional request (`If-None-Match` …) by the URL that they are from.
        resolver: Resolves names.

    Raises:
        TransientFailure: Another attempt may succeed.
        DownloadFailed: None will.
        Cancelled, TimeoutExceeded: See `Call.check`.
    """
    for _ in range(MAX_REDIRECTS + 1):
        network = Network(call, allow_private=limits.allow_private, resolver=resolver)
        with _transient_failures(url), ConnectionPool(context, max_connections=1, network_backend=network) as pool:
            # A validator names a version of the document at its own URL, not of what else the URL redirects to now.
            conditions = (validators or {}).get(url, {})
            with pool.stream(
                "GET",
                _target(url),
                headers={"Host": url.netloc.decode("ascii"), **_HEADERS, **_authorization(url), **conditions},
                extensions={"timeout": dict.fromkeys(("connect", "read", "write", "pool"), limits.idle_seconds)},
            ) as response:
                answered = Headers(response.headers)
                if response.status in _REDIRECTS and "location" in answered:
                    url = redirected(url, answered["location"])
                    continue
                if response.status == _NOT_MODIFIED and conditions:
                    return Transfer(url, answered, None)
                _check_status(url, response.status, answered)
                return Transfer(url, answered, _body(url, response, answered, limits, call))
    raise DownloadFailed(f"{host_of(url)} redirects more than {MAX_REDIRECTS} times.")


@contextmanager
def _transient_failures(url: URL) -> Generator[None]:
    """Raise faults of the connection as failures that another attempt may not have."""
    host = host_of(url)
    try:
        yield
    except TimeoutException:
        raise TransientFailure(f"{host} does not answer in time.", reason="timeout") from None
    except (NetworkError, ProtocolError) as fault:
        cause = fault.args[0] if fault.args else None
        if isinstance(cause, ssl.SSLCertVerificationError):
            raise DownloadFailed(f"The certificate of {host} is not valid: {cause.verify_message}.") from None
        message = f"The connection to {host} failed or ended early."
        raise TransientFailure(message, reason="connection") from fault


def _target(url: URL) -> httpcore2.URL:
    return httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)


def _authorization(url: URL) -> dict[str, str]:
    """Return the header for the credentials of a URL (`https://user:password@host/`)."""
    if not url.userinfo:
        return {}
    user, _, password = url.userinfo.partition(b":")
    token = base64.b64encode(unquote_to_bytes(user) + b":" + unquote_to_bytes(password)).decode("ascii")
    return {"Authorization": f"Basic {token}"}


def _check_status(url: URL, status: int, headers: Headers) -> None:
    if status in _DOCUMENT:
        return
    phrase = HTTPStatus(status).phrase if status in _KNOWN_STATUSES else ""
    message = f"{host_of(url)} answered with status {status} {phrase}".rstrip() + "."
    if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise TransientFailure(message, reason=str(status), retry_after=headers.get("retry-after", ""))
    raise DownloadFailed(message)


def _body(url: URL, response: Response, headers: Headers, limits: TransferLimits, call: Call) -> bytes:
    """Return the unpacked body, stopping at the limit whatever the server says of its length."""
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding not in _GZIP | {"identity", ""}:
        raise DownloadFailed(f"{host_of(url)} sends an encoding that was not requested ({excerpt(encoding, 20)}).")
    declared = headers.get("content-length", "")
    if declared.isdecimal() and len(declared) < _MAX_LENGTH_DIGITS and int(declared) > limits.max_bytes:
        raise _too_large(url, limits)
    received = _bounded(url, cast("Iterable[bytes]", response.iter_stream()), limits)
    pieces = _bounded(url, _unpacked(url, received), limits) if encoding in _GZIP else received
    parts: list[bytes] = []
    for piece in pieces:
        call.check()
        parts.append(piece)
    return b"".join(parts)


def _bounded(url: URL, parts: Iterable[bytes], limits: TransferLimits) -> Iterator[bytes]:
    size = 0
    for part in parts:
        size += len(part)
        if size > limits.max_bytes:
            raise _too_large(url, limits)
        yield part


def _unpacked(url: URL, parts: Iterable[bytes]) -> Iterator[bytes]:
    """Unpack gzip, which may have several members; what follows the last one is ignored, as `gzip` does.

    Raises:
        DownloadFailed: It is damaged.
        TransientFailure: It ends early.
    """
    unpacker = None
    is_begun = False
    for received in parts:
        packed = received
        while packed:
            if unpacker is None:
                if is_begun and not packed.startswith(_GZIP_MAGIC[: len(packed)]):
                    return
                unpacker, is_begun = zlib.decompressobj(_GZIP_BITS), True
            try:
                yield unpacker.decompress(packed, _PIECE_BYTES)
            except zlib.error:
                raise DownloadFailed(f"{host_of(url)} sends damaged gzip data.") from None
            packed = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
            unpacker = None if unpacker.eof else unpacker
    if unpacker is not None:
        yield unpacker.flush()
        if not unpacker.eof:
            raise TransientFailure(f"The gzip data of {host_of(url)} ends early.", reason="connection")


def _too_large(url: URL, limits: TransferLimits) -> DownloadFailed:
    return DownloadFailed(
        f"The document at {host_of(url)} is larger than {limits.max_bytes / MEGABYTE:g} MB, the maximum "
        "(PINCITE_DOWNLOAD_SIZE)."
    )
