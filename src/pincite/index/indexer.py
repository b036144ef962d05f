"""From a source into the store: what changed is read, cut, written, and given its vectors."""

import contextlib
import hashlib
import logging
import math
import threading
import time
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from pincite.chunking.chunker import chunk
from pincite.chunking.policy import Policy
from pincite.embedding.base import Tokenizer
from pincite.errors import ConnectionFailed, NotFound, PinciteError, TimeoutExceeded, WritingFailed
from pincite.formats.base import Blob
from pincite.formats.readers import Readers
from pincite.formats.sniff import Sniffed, quick_first, sniff
from pincite.model.call import Call
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

LOOKED_AT = 4 * BATCH_DOCUMENTS
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
class Undone:
    """What a refresh left.

    Attributes:
        names: Changed, and not in the index yet.
        elsewhere: Whether another process is bringing them in.
        problem: Why they cannot be written; empty where they can.
    """

    names: frozenset[str]
    elsewhere: bool = False
    problem: str = ""


class Indexer:
    """Brings one source into one store. Thread-safe; one thread at a time writes.

    More than `bulk` documents are brought in by one process at a time: the others wait for its rows.
    """

    def __init__(  # the parts of an indexer, each given once, by the composition root
        self, source: Source, store: Store, policy: Policy, tokenizer: Tokenizer, readers: Readers, *, bulk: int
    ) -> None:
        self._source = source
        self._store = store
        self._policy = policy
        self._tokenizer = tokenizer
        self._readers = readers
        self._bulk = bulk
        self._comparing = threading.Lock()
        self._writing = threading.Lock()
        self._embedding = threading.Lock()
        self._unsure: set[str] = set()
        self._listing: Listing | None = None

    @property
    def listing(self) -> Listing | None:
        """The last walk of the source; None before the first."""
        return self._listing

    def refresh(self, call: Call, until: float, *, patient: bool = False) -> Undone:
        """Bring words up to the source, all changes before this call included.

        Args:
            call: Asked between documents.
            until: `time.monotonic()` value at which to stop.
            patient: Whether a file that takes its reader longer than that is read to its end; else it waits
                for a round that is.

        Raises:
            ConnectionFailed: The source cannot be reached.
        """
        dirty = self._look(call)
        tries: Counter[str] = Counter()
        elsewhere, problem = False, ""
        while (names := self._open(dirty, tries)) and time.monotonic() < until:
            try:
                if elsewhere := self._is_elsewhere(len(names)):
                    self._follow(names, call, until)
                elif not self._writing.acquire(timeout=_seconds(until)):
                    break
                else:
                    counted = _counted(call, len(tries), len(tries.keys() | names))
                    tries.update(self._round(names, counted, until, patient=patient, first=not tries))
            except WritingFailed as error:
                problem = error.message
                break
            call.progress(len(tries), len(tries.keys() | names), "documents read")
            dirty = self._source.poll().names
        return Undone(frozenset(dirty), elsewhere and bool(dirty), problem)

    def _round(self, names: Sequence[str], call: Call, until: float, *, patient: bool, first: bool) -> set[str]:
        """One batch, with the write lock held; it is given back."""
        try:
            # The first round looks at every name, so that deletions come first.
            tickets = self._tickets(names[: None if first else LOOKED_AT])
            with self._beating(len(names)):
                return self._bring(tickets, call, until, math.inf if patient else until)
        finally:
            self._writing.release()

    def embed(self, embedder: "Embedder", call: Call, until: float) -> bool:
        """Give vectors to chunks that have none, until the time is over.

        Returns:
            Whether every chunk has its vector now.

        Raises:
            WritingFailed: They cannot be written.
        """
        waiting = self._store.waiting_documents()
        while time.monotonic() < until:
            if self._is_elsewhere(waiting):
                self._pause(call, until)
                waiting = self._store.waiting_documents()
                continue
            if not self._embedding.acquire(timeout=_seconds(until)):
                return False
            try:
                rows = self._store.missing_vectors(VECTOR_BATCH)
                if not rows:
                    return True
                vectors = embedder.embed([text for _, text in rows], call)
                self._store.put_vectors({key: vectors[i] for i, (key, _) in enumerate(rows)})
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

    def _follow(self, names: Collection[str], call: Call, until: float) -> None:
        """Wait a little and settle what another process has written meanwhile."""
        self._pause(call, until)
        tickets = self._tickets(names)
        stored = self._stored(tickets)
        states = {name: self._source.state(name) for name in tickets}
        same = [name for name, state in states.items() if stored.get(name) == state]
        self._done(same, tickets)

    def _pause(self, call: Call, until: float) -> None:
        if call.stop.wait(min(FOLLOW_SECONDS, _seconds(until))):
            call.check()

    def _look(self, call: Call) -> Mapping[str, int]:
        """The dirty names; where the source cannot name them, it is walked and compared."""
        dirty = self._source.poll()
        if not dirty.everything:
            return dirty.names
        with self._comparing:
            dirty = self._source.poll()
            if dirty.everything:
                listing = self._source.listing(call)
                _, states = self._store.states()
                differing = {name for name, state in listing.files.items() if states.get(name) != state}
                differing.update(name for name in states if name not in listing.files)
                self._source.mark(differing, dirty.ticket)
                self._listing = listing
            return self._source.poll().names

    def _open(self, dirty: Mapping[str, int], tries: Mapping[str, int]) -> list[str]:
        """The names still to be dealt with in this round, the latest change first."""
        again = self._unsure - tries.keys()
        names = {name for name in dirty if tries.get(name, 0) < TRIES} | again
        return sorted(names, key=lambda name: (-dirty.get(name, 0), name))

    def _tickets(self, names: Collection[str]) -> dict[str, int]:
        """The tickets that belong to what is about to be read: taken before the first look at a file."""
        tickets = self._source.poll().names
        return {name: tickets.get(name, 0) for name in names}

    def _bring(self, tickets: Mapping[str, int], call: Call, until: float, cut: float) -> set[str]:
        """One batch: deletions of all names first, then as many documents as fit. Returns the names dealt with."""
        states = {name: self._source.state(name) for name in tickets}
        stored = self._stored(tickets)
        gone = [name for name, state in states.items() if state is None]
        if removed := [name for name in gone if name in stored]:
            self._store.remove(removed, gone=lambda name: self._source.state(name) is None)
        same = [name for name, state in states.items() if state is not None and stored.get(name) == state]
        self._done([*gone, *same], tickets)
        changed = [name for name, state in states.items() if state is not None and stored.get(name) != state]
        # Quick ones first: a file that takes its reader all the time there is must not keep them out.
        batch = self._read_batch(quick_first(changed), call, until, cut)
        self._write(batch, tickets)
        return {*gone, *same, *batch}

    def _stored(self, names: Iterable[str]) -> dict[str, FileState]:
        return self._store.states(names)[1]

    def _read_batch(self, names: Sequence[str], call: Call, until: float, cut: float) -> dict[str, _Read | None]:
        """Read documents until the batch is full; None for one that cannot be read now."""
        end = min(until, time.monotonic() + BATCH_SECONDS)
        batch: dict[str, _Read | None] = {}
        for name in islice(names, BATCH_DOCUMENTS):
            if batch and time.monotonic() >= end:
                break
            call.check()
            try:
                batch[name] = self._read(name, _paged(call, len(batch), name), cut)
            except (NotFound, ConnectionFailed, TimeoutExceeded):  # it changes, has no reader, or takes long: not now
                call.check()
                batch[name] = None
        return batch

    def _write(self, batch: Mapping[str, _Read | None], tickets: Mapping[str, int]) -> None:
        """Write a batch in one transaction; what changed again meanwhile stays dirty."""
        read = {name: document for name, document in batch.items() if document is not None}
        if not read:
            return
        left_out = self._store.replace(
            [(document.row, document.chunks) for document in read.values()],
            still=lambda row: self._source.state(row.name) == read[row.name].state,
        )
        written = [name for name in read if name not in left_out]
        self._done(written, tickets)
        self._unsure.update(name for name in written if read[name].row.state == UNTRUSTED)

    def _done(self, names: Sequence[str], tickets: Mapping[str, int]) -> None:
        self._unsure.difference_update(names)
        self._source.settle({name: tickets[name] for name in names})

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
        try:
            return self._cut(row, self._document(found, Blob(name, data), call, cut), state, call)
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

    def _document(self, found: Sniffed, blob: Blob, call: Call, cut: float) -> Document:
        if found.format is not None and found.format.isolated and cut < math.inf:
            call = replace(call, deadline=min(cut, math.inf if call.deadline is None else call.deadline))
        return self._readers.read(found, blob, call)

    def _cut(self, row: DocumentRow, document: Document, state: FileState, call: Call) -> _Read:
        row = replace(
            row,
            title=document.title,
            media_type=document.media_type,
            language=document.language,
            properties=document.properties,
            coverage=document.coverage,
        )
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


def _seconds(until: float) -> float:
    """The time left, as a lock takes it."""
    return min(max(0.0, until - time.monotonic()), threading.TIMEOUT_MAX)
