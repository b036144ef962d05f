"""Names of a folder's files, and how to open one without being led out of the folder."""

import errno
import os
import stat
from collections.abc import Sequence

from pincite.model.store import FileState

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
# Opening a FIFO that nobody writes would block; the flag means nothing to a regular file.
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_BLOCK = 1 << 20


def segments(name: str) -> list[str] | None:
    """The parts of a name; None if it is no name of a file below a folder (`..`, absolute, NUL)."""
    parts = name.split("/")
    if "\0" in name or any(part in {"", ".", ".."} for part in parts) or not encodable(name):
        return None
    return None if os.sep != "/" and os.sep in name else parts


def encodable(name: str) -> bool:
    """Whether a name can go into JSON and a database: it is decoded in full."""
    if name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def state_of(seen: os.stat_result) -> FileState:
    """The file state that `stat` shows."""
    return FileState(seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)


def open_regular(path: str) -> int:
    """A handle of a regular file that is no symbolic link.

    Raises:
        OSError: It is none, or it cannot be opened.
    """
    return _checked(os.open(path, _READ | _NOFOLLOW | _NONBLOCK))


def open_beneath(root: str, parts: Sequence[str]) -> int:
    """A handle of a regular file below a folder; no part of the way may be a symbolic link.

    Raises:
        OSError: One is, or there is no such file, or it is not a regular file.
    """
    if os.open not in os.supports_dir_fd:
        return open_regular(os.path.join(root, *parts))  # noqa: PTH118  # names are strings here
    folder = os.open(root, _READ | _DIRECTORY)
    try:
        for part in parts[:-1]:
            below = os.open(part, _READ | _DIRECTORY | _NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = below
        return _checked(os.open(parts[-1], _READ | _NOFOLLOW | _NONBLOCK, dir_fd=folder))
    finally:
        os.close(folder)


def read_up_to(handle: int, most: int) -> bytes:
    """The rest of an open file, at most so many bytes.

    Raises:
        OSError: It cannot be read.
    """
    blocks: list[bytes] = []
    while most > 0 and (block := os.read(handle, min(most, _BLOCK))):
        blocks.append(block)
        most -= len(block)
    return b"".join(blocks)


def _checked(handle: int) -> int:
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise OSError(errno.EINVAL, "not a regular file")
