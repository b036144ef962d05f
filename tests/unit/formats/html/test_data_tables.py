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


MEMBERS = """<table class="memberdecls">
<tr class="heading"><td colspan="2"><h2 class="groupheader"><a id="pub"></a>Public Member Functions</h2></td></tr>
<tr class="memitem"><td class="memItemLeft">int&#160;</td>
<td class="memItemRight"><a href="#a">open</a> (int mode)</td></tr>
<tr class="memdesc"><td>&#160;</td><td>Opens the file. <a href="#a">More...</a><br/></td></tr>
<tr class="separator"><td colspan="2">&#160;</td></tr>
<tr class="heading"><td colspan="2"><h2 class="groupheader">Static Public Attributes</h2></td></tr>
<tr class="memitem"><td class="memItemLeft">bool&#160;</td><td class="memItemRight"><b>verbose</b></td></tr>
</table>"""


def test_a_heading_over_the_columns_of_a_page_is_no_row() -> None:
    page = f"<pre>x</pre><table><tr><td colspan=2><h1>Title</h1><tr><td>Menu<td><p>{'Text. ' * 100}</table>"
    assert texts(page)[1:3] == ["# Title", "Menu"]


def test_a_heading_with_a_text_in_its_row_is_a_part_of_a_page() -> None:
    assert texts("<table><tr><td>a<td><h2>b</h2><tr><td>c<td>d<tr><td>e<td>f</table>")[:2] == ["a", "## b"]


def point(label: str, text: str) -> str:
    return f"<table><col/><tbody><tr><td><p>{label}</p></td><td><p>{text}</p></td></tr></tbody></table>"


@pytest.mark.parametrize("first", ["Name", "12", "2024", "<b><a href=/a>(a)</a></b>", "<img alt=x>"])
def test_a_table_of_any_other_row_is_none(first: str) -> None:
    assert len(texts(point(first, "its value"))) == 1
    assert texts(point(first, "its value"))[0].startswith("|")
