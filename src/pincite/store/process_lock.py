"""A lock that one process at a time holds; the operating system frees it when the process ends, however it does."""

import contextlib
import os
import threading
from pathlib import Path

from pincite.runtime.private_files import opener


class ProcessLock:
    """A lock on a file, which is created and stays empty. Thread-safe; held by a process, not by a thread.

    Args:
        path: The file; its folder must exist.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._handle: int | None = None

    def acquire(self) -> bool:
        """Take the lock, or return False if another process has it; True if this one has it already.

        Raises:
            OSError: The file cannot be created.
        """
        with self._lock:
            if self._handle is not None:
                return True
            handle = opener(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0))
            try:
                _lock(handle)
            except (BlockingIOError, PermissionError):  # the second is how Windows refuses it
                os.close(handle)
                return False
            except OSError:  # a file system without locks: better unprotected than unusable
                pass
            self._handle = handle
            return True

    def release(self) -> None:
        """Free the lock if this process has it."""
        with self._lock, contextlib.suppress(OSError):
            if self._handle is not None:
                handle, self._handle = self._handle, None
                os.close(handle)


def _lock(handle: int) -> None:
    try:
        import fcntl  # noqa: PLC0415 - it does not exist on Windows
    except ImportError:
        import msvcrt  # noqa: PLC0415 - it exists on Windows alone

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    else:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
