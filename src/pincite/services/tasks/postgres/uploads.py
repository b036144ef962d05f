"""Uploads in PostgreSQL, in pieces; who reads one gets a copy on its own disk."""

import contextlib
import shutil
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from pincite.errors import ConnectionFailed, NotFound, PinciteError, TimeoutExceeded, WritingFailed
from pincite.model.task import ID, NewTask
from pincite.runtime.private_files import make_folder, opener
from pincite.services.tasks.base import UploadUnreachable
from pincite.services.tasks.postgres.database import TaskDatabase
from pincite.services.tasks.ulid import new_ulid
from pincite.services.tasks.uploads import ABANDONED_SECONDS, GONE, STEM
from pincite.store.process_lock import ProcessLock

PIECE_BYTES = 1024 * 1024
"""Size of a piece: reading one takes some milliseconds, and as much memory."""

LOCK = "lock"
"""The file that says, while it is locked, that a process uses the copies in its folder."""

STARTING_SECONDS = 60.0
"""Age below which a folder of copies is left alone: its process may not have locked it yet."""


class DatabaseUpload:
    """Implements `Upload` as rows; each piece is durable once it is written."""

    def __init__(self, database: TaskDatabase, task_id: str, extension: str) -> None:
        self.task_id = task_id
        self.extension = extension
        self._database = database
        self._unwritten = bytearray()
        self._size = self._pieces = 0

    def write(self, data: bytes | bytearray) -> None:
        """See `Upload.write`."""
        self._unwritten += data
        while len(self._unwritten) >= PIECE_BYTES:
            self._put(PIECE_BYTES)

    def complete(self) -> None:
        """See `Upload.complete`."""
        # One piece at least, by whose age an abandoned upload is recognised.
        self._put(len(self._unwritten))
        self._database.changed("upload_put", id=self.task_id, size=self._size)

    def discard(self) -> None:
        """See `Upload.discard`; what cannot be deleted now is swept later."""
        with contextlib.suppress(PinciteError):
            self._database.changed("upload_discard", id=self.task_id)

    def _put(self, size: int) -> None:
        data = bytes(self._unwritten[:size])
        self._database.changed("piece_put", id=self.task_id, number=self._pieces, data=data)
        del self._unwritten[:size]
        self._size += size
        self._pieces += 1


class DatabaseUploads:
    """Implements `Uploads` in a database.

    Args:
        database: The database.
        folder: Where the copies of this machine are, while they are read.
    """

    def __init__(self, database: TaskDatabase, folder: Path) -> None:
        self._database = database
        self._folder = folder
        self._own: Path | None = None
        self._lock = threading.Lock()

    def begin(self, task_id: str, extension: str) -> DatabaseUpload:
        """See `Uploads.begin`."""
        return DatabaseUpload(self._database, task_id, extension)

    @contextlib.contextmanager
    def file(self, task: NewTask) -> Generator[Path]:
        """See `Uploads.file`: a copy, which is deleted when the block ends."""
        rows = self._read("upload", task)
        if not rows:
            raise NotFound(GONE)
        folder = self._copies() / new_ulid()
        try:
            yield self._copy(task, folder, rows[0][0])
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def erase(self, task_id: str) -> None:
        """See `Uploads.erase`; copies that are read at present are deleted when that ends."""
        self._database.changed("upload_erase", id=task_id)

    def sweep(self, is_task: Callable[[str], bool]) -> None:
        """See `Uploads.sweep`; delete the copies of processes that were killed, too."""
        del is_task  # the database knows them
        self._database.changed("upload_sweep", age=f"{ABANDONED_SECONDS:f} seconds")
        with contextlib.suppress(OSError):
            for folder in self._folder.iterdir():
                if folder != self._own and _is_left(folder):
                    shutil.rmtree(folder, ignore_errors=True)

    def _copy(self, task: NewTask, folder: Path, size: int) -> Path:
        copied = number = 0
        try:
            make_folder(folder)
            path = folder / f"{STEM}{task.extension}"
            with open(path, "xb", opener=opener) as file:
                while copied < size:
                    rows = self._read("piece", task, number=number)
                    if not rows:  # erased meanwhile
                        raise NotFound(GONE)
                    number += 1
                    copied += file.write(rows[0][0])
        except OSError as error:
            raise _unwritable(error) from error
        return path

    def _read(self, name: str, task: NewTask, **values: Any) -> list[tuple[Any, ...]]:
        try:
            return self._database.run_statement(name, id=task.id, **values)
        except (ConnectionFailed, TimeoutExceeded) as error:
            raise UploadUnreachable(error.message, details=error.details) from error

    def _copies(self) -> Path:
        """Return the folder of this process, which is locked while the process lives."""
        with self._lock:
            if self._own is None:
                own = self._folder / new_ulid()
                try:
                    make_folder(own)
                    self._held = ProcessLock(own / LOCK)
                    self._held.acquire()
                except OSError as error:
                    raise _unwritable(error) from error
                self._own = own
            return self._own


def _is_left(folder: Path) -> bool:
    """Return True if a process left these copies that does not run any more."""
    lock = folder / LOCK
    if not ID.fullmatch(folder.name) or not lock.exists() or time.time() - lock.stat().st_mtime < STARTING_SECONDS:
        return False
    held = ProcessLock(lock)
    is_free = held.acquire()
    held.release()
    return is_free


def _unwritable(error: OSError) -> WritingFailed:
    return WritingFailed(
        "The upload cannot be copied here. Free space on the disk of DATA_DIR, or check its permissions.",
        details=str(error),
    )
