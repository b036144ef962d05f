"""Rows of a table from its lines, by fitted weights."""

from collections.abc import Sequence

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.regroup import line_numbers, regrouped
from support.typed_pages import grid, typed

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
        for word in line.words:
            at = row, sum(word.x0 >= left - 15 for left in COLUMNS) - 1
            known = cells.get(at, WordCell(*at, ()))
            cells[at] = WordCell(*at, (*known.words, word))
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
