"""Rules that are typed, as programs print them in plain text."""

from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.tables.find import choose_tables
from support.typed_pages import grid, typed


def table(page: str) -> list[list[str]]:
    (found,) = choose_tables(typed(page), Rules([], []))
    return grid(found)


def test_a_rule_is_no_part_of_the_label_below_it() -> None:
    page = """
Part            1.0     1.1     1.2
------------
Full            800     880     960
Half            160     176     192
"""
    assert table(page) == [
        ["Part", "1.0", "1.1", "1.2"],
        ["Full", "800", "880", "960"],
        ["Half", "160", "176", "192"],
    ]


def test_rules_above_and_below_a_sum_are_no_rows() -> None:
    page = """
Income          1,800.00   1,650.00
Tax               160.00     176.00
                --------   --------
Sum             1,960.00   1,826.00
                ========   ========
"""
    assert table(page) == [
        ["Income", "1,800.00", "1,650.00"],
        ["Tax", "160.00", "176.00"],
        ["Sum", "1,960.00", "1,826.00"],
    ]


def test_a_few_hyphens_are_a_value_that_is_missing() -> None:
    page = """
Income          1,800.00   1,650.00
Tax                  ---     176.00
"""
    assert table(page)[1] == ["Tax", "---", "176.00"]
