"""Measures of adjoining lines of a table, and what the fitted weights make of them."""

import numpy as np

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables.row_starts import LineCells, begins_row, features
from support.typed_pages import word


def lines(*steps: float) -> list[LineCells]:
    """Lines of a label and a number, at distances from the one above."""
    return [{0: [word("Label", 0, y)], 1: [word("12", 60, y)]} for y in np.cumsum(steps).tolist()]


def test_there_is_a_row_of_measures_for_each_pair_of_lines_whatever_the_page_has() -> None:
    table = lines(0, 12, 12, 20)
    bare = features(table, [0, 1, 2, 3], Rules())
    drawn = features(table, [0, 1, 2, 3], Rules([Rule(11, 0, 100)], [], [(0, 22, 100, 34)]))
    assert len(bare) == len(drawn) == 3 and bare.shape == drawn.shape
    assert np.isfinite(bare).all() and np.isfinite(drawn).all()


def test_a_table_that_is_moved_or_enlarged_has_the_same_measures() -> None:
    small, known = lines(0, 12, 20), [0, 0, 1]
    large = [{0: [word("Label", 50, y, size=20)], 1: [word("12", 170, y, size=20)]} for y in (300, 324, 364)]
    assert np.allclose(features(small, known, Rules()), features(large, known, Rules()))


def test_lines_of_labels_and_numbers_begin_rows() -> None:
    found = begins_row(lines(0, 12, 12, 12), [0, 1, 2, 3], Rules(), np.array([True, False, True]))
    assert len(found) == 2 and found.min() > 0.5
