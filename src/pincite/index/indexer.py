"""From a source into the store: what changed is read, cut, written, and given its vectors."""

import contextlib
import hashlib
import logging
import math
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from pincite.chunking.chunker import chunk
from pincite.chunking.policy import Policy
from pincite.embedding.base import Tokenizer
from pincite.errors import ConnectionFailed, NotFound, PinciteError, TimeoutExceeded, WritingFailed
from pincite.formats.base import Blob
from pincite.formats.detect.sniff import quick_first, sniff
from pincite.formats.worker.pool import ReaderPool
from pincite.index.priority import Claims, NewDocuments
from pincite.model.call import Call, seconds_until
from pincite.model.chunk import Chunk
from pincite.model.document import Document
from pincite.model.locator import revision
from pincite.model.store import UNTRUSTED, DocumentRow, FileState
from pincite.sources.base import Listing, Source, racy
from pincite.store.base import Store

if TYPE_CHECKING:
    from pincite.embedding.base import Embedder

log = logging.getLogger("pincite.index")

BATCH_DOCUMENTS = 64
BATCH_SECONDS = 0.2
"""A batch is one transaction; it ends at whichever comes first, so that a call never waits long for the lock."""

BACKLOG_DOCUMENTS = 1000
"""So many new documents and fewer fit into a call's budget: no call leaves them to the background."""

FIRST_LOOK_DOCUMENTS = 2000
"""Documents that one round looks at at most: some 50 us each."""

LOOK_DOCUMENTS = 2 * BATCH_DOCUMENTS
LONG_BYTES = 200_000
"""A file from this size on is a batch of its own: nothing else waits until it is read (some seconds a megabyte)."""

LONG_CHUNKS = 1000
"""A document of more chunks may take longer to write than a call has."""

GRACE_SECONDS = 0.1
"""How long after its time a call may still write what it has read; then the documents wait for the next."""

VECTOR_BATCH = 32
FOLLOW_SECONDS = 0.25
"""How often a process looks at what another one writes."""

TRIES = 3
"""How often a call reads a document that changes under its hands before it leaves it out."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A document that was read: its row, its chunks, and the state that its bytes had."""

    row: DocumentRow
    chunks: Sequence[Chunk]
    state: FileState


@dataclass(frozen=True, slots=True)
class Backlog:
    """What a refresh has not indexed.

    Attributes:
        pending: Changed, and not in the index yet.
        outdated: Those of them of which the index may hold an old text.
        held_elsewhere: Whether another process holds the lease and indexes them.
        error: Why they cannot be written; empty where they can.
    """

    pending: AbstractSet[str] = frozenset()
    outdated: frozenset[str] = frozenset()
    held_elsewhere: bool = False
    error: str = ""


