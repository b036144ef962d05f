"""One consistent state of a SQLite index, read."""

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from pincite.errors import InternalError
from pincite.model.search import Allow, Scored, Weighed, WordQuery
from pincite.model.store import Heading, Statistics, StoredChunk, StoredDocument
from pincite.model.vector import one_blas_thread
from pincite.store import lexicon
from pincite.store.base import Generation
from pincite.store.matching import WordLimits, any_of, plain, prune, quote, quoted
from pincite.store.rows import from_text, to_chunk, to_document, to_heading, to_text

if TYPE_CHECKING:
    from pincite.model.vector import Vector
    from pincite.store.matrix import Delta, Frame, Load, Matrix

_BATCH = 4096
_FREQUENCIES = 10_000
_DRIFT = 0.1


@dataclass(slots=True)
class Shared:
    """What the snapshots of one store share. Nothing in it decides an answer: it only saves time.

    Attributes:
        embedder: Id of the embedder whose vectors are used.
        tokens: Splits queries.
        matrix: The vectors in memory, once one was asked for.
        total: The last count of all chunks: (generation, chunks).
        frequencies: In how many chunks a term stands, about.
        frequencies_of: How many chunks there were when these were counted.
    """

    sql: Mapping[str, str]
    embedder: int
    limits: WordLimits
    tokens: lexicon.Tokens
    matrix: "Matrix | None" = None
    total: tuple[Generation, int] = (-1, 0)
    frequencies: dict[str, int] = field(default_factory=dict[str, int])
    frequencies_of: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class SqliteSnapshot:
    """Reads one state of the index; made by `SqliteStore.snapshot`.

    Several threads may use it at once: its statements run one after another, the scan of the
    vectors runs beside them.
    """

    def __init__(self, connection: sqlite3.Connection, shared: Shared) -> None:
        self._connection: sqlite3.Connection | None = connection
        self._shared = shared
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        self.generation: Generation = self._value("generation")

    def words(self, query: WordQuery, allow: Allow, n: int) -> list[Scored]:
        """The n best chunks by BM25 (positive, falling; ties by chunk id)."""
        strings: Sequence[str] = quoted(query, self._shared.limits)
        if not strings or n <= 0 or allow.documents == frozenset():
            return []
        total = self._total()
        if total >= self._shared.limits.prune_from and len(strings) > 1:
            ceiling = int(total * self._shared.limits.common)
            strings = prune(strings, lambda string: self._frequency(string, total, ceiling + 1), ceiling)
        match = any_of(strings)
        if allow.documents is None:
            rows = self._rows("words", (match, n))
        else:
            rows = self._rows("words_allowed", (match, n, _array(allow.documents)))
        return [Scored(chunk_id, score) for chunk_id, score in rows]

    def nearest(self, vector: "Vector", allow: Allow, n: int) -> list[Scored]:
        """The n chunks of highest cosine (falling; ties by chunk id), exact."""
        return self._vectors(vector).nearest(vector, self.generation, allow.documents, n)

    def similarities(self, vector: "Vector", chunk_ids: Sequence[int]) -> dict[int, float]:
        """The cosine of these chunks; one without a vector is left out."""
        return self._vectors(vector).similarities(vector, self.generation, chunk_ids)

    def weigh(self, query: WordQuery, chunk_ids: Sequence[int]) -> dict[int, Weighed]:
        """Exact BM25 of every word and phrase of a query in these chunks, and how much of it they hold.

        It equals FTS5's own; nothing is pruned. An unknown id is left out.
        """
        strings = plain(query, self._shared.limits)
        wanted = lexicon.look_up(self._rows, self._shared.tokens, strings, [quote(string) for string in strings])
        lists = self._rows("forward", (_array(chunk_ids),))
        return lexicon.weighed(lists, wanted, self._total(), self._value("tokens"))

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """These chunks, in the order asked; an unknown id is left out."""
        found = {row[0]: row for row in self._rows("chunks", (_array(chunk_ids),))}
        return [to_chunk(found[chunk_id]) for chunk_id in chunk_ids if chunk_id in found]

    def document_chunks(self, document_id: int) -> list[StoredChunk]:
        """All chunks of a document, by ordinal."""
        return [to_chunk(row) for row in self._rows("document_chunks", (document_id,))]

    def documents(self) -> list[StoredDocument]:
        """Every document, failed ones included, by name."""
        return sorted(map(to_document, self._rows("documents")), key=attrgetter("name"))

    def document(self, name: str) -> StoredDocument | None:
        """The document of this exact name."""
        rows = self._rows("document", (from_text(name),))
        return to_document(rows[0]) if rows else None

    def headings(self, max_level: int) -> list[Heading]:
        """Headings of level 1..max_level, by document name, then in document order."""
        names = {row[0]: to_text(row[1]) for row in self._rows("document_names")}
        headings = [to_heading(row) for row in self._rows("headings", (max_level,))]
        # The sort is stable: within a document the order stays.
        return sorted(headings, key=lambda heading: names[heading.document_id])

    def count(self, allow: Allow) -> int:
        """How many chunks `allow` lets through."""
        if allow.documents is None:
            return self._total()
        return self._value("count_allowed", (_array(allow.documents),))

    def statistics(self) -> Statistics:
        """The index, counted now."""
        ((read, failed, waiting_documents, waiting_chunks),) = self._rows("statistics", (self._shared.embedder,))
        last_indexed = self._value("last_indexed")
        return Statistics(read, failed, self._total(), waiting_documents, waiting_chunks, last_indexed)

    def end(self) -> None:
        """Give the state up; the snapshot cannot be read any more."""
        with self._lock:
            self._connection = None

    def _rows(self, name: str, arguments: Sequence[Any] = ()) -> list[Any]:
        with self._lock:
            return self._execute(name, arguments).fetchall()

    def _batches(self, name: str, arguments: Sequence[Any]) -> Iterator[list[Any]]:
        """Rows in batches; other threads read the snapshot between two of them."""
        with self._lock:
            cursor = self._execute(name, arguments)
            batch = cursor.fetchmany(_BATCH)
        while batch:
            yield batch
            with self._lock:
                batch = cursor.fetchmany(_BATCH)

    def _execute(self, name: str, arguments: Sequence[Any]) -> sqlite3.Cursor:
        if self._connection is None:
            raise InternalError("The snapshot has ended: read it inside its with-block.")
        return self._connection.execute(self._shared.sql[name], arguments)

    def _value(self, name: str, arguments: Sequence[Any] = ()) -> Any:
        return self._rows(name, arguments)[0][0]

    def _total(self) -> int:
        generation, total = self._shared.total
        if generation != self.generation:
            total: int = self._value("count")
            self._shared.total = (self.generation, total)
        return total

    def _frequency(self, string: str, total: int, limit: int) -> int:
        """In how many chunks a string stands, up to a limit; may lag behind by a tenth of the index."""
        shared = self._shared
        with shared.lock:
            if abs(total - shared.frequencies_of) > _DRIFT * total or len(shared.frequencies) > _FREQUENCIES:
                shared.frequencies, shared.frequencies_of = {}, total
            known = shared.frequencies
        if string not in known:
            known[string] = self._value("frequency", (string, limit))
        return known[string]

    def _vectors(self, vector: "Vector") -> "Frame":
        frame = self._frame
        if frame is None:
            frame = self._frame = self._matrix().at(self.generation, self._pull)
        if frame.used and vector.shape != (frame.vectors.shape[1],):
            raise InternalError(f"A query of shape {vector.shape} against vectors of {frame.vectors.shape[1]} numbers.")
        return frame

    def _matrix(self) -> "Matrix":
        with self._shared.lock:
            if self._shared.matrix is None:
                self._shared.matrix = _new_matrix()
            return self._shared.matrix

    def _pull(self, since: Generation | None) -> "Load | Delta":
        from pincite.store.matrix import Delta, Load  # noqa: PLC0415 - imports numpy

        dimensions = self._value("dimensions", (self._shared.embedder,))
        if since is None or since < self._value("log_floor"):
            batches = self._batches("vectors", (self._shared.embedder, 4 * dimensions))
            return Load(self.generation, dimensions, self._total(), batches)
        arguments = (since, self._shared.embedder, 4 * dimensions)
        return Delta(self.generation, self._rows("changes", arguments))


def _new_matrix() -> "Matrix":
    """An empty matrix. Here numpy is first imported by a store."""
    one_blas_thread()
    from pincite.store.matrix import Matrix  # noqa: PLC0415 - imports numpy, after the variables are set

    return Matrix()


def _array(ids: Sequence[int] | frozenset[int]) -> str:
    """Ids as the JSON array that a statement takes."""
    return f"[{','.join(map(str, ids))}]"
