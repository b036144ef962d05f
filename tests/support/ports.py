"""Ports of this machine."""

import random
import socket
from contextlib import suppress


def free_port() -> int:
    """A port of loopback that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def lasting_port() -> int:
    """A port of loopback that nothing listens on, and that no connection gets while its server is down."""
    for port in random.sample(range(20_000, 32_000), 100):  # below the ports that systems give to connections
        with suppress(OSError):
            socket.create_server(("127.0.0.1", port)).close()
            return port
    raise RuntimeError("No port of a hundred is free.")
