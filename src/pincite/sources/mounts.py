"""What is mounted at and below a folder, and when that changes (Linux)."""

import os
import select
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
_SILENT = (
    *("nfs", "cifs", "smb", "fuse", "9p", "afs", "ceph", "lustre", "gfs2", "ocfs2"),
    *("overlay", "aufs", "virtiofs", "vboxsf"),
)
"""File systems that can change without an event here: on a server, a host, in a lower layer."""


class Mounts:
    """The mounts of this process, looked at again when the system says that they have changed. Not thread-safe."""

    def __init__(self) -> None:
        """Nothing is opened before the first look."""
        self._handle: int | None = None
        self._poller: select.poll | None = None
        self._seen: frozenset[tuple[str, ...]] = frozenset()
        self.below: tuple[str, ...] = ()
        """Where something is mounted below the folder, relative to it."""

    def look(self, root: str) -> str:
        """Read the mounts at and below a folder.

        Args:
            root: Absolute and real.

        Returns:
            The type of one that may change without an event; empty if there is none.

        Raises:
            OSError: The system does not tell.
        """
        if self._poller is None:
            self._handle = os.open(MOUNTS, os.O_RDONLY | os.O_CLOEXEC)
            self._poller = select.poll()
            self._poller.register(self._handle, select.POLLPRI)
        self._poller.poll(0)
        self._seen = _mounts(root)
        inside = len(root.rstrip("/")) + 1
        self.below = tuple(sorted(point[inside:] for _, _, _, point, _ in self._seen if len(point) > inside))
        return next((kind for *_, kind in sorted(self._seen, key=lambda mount: mount[3]) if _is_silent(kind)), "")

    def have_changed(self, root: str) -> bool:
        """Return True if there are other mounts at or below a folder than at the last look."""
        if self._poller is None or not self._poller.poll(0):
            return False
        try:
            return _mounts(root) != self._seen
        except OSError:
            return True

    def close(self) -> None:
        """Give the handle back; there are no changes any more."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = self._poller = None


def _mounts(root: str) -> frozenset[tuple[str, ...]]:
    """The mount that a folder lies in, and those below it: number, device, folder of the device, place, type."""
    own: tuple[str, ...] = ("", "", "", "", "")
    below: list[tuple[str, ...]] = []
    for line in MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").split("\n"):
        fields = line.split(" ")
        if "-" not in fields or len(fields) < 7:  # noqa: PLR2004  # what mountinfo(5) promises
            continue
        point = _unescaped(fields[4])
        mount = (fields[0], fields[2], fields[3], point, fields[fields.index("-") + 1])
        if _within(root, point) and len(point) >= len(own[3]):
            own = mount
        elif _within(point, root):
            below.append(mount)
    return frozenset((own, *below))


def _is_silent(kind: str) -> bool:
    return kind.startswith(_SILENT)


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder if folder.endswith("/") else f"{folder}/")


def _unescaped(field: str) -> str:
    for code, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        field = field.replace(code, char)
    return field
