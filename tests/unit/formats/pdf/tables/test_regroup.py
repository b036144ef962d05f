"""Rows of a table from its lines, by fitted weights."""

from collections.abc import Sequence

import numpy as np

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.regroup import LineCells, begins_row, features, features_again, line_numbers, regrouped
from support.typed_pages import grid, typed, word

COLUMNS = (0, 40, 200)
"""Left edges of the columns of the pages below, in points."""
WRAPPED = """
1.1    Verify that all of the words
       are in one cell
1.2    Verify another thing
1.3    Verify that cells that wrap
       over more than one line are
       one cell
1.4    Verify that nothing is lost
"""


def draft(lines: Sequence[Line], rows: Sequence[int]) -> TableDraft:
    """A table without a header, of lines in given rows."""
    cells: dict[tuple[int, int], WordCell] = {}
    for line, row in zip(lines, rows, strict=True):
        for one in line.words:
            at = row, sum(one.x0 >= left - 15 for left in COLUMNS) - 1
            known = cells.get(at, WordCell(*at, ()))
            cells[at] = WordCell(*at, (*known.words, one))
    words = tuple(word for line in lines for word in line.words)
    return TableDraft(max(rows) + 1, len(COLUMNS), 0, tuple(cells[at] for at in sorted(cells)), words)


def test_lines_of_a_group_that_rules_frame_as_one_row_are_rows() -> None:
    page = "\n" + "\n".join(
        f"Method{row}  {row}5.{row}                             {9 - row}.4{row}" for row in range(1, 8)
    )
    lines = typed(page, tight=14)
    found = regrouped(draft(lines, [0, 0, 0, 0, 1, 1, 1]), line_numbers(lines), Rules())
    assert [row[0] for row in grid(found)] == [f"Method{row}" for row in range(1, 8)]


def test_wrapped_lines_between_rules_are_of_one_row_although_each_was_one() -> None:
    lines = typed(WRAPPED.replace("\n1.", "\n\n1.").lstrip("\n"))
    rules = Rules([Rule(12 * line + 4, 0, 180) for line in (-1, 2, 4, 8, 10)])
    found = regrouped(draft(lines, range(7)), line_numbers(lines), rules)
    assert [row[0] for row in grid(found)] == ["1.1", "1.2", "1.3", "1.4"]
    assert grid(found)[2][1] == "Verify that cells that wrap over more than one line are one cell"


def test_a_line_whose_words_are_in_two_rows_leaves_the_table_as_it_is() -> None:
    lines = typed(WRAPPED)
    table = draft(lines, [0, 0, 1, 2, 2, 2, 3])
    merged = dict.fromkeys((word.first for line in lines for word in line.words), 0)
    assert regrouped(table, merged, Rules()) is table


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
    found = begins_row(lines(0, 12, 12, 12), [0, 1, 2, 3], Rules())
    assert len(found) == 3 and found.min() > 0.5


def test_a_pair_of_lines_counts_what_is_likely_of_those_like_it() -> None:
    measured = features(lines(0, 12, 24, 36, 48), [0, 0, 1, 1, 2], Rules())
    low, high = (features_again(measured, np.array([0.1, 0.9, likely, 0.9])) for likely in (0.1, 0.9))
    assert low.shape == high.shape and low.shape[1] > measured.shape[1]
    assert (low[0] <= high[0]).all() and (low[0] < high[0]).any()
