"""Partly ruled tables: horizontal rules of one width above and below the rows, or vertical ones between the columns.

What the rules leave open is told by white space: columns by the white that runs down the table, rows by the distance of
their lines.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line, Word, line_of
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.ruled import JOIN_TOLERANCE_PT, MAX_RULES, merge_rules
from pincite.formats.pdf.tables.segments import is_number
from pincite.formats.pdf.tables.table_rows import HEADING_SIZE_RATIO, LEFT_EDGE_TOLERANCE_EM, MIN_PROSE_WORDS

MIN_GUTTER_EM = 0.7
"""White between two columns; a space is a third of that."""
MIN_WIDTH_EM = 8.0
"""Width of the rules of a table; shorter ones underline words or sums."""
MAX_HEADER_LINES = 4
"""Lines of a header above its rule."""
MAX_HEADER_STEP_EM = 2.0
"""Distance of a header from the rule below it."""
MAX_ROW_GAP_EM = 3.0
"""White that ends a table without a rule at its end."""
MAX_LEADING_EM = 1.45
"""Distance of two lines of one cell."""
MAX_LEADING_RATIO = 1.2
"""Distance of two lines, relative to the least one, up to which they may be of one cell."""
MIN_BODY_ROWS = 2
"""Rows below the header; a single one may be anything between two rules."""
MAX_COLUMNS = 60
"""More are a drawing."""
MAX_PROSE_SHARE = 0.2
"""Share of lines of one segment across most of the width from which the space between two rules is running text."""
MIN_PROSE_WIDTH_SHARE = 0.6
"""Width of such a line, as a share of the rules'."""

_SIGN = re.compile(r"[($€£¥]+|EUR|USD|GBP|CHF")
_TAIL = re.compile(r"[)%‰€]+|EUR|USD|GBP|CHF")
"""What stands before and after numbers, often in a column of its own."""

_Cells = dict[int, list[Word]]
"""Words of a line or row by column."""
_HeaderCell = tuple[int, int, list[Word]]
"""Column, number of columns, and words."""


@dataclass(frozen=True, slots=True)
class _Band:
    """Lines between two rules.

    Attributes:
        top: Of the upper rule, in points.
        bottom: Of the lower rule.
        lines: From the top, each cut to the rules' width.
    """

    top: float
    bottom: float
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class PartlyRuled:
    """A table and what its rules tell.

    Attributes:
        draft: The table.
        rules_rows: True if rules part its rows, so that no other evidence counts.
    """

    draft: TableDraft
    rules_rows: bool


def find_partly_ruled(lines: Sequence[Line], rules: Rules, *, by_rows: bool = False) -> list[PartlyRuled]:
    """Detect the partly ruled tables among visual lines.

    Args:
        lines: Visual lines of a page or of one of its columns, from the top.
        rules: Ruling lines of the page.
        by_rows: True if each row has a rule above and below it.
    """
    horizontal, vertical = merge_rules(rules.horizontal), merge_rules(rules.vertical)
    if not lines or max(len(horizontal), len(vertical)) > MAX_RULES:
        return []
    found = [
        table
        for bands in _tables(lines, horizontal)
        if (table := _table(bands, _inside(vertical, bands), by_rows=by_rows)) is not None
    ]
    for bands in _tables_of_columns(lines, vertical):
        walls = _inside(vertical, bands)
        table = _table(bands, walls)
        # A wall between all columns, and beside them at most: bars of a chart are many more.
        if table is not None and table.draft.columns - 1 <= len(walls) <= table.draft.columns + 1:
            found.append(table)
    return _disjoint(found)


def _disjoint(found: Iterable[PartlyRuled]) -> list[PartlyRuled]:
    """Return tables without those that contain words of one before them."""
    taken: set[int] = set()
    kept: list[PartlyRuled] = []
    for table in found:
        words = {word.first for word in table.draft.words}
        if taken.isdisjoint(words):
            taken |= words
            kept.append(table)
    return kept


def _tables(lines: Sequence[Line], rules: Sequence[Rule]) -> Iterator[list[_Band]]:
    """Yield the bands of each table, by rules of one width; the first band is the header if there are several."""
    for same in _same_width(rules):
        edges = [rule.position for rule in same]
        x0, x1 = min(rule.start for rule in same), max(rule.end for rule in same)
        bands = [_Band(top, bottom, _cut(lines, x0, x1, top, bottom)) for top, bottom in pairwise(edges)]
        bands = [band for band in bands if band.lines]
        ends: list[float] = []
        for run in _runs(bands, x1 - x0):
            yield run
            ends += [run[0].top, run[-1].bottom]
        for position in edges:
            # A rule that no table has on both sides may be the one below a header.
            if not any(top <= position <= bottom for top, bottom in zip(ends[::2], ends[1::2], strict=True)):
                open_bands = _below_header(lines, x0, x1, position, [edge for edge in edges if edge > position])
                if open_bands:
                    yield open_bands


