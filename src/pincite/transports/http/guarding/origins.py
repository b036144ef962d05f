"""Who may call from where: the Host header, the Origin header, and the address of the caller."""

import ipaddress
from asyncio import BaseTransport
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.types import Scope

from pincite.settings import Http
from pincite.text.names.hosts import address as address_of
from pincite.text.names.hosts import is_loopback
from pincite.transports.http.exchange import Refused
from pincite.transports.problems import is_below

CORS_PATHS = ("/api",)
"""Paths for which `*` in CORS_ORIGINS counts."""

OWN_ORIGIN_PATHS = ("/mcp", "/sse", "/messages", "/tasks", "/ui")
"""Paths that pages of another origin may only call if it is named."""

PREFLIGHT_SECONDS = 600
"""How long a browser may remember the answer to a preflight request."""

IPV6_PREFIX = 64
"""A caller with IPv6 has all addresses of such a network."""


def check_host(http: Http, host: str) -> None:
    """Check the Host header.

    A page whose name was rebound to this machine's address sends that name: only known names pass. An address cannot
    be rebound.

    Raises:
        Refused: The name is unknown.
    """
    name = _name(host)
    if address_of(name) is not None or name in {"localhost", http.host, *http.allowed_hosts}:
        return
    raise Refused(
        421,
        "VALIDATION_ERROR",
        "Unknown Host header. Call the server by its address, or name the host in PINCITE_ALLOWED_HOSTS.",
    )


def cors_headers(http: Http, path: str, host: str, origin: str | None) -> dict[str, str]:
    """Return the CORS headers of an answer; none if the page may not read it.

    Raises:
        Refused: The page may not even call.
    """
    if origin is None or _is_own(origin, host):
        return {}
    named = origin.lower() in http.cors_origins
    open_to_all = is_below(path, *CORS_PATHS) and "*" in http.cors_origins
    exposed = {"access-control-expose-headers": "X-Request-Id, Mcp-Session-Id, Retry-After"}
    if named:
        return {"access-control-allow-origin": origin, "vary": "Origin", **exposed}
    if open_to_all:
        return {"access-control-allow-origin": "*", **exposed}
    if is_below(path, *OWN_ORIGIN_PATHS, *CORS_PATHS):
        raise Refused(403, "AUTH_ERROR", "Pages of this origin may not call here. Name the origin in CORS_ORIGINS.")
    return {}


def preflight_headers(requested: str) -> dict[str, str]:
    """Return the further headers of the answer to a preflight request.

    Args:
        requested: The headers that the page wants to send.
    """
    return {
        "access-control-allow-methods": "GET, POST, DELETE",
        "access-control-allow-headers": requested or "content-type, x-api-key, authorization",
        "access-control-max-age": str(PREFLIGHT_SECONDS),
    }


def is_foreign(http: Http, host: str, origin: str | None) -> bool:
    """Return True if a page of another machine calls and nobody decided that it may read the served documents."""
    if origin is None or _is_own(origin, host) or http.is_open_to_pages:
        return False
    return not is_loopback(_name(_authority(origin)))


def peer_address(http: Http, transport: BaseTransport) -> str:
    """Return the address at the other end of a connection; empty if it is a trusted proxy's, or has none."""
    peer: tuple[str, int] | None = transport.get_extra_info("peername")
    address = address_of(peer[0]) if peer else None
    if address is None or any(address in ipaddress.ip_network(network) for network in http.trusted_proxies):
        return ""
    return caller_address(http, {"client": peer}, {})


def caller_address(http: Http, scope: Scope, headers: Mapping[str, str]) -> str:
    """Return the address of the caller, behind trusted proxies."""
    client = scope.get("client")
    address = address_of(client[0]) if client else None
    hops = [hop.strip() for hop in headers.get("x-forwarded-for", "").split(",") if hop.strip()]
    networks = [ipaddress.ip_network(network) for network in http.trusted_proxies] if hops else []
    while address is not None and hops and any(address in network for network in networks):
        address = address_of(_name(hops.pop())) or address
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False))
    return str(address)


def _is_own(origin: str, host: str) -> bool:
    return _authority(origin) == host.strip().lower()


def _authority(origin: str) -> str:
    """Return host and port of an origin; empty for `null` and what is no origin."""
    try:
        return urlsplit(origin.strip().lower()).netloc
    except ValueError:
        return ""


def _name(host: str) -> str:
    """Return a host without its port, in lower case."""
    name = host.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.partition(":")[0] if name.count(":") == 1 else name
