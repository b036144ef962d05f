"""Rows of ruled tables whose rules part columns alone."""

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables.find import choose_tables
from support.typed_pages import grid, typed

LINE, WIDTH = 12, 5


def walled(page: str, *, columns: tuple[int, ...]) -> list[list[str]]:
    """The table of a page in a box, with rules between its columns and below its first line."""
    lines = typed(page)
    bottom = lines[-1].y1 + 1
    xs = [WIDTH * column - 2 for column in columns]
    rules = Rules([Rule(y, xs[0], xs[-1]) for y in (-1, LINE - 1, bottom)], [Rule(x, -1, bottom) for x in xs])
    (table,) = choose_tables(lines, rules)
    return grid(table)


def test_lines_between_two_rules_are_rows_if_each_fills_all_columns() -> None:
    page = """
Field           Content
Method          Security objective
Value           Complete organisation
Recognition     Framework
"""
    assert walled(page, columns=(0, 16, 40)) == [
        ["Field", "Content"],
        ["Method", "Security objective"],
        ["Value", "Complete organisation"],
        ["Recognition", "Framework"],
    ]


def test_a_text_that_wraps_beside_a_label_is_in_its_row() -> None:
    page = """
Bits    Name    Meaning
31:28   PROPER  Board statement period of the
                operation in this cell
27:24   AVAILA  Between participants
23:20   EMPLOY  Complete principle of all
                insurances
"""
    assert walled(page, columns=(0, 8, 16, 46)) == [
        ["Bits", "Name", "Meaning"],
        ["31:28", "PROPER", "Board statement period of the operation in this cell"],
        ["27:24", "AVAILA", "Between participants"],
        ["23:20", "EMPLOY", "Complete principle of all insurances"],
    ]


def test_a_row_that_goes_on_from_another_page_has_no_label() -> None:
    page = """
Term        Meaning
            the end of a text
Insurance   The next one
Transfer    The last one
"""
    rows = walled(page, columns=(0, 12, 32))
    assert rows[1:] == [["", "the end of a text"], ["Insurance", "The next one"], ["Transfer", "The last one"]]


def test_a_single_row_whose_cells_all_wrap_is_one() -> None:
    page = """
Requirement    Level one
Permitted      Secret and
kinds          look-up secret
"""
    assert walled(page, columns=(0, 15, 32)) == [
        ["Requirement", "Level one"],
        ["Permitted kinds", "Secret and look-up secret"],
    ]


def test_rows_that_rules_part_are_not_parted_again() -> None:
    page = """
Field           Content
Method          Security objective
Value           Complete organisation
Recognition     Framework
Representation  Policy
"""
    lines = typed(page)
    ys, xs = (-1, LINE - 1, 3 * LINE - 1, 5 * LINE - 1), (-2, 78, 200)
    (table,) = choose_tables(lines, Rules([Rule(y, -2, 200) for y in ys], [Rule(x, -1, 59) for x in xs]))
    assert grid(table)[1:] == [
        ["Method Value", "Security objective Complete organisation"],
        ["Recognition Representation", "Framework Policy"],
    ]
