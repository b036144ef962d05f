"""Statements that find the nearest vectors; `tests/contracts` runs them."""

import numpy as np
import pytest

from pincite.model.search import Filter
from pincite.store.postgres import near
from pincite.store.postgres.sizes import EXACT_ROWS

VECTOR = np.array([0.5, -0.25], np.float32)


@pytest.mark.parametrize(("n", "kept"), [(1, near.MIN_EF_SEARCH), (26, near.MIN_EF_SEARCH), (216, 216)])
def test_the_index_keeps_as_many_candidates_as_are_returned(n: int, kept: int) -> None:
    statement, arguments = near.from_index(3, 2, VECTOR, n)
    assert f"set_config('hnsw.ef_search', '{kept}', true)" in statement.decode()
    assert f"LIMIT {n})" in statement.decode() and "near.embedder = 3" in statement.decode()
    assert arguments == {"vector": "[0.5,-0.25]"}, "one text for every query, so that it is planned once"


def test_a_filter_of_the_index_joins_the_chunks() -> None:
    statement, arguments = near.from_index(1, 2, VECTOR, 5, Filter(frozenset({7})))
    assert "JOIN chunk ON chunk.id = near.chunk_id AND chunk.document_id" in statement.decode()
    assert arguments["documents"] == [7]


def test_comparing_never_uses_the_index() -> None:
    statement, _ = near.among_filtered(1, 2, VECTOR, Filter(frozenset({7})), 5)
    assert ") + 0, near.chunk_id LIMIT 5" in statement.decode() and "ef_search" not in statement.decode()


def test_a_small_filter_is_counted_where_it_is_applied() -> None:
    statement, arguments = near.among_filtered(1, 2, VECTOR, Filter(frozenset({7})), 5)
    assert f"LIMIT {EXACT_ROWS + 1}" in statement.decode() and f"passing <= {EXACT_ROWS}" in statement.decode()
    assert arguments.keys() == {"documents", "vector"}
