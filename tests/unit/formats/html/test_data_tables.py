import pytest

from pincite.formats.html.data_tables import OpenTable
from pincite.formats.html.events import Start
from support.html_pages import texts

HEADER = "<tr><th>Name<th>Use"


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("<pre>int a;\nint b;</pre>", "int a; int b;"),
        ("<h4>Size</h4> in bytes", "Size in bytes"),
        ("<table><tr><td>1<td>2</table>", "1 2"),
    ],
    ids=["code", "a heading", "a table"],
)
def test_a_table_with_names_of_columns_has_data_whatever_its_cells_hold(cell: str, written: str) -> None:
    (table,) = texts(f"<table>{HEADER}<tr><td>x<td>{cell}<tr><td>y<td>z</table>")
    assert table.splitlines() == ["| Name | Use |", "| --- | --- |", f"| x | {written} |", "| y | z |"]


def test_a_table_that_lays_out_a_page_is_none() -> None:
    assert texts("<table><tr><td>Menu<td><h2>Title</h2><p>Text.</table>") == ["Menu", "## Title", "Text."]
    assert texts(f"<table role=presentation>{HEADER}<tr><td>x<td>y</table>")[0] == "Name"
    assert len(texts("<table><tr><td>A lone cell</table>")) == 1


@pytest.mark.parametrize(("characters", "has_data"), [(3000, True), (3001, False)])
def test_long_cells_with_blocks_are_parts_of_a_page(characters: int, *, has_data: bool) -> None:
    table = OpenTable(Start("table", {}, cells=6), 100, has_blocks=True, headers=2)
    table.close(100 + characters)
    assert table.start.is_data is has_data
