from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from pincite.formats.pdf.fitted.trees import Array
from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line, Word, line_of
from pincite.formats.pdf.tables import find
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.find import choose_tables, is_figure, with_header
from support.drawn_pdfs import drawn_pdf
from support.pdf_rules import CELLS, TOP, VALUES, boxed, filled, tables
from support.typed_pages import grid, typed, word

VALUES_figures = """
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


def test_texts_in_columns_are_a_table_without_rules_and_values() -> None:
    (found,) = tables(drawn_pdf(filled(*CELLS)))
    assert (found.table.rows, found.table.columns) == (3, 3)


def test_rules_that_part_the_rows_less_than_the_values_do_are_not_taken() -> None:
    frame = f"50 {TOP} m 350 {TOP} l S 50 {TOP - 20} m 350 {TOP - 20} l S 50 {TOP - 80} m 350 {TOP - 80} l S\n"
    frame += "".join(f"{x} {TOP} m {x} {TOP - 80} l S\n" for x in (50, 150, 250, 350))
    (found,) = tables(drawn_pdf(frame + filled(*VALUES)))
    assert found.table.rows == 4


def test_rules_around_a_part_of_a_table_are_not_taken() -> None:
    part = boxed(2, 3)
    (found,) = tables(drawn_pdf(part + filled(*VALUES, ("Tax", "5", "6"), ("Fees", "7", "8"), ("Rent", "7", "8"))))
    assert found.table.rows == 7


def test_a_grid_in_a_frame_is_a_table_whatever_the_weights_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were fitted on other tables than those for taxes and totals below the items of invoices."""

    def refused(drafts: Sequence[TableDraft], *_: object) -> Array:
        return np.zeros(len(drafts))

    monkeypatch.setattr(find, "likelihoods", refused)
    (found,) = tables(drawn_pdf(boxed(len(VALUES), 3) + filled(*VALUES)))
    assert (found.table.rows, found.table.columns) == (4, 3)
    assert tables(drawn_pdf(filled(*VALUES))) == ()


def placed(*texts: tuple[str, float, float]) -> Line:
    return line_of([word(text, x0, y0, int(1000 * y0 + x0)) for text, x0, y0 in texts])


def test_values_in_the_middle_of_their_wrapped_texts_are_of_one_row_between_rules() -> None:
    """Lines are so far apart that those above and below the values would be rows of their own without rules."""

    def row(top: float, number: str) -> list[Line]:
        values = (number, 0, top + 15), ("Share", 30, top + 15), ("2.00", 205, top + 15), ("4.00", 255, top + 15)
        return [placed(("Following", 30, top)), placed(*values), placed(("Liability", 30, top + 30))]

    names = placed(("Pos", 0, 0), ("Description", 30, 0), ("Price", 200, 0), ("Sum", 260, 0))
    rules = Rules([Rule(y, 0, 275) for y in (-3, 15, 125)])
    (table,) = choose_tables([names, *row(20, "1"), *row(80, "2")], rules)
    assert grid(table) == [
        ["Pos", "Description", "Price", "Sum"],
        ["1", "Following Share Liability", "2.00", "4.00"],
        ["2", "Following Share Liability", "2.00", "4.00"],
    ]


def test_a_number_alone_in_the_last_line_of_a_text_is_no_row_that_rules_join() -> None:
    names = placed(("Date", 0, 0), ("Details", 40, 0), ("Paid", 150, 0), ("Balance", 220, 0))
    values = ("8,115.18", 150.0), ("87,311.49", 220.0)
    short = placed(("01/01", 0, 20), ("Method", 40, 20), *((text, x0, 20) for text, x0 in values))
    first = placed(("02/01", 0, 39), ("Company", 40, 39), *((text, x0, 39) for text, x0 in values))
    wrapped = [placed(("programme", 40, 51)), placed(("established", 40, 63)), placed(("787332", 70, 75))]
    horizontal = [Rule(y, -5, 275) for y in (-5, 15, 34, 90)]
    vertical = [Rule(x, -5, 90) for x in (-5, 35, 145, 215, 275)]
    (table,) = choose_tables([names, short, first, *wrapped], Rules(horizontal, vertical))
    assert grid(table)[2] == ["02/01", "Company programme established 787332", "8,115.18", "87,311.49"]


