"""The mounts at and below a folder, and their changes (Linux)."""

import os
import select
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
_EVENTLESS_TYPES = (
    *("nfs", "cifs", "smb", "fuse", "9p", "afs", "ceph", "lustre", "gfs2", "ocfs2"),
    *("overlay", "aufs", "virtiofs", "vboxsf"),
)
"""Prefixes of file system types that can change without a local event: on a server, on a host, in a lower layer."""


class Mounts:
    """The mounts of this process, re-read when the kernel reports a change. Not thread-safe."""

    def __init__(self) -> None:
        """Open nothing before the first `refresh`."""
        self._handle: int | None = None
        self._poller: select.poll | None = None
        self._known: frozenset[tuple[str, ...]] = frozenset()
        self.below: tuple[str, ...] = ()
        """Mount points below the folder, relative to it."""
        self.lost: tuple[str, ...] = ()
        """Former mount points below it that have no files now."""

    def refresh(self, root: str) -> str:
        """Read the mounts at and below a folder.

        Args:
            root: Absolute and real.

        Returns:
            The type of a file system among them that may change without an event; empty if there is none.

        Raises:
            OSError: The mount table cannot be read.
        """
        if self._poller is None:
            self._handle = os.open(MOUNTS, os.O_RDONLY | os.O_CLOEXEC)
            self._poller = select.poll()
            self._poller.register(self._handle, select.POLLPRI)
        # Clear the pending notification before reading, so that a change in between is not lost.
        self._poller.poll(0)
        self._known = _mounts(root)
        inside = len(root.rstrip("/")) + 1
        before = {*self.below, *self.lost}
        self.below = tuple(sorted(point[inside:] for _, _, _, point, _ in self._known if len(point) > inside))
        self.lost = tuple(sorted(point for point in before.difference(self.below) if _is_bare(f"{root}/{point}")))
        return next((kind for *_, kind in sorted(self._known, key=lambda mount: mount[3]) if _is_eventless(kind)), "")

    def have_changed(self, root: str) -> bool:
        """Return True if the mounts at or below a folder have changed since the last `refresh`."""
        if self._poller is None or not self._poller.poll(0):
            return False
        try:
            return _mounts(root) != self._known
        except OSError:
            return True

    def close(self) -> None:
        """Close the handle; `have_changed` returns False from now on."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = self._poller = None


def _is_bare(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return all(entry.name.startswith(".") for entry in entries)
    except OSError:
        return True


def _mounts(root: str) -> frozenset[tuple[str, ...]]:
    """Return the mount that contains a folder and those below it: (id, device, root, mount point, type)."""
    own: tuple[str, ...] = ("", "", "", "", "")
    below: list[tuple[str, ...]] = []
    for line in MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").split("\n"):
        fields = line.split(" ")
        if "-" not in fields or len(fields) < 7:  # noqa: PLR2004  # what mountinfo(5) promises
            continue
        point = _unescaped(fields[4])
        # A variable number of optional fields ends with "-"; the type is next (proc_pid_mountinfo(5)).
        mount = (fields[0], fields[2], fields[3], point, fields[fields.index("-") + 1])
        if _within(root, point) and len(point) >= len(own[3]):
            own = mount
        elif _within(point, root):
            below.append(mount)
    return frozenset((own, *below))


def _is_eventless(kind: str) -> bool:
    return kind.startswith(_EVENTLESS_TYPES)


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder if folder.endswith("/") else f"{folder}/")


def _unescaped(field: str) -> str:
    for code, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        field = field.replace(code, char)
    return field
