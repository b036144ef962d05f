import pytest

from support.html_pages import only_table, texts

ROLES = (
    '<div role="table"><div role="rowgroup"><div role="row"><span role="columnheader">Part</span>'
    '<span role="columnheader">Number</span></div></div><div role="rowgroup">'
    '<div role="row"><span role="cell">Valve</span><span role="cell">4</span></div>'
    '<div role="row"><div role="cell"><p>Pump</p></div><div role="cell">2</div></div></div></div>'
)
JAVADOC = (
    '<div class="caption"><span>Methods</span></div><div class="summary-table three-column-summary">'
    '<div class="table-header col-first">Modifier and Type</div><div class="table-header col-second">Method</div>'
    '<div class="table-header col-last">Description</div>'
    '<div class="col-first even-row-color"><code>int</code></div><div class="col-second even-row-color"><code>'
    '<a href="#size()">size</a>()</code></div><div class="col-last even-row-color"><div class="block">The number of it.'
    '</div></div><div class="col-first odd-row-color"><code>void</code></div><div class="col-second odd-row-color">'
    '<code>clear()</code></div><div class="col-last odd-row-color">&nbsp;</div></div>'
)


def grid(markup: str) -> list[list[str]]:
    table = only_table(markup)
    assert table.header_rows == 1
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.column] = cell.text
    return rows


def test_parts_with_roles_of_a_table_are_its_rows_and_cells() -> None:
    assert grid(ROLES) == [["Part", "Number"], ["Valve", "4"], ["Pump", "2"]]


def test_summaries_of_javadoc_are_tables() -> None:
    assert grid(JAVADOC) == [
        ["Modifier and Type", "Method", "Description"],
        ["int", "[size](#size())()", "The number of it."],
        ["void", "clear()", ""],
    ]


@pytest.mark.parametrize("role", ["row", "cell", "gridcell", "columnheader"])
def test_roles_of_parts_without_a_table_are_none(role: str) -> None:
    assert texts(f"<div role={role}>a</div><p>b</p>") == ["a", "b"]
