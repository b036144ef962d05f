import pytest

from pincite.formats.pdf.tables.line_steps import MAX_LEADING_RATIO, max_cell_step


def limit(*steps: tuple[float, int]) -> float:
    """The greatest distance of lines of one cell, relative to the least distance; steps are with numbers of cells."""
    leading = min(step for step, _ in steps)
    return max_cell_step(steps, leading) / leading


def test_distances_that_are_either_those_of_lines_or_of_rows_tell_both_apart() -> None:
    """LaTeX sets rows by a seventh or a tenth further apart than lines, as `arraystretch` says."""
    assert 13.6 < 13.5 * limit((15.6, 6), (13.5, 1), (15.6, 6), (13.6, 1), (15.9, 6)) < 15.6


def test_where_rows_are_closer_than_lines_distances_tell_neither() -> None:
    assert limit((9.5, 3), (10.6, 1), (9.5, 3), (10.8, 1)) == pytest.approx(MAX_LEADING_RATIO)  # pyright: ignore[reportUnknownMemberType]


@pytest.mark.parametrize(
    "distances",
    [
        (12.0, 12.0, 12.0, 12.0),
        (12.0, 12.4, 12.8, 13.2, 13.6),  # as letters with accents or in another font make
        (12.0, 12.0, 12.0, 13.4),  # one line that is further away
    ],
)
def test_other_distances_are_those_of_lines_up_to_a_fifth_more_than_the_least(distances: tuple[float, ...]) -> None:
    steps = [(step, 1 if step == distances[0] else 3) for step in distances]
    assert limit(*steps) == pytest.approx(MAX_LEADING_RATIO)  # pyright: ignore[reportUnknownMemberType]


def test_where_rows_are_much_further_apart_other_distances_are_those_of_lines() -> None:
    """A tick in a font of its own makes its line higher."""
    assert 11.3 * limit((11.3, 1), (12.3, 1), (22.0, 4), (11.4, 1), (12.3, 1), (22.0, 4)) > 12.3
