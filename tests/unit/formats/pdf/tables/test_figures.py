"""Drawings whose labels are aligned like cells."""

from dataclasses import replace

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables.figures import is_figure
from pincite.formats.pdf.tables.find import choose_tables
from support.drawn_pdfs import drawn_pdf
from support.pdf_rules import CELLS, TOP, boxed, filled, tables
from support.typed_pages import grid, typed

VALUES = """
Sales        10.5     12.5
Costs         8.5      9.5
Profit        2.0      3.0
"""
AXIS = """
1.0     first line
0.8     second line
0.6
0.4
0.2
"""


def test_a_slanted_line_between_cells_without_a_header_is_of_a_drawing() -> None:
    assert len(choose_tables(typed(VALUES), Rules())) == 1
    assert choose_tables(typed(VALUES), Rules(slants=[(50.0, 20.0)])) == []
    # One apart from the table is of another figure.
    assert len(choose_tables(typed(VALUES), Rules(slants=[(50.0, 90.0)]))) == 1


def test_an_arrow_between_boxes_makes_them_a_diagram() -> None:
    rows, columns = len(CELLS), len(CELLS[0])
    data = boxed(rows, columns) + filled(*CELLS)
    assert len(tables(drawn_pdf(data))) == 1
    y = TOP - 25
    assert tables(drawn_pdf(data + f"150 {y} m 140 {y + 4} l 140 {y - 4} l f\n")) == ()


def test_ticks_in_the_cells_of_a_full_table_with_a_header_are_no_drawing() -> None:
    page = "             2024     2023\n" + VALUES.removeprefix("\n")
    (table,) = choose_tables(typed(page), Rules(slants=[(50.0, 20.0)]))
    assert grid(table)[0] == ["", "2024", "2023"]


def test_some_curves_are_round_corners() -> None:
    (table,) = choose_tables(typed(VALUES), Rules(curves=[(50.0, 20.0)] * 12))
    assert is_figure(table, Rules(curves=[(50.0, 20.0)] * 40))


def test_rules_of_different_heights_above_labels_are_the_bars_of_a_chart() -> None:
    (table,) = choose_tables(typed(VALUES), Rules())
    x0, x1, y0 = table.words[0].x0, table.words[-1].x1, table.words[0].y0
    xs = [x0 + (x1 - x0) * number / 10 for number in range(10)]
    assert is_figure(table, Rules(vertical=[Rule(x, y0 - 20 - 5 * number, y0 + 2) for number, x in enumerate(xs)]))
    # Borders of columns have one height.
    assert not is_figure(table, Rules(vertical=[Rule(x, y0 - 20, y0 + 2) for x in xs]))
    # Those above the table are of another figure.
    assert not is_figure(table, Rules(vertical=[Rule(x, y0 - 20 - 5 * number, y0 - 9) for number, x in enumerate(xs)]))


def test_bars_at_the_ends_of_lines_are_of_intervals() -> None:
    (table,) = choose_tables(typed(VALUES), Rules())
    x0, x1 = table.words[0].x0 + 1, table.words[-1].x1 - 1
    ys = [word.y0 for word in table.words if word.x0 == table.words[0].x0]
    lines = [Rule(y + 4, x0, x1) for y in ys]
    assert not is_figure(table, Rules(horizontal=lines))
    assert is_figure(table, Rules(lines, [Rule(x, y, y + 8) for x in (x0, x1) for y in ys]))
    assert not is_figure(table, Rules(lines, [Rule(x, y + 3, y + 5) for x in (x0, x1) for y in ys]))
    # Borders that are drawn piece by piece go on.
    pieces = [Rule(x, y + step, y + step + 8) for x in (x0, x1) for y in ys for step in (-8, 0, 8)]
    assert not is_figure(table, Rules(lines, pieces))
    # Borders of cells end at their corners.
    assert not is_figure(table, Rules(lines, [Rule(x, y - 4, y + 4) for x in (x0, x1) for y in ys]))


def test_square_brackets_enclose_a_matrix() -> None:
    (table,) = choose_tables(typed(VALUES), Rules())
    x0, x1 = table.words[0].x0 + 20, table.words[-1].x1 - 1
    y0, y1 = table.words[0].y0 - 1, table.words[-1].y1 + 1
    feet = [Rule(y, x, x + length) for y in (y0, y1) for x, length in ((x0, 4), (x1 - 4, 4))]
    sides = [Rule(x, y0, y1) for x in (x0, x1)]
    assert is_figure(table, Rules(feet, sides))
    assert not is_figure(table, Rules([*feet, *(Rule(y, x0, x1) for y in (y0, y1))], sides))


def test_tall_brackets_of_tex_enclose_a_matrix() -> None:
    (table,) = choose_tables(typed(VALUES), Rules())
    bracket = replace(table.words[0], text="(", font="ABCDEF+CMEX10")
    matrix = replace(table, cells=table.cells[:-2], words=(bracket, *table.words))
    assert is_figure(matrix, Rules())
    assert not is_figure(replace(matrix, words=(replace(bracket, font="CMR10"), *table.words)), Rules())
    # Formulas in the cells of a full table.
    assert not is_figure(replace(matrix, cells=table.cells), Rules())


def test_the_scale_of_an_axis_makes_a_chart() -> None:
    assert choose_tables(typed(AXIS), Rules()) == []


def test_falling_years_in_a_full_table_are_no_scale() -> None:
    page = """
2014     12.5      a      13.5
2013     11.5      b      12.5
2012     10.5      c      11.5
"""
    assert len(choose_tables(typed(page), Rules())) == 1


def test_years_over_groups_of_rows_are_no_scale() -> None:
    page = """
2022
       Cumulative deliveries     8,132     1,572     1,271
2021
       Cumulative deliveries     7,745     1,567     1,238
2020
       Cumulative deliveries     7,482     1,560     1,206
"""
    assert len(choose_tables(typed(page), Rules())) == 1


def test_glyphs_that_say_nothing_are_no_table() -> None:
    drafts = choose_tables(typed(VALUES), Rules())
    assert not is_figure(drafts[0], Rules())
    words = tuple(replace(word, text="\ufffd\ufffd") for word in drafts[0].words)
    assert is_figure(replace(drafts[0], words=words), Rules())
