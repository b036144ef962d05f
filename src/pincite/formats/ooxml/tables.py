"""Tables of DrawingML (`a:tbl`)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pincite.formats.ooxml.package import Element, find, find_all, flag, whole_number
from pincite.formats.ooxml.text import Conceals, paragraphs
from pincite.model.document import Cell, Table


def table(element: Element, links: Mapping[str, str], conceals: Conceals | None = None) -> Table:
    """Return a table with spans clipped to it; the first row is a header if the table's properties mark it."""
    rows = [find_all(row, "a:tc") for row in find_all(element, "a:tr")]
    columns = max((len(row) for row in rows), default=0)
    header_rows = int(bool(rows) and flag(find(element, "a:tblPr"), "firstRow"))
    cells = [cell for number, row in enumerate(rows) for cell in _row(number, row, len(rows), columns, links, conceals)]
    headed = tuple(replace(cell, header=cell.row < header_rows) for cell in cells)
    return Table(len(rows), columns, headed, header_rows)


def _row(
    number: int, row: list[Element], rows: int, columns: int, links: Mapping[str, str], conceals: Conceals | None
) -> Iterator[Cell]:
    for column, cell in enumerate(row):
        if flag(cell, "hMerge") or flag(cell, "vMerge"):
            continue
        body = find(cell, "a:txBody")
        lines = paragraphs(body, links, conceals=conceals) if body is not None else []
        yield Cell(
            number,
            column,
            "\n".join(line.text.strip() for line in lines),
            _span(cell.get("rowSpan"), rows - number),
            _span(cell.get("gridSpan"), columns - column),
        )


def _span(value: str | None, available: int) -> int:
    return max(1, min(whole_number(value, 1), available))