def unchanged(word: Word) -> Word:
    return word


def bold(word: Word) -> Word:
    return replace(word, bold=True)


def slanted(word: Word) -> Word:
    return replace(word, italic=True)


def in_capitals(word: Word) -> Word:
    return replace(word, text=word.text.upper())


def draft(*rows: str, change: Callable[[Word], Word] = unchanged, changed: int = 1) -> TableDraft:
    """Return a table of rows that are written as lines with bars, with the words of the first rows changed."""
    cells: list[WordCell] = []
    for number, row in enumerate(rows):
        for column, text in enumerate(row.split(" | ")):
            words = [word for line in typed(f"\n{text.strip()}\n") for word in line.words]
            cells.append(WordCell(number, column, tuple(change(w) if number < changed else w for w in words)))
    words = tuple(word for cell in cells for word in cell.words)
    return TableDraft(len(rows), rows[0].count(" | ") + 1, 0, tuple(cells), words)


@pytest.mark.parametrize("change", [bold, slanted, in_capitals])
def test_a_first_row_in_a_type_of_its_own_is_the_header(change: Callable[[Word], Word]) -> None:
    assert with_header(draft("Word | Sense", "Capital | Money", "Asset | Thing", change=change)).header_rows == 1
    assert with_header(draft("Word | Sense", "Capital | Money", "Asset | Thing")).header_rows == 0


def test_two_nouns_that_name_columns_are_the_header_in_any_type() -> None:
    assert with_header(draft("Term | Meaning", "Capital | Money", "Asset | Thing")).header_rows == 1


def test_a_first_row_of_figures_or_like_most_others_is_none() -> None:
    assert with_header(draft("EBIT | 210", "Costs | 80", "Other | 4", change=bold)).header_rows == 0
    assert (
        with_header(draft("Word | Sense", "Capital | Money", "Asset | Thing", change=bold, changed=2)).header_rows == 0
    )


def test_names_above_figures_are_the_header_unless_one_spans_columns() -> None:
    table = draft("Name | Number | Due", "SUS GmbH | 55.5558 | 01.01.2025", "Horn | 55.5557 | 02.01.2025")
    assert with_header(table).header_rows == 1
    spanning = (replace(table.cells[0], column_span=2), *table.cells[2:])
    assert with_header(replace(table, cells=spanning)).header_rows == 0


def test_a_slanted_line_between_cells_without_a_header_is_of_a_drawing() -> None:
    assert len(choose_tables(typed(VALUES_figures), Rules())) == 1
    assert choose_tables(typed(VALUES_figures), Rules(slants=[(50.0, 20.0)])) == []
    # One apart from the table is of another figure.
    assert len(choose_tables(typed(VALUES_figures), Rules(slants=[(50.0, 90.0)]))) == 1


def test_an_arrow_between_boxes_makes_them_a_diagram() -> None:
    rows, columns = len(CELLS), len(CELLS[0])
    data = boxed(rows, columns) + filled(*CELLS)
    assert len(tables(drawn_pdf(data))) == 1
    y = TOP - 25
    assert tables(drawn_pdf(data + f"150 {y} m 140 {y + 4} l 140 {y - 4} l f\n")) == ()


def test_ticks_in_the_cells_of_a_full_table_with_a_header_are_no_drawing() -> None:
    page = "             2024     2023\n" + VALUES_figures.removeprefix("\n")
    (table,) = choose_tables(typed(page), Rules(slants=[(50.0, 20.0)]))
    assert grid(table)[0] == ["", "2024", "2023"]


def test_some_curves_are_round_corners() -> None:
    (table,) = choose_tables(typed(VALUES_figures), Rules(curves=[(50.0, 20.0)] * 12))
    assert is_figure(table, Rules(curves=[(50.0, 20.0)] * 40))


def test_glyphs_that_say_nothing_are_no_table() -> None:
    drafts = choose_tables(typed(VALUES_figures), Rules())
    assert not is_figure(drafts[0], Rules())
    words = tuple(replace(word, text="\ufffd\ufffd") for word in drafts[0].words)
    assert is_figure(replace(drafts[0], words=words), Rules())