class Indexer:
    """Brings one source into one store. Thread-safe; no document is read by two threads at once.

    More than `bulk` documents are brought in by one process at a time: the others wait for its rows.
    """

    def __init__(  # the parts of an indexer, each given once, by the composition root
        self, source: Source, store: Store, policy: Policy, tokenizer: Tokenizer, pool: ReaderPool, *, bulk: int
    ) -> None:
        self._source = source
        self._store = store
        self._policy = policy
        self._tokenizer = tokenizer
        self._pool = pool
        self._bulk = bulk
        self._comparing = threading.Lock()
        self._embedding = threading.Lock()
        self._claims = Claims()
        self._new_documents = NewDocuments()
        self._seen = 0
        self._unsure: set[str] = set()
        self._slow: set[str] = set()
        self._followed: Mapping[str, FileState] = {}
        self._listing: Listing | None = None

    @property
    def listing(self) -> Listing | None:
        """The last walk of the source; None before the first."""
        return self._listing

    def refresh(self, call: Call, deadline: float, *, patient: bool = False, helped: bool = False) -> Backlog:
        """Bring words up to the source, all changes before this call included.

        Args:
            call: Asked between documents.
            deadline: `time.monotonic()` value at which to stop.
            patient: Whether a file that takes longer than that is read to its end; else it waits for a round
                that is.
            helped: Whether another thread does bulk work meanwhile: the backlog, and files that once took longer
                than a call has, are left to it.

        Raises:
            ConnectionFailed: The source cannot be reached.
        """
        changed = self._look(call)
        tries: Counter[str] = Counter()
        held_elsewhere, problem = False, ""
        while True:
            names, bulk = self._next(changed, tries, helped=helped)
            if not names or time.monotonic() >= deadline:
                break
            try:
                if held_elsewhere := self._is_elsewhere(bulk):
                    self._follow(call, deadline)
                else:
                    counted = _counted(call, len(tries), len(tries) + len(changed))
                    with self._beating(bulk):
                        tries.update(self._bring(names, counted, deadline, math.inf if patient else deadline))
            except WritingFailed as error:
                problem = error.message
                break
            changed = self._source.poll().names
            call.progress(len(tries), len(tries) + len(changed), "documents read")
        outdated = frozenset(self._urgent(changed))
        if helped:
            # What another thread still reads takes it longer than a call has.
            self._slow.update(set(names).difference(self._claims.free(names)))
            total = max(len(changed), len(self._listing.files) if self._listing else 0)
            if changed and not tries:
                call.progress(total - len(changed), total, "documents read")
        return Backlog(changed.keys(), outdated, held_elsewhere and bool(changed), problem)

    def embed(self, embedder: "Embedder", call: Call, deadline: float) -> bool:
        """Give vectors to chunks that have none, until the time is over.

        Returns:
            Whether every chunk has its vector now.

        Raises:
            WritingFailed: They cannot be written.
        """
        waiting = self._store.waiting_documents()
        while time.monotonic() < deadline:
            if self._is_elsewhere(waiting):
                self._pause(call, deadline)
                waiting = self._store.waiting_documents()
                continue
            if not self._embedding.acquire(timeout=seconds_until(deadline)):
                return False
            try:
                rows = self._store.missing_vectors(VECTOR_BATCH)
                if not rows:
                    return True
                vectors = embedder.embed([text for _, text in rows], call)
                blobs = {key: vectors[i] for i, (key, _) in enumerate(rows)}
                self._store.put_vectors(blobs, deadline=deadline + GRACE_SECONDS)
            except TimeoutExceeded:
                call.check()
                return False
            finally:
                self._embedding.release()
        return not self._store.missing_vectors(1)

    def is_elsewhere(self) -> bool:
        """Whether another process is giving vectors to many documents; where nobody is, this one may."""
        return self._is_elsewhere(self._store.waiting_documents())

    def _is_elsewhere(self, count: int) -> bool:
        """Whether so many documents are another process's work for now."""
        return count > self._bulk and not self._store.lease.claim()

    @contextmanager
    def _beating(self, count: int) -> Generator[None]:
        """Show signs of life while a batch of bulk work takes its time: one file may take its reader a minute."""
        if count <= self._bulk:
            yield
            return
        done = threading.Event()
        thread = threading.Thread(target=self._beat, args=(done,), name="pincite-lease", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _beat(self, done: threading.Event) -> None:
        lease = self._store.lease
        while not done.wait(lease.beat):
            with contextlib.suppress(PinciteError):  # whoever does the work meets the same fault and tells
                lease.claim()

    def _follow(self, call: Call, deadline: float) -> None:
        """Wait a little and acknowledge what another process has written meanwhile."""
        self._pause(call, deadline)
        changed = self._source.poll().names
        _, stored = self._store.states()
        # Only what came, went or changed in the index since the last look: each name costs a look at its file.
        before, self._followed = self._followed, stored
        names = [name for name in changed if stored.get(name) != before.get(name)]
        states = {name: self._source.state(name) for name in names}
        self._done([name for name, state in states.items() if stored.get(name) == state], changed)

    def _pause(self, call: Call, deadline: float) -> None:
        if call.stop.wait(min(FOLLOW_SECONDS, seconds_until(deadline))):
            call.check()

    def _look(self, call: Call) -> dict[str, int]:
        """The changed names; where the source cannot name them, it is walked and compared."""
        changes = self._source.poll()
        if not changes.everything:
            return changes.names
        with self._comparing:
            changes = self._source.poll()
            if changes.everything:
                listing = self._source.listing(call)
                _, states = self._store.states()
                files = listing.files
                gone = [name for name in states if name not in files]
                changed = [name for name, state in files.items() if name in states and states[name] != state]
                new = [name for name in files if name not in states]
                # Quick ones first: a file that takes its reader all the time there is must not keep them out.
                order = [*gone, *quick_first(sorted(changed)), *quick_first(sorted(new))]
                ticket = self._source.mark(order, changes.ticket)
                self._new_documents = NewDocuments(frozenset(new), ticket) if self._is_bulk(new) else NewDocuments()
                self._listing = listing
            return self._source.poll().names

    def _urgent(self, changed: dict[str, int]) -> list[str]:
        """The changed names that are no bulk work, the most urgent first."""
        return self._new_documents.urgent(changed) if self._is_bulk(changed) else list(reversed(changed))

    def _unseen(self, changed: dict[str, int]) -> int:
        """How many names changed since the last round: they are looked at together, so that deletions come first."""
        seen, self._seen = self._seen, max((self._seen, *islice(reversed(changed.values()), 1)))
        return sum(
            1 for _ in islice(takewhile(lambda ticket: ticket > seen, reversed(changed.values())), FIRST_LOOK_DOCUMENTS)
        )

    def _is_bulk(self, names: Sized) -> bool:
        return len(names) > max(self._bulk, BACKLOG_DOCUMENTS)

    def _next(self, changed: dict[str, int], tries: Mapping[str, int], *, helped: bool) -> tuple[list[str], int]:
        """The names to look at in the next round, the most urgent first, and how many of their kind there are."""
        urgent = self._urgent(changed)
        again = self._unsure - tries.keys()
        left_out = self._slow if helped else ()
        names = [name for name in urgent if tries.get(name, 0) < TRIES and name not in left_out]
        names += [name for name in again if name not in changed]
        if names or helped:
            return names[: max(LOOK_DOCUMENTS, self._unseen(changed))], len(names)
        remaining = (name for name in NewDocuments.rest(changed, len(urgent)) if tries.get(name, 0) < TRIES)
        return list(islice(remaining, BATCH_DOCUMENTS)), len(changed)

    def _bring(self, names: Sequence[str], call: Call, deadline: float, cut: float) -> set[str]:
        """One batch: deletions of all names first, then as many documents as fit. Returns the names dealt with."""
        # The tickets that belong to what is about to be read are taken before the first look at a file.
        changed = self._source.poll().names
        tickets = {name: changed.get(name, 0) for name in names}
        states = {name: self._source.state(name) for name in names}
        stored = self._stored(names)
        gone = [name for name, state in states.items() if state is None]
        if removed := [name for name in gone if name in stored]:
            try:
                self._store.remove(
                    removed, is_deleted=lambda name: self._source.state(name) is None, deadline=cut + GRACE_SECONDS
                )
            except TimeoutExceeded:  # they stay pending, and no answer quotes them
                return set()
        same = [name for name, state in states.items() if state is not None and stored.get(name) == state]
        if gone or same:
            self._done([*gone, *same], tickets)
        sizes = {name: state.size for name, state in states.items() if state is not None and stored.get(name) != state}
        free = self._claims.free(sizes)
        if sizes and not free:
            self._claims.wait(sizes, min(FOLLOW_SECONDS, seconds_until(deadline)))
            call.check()
            return {*gone, *same}
        with self._claims.take(_together(free, sizes)) as taken:
            batch = self._read_batch(taken, call, deadline, cut)
            self._write(batch, tickets, cut + GRACE_SECONDS)
        return {*gone, *same, *batch}

    def _stored(self, names: Iterable[str]) -> dict[str, FileState]:
        return self._store.states(names)[1]

    def _read_batch(self, names: Sequence[str], call: Call, deadline: float, cut: float) -> dict[str, _Read | None]:
        """Read documents until the batch is full; None for one that cannot be read now."""
        end = min(deadline, time.monotonic() + BATCH_SECONDS)
        batch: dict[str, _Read | None] = {}
        for name in names:
            if batch and time.monotonic() >= end:
                break
            call.check()
            try:
                batch[name] = self._read(name, _paged(call, len(batch), name), cut)
            except (NotFound, ConnectionFailed, TimeoutExceeded):  # it changes, has no reader, or takes long: not now
                call.check()
                batch[name] = None
                if time.monotonic() >= cut:
                    self._slow.add(name)
        return batch

    def _write(self, batch: Mapping[str, _Read | None], tickets: Mapping[str, int], deadline: float) -> None:
        """Write a batch in one transaction; what changed again meanwhile, or is not written in time, stays pending."""
        read = {name: document for name, document in batch.items() if document is not None}
        if not read:
            return
        try:
            left_out = self._store.replace(
                [(document.row, document.chunks) for document in read.values()],
                is_current=lambda row: self._source.state(row.name) == read[row.name].state,
                deadline=deadline,
            )
        except TimeoutExceeded:
            if deadline == math.inf:
                raise
            self._slow.update(name for name, document in read.items() if len(document.chunks) > LONG_CHUNKS)
            return
        written = [name for name in read if name not in left_out]
        self._done(written, tickets)
        self._slow.difference_update(written)
        self._unsure.update(name for name in written if read[name].row.state == UNTRUSTED)

    def _done(self, names: Sequence[str], tickets: Mapping[str, int]) -> None:
        self._unsure.difference_update(names)
        self._source.acknowledge({name: tickets[name] for name in names})

    def _read(self, name: str, call: Call, cut: float) -> _Read:
        """Read and cut one document; a document that cannot be read becomes a row that says why."""
        data, state = self._source.read(name)
        # A second write within the clock's grain would leave the same state: look again next time.
        trusted = UNTRUSTED if racy(state, time.time_ns()) else state
        fingerprint = hashlib.sha256(data).hexdigest()
        found = sniff(name, data)
        row = DocumentRow(
            name=name,
            title=None,
            state=trusted,
            modified_ns=state.mtime_ns,
            fingerprint=fingerprint,
            revision=revision(
                fingerprint,
                found.format.identity if found.format else "none",
                self._policy.identity(self._tokenizer.identity),
            ),
        )
        if found.format is None:
            return _Read(replace(row, failure=found.problem), (), state)
        if cut < math.inf:
            call = replace(call, deadline=min(cut, math.inf if call.deadline is None else call.deadline))
        try:
            return self._cut(row, self._pool.read(found, Blob(name, data), call), state, call)
        except (ConnectionFailed, TimeoutExceeded):
            raise
        except PinciteError as error:
            call.check()
            log.warning("document.failed", extra={"document": name, "problem": error.message})
            return _Read(replace(row, failure=error.message), (), state)
        except Exception as error:  # one file must not take the index down with its reader's fault
            log.exception("document.failed", extra={"document": name})
            return _Read(
                replace(row, failure=f"its reader failed ({type(error).__name__}); the log says more"), (), state
            )

    def _cut(self, row: DocumentRow, document: Document, state: FileState, call: Call) -> _Read:
        row = replace(row, title=document.title, coverage=document.coverage)
        return _Read(row, chunk(document, self._policy, self._tokenizer, call), state)


def _counted(call: Call, before: int, total: int) -> Call:
    """The call, told of documents: so many were dealt with before, of so many."""

    def progress(done: float, _: float | None, message: str) -> None:
        call.progress(before + done, total, message)

    return replace(call, progress=progress)


def _paged(call: Call, before: int, name: str) -> Call:
    """The call, told of a document's pages as its share of one document."""

    def progress(done: float, total: float | None, _: str) -> None:
        if total:
            call.progress(before + min(done / total, 1.0), None, f"{name}: page {done:g} of {total:g}")

    return replace(call, progress=progress)


def _together(names: Sequence[str], sizes: Mapping[str, int]) -> Sequence[str]:
    """The names of one batch: quick ones, or a single one that may take long."""
    ordered = quick_first(names)
    quick = [name for name in ordered if sizes[name] < LONG_BYTES]
    return (quick or ordered[:1])[:BATCH_DOCUMENTS]
