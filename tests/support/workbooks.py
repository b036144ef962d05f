"""Workbooks for tests: written by a library, or by hand where a library would not write such a thing."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import xlsxwriter

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.xlsx.reader import read
from pincite.model.call import Call
from pincite.model.document import Head, Page, Table

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def workbook(fill: Callable[[Any], None], **options: object) -> bytes:
    """A workbook that a function fills."""
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True, **options})
    fill(book)
    book.close()
    return buffer.getvalue()


def grid(rows: Sequence[Sequence[object]], name: str = "Sheet1", *, top: int = 0, left: int = 0) -> bytes:
    """A workbook of one sheet that holds these values; None and "" for empty cells."""

    def fill(book: Any) -> None:
        sheet = book.add_worksheet(name)
        for row, values in enumerate(rows):
            for column, value in enumerate(values):
                if isinstance(value, str):
                    sheet.write_string(top + row, left + column, value)
                elif value is not None:
                    sheet.write(top + row, left + column, value)

    return workbook(fill)


def by_hand(
    body: str, *, styles: str = "", before: str = "", after: str = "", parts: Mapping[str, str] | None = None
) -> bytes:
    """An XLSX package with one sheet.

    Args:
        body: What stands in `sheetData`.
        styles: What stands in `styleSheet`.
        before: What stands before `sheetData`.
        after: What stands after it.
        parts: More parts, or others for the same names.
    """
    links = f'<Relationships xmlns="{PACKAGE}">'
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    written = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="{kind}.worksheet+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{kind}.styles+xml"/></Types>',
        "_rels/.rels": f'{links}<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
        "</Relationships>",
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
        '<sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{links}<Relationship Id="r1" Type="{OFFICE}/worksheet" '
        f'Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="{OFFICE}/styles" Target="styles.xml"/>'
        "</Relationships>",
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}" xmlns:r="{OFFICE}">{before}<sheetData>{body}'
        f"</sheetData>{after}</worksheet>",
        **(parts or {}),
    }
    return zipped(written)


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def pages_of(data: bytes, options: ReadOptions | None = None) -> tuple[Head, list[Page]]:
    """What the reader of workbooks makes of a file."""
    head, *pages = read(Blob("book", data), options or ReadOptions(), Call())
    assert isinstance(head, Head)
    return head, [page for page in pages if isinstance(page, Page)]


def page_of(data: bytes) -> Page:
    """The page of a workbook of one sheet."""
    _, (page,) = pages_of(data)
    return page


def tables_of(page: Page) -> list[Table]:
    """The tables of a page, in order."""
    return [block.table for block in page.blocks if block.table is not None]


def texts_of(table: Table) -> list[list[str]]:
    """The texts of a table by row and column."""
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.column] = cell.text
    return rows


def one_table(data: bytes) -> Table:
    """The table of a workbook that holds one."""
    (table,) = tables_of(page_of(data))
    return table
