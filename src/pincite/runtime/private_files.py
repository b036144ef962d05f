"""Files and folders that their owner alone may read: documents are copied into them whose own folder may be private.

In a folder that its group may write, which somebody has made so, the group keeps what the umask leaves it.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

_SHARED = stat.S_IRWXU | stat.S_IRWXG


def make_folder(folder: Path) -> None:
    """Create a folder, and those above it that do not exist.

    Raises:
        OSError: It cannot be created, or is a file.
    """
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(_allowed(folder), exist_ok=True)


def opener(path: str | os.PathLike[str], flags: int) -> int:
    """Open a file, created for its owner alone; an opener for `open`, or a replacement of `os.open`.

    Raises:
        OSError: It cannot be opened.
    """
    return os.open(path, flags, _allowed(Path(path)) & 0o666)


def create(path: Path) -> None:
    """Create an empty file where there is none and can be one; SQLite gives its log the permissions of the database."""
    with suppress(OSError):
        os.close(opener(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))


def tighten(path: Path) -> None:
    """Take the permissions of others from a database with its log, or a folder, of this user; never add one."""
    for part in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))):
        with suppress(OSError):
            status = part.stat()
            mode = stat.S_IMODE(status.st_mode)
            private = mode & ~0o077 | mode & 0o077 & _allowed(part)
            if private != mode and os.name == "posix" and status.st_uid == os.geteuid():
                part.chmod(private)


def _allowed(path: Path) -> int:
    """Return the permissions that a new file or folder may have at most, by the permissions of its folder."""
    return _SHARED if path.parent.stat().st_mode & stat.S_IWGRP else stat.S_IRWXU