def _runs(bands: Sequence[_Band], width: float) -> Iterator[list[_Band]]:
    """Yield runs of adjoining bands with rows; a title of some rows is one of them, a heading is not."""
    run: list[_Band] = []
    for band in (*bands, None):
        adjoins = bool(run) and band is not None and run[-1].bottom == band.top
        is_tabular = band is not None and _is_tabular(band, width)
        if band is not None and adjoins and (is_tabular or _is_group_title(band, run[-1], width)):
            run.append(band)
            continue
        while run and not _is_tabular(run[-1], width):
            run.pop()
        if len(run) > 1:
            yield run
        run = [band] if band is not None and is_tabular else []


def _is_group_title(band: _Band, above: _Band, width: float) -> bool:
    """Return True if a band is a short text of the size of the row above it."""
    line = band.lines[0]
    is_larger = line.size > HEADING_SIZE_RATIO * above.lines[-1].size
    return len(band.lines) == 1 and not is_larger and line.x1 - line.x0 <= MIN_PROSE_WIDTH_SHARE * width


def _same_width(rules: Iterable[Rule]) -> Iterator[list[Rule]]:
    """Yield rules with the same ends, from the top."""
    groups: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda rule: rule.position):
        if rule.end - rule.start < 2 * MIN_WIDTH_EM:
            continue
        for group in groups:
            if max(abs(group[0].start - rule.start), abs(group[0].end - rule.end)) <= JOIN_TOLERANCE_PT:
                group.append(rule)
                break
        else:
            groups.append([rule])
    yield from groups


def _cut(lines: Sequence[Line], x0: float, x1: float, top: float, bottom: float) -> tuple[Line, ...]:
    """Return the parts of lines with their middle in a rectangle; nothing if text runs out of it."""
    parts: list[Line] = []
    for line in lines:
        if line.y1 < top or line.y0 > bottom:
            continue
        inside = [word for word in line.words if top < (word.y0 + word.y1) / 2 < bottom]
        words = [word for word in inside if x0 - JOIN_TOLERANCE_PT <= (word.x0 + word.x1) / 2 <= x1 + JOIN_TOLERANCE_PT]
        if not words:
            continue
        left, right, em = words[0].x0, words[-1].x1, line.size
        if len(words) < len(inside) and _runs_out(inside, left, right, em):
            return ()
        parts.append(line if len(words) == len(line.words) else line_of(words))
    return tuple(parts)


def _runs_out(words: Iterable[Word], left: float, right: float, em: float) -> bool:
    """Return True if a word adjoins the interval from `left` to `right` from outside."""
    outside = (max(word.x0 - right, left - word.x1) for word in words if word.x0 >= right or word.x1 <= left)
    return any(-em < gap < MIN_GUTTER_EM * em for gap in outside)


