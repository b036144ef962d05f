"""Local files that a tool may read: those under the allowed roots alone."""

import os
import stat
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from pincite.errors import InvalidInput, NotFound
from pincite.formats.base import Blob
from pincite.model.units import MEGABYTE
from pincite.text.excerpt import excerpt, well_formed

_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""No link at the end, which may have been put there since the path was checked, and no wait for a pipe."""


class LocalFiles:
    """Reads files under some folders.

    Args:
        roots: The folders.
        max_bytes: Maximum size of a file.
        only: The only files that may be read, by real path; None for all under the roots.
    """

    def __init__(self, roots: Iterable[Path], max_bytes: int, only: AbstractSet[Path] | None = None) -> None:
        self._roots: Sequence[Path] = [root.resolve() for root in roots]
        self._max_bytes = max_bytes
        self._only = only

    def within(self, files: AbstractSet[Path]) -> "LocalFiles":
        """Return these files, restricted to some."""
        allowed = {file.resolve() for file in files}
        return LocalFiles(self._roots, self._max_bytes, allowed if self._only is None else self._only & allowed)

    def read(self, path: str) -> Blob:
        """Return a file under its base name.

        Args:
            path: Absolute, or relative to one of the roots.

        Raises:
            NotFound: There is no such file, or it may not be read: the message is the same.
            InvalidInput: It is too large, or no regular file.
        """
        real = self._real(path)
        shown = excerpt(well_formed(Path(path).name))
        try:
            if real is None:
                raise FileNotFoundError
            # Opened without waiting, and checked when open: what is at a path may change.
            with open(real, "rb", opener=lambda name, _: os.open(name, _OPEN)) as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise InvalidInput(f"No regular file: {shown}.")
                data = file.read(self._max_bytes + 1)
        except OSError:
            raise NotFound(f"File not found: {shown}. Name a file under the allowed roots (ALLOWED_ROOTS).") from None
        if len(data) > self._max_bytes:
            raise InvalidInput(f"The file is larger than {self._max_bytes / MEGABYTE:g} MB (MAX_UPLOAD_SIZE).")
        return Blob(real.name, data)

    def _real(self, path: str) -> Path | None:
        """Return the real path of a file that may be read; None if there is none."""
        for root in self._roots:
            try:
                real = (root / path).resolve()
            except (OSError, ValueError, RuntimeError):  # a null character, or a loop of links
                return None
            if any(real.is_relative_to(allowed) for allowed in self._roots) and real.exists():
                return real if self._only is None or real in self._only else None
        return None
