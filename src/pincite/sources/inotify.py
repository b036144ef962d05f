"""Linux's inotify events for a tree of folders, read by the calling thread."""

import errno
import os
import select
import threading

from pincite.runtime.imports import import_once

CREATED = 0x00000100 | 0x00000080
"""Created or moved here."""
REMOVED = 0x00000200 | 0x00000040
"""Deleted or moved away."""
MOVED_FROM = 0x00000040
ATTRIBUTES = 0x00000004
UNMOUNTED = 0x00002000
SELF_GONE = 0x00000400 | 0x00000800 | UNMOUNTED
"""The watched folder itself: deleted, moved, unmounted."""
OVERFLOW = 0x00004000
FORGOTTEN = 0x00008000
FOLDER = 0x40000000

# modify, attrib, close_write, moved_from, moved_to, create, delete, delete_self, move_self;
# only folders, no links to them. The numbers are the kernel's interface (inotify(7)).
_MASK = 0x00000002 | 0x00000004 | 0x00000008 | CREATED | REMOVED | 0x00000400 | 0x00000800 | 0x01000000 | 0x02000000

Event = tuple[str, int, str]
"""Folder (relative to the root; empty for the root itself), event bits, name in it (empty: the folder)."""


class Watcher:
    """One inotify instance. Not thread-safe but for `wait` and `close`."""

    def __init__(self, root: str, most: int | None = None) -> None:
        """Open an inotify instance without watches.

        Args:
            root: Absolute path of the folder.
            most: Maximum number of watched folders; None for the system's own limit.

        Raises:
            OSError: The system has no free instance.
        """
        import_once("inotify_simple")
        from inotify_simple import INotify  # noqa: PLC0415  # it exists on Linux only

        self._root = root
        self._most = most
        self._inotify = INotify(nonblocking=True)
        # Wakes threads in `poll` when the watcher is closed.
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._folders: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        self._users_lock = threading.Lock()
        self._users = 1

    def add(self, folder: str) -> None:
        """Watch a folder; a second call for it does nothing.

        Raises:
            OSError: The folder does not exist, or no more can be watched (ENOSPC).
        """
        if self._most is not None and len(self._folders) >= self._most and folder not in self._numbers:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        number = self._inotify.add_watch(f"{self._root}/{folder}", _MASK)
        self._folders[number] = folder
        self._numbers[folder] = number

    def forget(self, folder: str) -> None:
        """Stop watching a deleted or moved folder and everything below it."""
        below = f"{folder}/"
        for name in [name for name in self._numbers if name == folder or name.startswith(below)]:
            number = self._numbers.pop(name)
            # After a move within the tree the watch, which follows the inode, belongs to the new path.
            if self._folders.get(number) == name:
                del self._folders[number]
                self._remove(number)

    def drain(self) -> list[Event]:
        """Return all queued events in order, except of folders that are not watched any more."""
        events: list[Event] = []
        for number, bits, _, name in self._inotify.read(timeout=0):
            if bits & OVERFLOW:
                events.append(("", OVERFLOW, ""))
                continue
            folder = self._folders.get(number)
            if folder is None:
                continue
            if bits & FORGOTTEN:
                del self._folders[number]
                if self._numbers.get(folder) == number:
                    del self._numbers[folder]
            events.append((folder, bits, name))
        return events

    def wait(self, seconds: float) -> None:
        """Block until an event is queued, `close` is called, or the time has passed. Thread-safe."""
        with self._users_lock:
            if not self._users:
                return
            self._users += 1
        try:
            poller = select.poll()
            poller.register(self._inotify.fileno(), select.POLLIN)
            poller.register(self._wake, select.POLLIN)
            poller.poll(max(0.0, seconds) * 1000)
        finally:
            self._leave()

    def close(self) -> None:
        """Wake waiting threads; the last of them closes the instance."""
        os.eventfd_write(self._wake, 1)
        self._leave()

    def _leave(self) -> None:
        with self._users_lock:
            self._users -= 1
            if not self._users:
                self._inotify.close()
                os.close(self._wake)

    def _remove(self, number: int) -> None:
        try:
            self._inotify.rm_watch(number)
        except OSError as error:
            # The kernel removed the watch itself when the folder was deleted.
            if error.errno != errno.EINVAL:
                raise
