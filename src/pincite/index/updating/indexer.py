"""Indexing: read changed documents of a source, chunk them, and write them to the store."""

import math
import threading
import time
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile

from pincite.errors import ConnectionFailed, NotFound, TimeoutExceeded, WritingFailed
from pincite.formats.detect.sniff import quick_first
from pincite.index.stamps import Stamps
from pincite.index.updating.builder import DocumentBuilder
from pincite.index.updating.bulk import FOLLOW_SECONDS, GRACE_SECONDS, BulkWork, pause
from pincite.index.updating.priority import Claims, NewDocuments
from pincite.model.call import Call, seconds_until
from pincite.model.store import UNSEEN, UNTRUSTED, DocumentRow, NewDocument, State
from pincite.sources.base import Listing, WatchedSource
from pincite.store.base import Store

BATCH_DOCUMENTS = 64
BATCH_SECONDS = 0.2
"""Limits of a batch, which is one transaction, so that no call waits long for the write lock."""

BACKLOG_DOCUMENTS = 1000
"""Number of new documents that fit into a call's budget; more are left to the background thread."""

FIRST_LOOK_DOCUMENTS = 2000
"""Maximum number of files whose state one round compares, at some 50 µs each."""

LOOK_DOCUMENTS = 2 * BATCH_DOCUMENTS
LONG_BYTES = 200_000
"""Size from which a file is a batch of its own, so that no other waits for its reader (some seconds a megabyte)."""

LONG_CHUNKS = 1000
"""Number of chunks above which a document may take longer to write than a call has."""

MAX_READ_SHARE = 0.99
"""Most that the pages of a document count as: it is not indexed before it is written."""

TRIES = 3
"""Attempts of one call to index a document that keeps changing."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A document as read, and the state of its bytes."""

    document: NewDocument
    state: State


@dataclass(frozen=True, slots=True)
class Backlog:
    """The documents that a refresh left unindexed.

    Attributes:
        pending: Names of changed documents that are not indexed yet.
        outdated: Those of them whose old text may be in the index.
        held_elsewhere: Whether another process holds the lease and indexes them.
        rereading: Number of documents with an outdated stamp, whose present text may be quoted.
        error: Why the index cannot be written; empty if it can.
        unseen: Why documents cannot be read at the moment, by source key: their indexed text is kept.
    """

    pending: AbstractSet[str] = frozenset()
    outdated: frozenset[str] = frozenset()
    held_elsewhere: bool = False
    rereading: int = 0
    error: str = ""
    unseen: Mapping[str, str] = field(default_factory=dict[str, str])


