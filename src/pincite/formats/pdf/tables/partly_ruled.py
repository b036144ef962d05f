"""Tables with rules or fills of rows alone: their bands, header, columns and rows.

What the rules leave open is decided by white space: columns by the white that runs down the table, rows by the distance
of their lines.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pincite.formats.pdf.page.rectangles import Rectangle
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
from pincite.formats.pdf.tables.bands import MAX_HEADER_LINES, MAX_LEADING_EM, Band, bands_beside_walls, bands_of_tables
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.ruled import (
    JOIN_TOLERANCE_PT,
    MAX_RULES,
    MergedRules,
    crosses_any,
    joints_of,
)
from pincite.formats.pdf.tables.segments import rows_of
from pincite.formats.pdf.tables.spanned_names import spans_columns
from pincite.formats.pdf.tables.table_rows import HEADING_SIZE_RATIO

MIN_STRIPES = 2
"""Stripes of a table: a single one is a header or a box."""
MAX_SHADES = 2_000
"""Shaded areas of a page that are examined; bounds time for drawings."""
SNAP_TOLERANCE_PT = 1.5
"""Distance of edges that count as one."""
STEP_TOLERANCE_PT = 0.2
"""Difference of distances of lines that counts as none."""
MAX_BAND_GAP_RATIO = 4.0
"""Height of an unshaded row, relative to the higher of the stripes around it; a larger gap parts two tables."""
MAX_STRIPE_PADDING_EM = 1.0
"""White between a stripe and the text of the row below or above it."""
MAX_COLUMNS = 60
"""More are a drawing."""
MAX_PADDING_EM = 2.0
"""White between the text of a table and the vertical rule at its side."""
MAX_HEADER_SIZE_RATIO = 1.3
"""Font size of a header relative to the rows'; a larger one is the title of the table."""
MIN_SPANNED_BANDS = 2
"""Bands of a header whose names have rules above and below them."""
MIN_NAMED_COLUMNS = 3
"""Columns of a table that may have a single row."""


def stripe_rules(lines: Sequence[Line], shades: Sequence[Rectangle], rules: Sequence[Rule] = ()) -> list[Rule]:
    """Return horizontal rules at the edges of stripes, above the header and below an unshaded last row.

    They are as wide as a rule below the header, as some styles leave the first column unshaded.

    Args:
        lines: Visual lines of the page, from the top.
        shades: Shaded areas of the page, as x0, y0, x1, y1.
        rules: Horizontal rules of the page.
    """
    edges_of_rows: list[Rule] = []
    for table in _tables(lines, shaded_rows(shades)) if MIN_STRIPES <= len(shades) <= MAX_SHADES else ():
        x0, x1 = _width(table[0], rules)
        # Where stripes begin within the table, or end, columns do.
        ends_within = [x for x in (table[0].x0, table[0].x1) if x0 + JOIN_TOLERANCE_PT < x < x1 - JOIN_TOLERANCE_PT]
        edges = [
            (edge, tuple(sorted([*stripe.joints, *ends_within]))) for stripe in table for edge in (stripe.y0, stripe.y1)
        ]
        inside = [line for line in lines if line.x0 >= x0 - line.size and line.x1 <= x1 + line.size]
        above, below = _header_top(inside, table[0].y0), _last_bottom(inside, table[-1].y1, _leading(table, inside))
        ends = [(edge, ()) for edge in (above, below) if edge is not None]
        edges_of_rows += [Rule(edge, x0, x1, joints) for edge, joints in sorted([*edges, *ends])]
    return edges_of_rows


