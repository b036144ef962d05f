"""The interface of a store: documents, chunks, full-text index and vectors of one collection."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from math import inf
from typing import TYPE_CHECKING, Protocol

from pincite.model.call import Call
from pincite.model.chunk import SourceText
from pincite.model.search import NO_FILTER, Counts, Filter, KeywordQuery, KeywordScore, Scored
from pincite.model.store import (
    ChunkChanges,
    DocumentRow,
    Gap,
    Heading,
    NewDocument,
    PastRevision,
    Place,
    State,
    Statistics,
    StoredChunk,
    StoredDocument,
    Unembedded,
)

if TYPE_CHECKING:
    from pincite.model.vector import Vector

KEPT_REVISIONS = 20
"""Replaced revisions of a document that are kept; by contract 0, section 1."""

LARGE_ROWS = 32_768
"""Vectors from which an index is scanned by a copy of 8 bits a number, and kept in a file for other processes: a scan
of fewer takes at most 2 to 4 ms, and they are read from the database in 0.2 s."""

Generation = int
"""The index's version: a counter that every committed change increments."""


class Snapshot(Protocol):
    """A consistent read view of the index at one generation."""

    generation: Generation

    def keywords(self, query: KeywordQuery, where: Filter, n: int) -> list[Scored]:
        """Return the n best chunks by BM25 (positive, descending; ties by chunk id)."""
        ...

    def candidates(self, query: KeywordQuery, where: Filter, n: int) -> list[int]:
        """Return the ids of about the n best chunks by BM25; a large index is searched by the rarest words alone.

        `score_keywords` computes their exact scores over all words.
        """
        ...

    def phrase_chunks(self, phrase: str, where: Filter, n: int) -> list[int]:
        """Return up to n chunks that contain the stems of a phrase in order; the choice among more is undefined."""
        ...

    def texts(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """Return the texts of these chunks by id; unknown ids are omitted."""
        ...

    def nearest(self, vector: "Vector", where: Filter, n: int) -> list[Scored]:
        """Return the exact n nearest chunks by cosine (descending; ties by chunk id)."""
        ...

    def similarities(self, vector: "Vector", chunk_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosine of these chunks by id; chunks without a vector are omitted."""
        ...

    def score_keywords(self, query: KeywordQuery, chunk_ids: Sequence[int]) -> dict[int, KeywordScore]:
        """Return exact BM25 over every word and phrase of a query, and its coverage, for these chunks."""
        ...

    def document_frequencies(self, terms: Sequence[str]) -> list[int]:
        """Return the number of chunks that contain each word, in any inflected form."""
        ...

    def spellings(self, initial: str, shortest: int, longest: int) -> list[str]:
        """Return the documents' words of 4 letters or more, in lower case, with this initial and a length in range.

        Words of documents deleted since may be among them.
        """
        ...

    def vectors(self, chunk_ids: Sequence[int]) -> "dict[int, Vector]":
        """Return the vectors of these chunks by id; chunks without one are omitted."""
        ...

    def refused(self) -> list[int]:
        """Return the ids of the chunks whose vector is zero, ascending: a service refused their text."""
        ...

    def changes(self, since: Generation) -> ChunkChanges | None:
        """Return what changed since a generation; None if the change log no longer reaches back to it."""
        ...

    def waiting_chunks(self) -> dict[int, int]:
        """Return the number of chunks without vector by document id, of documents that have any."""
        ...

    def chunk_ids_at(self, places: Sequence[tuple[str, int]]) -> list[int | None]:
        """Return the chunk id of each (document name, ordinal); None where there is no such chunk."""
        ...

    def stamp(self, document_id: int) -> str:
        """Return the stamp of a document; empty for an unknown id."""
        ...

    def chunk_ids(self, where: Filter = NO_FILTER) -> list[int]:
        """Return the ids of the chunks that pass a filter, ascending; of every chunk by default."""
        ...

    def tokens(self) -> int:
        """Return the sum of `Chunk.tokens`."""
        ...

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return these chunks in the given order; unknown ids are omitted."""
        ...

    def text(self, document_id: int, start: int = 0, end: int | None = None) -> str:
        """Return a span of a document's canonical text, the whole text by default; empty for an unknown id."""
        ...

    def document_chunks(self, document_id: int, first: int = 0, last: int | None = None) -> list[StoredChunk]:
        """Return the chunks of a document between two ordinals, both included, by ordinal; all by default."""
        ...

    def located_chunks(self, document_id: int, locator: str) -> list[StoredChunk]:
        """Return the chunk of a locator, or the chunks of its section (`h3`), by ordinal; empty if there is none."""
        ...

    def overlapping_chunks(self, document_id: int, start: int, end: int) -> list[StoredChunk]:
        """Return the chunks whose spans overlap a span of a document's text, by ordinal."""
        ...

    def section_chunks(self, document_id: int, breadcrumb: str) -> list[StoredChunk]:
        """Return the chunks of every section of exactly this breadcrumb, by ordinal."""
        ...

    def places(self, document_id: int) -> list[Place]:
        """Return the locators of a document's chunks, in order."""
        ...

    def source_texts(self, document_id: int) -> list[SourceText]:
        """Return `Chunk.sources` of a document as spans of its text, each once, by span."""
        ...

    def documents(self) -> list[StoredDocument]:
        """Return every document by name, including those that could not be read."""
        ...

    def document_names(self, above: int = 0) -> dict[str, int]:
        """Return document ids by name, of ids greater than `above` only: ids ascend and are never reused."""
        ...

    def document(self, name: str) -> StoredDocument | None:
        """Return the document of this exact name, or None."""
        ...

    def past(self, name: str, revision: str) -> PastRevision | None:
        """Return one of a document's `KEPT_REVISIONS` last revisions, or None; deleted documents keep theirs."""
        ...

    def headings(self, max_level: int) -> list[Heading]:
        """Return the headings of level 1..max_level, by document name, then in document order."""
        ...

    def gaps(self) -> list[Gap]:
        """Return why documents could not be read, or not in full, one entry a document."""
        ...

    def count(self, where: Filter) -> Counts:
        """Return the numbers of chunks that pass a filter and of their documents."""
        ...

    def statistics(self) -> Statistics:
        """Count the index's documents and chunks."""
        ...


class Store(Protocol):
    """Keeps one collection. Safe to use from several threads and processes at once."""

    @property
    def lease(self) -> "Lease":
        """The lease for bulk work, held by one process at a time."""
        ...

    def size(self) -> int:
        """Return the bytes on disk."""
        ...

    def identity(self) -> str:
        """Return an id that it got when it was created and that no other store has, unless it is a copy."""
        ...

    def place(self) -> str:
        """Return where the collection is kept, as a person would look for it."""
        ...

    def is_invalid(self) -> bool:
        """Return True if what was opened was deleted, replaced or corrupted; discard it then, and open it again.

        Takes microseconds.
        """
        ...

    def discard(self) -> None:
        """Close the store; one that was found corrupt is put aside, so that the next open creates a new one.

        Raises:
            ConfigError: It cannot be put aside; the message names the fix.
        """
        ...

    def snapshot(self, call: Call | None = None) -> AbstractContextManager[Snapshot]:
        """Open a read view at the present generation; it does not block writers.

        Args:
            call: The call that is answered: where a statement can take long, it is cancelled with the call.
        """
        ...

    def states(self, keys: Iterable[str] | None = None) -> tuple[Generation, dict[str, State]]:
        """Return the generation and the states by source key, of all documents or of `keys` only."""
        ...

    def stamps(self) -> Sequence[str]:
        """Return the distinct stamps of the documents."""
        ...

    def stamped(self, stamps: Collection[str]) -> Mapping[str, str]:
        """Return names by source key, of the documents that have one of these stamps."""
        ...

    def waiting_documents(self) -> int:
        """Return the number of documents that have a chunk without vector.

        Cheap, since every call needs it: microseconds when 0.
        """
        ...

    def generation(self) -> Generation:
        """Return the present generation. Takes microseconds."""
        ...

    def wait(self, generation: Generation, seconds: float) -> bool:
        """Block until the generation is greater (True), by whichever process, or the time has passed (False)."""
        ...

    def replace(
        self,
        documents: Sequence[NewDocument],
        *,
        is_current: "IsCurrent",
        deadline: float = inf,
    ) -> list[str]:
        """Insert or replace documents and their chunks by name, in one transaction.

        A document whose source key had another name replaces that one, too. Vectors are kept by embed hash: a
        chunk whose text is already embedded needs no new vector. A document for which `is_current(row)` returns
        False under the write lock is skipped.

        Args:
            documents: What is written.
            is_current: Compares a row's state with the source's.
            deadline: `time.monotonic()` value after which nothing is written.

        Returns:
            Names of the skipped documents.

        Raises:
            TimeoutExceeded: The deadline passed; the index is unchanged.
        """
        ...

    def remove(self, keys: Sequence[str], *, is_deleted: "IsDeleted", deadline: float = inf) -> None:
        """Delete the documents by source key for which `is_deleted(key)` is True under the write lock, in one
        transaction.

        Raises:
            TimeoutExceeded: See `replace`.
        """
        ...

    def missing_vectors(self, n: int) -> list[Unembedded]:
        """Return up to n chunks of distinct embed hash without a vector, oldest chunk first."""
        ...

    def put_vectors(self, rows: Mapping[bytes, "Vector"], *, deadline: float = inf) -> None:
        """Insert vectors by embed hash in one transaction; hashes that have one other than zero are skipped.

        Raises:
            TimeoutExceeded: See `replace`.
        """
        ...

    def tidy(self, *, spare: int) -> int:
        """Delete some unused vectors, of texts that no chunk has any more, and old revisions, in short transactions.

        Args:
            spare: Number of unused vectors to keep, newest first.

        Returns:
            Number of deleted vectors; 0 once nothing is left to delete.
        """
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


class Lease(Protocol):
    """A lease on bulk work (indexing, embedding) among the processes of one collection.

    An optimisation only: answers are correct without it. It expires if its holder stops renewing it.
    """

    @property
    def beat(self) -> float:
        """Seconds between two renewals."""
        ...

    def claim(self) -> bool:
        """Acquire or renew the lease; return False while another process holds it. Cheap to call often."""
        ...

    def release(self) -> None:
        """Release the lease if this process holds it."""
        ...


IsCurrent = Callable[[DocumentRow], bool]
"""Return True while the source's state of a document equals the row's."""

IsDeleted = Callable[[str], bool]
"""Return True if the source has no document of this key."""
