"""The state of a collection, as answers report it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from pincite.model.store import Statistics


@dataclass(frozen=True, slots=True)
class Freshness:
    """Whether an answer may miss a change.

    Attributes:
        generation: The index's version.
        checked_at: Time of the last comparison with the source (seconds since 1970).
        pending: Number of documents waiting to be indexed.
        stale: False if the comparison succeeded and the answer reflects every change it found.
        reason: Why it is stale; empty if it is not.
    """

    generation: int
    checked_at: float
    pending: int = 0
    stale: bool = False
    reason: str = ""


def iso(seconds: float) -> str:
    """Format a time as in every answer: ISO 8601, UTC, milliseconds, trailing Z."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Indexing:
    """Progress of indexing, in documents."""

    done: int
    total: int


EmbeddingState = Literal["unused", "loading", "ready", "unavailable"]


@dataclass(frozen=True, slots=True)
class EmbeddingStatus:
    """The embedding model of a collection.

    Attributes:
        failure: Why it is not available; empty if it is, or has not been loaded yet.
    """

    model: str
    dimensions: int
    provider: str
    state: EmbeddingState
    failure: str


@dataclass(frozen=True, slots=True)
class CollectionStatus:
    """The contents of a collection, and what is missing from it.

    Attributes:
        place: Where the index is kept.
        size_bytes: Its size on disk.
        embedding: The embedding model.
        statistics: Counts from the snapshot.
        skipped: Number of files left out, by reason.
        failed: Number of unreadable documents, by reason.
        incomplete: Number of partly unreadable documents, by reason.
        warnings: Messages for the user about the source.
        rereading: Number of documents that will be read anew with a newer reader, another chunk size or a raised limit;
            they are found by their present text until then.
        indexing: Progress; None once terms and vectors are complete.
        method: How changes are detected: `inotify` or `scan`.
        reason: Why by that method.
    """

    place: str
    size_bytes: int
    embedding: EmbeddingStatus
    statistics: Statistics
    skipped: Mapping[str, int]
    failed: Mapping[str, int]
    incomplete: Mapping[str, int]
    warnings: tuple[str, ...]
    rereading: int
    indexing: Indexing | None
    method: str
    reason: str
