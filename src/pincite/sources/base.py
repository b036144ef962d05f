"""The interfaces of sources: one lists and reads documents, a watched one also reports which may have changed."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from pincite.model.call import Call
from pincite.model.store import State


class FileState(NamedTuple):
    """The state of a file: values of `stat` that change with its content."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """The bytes of a document.

    Attributes:
        data: Its bytes.
        state: The state of exactly these bytes.
        modified_ns: Time of its last modification, nanoseconds since 1970.
        is_settled: False if a later change could leave the same state.
        fingerprint: SHA-256 of the bytes, in hex; empty if nobody has computed it yet.
    """

    data: bytes
    state: State
    modified_ns: int
    is_settled: bool = True
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """The documents of a source.

    Attributes:
        states: State by key, in a folder the relative path with `/`.
        left_out: Why a document or folder is left out, by key.
        warnings: Messages for the user (too many files, an unreadable folder).
        unreadable: Why a document cannot be read at the moment, by key; a folder's key ends with `/`.
    """

    states: Mapping[str, State]
    left_out: Mapping[str, str]
    warnings: tuple[str, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def skipped(self) -> Mapping[str, int]:
        """Number of documents and folders left out, by reason."""
        return Counter(self.left_out.values())

    def unseen(self, key: str) -> str:
        """Return why nobody can tell at the moment whether a document is there; empty if it was looked for."""
        folders = (key[: n + 1] for n, character in enumerate(key) if character == "/")
        return next(filter(None, map(self.unreadable.get, (key, *folders))), "") if self.unreadable else ""


@dataclass(frozen=True, slots=True)
class Changes:
    """The documents that may differ from the index.

    Attributes:
        names: Ticket by name, in ascending order of urgency: first what a listing found, then what was reported
            since, the latest last. A ticket increases with every event for its name.
        everything: True if the events do not name every change: take a `listing` and compare.
        ticket: The ticket of `everything`.
    """

    names: dict[str, int]
    everything: bool
    ticket: int


@dataclass(frozen=True, slots=True)
class WatchMode:
    """How changes are detected, `inotify` (events, exact) or `scan` (a walk at each poll), and why."""

    method: str
    reason: str


class Source(Protocol):
    """A collection of documents by key. Thread-safe."""

    def listing(self, call: Call) -> Listing:
        """List all documents of the source.

        Raises:
            ConnectionFailed: The source cannot be reached.
        """
        ...

    def state(self, key: str) -> State | None:
        """Return a document's present state.

        None if it does not exist or is left out, `UNSEEN` if it cannot be read at the moment.
        """
        ...

    def size(self, state: State) -> int:
        """Return the size in bytes of a document of this state; 0 if the source does not know it before reading."""
        ...

    def read(self, key: str) -> SourceDocument:
        """Return a document's bytes.

        Raises:
            NotFound: It does not exist, is left out, or changes faster than it can be read.
        """
        ...


class WatchedSource(Source, Protocol):
    """A source that can change while it is served.

    `poll` moves the operating system's queued events into the set of changed names in one step
    under one lock, so that no call misses an event that another has read; names stay in the set until
    `acknowledge`.
    """

    root: Path

    def poll(self) -> Changes:
        """Return what may have changed, including every change before this call.

        Raises:
            ConnectionFailed: The source cannot be reached.
        """
        ...

    def mark(self, names: Collection[str], everything_ticket: int) -> int:
        """Add the names that a listing found to differ, most urgent first; clear `everything` if its ticket is current.

        Returns:
            The new ticket of these names; those also reported by events since the last listing get a higher one.
        """
        ...

    def acknowledge(self, tickets: Mapping[str, int]) -> None:
        """Remove the names whose ticket is still the given one."""
        ...

    def wait(self, seconds: float) -> bool:
        """Block until something may have changed (True) or the time has passed (False)."""
        ...

    def wake(self) -> None:
        """End a `wait` in progress: documents were added that the source itself does not watch."""
        ...

    def left_out(self, name: str) -> str | None:
        """Return why an existing file is not served, as a reason of `Listing.skipped`.

        None for a file that is served, does not exist, or is hidden, so that the existence of hidden files is not
        revealed.
        """
        ...

    def behind(self) -> Mapping[str, str]:
        """Return why documents differ from their files, by key; empty for a source that follows them. Reads no file."""
        ...

    def watch_mode(self) -> WatchMode:
        """Return how changes are detected."""
        ...

    def close(self) -> None:
        """Stop watching."""
        ...


GRAIN_NS = 10_000_000
"""Resolution of time stamps on kernels without fine-grained ones: a tick at 100 Hz."""

COARSE_GRAIN_NS = 2_000_000_000
"""Resolution of file systems with whole seconds only; FAT's are even."""


def is_racy(state: FileState, now_ns: int, grain_ns: int = GRAIN_NS) -> bool:
    """Return True if a second write could leave the same state, as for git's racy index entries.

    Args:
        state: As just read.
        now_ns: Time of reading it, nanoseconds since 1970.
        grain_ns: Resolution of the time stamps; `COARSE_GRAIN_NS` applies to whole seconds.
    """
    # A modification time in the future was set by hand; the change time cannot be.
    changed = max(state.mtime_ns, state.ctime_ns) if state.mtime_ns <= now_ns else state.ctime_ns
    whole = changed % 1_000_000_000 == 0
    return abs(now_ns - changed) < (COARSE_GRAIN_NS if whole else grain_ns)
