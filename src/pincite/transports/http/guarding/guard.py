"""The guard: a layer before every route that checks a request, numbers it, and answers what goes wrong.

In this order: request id, Host, Origin, key, rate limit, size and speed of the body; then the route. It logs only what
it refused: the end of a tool call is logged by the toolbox.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Generator, Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.errors import InternalError, PinciteError
from pincite.model.sizes import KILOBYTE
from pincite.services.access_keys import AccessKey, digest, read_keys
from pincite.services.extraction.capabilities import PREFIX, Capabilities
from pincite.settings import Http
from pincite.text.excerpt import excerpt
from pincite.transports.http.answers import failure, refusal
from pincite.transports.http.exchange import PAGE_PATH, Exchange, Gone, Refused
from pincite.transports.http.guarding import origins
from pincite.transports.http.guarding.bodies import Bodies, replay
from pincite.transports.http.guarding.limiter import RateLimiter, Shares
from pincite.transports.problems import is_below

log = logging.getLogger("pincite.http")

OPEN_PATHS = ("/health", "/docs")
"""Paths that need no key: one says that the server serves, the other leads to a file of the page."""

PAGE_DATA_PATH = f"{PAGE_PATH}/api"
"""The web page needs no key, as it asks for the key; what it shows does."""

OAUTH_PATHS = ("/.well-known", "/register")
"""Where an MCP client that was refused looks for a way to sign in. There is none, and nothing else: a 404 without a key
says so, while a 401 would send the client round in circles."""

CAPABILITY_PATHS = ("/mcp", "/sse", "/messages")
"""Paths that a task's token opens: where its tools are called over MCP."""

STREAMED = (("POST", "/tasks"), ("POST", "/api/uploads"), ("POST", "/ui/api/library"))
"""Requests whose body the route reads as it arrives, under limits of its own: uploads are larger than memory."""

MAX_UNSENT_BYTES = 64_000_000
"""Size of the answers that clients have not read yet, above which no further request is started. Each running call may
add one."""


@dataclass(frozen=True, slots=True)
class Tenant:
    """What the callers with the same grant are served.

    Attributes:
        app: The routes.
        limiter: The rate limit.
    """

    app: ASGIApp
    limiter: RateLimiter


def access_keys(http: Http) -> list[AccessKey]:
    """Return the keys that open a server, the settings' key first.

    Raises:
        ConfigError: See `read_keys`.
    """
    own = http.api_key
    keys = [] if own is None else [AccessKey("key", digest(own.get_secret_value()), http.rate_limit)]
    return keys if http.keys is None else [*keys, *read_keys(http.keys)]


