import numpy as np
import pytest

from pincite.formats.pdf.page.page import PageSpace
from pincite.formats.pdf.page.rectangles import bounding_boxes, displayed, range_indices, rectangles, reduceat_offsets


@pytest.mark.parametrize(
    ("turns", "expected"),
    [(0, (20, 690, 40, 700)), (1, (90, 20, 100, 40)), (2, (550, 90, 570, 100)), (3, (690, 550, 700, 570))],
)
def test_a_rectangle_is_placed_as_the_page_is_displayed(turns: int, expected: tuple[float, ...]) -> None:
    grid = np.array([[30.0, 110.0, 50.0, 100.0]])
    assert rectangles(displayed(grid, PageSpace(10, 10, 600, 800, turns))) == [expected]


def test_a_rectangle_around_each_run() -> None:
    edges = np.array([[0.0, 5, 10, 20], [0, 1, 2, 3], [4, 9, 14, 24], [8, 7, 6, 5]])
    assert bounding_boxes(edges, [0, 2], [1, 3]) == [(0, 0, 9, 8), (10, 2, 24, 6)]
    assert bounding_boxes(edges, [], []) == []


def test_the_last_run_may_end_with_the_places() -> None:
    assert reduceat_offsets([0, 3], [1, 4], 5).tolist() == [0, 2, 3]
    assert reduceat_offsets([0, 3], [1, 4], 6).tolist() == [0, 2, 3, 5]


def test_the_indices_of_several_ranges_follow_each_other() -> None:
    assert range_indices([2, 4, 9], [2, 6, 10]).tolist() == [2, 4, 5, 6, 9, 10]
    assert range_indices([], []).tolist() == []
