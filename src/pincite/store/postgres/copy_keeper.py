"""Keeps the copy of a collection in a server's memory.

It is made in the background. Until it is there, and whenever it is not of a snapshot's generation, the database finds
and scores.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pincite.errors import IndexLost, PinciteError
from pincite.runtime.imports import import_once
from pincite.store.postgres.connections import CLOSED
from pincite.store.postgres.reads import CopyReads, Row
from pincite.store.rows import read

if TYPE_CHECKING:
    from pincite.store.memory.matrix import Frame
    from pincite.store.postgres.collection_copy import CollectionCopy, CopyView
    from pincite.store.postgres.copied_lists import CopiedLists
    from pincite.store.postgres.packed import Sequences

RETRY_SECONDS = 30.0
"""Time after a copy that failed in which none is tried: the database answers."""

PAUSE_RATIO = 10
"""Time in which none is made after one was, as a multiple of what it took: while a collection is loaded in bulk, each
copy is soon too far behind to catch up."""

log = logging.getLogger(__name__)


class CopyKeeper:
    """Makes the copy of a collection and hands it to searches. Thread-safe.

    Args:
        max_chunks: Maximum number of chunks of a collection that is copied.
        open_reads: Opens a snapshot to copy from.
    """

    def __init__(self, max_chunks: int, open_reads: Callable[[], AbstractContextManager[CopyReads]]) -> None:
        self._max_chunks = max_chunks
        self._open_reads = open_reads
        self._copy: CollectionCopy | None = None
        self._catching_up = threading.Lock()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._begin_at = float("-inf")
        self._was_searched = False
        self._closed = threading.Event()

    def view(self, reads: CopyReads) -> "CopyView | None":
        """Return the copy for a snapshot; None if the database has to answer. One that may be made is begun."""
        if not 0 < reads.total <= self._max_chunks:
            self._copy = None
            return None
        copy = self._copy
        if copy is None:
            self._begin()
            return None
        if copy.generation < reads.generation:
            with self._catching_up:
                if copy.generation < reads.generation and not copy.catch_up(reads):
                    self._copy = None
                    self._begin()
                    return None
        return copy.view(reads.generation)

    def wait(self, seconds: float) -> bool:
        """Wait for the copy that is being made, if one is; return True if there is one."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return self._copy is not None

    def close(self) -> None:
        """End the copying and forget the copy."""
        self._closed.set()
        self.wait(RETRY_SECONDS)
        self._copy = None

    def _begin(self) -> None:
        # Not with the first search: a command that searches once would copy for nobody.
        with self._starting:
            is_first, self._was_searched = not self._was_searched, True
            is_running = self._thread is not None and self._thread.is_alive()
            if is_first or is_running or self._closed.is_set() or time.monotonic() < self._begin_at:
                return
            self._thread = threading.Thread(target=self._load, name="pincite-copy", daemon=True)
            self._thread.start()

    def _load(self) -> None:
        began = time.monotonic()
        try:
            import_once("pincite.store.postgres.collection_copy")
            from pincite.store.postgres.collection_copy import load  # noqa: PLC0415 - imports numpy

            with self._open_reads() as reads:
                copy = load(replace(reads, batches=partial(self._batches, reads)))
                chunks = reads.total
        except (PinciteError, MemoryError) as error:
            if not self._closed.is_set():
                self._begin_at = time.monotonic() + RETRY_SECONDS
                log.warning("store.not_copied", extra={"reason": str(error)})
            return
        seconds = time.monotonic() - began
        self._begin_at = time.monotonic() + PAUSE_RATIO * seconds
        self._copy = copy
        log.info("store.copied", extra={"chunks": chunks, "seconds": round(seconds, 3)})

    def _batches(self, reads: CopyReads, name: str, arguments: Any) -> Iterator[list[Row]]:
        """Yield batches until the store is closed."""
        for batch in reads.batches(name, arguments):
            if self._closed.is_set():
                raise IndexLost(CLOSED)
            yield batch


class SnapshotCopy:
    """The parts of the copy that one snapshot reads instead of the database. Thread-safe.

    Args:
        copies: Keeps the copy; None if none is kept.
        reads: Reads the snapshot.
        tokens: The snapshot's number of tokens.
    """

    def __init__(self, copies: CopyKeeper | None, reads: CopyReads, tokens: int) -> None:
        self._copies = copies
        self._reads = reads
        self._tokens = tokens
        self._lock = threading.Lock()
        # The answer of the keeper, after the first call; at most one element.
        self._views: list[CopyView | None] = []
        self._lists: CopiedLists | None = None

    def vectors(self) -> "Frame | None":
        """Return the vectors; None if they are not in memory."""
        view = self._view()
        return None if view is None else view.frame

    def lists(self) -> "CopiedLists | None":
        """Return the posting lists; None if they are not in memory."""
        view = self._view()
        if view is None or view.table is None:
            return None
        if self._lists is None:
            from pincite.store.postgres.copied_lists import CopiedLists  # noqa: PLC0415 - imports numpy

            self._lists = CopiedLists(view.table, view.term_ids, self._reads.total, self._tokens, self._sequences)
        return self._lists

    def _view(self) -> "CopyView | None":
        if self._copies is None:
            return None
        with self._lock:
            if not self._views:
                self._views.append(self._copies.view(self._reads))
            return self._views[0]

    def _sequences(self, chunk_ids: Sequence[int]) -> "Sequences":
        from pincite.store.postgres.packed import to_sequences  # noqa: PLC0415 - imports numpy

        return read(to_sequences, self._reads.rows("forward", (list(chunk_ids),)))
