"""Posting lists in memory: the same entries as the forward lists, however often they were extended."""

import random

import numpy as np
import pytest

from pincite.store.memory import inverted

Lists = list[dict[int, int]]
"""The frequency of each term, row by row."""


def segment(lists: Lists, first_row: int = 0) -> inverted.Segment:
    ends = np.cumsum([len(terms) for terms in lists], dtype=np.int64)
    terms = np.array([term for each in lists for term in each], np.uint32)
    counts = np.array([count for each in lists for count in each.values()], np.uint16)
    return inverted.invert(ends, terms, counts, first_row)


def expected(lists: Lists, term: int) -> list[tuple[int, int]]:
    return [(row, terms[term]) for row, terms in enumerate(lists) if term in terms]


def found(segments: tuple[inverted.Segment, ...], term: int) -> list[tuple[int, int]]:
    rows, counts = inverted.postings(segments, term)
    return list(zip(rows.tolist(), counts.tolist(), strict=True))


@pytest.mark.parametrize("bitmap_rows", [1, 40, 4_096])
@pytest.mark.parametrize("seed", range(4))
def test_segments_hold_the_entries_of_all_forward_lists(
    seed: int, bitmap_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inverted, "BITMAP_ROWS", bitmap_rows)
    chance = random.Random(seed)  # noqa: S311 - the same at every run
    lists: Lists = []
    segments: tuple[inverted.Segment, ...] = ()
    for _ in range(40):
        new = [
            {term: chance.randint(1, 65535) for term in sorted(chance.sample(range(30), chance.randint(0, 8)))}
            for _ in range(chance.choice([0, 1, 1, 2, 30]))
        ]
        segments = inverted.extend(segments, segment(new, len(lists)))
        lists += new
    for term in (*range(30), 31, 2**32 - 1):
        assert found(segments, term) == expected(lists, term)
        assert sum(each.document_frequency(term) for each in segments) == len(expected(lists, term))
        rows = np.array(chance.sample(range(len(lists) + 3), len(lists) // 2), np.int32)
        places, counts = inverted.occurrences(segments, rows, term)
        frequency = dict(zip(rows[places].tolist(), counts.tolist(), strict=True))
        assert frequency == {row: count for row, count in expected(lists, term) if row in set(rows.tolist())}
    assert len(segments) <= 6
    assert any(each.frequent is not None for each in segments) == (bitmap_rows < 4_096)


def test_lists_that_are_sorted_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(5)  # noqa: S311 - the same at every run
    lists: Lists = [{term: term + 1 for term in sorted(chance.sample(range(40), 9))} for _ in range(50)]
    whole = segment(lists, 3)
    monkeypatch.setattr(inverted, "BATCH_ENTRIES", 64)
    parts = segment(lists, 3)
    for name in ("terms", "starts", "rows", "counts"):
        np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name))
        assert getattr(parts, name).dtype == getattr(whole, name).dtype


def test_a_term_of_an_eighth_of_the_rows_has_a_bitmap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inverted, "BITMAP_ROWS", 16)
    held = segment([{1: 1, 2: 1} if row % 8 == 0 else {2: 1, 3: 1} if row < 2 else {2: 4} for row in range(16)])
    assert held.frequent is not None and held.frequent.terms.tolist() == [1, 2]
    assert held.terms.tolist() == [3] and held.entries == 19


def test_small_segments_are_merged_and_large_ones_kept() -> None:
    large, small = segment([{1: 1, 2: 1}] * 9), segment([{1: 3}], 9)
    assert len(inverted.extend((), large)) == 1
    assert [len(each.rows) for each in inverted.extend((large,), small)] == [18, 1]
    assert [len(each.rows) for each in inverted.extend((small,), segment([{1: 1}], 10))] == [2]


def test_the_largest_term_and_none() -> None:
    segments = (segment([{2**32 - 1: 7}, {}, {0: 1, 2**32 - 1: 2}]),)
    assert found(segments, 2**32 - 1) == [(0, 7), (2, 2)]
    assert found(segments, 0) == [(2, 1)]
    assert found((segment([]),), 0) == found((), 0) == []


def test_occurrences_in_some_rows() -> None:
    segments = (segment([{1: 5}, {2: 1}, {1: 7}, {1: 9}]),)
    rows = np.array([3, 1, 0], np.int32)
    for term, places, counts in ((1, [0, 2], [9, 5]), (2, [1], [1]), (3, [], [])):
        found_places, found_counts = inverted.occurrences(segments, rows, term)
        assert (found_places.tolist(), found_counts.tolist()) == (places, counts)
