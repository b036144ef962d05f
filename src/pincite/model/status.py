"""What an answer says about the index it was taken from."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from pincite.model.store import Statistics


@dataclass(frozen=True, slots=True)
class Freshness:
    """Whether an answer may miss a change.

    Attributes:
        generation: The index's version.
        checked_at: When the source was last compared with it (seconds since 1970).
        pending: How many documents wait to be brought in.
        stale: False when the check was made and every change it found is in the answer.
        reason: Why it is stale; empty when it is not.
    """

    generation: int
    checked_at: float
    pending: int = 0
    stale: bool = False
    reason: str = ""


def iso(seconds: float) -> str:
    """Format a time as every face shows it: ISO 8601, UTC, milliseconds, trailing Z."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Indexing:
    """How far the indexing is, in documents."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What is in an index, and what is not.

    Attributes:
        statistics: Counted in the snapshot.
        skipped: Reason → how many files were left out for it.
        failed: Reason → how many documents could not be read for it.
        incomplete: Reason → of how many documents a part could not be read for it.
        warnings: What a person should know of the source.
        indexing: None once words and vectors are complete.
        method: How changes are found: `inotify` or `scan`.
        reason: Why by that method.
    """

    statistics: Statistics
    skipped: Mapping[str, int]
    failed: Mapping[str, int]
    incomplete: Mapping[str, int]
    warnings: tuple[str, ...]
    indexing: Indexing | None
    method: str
    reason: str
