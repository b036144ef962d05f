"""ChromaDB's own server, from its package, on loopback."""

import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from support.ports import free_port

SECONDS = 60.0


@contextmanager
def chroma_server(folder: Path, port: int = 0) -> Generator[str]:
    """Run it over a folder; the address."""
    port = port or free_port()
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(folder), "--port", str(port)]
    with subprocess.Popen(
        [*command, "--host", "127.0.0.1"], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    ) as run:
        try:
            wait_until_up(f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}"
        finally:
            run.kill()


def wait_until_up(url: str) -> None:
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            with urllib.request.urlopen(f"{url}/api/v2/heartbeat", timeout=5):  # noqa: S310 - http alone
                return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
