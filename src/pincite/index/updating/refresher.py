"""Freshness of the index: each call indexes the changes before it, and a thread works ahead."""

import logging
import math
import threading
import time
from collections.abc import Generator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from pincite.embedding.lazy import LazyEmbedder
from pincite.errors import (
    AuthError,
    Cancelled,
    ConnectionFailed,
    IndexLost,
    InternalError,
    PinciteError,
    RateLimited,
    WritingFailed,
)
from pincite.index.updating.indexer import Backlog, Indexer
from pincite.index.updating.vectorizer import Vectorizer
from pincite.model.call import Call, silent
from pincite.model.status import Freshness
from pincite.runtime.allocator import return_freed_memory
from pincite.sources.base import WatchedSource
from pincite.store.base import Snapshot, Store
from pincite.text.counts import counted
from pincite.text.excerpt import excerpts

log = logging.getLogger("pincite.index")

SLICE_SECONDS = 1.0
"""Duration of one round of the background thread."""

PAUSE_SECONDS = 5.0
"""Pause of the background thread after an error."""

LONG_PAUSE_SECONDS = 300.0
"""Pause after a key was refused."""

TIDY_GENERATIONS = 100
"""Changes of the index after which the background thread tidies it again."""

WORDS_POLL_SECONDS = 0.2
"""Interval at which the first search checks whether the background thread has indexed pending documents."""

MAX_NAMED = 5
"""Maximum number of unreadable documents that an answer names."""

START_SECONDS = 0.2
"""Delay of the background thread's work, by which the first answer is usually sent.

Without it both walked the folder at once, contending for the interpreter lock (50 ms of a first answer)."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The index after a refresh, in one consistent state.

    Attributes:
        snapshot: The rows, terms and vectors.
        freshness: Whether answers may miss a change; part of each answer.
        unembedded: Number of documents that have chunks without vectors.
        waiting: Names of documents that changed and are not indexed again yet.
        outdated: Those of them whose old text may be stored; it is never quoted.
        problem: Why the index cannot be written; empty if it can.
        rereading: Number of documents that will be read anew, and are found by their present text until then.
        behind: Why documents differ from their files, by source key (`WatchedSource.behind`).
    """

    snapshot: Snapshot
    freshness: Freshness
    unembedded: int = 0
    waiting: AbstractSet[str] = frozenset()
    outdated: frozenset[str] = frozenset()
    problem: str = ""
    rereading: int = 0
    behind: Mapping[str, str] = field(default_factory=dict[str, str])


