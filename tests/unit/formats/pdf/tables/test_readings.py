"""Readings of the same lines as tables: the finer one is likelier where its cells are what is printed."""

from dataclasses import replace

import numpy as np

from pincite.formats.pdf.fitted.trees import trees
from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tables.borderless import find_borderless
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.readings import features, likelihoods
from pincite.formats.pdf.tables.segments import rows_of
from support.typed_pages import LEADING, WIDTH, typed

RIVAL = 12
"""Features of the reading that shares the most words."""

PAGE = """
Method        Won   Lost   Drawn
First of all   790    833   1,623
Second       1,397  1,744   3,141
Third          698  2,197   2,895
Fourth         112    217     329
"""


def readings(lines: list[Line]) -> list[TableDraft]:
    """The table by its values, and as a grid with all values of a row in one cell."""
    (fine,) = find_borderless(rows_of(lines))
    return [fine, joined(fine)]


def joined(draft: TableDraft) -> TableDraft:
    cells: dict[tuple[int, int], WordCell] = {}
    for cell in draft.cells:
        at = cell.row, min(1, cell.column)
        before = cells[at].words if at in cells else ()
        cells[at] = replace(cell, column=at[1], column_span=1, words=(*before, *cell.words))
    return replace(draft, columns=2, cells=tuple(cells.values()))


def test_a_grid_that_joins_the_values_of_rows_is_less_likely_than_these_values() -> None:
    lines = typed(PAGE)
    rules = Rules([Rule(LEADING * row - 1, 0, 34 * WIDTH) for row in (0, 1, 5)], [Rule(13 * WIDTH, 0, 5 * LEADING)])
    fine, coarse = likelihoods(readings(lines), lines, rules)
    assert coarse < fine <= 1


def test_a_reading_is_compared_to_those_that_share_its_words_alone() -> None:
    lines = typed(PAGE)
    both = features(readings(lines), lines, Rules())
    alone = features(readings(lines)[:1], lines, Rules())
    assert both.shape[1] == alone.shape[1] > trees("readings").features.max()
    assert np.isfinite(both).all()
    # What the table itself tells is the same, and as much is how it differs from others; the last are unknown alone.
    own, rivals = (alone.shape[1] - RIVAL) // 2, alone.shape[1] - RIVAL
    assert (both[0][:own] == alone[0][:own]).all()
    assert (alone[0][own:rivals] == 0).all() and (both[0][own:rivals] != 0).any()
    assert (alone[0][rivals:] == -1).all() and (both[0][rivals:] != -1).any()
