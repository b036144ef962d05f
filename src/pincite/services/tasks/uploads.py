"""Uploaded files: `<folder>/<task id>/original.<ext>`, written as they arrive."""

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import BinaryIO

from pincite.errors import NotFound, WritingFailed
from pincite.model.task import ID, NewTask
from pincite.runtime.private_files import make_folder, opener, tighten

STEM = "original"
"""The name under which a file is stored: the name that was sent is used nowhere as a path."""

GONE = "The document of this task is not there any more. Upload it again."

ABANDONED_SECONDS = 3600.0
"""Age from which an upload without a task is abandoned: its server died, for a slow client sends something within
seconds."""


class FolderUpload:
    """Implements `Upload` as a file."""

    def __init__(self, folder: Path, task_id: str, extension: str) -> None:
        self.task_id = task_id
        self.extension = extension
        self._folder = folder
        with _translated():
            make_folder(folder)
            path = folder / f"{STEM}{extension}"
            self._file: BinaryIO = open(path, "xb", opener=opener)  # noqa: SIM115 - closed by `complete` or `discard`

    def write(self, data: bytes | bytearray) -> None:
        """See `Upload.write`."""
        with _translated():
            self._file.write(data)

    def complete(self) -> None:
        """See `Upload.complete`."""
        with _translated():
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()

    def discard(self) -> None:
        """See `Upload.discard`."""
        with contextlib.suppress(OSError):
            self._file.close()
        shutil.rmtree(self._folder, ignore_errors=True)


class FolderUploads:
    """Implements `Uploads` in a folder.

    Args:
        folder: Where they are stored.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        tighten(folder)

    def begin(self, task_id: str, extension: str) -> FolderUpload:
        """See `Uploads.begin`."""
        return FolderUpload(self._folder / task_id, task_id, extension)

    def path(self, task: NewTask) -> Path:
        """Return where a task's file is."""
        return self._folder / task.id / f"{STEM}{task.extension}"

    @contextlib.contextmanager
    def file(self, task: NewTask) -> Generator[Path]:
        """See `Uploads.file`."""
        path = self.path(task)
        if not path.exists():
            raise NotFound(GONE)
        try:
            yield path
        except FileNotFoundError as error:
            if error.filename == str(path):  # erased meanwhile
                raise NotFound(GONE) from error
            raise

    def erase(self, task_id: str) -> None:
        """See `Uploads.erase`."""
        shutil.rmtree(self._folder / task_id, ignore_errors=True)

    def sweep(self, is_task: Callable[[str], bool]) -> None:
        """See `Uploads.sweep`; abandoned after `ABANDONED_SECONDS`."""
        with contextlib.suppress(OSError):
            for folder in self._folder.iterdir():
                if ID.fullmatch(folder.name) and not is_task(folder.name) and _age(folder) > ABANDONED_SECONDS:
                    self.erase(folder.name)


def _age(folder: Path) -> float:
    """Return the seconds since anything in a folder was written."""
    newest = max((file.stat().st_mtime for file in folder.iterdir()), default=folder.stat().st_mtime)
    return time.time() - newest


@contextlib.contextmanager
def _translated() -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise WritingFailed(
            "The upload cannot be stored. Free space on the disk of DATA_DIR, or check its permissions.",
            details=str(error),
        ) from error
