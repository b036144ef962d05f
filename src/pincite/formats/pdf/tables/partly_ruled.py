"""Partly ruled tables: horizontal rules of one width above and below the rows, or vertical ones between the columns.

What the rules leave open is decided by white space: columns by the white that runs down the table, rows by the distance
of their lines.
"""

from collections.abc import Iterable, Iterator, Sequence

from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tables.band_cells import (
    MIN_BODY_ROWS,
    Cells,
    PlacedCell,
    columns_between_walls,
    columns_of,
    header_cells,
    is_header,
    rows_by_band,
)
from pincite.formats.pdf.tables.bands import MAX_HEADER_LINES, Band, bands_beside_walls, bands_of_tables
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.joints import crosses_any, fill_columns
from pincite.formats.pdf.tables.ruled import MAX_RULES, MergedRules
from pincite.formats.pdf.tables.segments import is_value, is_year
from pincite.formats.pdf.tables.spanned_names import spans_columns

MAX_COLUMNS = 60
"""More are a drawing."""

MAX_PADDING_EM = 2.0
"""White between the text of a table and the vertical rule at its side."""

MAX_HEADER_SIZE_RATIO = 1.3
"""Font size of a header relative to the rows'; a larger one is the title of the table."""

MIN_SPANNED_BANDS = 2
"""Bands of a header whose names have rules above and below them."""

MIN_VALUES = 2
"""Values of a row: a name of a column may be a number."""

MIN_NAMED_COLUMNS = 3
"""Columns of a table that may have a single row."""


def find_partly_ruled(lines: Sequence[Line], rules: MergedRules, *, by_rows: bool = False) -> list[TableDraft]:
    """Detect the partly ruled tables among visual lines.

    Args:
        lines: Visual lines of a page or of one of its columns, from the top.
        rules: Merged ruling lines of the page.
        by_rows: True if each row has a rule above and below it.
    """
    horizontal, vertical = rules
    if not lines or max(len(horizontal), len(vertical)) > MAX_RULES:
        return []
    found = [
        draft
        for bands in bands_of_tables(lines, horizontal)
        if (draft := _table(bands, _inside(vertical, bands), by_rows=by_rows)) is not None
    ]
    walled: list[tuple[bool, TableDraft]] = []
    for bands in bands_beside_walls(lines, vertical):
        walls = _inside(vertical, bands[-1:])
        columns = columns_between_walls(bands[-1:], walls)
        draft = _table(bands, walls, columns=columns)
        is_sure = draft is not None and len(columns) >= MIN_NAMED_COLUMNS
        if draft is None and columns:
            draft = _table(bands, walls)
        # A wall between all columns, and at their sides at most: bars of a chart are many more.
        if draft is not None and draft.columns - 1 <= len(walls) <= draft.columns + 1:
            walled.append((is_sure, draft))
    # Rules that a phrase over several columns interrupts are shorter than those at the table's sides.
    found += [draft for _, draft in sorted(walled, key=lambda known: (not known[0], -known[1].columns))]
    return _disjoint(found)


def _disjoint(found: Iterable[TableDraft]) -> list[TableDraft]:
    """Return tables without those that contain words of one before them."""
    taken: set[int] = set()
    kept: list[TableDraft] = []
    for table in found:
        words = {word.first for word in table.words}
        if taken.isdisjoint(words):
            taken |= words
            kept.append(table)
    return kept


def _inside(vertical: Sequence[Rule], bands: Sequence[Band]) -> list[float]:
    """Return the positions of vertical rules along the whole height of the bands, next to their lines."""
    top, bottom, lines = bands[-1].top, bands[-1].bottom, bands[-1].lines
    left = min(line.x0 - MAX_PADDING_EM * line.size for line in lines)
    right = max(line.x1 + MAX_PADDING_EM * line.size for line in lines)
    return [
        rule.position
        for rule in vertical
        if rule.start <= top + 4 and rule.end >= bottom - 4 and left <= rule.position <= right
    ]


