"""Tables by their tags: rows, spans, header rows, and the order that the file has them in."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.formats.html.tables import Grid
from pincite.formats.pdf.boxes import Text
from pincite.formats.pdf.structure import Element
from pincite.formats.text_boxes import CAPTION, TextBox
from pincite.model.document import Table

_NO_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class TaggedTable:
    """A table and where its cells stand."""

    table: Table
    boxes: tuple[TextBox, ...]


def read_table(
    element: Element, text_of: Callable[[Element], Text], in_file_order: Callable[[Element], str]
) -> TaggedTable | None:
    """A table; None where it has no cell with text.

    Args:
        element: `Table`.
        text_of: The text of a cell or caption; asked once for each, in order.
        in_file_order: The text of an element in the file's order.
    """
    source = in_file_order(element)
    grid, texts = Grid(), list[Text]()
    for in_head, row in _rows(element):
        grid.in_head = in_head
        grid.row()
        cells = [cell for cell in row.children if isinstance(cell, Element) and cell.kind in ("TH", "TD")]
        for cell in cells:
            found = text_of(cell)
            texts.append(found)
            spans = {"rowspan": str(cell.rows), "colspan": str(cell.columns)}
            grid.cell(found.text, spans, header=_names_column(cell, alone=len(cells) == 1 and not in_head))
    caption = _caption(element, text_of)
    table = replace(grid.table(), caption=caption.text)
    if not any(text.text.strip() for text in texts):
        return None
    headed = tuple(replace(cell, header=cell.header or cell.row < table.header_rows) for cell in table.cells)
    said = [caption.text, *(cell.text for cell in headed)]
    other = _folded(source) != _folded(" ".join(said))
    boxes = tuple(_boxes(caption, texts, table))
    return TaggedTable(replace(table, cells=headed, source=source if other else ""), boxes)


def header_of(table: Table) -> tuple[str, ...]:
    """What names the columns of a table, to tell whether another one goes on with it; nothing without header rows."""
    cells = (cell for cell in table.cells if cell.row < table.header_rows)
    names = tuple(" ".join(cell.text.split()) for cell in cells)
    return (str(table.columns), *names) if any(names) else ()


def _rows(element: Element, *, in_head: bool = False) -> Iterator[tuple[bool, Element]]:
    """The rows of a table, in or out of `THead`; those of tables in its cells are not."""
    for child in element.children:
        if not isinstance(child, Element):
            continue
        if child.kind == "TR":
            yield in_head, child
        elif child.kind not in ("TH", "TD", "Caption"):
            yield from _rows(child, in_head=in_head or child.kind == "THead")


def _names_column(cell: Element, *, alone: bool) -> bool:
    """Whether a cell is a column's head; one that is alone in its row names the rows below it."""
    return cell.kind == "TH" and cell.scope != "Row" and not alone


def _caption(element: Element, text_of: Callable[[Element], Text]) -> Text:
    captions = [child for child in element.children if isinstance(child, Element) and child.kind == "Caption"]
    found = Text()
    for caption in captions:
        found = found.joined(text_of(caption), " ")
    return found


def _boxes(caption: Text, texts: Sequence[Text], table: Table) -> Iterator[TextBox]:
    yield from caption.at(CAPTION)
    # Cells beyond the widest that a table may be are not in it.
    for cell, text in zip(table.cells, texts, strict=len(texts) == len(table.cells)):
        yield from text.at(cell.row, cell.column)


def _folded(text: str) -> str:
    return _NO_WORD.sub("", text).lower()
