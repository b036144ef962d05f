"""Files that can change without an event of their folder."""

import os
from collections.abc import Iterable, Mapping

from pincite.sources.base import FileState


class Unwatched:
    """Files whose states are compared at each poll. Not thread-safe.

    A write through another hard link, in another folder, raises an event of that folder only; so does a write to a
    file that is mounted over another (docs/decisions/0009).
    """

    def __init__(self) -> None:
        self._states: dict[str, FileState] = {}

    def learn(self, files: Mapping[str, FileState], names: Iterable[str]) -> None:
        """Replace the files to compare.

        Args:
            files: File states by name, from a listing.
            names: Those of them to compare.
        """
        self._states = {name: files[name] for name in names}

    def changed(self, root: str) -> list[str]:
        """Return the names that changed since the last call, at the cost of one stat per file.

        Two writes within the clock's resolution can leave one state: the indexer re-reads such files (`is_racy`).

        Args:
            root: The folder, absolute.
        """
        # The usual case, at every call: no such files.
        if not self._states:
            return []
        changed: list[str] = []
        for name, last_state in self._states.items():
            try:
                status = os.stat(f"{root}/{name}")  # noqa: PTH116  # strings: every call does this for every file
            except OSError:
                changed.append(name)
                continue
            state = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
            if state != last_state:
                changed.append(name)
                self._states[name] = FileState(*state)
        # A deletion is an event of the file's own folder: no need to compare it any longer.
        for name in [name for name in changed if not os.path.lexists(f"{root}/{name}")]:
            del self._states[name]
        return changed
