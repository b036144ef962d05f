"""A table as it is found on a page: which words each cell holds; and as it is given: text, boxes, lines."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pincite.formats.pdf.page.placed_text import Text
from pincite.formats.pdf.page.words import Word
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import Box, Cell, Table

_NO_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class WordCell:
    """A cell, by its words in reading order; as `Cell`."""

    row: int
    column: int
    words: tuple[Word, ...]
    row_span: int = 1
    column_span: int = 1


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A table whose cells still are words.

    Attributes:
        cells: By row, then column.
        words: All that stands in it, dots that lead to a value too.
    """

    rows: int
    columns: int
    header_rows: int
    cells: tuple[WordCell, ...]
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class DetectedTable:
    """A table of a page.

    Attributes:
        boxes: One for each line of each cell.
        words: All that stands in it.
        box: Around all of it.
    """

    table: Table
    boxes: tuple[TextBox, ...]
    words: tuple[Word, ...]
    box: Box


def detected_table(draft: TableDraft, text_of: Callable[[Iterable[Word]], Text]) -> DetectedTable:
    """A table with its cells' texts and boxes, and its text in the file's own order where that is another.

    Args:
        draft: The table's words.
        text_of: What words say and where.
    """
    cells: list[Cell] = []
    boxes: list[TextBox] = []
    for cell in draft.cells:
        cell_text = text_of(cell.words)
        header = cell.row < draft.header_rows
        cells.append(Cell(cell.row, cell.column, cell_text.text, cell.row_span, cell.column_span, header=header))
        boxes += cell_text.at(cell.row, cell.column)
    source = file_order(draft.words)
    other = _folded(source) != _folded(" ".join(cell.text for cell in cells))
    table = Table(draft.rows, draft.columns, tuple(cells), draft.header_rows, source=source if other else "")
    return DetectedTable(table, tuple(boxes), draft.words, _around(draft.words))


def file_order(words: Iterable[Word]) -> str:
    """The text of words as the file has them, a line for each run that goes on to the right."""
    text = ""
    last: Word | None = None
    for word in sorted(words, key=lambda word: word.first):
        if last is not None:
            text += " " if word.x0 >= last.x0 and word.y0 < last.y1 else "\n"
        text += word.text
        last = word
    return text


def _around(words: Sequence[Word]) -> Box:
    return Box(
        min(word.x0 for word in words),
        min(word.y0 for word in words),
        max(word.x1 for word in words),
        max(word.y1 for word in words),
    )


def _folded(text: str) -> str:
    return _NO_WORD.sub("", text).lower()
