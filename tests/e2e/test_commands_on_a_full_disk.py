"""The commands where the index cannot be written: they end, and say why."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from behaviour import faces
from support.wire import pincite

SECONDS = 60.0
PAGES = {f"{n}.md": f"# Page {n}\n\n{'word ' * 800} fresh{n}x\n" for n in range(60)}
LIMITED = """
import sys
sys.path[:] = {path!r}
from pincite.store.sqlite import connections
connect = connections.connect
def limited(path, busy_timeout, **more):
    connection = connect(path, busy_timeout, **more)
    connection.execute("PRAGMA max_page_count = {pages}")
    return connection
connections.connect = limited
from pincite.transports.cli import main
main()
"""
"""pincite where a database may have so many pages, on every platform."""

NO_ROOM, ROOM_FOR_SOME_WORDS, ROOM_FOR_WORDS = 20, 50, 95
"""Pages of 8 kB; the words of `PAGES` take 76, the vectors 36 more."""

DISK_FULL = "The disk that holds the index is full. Free some space, or place the index elsewhere (--db)."


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return faces.write(tmp_path / "docs", PAGES)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    unset = ("PINCITE_FRESH_BUDGET", "PINCITE_MODEL_GRACE", "LOG_LEVEL")
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return {**kept, "PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash"}


def ran(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.mark.parametrize("pages", [NO_ROOM, ROOM_FOR_SOME_WORDS, ROOM_FOR_WORDS])
def test_a_search_ends_with_what_there_is_and_the_reason(docs: Path, environment: dict[str, str], pages: int) -> None:
    program = [sys.executable, "-c", LIMITED.format(path=sys.path, pages=pages)]
    found = ran([*program, "search", "fresh9x", "--docs", str(docs)], environment)
    assert (found.returncode, DISK_FULL in found.stderr) == (1 if pages > NO_ROOM else 3, True), found
    assert ("9.md" in found.stdout) == (pages == ROOM_FOR_WORDS)


def test_reading_on_a_full_disk_blames_the_disk(docs: Path, environment: dict[str, str]) -> None:
    program = [sys.executable, "-c", LIMITED.format(path=sys.path, pages=ROOM_FOR_SOME_WORDS)]
    found = ran([*program, "read", "9.md@00000000#h1-c1", "--docs", str(docs)], environment)
    assert found.returncode == 2
    assert f"9.md has not been read yet. {DISK_FULL}" in found.stderr


@pytest.mark.parametrize("size", ["400k", "1m"])
def test_a_search_ends_on_a_disk_that_really_is_full(
    docs: Path, tmp_path: Path, environment: dict[str, str], size: str
) -> None:
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("no unshare here to mount a disk with")
    (tmp_path / "cache").mkdir()
    mount = f"mount -t tmpfs -o size={size} tmpfs {shlex.quote(str(tmp_path / 'cache'))}"
    own = [unshare, "--user", "--map-root-user", "--mount", "sh", "-c"]
    if (probe := ran([*own, mount], environment)).returncode:
        pytest.skip(f"nothing may be mounted here: {probe.stderr.strip()}")
    search = shlex.join(pincite("search", "fresh9x", "--docs", str(docs)))
    found = ran([*own, f"{mount} && exec {search}"], environment)
    assert (found.returncode, DISK_FULL in found.stderr) == (1, True), found