class Refresher:
    """Keeps one index fresh.

    Each call takes a snapshot by `refreshed`, which first indexes the changes before the call, for at most `budget`
    seconds. The background thread does the same between calls. A call embeds the chunks of at most `bulk` documents if
    that is likely to fit its budget, and none if a service embeds, which may take a minute to answer.
    """

    def __init__(  # the parts of an index, each given once, by the composition root
        self,
        source: WatchedSource,
        store: Store,
        indexer: Indexer,
        vectorizer: Vectorizer,
        embedder: LazyEmbedder,
        *,
        budget: float,
        grace: float,
        rescan: float,
        bulk: int,
        unused_vectors: int,
        embeds_in_calls: bool = True,
    ) -> None:
        self._source = source
        self._store = store
        self._indexer = indexer
        self._vectorizer = vectorizer
        self._embedder = embedder
        self._budget = budget
        self._grace = grace
        self._rescan = rescan
        self._bulk = bulk
        self._unused_vectors = unused_vectors
        self._embeds_in_calls = embeds_in_calls
        self._stop = threading.Event()
        self._start_lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._started_at = 0.0
        self._tidied_at: float = -math.inf
        self._background_failure: PinciteError | None = None
        self._has_worked = False
        self._has_been_searched = False

    @property
    def background_failure(self) -> PinciteError | None:
        """The error of the last round of background work, which is retried; None if it succeeded."""
        return self._background_failure

    def retry_refused(self, call: Call) -> int:
        """See `Vectorizer.retry_refused`."""
        return self._vectorizer.retry_refused(self._embedder.embedder, call)

    def start(self) -> None:
        """Start the background thread; a second call does nothing."""
        with self._start_lock:
            if self._thread is None and not self._stop.is_set():
                self._started_at = time.monotonic()
                self._thread = threading.Thread(target=self._run, name="pincite-refresher", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop the background work and wait for its end."""
        # Closing the source wakes the thread from its wait.
        self._stop.set()
        self._source.close()
        if self._thread is not None:
            self._thread.join()
        self._release_lease()

    def deadline(self, call: Call) -> float:
        """Return the `time.monotonic()` value until which a call that begins now indexes changes."""
        return time.monotonic() + min(self._budget, call.remaining())

    @contextmanager
    def refreshed(self, call: Call, *, semantic: bool, deadline: float | None = None) -> Generator[Refreshed]:
        """Open a snapshot that has every change before this call, or is marked as stale.

        Args:
            call: The call to answer.
            semantic: Whether the answer depends on vectors.
            deadline: The `deadline` that this collection shares with others of the call; None for its own.
        """
        self._embedder.start()
        deadline = self.deadline(call) if deadline is None else deadline
        checked_at = time.time()
        backlog = Backlog()
        reasons: list[str] = []
        try:
            backlog = self._refresh(call, deadline)
            if semantic and not self._has_been_searched:
                self._has_been_searched = True
                backlog = self._await_words(call, deadline, backlog)
        except ConnectionFailed as error:
            reasons.append(error.message)
        waiting = backlog.pending
        if waiting:
            reasons.append(f"{_documents(len(waiting))} to be read; until then nothing is quoted from there.")
        if backlog.error:
            reasons.append(backlog.error)
        if backlog.held_elsewhere:
            reasons.append("Another server of this folder is reading them.")
        behind = self._source.behind()
        if behind:
            reasons.append(
                f"The files of {counted(len(behind), 'document')} changed or are gone since they were added."
            )
        if unseen := backlog.unseen:
            names = excerpts(sorted(unseen)[:MAX_NAMED])
            reasons.append(
                f"{counted(len(unseen), 'document')} cannot be read now and may have changed since indexed: {names}."
            )
            behind = {**behind, **{name: f"{why} This is the text that was indexed." for name, why in unseen.items()}}
        # Only after the first refresh: two threads that walk the same folder only slow each other down.
        self.start()
        unembedded = 0
        try:
            unembedded = self._embed(call, deadline) if semantic else 0
        except WritingFailed as error:
            unembedded = self._store.waiting_documents()
            reasons.append(error.message)
        if unembedded:
            reasons.append(f"{_documents(unembedded)} to be searched by meaning; until then by keywords only.")
        with self._store.snapshot(call) as snapshot:
            freshness = Freshness(
                generation=snapshot.generation,
                checked_at=checked_at,
                pending=len(waiting) + unembedded + len(behind),
                stale=bool(reasons),
                reason=" ".join(reasons),
            )
            yield Refreshed(
                snapshot, freshness, unembedded, waiting, backlog.outdated, backlog.error, backlog.rereading, behind
            )

    def _refresh(self, call: Call, deadline: float) -> Backlog:
        """Index all changes, except bulk work if the background thread does it.

        Within one budget of that thread's start calls do bulk work, too: a new index has nothing to answer from.
        """
        if self._thread is None or math.isinf(self._budget):
            return self._indexer.refresh(call, deadline)
        early = min(deadline, self._started_at + self._budget)
        if time.monotonic() < early:
            backlog = self._indexer.refresh(call, early)
            if not backlog.pending or backlog.error:
                return backlog
            call = replace(call, progress=silent)  # the next refresh counts anew, and progress must not go back
        return self._indexer.refresh(call, deadline, helped=True)

    def _await_words(self, call: Call, deadline: float, backlog: Backlog) -> Backlog:
        """Wait for the background thread to index what waits: the first search of a folder answers from its words."""
        while self._thread and backlog.pending and not (backlog.error or backlog.held_elsewhere or call.cancelled()):
            left = deadline - time.monotonic()
            if left <= 0 or self._stop.wait(min(left, WORDS_POLL_SECONDS)):
                break
            backlog = self._indexer.refresh(call, deadline, helped=True)
        return backlog

    def _embed(self, call: Call, deadline: float) -> int:
        """Wait for the model and embed a few changed documents; return the number that still lack vectors."""
        ready = self._embedder.ready(min(self._grace, call.remaining()))
        waiting = self._store.waiting_documents()
        if not waiting:
            return 0
        # If the model cannot be loaded, answers are by keywords alone and no document counts as waiting.
        if not ready:
            return waiting if self._embedder.loading else 0
        if self._embeds_now(waiting, deadline) and self._vectorizer.embed(self._embedder.embedder, call, deadline):
            return 0
        return self._store.waiting_documents()

    def _embeds_now(self, waiting: int, deadline: float) -> bool:
        """Return True if a call embeds the chunks of the waiting documents; else the background thread does.

        A call begins only what it is likely to finish: otherwise its answer would come late and be stale all the same.
        """
        if not self._embeds_in_calls or math.isinf(self._budget):
            return self._embeds_in_calls
        if waiting > self._bulk:
            return False
        with self._store.snapshot() as snapshot:
            return self._vectorizer.can_embed(sum(snapshot.waiting_chunks().values()), deadline)

    def _run(self) -> None:
        self._stop.wait(START_SECONDS)
        call = Call(stop=self._stop)
        while not self._stop.is_set():
            try:
                before = self._store.generation()
                unfinished = self._work(call)
                self._background_failure = None
                self._has_worked |= self._store.generation() != before
                if not unfinished:
                    self._rest()
            except Cancelled:
                return
            except IndexLost as error:  # the next call reopens the index with a new refresher
                log.warning("indexing.ended", extra={"problem": error.message})
                return
            except PinciteError as error:
                log.warning("indexing.paused", extra={"problem": error.message})
                self._background_failure = error
                self._stop.wait(_pause_after(error))
            except Exception as error:  # the thread must survive a bug in one round, which the log has
                log.exception("indexing.failed")
                message = f"Indexing failed ({type(error).__name__}); the log says more."
                self._background_failure = InternalError(message)
                self._stop.wait(PAUSE_SECONDS)

    def _release_lease(self) -> None:
        """Release the lease on bulk work; if that fails it expires a little later."""
        try:
            self._store.lease.release()
        except PinciteError as error:
            log.warning("lease.kept", extra={"problem": error.message})

    def _rest(self) -> None:
        """Clean up after the work that was done, and wait for a change."""
        self._release_lease()
        self._tidy_if_due()
        # What parsing and embedding took is free by now, but in pieces between what is kept.
        if self._has_worked:
            return_freed_memory()
        self._has_worked = False
        self._source.wait(self._rescan)

    def _tidy_if_due(self) -> None:
        generation = self._store.generation()
        if generation < self._tidied_at + TIDY_GENERATIONS:
            return
        self._tidied_at = generation
        while self._store.tidy(spare=self._unused_vectors) and not self._stop.is_set():
            pass

    def _work(self, call: Call) -> bool:
        """Work for one slice; return True if there is more to do."""
        before = self._store.generation()
        backlog = self._indexer.refresh(call, time.monotonic() + SLICE_SECONDS, patient=True)
        if backlog.error:
            raise WritingFailed(backlog.error)
        if backlog.pending or backlog.rereading:
            if self._store.generation() == before:  # no progress: what is left cannot be read now, so do not spin
                self._stop.wait(SLICE_SECONDS)
            return True
        if not self._store.waiting_documents():
            return False
        if self._vectorizer.is_elsewhere():  # checked before the model is loaded, to save its memory in this process
            self._stop.wait(SLICE_SECONDS)
            return True
        self._embedder.start()
        if not self._embedder.ready(SLICE_SECONDS):
            return self._embedder.loading
        return not self._vectorizer.embed(self._embedder.embedder, call, time.monotonic() + SLICE_SECONDS)


def _pause_after(error: PinciteError) -> float:
    """Return the pause after an error: longer after one that a retry hardly repairs, and that costs a service work."""
    if isinstance(error, RateLimited):
        return max(PAUSE_SECONDS, error.retry_after)
    return LONG_PAUSE_SECONDS if isinstance(error, AuthError) else PAUSE_SECONDS


def _documents(count: int) -> str:
    return f"{counted(count, 'document')} {'waits' if count == 1 else 'wait'}"