def shade_rules(lines: Sequence[Line], shades: Sequence[Rectangle], rules: Sequence[Rule]) -> list[Rule]:
    """Return the edges of shaded rows that may be headers: no stripes, as wide as a rule, with several columns.

    Args:
        lines: Visual lines of the page, from the top.
        shades: Shaded areas of the page, as x0, y0, x1, y1.
        rules: Horizontal rules of the page.
    """
    widths = {_ends(rule.start, rule.end) for rule in rules}
    rows = shaded_rows(shades) if widths and len(shades) <= MAX_SHADES else []
    headers = [row for row in rows if _ends(row.x0, row.x1) in widths and _has_columns(row, lines)]
    stripes = {stripe for table in _tables(lines, rows) for stripe in table} if headers else set[Stripe]()
    return [Rule(edge, row.x0, row.x1) for row in headers if row not in stripes for edge in (row.y0, row.y1)]


def _has_columns(row: "Stripe", lines: Iterable[Line]) -> bool:
    inside = [line for line in lines if row.y0 <= (line.y0 + line.y1) / 2 <= row.y1]
    return any(len(cells.segments) > 1 for cells in rows_of(inside))


def _ends(x0: float, x1: float) -> tuple[int, int]:
    return round(x0 / JOIN_TOLERANCE_PT), round(x1 / JOIN_TOLERANCE_PT)


def _width(first: "Stripe", rules: Iterable[Rule]) -> tuple[float, float]:
    """Return the ends of a table: those of its first stripe, or of a rule right above it that reaches beyond them."""
    for rule in rules:
        is_close = abs(rule.position - first.y0) <= JOIN_TOLERANCE_PT
        if is_close and rule.start <= first.x0 + JOIN_TOLERANCE_PT and rule.end >= first.x1 - JOIN_TOLERANCE_PT:
            return min(rule.start, first.x0), max(rule.end, first.x1)
    return first.x0, first.x1


class Stripe(NamedTuple):
    """The shaded cells of a row, and where they meet."""

    x0: float
    y0: float
    x1: float
    y1: float
    joints: tuple[float, ...]


def shaded_rows(shades: Iterable[Rectangle]) -> list[Stripe]:
    """Join the shaded cells of each row, from the top."""
    rows: list[list[Rectangle]] = []
    x1 = 0.0
    for shade in sorted(shades, key=lambda area: (round(area[1] / SNAP_TOLERANCE_PT), area[0])):
        _, y0, _, y1 = rows[-1][0] if rows else (0.0, 0.0, 0.0, 0.0)
        is_level = rows and max(abs(shade[1] - y0), abs(shade[3] - y1)) <= SNAP_TOLERANCE_PT
        if is_level and shade[0] - x1 <= JOIN_TOLERANCE_PT:
            rows[-1].append(shade)
            x1 = max(x1, shade[2])
        else:
            rows.append([shade])
            x1 = shade[2]
    return [_stripe(cells) for cells in rows]


def _stripe(cells: Sequence[Rectangle]) -> Stripe:
    if len(cells) == 1:
        return Stripe(*cells[0], ())
    joints = joints_of([Rule(cell[1], cell[0], cell[2]) for cell in cells])
    return Stripe(cells[0][0], cells[0][1], max(cell[2] for cell in cells), cells[0][3], joints)


def _tables(lines: Sequence[Line], rows: Iterable[Stripe]) -> Iterator[list[Stripe]]:
    """Yield stripes of one width with text behind them and in the white between them."""
    by_ends: dict[tuple[int, int], list[Stripe]] = {}
    for row in rows:
        if any(row[1] <= (line.y0 + line.y1) / 2 <= row[3] for line in lines):
            by_ends.setdefault(_ends(row.x0, row.x1), []).append(row)
    for same in by_ends.values():
        table: list[Stripe] = []
        ordered = sorted(same, key=lambda area: area[1])
        for row in ordered:
            if table and not _alternates(table[-1], row, lines):
                if len(table) >= MIN_STRIPES:
                    yield table
                table = []
            table.append(row)
        if len(table) >= MIN_STRIPES:
            yield table


