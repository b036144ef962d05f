"""The address of a server over HTTP, and what answers there."""

import http.client
import ipaddress
import json
import re
import ssl
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from pincite.errors import InvalidInput
from pincite.text.excerpt import excerpt
from pincite.text.names.hosts import is_loopback

HTTP_TRANSPORTS = {"/mcp": "http", "/sse": "sse"}
"""End of a URL's path to the transport there, as clients name it: streamable HTTP, or the deprecated SSE."""

DEFAULT_PATH = "/mcp"
PROBE_SECONDS = 3.0
"""Timeout of each of the two requests of a probe."""

MAX_PROBE_BYTES = 64_000
"""What is read of an answer; ours are smaller, others' do not matter."""

_REQUEST_ID = re.compile("[0-9a-f]{12}")
_LISTENING = "0A"
"""The state of a listening socket in /proc/net/tcp (`TCP_LISTEN` of the kernel's tcp_states.h)."""

PROC_TABLES = ("tcp", "tcp6")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The URL of a server's MCP interface.

    Attributes:
        url: The whole URL.
        transport: `http` (streamable HTTP) or `sse`.
    """

    url: str
    transport: str

    @property
    def label(self) -> str:
        """Host and port, as a part of a name."""
        return re.sub(r"[^\w.-]+", "-", self._parts.netloc).strip("-")

    @property
    def is_loopback(self) -> bool:
        """Whether the URL leads to this machine."""
        return is_loopback(self._parts.hostname or "")

    @property
    def is_encrypted(self) -> bool:
        """Whether its requests are encrypted."""
        return self._parts.scheme == "https"

    @property
    def root(self) -> str:
        """The URL above the interface, without a slash at its end; `/health` is below it."""
        return self.url.rpartition("/")[0]

    @property
    def _parts(self) -> SplitResult:
        return urlsplit(self.url)


def endpoint(url: str) -> Endpoint:
    """Return the endpoint of a URL; `/mcp` if it names a host alone.

    Raises:
        InvalidInput: It is no http or https URL, holds a user name or a query, or its path is neither interface's.
    """
    shown = excerpt(url)
    parts = _split(url.strip())
    if parts is None:
        raise InvalidInput(f"{shown!r} is no URL of a server. Write one, as http://127.0.0.1:8000/mcp.")
    if parts.username is not None or parts.query or parts.fragment:
        raise InvalidInput(
            "Leave user name, password, query and fragment out of the URL: a client's configuration is no place for "
            "secrets, and the key is passed in a header."
        )
    path = parts.path.rstrip("/") or DEFAULT_PATH
    transport = HTTP_TRANSPORTS.get(f"/{path.rpartition('/')[2]}")
    if transport is None:
        raise InvalidInput(f"The path of {shown!r} names no interface. End it in /mcp (streamable HTTP) or /sse (SSE).")
    return Endpoint(f"{parts.scheme}://{parts.netloc}{path}", transport)


def _split(url: str) -> SplitResult | None:
    """Return the parts of an http or https URL; None if it is none, or has characters that a client may interpret."""
    try:
        parts = urlsplit(url)
        is_complete = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return None if not is_complete or re.search(r"[\s\\${}]", url) else parts


class Listener(StrEnum):
    """What answers at a URL."""

    NOTHING = "nothing"
    OTHER = "another program"
    OPEN = "pincite, without a key"
    KEYED = "pincite, with a key"
    STRICT = "pincite, which refuses this Host"


@dataclass(frozen=True, slots=True)
class Probe:
    """The result of a probe.

    Attributes:
        listener: What answers.
        reason: Why nothing answers; else empty.
    """

    listener: Listener
    reason: str = ""


def probe(root: str) -> Probe:
    """Ask what answers at a URL, by two requests without a key: nothing secret is ever sent to a URL that a file names.

    Args:
        root: The URL above the interfaces, as `Endpoint.root`.
    """
    try:
        status, headers, body = _get(root, "/health")
        if status == http.client.MISDIRECTED_REQUEST and _has_request_id(headers):
            return Probe(Listener.STRICT)
        if status != http.client.OK or not _has_request_id(headers) or _json(body).get("status") is None:
            return Probe(Listener.OTHER)
        status, _, _ = _get(root, "/")
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Probe(Listener.NOTHING, _reason(error))
    return Probe(Listener.KEYED if status == http.client.UNAUTHORIZED else Listener.OPEN)


def answer_of(url: str, path: str) -> tuple[int | None, str]:
    """Return the status that a GET without a key is answered with, or None and why there is no answer."""
    try:
        return _get(url, path)[0], ""
    except (OSError, http.client.HTTPException, ValueError) as error:
        return None, _reason(error)


def _get(root: str, path: str) -> tuple[int, http.client.HTTPMessage, bytes]:
    parts = urlsplit(root)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    with closing(kind(parts.hostname or "", parts.port, timeout=PROBE_SECONDS)) as connection:
        connection.request("GET", f"{parts.path}{path}" or "/", headers={"Accept": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read(MAX_PROBE_BYTES)


def _has_request_id(headers: http.client.HTTPMessage) -> bool:
    return _REQUEST_ID.fullmatch(headers.get("x-request-id", "")) is not None


def _json(body: bytes) -> dict[str, Any]:
    try:
        value: object = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType] - JSON


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message}"
    if isinstance(error, TimeoutError):
        return f"no answer within {PROBE_SECONDS:g} seconds"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return type(error).__name__


def listening_addresses(port: int, tables: Path = Path("/proc/net")) -> set[str] | None:
    """Return the addresses on which this machine listens at a port (Linux); None if that cannot be seen.

    Args:
        port: The port.
        tables: The folder of the kernel's tables of sockets.
    """
    addresses: set[str] = set()
    readable = False
    for name in PROC_TABLES:
        with suppress(OSError):
            lines = (tables / name).read_text(encoding="ascii").splitlines()[1:]
            readable = True
            addresses |= {address for address, local in _listening(lines) if local == port}
    return addresses if readable else None


def _listening(lines: list[str]) -> Iterator[tuple[str, int]]:
    """Yield address and port of each listening socket of a table."""
    for line in lines:
        _, local, _, state, *_ = line.split()
        if state == _LISTENING:
            address, _, port = local.partition(":")
            yield _address(address), int(port, 16)


def _address(digits: str) -> str:
    """Return the address of a table, which has words of 32 bits in the machine's byte order."""
    words = [bytes.fromhex(digits[start : start + 8]) for start in range(0, len(digits), 8)]
    ordered = [word[::-1] for word in words] if sys.byteorder == "little" else words
    return str(ipaddress.ip_address(b"".join(ordered)))
