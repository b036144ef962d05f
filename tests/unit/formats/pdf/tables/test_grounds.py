"""Grounds behind headers part them as rules do."""

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables.find import choose_tables
from pincite.formats.pdf.tables.grounds import ground_rules
from support.typed_pages import grid, typed

LINE = 12
PAGE = """
Term            Kind        Meaning of the term
A long          text        what it is for and
name                        where it is
Another one     list        a second line of it
                            and a third one
The last        list        what remains here
"""
BELOW = [Rule(LINE * line - 1, 0, 250) for line in (3, 5, 6)]


def ground(line: int, x0: float = 0, x1: float = 250) -> tuple[float, float, float, float]:
    """A ground behind a line."""
    return x0, LINE * line - 1.0, x1, LINE * (line + 1) - 1.0


def test_a_band_as_wide_as_the_rules_below_it_is_behind_the_header() -> None:
    (table,) = choose_tables(typed(PAGE), Rules(BELOW, shades=[ground(0)]))
    assert table.header_rows == 1
    assert grid(table) == [
        ["Term", "Kind", "Meaning of the term"],
        ["A long name", "text", "what it is for and where it is"],
        ["Another one", "list", "a second line of it and a third one"],
        ["The last", "list", "what remains here"],
    ]
    assert not ground_rules(typed(PAGE), [ground(0, x1=300)], BELOW)


def test_shaded_cells_side_by_side_are_a_header_without_any_rule() -> None:
    cells = [ground(0, 0, 75), ground(0, 75, 135), ground(0, 135, 250)]
    assert ground_rules(typed(PAGE), cells, []) == [Rule(LINE - 1, 0, 250, (75, 135))]
    assert not ground_rules(typed(PAGE), [ground(0)], [])


def test_stripes_and_bands_without_text_are_no_headers() -> None:
    assert not ground_rules(typed(PAGE), [ground(0), ground(2)], BELOW)
    assert not ground_rules(typed(PAGE), [ground(-3)], BELOW)
    assert not ground_rules(typed(PAGE), [], BELOW)
