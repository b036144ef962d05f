"""What a server sends and leaves behind: nothing, and nothing but its own cache."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest

from behaviour import faces
from support import office
from support.archives import odt
from support.pdfs import pdf, prose
from support.pictures import picture
from support.waiting import pause, wait_for
from support.wire import Wire, pincite

pytestmark = pytest.mark.slow

FIRST_UPLOADS_SECONDS, UPLOADS_SECONDS = 30.0, 60.0
"""ONNX Runtime's first upload comes 10 s after its import, the next ones after 15 and 23 s."""

POLL_SECONDS = 0.02
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "ftp_proxy")
MIXED = {
    "mail.eml": b"From: a@b.example\nTo: c@d.example\nSubject: Keys\n\nRotate the zebra keys.\n",
    "note.rtf": rb"{\rtf1\ansi Rotate the zebra keys.\par}",
    "page.html": b'<!DOCTYPE html SYSTEM "http://dtd.example/x.dtd"><link rel=stylesheet href="http://css.example/a.css">'
    b'<img src="http://image.example/a.png"><h1>Page</h1><p>Rotate the zebra keys.',
    "page.md": b"# Page\n\nRotate the zebra keys. ![](http://image.example/a.png)\n",
    "table.csv": b"key,month\nzebra,May\n",
}


class Proxy:
    """A listener that every client of HTTP is told to go through; it lets nobody through.

    Native code honours the proxy variables as Python does: what wants to reach any host by HTTP comes here first,
    on every platform and with no right but to listen. Nothing that is short is missed, as by looking now and then.

    Attributes:
        requests: The first line of each request.
    """

    def __init__(self) -> None:
        self.requests: list[str] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._listen, daemon=True)

    @property
    def environment(self) -> dict[str, str]:
        url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        return {form: url for name in PROXIES for form in (name, name.upper())}

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        # Closing alone does not wake a thread that waits in `accept`.
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(1)
                first = b""
                with contextlib.suppress(OSError):
                    first = connection.recv(4096)
                self.requests.append(first.split(b"\r\n")[0].decode("ascii", "replace"))


class Sockets:
    """Looks every 20 ms which internet sockets a process and its children have open (Linux; elsewhere none are seen).

    Name look-ups and whatever asks no proxy show here, as long as they take longer than that.

    Attributes:
        seen: The table that lists each (`tcp`, `udp6` …) and its line there.
    """

    def __init__(self, process: int) -> None:
        self.seen: set[tuple[str, str]] = set()
        self._process = process
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(POLL_SECONDS):
            for process in family(self._process):
                with contextlib.suppress(OSError):  # it has just ended
                    self.seen |= internet_sockets(process)


def family(process: int) -> list[int]:
    """A process and all that it started."""
    found = [process]
    for parent in found:
        for tasks in Path(f"/proc/{parent}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found += map(int, tasks.read_text().split())
    return found


def internet_sockets(process: int) -> set[tuple[str, str]]:
    links: set[str] = set()
    for descriptor in Path(f"/proc/{process}/fd").glob("*"):
        with contextlib.suppress(OSError):
            links.add(str(descriptor.readlink()))
    inodes = {link.removeprefix("socket:[").rstrip("]") for link in links if link.startswith("socket:[")}
    found: set[tuple[str, str]] = set()
    for table in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6"):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]
            found |= {(table, line.strip()) for line in lines if inodes & set(line.split())}
    return found


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Every part that may hold code of others gets something to read."""
    made = {"a.docx": office.docx(), "a.pptx": office.pptx(), "a.xlsx": office.xlsx(), "a.pdf": pdf(prose(times=3))}
    more = {"a.odt": odt("<text:p>Rotate the zebra keys.</text:p>"), "a.png": picture({"Title": "Zebra"})}
    return faces.write(tmp_path / "docs", {**MIXED, **made, **more})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder and a folder for temporary files in which nothing is yet."""
    for name in ("tmp", "cache", "config", "data", "state", "run"):
        (tmp_path / "home" / name).mkdir(parents=True)
    return tmp_path / "home"


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    with Proxy() as listening:
        yield listening


@pytest.fixture
def environment(home: Path, tmp_path: Path, model_cache: Path, proxy: Proxy) -> dict[str, str]:
    """That of a user with the model, from whom nothing is known but what pincite does itself."""
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "models").symlink_to(model_cache)
    ours = ("ORT_", "HF_", "OTEL_", "PINCITE_", "EMBEDDING_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours) and name != "DO_NOT_TRACK"}
    own = {f"XDG_{name.upper()}_HOME": str(home / name) for name in ("cache", "config", "data", "state")}
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(home / "tmp"))
    return {
        **{name: value for name, value in kept.items() if name.lower() != "no_proxy"},
        **own,
        **temporary,
        **proxy.environment,
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(home / "run"),
        "PINCITE_CACHE": str(tmp_path / "cache"),
        "PINCITE_MODEL_GRACE": "inf",
        "PINCITE_FRESH_BUDGET": "60",
    }


