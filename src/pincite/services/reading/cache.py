"""Documents on disk, bounded by bytes: the least recently used are deleted first."""

import hashlib
import logging
import os
import re
import stat
import tempfile
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import IO

from pincite.model.call import Call
from pincite.model.document import Document
from pincite.runtime.private_files import make_folder
from pincite.services.reading.lines import from_lines, layout, to_lines

log = logging.getLogger("pincite.reading")

LEVEL = 1
"""gzip's fastest level."""

ABANDONED_SECONDS = 3600.0
"""Age from which a temporary file belongs to a process that was killed: none takes an hour to write."""

_NAME = re.compile(r"[0-9a-f]{64}\.lines")
_SUFFIX, _TEMPORARY = ".lines", ".tmp"
_DAMAGE = (OSError, EOFError, zlib.error, ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What reading a truncated, corrupt or foreign file raises; `UnicodeDecodeError` is a `ValueError`."""


class DocumentCache:
    """Keeps documents under keys, for any number of processes and threads. No problem of the disk is an error.

    A file is a line with its key, then the document's lines, as gzip, which ends with a checksum.
    """

    def __init__(self, folder: Path, max_bytes: int) -> None:
        """Keep documents in a folder, which is made when the first one is written.

        Args:
            folder: A folder of its own. Other files in it are left alone.
            max_bytes: Maximum size of all files; a document above it is not kept.
        """
        self._folder = folder
        self._max_bytes = max_bytes
        self._lock = threading.Lock()

    def get(self, key: str, call: Call) -> Document | None:
        """Return the document under a key; None if there is none, or its file is damaged.

        Raises:
            Cancelled, TimeoutExceeded: See `Call.check`.
        """
        path = self._path(key)
        try:
            # A foreign pipe of this name would block.
            if not stat.S_ISREG(path.lstat().st_mode):
                return None
            with path.open("rb") as file:
                with suppress(OSError):  # on a file system that is read-only, or when another process deletes it now
                    os.utime(path)
                lines = _lines(file, call)
                return from_lines(lines) if next(lines, "") == _header(key) else None
        except FileNotFoundError:
            return None
        except _DAMAGE as damage:
            log.info("reading.cache_damaged", extra={"problem": f"{type(damage).__name__}: {damage}"})
            return None

    def put(self, key: str, document: Document) -> None:
        """Keep a document under a key, if the disk has room for it; then delete what exceeds the bound."""
        try:
            make_folder(self._folder)
            handle, name = tempfile.mkstemp(_TEMPORARY, dir=self._folder)
        except OSError as problem:
            _log_unwritten(problem)
            return
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                fits = self._write(file, key, document)
            if fits:
                temporary.replace(self._path(key))
        except OSError as problem:
            _log_unwritten(problem)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        self._evict()

    def delete(self, key: str) -> None:
        """Delete the document under a key, if there is one."""
        with suppress(OSError):
            self._path(key).unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(_header(key).encode()).hexdigest()}{_SUFFIX}"

    def _write(self, file: IO[bytes], key: str, document: Document) -> bool:
        """Write a document; return False if it exceeds the bound alone."""
        from gzip import GzipFile  # noqa: PLC0415 - not at start-up

        with GzipFile("", "wb", LEVEL, file, 0) as packed:
            for line in chain([_header(key)], to_lines(document)):
                packed.write(line.encode("utf-8", "surrogatepass"))
                if file.tell() > self._max_bytes:
                    return False
        return file.tell() <= self._max_bytes

    def _evict(self) -> None:
        """Delete the least recently used files until the others fit, and temporary ones that were abandoned."""
        with self._lock, suppress(OSError):
            files: list[tuple[int, str, int]] = []
            with os.scandir(self._folder) as entries:
                for entry in entries:
                    with suppress(OSError):  # another process has just deleted it
                        status = entry.stat(follow_symlinks=False)
                        if _NAME.fullmatch(entry.name):
                            files.append((status.st_mtime_ns, entry.path, status.st_size))
                        elif entry.name.endswith(_TEMPORARY) and time.time() - status.st_mtime > ABANDONED_SECONDS:
                            Path(entry.path).unlink()
            size = sum(length for _, _, length in files)
            for _, path, length in sorted(files):
                if size <= self._max_bytes:
                    break
                with suppress(OSError):
                    Path(path).unlink()
                size -= length


def _lines(file: IO[bytes], call: Call) -> Iterator[str]:
    from gzip import GzipFile  # noqa: PLC0415 - not at start-up

    for line in TextIOWrapper(GzipFile("", "rb", fileobj=file), "utf-8", "surrogatepass", newline="\n"):
        call.check()
        yield line


def _header(key: str) -> str:
    return f"pincite document; {layout()}; {key}\n"


def _log_unwritten(problem: OSError) -> None:
    log.info("reading.not_cached", extra={"problem": problem.strerror or type(problem).__name__})
