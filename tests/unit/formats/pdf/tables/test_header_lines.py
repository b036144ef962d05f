"""Names of narrow columns that stand upright above them."""

from dataclasses import replace

from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables.find import choose_tables
from pincite.formats.pdf.tables.header_lines import with_header_lines
from support.typed_pages import grid, typed, word

PAGE = """


Pos
1    A board that is maintained   21   49.91
2    The second description       38  139.50
3    The last description of all   9  924.10
"""
NAMES = (("Description", 25), ("Qty", 172), ("Price", 205))


def upright(text: str, x: float, *, bottom: float = 34, first: int = 900) -> Word:
    """A turned word that ends at a height."""
    return replace(word(text, x, bottom - 5 * len(text), first + int(x)), x1=x + 10, y1=bottom, turns=3)


def test_turned_names_are_the_header_of_the_rows_below_them() -> None:
    names = [upright(name, x) for name, x in NAMES]
    (table,) = choose_tables(typed(PAGE), Rules(), turned=names)
    assert grid(table) == [
        ["Pos", "Description", "Qty", "Price"],
        ["1", "A board that is maintained", "21", "49.91"],
        ["2", "The second description", "38", "139.50"],
        ["3", "The last description of all", "9", "924.10"],
    ]
    # They are where they were on the page.
    assert {found for found in table.words if found.turns} == set(names)


def test_a_single_turned_text_is_no_header_nor_one_far_above_a_line() -> None:
    lines = typed(PAGE)
    assert with_header_lines(lines, [upright("Description", 25)]) == lines
    assert with_header_lines(lines, [upright(name, x, bottom=-60) for name, x in NAMES]) == lines


def test_turned_names_beside_two_lines_are_no_header() -> None:
    lines = typed(PAGE.replace("\n\n\nPos", "\n\nSee\nPos"))
    assert with_header_lines(lines, [upright(name, x) for name, x in NAMES]) == lines