class Indexer:
    """Indexes one source into one store. Thread-safe; no document is read by two threads at once.

    Bulk work is done by one process at a time; the others wait for its rows.
    """

    def __init__(  # the parts of an indexer, each given once, by the composition root
        self,
        source: WatchedSource,
        store: Store,
        builder: DocumentBuilder,
        stamps: Stamps,
        bulk: BulkWork,
    ) -> None:
        self._source = source
        self._store = store
        self._builder = builder
        self._stamps = stamps
        self._bulk = bulk
        self._listing_lock = threading.Lock()
        self._claims = Claims()
        self._new_documents = NewDocuments()
        self._last_ticket = 0
        # Written with an untrusted state: to be read again once the clock has moved on.
        self._untrusted: set[str] = set()
        # Indexed by another version, policy or limit: to be read again once nothing else is to be done.
        self._outdated: set[str] = set()
        # Their names by source key: of a document that is read for the first time, the key is its name.
        self._names: Mapping[str, str] = {}
        # Left to the background thread: calls have run out of time on them.
        self._slow: set[str] = set()
        self._followed_states: Mapping[str, State] = {}
        self._unseen: dict[str, str] = {}
        self._listing: Listing | None = None

    @property
    def listing(self) -> Listing | None:
        """The last walk of the source; None before the first."""
        return self._listing

    def refresh(self, call: Call, deadline: float, *, patient: bool = False, helped: bool = False) -> Backlog:
        """Index the text of every change up to now, without vectors.

        Args:
            call: Checked for cancellation between documents; receives progress.
            deadline: `time.monotonic()` value at which to stop.
            patient: Whether a file may be read past the deadline; else it is left to a refresh that is patient.
            helped: Whether another thread does bulk work meanwhile: the backlog, and files that have exceeded
                a call's time before, are left to it.

        Raises:
            ConnectionFailed: The source cannot be reached.
        """
        changed = self._changed_names(call)
        # Attempts by name, and names of what was read since the call began: a document that keeps changing must neither
        # hold a call for ever nor be missing from its answer.
        tries: Counter[str] = Counter()
        current: set[str] = set()
        held_elsewhere, problem = False, ""
        while True:
            names, waiting = self._next(changed, tries, helped=helped)
            if not names or time.monotonic() >= deadline:
                break
            try:
                if held_elsewhere := self._bulk.is_elsewhere(waiting):
                    self._follow(call, deadline)
                else:
                    counted = _with_document_progress(call, len(tries), len(tries) + len(changed))
                    with self._bulk.renewing(waiting):
                        cut = math.inf if patient else deadline
                        handled, written = self._index_batch(names, counted, deadline, cut)
                    tries.update([*handled, *written * TRIES])
                    current.update(written)
            except WritingFailed as error:
                problem = error.message
                break
            changed = self._source.poll().names
            call.progress(len(tries), len(tries) + len(changed), "documents read")
        outdated = frozenset(self._urgent(changed)) - current
        if helped:
            # A file that another thread is still reading takes longer than a call has.
            self._slow.update(set(names).difference(self._claims.free(names)))
            total = max(len(changed), len(self._listing.states) if self._listing else 0)
            if changed and not tries:
                call.progress(total - len(changed), total, "documents read")
        # One that cannot be read now keeps its text until the next start.
        self._outdated.difference_update([name for name, count in tries.items() if count >= TRIES])
        held_elsewhere = held_elsewhere and bool(changed)
        pending = changed.keys() - current
        return Backlog(pending, outdated, held_elsewhere, len(self._outdated), problem, dict(self._unseen))

    def _follow(self, call: Call, deadline: float) -> None:
        """Wait briefly, then acknowledge the documents that another process has written."""
        pause(call, deadline)
        changed = self._source.poll().names
        _, stored = self._store.states()
        # Only names whose row changed since the last time: each costs a stat of its file.
        before, self._followed_states = self._followed_states, stored
        names = [name for name in changed if stored.get(name) != before.get(name)]
        states = {name: self._source.state(name) for name in names}
        self._acknowledge([name for name, state in states.items() if state in (UNSEEN, stored.get(name))], changed)

    def _changed_names(self, call: Call) -> dict[str, int]:
        """Return the changed names, from a full listing if the source cannot name them."""
        changes = self._source.poll()
        if not changes.everything:
            return changes.names
        # Polled again under the lock: another thread may have just listed the source.
        with self._listing_lock:
            changes = self._source.poll()
            if changes.everything:
                listing = self._source.listing(call)
                _, states = self._store.states()
                if self._listing is None:
                    self._names = self._store.stamped(self._stamps.outdated(self._store.stamps()))
                    self._outdated = set(self._names)
                files = listing.states
                absent = {name: listing.unseen(name) for name in states if name not in files}
                self._unseen = {name: f"It cannot be read: {reason}." for name, reason in absent.items() if reason}
                deleted = [name for name, reason in absent.items() if not reason]
                changed = [name for name, state in files.items() if name in states and states[name] != state]
                new = [name for name in files if name not in states]
                # Quick formats first: a slow file must not use up the time of a call before them.
                order = [*deleted, *quick_first(sorted(changed)), *quick_first(sorted(new))]
                ticket = self._source.mark(order, changes.ticket)
                self._new_documents = NewDocuments(frozenset(new), ticket) if self._is_bulk(new) else NewDocuments()
                self._listing = listing
            return self._source.poll().names

    def _urgent(self, changed: dict[str, int]) -> list[str]:
        """Return the changed names that are not bulk work, most urgent first."""
        return self._new_documents.urgent(changed) if self._is_bulk(changed) else list(reversed(changed))

    def _count_new(self, changed: dict[str, int]) -> int:
        """Count the names changed since the last round, which are compared together so that deletions come first."""
        last, self._last_ticket = self._last_ticket, max((self._last_ticket, *islice(reversed(changed.values()), 1)))
        return sum(
            1 for _ in islice(takewhile(lambda ticket: ticket > last, reversed(changed.values())), FIRST_LOOK_DOCUMENTS)
        )

    def _is_bulk(self, names: Sized) -> bool:
        return len(names) > max(self._bulk.documents, BACKLOG_DOCUMENTS)

    def _next(self, changed: dict[str, int], tries: Mapping[str, int], *, helped: bool) -> tuple[list[str], int]:
        """Return the names for the next round, most urgent first, and the number of names waiting with them."""
        urgent = self._urgent(changed)
        outdated = () if helped and self._is_bulk(self._outdated) else self._outdated
        to_reread = self._untrusted.union(outdated) - tries.keys()
        excluded = self._slow if helped else ()
        names = [name for name in urgent if tries.get(name, 0) < TRIES and name not in excluded]
        names += [name for name in to_reread if name not in changed]
        if names or helped:
            return names[: max(LOOK_DOCUMENTS, self._count_new(changed))], len(names)
        remaining = (name for name in NewDocuments.rest(changed, len(urgent)) if tries.get(name, 0) < TRIES)
        return list(islice(remaining, BATCH_DOCUMENTS)), len(changed)

    def _index_batch(self, names: Sequence[str], call: Call, deadline: float, cut: float) -> tuple[set[str], list[str]]:
        """Index one batch: all deletions, then as many documents as fit; return the names that were handled, and those
        of them that were written.
        """
        # Tickets before file states: a change between the two then has a higher ticket and stays pending.
        changed = self._source.poll().names
        tickets = {name: changed.get(name, 0) for name in names}
        states = {name: self._source.state(name) for name in names}
        stored = self._stored(names)
        self._note_unseen(states, stored)
        deleted = [name for name, state in states.items() if state is None]
        try:
            self._remove(deleted, stored, cut + GRACE_SECONDS)
        except TimeoutExceeded:  # they stay pending, and no answer quotes them
            return set(), []
        present = {name: state for name, state in states.items() if state is not None}
        unchanged = {name for name, state in present.items() if state in (UNSEEN, stored.get(name))}
        if deleted or unchanged:
            self._acknowledge([*deleted, *unchanged], tickets)
        sizes = {name: self._source.size(state) for name, state in present.items() if name not in unchanged}
        free = self._claims.free(sizes)
        if sizes and not free:
            self._claims.wait(sizes, min(FOLLOW_SECONDS, seconds_until(deadline)))
            call.check()
            return {*deleted, *unchanged}, []
        with self._claims.take(_batch_of(free, sizes)) as claimed:
            batch = self._read_batch(claimed, call, deadline, cut)
            written = self._write(batch, tickets, cut + GRACE_SECONDS)
        return {*deleted, *unchanged, *batch}, written

    def _note_unseen(self, states: Mapping[str, State | None], stored: Container[str]) -> None:
        for name, state in states.items():
            if state == UNSEEN and name in stored:
                self._unseen.setdefault(name, "It cannot be read.")
            else:
                self._unseen.pop(name, None)

    def _remove(self, deleted: Sequence[str], stored: Container[str], deadline: float) -> None:
        """Remove documents, those that are not stored, too: another writer may have found the file there, and not
        have ended its transaction.
        """
        if not deleted:
            return
        try:
            self._store.remove(deleted, is_deleted=lambda name: self._source.state(name) is None, deadline=deadline)
        except WritingFailed:
            if any(name in stored for name in deleted):
                raise

    def _stored(self, names: Iterable[str]) -> dict[str, State]:
        """Return the stored states; one with an outdated stamp counts as untrusted."""
        stored = self._store.states(names)[1]
        return {name: UNTRUSTED if name in self._outdated else state for name, state in stored.items()}

    def _read_batch(self, names: Sequence[str], call: Call, deadline: float, cut: float) -> dict[str, _Read | None]:
        """Read documents until the batch's time is over; None for one that cannot be read now."""
        end = min(deadline, time.monotonic() + BATCH_SECONDS)
        batch: dict[str, _Read | None] = {}
        for name in names:
            if batch and time.monotonic() >= end:
                break
            call.check()
            try:
                batch[name] = self._read(name, _with_page_progress(call, len(batch), name), cut)
            except (NotFound, ConnectionFailed, TimeoutExceeded):  # it keeps changing, no worker is free, or it is slow
                call.check()
                batch[name] = None
                if time.monotonic() >= cut:
                    self._slow.add(name)
        return batch

    def _write(self, batch: Mapping[str, _Read | None], tickets: Mapping[str, int], deadline: float) -> list[str]:
        """Write a batch in one transaction; return the names that were written.

        Documents that exceed the deadline stay pending, and those that changed again.
        """
        read = {name: result for name, result in batch.items() if result is not None}
        if not read:
            return []
        try:
            skipped = self._store.replace(
                [result.document for result in read.values()],
                is_current=lambda row: self._is_current(row, read[_key(row)].state),
                deadline=deadline,
            )
        except TimeoutExceeded:
            if deadline == math.inf:
                raise
            self._slow.update(name for name, result in read.items() if len(result.document.chunks) > LONG_CHUNKS)
            return []
        written = [name for name, result in read.items() if result.document.row.name not in skipped]
        self._acknowledge(written, tickets)
        self._slow.difference_update(written)
        self._untrusted.update(name for name in written if read[name].document.row.state == UNTRUSTED)
        return written

    def _is_current(self, row: DocumentRow, state: State) -> bool:
        """Return True if a document is as it was read, or has changed since, and the index has nothing later of it."""
        now = self._source.state(_key(row))
        if now in (state, None, UNSEEN):
            return now == state
        with self._store.snapshot(Call()) as snapshot:
            stored = snapshot.document(row.name)
        return stored is None or stored.modified_ns < row.modified_ns

    def _acknowledge(self, names: Sequence[str], tickets: Mapping[str, int]) -> None:
        self._untrusted.difference_update(names)
        self._outdated.difference_update(names)
        self._source.acknowledge({name: tickets[name] for name in names})

    def _read(self, name: str, call: Call, cut: float) -> _Read:
        """Read and chunk one document; if it cannot be read, return a row with the reason."""
        source = self._source.read(name)
        if cut < math.inf:
            call = replace(call, deadline=min(cut, math.inf if call.deadline is None else call.deadline))
        return _Read(self._builder.build(self._names.get(name, name), source, call, source_key=name), source.state)


def _key(row: DocumentRow) -> str:
    return row.source_key or row.name


def _with_document_progress(call: Call, before: int, total: int) -> Call:
    """Return the call with progress counted in documents, after `before` of `total`."""

    def progress(done: float, _: float | None, message: str) -> None:
        call.progress(before + done, total, message)

    return replace(call, progress=progress)


def _with_page_progress(call: Call, before: int, name: str) -> Call:
    """Return the call with a document's page progress as a fraction of one document, after `before`."""

    def progress(done: float, total: float | None, _: str) -> None:
        if total:
            call.progress(before + min(done / total, MAX_READ_SHARE), None, f"{name}: page {done:g} of {total:g}")

    return replace(call, progress=progress)


def _batch_of(names: Sequence[str], sizes: Mapping[str, int]) -> Sequence[str]:
    """Return the names of one batch: small files of quick formats first, or a single large file."""
    ordered = quick_first(names)
    quick = [name for name in ordered if sizes[name] < LONG_BYTES]
    return (quick or ordered[:1])[:BATCH_DOCUMENTS]
