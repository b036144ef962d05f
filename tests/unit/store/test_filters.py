"""Filters, resolved once a generation."""

from collections.abc import Sequence
from typing import Any

from pincite.model.search import NO_FILTER, Clause, Filter
from pincite.store.filters import MAX_CACHED_FILTERS, Allowed, FilterCache, passing_chunks


class Counting:
    """Answers every statement with one chunk, and counts them."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def passing(self, where: Filter) -> Allowed:
        return passing_chunks(self.rows, where)

    def rows(self, name: str, arguments: Sequence[Any]) -> list[Any]:
        self.names.append(f"{name}/{len(arguments)}")
        return [(7, 1), (8, 1)]


def test_documents_alone_need_no_look_at_chunks() -> None:
    counting, cache = Counting(), FilterCache()
    assert cache.resolve(counting.passing, 1, NO_FILTER) is None
    assert cache.resolve(counting.passing, 1, Filter(frozenset({3}))) == Allowed(
        frozenset({3}), of_chunks=False, documents=1
    )
    assert counting.names == []


def test_a_filter_over_tags_is_resolved_once_a_generation() -> None:
    counting, cache = Counting(), FilterCache()
    where = Filter(clauses=(Clause("5"),))
    for generation in (1, 1, 2):
        found = cache.resolve(counting.passing, generation, where)
        assert found == Allowed(frozenset({7, 8}), of_chunks=True, documents=1)
    assert counting.names == ["chunks_tagged/5"] * 2


def test_the_filter_used_longest_ago_is_forgotten() -> None:
    counting, cache = Counting(), FilterCache()
    filters = [Filter(chunk_types=frozenset({str(number)})) for number in range(MAX_CACHED_FILTERS + 1)]
    for where in (*filters[:-1], filters[0], filters[-1]):
        cache.resolve(counting.passing, 1, where)
    counting.names.clear()
    cache.resolve(counting.passing, 1, filters[0])
    assert counting.names == []
    cache.resolve(counting.passing, 1, filters[1])
    assert counting.names == ["chunks_tagged/5"]
