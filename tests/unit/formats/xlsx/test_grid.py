import pytest

from pincite.formats.xlsx.grid import Region, Row, SheetGrid, filled, from_cells, pack, regions, spans_of
from pincite.model.document import CELL_END, ROW_END


def grid_of(*lines: str) -> SheetGrid:
    """A grid of `x` for a filled cell and `.` for an empty one."""
    rows = [
        Row(number, number, filled(texts), pack(texts))
        for number, line in enumerate(lines)
        if any(texts := ["x" if mark == "x" else "" for mark in line])
    ]
    return SheetGrid(range(len(lines[0])), rows)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["xx", "xx"], [(0, 1, 0, 1)]),
        (["xx.xx", "xx.xx"], [(0, 1, 0, 1), (0, 1, 3, 4)]),
        (["xx", "..", "xx"], [(0, 0, 0, 1), (1, 1, 0, 1)]),
        (["x...", "....", "..xx", "..xx"], [(0, 0, 0, 0), (1, 2, 2, 3)]),
        (["xx.x", "xx..", "xx.x"], [(0, 2, 0, 1), (0, 0, 3, 3), (2, 2, 3, 3)]),
        (["x.", ".x"], [(0, 0, 0, 0), (1, 1, 1, 1)]),
        (["xx..", "xx..", "..xx", "..xx"], [(0, 1, 0, 1), (2, 3, 2, 3)]),
        (["x..", ".xx", "x.."], [(0, 2, 0, 2)]),
        (["x.x.xx", "x.x.xx"], [(0, 1, 0, 5)]),
        (["x..x", "x..x"], [(0, 1, 0, 0), (0, 1, 3, 3)]),
        (["x.x", "x..", "x.x"], [(0, 2, 0, 0), (0, 0, 2, 2), (2, 2, 2, 2)]),
        ([".x.x.", ".xxx."], [(0, 1, 1, 3)]),
        (["...."], []),
    ],
)
def test_empty_rows_and_columns_part_regions(lines: list[str], expected: list[tuple[int, int, int, int]]) -> None:
    assert list(regions(grid_of(*lines))) == [Region(*box) for box in expected]


def test_cells_far_apart_make_a_small_grid() -> None:
    grid = from_cells({0: {0: "a", 1: "b"}, 1_000_000: {16_000: "c"}}, (), ())
    assert list(grid.columns) == [0, 1, 2, 16_000] and len(grid.rows) == 2
    assert list(regions(grid)) == [Region(0, 0, 0, 1), Region(1, 1, 3, 3)]


def test_what_is_hidden_parts_nothing() -> None:
    grid = from_cells({0: {0: "a", 2: "b"}, 2: {0: "c", 2: "d"}}, [1], [1])
    assert list(regions(grid)) == [Region(0, 1, 0, 1)]
    assert list(from_cells({0: {0: "a", 3: "b"}}, (), [1]).columns) == [0, 2, 3]


def test_a_merged_cell_joins_what_it_covers() -> None:
    grid = grid_of("x..", "x.x")
    assert spans_of(grid, [(0, 0, 0, 2), (5, 5, 6, 6), (1, 0, 1, 0)]) == {(0, 0): (1, 3)}
    assert list(regions(grid)) == [Region(0, 1, 0, 2)]


def test_overlapping_merged_cells_and_too_many_are_left_out() -> None:
    grid = grid_of("x..", "x..")
    assert spans_of(grid, [(0, 0, 0, 1), (0, 1, 0, 2), (0, 0, 1, 0)]) == {(0, 0): (1, 2)}


def test_the_marks_of_packed_cells_are_replaced() -> None:
    assert pack(["a", f"b{CELL_END}c{ROW_END}"]) == f"a{CELL_END}b\ufffdc\ufffd"
