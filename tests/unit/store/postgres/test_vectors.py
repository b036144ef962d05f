"""The nearest vectors of a snapshot, over a database that only lists what it executes; contracts run a real one."""

from typing import Any

import numpy as np
import pytest

from pincite.errors import InternalError
from pincite.model.chunk import ChunkKind
from pincite.model.search import NO_FILTER, Filter
from pincite.store.filters import Allowed
from pincite.store.memory.matrix import Frame, Load, Matrix
from pincite.store.postgres.reads import CopyReads
from pincite.store.postgres.sizes import EXACT_ROWS, PLANNED_ONCE_FROM
from pincite.store.postgres.vectors import SnapshotReads, VectorSearch

EAST, NORTH, WEST = (np.array(numbers, np.float32) for numbers in ((1, 0), (0, 1), (-1, 0)))


class Database:
    """Chunks with documents and vectors."""

    def __init__(self, passing: int = 2) -> None:
        self.chunks = {1: (10, EAST), 2: (10, NORTH), 3: (20, WEST)}
        self.executed: list[str] = []
        self.copied: Frame | None = None
        self._passing = passing

    def search(self, dimensions: list[int], total: int = 3) -> VectorSearch:
        named = CopyReads(5, 0, total, 1, self.rows, self.batches)
        return VectorSearch(SnapshotReads(named, self.execute, self.allowed, lambda: self.copied), dimensions)

    def batches(self, name: str, arguments: Any) -> list[list[tuple[Any, ...]]]:
        return [self.rows(name, arguments)]

    def rows(self, name: str, arguments: Any) -> list[tuple[Any, ...]]:
        self.executed.append(name)
        every = [(number, document, one.tobytes()) for number, (document, one) in self.chunks.items()]
        return {
            "dimensions": [(2,)],
            "vectors": [(number, blob) for number, _, blob in every if name == "vectors" and number in arguments[1]],
        }[name]

    def execute(self, statement: bytes, arguments: Any = (), *, is_planned_once: bool = False) -> list[tuple[Any, ...]]:
        del arguments
        text = statement.decode()
        kind = "index" if "ef_search" in text else "filtered"
        self.executed.append(f"{kind}, planned once" if is_planned_once else kind)
        if kind == "filtered" and self._passing > EXACT_ROWS:
            return []
        found: list[tuple[Any, ...]] = [(number, one.tobytes()) for number, (_, one) in self.chunks.items()]
        return found if self._passing else [(None, None)]

    def allowed(self, where: Filter) -> Allowed | None:
        if where.kinds:
            return Allowed(frozenset({2}), of_chunks=True, documents=1)
        documents = where.documents
        return None if documents is None else Allowed(documents, of_chunks=False, documents=len(documents))


def ids(search: VectorSearch, where: Filter = NO_FILTER, n: int = 2) -> list[int]:
    return [hit.chunk_id for hit in search.nearest(EAST, where, n)]


@pytest.mark.parametrize(
    ("where", "passing", "statements"),
    [
        (NO_FILTER, 2, ["index, planned once"]),
        (Filter(frozenset({1})), 2, ["filtered, planned once"]),
        (Filter(frozenset({1})), EXACT_ROWS + 1, ["filtered, planned once", "index"]),
    ],
)
def test_a_large_collection_is_searched_in_the_database(where: Filter, passing: int, statements: list[str]) -> None:
    database = Database(passing)
    search = database.search([2], total=PLANNED_ONCE_FROM)
    assert ids(search, where) == [1, 2]
    assert database.executed == statements
    assert search.similarities(EAST, [3]) == {3: -1.0}


def test_a_collection_that_was_copied_is_compared_and_filtered_in_memory() -> None:
    database = Database()
    search = database.search([2])
    assert ids(search) == [1, 2] and database.executed == ["index"]
    matrix = Matrix()
    rows = [(number, document, vector.tobytes()) for number, (document, vector) in database.chunks.items()]
    database.copied = matrix.at(5, lambda _: Load(5, 2, 3, [rows]))
    database.executed.clear()
    assert ids(search) == [1, 2] and search.similarities(EAST, [2, 1, 9]) == {2: 0.0, 1: 1.0}
    assert ids(search, Filter(frozenset({20}))) == [3]
    assert ids(search, Filter(kinds=frozenset({ChunkKind.TABLE}))) == [2]
    assert ids(search, Filter(frozenset())) == []
    assert database.executed == []


def test_a_filter_that_nothing_passes_finds_nothing() -> None:
    search = Database(passing=0).search([2], total=EXACT_ROWS + 1)
    assert ids(search, Filter(frozenset({1}))) == []


def test_without_vectors_or_with_an_odd_query_nothing_is_near() -> None:
    search = Database().search([])
    assert search.nearest(np.array([np.nan, 0], np.float32), NO_FILTER, 2) == ids(search, n=0) == []
    with pytest.raises(InternalError, match="2 numbers"):
        search.similarities(np.zeros(3, np.float32), [1])
