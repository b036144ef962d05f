"""Protection of other programs' files: pincite writes only files with its mark, and those in its own cache."""

import contextlib
import os
import sqlite3
import stat
import threading
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from pincite.errors import ConfigError
from pincite.runtime.private_files import opener

APPLICATION = int.from_bytes(b"pinc", "big")
"""SQLite's application id, in the header of each index."""

PAGE_BYTES = 8192
"""SQLite page size of a new file: it holds five vectors of 384 float32, where 4096 holds two."""

VECTORS = "-vectors"
"""Suffix of the file of a large index's vectors; see `memory.array_file`."""

SIBLINGS = ("-wal", "-shm", "-journal", VECTORS)
"""Suffixes of SQLite's write-ahead log, the log's index, and the rollback journal, and of ours."""

_MAGIC = b"SQLite format 3\0"
# Offset of the application id in SQLite's file header (https://www.sqlite.org/fileformat.html).
_MARK = slice(68, 72)
_HEADER_BYTES = 100
# First bytes of each kind in both byte orders; zeros are an index not written yet, or a journal that is done.
_SIBLING_MAGICS = {
    "-wal": (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"),
    "-shm": ((3007000).to_bytes(4, "little"), (3007000).to_bytes(4, "big"), bytes(4)),
    "-journal": (b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", bytes(8)),
    VECTORS: (b"pincvec",),
}
MAX_DAMAGED_FILES = 10
"""Maximum number of damaged files kept for an index outside the cache, where they are never deleted."""

MAX_DAMAGED_FILES_IN_CACHE = 3
"""The same in the cache, where the oldest are deleted: enough to see what damages them."""
_LOCK_SECONDS = 10.0
"""Maximum time to wait for the process that creates the same file."""
_LOCK_RETRY_SECONDS = 0.01

_FOREIGN = (
    "The file given for the index is not an index of pincite, or is damaged; it was not touched. Give --db a path "
    "where no file exists, or delete the file if nothing else needs it."
)


class Header:
    """Reads a file's header through one shared handle per file and process.

    POSIX drops all of a process's locks on a file, SQLite's included, when it closes any handle of that file. So
    the handle stays open until its last user in this process has closed it.
    """

    _lock = threading.Lock()
    _handles: dict[tuple[int, int], tuple[list[int], int]] = {}  # noqa: RUF012  # shared on purpose: see above

    def __init__(self, path: Path) -> None:
        """Open the file, or share the handle that is open.

        Raises:
            OSError: The file cannot be opened.
        """
        with self._lock:
            self._file = inode(path) or (0, 0)
            handles, users = self._handles.get(self._file, ([], 0))
            if not handles:
                handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
                status = os.fstat(handle)
                # Another file may have replaced it between the two calls.
                self._file = (status.st_dev, status.st_ino)
                handles, users = self._handles.get(self._file, ([], 0))
                handles = [*handles, handle]
            self._handles[self._file] = (handles, users + 1)
            self._handle: int | None = handles[0]

    def is_marked(self) -> bool:
        """Return True if the file is a SQLite database with pincite's application id."""
        with self._lock:
            if self._handle is None:
                return False
            try:
                os.lseek(self._handle, 0, os.SEEK_SET)
                header = os.read(self._handle, _HEADER_BYTES)
            except OSError:
                return False
        return header.startswith(_MAGIC) and header[_MARK] == APPLICATION.to_bytes(4, "big")

    def close(self) -> None:
        """Release the handle; a second call does nothing."""
        with self._lock:
            if self._handle is None:
                return
            self._handle = None
            handles, users = self._handles.pop(self._file)
            if users > 1:
                self._handles[self._file] = (handles, users - 1)
                return
            for handle in handles:
                os.close(handle)


def inode(path: Path) -> tuple[int, int] | None:
    """Return the device and inode number of a file; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def sibling(path: Path, end: str) -> Path:
    """Return the path with `end` appended to its name."""
    return path.with_name(path.name + end)


def claim(path: Path, *, owned: bool) -> Header | None:
    """Verify that pincite may write a file; outside the cache, create a missing one with pincite's mark.

    Args:
        path: The file, without symbolic links in its path.
        owned: Whether it is in pincite's own cache, where any file may be written.

    Returns:
        The file's header, for the caller to close; None if there is no file yet.

    Raises:
        ConfigError: The file is not pincite's. It was not changed.
        OSError: The file cannot be read or created.
    """
    with locked(path.parent):
        try:
            status = path.lstat()
        except FileNotFoundError:
            if owned:
                return None
            _create(path)
            return Header(path)
        if not stat.S_ISREG(status.st_mode):
            kind = "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file"
            raise ConfigError(f"The path given for the index is {kind}. Give --db the path of a file.")
        header = Header(path)
        if not owned and not header.is_marked():
            header.close()
            raise ConfigError(_FOREIGN)
        return header


def move_aside(path: Path, file: tuple[int, int], *, owned: bool) -> str:
    """Rename a damaged index and its log to free names.

    Args:
        path: The file.
        file: Its identity; see `inode`.
        owned: Whether it is in pincite's own cache; only there old damaged files are deleted.

    Returns:
        The new name; empty if another file has replaced it.

    Raises:
        ConfigError: The file does not bear pincite's mark, or every name is taken. It was not changed.
        OSError: The file cannot be moved.
    """
    with locked(path.parent):
        if inode(path) != file:
            return ""
        with closing(Header(path)) as header:
            if not owned and not header.is_marked():
                raise ConfigError(_FOREIGN)
        aside = _free_name(path, owned=owned)
        for end in ("", *SIBLINGS):
            if os.path.lexists(sibling(path, end)):
                _move(sibling(path, end), sibling(aside, end))
        return aside.name


def remove_damaged(path: Path) -> None:
    """Delete the damaged files of an index in pincite's own cache."""
    for name in _damaged_names(path):
        for end in ("", *SIBLINGS):
            with contextlib.suppress(OSError):
                sibling(name, end).unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Generator[None]:
    """Lock a folder against other processes that create or move an index there; no effect without lock support."""
    try:
        import fcntl  # noqa: PLC0415  # it does not exist on Windows

        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except (ImportError, OSError):
        yield
        return
    try:
        deadline = time.monotonic() + _LOCK_SECONDS
        # After the deadline go on without the lock: a stuck process must not keep the server from starting.
        while time.monotonic() < deadline:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(_LOCK_RETRY_SECONDS)
            except OSError:  # a file system without locks
                break
        yield
    finally:
        os.close(handle)


def _create(path: Path) -> None:
    """Create an index that holds only the mark, under a temporary name first: a crash leaves no empty file."""
    _clear_siblings(path)
    temporary = sibling(path, f".{os.getpid()}-{threading.get_ident()}.new")
    handle = opener(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0))
    try:
        try:
            os.write(handle, _marked())
            os.fsync(handle)
        finally:
            os.close(handle)
        _move(temporary, path)
    except FileExistsError:  # another server was faster
        pass
    finally:
        temporary.unlink(missing_ok=True)


def _marked() -> bytes:
    """Return the bytes of a database without tables, with pincite's application id."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        return connection.serialize()


def _clear_siblings(path: Path) -> None:
    """Move aside the logs of a deleted database: SQLite would replay them into the new one."""
    left = [end for end in SIBLINGS if os.path.lexists(sibling(path, end))]
    for end in left:
        if not _is_sibling(sibling(path, end), end):
            raise ConfigError(
                f"Next to the path given for the index is {path.name + end!r}, which SQLite did not write; nothing was "
                "touched. Give --db another path."
            )
    aside = _free_name(path, owned=False) if left else path
    for end in left:
        _move(sibling(path, end), sibling(aside, end))


def _is_sibling(path: Path, end: str) -> bool:
    """Return True if a file is empty or starts with the magic of SQLite's file of this kind."""
    if not stat.S_ISREG(path.lstat().st_mode):
        return False
    with path.open("rb") as file:
        start = file.read(8)
    return not start or start.startswith(_SIBLING_MAGICS[end])


def _free_name(path: Path, *, owned: bool) -> Path:
    """Return a free name for a damaged index; in the cache, delete the oldest damaged ones first."""
    names = _damaged_names(path)
    if owned:
        kept = [name for name in names if _is_taken(name)]
        kept.sort(key=lambda name: name.lstat().st_mtime_ns if name.is_file() else 0, reverse=True)
        for name in kept[MAX_DAMAGED_FILES_IN_CACHE - 1 :]:
            for end in ("", *SIBLINGS):
                with contextlib.suppress(OSError):
                    sibling(name, end).unlink(missing_ok=True)
    free = next((name for name in names if not _is_taken(name)), None)
    if free is None:
        raise ConfigError(
            f"The index is damaged, and {MAX_DAMAGED_FILES} damaged ones are kept ({path.name}.damaged …). "
            "Delete those, then ask again: it is rebuilt from the folder."
        )
    return free


def _damaged_names(path: Path) -> list[Path]:
    return [sibling(path, f".damaged{n if n > 1 else ''}") for n in range(1, MAX_DAMAGED_FILES + 1)]


def _is_taken(name: Path) -> bool:
    return any(os.path.lexists(sibling(name, end)) for end in ("", *SIBLINGS))


def _move(path: Path, target: Path) -> None:
    """Rename a file without replacing another: a hard link fails where a rename would overwrite.

    Raises:
        FileExistsError: The target exists.
    """
    try:
        target.hardlink_to(path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(target):
            raise FileExistsError(target.name) from None
        path.rename(target)
        return
    path.unlink()
