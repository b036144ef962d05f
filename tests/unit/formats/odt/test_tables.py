from lxml import etree

from pincite.formats.odt.tables import read_grid
from support.archives import opendocument

TABLE = """
<table:table><table:table-column table:number-columns-repeated="3"/>
<table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned="2">h</table:table-cell>
<table:covered-table-cell/><table:table-cell>i</table:table-cell></table:table-row></table:table-header-rows>
<table:table-row-group><table:table-row><table:table-cell table:number-rows-spanned="2">a</table:table-cell>
<table:table-cell>b</table:table-cell><table:table-cell>c</table:table-cell></table:table-row>
<table:table-row><table:covered-table-cell/><table:table-cell table:number-columns-repeated="2">d</table:table-cell>
</table:table-row></table:table-row-group></table:table>
"""


def test_cells_have_their_places_and_spans() -> None:
    (element,) = etree.fromstring(opendocument(TABLE).encode())
    table = read_grid(element, lambda cell: cell.text or "").table()
    assert (table.rows, table.columns, table.header_rows) == (3, 3, 1)
    assert [(cell.text, cell.row, cell.column, cell.row_span, cell.column_span) for cell in table.cells] == [
        ("h", 0, 0, 1, 2),
        ("i", 0, 2, 1, 1),
        ("a", 1, 0, 2, 1),
        ("b", 1, 1, 1, 1),
        ("c", 1, 2, 1, 1),
        ("d", 2, 1, 1, 1),
        ("d", 2, 2, 1, 1),
    ]


def test_huge_spans_and_repetitions_are_bounded() -> None:
    cell = '<table:table-cell table:number-columns-repeated="99999999" table:number-rows-spanned="99999999">x'
    (element,) = etree.fromstring(
        opendocument(
            f"<table:table><table:table-row>{cell}</table:table-cell></table:table-row></table:table>"
        ).encode()
    )
    table = read_grid(element, lambda cell: cell.text or "").table()
    assert (table.rows, table.columns) == (1, 64)
