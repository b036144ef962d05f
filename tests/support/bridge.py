"""pincite's MCP server over streamable HTTP, for what can only test a URL; `pincite serve` itself speaks stdio."""

import contextlib
import socket
import threading
import time
from collections.abc import Generator
from typing import cast

import uvicorn

from pincite.app import App
from pincite.transports.mcp.server import ServedApp, build

SECONDS = 20.0


@contextlib.contextmanager
def over_http(app: App) -> Generator[str]:
    """The URL of a server of the application, on a free port of loopback, while the block runs."""
    served = cast("ServedApp", app)  # the checker takes a cached property for no property
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(build(served).streamable_http_app(), log_level="warning", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            end = time.monotonic() + SECONDS
            while not server.started:
                assert thread.is_alive() and time.monotonic() < end
                time.sleep(0.01)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            thread.join(SECONDS)
            app.close()
