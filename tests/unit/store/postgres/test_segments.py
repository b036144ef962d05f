"""Which segments are merged."""

import pytest

from pincite.store.postgres.segments import FRESH_CHUNKS, MAX_CHUNKS, MERGED_SEGMENTS, Segment, to_merge


def segments(*sizes: int) -> list[Segment]:
    return [Segment(1000 * place, 1000 * place + 1, size) for place, size in enumerate(sizes)]


def sizes(*before: int, most: int = MAX_CHUNKS) -> list[int]:
    return [segment.chunks for segment in to_merge(segments(*before), most)]


def test_eight_of_a_size_become_one() -> None:
    assert sizes(*[300] * 7) == []
    assert sizes(*[300] * 8) == [300] * 8
    assert sizes(5000, *[300] * 8) == [300] * 8


def test_the_small_ones_are_merged_first() -> None:
    assert sizes(*[2100] * 8, *[300] * 8) == [300] * 8
    assert sizes(*[2100] * 7, 2400) == [*[2100] * 7, 2400]


@pytest.mark.parametrize("most", [8192, MAX_CHUNKS])
def test_none_becomes_larger_than_the_largest(most: int) -> None:
    assert sizes(*[most] * 9, most=most) == []
    assert sizes(*[most // 2] * 9, most=most) == [most // 2] * 2
    assert sum(sizes(*[most // 8] * 9, most=most)) == most


def test_the_number_of_segments_grows_with_the_logarithm_up_to_the_largest_size() -> None:
    present: list[int] = []
    for _ in range(2000):
        present.append(FRESH_CHUNKS)
        while merged := sizes(*present):
            present = [*present[: len(present) - len(merged)], sum(merged)]
    assert len(present) <= sum(present) / MAX_CHUNKS * 2 + 3 * MERGED_SEGMENTS