def _is_of_cells(band: Band) -> bool:
    """Return True if cells that draw their own borders are no header: they have values, or go on from another page.

    Those go on that have text in one column alone, which is not the first.
    """
    words = [word for line in band.lines for word in line.words]
    if not band.has_borders or all(word.bold for word in words):
        return False
    if sum(is_value(word.text) and not is_year(word.text) for word in words) >= MIN_VALUES:
        return True
    is_right_of_label = all(word.x0 > band.walls[0] - 1 for word in words)
    return is_right_of_label and len(band.lines) > 1 and not fill_columns(band.lines, band.walls)


def _table(
    bands: Sequence[Band],
    walls: Sequence[float],
    *,
    by_rows: bool = False,
    columns: Sequence[tuple[float, float]] = (),
) -> TableDraft | None:
    is_titled = len(bands) > 1 and bands[0].lines[0].size > MAX_HEADER_SIZE_RATIO * bands[1].lines[0].size
    bands = bands[is_titled:]
    has_header = not is_titled and len(bands) > 1 and len(bands[0].lines) <= MAX_HEADER_LINES
    walled = columns_between_walls(bands, bands[-1].walls) if bands[-1].walls and not columns else []
    has_header = has_header and not (walled and _is_of_cells(bands[0]))
    # Names of columns may have a rule above them, too, below a phrase that spans them.
    has_span = has_header and len(bands) > MIN_SPANNED_BANDS and spans_columns(bands[0].lines[-1], bands[1].lines[0])
    header_lines = (*(bands[0].lines if has_header else ()), *(bands[1].lines if has_span else ()))
    body_bands = bands[has_header + has_span :]
    body_lines = [line for band in body_bands for line in band.lines]
    if not columns and any(crosses_any(line, bands[-1].walls) for line in header_lines):
        # A header may have cells that span columns.
        walled = columns_between_walls(body_bands, bands[-1].walls)
    columns = columns or walled
    has_borders = len(walled) > 1 and bands[-1].has_borders
    if len(columns) <= 1:
        # Header cells may show columns that are empty below; one across several would hide them.
        by_header = (columns_of(body_lines, walls, header_lines, covers=covers) for covers in (True, False))
        columns = max(by_header, key=len)
    if not 1 < len(columns) <= MAX_COLUMNS:
        return None
    # The walls of a single band are those of a row whose cells draw their own borders.
    is_alone = len(bands) == 1 and bool(bands[0].walls)
    if not (body_lines and (header_lines or is_alone or has_borders or len(body_lines) > MIN_BODY_ROWS)):
        return None
    header = header_cells(header_lines, columns)
    by_band = list(rows_by_band(body_bands, columns, by_rows=by_rows, has_borders=has_borders))
    rows = [row for band in by_band for row in band]
    # Below names of several columns a single row that fills them is enough.
    is_named = bool(header_lines) and len(rows) == 1 and MIN_NAMED_COLUMNS <= len(rows[0]) == len(columns)
    # Where cells draw their own borders, names of all columns are.
    is_named = is_named or (has_borders and len(rows) == 1 and len(columns) == max(map(len, header), default=0))
    is_named = is_named or (is_alone and len(rows) == 1)
    needed = 1 if is_named else MIN_BODY_ROWS
    if len(rows) < needed or sum(len(row) > 1 for row in rows) < needed:
        return None
    if not header_lines and len(rows) > MIN_BODY_ROWS and is_header(rows[0], rows[1:]):
        header, rows = [[(column, 1, words) for column, words in sorted(rows[0].items())]], rows[1:]
    words = tuple(word for band in bands for line in band.lines for word in line.words)
    return TableDraft(len(header) + len(rows), len(columns), len(header), tuple(_cells(header, rows)), words)


def _cells(header: Iterable[Sequence[PlacedCell]], rows: Iterable[Cells]) -> Iterator[WordCell]:
    """Yield the cells of a header, and of the rows below it."""
    count = 0
    for count, entries in enumerate(header, 1):
        for column, span, words in entries:
            yield WordCell(count - 1, column, tuple(words), 1, span)
    for number, row in enumerate(rows, count):
        for column in sorted(row):
            yield WordCell(number, column, tuple(row[column]))
