from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.model.search import Scored
from pincite.store.filters import Allowed
from pincite.store.memory.matrix import Delta, Frame, Load, Matrix, Pull, Vectors


def row(chunk_id: int, *numbers: float, document: int = 1) -> tuple[int, int, bytes]:
    return chunk_id, document, np.array(numbers, np.float32).tobytes()


def born(chunk_id: int, generation: int, *numbers: float, document: int = 1) -> tuple[Any, ...]:
    return chunk_id, generation, document, np.array(numbers, np.float32).tobytes()


def died(chunk_id: int, generation: int) -> tuple[Any, ...]:
    return chunk_id, generation, None, None


def loads(generation: int, *rows: Sequence[Any], dimensions: int = 2) -> Pull:
    return lambda _: Load(generation, dimensions, len(rows), [rows])


def changes(generation: int, *rows: Sequence[Any]) -> Pull:
    return lambda _: Delta(generation, rows)


def ids(frame: Frame, at: int, allowed: Allowed | None = None, n: int = 10) -> list[int]:
    return [hit.chunk_id for hit in frame.nearest(EAST, at, allowed, n)]


EAST: Vectors = np.array([1, 0], np.float32)


def test_a_frame_that_is_recent_enough_is_taken_as_it_is() -> None:
    matrix = Matrix()
    frame = matrix.at(3, loads(3, row(1, 1, 0)))

    def never(_: int | None) -> Load:
        raise AssertionError

    assert matrix.at(3, never) is frame


def test_only_changed_rows_are_read_and_older_snapshots_keep_their_state() -> None:
    matrix = Matrix()
    old = matrix.at(3, loads(3, row(1, 1, 0), row(2, 0.5, 0)))
    asked: list[int | None] = []

    def pull(since: int | None) -> Delta:
        asked.append(since)
        return Delta(5, [born(3, 4, 0.7, 0), died(1, 5), died(99, 5), (98, 5, 1, None), born(2, 5, 9, 9)])

    new = matrix.at(5, pull)
    assert asked == [3]
    assert ids(new, 5) == [3, 2]
    assert ids(new, 4) == [1, 3, 2]
    assert ids(new, 3) == [1, 2] == ids(old, 3)
    assert new.similarities(EAST, 3, [1, 2, 3, 98]) == {1: 1.0, 2: 0.5}
    assert matrix.at(4, pull) is new


def test_a_refresh_that_fails_leaves_the_frame_as_it_was() -> None:
    matrix = Matrix()
    matrix.at(1, loads(1, row(1, 1, 0)))

    def fails(_: int | None) -> Delta:
        raise OSError

    with pytest.raises(OSError):  # noqa: PT011 - the one raised above
        matrix.at(2, fails)
    assert ids(matrix.at(2, changes(2, died(1, 2))), 2) == []


def test_where_the_log_is_too_short_everything_is_read() -> None:
    matrix = Matrix()
    matrix.at(1, loads(1, row(1, 1, 0)))
    assert ids(matrix.at(9, loads(9, row(5, 1, 0), row(6, 0, 1))), 9) == [5, 6]


def test_a_snapshot_older_than_what_was_loaded_reads_its_own() -> None:
    matrix = Matrix()
    matrix.at(9, loads(9, row(5, 1, 0)))
    assert ids(matrix.at(8, loads(8, row(4, 1, 0))), 8) == [4]
    assert ids(matrix.at(9, loads(9)), 9) == [5]


def test_rows_are_added_beyond_the_room_there_was() -> None:
    matrix = Matrix()
    matrix.at(1, loads(1, dimensions=0))
    frame = matrix.at(2, changes(2, *(born(n, 2, 1, 0) for n in range(1, 300))))
    assert len(ids(frame, 2, n=1000)) == 299
    bigger = matrix.at(3, changes(3, *(born(n, 3, 0.5, 0) for n in range(300, 3000)), died(7, 3)))
    assert len(ids(bigger, 3, n=5000)) == 2998
    assert 7 in ids(bigger, 2, n=5000)


