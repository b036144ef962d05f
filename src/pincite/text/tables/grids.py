"""Find the cells of a pipe table in a text, with their spans."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pincite.model.document import Block, BlockKind, Cell, Document
from pincite.text.markup import BAR
from pincite.text.tables.column_names import count_header_rows

_LINE = re.compile(r"^[ \t]{0,3}\|(?P<cells>.*)\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"[ \t:|-]*-[ \t:|-]*")
_BREAK = re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE)
"""A line break of a cell in Markdown; those of other formats are in the cells that their readers give."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TextCell:
    """A cell of a table.

    Attributes:
        row: Its first row, counted from the first header row, or from the first row where none is a header.
        column: Its first column.
        start: First character of its text in the document.
        end: One past its last character.
        text: Its text.
        column_span: Number of columns that it covers.
        row_span: Number of rows that it covers.
        breaks: What separates its lines in its text; empty for one line.
    """

    row: int
    column: int
    start: int
    end: int
    text: str
    column_span: int = 1
    row_span: int = 1
    breaks: Sequence[Span] = ()

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield each line with its first character in the document."""
        edges = [0, *(index for span in self.breaks for index in span), len(self.text)]
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            yield self.start + start, self.text[start:end]


@dataclass(frozen=True, slots=True)
class TextGrid:
    """A table of a document.

    Attributes:
        start: Its first character in the document.
        end: One past its last character.
        rows: The cells of each row, by column; empty cells are left out.
        columns: Number of columns.
        header_rows: Number of rows at the top that name the columns.
        page: Page number from 1, if the format has pages.
        attachment: The name of the attached file that it was made of; empty for what is printed.
        groups: For each row the cell that heads its group: the nearest above in the body that has its row alone.
    """

    start: int
    end: int
    rows: Sequence[Sequence[TextCell]]
    columns: int
    header_rows: int
    page: int | None = None
    groups: Sequence[TextCell | None] = ()
    attachment: str = ""
    _starts: Sequence[int] = field(default=(), repr=False)

    def cell_at(self, index: int) -> TextCell | None:
        """Return the cell whose text an index of the document is in."""
        row = bisect_right(self._starts, index) - 1
        cells = self.rows[row] if row >= 0 else ()
        return next((cell for cell in cells if cell.start <= index < cell.end), None)

    def between(self, start: int, end: int) -> Sequence[TextCell]:
        """Return the cells whose text is wholly between two indexes of the document."""
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_right(self._starts, end)
        return [cell for cells in self.rows[first:last] for cell in cells if start <= cell.start and cell.end <= end]

    def covering(self, row: int, column: int) -> TextCell | None:
        """Return the cell that covers a position, merged cells included."""
        own = self.rows[row] if row < len(self.rows) else ()
        for cell in own:
            if cell.column <= column < cell.column + cell.column_span:
                return cell
        above = (
            cell for cells in self.rows[max(0, row - 50) : row] for cell in cells if cell.row_span > row - cell.row
        )
        return next((cell for cell in above if cell.column <= column < cell.column + cell.column_span), None)


def printed_text(document: Document) -> str:
    """Return a document's text without what was attached to it."""
    attached = (
        section.start
        for section in document.sections
        for block in section.blocks
        if block.table is not None and block.table.attachment
    )
    return document.text[: min(attached, default=len(document.text))]


def grids(document: Document) -> Iterator[TextGrid]:
    """Yield the tables of a document that its text has as pipe tables."""
    for section in document.sections:
        for block in section.blocks:
            if block.kind is BlockKind.TABLE and (grid := text_grid(document.text, block)):
                yield grid


def text_grid(text: str, block: Block) -> TextGrid | None:
    """Return the grid of a table block; None if its text is no pipe table."""
    rows: list[list[tuple[str, Span]]] = []
    rules = 0
    for line in _LINE.finditer(text, block.start, block.end):
        if not rules and _RULE.fullmatch(line["cells"]):
            rules = len(rows)
            continue
        rows.append([*_cells(text, *line.span("cells"))])
    # Readers write an empty first row where a table has no header.
    has_empty_header = bool(rows) and rules == 1 and not any(text for text, _ in rows[0])
    if has_empty_header:
        rows = rows[1:]
    if not rows:
        return None
    table = block.table
    is_same = table is not None and table.rows == len(rows)
    read = {} if table is None or not is_same else {
        (cell.row, cell.column): cell
        for cell in table.cells
        if cell.column_span > 1 or cell.row_span > 1 or "\n" in cell.text
    }  # fmt: skip
    header_rows = table.header_rows if table is not None and is_same else int(rules == 1 and not has_empty_header)
    placed = [
        [
            _placed(read.get((number, column), Cell(number, column, "")), cell_text, span)
            for column, (cell_text, span) in enumerate(row)
            if cell_text
        ]
        for number, row in enumerate(rows)
    ]
    if not header_rows:
        cells = (
            Cell(cell.row, cell.column, cell.text, cell.row_span, cell.column_span) for row in placed for cell in row
        )
        header_rows = count_header_rows(cells, len(placed))
    starts = [row[0][1][0] for row in rows]
    columns = max(map(len, rows))
    groups = _groups(placed, columns, header_rows)
    return TextGrid(
        block.start,
        block.end,
        placed,
        columns,
        header_rows,
        block.page,
        groups,
        table.attachment if table else "",
        starts,
    )


def _placed(cell: Cell, text: str, span: Span) -> TextCell:
    """Return a reader's cell at its text in the document."""
    parts = [" ".join(line.split()).replace("|", "\\|") for line in cell.text.split("\n") if line.strip()]
    lines = re.fullmatch(r"(\s+)".join(map(re.escape, parts)), text) if len(parts) > 1 else None
    breaks = [*map(lines.span, range(1, len(parts)))] if lines else [match.span() for match in _BREAK.finditer(text)]
    return TextCell(cell.row, cell.column, *span, text, cell.column_span, cell.row_span, breaks)


def _groups(rows: Sequence[Sequence[TextCell]], columns: int, header_rows: int) -> list[TextCell | None]:
    groups: list[TextCell | None] = []
    group: TextCell | None = None
    for number, cells in enumerate(rows):
        groups.append(group)
        is_alone = columns > 1 and len(cells) == 1 and cells[0].column == 0
        if number >= header_rows and is_alone and any(map(str.isalpha, cells[0].text)):
            group = cells[0]
    return groups


def _cells(text: str, start: int, end: int) -> Iterator[tuple[str, Span]]:
    cuts = [start - 1, *(match.start() for match in BAR.finditer(text, start, end)), end]
    for left, right in pairwise(cuts):
        raw = text[left + 1 : right]
        first = left + 1 + len(raw) - len(raw.lstrip())
        yield raw.strip(), (first, first + len(raw.strip()))
