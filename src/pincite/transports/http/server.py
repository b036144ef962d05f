"""The HTTP server: its socket, its begin and its end."""

import asyncio
import contextlib
import errno
import gc
import logging
import socket
import sys
import threading
from collections.abc import Callable, Generator
from functools import partial
from types import FrameType

import uvicorn

from pincite.errors import ConfigError, ConnectionFailed
from pincite.model.sizes import KILOBYTE
from pincite.runtime.signals import INTERRUPT, on_stop
from pincite.settings import Http
from pincite.transports import served
from pincite.transports.http.app import Interfaces, Surface, build_http
from pincite.transports.http.guarding.connection import connection_class
from pincite.transports.http.guarding.limiter import Shares
from pincite.transports.http.guarding.origins import peer_address
from pincite.transports.served import Background, Ready, ServedApp, unannounced

log = logging.getLogger("pincite.http")

BACKLOG = 1024
_LAST_SECONDS = 1.0
"""Time after `PINCITE_STOP_SECONDS` in which stopped calls may still be answered."""
OVERDUE_SECONDS = 5.0
"""Time after `PINCITE_STOP_SECONDS` after which the process ends, whatever its threads still do."""


def serve_http(app: ServedApp, ready: Ready = unannounced, interrupted: int = 0) -> None:
    """Serve REST and MCP on one port until the process receives SIGTERM or SIGINT; see `serve`.

    Raises:
        ConfigError: The address cannot be used, or may not without a key.
    """
    _serve(app, Interfaces(), ready, interrupted)


def serve_rest(app: ServedApp, ready: Ready = unannounced, interrupted: int = 0) -> None:
    """Serve REST alone; see `serve_http`."""
    _serve(app, Interfaces(mcp=False, sse=False), ready, interrupted)


def serve_streamable_http(app: ServedApp, ready: Ready = unannounced, interrupted: int = 0) -> None:
    """Serve MCP over streamable HTTP alone; see `serve_http`."""
    _serve(app, Interfaces(rest=False, sse=False), ready, interrupted)


def serve_sse(app: ServedApp, ready: Ready = unannounced, interrupted: int = 0) -> None:
    """Serve MCP over SSE alone; see `serve_http`."""
    _serve(app, Interfaces(rest=False, mcp=False), ready, interrupted)


def serve_mcp(app: ServedApp, ready: Ready = unannounced, interrupted: int = 0) -> None:
    """Serve MCP alone, over streamable HTTP and SSE, as a tool server does; see `serve_http`."""
    _serve(app, Interfaces(rest=False), ready, interrupted)


def check_exposure(http: Http) -> None:
    """Check that nobody else can read the documents without a key.

    Raises:
        ConfigError: The address is not loopback, there is no key, and nobody insists.
    """
    if http.is_exposed:
        raise ConfigError(
            f"{http.host} can be reached from other machines, and MCP_API_KEY is not set: anybody could read the "
            "documents. Set MCP_API_KEY, listen on 127.0.0.1, or insist with --insecure."
        )


def _serve(app: ServedApp, interfaces: Interfaces, ready: Ready, interrupted: int) -> None:
    serve(app, lambda: build_http(app, interfaces), ready, interrupted)


def serve(app: Background, build: Callable[[], Surface], ready: Ready = unannounced, interrupted: int = 0) -> None:
    """Serve what `build` returns until the process receives SIGTERM or SIGINT; call `ready` once that begins.

    End the process with `interrupted` after SIGINT, or at once if a thread cannot be stopped; return otherwise.

    Raises:
        ConfigError: The address cannot be used, or may not without a key.
        ConnectionFailed: Another program listens there.
    """
    http = app.settings.http
    check_exposure(http)
    with listening(http) as listener:
        # Only once the port is ours: what is built now is of no use otherwise.
        server = _Server(app, build(), ready, interrupted)
        gc.freeze()  # what was imported lives until the end
        server.run([listener])
    server.overdue.cancel()
    served.close(app)
    served.end(server.exit_code)


@contextlib.contextmanager
def listening(http: Http) -> Generator[socket.socket]:
    """Return a socket that listens at the address of the settings.

    Raises:
        ConfigError: The address cannot be used.
        ConnectionFailed: Another program listens there.
    """
    family = socket.AF_INET6 if ":" in http.host else socket.AF_INET
    # asyncio sends small packets at once only if a socket names its protocol: without, each answer waits 40 ms.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        if sys.platform != "win32":  # there, it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((http.host, http.port))
        except OSError as error:
            # A port that is taken may be free at the next start: no fault of the configuration.
            kind = ConnectionFailed if error.errno == errno.EADDRINUSE else ConfigError
            raise kind(
                f"Cannot listen on {http.host}, port {http.port}: {error.strerror or error}. Choose another --port "
                "(0 for a free one) or --host."
            ) from None
        listener.listen(BACKLOG)
        yield listener


class _Server(uvicorn.Server):
    """uvicorn's server, which tells running calls that it stops, and returns after a signal."""

    def __init__(self, app: Background, surface: Surface, ready: Ready, interrupted: int) -> None:
        http = app.settings.http
        super().__init__(
            uvicorn.Config(
                surface.guard,
                http=connection_class(
                    http.request_timeout, Shares(http.caller_connections), partial(peer_address, http)
                ),
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,  # the guard knows which proxies are trusted
                limit_concurrency=http.max_connections,
                h11_max_incomplete_event_size=2 * http.max_header * KILOBYTE,  # the guard refuses what is over one
                timeout_keep_alive=max(1, int(http.request_timeout)),
                timeout_graceful_shutdown=int(http.stop_timeout + _LAST_SECONDS) or 1,
            )
        )
        self._app = app
        self._surface = surface
        # The event loop waits for threads that do not listen, and the interpreter for the event loop.
        self.overdue = threading.Timer(http.stop_timeout + OVERDUE_SECONDS, lambda: served.exit_now(self.exit_code))
        self.overdue.daemon = True
        self._ready, self._interrupted, self.exit_code = ready, interrupted, 0

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, say so, and begin to index."""
        await super().startup(sockets)
        host, port, *_ = (sockets or self.servers[0].sockets)[0].getsockname()
        shown = f"[{host}]" if ":" in host else host
        url = f"http://{shown}:{port}"
        log.info("server.ready", extra={"url": url})
        self._ready(url)
        threading.Thread(target=served.begin, args=(self._app,), name="pincite-begin", daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Refuse new requests, end the streams, and let running calls end, or stop them and let them say so."""
        log.info("server.stopping")
        self._surface.guard.stop()
        self._surface.end_streams()
        seconds, tasks = self._app.settings.http.stop_timeout, self._surface.tasks
        stopping = asyncio.get_running_loop().call_later(seconds, self._surface.guard.stop_calls)
        # At the same time: what works on a task is given as long as a running call.
        ended = None if tasks is None else asyncio.create_task(asyncio.to_thread(tasks.stop, seconds))
        await super().shutdown(sockets)
        stopping.cancel()
        if ended is not None:
            await ended

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Stop on a signal. uvicorn raises it again at the end, which would kill the process before it has closed."""
        with on_stop(self.handle_exit):
            yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; at once with a second signal."""
        self.exit_code = self._interrupted if sig == INTERRUPT else self.exit_code
        if self.should_exit:
            self.force_exit = True
        else:
            self.overdue.start()
        super().handle_exit(sig, frame)
