# ruff: noqa: E501 - XML by hand reads best on one line


from typing import Any

from support.sheet_xml import STYLES, number
from support.workbooks import (
    MAIN,
    OFFICE,
    by_hand,
    one_table,
    pages_of,
    tables_of,
    texts_of,
    workbook,
)


def test_dates_may_count_from_1904() -> None:
    book = f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><workbookPr date1904="1"/><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>'
    data = by_hand(f'<row r="1">{number("A1", 0, 4)}</row>', styles=STYLES, parts={"xl/workbook.xml": book})
    assert texts_of(one_table(data)) == [["1904-01-01"]]


def test_properties_and_title_come_from_the_workbook() -> None:
    def fill(book: Any) -> None:
        book.set_properties({"title": "Budget", "author": "Ann", "keywords": "money"})
        book.add_worksheet()

    head, (page,) = pages_of(workbook(fill))
    assert head.title == "Budget" and head.properties["author"] == "Ann" and head.properties["keywords"] == "money"
    assert page.text == "## Sheet1\n"


def test_damaged_properties_and_odd_styles_cost_only_themselves() -> None:
    row = f'<row r="1">{number("A1", "0.5", 1)}{number("B1", 2, 7)}</row>'
    data = by_hand(row, styles='<cellXfs><xf numFmtId="0"/><xf/></cellXfs>', parts={"docProps/core.xml": "<a"})
    head, (page,) = pages_of(data)
    assert head.properties == {}
    assert texts_of(tables_of(page)[0]) == [["0.5", "2"]]
