"""A real server of a test's own `folder`."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from behaviour import faces
from support.wire import STATELESS, Serve, Wire, pincite


@pytest.fixture
def serve(folder: Path, tmp_path: Path) -> Iterator[Serve]:
    """Starts servers of the folder by any command; each must end cleanly."""
    started: list[Wire] = []

    def start(command: list[str] | None = None, cwd: Path | None = None, **settings: str) -> Wire:
        env = {**os.environ, **faces.EXACT, "PINCITE_CACHE": str(tmp_path / "cache"), **settings}
        started.append(Wire(command or pincite("serve", str(folder)), env, era=STATELESS, cwd=cwd))
        return started[-1].open()

    yield start
    for server in started:
        assert server.end() == 0
        assert "Traceback" not in "".join(server.log)
