"""Adding documents to a collection that has them only from those who add them: a library."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from pincite.errors import NotFound
from pincite.formats.base import Blob
from pincite.index.stamps import Stamps
from pincite.index.updating.builder import DocumentBuilder
from pincite.model.call import Call
from pincite.model.store import UNTRUSTED, DocumentRow, NewDocument, State, StoredDocument
from pincite.sources.base import SourceDocument
from pincite.store.base import Store


@dataclass(frozen=True, slots=True)
class Addition:
    """A document to add.

    Attributes:
        name: Its id in the collection; a document of this name is replaced.
        source_key: The path of its file.
        read: Returns its bytes; called when its turn comes, so that one document at a time is in memory.
        state: The state of its file as it was listed: if the document was added with it, it is not read. Without one
            it is read, and compared by its bytes.
        forced: Whether it is replaced even if it is the same.
    """

    name: str
    source_key: str
    read: Callable[[], SourceDocument]
    state: State = UNTRUSTED
    forced: bool = False


class Outcome(StrEnum):
    """What became of a document to add."""

    ADDED = "added"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Added:
    """A document that was added, or not.

    Attributes:
        addition: What was to be added.
        outcome: What became of it. `REPLACED`: it was there with other bytes, or was read with another reader or
            policy. `FAILED`: what was there stays.
        reason: Why it failed; empty if it did not.
        chunks: The number of its chunks; 0 if it failed.
        incomplete: What of it was not read; None if it was read in full.
    """

    addition: Addition
    outcome: Outcome
    reason: str = ""
    chunks: int = 0
    incomplete: str | None = None


@dataclass(slots=True)
class IngestReport:
    """What became of the documents to add.

    Attributes:
        added: Names of new documents, in order.
        replaced: Names of those that were there with other bytes, or were read with another reader or policy.
        unchanged: Names of those that were there as they are.
        failed: Reasons by name; such a document stays as it was.
    """

    added: list[str] = field(default_factory=list[str])
    replaced: list[str] = field(default_factory=list[str])
    unchanged: list[str] = field(default_factory=list[str])
    failed: dict[str, str] = field(default_factory=dict[str, str])


class Ingestion:
    """Adds documents to one store. Thread-safe."""

    def __init__(
        self, store: Store, builder: DocumentBuilder, stamps: Stamps, written: Callable[[], None] = lambda: None
    ) -> None:
        """Set the parts.

        Args:
            store: Keeps the documents.
            builder: Reads and cuts them.
            stamps: Tells outdated ones.
            written: Called after each document that was written: its vectors wait to be computed.
        """
        self._store = store
        self._builder = builder
        self._stamps = stamps
        self._written = written

    def add(self, additions: Iterable[Addition], call: Call) -> IngestReport:
        """Add documents and report what became of them; see `each`."""
        report = IngestReport()
        names = {Outcome.ADDED: report.added, Outcome.REPLACED: report.replaced, Outcome.UNCHANGED: report.unchanged}
        for added in self.each(additions, call):
            if added.outcome is Outcome.FAILED:
                report.failed[added.addition.name] = added.reason
            else:
                names[added.outcome].append(added.addition.name)
        return report

    def each(self, additions: Iterable[Addition], call: Call) -> Iterator[Added]:
        """Add documents, each in a transaction of its own, without vectors; yield each when it is written.

        Args:
            additions: The documents.
            call: Checked before each document; what was added before it ended stays.

        Raises:
            ConnectionFailed: No reader process can be had.
            Cancelled: The call is cancelled.
            TimeoutExceeded: The deadline has passed.
            WritingFailed: The index cannot be written.
        """
        outdated = frozenset(self._store.stamped(self._stamps.outdated(self._store.stamps())).values())
        for addition in additions:
            call.check()
            yield self._add(addition, call, is_outdated=addition.name in outdated)

    def preview(self, additions: Iterable[Addition], call: Call) -> Iterator[tuple[Added, NewDocument]]:
        """Read and cut documents without writing anything; yield what would become of each, and what would be written.

        A document that cannot be read has a failure in its row.
        """
        for addition in additions:
            call.check()
            try:
                source = addition.read()
            except NotFound as error:
                new = NewDocument(DocumentRow(addition.name, None, UNTRUSTED, 0, "", "", failure=error.message))
            else:
                new = self._builder.build(addition.name, source, call, addition.source_key)
            yield Added(addition, self._outcome(addition, new), new.row.failure, len(new.chunks)), new

    def remove(self, source_keys: Collection[str]) -> None:
        """Delete documents by source key, in one transaction.

        Raises:
            WritingFailed: The index cannot be written.
        """
        self._store.remove(list(source_keys), is_deleted=_is_deleted)

    def _outcome(self, addition: Addition, new: NewDocument) -> Outcome:
        """Return what adding a document would come to."""
        known, _ = self._known(addition)
        if new.row.failure:
            return Outcome.FAILED
        if known is None:
            return Outcome.ADDED
        is_same = known.revision == new.row.revision and not addition.forced
        return Outcome.UNCHANGED if is_same else Outcome.REPLACED

    def _add(self, addition: Addition, call: Call, *, is_outdated: bool) -> Added:
        known, state = self._known(addition)
        may_stay = known is not None and not known.failure and not is_outdated and not addition.forced
        if known is not None and may_stay and UNTRUSTED != addition.state == state:
            return _unchanged(addition, known)
        try:
            source = _hashed(addition.read())
        except NotFound as error:
            return Added(addition, Outcome.FAILED, error.message)
        if known is not None and may_stay and self._keep(addition, source, known, state):
            return _unchanged(addition, known)
        new = self._builder.build(addition.name, source, call, addition.source_key)
        if new.row.failure:
            return Added(addition, Outcome.FAILED, new.row.failure)
        self._store.replace([new], is_current=_is_current)
        self._written()
        outcome = Outcome.ADDED if known is None else Outcome.REPLACED
        return Added(addition, outcome, chunks=len(new.chunks), incomplete=new.row.coverage.shortfall)

    def _known(self, addition: Addition) -> tuple[StoredDocument | None, State | None]:
        """Return the document of this name, with the state that its file was added with if it is the same file."""
        with self._store.snapshot() as snapshot:
            document = snapshot.document(addition.name)
        if document is None or document.source_key != addition.source_key:
            return document, None
        return document, self._store.states([addition.source_key])[1].get(addition.source_key)

    def _keep(self, addition: Addition, source: SourceDocument, known: StoredDocument, state: State | None) -> bool:
        """Return True if a document was added from these bytes; note their file and its state if they are other."""
        if source.fingerprint != known.fingerprint:
            return False
        if state == source.state:
            return True
        row = self._builder.row(addition.name, source, addition.source_key, known)
        if row.revision != known.revision:  # the same bytes under a name of another format
            return False
        self._store.replace([NewDocument(row)], is_current=_is_current)
        return True


def _hashed(source: SourceDocument) -> SourceDocument:
    return replace(source, fingerprint=Blob("", source.data, source.fingerprint).fingerprint)


def _unchanged(addition: Addition, known: StoredDocument) -> Added:
    return Added(addition, Outcome.UNCHANGED, chunks=known.chunk_count, incomplete=known.coverage.shortfall)


def _is_current(row: DocumentRow) -> bool:
    """Return True: what is added is what the caller gave, whatever its file is meanwhile."""
    return bool(row.name)


def _is_deleted(key: str) -> bool:
    return bool(key)
