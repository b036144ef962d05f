import pytest

from pincite.formats.html.spacer_columns import without_spacers
from support.html_pages import only_table, texts

GAP = '<td colspan="3"></td>'


def year(figure: str) -> str:
    sign, number, end = figure.partition("|")[0], figure.split("|")[1], figure.split("|")[2]
    first = f"<td>{sign}</td><td>{number}</td>" if sign else f'<td colspan="2">{number}</td>'
    return f'<td colspan="3"></td>{first}<td>{end}</td>'


FILING = (
    "<table><tr><td style='width:1%'></td><td></td><td></td></tr>"
    f'<tr><td colspan="3"></td>{GAP}<td colspan="3">2025</td>{GAP}<td colspan="3">2024</td></tr>'
    f'<tr><td colspan="3">Revenue</td>{year("$|1,234|")}{year("$|1,100|")}</tr>'
    f'<tr><td colspan="3">Loss</td>{year("|(12|)")}{year("|—|")}</tr>'
    f'<tr><td colspan="3">Growth</td>{year("|3.4|%")}{year("|(2.1|)%")}</tr></table>'
)


def test_the_parts_of_a_figure_are_one_cell_and_empty_columns_are_left_out() -> None:
    (table,) = texts(FILING)
    assert [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]] == [
        ["", "2025", "2024"],
        ["Revenue", "$1,234", "$1,100"],
        ["Loss", "(12)", "—"],
        ["Growth", "3.4%", "(2.1)%"],
    ]


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><th>Name<th>Signature<th>Date<tr><td>Ann<td><td><tr><td>Bob<td><td></table>",
        "<table><tr><td>a<td><td>b<td>c<tr><td>d<td><td>e<td>f</table>",
        "<table><tr><td>a<td>$<tr><td>b<td>)</table>",
    ],
)
def test_a_table_with_few_empty_columns_is_as_it_is(markup: str) -> None:
    table = only_table(markup)
    assert without_spacers(table) is table
