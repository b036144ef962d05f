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
    server = ChromaServer(folder, port or free_port())
    try:
        server.start()
        yield server.url
    finally:
        server.kill()


class ChromaServer:
    """A server over a folder that can be killed and started again at its address."""

    def __init__(self, folder: Path, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        command = str(Path(sys.executable).with_name("chroma"))
        self._command = [command, "run", "--path", str(folder), "--port", str(port), "--host", "127.0.0.1"]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers; again if it ends, as while another program has its port."""
        deadline = time.monotonic() + SECONDS
        while True:
            self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
            while self._process.poll() is None:
                if is_up(self.url):
                    return
                if time.monotonic() > deadline:
                    raise TimeoutError(f"ChromaDB's server does not answer within {SECONDS:g} s.")
                time.sleep(0.05)
            if time.monotonic() > deadline:
                raise ChildProcessError(f"ChromaDB's server ended with {self._process.returncode}.")
            time.sleep(1)

    def kill(self) -> None:
        """Kill it without warning (`kill -9`), and wait until it is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def is_up(url: str) -> bool:
    """Whether it answers."""
    try:
        with urllib.request.urlopen(f"{url}/api/v2/heartbeat", timeout=5):  # noqa: S310 - http alone
            return True
    except OSError:
        return False
