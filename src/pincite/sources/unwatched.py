"""Files that can change without an event of the folder that they lie in."""

import os
from collections.abc import Iterable, Mapping

from pincite.model.store import FileState


class Unwatched:
    """Files whose states are compared at each look. Not thread-safe.

    A write to a file by another of its names (a hard link), in another folder, is an event of that folder alone; so is
    a write to a file that is mounted over another.
    """

    def __init__(self) -> None:
        self._states: dict[str, FileState] = {}

    def learn(self, files: Mapping[str, FileState], names: Iterable[str]) -> None:
        """Compare these files from now on, and no others.

        Args:
            files: File states by name, as a listing found them.
            names: Which of them are compared.
        """
        self._states = {name: files[name] for name in names}

    def changed(self, root: str) -> list[str]:
        """The names that differ from the last look; a stat for each file.

        Two writes that leave one state are the reader's to tell apart, as for every file: it reads again what is as
        young as the clock's grain.

        Args:
            root: The folder, absolute.
        """
        if not self._states:
            return []
        changed: list[str] = []
        for name, known in self._states.items():
            try:
                seen = os.stat(f"{root}/{name}")  # noqa: PTH116  # strings: this is done at each call
            except OSError:
                changed.append(name)
                continue
            state = (seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)
            if state != known:
                changed.append(name)
                self._states[name] = FileState(*state)
        for name in [name for name in changed if not os.path.lexists(f"{root}/{name}")]:
            del self._states[name]
        return changed