def test_dead_rows_are_cleared_away_once_they_are_most() -> None:
    matrix = Matrix(compact_from=4)
    matrix.at(1, loads(1, *(row(n, 1, n) for n in range(6))))
    held = matrix.at(2, changes(2, *(died(n, 2) for n in range(3))))
    assert (held.used, held.dead) == (6, 3)
    compact = matrix.at(3, changes(3, died(3, 3)))
    assert (compact.used, compact.dead, compact.floor) == (2, 0, 3)
    assert sorted(ids(compact, 3)) == [4, 5]
    assert sorted(ids(held, 2)) == [3, 4, 5]
    assert ids(matrix.at(4, changes(4, died(4, 4), born(9, 4, 2, 0))), 4) == [9, 5]


@pytest.mark.parametrize("share", [1, 10, 90])
def test_a_filter_finds_the_same_whether_few_or_many_rows_pass(share: int) -> None:
    rng = np.random.default_rng(1)
    vectors = rng.standard_normal((1000, 8)).astype(np.float32)
    rows = [(n, n % 100, vectors[n].tobytes()) for n in range(1000)]
    frame = Matrix().at(1, loads(1, *rows, dimensions=8))
    documents = Allowed(frozenset(range(share)), of_chunks=False, documents=share)
    chunks = Allowed(frozenset(n for n in range(1000) if n % 100 < share), of_chunks=True, documents=share)
    query = vectors[0]
    order = sorted((n for n in range(1000) if n % 100 < share), key=lambda n: (-_exact(vectors[n], query), n))
    for allowed in (documents, chunks):
        assert [hit.chunk_id for hit in frame.nearest(query, 1, allowed, 7)] == order[:7]


@given(st.integers(1, 6000), st.integers(1, 30), st.integers(1, 50), st.sampled_from([1, 1 << 30]), st.randoms())
def test_the_nearest_are_exact_with_ties_by_id(size: int, n: int, distinct: int, codes_from: int, random: Any) -> None:
    rng = np.random.default_rng(random.randrange(1 << 30))
    pool = rng.standard_normal((distinct, 16)).astype(np.float32)
    vectors = pool[rng.integers(distinct, size=size)]
    with patch("pincite.store.base.LARGE_ROWS", codes_from):
        frame = Matrix().at(1, loads(1, *((i, 1, vectors[i].tobytes()) for i in range(size)), dimensions=16))
    assert bool(frame.quantized) == (codes_from == 1)
    query = rng.standard_normal(16).astype(np.float32)
    found = frame.nearest(query, 1, None, n)
    order = sorted(range(size), key=lambda i: (-_exact(vectors[i], query), i))[:n]
    assert found == [Scored(i, _exact(vectors[i], query)) for i in order]
    assert frame.similarities(query, 1, order) == {hit.chunk_id: hit.score for hit in found}


def test_more_vectors_than_memory_delivers_at_once_are_scanned_by_their_codes_and_found_exactly() -> None:
    rng = np.random.default_rng(2)
    vectors = rng.standard_normal((40_000, 16)).astype(np.float32)
    rows = [(n, n % 2, vectors[n].tobytes()) for n in range(40_000)]
    matrix = Matrix()
    frame = matrix.at(1, loads(1, *rows, dimensions=16))
    assert frame.quantized
    order = sorted(range(40_000), key=lambda n: (-_exact(vectors[n], vectors[7]), n))
    assert [hit.chunk_id for hit in frame.nearest(vectors[7], 1, None, 30)] == order[:30]
    odd = Allowed(frozenset([1]), of_chunks=False, documents=1)
    assert [hit.chunk_id for hit in frame.nearest(vectors[7], 1, odd, 30)] == [n for n in order if n % 2][:30]
    changed = matrix.at(2, changes(2, died(order[0], 2), (50_000, 2, 1, vectors[order[0]].tobytes())))
    assert [hit.chunk_id for hit in changed.nearest(vectors[7], 2, None, 3)] == [50_000, *order[1:3]]


def _exact(vector: Vectors, query: Vectors) -> float:
    return float((vector * query.astype(np.float64)).sum())
