"""What a store is: the truth about a collection, in rows, words and vectors."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pincite.model.chunk import Chunk
from pincite.model.search import Filter, KeywordQuery, KeywordScore, Scored
from pincite.model.store import (
    DocumentRow,
    FileState,
    Gap,
    Heading,
    PastRevision,
    Statistics,
    StoredChunk,
    StoredDocument,
)

if TYPE_CHECKING:
    from pincite.model.vector import Vector

Generation = int
"""The index's version: rises by one with every committed change."""


class Snapshot(Protocol):
    """One consistent state of the index; everything read from it belongs together."""

    generation: Generation

    def keywords(self, query: KeywordQuery, where: Filter, n: int) -> list[Scored]:
        """The n best chunks by BM25 (positive, falling; ties by chunk id)."""
        ...

    def candidates(self, query: KeywordQuery, where: Filter, n: int) -> list[int]:
        """About the n best chunks by BM25, found quickly: in a large index by the rarest words alone.

        `score_keywords` tells what they are worth by all words.
        """
        ...

    def phrase_chunks(self, phrase: str, where: Filter, n: int) -> list[int]:
        """Up to n chunks that hold the stems of a phrase in its order; which of more is not defined."""
        ...

    def texts(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """The texts of these chunks by id; an unknown id is left out."""
        ...

    def nearest(self, vector: "Vector", where: Filter, n: int, executor: Executor | None = None) -> list[Scored]:
        """The n chunks of highest cosine (falling; ties by chunk id), exact; `executor` may run a part of the scan."""
        ...

    def similarities(self, vector: "Vector", chunk_ids: Sequence[int]) -> dict[int, float]:
        """The cosine of these chunks; one without a vector is left out."""
        ...

    def score_keywords(self, query: KeywordQuery, chunk_ids: Sequence[int]) -> dict[int, KeywordScore]:
        """Exact BM25 of every word and phrase of a query in these chunks, and how much of it they hold."""
        ...

    def document_frequencies(self, terms: Sequence[str]) -> list[int]:
        """In how many chunks each word stands, in any of its forms."""
        ...

    def unknown(self, query: KeywordQuery) -> list[str]:
        """Words of a query, or of a phrase that occurs nowhere, that no chunk holds; free after `score_keywords`."""
        ...

    def spellings(self, initial: str, shortest: int, longest: int) -> list[str]:
        """Words of the documents (lower case, four letters or more) that begin with this letter, by their length.

        Some may have gone from the documents since.
        """
        ...

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """These chunks, in the order asked; an unknown id is left out."""
        ...

    def document_chunks(self, document_id: int) -> list[StoredChunk]:
        """All chunks of a document, by ordinal."""
        ...

    def documents(self) -> list[StoredDocument]:
        """Every document, failed ones included, by name."""
        ...

    def document_names(self, above: int = 0) -> dict[str, int]:
        """Id by name of every document, or of those whose id is above another: ids rise and are given once."""
        ...

    def document(self, name: str) -> StoredDocument | None:
        """The document of this exact name."""
        ...

    def past(self, name: str, revision: str) -> PastRevision | None:
        """One of the last 20 revisions of a document that ended, also of one that is gone."""
        ...

    def headings(self, max_level: int) -> list[Heading]:
        """Headings of level 1..max_level, by document name, then in document order."""
        ...

    def gaps(self) -> list[Gap]:
        """The documents that could not be read, wholly or in part."""
        ...

    def count(self, where: Filter) -> int:
        """How many chunks `where` lets through."""
        ...

    def statistics(self) -> Statistics:
        """The index, counted now."""
        ...


class Store(Protocol):
    """Keeps one collection. Safe to use from several threads and processes at once.

    Attributes:
        path: Where it lies.
    """

    path: Path

    @property
    def lease(self) -> "Lease":
        """The right to bulk work, held by one process at a time."""
        ...

    def size(self) -> int:
        """Bytes that it takes."""
        ...

    def is_invalid(self) -> bool:
        """Return True if it was deleted, replaced or corrupted (microseconds).

        Then it is to be discarded and opened again.
        """
        ...

    def discard(self) -> None:
        """Close it; where it is damaged, see to it that it is begun anew when it is opened again.

        Raises:
            ConfigError: That is not possible; the message names the mend.
        """
        ...

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """Open a consistent state for reading; writers are not held up by it."""
        ...

    def states(self, names: Iterable[str] | None = None) -> tuple[Generation, dict[str, FileState]]:
        """The generation, and file states by document name: of every document, or of these."""
        ...

    def waiting_documents(self) -> int:
        """How many documents have a chunk without vector. Asked at every call: cheap (microseconds when 0)."""
        ...

    def generation(self) -> Generation:
        """The present generation (microseconds)."""
        ...

    def replace(
        self,
        documents: Sequence[tuple[DocumentRow, Sequence[Chunk]]],
        *,
        is_current: "IsCurrent",
        deadline: float = inf,
    ) -> list[str]:
        """Write documents and their chunks in one transaction, each instead of the one of its name.

        Vectors that the index already holds for a chunk's text are kept; chunks whose text did
        not change keep theirs. With the write lock held, `is_current(row)` is asked once more for each
        document whether its state is that of the source; one for which it is not is left out.

        Args:
            documents: Rows and their chunks.
            is_current: Asks the source.
            deadline: `time.monotonic()` value after which nothing is written.

        Returns:
            Names of the documents that were left out.

        Raises:
            TimeoutExceeded: It could not be written in time; the index is as it was.
        """
        ...

    def remove(self, names: Sequence[str], *, is_deleted: "IsDeleted", deadline: float = inf) -> None:
        """Remove documents in one transaction; each is asked `is_deleted(name)` with the write lock held.

        Raises:
            TimeoutExceeded: See `replace`.
        """
        ...

    def missing_vectors(self, n: int) -> list[tuple[bytes, str]]:
        """Up to n (embed hash, text to embed) that have no vector yet, oldest chunk first, each hash once."""
        ...

    def put_vectors(self, rows: Mapping[bytes, "Vector"], *, deadline: float = inf) -> None:
        """Write vectors by embed hash, in one transaction; a hash that is there already is skipped.

        Raises:
            TimeoutExceeded: See `replace`.
        """
        ...

    def tidy(self) -> int:
        """Forget some of what nothing needs any more (vectors of texts long gone), in one short transaction.

        Returns:
            How much was forgotten; 0 once nothing is left.
        """
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


class Lease(Protocol):
    """The right to do what takes long: of several processes on one collection one at a time does it.

    It spares work and decides no answer. A holder that gives no sign of life for a while has lost it.

    Attributes:
        beat: Seconds after which its holder should claim it again.
    """

    @property
    def beat(self) -> float:
        """Seconds between two signs of life."""
        ...

    def claim(self) -> bool:
        """Take it, or show that its holder lives; False while another process holds it. Cheap when asked often."""
        ...

    def release(self) -> None:
        """Give it back, if it is held."""
        ...


IsCurrent = Callable[[DocumentRow], bool]
"""Return True while the source's state is the row's."""

IsDeleted = Callable[[str], bool]
"""Return True if the source has no document of this name."""
