"""Files below a folder: their names, their states, and reading them without following links out of it."""

import errno
import math
import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

from pincite.sources.base import FileState

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
# Opening a FIFO that nobody writes would block; the flag means nothing to a regular file.
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_READ_BYTES = 1 << 20

ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})
"""Errors that say that there is no file of a name; any other one says nothing of it."""


def segments(name: str) -> list[str] | None:
    """Split a name into its parts; None if it cannot name a file below a folder (`..`, absolute, NUL)."""
    parts = name.split("/")
    if "\0" in name or any(part in {"", ".", ".."} for part in parts) or not is_encodable(name):
        return None
    return None if os.sep != "/" and os.sep in name else parts


def is_encodable(name: str) -> bool:
    """Return True if a name is valid Unicode, as JSON and a database need it: no surrogate escapes."""
    if name.isascii():
        return True
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def state_of(status: os.stat_result) -> FileState:
    """Return the file state of a `stat` result."""
    return FileState(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def open_regular(path: str) -> int:
    """Open a regular file for reading; return its handle.

    Raises:
        OSError: It is a symbolic link or not a regular file, or cannot be opened.
    """
    return _checked(os.open(path, _READ | _NOFOLLOW | _NONBLOCK))


def open_beneath(root: str, parts: Sequence[str]) -> int:
    """Open a regular file below a folder without following symbolic links; return its handle.

    Raises:
        OSError: A part of the path is a symbolic link, or there is no such regular file.
    """
    if os.open not in os.supports_dir_fd:
        return open_regular(os.path.join(root, *parts))  # noqa: PTH118  # names are strings here
    # Part by part from the folder's handle: a check of the path and an open of it could see different files.
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
    """Read from an open file up to its end, at most `most` bytes.

    Raises:
        OSError: It cannot be read.
    """
    blocks: list[bytes] = []
    while most > 0 and (block := os.read(handle, min(most, _READ_BYTES))):
        blocks.append(block)
        most -= len(block)
    return b"".join(blocks)


def read_beneath(root: str, parts: Sequence[str], most: int) -> tuple[bytes, FileState] | None:
    """Return the bytes and the state of a file below a folder.

    None if these bytes changed while they were read, or are more than `most`.

    Raises:
        OSError: See `open_beneath`.
    """
    return _read_whole(open_beneath(root, parts), most)


def read_regular(path: str, most: int) -> tuple[bytes, FileState] | None:
    """Return the bytes and the state of a regular file, as `read_beneath`.

    Raises:
        OSError: See `open_regular`.
    """
    return _read_whole(open_regular(path), most)


def _read_whole(handle: int, most: int) -> tuple[bytes, FileState] | None:
    try:
        before = state_of(os.fstat(handle))
        if before.size > most:
            return None
        data = read_up_to(handle, before.size + 1)
        if state_of(os.fstat(handle)) != before:
            # What is appended meanwhile leaves the bytes before it as they were.
            data = data[: before.size]
            os.lseek(handle, 0, os.SEEK_SET)
            if read_up_to(handle, before.size) != data:
                return None
    finally:
        os.close(handle)
    return (data, before) if len(data) == before.size else None


def identity_of(root: Path) -> tuple[int, int] | None:
    """Return device and inode of a folder; None if it cannot be reached."""
    try:
        status = root.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None


def unseen(path: str, added: float = math.inf) -> str | None:
    """Return why nobody can tell at the moment whether a file is there; empty if it is gone, None if it is there.

    It is gone if the nearest folder above it that is there has other entries, or changed since the file was added: an
    empty one that did not is no evidence.

    Args:
        path: The file's path.
        added: When the file was seen in its folder, in seconds since the epoch; by default unknown.
    """
    try:
        os.lstat(path)
    except ValueError:
        return ""
    except OSError as error:
        if error.errno not in ABSENT:
            return f"it cannot be read ({os.strerror(error.errno or 0)})"
    else:
        return None
    folder = os.path.dirname(path)  # noqa: PTH120 - names are strings here
    try:
        with os.scandir(folder) as entries:
            is_gone = any(True for _ in entries) or os.stat(folder).st_mtime > added  # noqa: PTH116 - as above
            return "" if is_gone else "its folder is empty, as that of a volume that is not mounted"
    except NotADirectoryError:
        return ""
    except OSError as error:
        absent = error.errno in ABSENT and folder != path
        return unseen(folder, added) if absent else f"its folder cannot be read ({os.strerror(error.errno or 0)})"


def stamp_of(path: str) -> tuple[int, ...] | None:
    """Return the values of `lstat` that change with a file; None if it does not exist."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def lstat_unlinked(root: str, parts: Sequence[str]) -> os.stat_result | None:
    """Return the `lstat` of a path; None if any part of it is a symbolic link.

    Raises:
        OSError: The path does not exist.
    """
    location, status = root, None
    for part in parts:
        location = f"{location}/{part}"
        status = os.lstat(location)
        if stat.S_ISLNK(status.st_mode):
            return None
    return status


def is_exact_case(root: Path, parts: Sequence[str]) -> bool:
    """Return True if every part is spelt as in its folder's listing."""
    folders = (root.joinpath(*parts[:i]) for i in range(len(parts)))
    return all(part in {entry.name for entry in folder.iterdir()} for folder, part in zip(folders, parts, strict=True))


def folds_case(root: Path) -> bool:
    """Return True if the file system treats names that differ in case, or in Unicode form, as equal."""
    swapped = root.name.swapcase()
    if swapped == root.name:
        return sys.platform in {"darwin", "win32"}
    try:
        return root.with_name(swapped).samefile(root)
    except OSError:
        return False


def _checked(handle: int) -> int:
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise OSError(errno.EINVAL, "not a regular file")
