"""A folder of files as a source: what is in it, and what may have changed since."""

import errno
import logging
import os
import stat
import sys
import threading
import time
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from pincite.errors import ConnectionFailed, NotFound
from pincite.model.call import Call
from pincite.model.store import FileState
from pincite.sources import inotify
from pincite.sources.base import Changes, Listing, WatchMode
from pincite.sources.changes import ChangeSet
from pincite.sources.ignore import NAMES, IgnoreFiles
from pincite.sources.mounts import Mounts
from pincite.sources.paths import open_beneath, read_up_to, segments, state_of
from pincite.sources.rulebook import Limits, Reason, Rulebook
from pincite.sources.unwatched import Unwatched
from pincite.sources.walk import Found, TooManyError, judged, real_name, walk

_LOG = logging.getLogger("pincite.sources")

READ_TRIES = 5
MOST_ADOPTED = 2000
"""A folder that comes with more files is left to the next listing, so that no poll takes long."""

LONGEST_PAUSE = 3600.0
SETTLE_SECONDS = 0.01
"""A writer that is at work raises many events; a waiting thread lets so much time pass between two looks."""

_UNREACHABLE = "The documentation folder cannot be reached. Put it back, or start pincite again on its new place."
_LINKS = "a symbolic link leads to a part of the folder that is not watched"
_DENIED = frozenset({errno.EACCES, errno.EPERM, errno.EIO})
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EACCES})


