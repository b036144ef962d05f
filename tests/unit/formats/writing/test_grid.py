import pytest

from pincite.model.document import Cell, Table
from support.html_pages import only_table, read


def test_a_table_keeps_its_spans_header_rows_and_caption() -> None:
    markup = (
        "<table><caption>Sales <i>total</i></caption><thead><tr><th colspan=2>Year<th rowspan=2>Sum</thead>"
        "<tbody><tr><th>a<td>b<tr><td rowspan=0>c<td>d<br>e<td>f</tbody></table>"
    )
    assert only_table(markup) == Table(
        3,
        3,
        (
            Cell(0, 0, "Year", 1, 2, header=True),
            Cell(0, 2, "Sum", 2, 1, header=True),
            Cell(1, 0, "a", header=True),
            Cell(1, 1, "b"),
            Cell(2, 0, "c"),
            Cell(2, 1, "d\ne"),
            Cell(2, 2, "f"),
        ),
        1,
        "Sales total",
    )


def test_names_above_figures_are_a_header_without_header_cells() -> None:
    revisions = "<tr><td>Revision<td>Date<td>Pages<tr><td>First<td>2017-03-24<td>12<tr><td>Second<td>2018-01-02<td>14"
    table = only_table(f"<table>{revisions}</table>")
    assert (table.header_rows, [cell.text for cell in table.cells if cell.header]) == (1, ["Revision", "Date", "Pages"])
    assert only_table(f"<table>{revisions}<tr><th>Third<td>2019-01-02<td>15</table>").header_rows == 0


def test_rows_of_header_cells_at_the_top_are_header_rows() -> None:
    assert only_table("<table><tr><th>a<th>b<tr><th>c<th>d<tr><th>e<td>f</table>").header_rows == 2


def test_columns_that_no_cell_begins_and_rows_without_cells_are_left_out() -> None:
    table = only_table("<table><tr><td colspan=3>a<td>b<tr><tr><td colspan=99999>c<tr></table>")
    assert (table.rows, table.columns) == (2, 2)
    assert [(cell.row, cell.column, cell.column_span) for cell in table.cells] == [(0, 0, 1), (0, 1, 1), (1, 0, 2)]


@pytest.mark.parametrize("span", ["-1", "x", "", "1e9", "²"])
def test_a_span_that_is_no_number_is_one(span: str) -> None:
    assert [cell.column for cell in only_table(f"<table><tr><td colspan='{span}'>a<td>b</table>").cells] == [0, 1]


def test_a_table_wider_than_any_says_so_and_keeps_its_text() -> None:
    document = read("<table><tr><td colspan=2000>a<td>b<td>c</table>")
    assert document.coverage.limits_hit == ("max_columns",)
    assert document.text.endswith("b\nc\n")


def test_a_table_of_almost_nothing_is_written_as_lines() -> None:
    document = read("<table><caption>c</caption><tr>" + "<td>a" * 300 + "<tr><td>b" * 200 + "</table>")
    assert document.coverage.limits_hit == ("max_table_area",)
    assert document.text.startswith("c\n\na | a | a")
    assert document.text.endswith("a\n\n" + "b\n\n" * 199 + "b\n")
