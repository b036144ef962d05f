"""A copy of a collection's vectors and posting lists in a server's memory, kept current by the log of changes.

This module imports numpy; the store imports it when it makes a copy.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.errors import InternalError
from pincite.store.base import Generation
from pincite.store.memory import inverted
from pincite.store.memory.matrix import Delta, Frame, Load, Matrix
from pincite.store.memory.postings import ChunkTable, ChunkTables
from pincite.store.postgres.packed import to_lists, to_sequences
from pincite.store.postgres.reads import CopyReads, Row

MAX_LOGGED_ROWS = 2_000
"""Rows of the log that a search reads at most to bring the copy up to its generation: 3 MB of vectors. With more of
them, as after a bulk load, the copy is made anew in the background."""


@dataclass(frozen=True, slots=True)
class CopyView:
    """The copy as a snapshot sees it.

    Attributes:
        frame: The vectors; None if they belong to another generation.
        table: The posting lists; None likewise.
        term_ids: The id of each term.
    """

    frame: Frame | None
    table: ChunkTable | None
    term_ids: Mapping[str, int]


@dataclass(slots=True)
class CollectionCopy:
    """A copy at a generation. One thread at a time brings it up to a later one."""

    generation: Generation
    matrix: Matrix
    tables: ChunkTables
    term_ids: dict[str, int]

    def view(self, generation: Generation) -> CopyView:
        """Return the parts of it that belong to a generation."""
        return CopyView(self.matrix.present(generation), self.tables.present(generation), self.term_ids)

    def catch_up(self, reads: CopyReads) -> bool:
        """Read what changed until a snapshot's generation; return False if the copy had better be made anew."""
        if self.generation < reads.floor or self.tables.is_due(reads.total, reads.floor):
            return False
        logged = reads.rows("logged_chunks", (self.generation, MAX_LOGGED_ROWS + 1))
        if len(logged) > MAX_LOGGED_ROWS:
            return False
        self.matrix.at(reads.generation, partial(pull, reads))
        self.tables.at(_Tables(reads, logged), reads.total, reads.generation)
        # Terms have ascending ids, too.
        last = next(reversed(self.term_ids.values()), 0)
        self.term_ids.update(reads.rows("terms_after", (last,)))
        self.generation = reads.generation
        return True


def load(reads: CopyReads) -> CollectionCopy:
    """Copy a collection.

    Raises:
        InternalError: Chunks are missing from it.
    """
    matrix, tables, term_ids = Matrix(), ChunkTables(), dict[str, int]()
    matrix.at(reads.generation, partial(pull, reads))
    table = tables.at(_Tables(reads), reads.total, reads.generation)
    if len(table.ids) != reads.total:
        raise InternalError(f"The database has the terms of {len(table.ids)} of {reads.total} chunks.")
    for batch in reads.batches("terms_after", (0,)):
        term_ids.update(batch)
    return CollectionCopy(reads.generation, matrix, tables, term_ids)


def pull(reads: CopyReads, since: Generation | None) -> Load | Delta:
    """Return the vectors that changed since a generation, or all of them; see `matrix.Pull`."""
    if since is None or since < reads.floor:
        dimensions: int = reads.rows("dimensions", (reads.embedder,))[0][0]
        return Load(reads.generation, dimensions, reads.total, reads.batches("vector_rows", (reads.embedder,)))
    changes = reads.rows("vector_changes", {"since": since, "embedder": reads.embedder})
    return Delta(reads.generation, changes)


class _Tables:
    """Reads the terms of chunks; see `postings.TableSource`.

    Args:
        reads: Reads the snapshot.
        logged: The chunks in the log since the table's generation, and whether each still exists.
    """

    def __init__(self, reads: CopyReads, logged: Sequence[Row] = ()) -> None:
        self._reads = reads
        self._logged = logged

    def log_floor(self) -> int:
        return self._reads.floor

    def deleted(self, since: int) -> Sequence[int]:
        del since
        return [chunk_id for chunk_id, exists in self._logged if not exists]

    def has_chunks(self, after: int) -> bool:
        return any(exists and chunk_id > after for chunk_id, exists in self._logged)

    def read(self, after: int, first_row: int) -> ChunkTable:
        ids, lengths, documents, sizes, terms, counts = _columns(self._reads.batches("terms_of_chunks", (after,)))
        segment = inverted.invert(np.cumsum(sizes), terms, counts, first_row)
        return ChunkTable(ids, lengths, documents, None, (segment,), self._reads.generation)


def _columns(batches: Iterable[list[Row]]) -> Iterator[npt.NDArray[Any]]:
    """Yield, of rows of `terms_of_chunks`: ids, lengths, documents, numbers of terms, all terms, their frequencies."""
    parts: list[list[npt.NDArray[Any]]] = [
        [np.zeros(0, kind)] for kind in (np.int64, np.int64, np.int64, np.int64, np.uint32, np.uint16)
    ]
    for batch in batches:
        sequences = to_sequences([row[:3] for row in batch])  # type: ignore[misc]  # rows of four columns
        documents = np.array([row[3] for row in batch], np.int64)
        columns = (sequences.chunk_ids, sequences.lengths, documents, *to_lists(sequences))
        for part, column in zip(parts, columns, strict=True):
            part.append(column)
    while parts:
        # One column at a time, so that no more than one is in memory twice.
        yield np.concatenate(parts.pop(0))