class Guard:
    """The layer before the routes.

    Args:
        default: For callers without a key: everything if no key is needed, else what is open.
        http: The settings.
        tenants: What each key opens.
        capabilities: Finds what a task's token opens; None if tokens are not known here.
    """

    def __init__(
        self, default: Tenant, http: Http, tenants: Mapping[AccessKey, Tenant], capabilities: Capabilities | None = None
    ) -> None:
        self._default = default
        self._http = http
        # Found by its hash: how long that takes tells nothing of the key.
        self._tenants = {key.digest: (key, tenant) for key, tenant in tenants.items()}
        self._page_limiter = RateLimiter(http.page_rate_limit, "PINCITE_PAGE_RATE_LIMIT")
        self._capabilities = capabilities
        self._running: set[Exchange] = set()
        self._bodies = Bodies(http)
        self._shares = Shares(http.caller_connections)
        self._unsent = 0
        self._sent = asyncio.Event()
        self._is_stopping = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request (ASGI)."""
        if scope["type"] != "http":
            await self._default.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        exchange = Exchange(
            caller=origins.caller_address(self._http, scope, headers),
            is_foreign=origins.is_foreign(self._http, headers.get("host", ""), headers.get("origin")),
        )
        answer = _Answer(self, exchange, send)
        self._running.add(exchange)
        try:
            with self._shares.held(exchange.caller):
                await self._admitted(exchange, answer, scope, headers, receive)
        except (Refused, PinciteError) as error:
            self._log_refused(exchange, scope, error)
            await answer.fail(scope, receive, error)
        except Gone:
            log.debug("client.gone", extra={"rid": exchange.request_id})
        except Exception:  # the outermost handler of a request: the log has the traceback, the caller an id
            log.exception("request.unhandled_error", extra={"rid": exchange.request_id, "url": _shown(scope)})
            rid = exchange.request_id
            error = InternalError(f"Internal error. The server's log says why, under request id {rid}.")
            await answer.fail(scope, receive, error)
        finally:
            self._running.discard(exchange)

    def stop(self) -> None:
        """Refuse every further request: the server is stopping."""
        self._is_stopping = True

    def stop_calls(self) -> None:
        """Stop the running calls; each answers that it was stopped."""
        for exchange in self._running:
            exchange.stop.set()

    async def _admitted(
        self, exchange: Exchange, answer: "_Answer", scope: Scope, headers: Headers, receive: Receive
    ) -> None:
        path, method = scope["path"], scope["method"]
        self._check_headers(scope)
        origins.check_host(self._http, headers.get("host", ""))
        answer.headers |= origins.cors_headers(self._http, path, headers.get("host", ""), headers.get("origin"))
        if method == "OPTIONS" and "access-control-request-method" in headers:
            requested = headers.get("access-control-request-headers", "")
            await answer.empty(204, origins.preflight_headers(requested))
            return
        tenant = self._default
        if not (_is_open(path) and method in {"GET", "HEAD"}) and not is_below(path, *OAUTH_PATHS):
            tenant = self._tenant_of(exchange, headers, path)
        if self._is_stopping:
            raise Refused(503, "TIMEOUT", "The server is stopping.", {"connection": "close"})
        if is_below(path, "/api") or path == "/tasks":
            tenant.limiter.charge(exchange.caller)
        if is_below(path, PAGE_DATA_PATH):
            self._page_limiter.charge(exchange.caller)
        if (method, path) in STREAMED:
            await self._room_for_answers()
            exchange.attach(scope)
            await tenant.app(scope, receive, answer)
            return
        async with self._bodies.read_body(headers, method, receive) as body:
            await self._room_for_answers()
            exchange.attach(scope)
            async with _watched(exchange, receive):
                await tenant.app(scope, replay(body, receive), answer)

    def _check_headers(self, scope: Scope) -> None:
        fields = [scope["raw_path"], scope["query_string"], *(part for header in scope["headers"] for part in header)]
        if sum(map(len, fields)) > self._http.max_header * KILOBYTE:
            message = f"The request's line and headers are larger than {self._http.max_header} kB (PINCITE_MAX_HEADER)."
            raise Refused(431, "VALIDATION_ERROR", message, {"connection": "close"})

    def _tenant_of(self, exchange: Exchange, headers: Headers, path: str) -> Tenant:
        """Return what the key, or the token, of a request opens."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        bearer = token.strip() if scheme.lower() == "bearer" else ""
        if bearer.startswith(PREFIX) and self._capabilities is not None:
            # Whoever presents a token has what it opens and no more, also where no key is needed.
            exchange.capability = self._capabilities.find(bearer)
            if exchange.capability is None:
                raise Refused(401, "AUTH_ERROR", "The task's token has expired", {"www-authenticate": "Bearer"})
            if not is_below(path, *CAPABILITY_PATHS):
                raise Refused(403, "AUTH_ERROR", "A task's token opens its tools over MCP and nothing else")
            return self._default
        if not self._http.needs_key:
            return self._default
        for given in (headers.get("x-api-key", ""), bearer):
            if opened := self._tenants.get(digest(given)):
                key, tenant = opened
                exchange.caller = f"key {key.name}"
                return tenant
        raise Refused(401, "AUTH_ERROR", "Authentication required", {"www-authenticate": "Bearer"})

    async def _room_for_answers(self) -> None:
        while self._unsent > MAX_UNSENT_BYTES:
            self._sent.clear()
            await self._sent.wait()

    @contextlib.contextmanager
    def sending(self, size: int) -> Generator[None]:
        """Count an answer that the client has not read yet."""
        self._unsent += size
        try:
            yield
        finally:
            self._unsent -= size
            self._sent.set()

    def _log_refused(self, exchange: Exchange, scope: Scope, error: Refused | PinciteError) -> None:
        refused = refusal(error, scope["path"])
        log.warning(
            "request.refused",
            extra={
                "rid": exchange.request_id,
                "url": _shown(scope),
                "status": refused.status,
                "code": refused.code,
                "problem": refused.message,
            },
        )


class _Answer:
    """The answer of an exchange; a `Send` of ASGI that adds the guard's headers."""

    def __init__(self, guard: Guard, exchange: Exchange, send: Send) -> None:
        self.headers = {"x-request-id": exchange.request_id, "x-content-type-options": "nosniff"}
        self._guard = guard
        self._exchange = exchange
        self._send = send
        self._is_started = False

    async def __call__(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self._is_started = True
            await self._send({**message, "headers": [*message.get("headers", ()), *_encoded(self.headers)]})
            return
        if not message.get("more_body", False):
            self._exchange.is_answered = True
        with self._guard.sending(len(message.get("body", b""))):
            await self._send(message)

    async def empty(self, status: int, headers: dict[str, str]) -> None:
        """Send an answer without a body."""
        await self({"type": "http.response.start", "status": status, "headers": _encoded(headers)})
        await self({"type": "http.response.body"})

    async def fail(self, scope: Scope, receive: Receive, error: Refused | PinciteError) -> None:
        """Send an error; nothing if an answer has begun: its connection is closed instead."""
        if not self._is_started:
            await failure(scope["path"], error)(scope, receive, self)


@contextlib.asynccontextmanager
async def _watched(exchange: Exchange, receive: Receive) -> AsyncGenerator[None]:
    """Set the exchange's `stop` if the client disconnects before it has its answer."""

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        if not exchange.is_answered:
            exchange.stop.set()

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()


def _is_open(path: str) -> bool:
    return path in OPEN_PATHS or (is_below(path, PAGE_PATH) and not is_below(path, PAGE_DATA_PATH))


def _encoded(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


def _shown(scope: Scope) -> str:
    return f"{scope['method']} {excerpt(scope['path'])}"
