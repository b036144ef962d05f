"""A folder of files as a source."""

import errno
import logging
import os
import stat
import sys
import threading
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from pincite.errors import ConnectionFailed, NotFound
from pincite.model.call import Call
from pincite.model.store import UNSEEN, State
from pincite.sources import inotify
from pincite.sources.base import Changes, FileState, Listing, SourceDocument, WatchMode, is_racy
from pincite.sources.changes import ChangeSet
from pincite.sources.exclusions import Limits, Reason, Rulebook
from pincite.sources.ignore import NAMES, IgnoreFiles
from pincite.sources.mounts import Mounts
from pincite.sources.paths import (
    ABSENT,
    folds_case,
    identity_of,
    is_exact_case,
    lstat_unlinked,
    read_beneath,
    segments,
    stamp_of,
)
from pincite.sources.unwatched import Unwatched
from pincite.sources.walk import TooManyError, WalkResult, judged, real_name, walk

_LOG = logging.getLogger("pincite.sources")

READ_ATTEMPTS = 5
MAX_ADOPTED_FILES = 2000
"""Maximum number of files in a new folder that a poll lists itself; more are left to the next listing."""

MAX_PAUSE_SECONDS = 3600.0
SETTLE_SECONDS = 0.01
"""Pause of a waiting thread between two reads of the event queue: a busy writer raises many events."""

_UNREACHABLE = "The documentation folder cannot be reached. Put it back, or start pincite again on its new place."
_UNMOUNTED = "its volume is not mounted"
_LINKS = "a symbolic link leads to a part of the folder that is not watched"
# A file that `stat` shows as readable and `open` denies: mandatory access control, or a failing disk.
_DENIED = frozenset({errno.EACCES, errno.EPERM, errno.EIO})
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EACCES})


