"""The parlour on HTTP: one server for all tests with the usual settings, or one of a test's own."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support import parlour
from support.http_wire import HttpServer

PARLOUR = [sys.executable, str(Path(parlour.__file__))]
Start = Callable[..., HttpServer]


def start_parlour(transport: str, **settings: str) -> HttpServer:
    """A parlour of its own, without a rate limit unless one is set."""
    return HttpServer([*PARLOUR, transport], {**os.environ, "MCP_RATE_LIMIT_RPM": "0", **settings})


@pytest.fixture(scope="session")
def parlour_server() -> Iterator[HttpServer]:
    """A parlour with the usual settings; nothing changes it."""
    with start_parlour("http") as server:
        yield server


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts parlours with settings; each must end cleanly."""
    started: list[HttpServer] = []

    def begin(transport: str = "http", **settings: str) -> HttpServer:
        started.append(start_parlour(transport, **settings))
        return started[-1]

    yield begin
    for server in started:
        assert server.end() == 0
        assert not server.lines