class FolderSource:
    """The files below a folder. Satisfies `sources.base.Source`; thread-safe.

    Changes are found by inotify where that is exact: each `poll` reads the system's queue itself,
    and an event is in it before the writer's system call returns. Elsewhere `poll` always says
    `everything`, and the caller compares a `listing`.

    What is left out, and the words that `Listing.skipped` counts it under: see `rulebook.Reason`.
    A folder that is left out counts once. A symbolic link is followed if it leads to a place inside
    the folder that is not served under its own name; such folders are compared, not watched. Names that
    cannot be decoded are left out: neither JSON nor a database could hold them.
    """

    def __init__(
        self,
        *,
        root: Path,
        extensions: Mapping[str, bool],
        max_text_bytes: int,
        max_other_bytes: int,
        max_files: int,
        watch: bool = True,
        rescan_seconds: float = 60.0,
        max_watches: int | None = None,
    ) -> None:
        """Name the folder; nothing is opened before the first `poll`.

        Args:
            root: The folder, or a link to it; where the link leads elsewhere later, that folder is served.
            extensions: Lower case with the dot → whether it is a text format.
            max_text_bytes: Largest file of a text format.
            max_other_bytes: Largest file of another format.
            max_files: Most files; the first by path are taken.
            watch: Whether to use the system's change events.
            rescan_seconds: Longest time between two listings that `wait` allows, for writes through a
                memory mapping, which raise no event; 0 for no limit.
            max_watches: Most folders to watch, under the system's own limit.
        """
        self._given = root.absolute()
        self.root = root.resolve()
        self._path = str(self.root)
        self._limits = Limits(dict(extensions), max_text_bytes, max_other_bytes, max_files)
        self._wanted = watch
        self._rescan = rescan_seconds or float("inf")
        self._most_watches = max_watches
        self._lock = threading.RLock()
        self._closed = threading.Event()
        self._changes = ChangeSet()
        self._ignore_files = IgnoreFiles()
        self._rules: Rulebook | None = None
        self._above: Mapping[str, tuple[int, ...] | None] = {}
        self._denied: dict[str, FileState] = {}
        self._identity: tuple[int, int] | None = None
        self._mounts = Mounts()
        self._unwatched = Unwatched()
        self._watcher: inotify.Watcher | None = None
        self._scanning = "the folder has not been looked at yet"
        self._last = Found()
        self._warned: frozenset[str] = frozenset()
        self._walks = self._walked = self._epoch = 0
        self._room = 0
        self._folds_case = False
        self._listed_at = time.monotonic()

    def poll(self) -> Changes:
        """See `Source.poll`."""
        with self._lock:
            self._look()
            return self._changes.seen(scanning=bool(self._scanning))

    def mark(self, names: Collection[str], everything_ticket: int) -> int:
        """See `Source.mark`."""
        with self._lock:
            return self._changes.mark(names, everything_ticket)

    def acknowledge(self, tickets: Mapping[str, int]) -> None:
        """See `Source.acknowledge`."""
        with self._lock:
            self._changes.acknowledge(tickets)

    def wait(self, seconds: float) -> bool:
        """See `Source.wait`; it is also over, with True, when the last listing is `rescan_seconds` old."""
        deadline = time.monotonic() + seconds
        while not self._closed.is_set():
            with self._lock:
                if self._news():
                    return True
                watcher = self._watcher
            now = time.monotonic()
            if now >= deadline:
                return False
            pause = max(0.0, min(deadline - now, self._listed_at + self._rescan - now, LONGEST_PAUSE))
            if watcher is None:
                self._closed.wait(pause)
            else:
                watcher.wait(pause)
                self._closed.wait(min(SETTLE_SECONDS, pause))
        return False

    def listing(self, call: Call) -> Listing:
        """See `Source.listing`."""
        with self._lock:
            self._walks += 1
            number, epoch = self._walks, self._epoch
            rules = Rulebook(self._path, self._limits, self._ignore_files)
            root = self.root
        identity = _identity(root)
        try:
            found = walk(str(root), self._limits, rules, call, enter=self._enter, denied=self._denied)
        except OSError as error:
            raise ConnectionFailed(_UNREACHABLE, details=str(error)) from error
        if identity != _identity(root):
            raise ConnectionFailed(_UNREACHABLE)
        with self._lock:
            if number > self._walked:
                self._walked = number
                self._learn(found, rules if epoch == self._epoch else None)
        return Listing(found.files, found.skipped, tuple(found.warnings))

    def state(self, name: str) -> FileState | None:
        """See `Source.state`."""
        place = self._place(name)
        return place[0] if place else None

    def read(self, name: str) -> tuple[bytes, FileState]:
        """See `Source.read`; symbolic links are not followed out of the folder, whatever changes meanwhile."""
        for _ in range(READ_TRIES):
            place = self._place(name)
            if place is None:
                raise NotFound(f"{name} no longer exists. Use list_pages to see the pages that do.")
            state, parts = place
            try:
                found = _read(self._path, parts, self._limits.most_bytes(name) or 0)
            except OSError as error:
                if error.errno in _DENIED:
                    self._denied[name] = state
                continue
            if found is not None:
                return found
        raise NotFound(f"{name} changes faster than it can be read. Ask again in a moment.")

    def left_out(self, name: str) -> str | None:
        """See `Source.left_out`."""
        location = f"{self._path}/{name}"
        if segments(name) is None:
            return None
        try:
            real = real_name(self._path, location)
            if real is None:
                return Reason.OUTSIDE
            with self._lock:
                reasons = {self._rulebook().of_place(place, folder=False) for place in (name, real)}
            seen = Path(location).stat()
        except OSError:
            return None
        hidden = any(part.startswith(".") for place in (name, real) for part in place.split("/"))
        if hidden or stat.S_ISDIR(seen.st_mode):
            return None
        judgement = judged(self._limits, name, location, seen)
        cut = self._last.cut
        found = [
            *filter(None, reasons),
            *([judgement] if isinstance(judgement, Reason) else []),
            *([Reason.TOO_MANY] if cut is not None and name > cut else []),
            *([Reason.LINKED_TWICE] if real != name else []),
        ]
        return found[0] if found and name not in self._last.files else None

    def watch_mode(self) -> WatchMode:
        """See `Source.watch_mode`."""
        with self._lock:
            if self._identity is None and not self._closed.is_set():
                try:
                    self._look()
                except ConnectionFailed as error:
                    return WatchMode("scan", error.message)
            if self._scanning:
                return WatchMode("scan", self._scanning)
            return WatchMode("inotify", "every change below the folder is reported by the system")

    def close(self) -> None:
        """See `Source.close`."""
        self._closed.set()
        with self._lock:
            self._give_up("the source is closed")
            self._mounts.close()

    def _learn(self, found: Found, rules: Rulebook | None) -> None:
        """Keep what a listing found out; rules are None where they have changed meanwhile."""
        self._rules = rules or self._rules
        self._last = found
        self._room = self._limits.max_files - len(found.files)
        self._listed_at = time.monotonic()
        for sentence in found.warnings:
            if sentence not in self._warned:
                _LOG.warning("folder.warning", extra={"problem": sentence})
        self._warned = frozenset(found.warnings)
        if self._watcher is not None:
            self._scanning = _LINKS if found.links else ""
            mounted = (name for name in self._mounts.below if name in found.files)
            self._unwatched.learn(found.files, (*found.shared, *mounted))

    def _news(self) -> bool:
        """Whether a waiting thread should look."""
        try:
            self._look()
        except ConnectionFailed:
            return True
        if time.monotonic() >= self._listed_at + self._rescan:
            self._listed_at = time.monotonic()
            self._changes.add_everything()
        return self._changes.waiting

    def _look(self) -> None:
        """Take in what happened since the last look."""
        identity = self._locate()
        if identity is None:
            self._identity = None
            self._give_up(_UNREACHABLE)
            raise ConnectionFailed(_UNREACHABLE)
        if identity != self._identity or self._mounts.have_changed(self._path):
            self._start(identity)
        if self._watcher is not None:
            self._drain(self._watcher)
            if changed := self._unwatched.changed(self._path):
                self._changes.add(changed)
        if self._above and self._above != {path: _stamp(path) for path in self._above}:
            self._rules_changed()

    def _locate(self) -> tuple[int, int] | None:
        """Which folder is served now; None if it cannot be reached. A link to it is followed anew."""
        identity = _identity(self._given)
        if self._given != self.root and (identity is None or identity != _identity(self.root)):
            self._identity = None
            if identity is not None:
                self.root = self._given.resolve()
                self._path = str(self.root)
        return identity

    def _start(self, identity: tuple[int, int]) -> None:
        """Begin to watch, for the first time or again; anything may have changed until now."""
        self._give_up("")
        self._identity = identity
        self._folds_case = _folds_case(self.root)
        self._rules_changed()
        self._scanning = self._obstacle()
        if self._scanning:
            return
        try:
            self._watcher = inotify.Watcher(self._path, self._most_watches)
        except OSError as error:
            self._scanning = f"the system gives no more change events ({os.strerror(error.errno or 0)})"

    def _obstacle(self) -> str:
        """Why the system's events are not used; empty if they are."""
        if self._closed.is_set():
            return "the source is closed"
        if not self._wanted:
            return "change events are switched off"
        if sys.platform != "linux":
            return "this system's change events are not exact"
        try:
            kind = self._mounts.look(self._path)
        except OSError:
            return "the type of the file system is unknown"
        return f"the folder is on a file system ({kind}) that can change without an event" if kind else ""

    def _give_up(self, reason: str) -> None:
        """Stop watching; everything is compared at every look from now on."""
        if self._watcher is not None:
            self._watcher.close()
            self._watcher = None
        self._scanning = reason
        self._unwatched = Unwatched()
        self._changes.add_everything()

    def _rules_changed(self) -> None:
        """Ignore files say something else: what is kept is to be found out anew."""
        self._epoch += 1
        self._ignore_files.forget()
        self._rules = None
        rules = self._rulebook()
        self._above = {path: _stamp(path) for path, _ in rules.above}
        self._changes.add_everything()

    def _rulebook(self) -> Rulebook:
        rules = self._rules
        if rules is None:
            rules = self._rules = Rulebook(self._path, self._limits, self._ignore_files)
        return rules

    def _enter(self, folder: str) -> None:
        """Watch a folder that is about to be listed."""
        with self._lock:
            if self._watcher is None:
                return
            try:
                self._watcher.add(folder)
            except OSError as error:
                # A folder that is gone has its own event; one that cannot be read cannot be listed either.
                if error.errno not in _GONE:
                    self._give_up("there are more folders than the system watches (fs.inotify.max_user_watches)")

    def _drain(self, watcher: inotify.Watcher) -> None:
        names: list[str] = []
        for folder, bits, name in watcher.drain():
            lost = bits & inotify.OVERFLOW or (not folder and not name and bits & inotify.SELF_GONE)
            if lost and self._identity is not None:
                self._start(self._identity)
                return
            path = f"{folder}/{name}" if folder else name
            if not name:
                # Its parent hears of all else that befalls a folder; the root's is not watched.
                if bits & inotify.UNMOUNTED or (not folder and bits & inotify.ATTRIBUTES):
                    self._changes.add_everything()
            elif name in NAMES or path == ".git":
                self._rules_changed()
            elif bits & inotify.FOLDER:
                names += self._folder_event(watcher, path, bits)
            elif self._file_event(path, bits):
                names.append(path)
        if names:
            self._changes.add(names)

    def _folder_event(self, watcher: inotify.Watcher, path: str, bits: int) -> Collection[str]:
        """A folder came, went, or changed its mode. Returns the names that it brought."""
        if self._rulebook().of_entry(path, folder=True) is not None:
            return ()
        if bits & inotify.MOVED_FROM:
            watcher.forget(path)
        if bits & (inotify.MOVED_FROM | inotify.ATTRIBUTES) or self._last.cut is not None:
            self._changes.add_everything()
        return self._adopt(path) if bits & inotify.CREATED else ()

    def _adopt(self, folder: str) -> Collection[str]:
        """Watch and list a folder that has just come."""
        few = replace(self._limits, max_files=min(max(self._room, 0), MOST_ADOPTED))
        try:
            found = walk(self._path, few, self._rulebook(), Call(), start=folder, enter=self._enter, whole=True)
        except TooManyError:
            self._changes.add_everything()
            return ()
        except OSError:
            return ()
        if found.links or Reason.LINKED_TWICE in found.skipped:
            self._changes.add_everything()
        self._room -= len(found.files)
        if found.shared:
            # Their other names may lie in this folder, known as the only ones.
            self._changes.add_everything()
        return found.files.keys()

    def _file_event(self, path: str, bits: int) -> bool:
        """Whether this name may differ now."""
        reason = self._rulebook().of_entry(path, folder=False)
        if reason not in {None, Reason.UNSUPPORTED}:
            return False
        if bits & inotify.CREATED and self._has_other_names(path):
            self._changes.add_everything()
        if reason is not None:
            return False
        if bits & (inotify.CREATED | inotify.REMOVED):
            self._room -= 1 if bits & inotify.CREATED else 0
            if self._last.cut is not None or self._room < 0:
                self._changes.add_everything()
        return True

    def _has_other_names(self, path: str) -> bool:
        """Whether a file is a symbolic link, or has hard links: a listing knows what else belongs to it."""
        try:
            seen = os.lstat(f"{self._path}/{path}")
        except OSError:
            return False
        return stat.S_ISLNK(seen.st_mode) or (stat.S_ISREG(seen.st_mode) and seen.st_nlink > 1)

    def _place(self, name: str) -> tuple[FileState, list[str]] | None:
        """A file's state and where it really lies; None if it is gone or left out."""
        parts = segments(name)
        cut = self._last.cut
        if parts is None or (cut is not None and name > cut):
            return None
        location = f"{self._path}/{name}"
        try:
            seen = _unlinked(self._path, parts)
            really = self._really(name, parts, linked=seen is None)
            judgement = judged(self._limits, name, location, seen or os.stat(location)) if really else None  # noqa: PTH116 - names are strings here
        except (OSError, ValueError):
            self._check_root()
            return None
        if really is None or not isinstance(judgement, FileState) or self._denied.get(name) == judgement:
            return None
        return judgement, really

    def _really(self, name: str, parts: list[str], *, linked: bool) -> list[str] | None:
        """Where a name really leads; None if it is left out, or not written as it is on disk.

        Raises:
            OSError: Nowhere.
        """
        if linked:
            # Only the listing knows which links are followed. Where this one leads may be another place by now.
            real = real_name(self._path, f"{self._path}/{name}")
            if real is None or name not in self._last.files or self._rulebook().of_target(real, folder=False):
                return None
            return real.split("/") if self._rulebook().of_place(real, folder=False) is not None else None
        if self._rulebook().of_place(name, folder=False) is not None:
            return None
        return parts if not self._folds_case or _exact(self.root, parts) else None

    def _check_root(self) -> None:
        """A file that cannot be found in a folder that cannot be found is not gone.

        Raises:
            ConnectionFailed: The folder cannot be found.
        """
        identity = _identity(self._given)
        if identity is None or self._identity not in {None, identity} or identity != _identity(self.root):
            raise ConnectionFailed(_UNREACHABLE)