class FolderSource:
    """The files below a folder, by relative path. Satisfies `sources.base.WatchedSource`; thread-safe.

    Changes are detected by inotify where that is exact: each `poll` reads the system's queue itself,
    and an event is queued before the writer's system call returns. Elsewhere `poll` always reports
    `everything`, and the caller compares a `listing`.

    Files are left out for the reasons of `exclusions.Reason`; a folder that is left out counts once. A symbolic
    link is followed if its target is inside the folder and not served under its own name; folders with
    such links are compared, not watched. Names that cannot be decoded are left out: neither JSON nor a
    database can hold them.
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
        """Set the folder; nothing is opened before the first `poll`.

        Args:
            root: The folder, or a link to it, which is followed again if it is changed later.
            extensions: Whether an extension (lower case with the dot) is of a text format.
            max_text_bytes: Maximum size of a file of a text format.
            max_other_bytes: Maximum size of a file of another format.
            max_files: Maximum number of files; the first by path are taken.
            watch: Whether to use the system's change events.
            rescan_seconds: Maximum time between two listings that `wait` allows, for writes through a
                memory mapping, which raise no event; 0 for no limit.
            max_watches: Maximum number of watched folders, below the system's own limit.
        """
        self._given_path = root.absolute()
        self.root = root.resolve()
        self._path = str(self.root)
        self._limits = Limits(dict(extensions), max_text_bytes, max_other_bytes, max_files)
        self._use_events = watch
        self._rescan = rescan_seconds or float("inf")
        self._max_watches = max_watches
        self._lock = threading.RLock()
        self._closed = threading.Event()
        self._changes = ChangeSet()
        self._ignore_files = IgnoreFiles()
        self._rules: Rulebook | None = None
        self._outer_ignore_files: Mapping[str, tuple[int, ...] | None] = {}
        self._denied: dict[str, FileState] = {}
        self._identity: tuple[int, int] | None = None
        self._mounts = Mounts()
        self._unwatched = Unwatched()
        self._watcher: inotify.Watcher | None = None
        self._scan_reason = "the folder has not been looked at yet"
        self._last_listing = WalkResult()
        self._listed_device: int | None = None
        self._logged_warnings: frozenset[str] = frozenset()
        self._walks_started = self._latest_walk = self._rules_version = 0
        self._free_slots = 0
        self._folds_case = False
        self._listed_at = time.monotonic()

    def poll(self) -> Changes:
        """See `Source.poll`."""
        with self._lock:
            self._refresh()
            return self._changes.current(scanning=bool(self._scan_reason))

    def mark(self, names: Collection[str], everything_ticket: int) -> int:
        """See `Source.mark`."""
        with self._lock:
            return self._changes.mark(names, everything_ticket)

    def acknowledge(self, tickets: Mapping[str, int]) -> None:
        """See `Source.acknowledge`."""
        with self._lock:
            self._changes.acknowledge(tickets)

    def wait(self, seconds: float) -> bool:
        """See `Source.wait`; also return True when the last listing is `rescan_seconds` old."""
        deadline = time.monotonic() + seconds
        while not self._closed.is_set():
            with self._lock:
                if self._has_news():
                    return True
                watcher = self._watcher
            now = time.monotonic()
            if now >= deadline:
                return False
            # Wake for the rescan, too; capped, since neither `poll` nor a lock takes an infinite timeout.
            pause = max(0.0, min(deadline - now, self._listed_at + self._rescan - now, MAX_PAUSE_SECONDS))
            if watcher is None:
                self._closed.wait(pause)
            else:
                watcher.wait(pause)
                self._closed.wait(min(SETTLE_SECONDS, pause))
        return False

    def has_more_than(self, n: int) -> bool:
        """Return True if more than n files would be listed; stop counting there."""
        limits = replace(self._limits, max_files=n)
        try:
            walk(self._path, limits, self._rulebook(), Call(), enter=lambda _: None, whole=True)
        except TooManyError:
            return True
        except OSError:
            return False  # `listing` reports it
        return False

    def listing(self, call: Call) -> Listing:
        """See `Source.listing`."""
        with self._lock:
            if self._watcher is None:  # else a change of the mounts has been looked at
                with suppress(OSError):
                    self._mounts.refresh(self._path)
            unmounted = {f"{point}/": _UNMOUNTED for point in self._mounts.lost}
            self._walks_started += 1
            number, version = self._walks_started, self._rules_version
            rules = Rulebook(self._path, self._limits, self._ignore_files)
            root = self.root
        identity = identity_of(root)
        try:
            walked = walk(str(root), self._limits, rules, call, enter=self._watch_folder, denied=self._denied)
        except OSError as error:
            raise ConnectionFailed(_UNREACHABLE, details=error.strerror or str(error)) from error
        # After a folder was replaced or unmounted during the walk, its files seem to be deleted.
        if identity != identity_of(root) or (not walked.files and self._is_unmounted(identity)):
            raise ConnectionFailed(_UNREACHABLE)
        with self._lock:
            if number > self._latest_walk:
                self._latest_walk = number
                if walked.files and identity is not None:
                    self._listed_device = identity[0]
                self._apply_listing(walked, rules if version == self._rules_version else None)
        return Listing(walked.files, walked.left_out, tuple(walked.warnings), {**walked.unreadable, **unmounted})

    def state(self, key: str) -> State | None:
        """See `Source.state`."""
        resolved = self._resolve(key)
        return resolved[0] if resolved else None

    def size(self, state: State) -> int:
        """See `Source.size`."""
        return FileState._make(state).size

    def read(self, key: str) -> SourceDocument:
        """See `Source.read`; no symbolic link is followed out of the folder, even if the path changes meanwhile."""
        for _ in range(READ_ATTEMPTS):
            resolved = self._resolve(key)
            if resolved is None:
                raise NotFound(f"{key} no longer exists.")
            state, parts = resolved
            if state == UNSEEN:
                raise NotFound(f"{key} cannot be read at the moment. Give the server the permission to read it.")
            try:
                content = read_beneath(self._path, parts, self._limits.most_bytes(key) or 0)
            except OSError as error:
                if error.errno in _DENIED:
                    self._denied[key] = FileState._make(state)
                continue
            if content is not None:
                data, state = content
                return SourceDocument(data, state, state.mtime_ns, is_settled=not is_racy(state, time.time_ns()))
        raise NotFound(f"{key} changes faster than it can be read. Ask again in a moment.")

    def wake(self) -> None:
        """See `WatchedSource.wake`: nothing is added to a folder but files, which it watches."""

    def behind(self) -> Mapping[str, str]:
        """See `WatchedSource.behind`: changes are indexed."""
        return {}

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
                reasons = {self._rulebook().of_path(path, folder=False) for path in (name, real)}
            status = Path(location).stat()
        except OSError:
            return None
        hidden = any(part.startswith(".") for path in (name, real) for part in path.split("/"))
        if hidden or stat.S_ISDIR(status.st_mode):
            return None
        judgement = judged(self._limits, name, location, status)
        cut = self._last_listing.cut
        all_reasons = [
            *filter(None, reasons),
            *([judgement] if isinstance(judgement, Reason) else []),
            *([Reason.TOO_MANY] if cut is not None and name > cut else []),
            *([Reason.LINKED_TWICE] if real != name else []),
        ]
        return all_reasons[0] if all_reasons and name not in self._last_listing.files else None

    def watch_mode(self) -> WatchMode:
        """See `Source.watch_mode`."""
        with self._lock:
            if self._identity is None and not self._closed.is_set():
                try:
                    self._refresh()
                except ConnectionFailed as error:
                    return WatchMode("scan", error.message)
            if self._scan_reason:
                return WatchMode("scan", self._scan_reason)
            return WatchMode("inotify", "every change below the folder is reported by the system")

    def close(self) -> None:
        """See `Source.close`."""
        self._closed.set()
        with self._lock:
            self._stop_watching("the source is closed")
            self._mounts.close()

    def _is_unmounted(self, identity: tuple[int, int] | None) -> bool:
        """Return True if the files that were listed before were on another device."""
        return identity is not None and self._listed_device not in (None, identity[0])

    def _apply_listing(self, walked: WalkResult, rules: Rulebook | None) -> None:
        """Keep the result of a listing; `rules` is None if they have changed since it began."""
        self._rules = rules or self._rules
        self._last_listing = walked
        self._free_slots = self._limits.max_files - len(walked.files)
        self._listed_at = time.monotonic()
        for sentence in walked.warnings:
            if sentence not in self._logged_warnings:
                _LOG.warning("folder.warning", extra={"problem": sentence})
        self._logged_warnings = frozenset(walked.warnings)
        if self._watcher is not None:
            self._scan_reason = _LINKS if walked.links else ""
            mounted = (name for name in self._mounts.below if name in walked.files)
            self._unwatched.learn(walked.files, (*walked.shared, *mounted))

    def _has_news(self) -> bool:
        """Return True if a waiting thread should poll."""
        try:
            self._refresh()
        except ConnectionFailed:
            return True
        if time.monotonic() >= self._listed_at + self._rescan:
            self._listed_at = time.monotonic()
            self._changes.add_everything()
        return self._changes.is_pending

    def _refresh(self) -> None:
        """Read the events since the last call, and restart watching if the folder or its mounts changed."""
        identity = self._current_identity()
        if identity is None:
            self._identity = None
            self._stop_watching(_UNREACHABLE)
            raise ConnectionFailed(_UNREACHABLE)
        # A folder that was replaced, or a new mount below it, has no watches.
        if identity != self._identity or self._mounts.have_changed(self._path):
            self._start_watching(identity)
        if self._watcher is not None:
            self._drain(self._watcher)
            if changed := self._unwatched.changed(self._path):
                self._changes.add(changed)
        # `.gitignore` files above the root are outside the watched tree: compare them at each poll.
        if self._outer_ignore_files and self._outer_ignore_files != {
            path: stamp_of(path) for path in self._outer_ignore_files
        }:
            self._reset_rules()

    def _current_identity(self) -> tuple[int, int] | None:
        """Return the identity of the folder, following the given link again; None if it cannot be reached."""
        identity = identity_of(self._given_path)
        if self._given_path != self.root and (identity is None or identity != identity_of(self.root)):
            self._identity = None
            if identity is not None:
                self.root = self._given_path.resolve()
                self._path = str(self.root)
        return identity

    def _start_watching(self, identity: tuple[int, int]) -> None:
        """Start or restart watching; anything may have changed before."""
        self._stop_watching("")
        self._identity = identity
        self._folds_case = folds_case(self.root)
        self._reset_rules()
        self._scan_reason = self._scan_cause()
        if self._scan_reason:
            return
        try:
            self._watcher = inotify.Watcher(self._path, self._max_watches)
        except OSError as error:
            self._scan_reason = f"the system allows no more change watches ({os.strerror(error.errno or 0)})"

    def _scan_cause(self) -> str:
        """Return why the system's events are not used; empty if they are."""
        if self._closed.is_set():
            return "the source is closed"
        if not self._use_events:
            return "change events are switched off"
        if sys.platform != "linux":
            return "this system's change events are not exact"
        try:
            kind = self._mounts.refresh(self._path)
        except OSError:
            return "the type of the file system is unknown"
        return f"the folder is on a file system ({kind}) that can change without an event" if kind else ""

    def _stop_watching(self, reason: str) -> None:
        """Stop watching: from now on every poll requires a listing."""
        if self._watcher is not None:
            self._watcher.close()
            self._watcher = None
        self._scan_reason = reason
        self._unwatched = Unwatched()
        self._changes.add_everything()

    def _reset_rules(self) -> None:
        """Discard the ignore rules and require a listing, after a change of an ignore file."""
        self._rules_version += 1
        self._ignore_files.forget()
        self._rules = None
        rules = self._rulebook()
        self._outer_ignore_files = {path: stamp_of(path) for path, _ in rules.above}
        self._changes.add_everything()

    def _rulebook(self) -> Rulebook:
        rules = self._rules
        if rules is None:
            rules = self._rules = Rulebook(self._path, self._limits, self._ignore_files)
        return rules

    def _watch_folder(self, folder: str) -> None:
        """Watch a folder that is about to be listed, so that no change falls between the two."""
        with self._lock:
            if self._watcher is None:
                return
            try:
                self._watcher.add(folder)
            except OSError as error:
                # A deleted folder raises its own event; an unreadable one cannot be listed either.
                if error.errno not in _GONE:
                    self._stop_watching("there are more folders than the system watches (fs.inotify.max_user_watches)")

    def _drain(self, watcher: inotify.Watcher) -> None:
        names: list[str] = []
        for folder, bits, name in watcher.drain():
            # Events were dropped, or the watched root is another folder now: watch from the start.
            lost = bits & inotify.OVERFLOW or (not folder and not name and bits & inotify.SELF_GONE)
            if lost and self._identity is not None:
                self._start_watching(self._identity)
                return
            path = f"{folder}/{name}" if folder else name
            if not name:
                # An event of a folder itself is also reported to its watched parent, except for the root.
                if bits & inotify.UNMOUNTED or (not folder and bits & inotify.ATTRIBUTES):
                    self._changes.add_everything()
            elif name in NAMES or path == ".git":
                self._reset_rules()
            elif bits & inotify.FOLDER:
                names += self._folder_event(watcher, path, bits)
            elif self._file_event(path, bits):
                names.append(path)
        if names:
            self._changes.add(names)

    def _folder_event(self, watcher: inotify.Watcher, path: str, bits: int) -> Collection[str]:
        """Handle a folder that was created, deleted, moved or changed its mode; return the names of its files."""
        if self._rulebook().of_entry(path, folder=True) is not None:
            return ()
        if bits & inotify.MOVED_FROM:
            watcher.forget(path)
        # Files of a folder that was moved away raise no events, nor do files that a new mode reveals or hides.
        if bits & (inotify.MOVED_FROM | inotify.ATTRIBUTES) or self._last_listing.cut is not None:
            self._changes.add_everything()
        return self._list_new_folder(path) if bits & inotify.CREATED else ()

    def _list_new_folder(self, folder: str) -> Collection[str]:
        """Watch and list a new folder; files may have been written before the watch was set."""
        limits = replace(self._limits, max_files=min(max(self._free_slots, 0), MAX_ADOPTED_FILES))
        try:
            walked = walk(
                self._path, limits, self._rulebook(), Call(), start=folder, enter=self._watch_folder, whole=True
            )
        except TooManyError:
            self._changes.add_everything()
            return ()
        except OSError:
            return ()
        if walked.links or Reason.LINKED_TWICE in walked.left_out.values():
            self._changes.add_everything()
        self._free_slots -= len(walked.files)
        if walked.shared:
            # Files known under one name only may be hard links of these, and have to be compared from now on.
            self._changes.add_everything()
        return walked.files.keys()

    def _file_event(self, path: str, bits: int) -> bool:
        """Return True if this name may differ from the index."""
        reason = self._rulebook().of_entry(path, folder=False)
        if reason not in {None, Reason.UNSUPPORTED}:
            return False
        if bits & inotify.CREATED and self._has_other_names(path):
            self._changes.add_everything()
        if reason is not None:
            return False
        if bits & (inotify.CREATED | inotify.REMOVED):
            self._free_slots -= 1 if bits & inotify.CREATED else 0
            if self._last_listing.cut is not None or self._free_slots < 0:
                self._changes.add_everything()
        return True

    def _has_other_names(self, path: str) -> bool:
        """Return True if a file is a symbolic link or has hard links, whose other names only a listing finds."""
        try:
            status = os.lstat(f"{self._path}/{path}")
        except OSError:
            return False
        return stat.S_ISLNK(status.st_mode) or (stat.S_ISREG(status.st_mode) and status.st_nlink > 1)

    def _resolve(self, name: str) -> tuple[State, list[str]] | None:
        """Return a file's state and the parts of its real path; None if it does not exist or is left out.

        The state is `UNSEEN` if it cannot be read, or a folder above it cannot.
        """
        parts = segments(name)
        cut = self._last_listing.cut
        if parts is None or (cut is not None and name > cut):
            return None
        location = f"{self._path}/{name}"
        try:
            status = lstat_unlinked(self._path, parts)
            real = self._real_parts(name, parts, linked=status is None)
            judgement = judged(self._limits, name, location, status or os.stat(location)) if real else None  # noqa: PTH116 - names are strings here
        except ValueError:
            return None
        except OSError as error:
            self._check_root()
            is_lost = any(name.startswith(f"{point}/") for point in self._mounts.lost)
            is_absent = error.errno in ABSENT and not is_lost
            is_absent |= self._rulebook().of_path(name, folder=False) is not None
            return None if is_absent else (UNSEEN, [])
        if judgement is Reason.UNREADABLE or (judgement is not None and self._denied.get(name) == judgement):
            return UNSEEN, []
        return (judgement, real) if real is not None and isinstance(judgement, FileState) else None

    def _real_parts(self, name: str, parts: list[str], *, linked: bool) -> list[str] | None:
        """Return the parts of a name's real path; None if it is left out, or spelt in other case than on disk.

        Raises:
            OSError: The path does not exist.
        """
        if linked:
            # Only the listing knows which links are followed; the target is checked again, since it may have changed.
            real = real_name(self._path, f"{self._path}/{name}")
            if real is None or name not in self._last_listing.files or self._rulebook().of_target(real, folder=False):
                return None
            return real.split("/") if self._rulebook().of_path(real, folder=False) is not None else None
        if self._rulebook().of_path(name, folder=False) is not None:
            return None
        return parts if not self._folds_case or is_exact_case(self.root, parts) else None

    def _check_root(self) -> None:
        """Distinguish a deleted file from an unreachable folder.

        Raises:
            ConnectionFailed: The folder cannot be reached.
        """
        identity = identity_of(self._given_path)
        if identity is None or self._identity not in {None, identity} or identity != identity_of(self.root):
            raise ConnectionFailed(_UNREACHABLE)
