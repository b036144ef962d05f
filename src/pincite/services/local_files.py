"""Local files that a tool may read: those under the allowed roots alone."""

import os
import stat
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pincite.errors import InvalidInput, NotFound
from pincite.formats.base import Blob
from pincite.model.sizes import MEGABYTE
from pincite.store.sqlite.ownership import SIBLINGS
from pincite.text.excerpt import excerpt, well_formed
from pincite.text.names.paths import equivalent

_NO_LINK = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)
"""A link was resolved before: one that is found now was put there since."""

_FOLDER = _NO_LINK | getattr(os, "O_DIRECTORY", 0)
_FILE = _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Without waiting for the other end of a pipe."""


class _Location(NamedTuple):
    """Where a file is: a root, and the parts of its real path below it."""

    root: Path
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file that was read.

    Attributes:
        blob: Its bytes, under its base name.
        path: Its path relative to its root, with `/`.
    """

    blob: Blob
    path: str


class LocalFiles:
    """Reads files under some folders.

    Hidden files and folders (`.env`, `.git`) below a root are not read: they hold settings and secrets, not documents.

    Args:
        roots: The folders.
        max_bytes: Maximum size of a file.
        only: The only files that may be read, by real path; None for all under the roots.
        reserved: Files and folders that are not read, wherever they are: pincite's own.
    """

    def __init__(
        self,
        roots: Iterable[Path],
        max_bytes: int,
        only: AbstractSet[Path] | None = None,
        reserved: Iterable[Path] = (),
    ) -> None:
        self._roots: Sequence[Path] = [root.resolve() for root in roots]
        self._max_bytes = max_bytes
        self._only = only
        self._reserved: Sequence[Path] = [path.resolve() for path in reserved]

    def within(self, files: AbstractSet[Path]) -> "LocalFiles":
        """Return these files, restricted to some."""
        allowed = {file.resolve() for file in files}
        only = allowed if self._only is None else self._only & allowed
        return LocalFiles(self._roots, self._max_bytes, only, self._reserved)

    def read_blob(self, path: str) -> Blob:
        """Return a file under its base name; see `read_file`."""
        return self.read_file(path).blob

    def read_file(self, path: str) -> LocalFile:
        """Read a file.

        Args:
            path: Absolute, or relative to one of the roots.

        Raises:
            NotFound: There is no such file, or it may not be read: the message is the same.
            InvalidInput: It is too large, or no regular file.
        """
        location = self._locate(path)
        shown = excerpt(well_formed(Path(path).name))
        try:
            if location is None:
                raise FileNotFoundError
            # Checked when open: what is at a path may change.
            with open(location.parts[-1], "rb", opener=partial(_descriptor, location)) as file:
                state = os.fstat(file.fileno())
                if not stat.S_ISREG(state.st_mode):
                    raise InvalidInput(f"No regular file: {shown}.")
                # A file that is too large is not read; one that grows meanwhile is not read further.
                data = b"" if state.st_size > self._max_bytes else file.read(self._max_bytes + 1)
        except OSError:
            raise NotFound(f"File not found: {shown}. Name a file under the allowed roots (ALLOWED_ROOTS).") from None
        if max(len(data), state.st_size) > self._max_bytes:
            raise InvalidInput(f"The file is larger than {self._max_bytes / MEGABYTE:g} MB (MAX_UPLOAD_SIZE).")
        return LocalFile(Blob(location.parts[-1], data), str(PurePosixPath(*location.parts)))

    def _locate(self, path: str) -> _Location | None:
        """Return where a file is that may be read; None if there is none."""
        for root in self._roots:
            try:
                real = _on_disk((root / path).resolve(), root).resolve()
                exists = real.exists()
            except (OSError, ValueError, RuntimeError):  # a null character, a loop of links, a name too long, no right
                continue
            locations = [
                _Location(root, real.relative_to(root).parts) for root in self._roots if real.is_relative_to(root)
            ]
            visible = [
                location
                for location in locations
                if location.parts and not any(part.startswith(".") for part in location.parts)
            ]
            if visible and exists and not self._is_reserved(real):
                return visible[0] if self._only is None or real in self._only else None
        return None

    def _is_reserved(self, real: Path) -> bool:
        """Return True for what is reserved, what is in it, and the files that SQLite writes next to a database."""
        base = real
        for suffix in SIBLINGS:
            if real.name.endswith(suffix):
                base = real.with_name(real.name.removesuffix(suffix))
        return any(path.is_relative_to(reserved) for path in (real, base) for reserved in self._reserved)


def _on_disk(path: Path, root: Path) -> Path:
    """Return a path below a root with its names as they are on the disk, which may be canonically equivalent ones."""
    if path.exists() or not path.is_relative_to(root):
        return path
    resolved = root
    for part in path.relative_to(root).parts:
        resolved /= equivalent(part, (entry.name for entry in resolved.iterdir()) if resolved.is_dir() else ())
    return resolved


def _descriptor(location: _Location, _name: str, _flags: int) -> int:
    """Open a file, folder by folder from its root, so that no link that was put into the path since is followed.

    Raises:
        OSError: It is not there, or behind a link.
    """
    if os.open not in os.supports_dir_fd:  # Windows, where creating links needs a privilege
        return os.open(location.root.joinpath(*location.parts), _FILE)
    folder = os.open(location.root, _FOLDER)
    try:
        for part in location.parts[:-1]:
            above, folder = folder, os.open(part, _FOLDER, dir_fd=folder)
            os.close(above)
        return os.open(location.parts[-1], _FILE, dir_fd=folder)
    finally:
        os.close(folder)
