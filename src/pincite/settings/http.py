"""The server over HTTP."""

import ipaddress
import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr, model_validator
from pydantic_settings import SettingsConfigDict

from pincite.settings.base import FiniteSeconds, Megabytes, Section, UserPath, Words
from pincite.text.names.hosts import address, is_loopback


def _host(value: str) -> str:
    """Accept a host name or an address, without a port."""
    name = value.strip().lower().removeprefix("[").removesuffix("]")
    if address(name) is None and not re.fullmatch(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?", name):
        raise ValueError("write a host name or an address, without port and scheme")
    return name


def _network(value: str) -> str:
    """Accept an address or a network in CIDR form."""
    try:
        return str(ipaddress.ip_network(value, strict=False))
    except ValueError:
        raise ValueError("write addresses or networks, as 10.0.0.2 or 10.0.0.0/8") from None


def _origin(value: str) -> str:
    """Accept `*`, or an origin as a browser sends it."""
    origin = value.rstrip("/").lower()
    if origin != "*" and not re.fullmatch(r"[a-z][a-z0-9+.-]*://[^/\s@]+", origin):
        raise ValueError("write * or origins with scheme and port, as http://localhost:3000")
    return origin


def _key(value: SecretStr) -> SecretStr:
    """Refuse a key that no HTTP header can carry."""
    text = value.get_secret_value()
    if not text.isascii() or not text.isprintable() or text != text.strip():
        raise ValueError("write printable ASCII characters, without a space at either end")
    return value


Host = Annotated[str, AfterValidator(_host)]


class Http(Section):
    """The server of `pincite serve --transport http`."""

    model_config = SettingsConfigDict(env_ignore_empty=False)

    host: Host = Field(
        "127.0.0.1",
        validation_alias="HOST",
        description="Address to listen on; any other than loopback needs MCP_API_KEY or `--insecure`.",
    )
    port: int = Field(
        8000, ge=0, le=65_535, validation_alias="PORT", description="Port to listen on; `0` for a free one."
    )
    api_key: Annotated[SecretStr, AfterValidator(_key)] | None = Field(
        None,
        validation_alias="MCP_API_KEY",
        description="Key that every request but `GET /health` and the files of the pages at `/ui/` and `/docs` must "
        "carry, as `x-api-key` or as a Bearer token.",
    )
    keys: UserPath | None = Field(
        None,
        validation_alias="PINCITE_KEYS",
        description="File of further keys, one a line as `pincite key` prints it: a name, a hash, calls a minute, and "
        "the collections that the key may see.",
    )
    insecure: bool = Field(
        default=False,
        validation_alias="PINCITE_INSECURE",
        description="Listen on another address than loopback without a key.",
    )
    rate_limit: int = Field(
        60,
        ge=0,
        le=1_000_000,
        validation_alias="MCP_RATE_LIMIT_RPM",
        description="Tool calls and `/api` requests a minute for each key or address; `0` for no limit.",
    )
    page_rate_limit: int = Field(
        600,
        ge=0,
        le=1_000_000,
        validation_alias="PINCITE_PAGE_RATE_LIMIT",
        description="Requests a minute of the page at `/ui/` for each key or address; `0` for no limit.",
    )
    picture_cache: Megabytes = Field(
        96.0,
        validation_alias="PINCITE_PICTURE_CACHE",
        description="Maximum size in MB of the pictures of pages that are kept for the page at `/ui/`: at 96, some 250 "
        "pages of a report.",
    )
    cors_origins: Annotated[Words, AfterValidator(lambda origins: tuple(map(_origin, origins)))] = Field(
        ("*",),
        validation_alias="CORS_ORIGINS",
        description="Origins whose pages a browser may let call `/api`, with commas between; `*` for all, empty for "
        "none. Unless it is set or MCP_API_KEY is, pages of other machines may not call tools that read the served "
        "folder. `/mcp` and `/sse` are open to the origins that are named.",
    )
    allowed_hosts: Annotated[Words, AfterValidator(lambda hosts: tuple(map(_host, hosts)))] = Field(
        (),
        validation_alias="PINCITE_ALLOWED_HOSTS",
        description="Further names under which the server is called (the Host header), with commas between; addresses, "
        "`localhost` and HOST are always allowed.",
    )
    trusted_proxies: Annotated[Words, AfterValidator(lambda proxies: tuple(map(_network, proxies)))] = Field(
        (),
        validation_alias="PINCITE_TRUSTED_PROXIES",
        description="Addresses or networks of proxies whose `X-Forwarded-For` names the caller, with commas between.",
    )
    sse: bool = Field(
        default=True, validation_alias="PINCITE_SSE", description="Serve the deprecated SSE transport at `/sse` too."
    )
    uploads: bool = Field(
        default=False,
        validation_alias="PINCITE_UPLOADS",
        description="Let people add files to the library from the page at `/ui/`.",
    )
    max_request: Megabytes = Field(
        4.0, validation_alias="PINCITE_MAX_REQUEST", description="Maximum size of a request's body in MB."
    )
    max_header: int = Field(
        32,
        ge=4,
        le=1024,
        validation_alias="PINCITE_MAX_HEADER",
        description="Maximum size of a request's line and headers in kB.",
    )
    max_connections: int = Field(
        512,
        ge=1,
        le=100_000,
        validation_alias="PINCITE_MAX_CONNECTIONS",
        description="Maximum number of open connections; further ones are answered with status 503.",
    )
    caller_connections: int = Field(
        256,
        ge=1,
        le=100_000,
        validation_alias="PINCITE_CALLER_CONNECTIONS",
        description="Maximum number of open connections of one address, or of requests of a caller behind a trusted "
        "proxy; further ones are answered with status 429.",
    )
    request_timeout: FiniteSeconds = Field(
        15.0,
        gt=0,
        validation_alias="PINCITE_REQUEST_SECONDS",
        description="Seconds that a client may take to send its request (over SSE, to send `initialize`), and to read "
        "on when an answer waits for it.",
    )
    max_sessions: int = Field(
        1_000,
        ge=1,
        le=100_000,
        validation_alias="PINCITE_MAX_SESSIONS",
        description="Maximum number of MCP sessions; a further one ends the one that was idle longest.",
    )
    session_idle: FiniteSeconds = Field(
        1800.0,
        gt=0,
        validation_alias="PINCITE_SESSION_IDLE",
        description="Seconds without a request or an open stream after which an MCP session ends.",
    )
    stop_timeout: FiniteSeconds = Field(
        5.0,
        validation_alias="PINCITE_STOP_SECONDS",
        description="Seconds that running calls may take to end when the server is stopped.",
    )

    @property
    def needs_key(self) -> bool:
        """Whether requests must carry a key."""
        return self.api_key is not None or self.keys is not None

    @property
    def is_exposed(self) -> bool:
        """Whether other machines could read the documents without a key, and nobody insists on it."""
        return not self.needs_key and not self.insecure and not is_loopback(self.host)

    @property
    def is_open_to_pages(self) -> bool:
        """Whether somebody decided which pages may read the served documents, by a key or by CORS_ORIGINS."""
        return self.needs_key or "cors_origins" in self.model_fields_set

    @model_validator(mode="before")
    @classmethod
    def _unset_empty(cls, values: Mapping[str, object]) -> Mapping[str, object]:
        """Treat empty values as unset, as everywhere, but for CORS_ORIGINS: there, empty means none."""
        return {name: value for name, value in values.items() if value != "" or name == "CORS_ORIGINS"}