def _alternates(stripe: Stripe, following: Stripe, lines: Iterable[Line]) -> bool:
    """Return True if there is text between two stripes, and not much white."""
    gap = following[1] - stripe[3]
    height = max(stripe[3] - stripe[1], following[3] - following[1])
    has_text = any(stripe[3] < (line.y0 + line.y1) / 2 < following[1] for line in lines)
    return has_text and gap <= MAX_BAND_GAP_RATIO * height


def _leading(table: Sequence[Stripe], lines: Sequence[Line]) -> float:
    """Return the greatest distance of two lines behind one stripe."""
    behind = ([line for line in lines if row.y0 <= (line.y0 + line.y1) / 2 <= row.y1] for row in table)
    return max((below.y1 - line.y1 for row in behind for line, below in pairwise(row)), default=0.0)


def _header_top(lines: Sequence[Line], edge: float) -> float | None:
    """Return the upper edge of the lines directly above the first stripe; None unless they name several columns."""
    header: list[Line] = []
    for line in reversed([line for line in lines if (line.y0 + line.y1) / 2 < edge]):
        lower = header[-1].y0 if header else edge
        if (
            lower - line.y1 > MAX_STRIPE_PADDING_EM * line.size / (2 if header else 1)
            or len(header) == MAX_HEADER_LINES
        ):
            break
        if header and line.size > HEADING_SIZE_RATIO * header[-1].size:
            break
        header.append(line)
    # A title above the header is one segment.
    while header and len(rows_of([header[-1]])[0].segments) == 1:
        header.pop()
    return header[-1].y0 - SNAP_TOLERANCE_PT if header else None


def _last_bottom(lines: Sequence[Line], edge: float, leading: float) -> float | None:
    """Return the lower edge of an unshaded row directly below the last stripe; None without one.

    Args:
        lines: Lines of the table's width, from the top.
        edge: Lower edge of the last stripe.
        leading: Distance of lines of one row, where stripes have several.
    """
    row: list[Line] = []
    for line in (line for line in lines if (line.y0 + line.y1) / 2 > edge):
        upper = row[-1].y1 if row else edge
        is_near = line.y0 - upper <= MAX_STRIPE_PADDING_EM * line.size / (2 if row else 1)
        is_near = is_near or (bool(row) and line.y1 - upper <= leading + SNAP_TOLERANCE_PT)
        if not is_near or (not row and len(rows_of([line])[0].segments) == 1):
            break
        row.append(line)
    # Other rows end further from the text than lines of one row are apart.
    steps = [(below.y1 - line.y1, max(MAX_LEADING_EM * line.size, leading)) for line, below in pairwise(row)]
    count = next((n for n, (step, most) in enumerate(steps, 1) if step > most + STEP_TOLERANCE_PT), len(row))
    return row[count - 1].y1 + SNAP_TOLERANCE_PT if row else None


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
        draft for bands in bands_of_tables(lines, horizontal) if (draft := _table(bands, by_rows=by_rows)) is not None
    ]
    walled: list[tuple[bool, TableDraft]] = []
    for bands in bands_beside_walls(lines, vertical):
        walls = _inside(vertical, bands)
        columns = columns_between_walls(bands, walls)
        draft = _table(bands, columns=columns)
        is_sure = draft is not None and len(columns) >= MIN_NAMED_COLUMNS
        if draft is None and columns:
            draft = _table(bands)
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


def _table(
    bands: Sequence[Band],
    *,
    by_rows: bool = False,
    columns: Sequence[tuple[float, float]] = (),
) -> TableDraft | None:
    is_titled = len(bands) > 1 and bands[0].lines[0].size > MAX_HEADER_SIZE_RATIO * bands[1].lines[0].size
    bands = bands[is_titled:]
    has_header = not is_titled and len(bands) > 1 and len(bands[0].lines) <= MAX_HEADER_LINES
    walled = columns_between_walls(bands, bands[-1].walls) if bands[-1].walls and not columns else []
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
        by_header = (columns_of(body_lines, header_lines, covers=covers) for covers in (True, False))
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