def _is_tabular(band: _Band, width: float) -> bool:
    """Return True if lines between two rules may be rows: some have several segments, and few are running text."""
    sizes = sorted(line.size for line in band.lines)
    if sizes[-1] > HEADING_SIZE_RATIO * sizes[len(sizes) // 2]:
        return False
    left = min(line.x0 for line in band.lines)
    segments = [len(_segments(line)) for line in band.lines]
    prose = sum(count == 1 and _is_prose(line, left, width) for count, line in zip(segments, band.lines, strict=True))
    return max(segments) > 1 and prose <= MAX_PROSE_SHARE * len(band.lines)


def _is_prose(line: Line, left: float, width: float) -> bool:
    """Return True if a line without gaps runs from the left edge across most of the width."""
    return (
        line.x0 <= left + LEFT_EDGE_TOLERANCE_EM * line.size
        and line.x1 - line.x0 > MIN_PROSE_WIDTH_SHARE * width
        and len(line.words) >= MIN_PROSE_WORDS
    )


def _segments(line: Line) -> list[list[Word]]:
    parts = [[line.words[0]]]
    for one, other in pairwise(line.words):
        if other.x0 - one.x1 > MIN_GUTTER_EM * line.size:
            parts.append([])
        parts[-1].append(other)
    return parts


def _below_header(
    lines: Sequence[Line], x0: float, x1: float, rule: float, rules_below: Sequence[float]
) -> list[_Band]:
    """Return the bands of a table with a rule below its header alone; none if the lines around it are no table."""
    above = [line for line in _cut(lines, x0, x1, rule - MAX_HEADER_LINES * 20, rule) if line.y1 < rule + line.size / 2]
    header: list[Line] = []
    for line in reversed(above):
        below = header[0].y0 if header else rule
        if below - line.y1 > (MAX_HEADER_STEP_EM if not header else 0.6) * line.size or len(header) == MAX_HEADER_LINES:
            break
        # Lines of a header below its first may fill one column.
        header.insert(0, line)
    # A title of the table is no header; the first line of one name is.
    while header and len(_segments(header[0])) == 1 and not _is_name(header[0], header[1:]):
        header.pop(0)
    if not header:
        return []
    columns = _intervals(header)
    body: list[Line] = []
    end = min(rules_below, default=float("inf"))
    for line in lines:
        if line.y0 < rule - line.size / 2 or (line.y0 + line.y1) / 2 > end:
            continue
        part = _cut([line], x0, x1, rule, end)
        last = body[-1].y1 if body else rule
        if not part or part[0].y0 - last > MAX_ROW_GAP_EM * line.size or _runs_across(part[0], columns):
            break
        if line.size > HEADING_SIZE_RATIO * header[-1].size:
            break
        body.append(part[0])
    # A line at the left edge, apart from the last row, is text below the table.
    while len(body) > 1 and _is_apart(body[-1], body[-2], columns[0][0]):
        body.pop()
    bottom = body[-1].y1 if body else rule
    return [_Band(header[0].y0, rule, tuple(header)), _Band(rule, bottom, tuple(body))] if body else []


def _is_name(line: Line, below: Sequence[Line]) -> bool:
    """Return True if a line is over a single column of the header below, close to it, and not over its first."""
    columns = _intervals(below)
    over = [number for number, (start, end) in enumerate(columns) if min(end, line.x1) > max(start, line.x0)]
    return len(columns) > 1 and len(over) == 1 and over[0] > 0 and below[0].y1 - line.y1 <= MAX_LEADING_EM * line.size


def _is_apart(line: Line, above: Line, left: float) -> bool:
    return (
        len(_segments(line)) == 1
        and line.x0 <= left + LEFT_EDGE_TOLERANCE_EM * line.size
        and line.y1 - above.y1 > MAX_LEADING_EM * line.size
    )


def _runs_across(line: Line, columns: Sequence[tuple[float, float]]) -> bool:
    """Return True if a segment of a line overlaps two columns of a header."""
    return any(
        sum(min(end, part[-1].x1) - max(start, part[0].x0) > 0 for start, end in columns) > 1
        for part in _segments(line)
    )


def _tables_of_columns(lines: Sequence[Line], rules: Sequence[Rule]) -> Iterator[list[_Band]]:
    """Yield a band for each set of vertical rules of one height."""

    def ends(rule: Rule) -> tuple[int, int]:
        return round(rule.start / JOIN_TOLERANCE_PT), round(rule.end / JOIN_TOLERANCE_PT)

    for _, same in groupby(sorted(rules, key=ends), key=ends):
        group = list(same)
        top, bottom = group[0].start, group[0].end
        inside = [line for line in lines if top - 1 <= (line.y0 + line.y1) / 2 <= bottom + 1]
        if len(inside) > 1 and bottom - top > 2 * inside[0].size:
            yield [_Band(top, bottom, tuple(inside))]


def _inside(vertical: Sequence[Rule], bands: Sequence[_Band]) -> list[float]:
    """Return the positions of vertical rules along the whole height of the bands."""
    top, bottom = bands[-1].top, bands[-1].bottom
    return [rule.position for rule in vertical if rule.start <= top + 4 and rule.end >= bottom - 4]


def _table(bands: Sequence[_Band], walls: Sequence[float], *, by_rows: bool = False) -> PartlyRuled | None:
    has_header = len(bands) > 1 and len(bands[0].lines) <= MAX_HEADER_LINES
    header_lines = bands[0].lines if has_header else ()
    body_bands = bands[has_header:]
    body_lines = [line for band in body_bands for line in band.lines]
    columns = _columns(body_lines, walls)
    with_header = _columns([*body_lines, *header_lines], walls)
    # Header cells may show columns that are empty below; one across several would hide them.
    columns = with_header if len(with_header) >= len(columns) else columns
    if not 1 < len(columns) <= MAX_COLUMNS:
        return None
    if not (body_lines and (header_lines or len(body_lines) > MIN_BODY_ROWS)):
        return None
    header = _header(header_lines, columns)
    by_band = list(_rows_by_band(body_bands, columns, by_rows=by_rows))
    rows = [row for band in by_band for row in band]
    if len(rows) < MIN_BODY_ROWS or sum(len(row) > 1 for row in rows) < MIN_BODY_ROWS:
        return None
    if not header_lines and len(rows) > MIN_BODY_ROWS and _is_header(rows[0], rows[1:]):
        header, rows = [[(column, 1, words) for column, words in sorted(rows[0].items())]], rows[1:]
    cells = [
        WordCell(number, column, tuple(words), 1, span)
        for number, entries in enumerate(header)
        for column, span, words in entries
    ]
    cells += [
        WordCell(number, column, tuple(row[column]))
        for number, row in enumerate(rows, len(header))
        for column in sorted(row)
    ]
    words = tuple(word for band in bands for line in band.lines for word in line.words)
    rules_rows = len(rows) == len(by_band) > MIN_BODY_ROWS
    return PartlyRuled(TableDraft(len(header) + len(rows), len(columns), len(header), tuple(cells), words), rules_rows)


def _columns(lines: Sequence[Line], walls: Sequence[float]) -> list[tuple[float, float]]:
    """Return the columns: intervals between the white that runs down all lines, and between vertical rules."""
    intervals = _intervals(lines)
    for wall in walls:
        inner = [word for line in lines for word in line.words if word.x0 < wall - 1 and word.x1 > wall + 1]
        if not inner:
            intervals = [part for interval in intervals for part in _split(interval, wall, lines)]
    return _with_signs(intervals, lines)


def _with_signs(intervals: Sequence[tuple[float, float]], lines: Sequence[Line]) -> list[tuple[float, float]]:
    """Join columns of currency signs to the one after them, and those of brackets and percent to the one before."""
    joined: list[tuple[float, float]] = []
    sign: float | None = None
    for start, end in intervals:
        texts = [word.text for line in lines for word in line.words if start <= (word.x0 + word.x1) / 2 <= end]
        if sign is None and all(map(_SIGN.fullmatch, texts)):
            sign = start
            continue
        if joined and all(map(_TAIL.fullmatch, texts)):
            joined[-1] = (joined[-1][0], end)
            continue
        joined.append((start if sign is None else sign, end))
        sign = None
    return joined


def _split(interval: tuple[float, float], wall: float, lines: Sequence[Line]) -> list[tuple[float, float]]:
    start, end = interval
    if not start < wall < end:
        return [interval]
    words = [word for line in lines for word in line.words if word.x1 > start and word.x0 < end]
    left, right = [word for word in words if word.x1 <= wall + 1], [word for word in words if word.x0 >= wall - 1]
    if not left or not right:
        return [interval]
    return [(start, max(word.x1 for word in left)), (min(word.x0 for word in right), end)]


def _intervals(lines: Sequence[Line]) -> list[tuple[float, float]]:
    """Return the intervals of x that words cover, joined where less than a gutter is between them."""
    intervals: list[list[float]] = []
    em = min((line.size for line in lines), default=0.0)
    for x0, x1 in sorted((word.x0, word.x1) for line in lines for word in line.words):
        if intervals and x0 - intervals[-1][1] < MIN_GUTTER_EM * em:
            intervals[-1][1] = max(intervals[-1][1], x1)
        else:
            intervals.append([x0, x1])
    return [(start, end) for start, end in intervals]


def _column_of(part: Sequence[Word], columns: Sequence[tuple[float, float]]) -> tuple[int, int]:
    """Return the first column of a segment and the number of columns that it spans."""
    x0, x1 = part[0].x0, part[-1].x1
    overlapped = [n for n, (start, end) in enumerate(columns) if min(x1, end) - max(x0, start) > 0]
    if overlapped:
        return overlapped[0], overlapped[-1] - overlapped[0] + 1
    middle = (x0 + x1) / 2
    return min(range(len(columns)), key=lambda n: abs(sum(columns[n]) / 2 - middle)), 1


def _cells_of(line: Line, columns: Sequence[tuple[float, float]]) -> _Cells:
    cells: _Cells = {}
    for word in line.words:
        cells.setdefault(_column_of([word], columns)[0], []).append(word)
    return cells


def _header(lines: Sequence[Line], columns: Sequence[tuple[float, float]]) -> list[list[_HeaderCell]]:
    """Return the header's rows; one row unless a cell spans columns."""
    rows: list[list[_HeaderCell]] = []
    for line in lines:
        cells = [(*_column_of(part, columns), part) for part in _segments(line)]
        has_span = any(span > 1 for _, span, _ in cells)
        if rows and not has_span and not any(span > 1 for _, span, _ in rows[-1]):
            rows[-1] += cells
        else:
            rows.append(cells)
    return [_disjoint_cells(row) for row in rows]


def _disjoint_cells(cells: Sequence[_HeaderCell]) -> list[_HeaderCell]:
    """Return cells from the left, one for each column: lines of one name are joined, spans end at the next cell."""
    row: list[_HeaderCell] = []
    for column, span, words in sorted(cells, key=lambda cell: cell[0]):
        if row and row[-1][0] == column:
            row[-1] = (column, min(span, row[-1][1]), [*row[-1][2], *words])
            continue
        if row:
            first, width, above = row[-1]
            row[-1] = (first, min(width, column - first), above)
        row.append((column, span, words))
    return row


def _rows_by_band(
    bands: Sequence[_Band], columns: Sequence[tuple[float, float]], *, by_rows: bool
) -> Iterator[list[_Cells]]:
    """Yield the rows of each band: one, if the rules part the rows, or as the distance of its lines tells."""
    by_band = [[_cells_of(line, columns) for line in band.lines] for band in bands]
    single = [_may_be_one_row(cells) for cells in by_band]
    # Where rules part most rows, they part all: cells of some wrap in every column.
    are_rows = len(bands) > MIN_BODY_ROWS and (by_rows or 2 * sum(single) > len(bands))
    are_rows = are_rows and not any(map(_has_values, by_band))
    for band, cells, is_single in zip(bands, by_band, single, strict=True):
        if len(cells) == 1 or (len(bands) > 1 and (is_single or are_rows)):
            yield [_merged(cells)]
        else:
            yield _split_rows(band.lines, cells, len(columns))


def _may_be_one_row(lines: Sequence[_Cells]) -> bool:
    """Return True if a column has a single line, so that all others of the row wrap, and no column has two numbers."""
    counts = Counter(column for cells in lines for column in cells)
    return len(counts) > 1 and min(counts.values()) == 1 and not _has_values(lines)


def _has_values(lines: Sequence[_Cells]) -> bool:
    """Return True if a column has numbers on two lines: these are two rows."""
    numbers = Counter(column for cells in lines for column, words in cells.items() if _is_number(words))
    return max(numbers.values(), default=0) > 1


def _merged(lines: Iterable[Mapping[int, Sequence[Word]]]) -> _Cells:
    row: _Cells = {}
    for cells in lines:
        for column, words in cells.items():
            row.setdefault(column, []).extend(words)
    return row


def _split_rows(lines: Sequence[Line], cells: Sequence[_Cells], columns: int) -> list[_Cells]:
    """Group the lines between two rules into rows."""
    size = min(line.size for line in lines)
    steps = [below.y1 - line.y1 for line, below in pairwise(lines)]
    leading = min((step for step in steps if step > size / 2), default=0.0)
    if leading > MAX_LEADING_EM * size:
        return list(cells)
    close = [step <= MAX_LEADING_RATIO * leading for step in steps]
    full = sum(is_close and len(line) == columns for is_close, line in zip(close, cells[1:], strict=True))
    # Where most lines close to the one above fill all columns, they are rows; else rows stand further apart.
    by_distance = not all(close) and 2 * full <= sum(close)
    rows = [_merged(cells[:1])]
    for is_close, line in zip(close, cells[1:], strict=True):
        continues = is_close if by_distance else is_close and _is_continuation(rows[-1], line)
        if continues and not _has_conflict(rows[-1], line):
            rows[-1] = _merged([rows[-1], line])
        else:
            rows.append(_merged([line]))
    return rows


def _is_continuation(row: _Cells, line: _Cells) -> bool:
    """Return True if a line continues a row whose lines are as close as rows are: its first column is empty."""
    return 0 not in line and 0 in row


def _has_conflict(row: _Cells, line: _Cells) -> bool:
    """Return True if a line has a number in a column where the row has one."""
    return any(column in row and _is_number(words) and _is_number(row[column]) for column, words in line.items())


def _is_number(words: Iterable[Word]) -> bool:
    return all(is_number(word.text) for word in words)


def _is_header(first: _Cells, others: Sequence[_Cells]) -> bool:
    """Return True if a row is bold, and not all others are."""
    words = [word for part in first.values() for word in part]
    body = [word for row in others for part in row.values() for word in part]
    return len(first) > 1 and all(word.bold for word in words) and not all(word.bold for word in body)
