"""Which URLs are fetched, and how they are named in logs and answers."""

import unicodedata

from httpx2 import URL, InvalidURL

from pincite.errors import DownloadFailed, InvalidInput
from pincite.text.excerpt import excerpt

MAX_URL_CHARS = 2048
"""The limit of contract 4; browsers and proxies accept no longer ones reliably."""

_SCHEMES = ("http", "https")
_MAX_SHOWN_CHARS = 200
_MAX_PORT = 65_535
_FIRST_USER_PORT = 1024
"""Below it are the operating system's services (mail, files, remote shells)."""

_WEB_PORTS = frozenset({80, 443})

_SERVICE_PORTS = frozenset({
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
})  # fmt: skip
"""Ports from 1024 up that browsers refuse to call ("bad ports" of the WHATWG Fetch standard): services that would take
a request's lines for commands."""

_DATABASE_PORTS = frozenset({
    1433, 1521, 2379, 2380, 3306, 5432, 5672, 6379, 9042, 9092, 9200, 9300, 11211, 27017,
})  # fmt: skip
"""Ports of databases and queues, which hold no documents, and some of which obey whoever reaches them."""


def parse(written: str, argument: str = "document_url") -> URL:
    """Return a URL as it will be requested, without its fragment.

    Args:
        written: As the caller wrote it.
        argument: The name of the argument, for messages.

    Raises:
        InvalidInput: It is empty, longer than 2048 characters, not http or https, without a host, or holds a space
            or a control character.
        DownloadFailed: Its port is not one that documents are served on.
    """
    if not written:
        raise InvalidInput(f"{argument} is empty. Give an http or https URL.")
    if len(written) > MAX_URL_CHARS:
        raise InvalidInput(f"{argument} has {len(written):,} characters; the maximum is {MAX_URL_CHARS:,}.")
    if any(character.isspace() or unicodedata.category(character) in {"Cc", "Cs"} for character in written):
        raise InvalidInput(f"{argument} holds a space or a control character. Write it percent-encoded.")
    try:
        url = URL(written).copy_with(fragment=None)
    except (InvalidURL, ValueError):
        raise InvalidInput(f"{argument} is not a valid URL. Give an http or https URL.") from None
    if url.scheme not in _SCHEMES or not url.host:
        raise InvalidInput(f"{argument} must be an http or https URL, as https://example.com/report.pdf.")
    if url.port is not None and not 0 < url.port <= _MAX_PORT:
        raise InvalidInput(f"{argument} has port {url.port}; ports are 1 to {_MAX_PORT}.")
    _check_port(url)
    return url


def redirected(url: URL, location: str) -> URL:
    """Return where a redirect leads.

    Credentials of a URL stay with its own host: a target that names a host has only those that it names itself.

    Args:
        url: The URL that was requested.
        location: The `Location` of the answer.

    Raises:
        DownloadFailed: It is not an http or https URL that may be fetched.
    """
    try:
        target = url.join(location)
        return parse(str(target), "The redirect")
    except (InvalidURL, ValueError, InvalidInput):
        raise DownloadFailed(f"{host_of(url)} redirects to something that is not an http or https URL.") from None


def without_credentials(url: URL) -> str:
    """Return a URL without user name and password."""
    return str(url.copy_with(userinfo=b"")) if url.userinfo else str(url)


def loggable(url: URL) -> str:
    """Return a URL for the log: without what may be secret, its credentials and the values of its query."""
    shown = without_credentials(url.copy_with(query=None))
    return excerpt(f"{shown}?…" if url.query else shown, _MAX_SHOWN_CHARS)


def host_of(url: URL) -> str:
    """Return the host of a URL for a message."""
    return excerpt(url.raw_host.decode("ascii", "replace"), _MAX_SHOWN_CHARS)


def default_port(url: URL) -> int:
    """Return the port that a URL is requested from."""
    return url.port or (443 if url.scheme == "https" else 80)


def _check_port(url: URL) -> None:
    port = default_port(url)
    is_service = port < _FIRST_USER_PORT or port in _SERVICE_PORTS or port in _DATABASE_PORTS
    if is_service and port not in _WEB_PORTS:
        raise DownloadFailed(f"Port {port} is not one that documents are served on: it is not called.")
