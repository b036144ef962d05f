"""Tables without rules, from lines typed as they look."""

from pincite.formats.pdf.page.words import line_of
from pincite.formats.pdf.tables.borderless import find_borderless
from pincite.formats.pdf.tables.segments import rows_of
from support.pdf_statements import STATEMENT, found, only
from support.typed_pages import word


def test_values_under_each_other_make_columns_under_their_years() -> None:
    assert only(STATEMENT) == [
        ["(In millions)", "2022", "2021"],
        ["Current assets:", "", ""],
        ["Cash and cash equivalents", "$ 1,234", "$ 987"],
        ["Inventories, net", "(56)", "—"],
        ["Total assets", "$ 1,178", "$ 987"],
    ]


def test_many_rows_take_bounded_time() -> None:
    page = "\n".join(f"Row {number}        {number}.00      {number + 1}.00" for number in range(2000))
    assert len(found(page)) == 1


def test_huge_coordinates_are_no_table() -> None:
    lines = [line_of([word("a", 1e9 * n, 1e12 * n, n), word("1", 1e9 * n + 300, 1e12 * n, n + 1)]) for n in range(50)]
    assert find_borderless(rows_of(lines)) == []
