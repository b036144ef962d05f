"""Adding documents to a collection that has them only from those who add them: a library."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from pincite.errors import NotFound
from pincite.formats.base import Blob
from pincite.index.builder import DocumentBuilder
from pincite.index.stamps import Stamps
from pincite.model.call import Call
from pincite.model.store import DocumentRow
from pincite.sources.base import SourceDocument
from pincite.store.base import Store


@dataclass(frozen=True, slots=True)
class Addition:
    """A document to add.

    Attributes:
        name: Its id in the collection; a document of this name is replaced.
        source_key: The path of its file.
        read: Returns its bytes; called when its turn comes, so that one document at a time is in memory.
    """

    name: str
    source_key: str
    read: Callable[[], SourceDocument]


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

    def __init__(self, store: Store, builder: DocumentBuilder, stamps: Stamps) -> None:
        self._store = store
        self._builder = builder
        self._stamps = stamps

    def add(self, additions: Iterable[Addition], call: Call) -> IngestReport:
        """Add documents, each in a transaction of its own, without vectors.

        Args:
            additions: The documents.
            call: Checked before each document; what was added before it ended stays.

        Raises:
            ConnectionFailed: No reader process can be had.
            Cancelled: The call is cancelled.
            TimeoutExceeded: The deadline has passed.
            WritingFailed: The index cannot be written.
        """
        report = IngestReport()
        outdated = frozenset(self._store.stamped(self._stamps.outdated(self._store.stamps())).values())
        for addition in additions:
            call.check()
            name = addition.name
            try:
                found = addition.read()
            except NotFound as error:
                report.failed[name] = error.message
                continue
            is_known = self._is_known(name)
            if is_known and name not in outdated and self._is_same(addition, found):
                report.unchanged.append(name)
                continue
            new = self._builder.build(name, found, call, addition.source_key)
            if new.row.failure:
                report.failed[name] = new.row.failure
                continue
            self._store.replace([new], is_current=_is_current)
            (report.replaced if is_known else report.added).append(name)
        return report

    def _is_known(self, name: str) -> bool:
        with self._store.snapshot() as snapshot:
            return snapshot.document(name) is not None

    def _is_same(self, addition: Addition, found: SourceDocument) -> bool:
        """Return True if a document was added from these bytes of this file."""
        with self._store.snapshot() as snapshot:
            document = snapshot.document(addition.name)
        _, states = self._store.states([addition.source_key])
        fingerprint = Blob(addition.name, found.data).fingerprint
        return (
            document is not None
            and (document.fingerprint, document.source_key) == (fingerprint, addition.source_key)
            and states.get(addition.source_key) == found.state
        )


def _is_current(row: DocumentRow) -> bool:
    """Return True: what is added is what the caller gave, whatever its file is meanwhile."""
    return bool(row.name)
