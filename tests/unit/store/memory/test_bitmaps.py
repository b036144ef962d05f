"""Bitmaps hold the entries of the lists that they are made from."""

import numpy as np
import pytest

from pincite.store.memory import bitmaps

FIRST = 7


@pytest.mark.parametrize("size", [1, 63, 64, 65, 1000])
def test_bitmaps_hold_the_entries_of_their_lists(size: int) -> None:
    rng = np.random.default_rng(size)
    held = [np.flatnonzero(rng.random(size) < share).astype(np.int32) + FIRST for share in (1.0, 0.5, 0.1)]
    terms = np.array([3, 9, 2**32 - 1], np.uint32)
    starts = np.cumsum([0, *map(len, held)])
    rows = np.concatenate(held)
    counts = rng.integers(1, 65536, len(rows)).astype(np.uint16)
    packed = bitmaps.pack(terms, starts, rows, counts, FIRST, size)

    sought = rng.permutation(np.arange(size + 2 * FIRST, dtype=np.int32))
    for place, term in enumerate(terms.tolist()):
        assert packed.place(term) == place
        frequencies = counts[starts[place] : starts[place + 1]]
        found = packed.postings(place)
        np.testing.assert_array_equal(found[0], held[place])
        np.testing.assert_array_equal(found[1], frequencies)
        assert (found[0].dtype, found[1].dtype) == (np.int32, np.uint16)
        places, in_rows = packed.occurrences(place, sought)
        expected = dict(zip(held[place].tolist(), frequencies.tolist(), strict=True))
        assert dict(zip(sought[places].tolist(), in_rows.tolist(), strict=True)) == expected
    for column, listed in zip((np.repeat(terms, np.diff(starts)), rows, counts), packed.listed(), strict=True):
        np.testing.assert_array_equal(column, listed)
    assert packed.place(4) is None and packed.place(2**32 - 2) is None


def test_no_rows_contain_nothing() -> None:
    one = np.array([1], np.int32)
    packed = bitmaps.pack(one.astype(np.uint32), np.array([0, 1]), one, one.astype(np.uint16), 1, 1)
    places, counts = packed.occurrences(0, np.zeros(0, np.int32))
    assert len(places) == len(counts) == 0