def work(server: Wire) -> None:
    """What a session does: index every format, search by meaning, read, ask for the state."""
    answer = told(server, "search_docs", query="when are the zebra keys rotated", top_k=20)
    assert answer["search_type"] == "hybrid", answer
    assert {"mail.eml", "a.odt", "page.html"} <= {hit["metadata"]["file_path"] for hit in answer["results"]}
    assert told(server, "get_page", file_path="page.html")["chunks"]
    assert told(server, "get_status")["index"]["total_pages"] >= len(MIXED)


def told(server: Wire, tool: str, **arguments: Any) -> dict[str, Any]:
    result = server.call(tool, arguments)
    assert not result["isError"], result
    return result["structuredContent"]


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


@pytest.mark.parametrize(
    "seconds",
    [
        0,
        FIRST_UPLOADS_SECONDS,
        pytest.param(UPLOADS_SECONDS, marks=pytest.mark.long),
    ],
)
def test_a_server_opens_no_connection_and_leaves_no_file_of_another(
    docs: Path, home: Path, tmp_path: Path, environment: dict[str, str], proxy: Proxy, seconds: float
) -> None:
    wire = Wire(pincite("serve", str(docs)), environment, cwd=docs, start=subprocess.Popen)
    with wire as server, Sockets(server.process.pid) as sockets:
        server.open()
        work(server)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            pause(1, "it may call home")
            told(server, "search_docs", query="zebra")
    assert proxy.requests == []
    assert sockets.seen == set()
    assert files(home) == []
    assert {path.parts[0] for path in map(Path, files(tmp_path / "cache"))} == {"folders"}
    assert not {name for name in files(docs) if name.startswith(".")}


def test_a_search_at_a_shell_opens_no_connection_and_leaves_no_file_of_another(
    docs: Path, home: Path, environment: dict[str, str], proxy: Proxy
) -> None:
    command = pincite("search", "when are the zebra keys rotated", "--docs", str(docs), "--json")
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert '"hybrid"' in ran.stdout
    assert (proxy.requests, files(home)) == ([], [])


def test_what_it_would_see_is_seen(environment: dict[str, str], proxy: Proxy) -> None:
    """The two nets of this module catch what they are for."""
    code = """
import socket, sys, urllib.request
try:
    urllib.request.urlopen("http://vendor.example/collect", timeout=5)
except OSError:
    pass
lookup = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
lookup.connect(("127.0.0.1", 53))
print("open", flush=True)
sys.stdin.read()
"""
    linux = Path("/proc/self/net").exists()
    process = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process, Sockets(process.pid) as sockets:
        assert process.stdout is not None and process.stdin is not None
        assert process.stdout.readline() == "open\n"
        assert wait_for(lambda: not linux or seen_by(sockets, "udp"))
        process.stdin.close()
    assert proxy.requests == ["GET http://vendor.example/collect HTTP/1.1"]
    assert seen_by(sockets, "udp") == linux


def seen_by(sockets: Sockets, table: str) -> bool:
    return any(name == table for name, _ in set(sockets.seen))
