"""What a source is: it knows which documents there are and which may have changed."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pincite.model.call import Call
from pincite.model.store import FileState


@dataclass(frozen=True, slots=True)
class Listing:
    """Everything that a source holds now.

    Attributes:
        files: File state by name (relative path with `/`).
        skipped: Reason → how many files were left out for it.
        warnings: What a person should know (too many files, an unreadable folder).
    """

    files: Mapping[str, FileState]
    skipped: Mapping[str, int]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Changes:
    """What may differ from the index.

    Attributes:
        names: Name → a ticket that rises with every event for that name, in rising order of urgency: first what a
            listing found, then what was reported since, the latest last.
        everything: The events do not tell: take a `listing` and compare.
        ticket: The ticket of `everything`.
    """

    names: dict[str, int]
    everything: bool
    ticket: int


@dataclass(frozen=True, slots=True)
class WatchMode:
    """How changes are found: `inotify` (events, exact) or `scan` (a walk at each look), and why."""

    method: str
    reason: str


class Source(Protocol):
    """A place that documents come from. Thread-safe.

    `poll` moves what the operating system has queued into the set of changed names in one step
    under one lock, so that no call overtakes another; nothing leaves the set before `acknowledge`.
    """

    root: Path

    def poll(self) -> Changes:
        """What may have changed, all changes before this call included.

        Raises:
            ConnectionFailed: The source cannot be reached.
        """
        ...

    def mark(self, names: Collection[str], everything_ticket: int) -> int:
        """Answer `everything`: these names differ, the most urgent first; clear it if its ticket has not risen since.

        Returns:
            The ticket that these names have now; those that were also reported since the last answer have a higher one.
        """
        ...

    def acknowledge(self, tickets: Mapping[str, int]) -> None:
        """Take names out of the set whose ticket has not risen since."""
        ...

    def wait(self, seconds: float) -> bool:
        """Block until something may have changed (True) or the time is over (False)."""
        ...

    def listing(self, call: Call) -> Listing:
        """Walk the source.

        Raises:
            ConnectionFailed: The source cannot be reached.
        """
        ...

    def state(self, name: str) -> FileState | None:
        """This document's state now; None if it is gone or left out."""
        ...

    def read(self, name: str) -> tuple[bytes, FileState]:
        """Its bytes and the state that belongs to exactly these bytes.

        Raises:
            NotFound: It is gone, left out, or changes faster than it can be read.
        """
        ...

    def left_out(self, name: str) -> str | None:
        """Why a file that is there is not served, in a word of `Listing.skipped`.

        None for one that is served, that is not there, or that is hidden: nobody learns here whether it exists.
        """
        ...

    def watch_mode(self) -> WatchMode:
        """How changes are found."""
        ...

    def close(self) -> None:
        """Stop watching."""
        ...


GRAIN_NS = 10_000_000
"""Ten milliseconds: the clock's grain on kernels without fine time stamps (a tick at 100 Hz)."""

COARSE_GRAIN_NS = 2_000_000_000
"""Two seconds: file systems that keep whole (FAT: even) seconds only."""


def racy(state: FileState, now_ns: int, grain_ns: int = GRAIN_NS) -> bool:
    """Whether a second write could have left the very same state, so that it cannot be trusted yet.

    Args:
        state: As it was just seen.
        now_ns: The time of the look, nanoseconds since 1970.
        grain_ns: How long two writes may share a time stamp; longer where the stamps are whole seconds.
    """
    changed = max(state.mtime_ns, state.ctime_ns) if state.mtime_ns <= now_ns else state.ctime_ns
    whole = changed % 1_000_000_000 == 0
    return abs(now_ns - changed) < (COARSE_GRAIN_NS if whole else grain_ns)
