"""The tables of a document: their text, where they are, what their columns have."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite.chunking.profiles import document_type
from pincite.formats.writing.table_headers import is_date, is_number
from pincite.model.document import Block, BlockKind, Cell, Document, Table
from pincite.services.documents.locations import Locations, blocks
from pincite.text.prose import prose
from pincite.text.tables.grids import text_grid

MAX_CHARS = 5_000
"""Maximum characters of a table's content; by contract 4, Functions."""
MAX_SHEET_ROWS = 20
"""Maximum rows of a sheet that are shown, header rows not counted; by contract 4, Functions."""
TYPE_SHARE = 0.8
"""Share of a column's values above which they give its type; by contract 4, Readers."""

MAX_LISTED_COLUMNS = 200
"""Columns that are described; a sheet may have 16,384."""

_SHEETS = {"xlsx": "spreadsheet", "csv": "csv"}


@dataclass(frozen=True, slots=True)
class ExtractedTable:
    """A table of a document.

    Attributes:
        content: Markdown, at most `MAX_CHARS`.
        table_type: `spreadsheet`, `csv` or `document`.
        location: The sheet's name, or `page N`.
        metadata: Rows, columns and what is known of them; `truncated` if `content` does not have all of it.
    """

    content: str
    table_type: str
    location: str
    metadata: Mapping[str, Any]


@dataclass(slots=True)
class Grid:
    """A table whose parts are put together.

    Attributes:
        block: The block of its first part.
        header: The texts of its header rows.
        rows: Those of the others.
        span: Its range in a sheet; empty in other formats.
    """

    block: Block
    header: list[list[str]]
    rows: list[list[str]] = field(default_factory=list[list[str]])
    span: str = ""

    @property
    def names(self) -> list[str]:
        """The columns' names without markup; empty for those without one."""
        columns = max((len(row) for row in (*self.header, *self.rows)), default=0)
        return [
            prose(" ".join(dict.fromkeys(row[index] for row in self.header if index < len(row) and row[index]))).strip()
            for index in range(columns)
        ]


def tables(document: Document, *, whole: bool = False) -> list[ExtractedTable]:
    """Return the tables of a document, in order: the first rows of a sheet, and the first characters of any, or all."""
    kind = _SHEETS.get(document_type(document.media_type), "document")
    grids = list(grids_of(document))
    if not grids:
        return []
    locations = Locations(document)
    sources = [locations.location_at(grid.block.start) if kind != "csv" else "" for grid in grids]
    shared = _shared(grids, sources) if kind == "spreadsheet" else {}
    shown_rows: Counter[str] = Counter()
    extracted: list[ExtractedTable] = []
    for grid, source in zip(grids, sources, strict=True):
        bounded = kind != "document" and not whole
        limit = max(0, MAX_SHEET_ROWS - shown_rows[source]) if bounded else len(grid.rows)
        shown_rows[source] += len(grid.rows)
        content, rows = _content(grid, min(limit, len(grid.rows)), None if whole else MAX_CHARS)
        metadata = _metadata(grid, rows, shared)
        extracted.append(ExtractedTable(content, kind, source or document.name, metadata))
    return extracted


def grids_of(document: Document) -> Iterator[Grid]:
    """Yield the tables of a document, in order; parts that continue each other are one."""
    grid: Grid | None = None
    for block in blocks(document):
        table = block.table or _piped(document.text, block)
        if table is None:
            continue
        texts = _texts(table)
        if grid is not None and table.continued:
            grid.rows += texts[table.header_rows :]
            # A range ends where the last part's range ends: `Sheet1!A4:E64`.
            grid.span = f"{grid.span.partition(':')[0]}:{table.place.rpartition(':')[2]}" if table.place else grid.span
            continue
        if grid is not None:
            yield grid
        grid = Grid(block, texts[: table.header_rows], texts[table.header_rows :], table.place)
    if grid is not None:
        yield grid


def _piped(text: str, block: Block) -> Table | None:
    """Return the cells of a table that a document's own text writes with bars; None for any other block."""
    grid = text_grid(text, block) if block.kind is BlockKind.TABLE else None
    if grid is None:
        return None
    cells = [Cell(cell.row, cell.column, cell.text) for row in grid.rows for cell in row]
    return Table(len(grid.rows), grid.columns, cells, grid.header_rows)


def _texts(table: Table) -> list[list[str]]:
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        if cell.row < table.rows and cell.column < table.columns:
            text = " ".join(cell.text.split())
            # A merged cell counts for all of its columns, as it groups them; it is one of its rows alone.
            for column in range(cell.column, min(cell.column + cell.column_span, table.columns)):
                rows[cell.row][column] = text
    return rows


def _content(grid: Grid, limit: int, most: int | None) -> tuple[str, int]:
    """Return the table as Markdown and the number of its rows in it: whole rows up to the limits."""
    names = [" ".join(row[index] for row in grid.header if index < len(row)).strip() for index in range(_width(grid))]
    lines = [_line(names), _line(["---"] * len(names))]
    length = sum(map(len, lines)) + 1
    shown = 0
    for row in grid.rows[:limit]:
        line = _line(row)
        if most is not None and length + 1 + len(line) > most:
            break
        lines.append(line)
        length += 1 + len(line)
        shown += 1
    return "\n".join(lines)[:most], shown


def _width(grid: Grid) -> int:
    return max((len(row) for row in (*grid.header, *grid.rows)), default=0)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _metadata(grid: Grid, shown: int, shared: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    names = grid.names
    columns = [_column(name, [row[index] for row in grid.rows if index < len(row)]) for index, name in enumerate(names)]
    positions = len(grid.rows) * len(names)
    filled = sum(1 for row in grid.rows for text in row if text)
    metadata: dict[str, Any] = {
        "rows": len(grid.rows),
        "rows_shown": shown,
        "column_count": len(names),
        "has_header": bool(grid.header),
        "columns": columns[:MAX_LISTED_COLUMNS],
        "density": round(filled / positions, 2) if positions else 0.0,
    }
    if grid.span:
        metadata["range"] = grid.span
    if common := {name: list(shared[name.casefold()]) for name in names if name.casefold() in shared}:
        metadata["shared_columns"] = common
    if shown < len(grid.rows) or len(columns) > MAX_LISTED_COLUMNS:
        metadata["truncated"] = True
    return metadata


def _column(name: str, values: Sequence[str]) -> dict[str, Any]:
    filled = [value for value in values if value]
    return {
        "name": name,
        "type": column_type(filled),
        "density": round(len(filled) / len(values), 2) if values else 0.0,
    }


def column_type(values: Sequence[str]) -> str:
    """Return the type of a column by its values that are not empty: `numeric`, `datetime`, `text` or `empty`."""
    if not values:
        return "empty"
    needed = TYPE_SHARE * len(values)
    # Dates first: `2024` is a number, `2024-05-01` only a date.
    if sum(map(is_date, values)) > needed:
        return "datetime"
    return "numeric" if sum(map(is_number, values)) > needed else "text"


def _shared(grids: Sequence[Grid], sources: Sequence[str]) -> dict[str, list[str]]:
    """Return the sheets by the name of a column that more than one has."""
    sheets: dict[str, list[str]] = {}
    for grid, source in zip(grids, sources, strict=True):
        for name in {name.casefold() for name in grid.names if name}:
            known = sheets.setdefault(name, [])
            if source not in known:
                known.append(source)
    return {name: known for name, known in sheets.items() if len(known) > 1}