def _read(root: str, parts: list[str], most: int) -> tuple[bytes, FileState] | None:
    """A file's bytes and state; None if it changed meanwhile."""
    handle = open_beneath(root, parts)
    try:
        before = state_of(os.fstat(handle))
        data = read_up_to(handle, most + 1)
        after = state_of(os.fstat(handle))
    finally:
        os.close(handle)
    return (data, before) if before == after and len(data) == before.size <= most else None


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        seen = root.stat()
    except OSError:
        return None
    return (seen.st_dev, seen.st_ino) if stat.S_ISDIR(seen.st_mode) else None


def _stamp(path: str) -> tuple[int, ...] | None:
    """What changes when a file does; None if there is none."""
    try:
        seen = os.lstat(path)
    except OSError:
        return None
    return (seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)


def _unlinked(root: str, parts: list[str]) -> os.stat_result | None:
    """What lies at the end of a way; None if a symbolic link is on it, or at its end.

    Raises:
        OSError: The way leads nowhere.
    """
    location, seen = root, None
    for part in parts:
        location = f"{location}/{part}"
        seen = os.lstat(location)
        if stat.S_ISLNK(seen.st_mode):
            return None
    return seen


def _exact(root: Path, parts: list[str]) -> bool:
    """Whether every part is written as the file system holds it."""
    folders = (root.joinpath(*parts[:i]) for i in range(len(parts)))
    return all(part in {entry.name for entry in folder.iterdir()} for folder, part in zip(folders, parts, strict=True))


def _folds_case(root: Path) -> bool:
    """Whether the file system takes names that differ in case, or in Unicode form, for one."""
    other = root.name.swapcase()
    if other == root.name:
        return sys.platform in {"darwin", "win32"}
    try:
        return root.with_name(other).samefile(root)
    except OSError:
        return False
