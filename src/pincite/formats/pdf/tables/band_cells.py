"""Columns and rows of lines between rules: columns by the white down all lines; rows by the distances of lines, the
middles of cells, and labels that wrap.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from statistics import median_low

from pincite.formats.pdf.page.hyphens import HYPHENS
from pincite.formats.pdf.page.words import Line, Word, line_of, parts_of
from pincite.formats.pdf.tables.bands import MAX_LEADING_EM, Band, covered_intervals
from pincite.formats.pdf.tables.borderless import MIN_LABEL_FILL_SHARE, MIN_LINE_STEP_EM
from pincite.formats.pdf.tables.header_rows import MIN_CUT_GAP_EM
from pincite.formats.pdf.tables.segments import is_number
from pincite.formats.pdf.tables.spanned_names import (
    grouped_phrases,
    parted_by_names,
    segments_of,
    spanned_names,
)

MIN_BODY_ROWS = 2
"""Rows below the header; a single one may be anything between two rules."""

_SIGN = re.compile(r"[($€£¥]+|EUR|USD|GBP|CHF")
_TAIL = re.compile(r"[)%‰€]+|EUR|USD|GBP|CHF")
"""What is printed before and after numbers, often in a column of its own."""

_FIGURES = re.compile(r"[^\W\d_]?\d(?:[\d:./\u2010-\u2015-]*\d)?")
"""A number, time, date or range of such, which no line below continues."""

MAX_LEADING_RATIO = 1.2
"""Distance of two lines of one cell, relative to the least one."""
CENTRE_TOLERANCE_EM = 0.35
"""Distance of the middles of two cells that counts as none."""
MAX_ROW_LINES, MAX_LINES = 40, 200
"""Lines of a row and of all rows that are compared."""
MIN_WRAPPED_LABELS = 2
"""Lines of labels that begin with a small letter; a single one may be a name written so."""

Cells = dict[int, list[Word]]
"""Words of a line or row by column."""
PlacedCell = tuple[int, int, list[Word]]
"""Column, number of columns, and words."""


def columns_of(body: Sequence[Line], header: Sequence[Line] = (), *, covers: bool = True) -> list[tuple[float, float]]:
    """Return the columns: intervals between the white that runs down all lines.

    Args:
        body: Lines of the rows.
        header: Lines of the header, whose names part columns.
        covers: True if the white runs down the header, too.
    """
    lines = [*body, *header] if covers else body
    intervals = covered_intervals(lines)
    return _with_signs(parted_by_names(intervals, header, body), lines)


def columns_between_walls(bands: Iterable[Band], walls: Sequence[float]) -> list[tuple[float, float]]:
    """Return the columns between vertical rules at all of their edges: none that white within wrapped texts parts.

    Nothing if a word crosses a rule, or numbers or white down most lines show columns without any between two rules.
    """
    lines = [line for band in bands for line in band.lines]
    words = [word for line in lines for word in line.words]
    edges = [min(word.x0 for word in words), *sorted(walls), max(word.x1 for word in words)]
    middles = [(word.x0 + word.x1) / 2 for word in words]
    columns = [part for part in pairwise(edges) if any(part[0] <= middle <= part[1] for middle in middles)]
    if any(word.x0 < wall - 1 and word.x1 > wall + 1 for word in words for wall in walls):
        return []
    segments = [segments_of(line) for line in lines]
    for start, end in columns:
        inside = [[part for part in parts if start <= _middle(part) <= end] for parts in segments]
        if sum(sum(map(_is_number, parts)) > 1 for parts in inside) >= MIN_BODY_ROWS:
            return []
        # A number behind the white in several lines is of a column, too; justified words have it here and there.
        if sum(len(parts) > 1 and _is_number(parts[-1]) for parts in inside) > MIN_BODY_ROWS:
            return []
        filled = [line_of([word for part in parts for word in part]) for parts in inside if parts]
        parted = sum(len(parts) > 1 for parts in inside)
        if parted > max(MIN_BODY_ROWS, len(filled) / 2) and len(covered_intervals(filled)) > 1:
            return []
    return _with_signs(columns, lines)


def _middle(words: Sequence[Word]) -> float:
    return (words[0].x0 + words[-1].x1) / 2


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


def column_of(part: Sequence[Word], columns: Sequence[tuple[float, float]]) -> tuple[int, int]:
    """Return the first column of a segment and the number of columns that it spans."""
    x0, x1 = part[0].x0, part[-1].x1
    overlapped = [
        n for n, (start, end) in enumerate(columns) if x0 < end and start < x1 and min(x1, end) > max(x0, start)
    ]
    if overlapped:
        return overlapped[0], overlapped[-1] - overlapped[0] + 1
    middle = (x0 + x1) / 2
    return min(range(len(columns)), key=lambda n: abs(sum(columns[n]) / 2 - middle)), 1


def _cells_of(line: Line, columns: Sequence[tuple[float, float]]) -> Cells:
    cells: Cells = {}
    for word in line.words:
        cells.setdefault(column_of([word], columns)[0], []).append(word)
    return cells


def header_cells(lines: Sequence[Line], columns: Sequence[tuple[float, float]]) -> list[list[PlacedCell]]:
    """Return the header's rows; one row unless a cell spans columns."""
    rows: list[list[PlacedCell]] = []
    for number, line in enumerate(lines):
        phrases = _phrases(line, lines[number + 1], columns) if number + 1 < len(lines) else []
        cells = phrases or [cell for part in segments_of(line) for cell in _placed(part, columns)]
        has_span = any(span > 1 for _, span, _ in cells)
        if rows and not has_span and not any(span > 1 for _, span, _ in rows[-1]):
            rows[-1] += cells
        else:
            rows.append(cells)
    return [disjoint_cells(row) for row in rows]


def _phrases(line: Line, below: Line, columns: Sequence[tuple[float, float]]) -> list[PlacedCell]:
    """Return the phrases of a line over the columns whose names they span; nothing if any of them spans none."""
    names = segments_of(below)
    cells: list[PlacedCell] = []
    for words in segments_of(line):
        spanned = spanned_names(line_of(words), below)
        if spanned is None:
            return _grouped_phrases(line, names, columns)
        first, (last, span) = column_of(names[spanned[0]], columns)[0], column_of(names[spanned[1] - 1], columns)
        cells.append((first, last + span - first, words))
    return cells if all(one[0] + one[1] <= other[0] for one, other in pairwise(cells)) else []


def _grouped_phrases(
    line: Line, names: Sequence[list[Word]], columns: Sequence[tuple[float, float]]
) -> list[PlacedCell]:
    """Return the phrases of a line over all columns with names below it, and the name of the labels at their left."""
    placed = [column_of(name, columns) for name in names]
    named = [column for column, _ in placed]
    if any(span > 1 for _, span in placed) or named != sorted({*named}):
        return []
    grouped = grouped_phrases(line, names, [columns[column] for column in named])
    labels = segments_of(line)[: -len(grouped)] if grouped else []
    cells = [(*column_of(part, columns), part) for part in labels]
    cells += [(named[first], named[end - 1] - named[first] + 1, part) for part, first, end in grouped]
    return cells if all(one[0] + one[1] <= other[0] for one, other in pairwise(cells)) else []


def _placed(part: list[Word], columns: Sequence[tuple[float, float]]) -> list[PlacedCell]:
    """Place a segment of a header: as several cells, if its names are close together, each over another column."""
    cells = [(*column_of(name, columns), name) for name in parts_of(part, MIN_CUT_GAP_EM)]
    is_parted = len({column for column, _, _ in cells}) == len(cells) and all(span == 1 for _, span, _ in cells)
    return cells if is_parted else [(*column_of(part, columns), part)]


def disjoint_cells(cells: Sequence[PlacedCell]) -> list[PlacedCell]:
    """Return cells from the left, one for each column: lines of one name are joined, spans end at the next cell."""
    row: list[PlacedCell] = []
    for column, span, words in sorted(cells, key=lambda cell: cell[0]):
        if row and row[-1][0] == column:
            row[-1] = (column, min(span, row[-1][1]), [*row[-1][2], *words])
            continue
        if row:
            first, width, above = row[-1]
            row[-1] = (first, min(width, column - first), above)
        row.append((column, span, words))
    return row


def rows_by_band(
    bands: Sequence[Band], columns: Sequence[tuple[float, float]], *, by_rows: bool, has_borders: bool = False
) -> Iterator[list[Cells]]:
    """Yield the rows of each band: one, if the rules part the rows, or as the distance of its lines tells.

    Args:
        bands: Bands below the header.
        columns: Columns of the table.
        by_rows: True if each row has a rule above and below it.
        has_borders: True if the columns are those of cells that draw their own borders.
    """
    by_band = [[_cells_of(line, columns) for line in band.lines] for band in bands]
    single = list(map(_may_be_one_row, by_band))
    # Where rules part most rows, they part all: cells of some wrap in every column.
    are_rows = len(bands) > MIN_BODY_ROWS and (by_rows or 2 * sum(single) > len(bands))
    are_rows = are_rows and not any(map(has_values, by_band))
    for band, cells, is_single in zip(bands, by_band, single, strict=True):
        # A single band between two rules may be of several rows, unless it has one label.
        is_alone = has_borders and sum(0 in line for line in cells) == 1
        if len(cells) == 1 or ((len(bands) > 1 or is_alone) and (is_single or are_rows)):
            yield [_merged(cells)]
        else:
            yield split_rows(band.lines, cells, len(columns))


def _may_be_one_row(lines: Sequence[Cells]) -> bool:
    """Return True if a column has a single line, so that all others of the row wrap, and no column has two numbers."""
    counts = Counter(column for cells in lines for column in cells)
    return len(counts) > 1 and min(counts.values()) == 1 and not has_values(lines)


def has_values(lines: Sequence[Cells]) -> bool:
    """Return True if a column has numbers on two lines: these are two rows."""
    if len(lines) == 1:
        return False
    columns = [column for cells in lines for column, words in cells.items() if _is_number(words)]
    return len({*columns}) < len(columns)


def _merged(lines: Iterable[Cells]) -> Cells:
    row: Cells = {}
    for cells in lines:
        for column, words in cells.items():
            row.setdefault(column, []).extend(words)
    return row


def split_rows(lines: Sequence[Line], cells: Sequence[Cells], columns: int) -> list[Cells]:
    """Group the lines between two rules into rows."""
    counts = centred_rows(cells)
    if counts:
        ends = list(accumulate(counts, initial=0))
        return [_merged(cells[start:end]) for start, end in pairwise(ends)]
    size = median_low(line.size for line in lines)
    steps = [below.y1 - line.y1 for line, below in pairwise(lines)]
    leading = min((step for step in steps if step > size / 2), default=0.0)
    if leading > MAX_LEADING_EM * size and max(steps) <= MAX_LEADING_RATIO * leading:
        return list(cells)
    close = [step <= MAX_LEADING_RATIO * leading for step in steps]
    full = sum(is_close and len(line) == columns for is_close, line in zip(close, cells[1:], strict=True))
    # Where most lines close to the one above fill all columns, they are rows.
    by_distance = not all(close) and 2 * full <= sum(close)
    wrapped = wrapped_labels(cells)
    rows = [_merged(cells[:1])]
    for number, (is_close, line) in enumerate(zip(close, cells[1:], strict=True), 1):
        continues = by_distance or number in wrapped or _is_continuation(rows[-1], line)
        if continues and is_close and not _has_conflict(rows[-1], line):
            rows[-1] = _merged([rows[-1], line])
        else:
            rows.append(_merged([line]))
    return rows


def _is_continuation(row: Cells, line: Cells) -> bool:
    """Return True if a line continues a row whose lines are as close as rows are: the row begins further left.

    Of a row without its first column, as one of a group, only texts that it has go on.
    """
    return min(line) > min(row) and (0 in row or line.keys() <= row.keys())


def _has_conflict(row: Cells, line: Cells) -> bool:
    """Return True if a line has a number in a column where the row has one, or a time or date of the same form."""
    return any(column in row and _are_figures(row[column], words) for column, words in line.items())


def _are_figures(words: Sequence[Word], below: Sequence[Word]) -> bool:
    if _is_number(words) and _is_number(below):
        return True
    # A time may be the rest of the date above it.
    forms = {re.sub(r"\d+", "0", "".join([word.text for word in part])) for part in (words, below)}
    return len(forms) == 1 and all(_FIGURES.fullmatch(word.text) for word in (*words, *below))


def _is_number(words: Sequence[Word]) -> bool:
    """Return True if words are numbers, with or without a currency sign before them."""
    return all(is_number(word.text) for word in words[bool(_SIGN.fullmatch(words[0].text)) :])


def is_header(first: Cells, others: Sequence[Cells]) -> bool:
    """Return True if a row is bold, and not all others are."""
    words = [word for part in first.values() for word in part]
    body = [word for row in others for part in row.values() for word in part]
    return len(first) > 1 and all(word.bold for word in words) and not all(word.bold for word in body)


def centred_rows(lines: Sequence[Cells]) -> list[int]:
    """Return the number of lines of each row, if all rows have cells of one middle; else nothing.

    The first and the last row may be cut by the end of a page if a row of several lines shows that others are centred.

    Args:
        lines: Words by column of each visual line between two rules, from the top.
    """
    if not 1 < len(lines) <= MAX_LINES or not _may_be_centred(lines):
        return []
    leading = _max_cell_step(lines)
    counts = _parted(lines, leading, can_be_cut=False) or _parted(lines, leading, can_be_cut=True)
    ends = accumulate(counts)
    is_proven = any(
        count > 1 and _is_row(lines, end - count, end, leading) for end, count in zip(ends, counts, strict=True)
    )
    return counts if is_proven else []


def _parted(lines: Sequence[Cells], leading: float, *, can_be_cut: bool) -> list[int]:
    """Return the number of lines of each row: as many whole rows as there can be, and as few others."""
    # The best that ends with each line, and the first line of its last row.
    best: list[tuple[int, int, int] | None] = [(0, 0, 0)]
    for end in range(1, len(lines) + 1):
        ways: list[tuple[int, int, int]] = []
        for start in range(max(0, end - MAX_ROW_LINES), end):
            above = best[start]
            if above is None:
                continue
            if _is_row(lines, start, end, leading):
                ways.append((above[0] + 1, above[1] - 1, start))
            elif can_be_cut and _is_part(lines, start, end, leading):
                ways.append((above[0], above[1] - 1, start))
        best.append(max(ways, default=None))
    counts: list[int] = []
    end = len(lines)
    while end and (way := best[end]) is not None:
        counts.append(end - way[2])
        end = way[2]
    return counts[::-1]


def _may_be_centred(lines: Sequence[Cells]) -> bool:
    """Return True if the first line has no label, or lines are closer than lines of one text."""
    return 0 not in lines[0] or any(
        _bottom(below) - _bottom(line) < MIN_LINE_STEP_EM * _size(line) for line, below in pairwise(lines)
    )


def _max_cell_step(lines: Sequence[Cells]) -> float:
    """Return the greatest distance of two lines of one cell; 0 if no column has two lines."""
    last: dict[int, float] = {}
    steps: list[float] = []
    for line in lines:
        for column, words in line.items():
            if column in last:
                steps.append(words[0].y1 - last[column])
            last[column] = words[0].y1
    return MAX_LEADING_RATIO * min(steps, default=0.0)


def _is_row(lines: Sequence[Cells], start: int, end: int, leading: float) -> bool:
    """Return True if lines have a label, and the same middle and no lines further apart than `leading` in a column."""
    by_column = _columns(lines[start:end])
    if 0 not in by_column or len(by_column) == 1:
        return False
    middles = [(parts[0][0].y0 + parts[-1][0].y1) / 2 for parts in by_column.values()]
    if max(middles) - min(middles) > CENTRE_TOLERANCE_EM * _size(lines[start]):
        return False
    return _are_close(by_column, leading)


def _is_part(lines: Sequence[Cells], start: int, end: int, leading: float) -> bool:
    """Return True for a sum without a label, and for what the end of a page leaves of the first or last row."""
    by_column = _columns(lines[start:end])
    if end - start == 1 and 0 not in by_column and len(by_column) > 1:
        return any(is_number(word.text) for word in by_column[max(by_column)][0])
    is_cut = end == len(lines) or (start == 0 and 0 not in by_column)
    # Without more white between rows than within them, nothing tells where a row without its label begins.
    is_apart = all(
        _bottom(lines[edge]) - _bottom(lines[edge - 1]) > leading for edge in (start, end) if 0 < edge < len(lines)
    )
    return is_cut and is_apart and _are_close(by_column, leading)


def _columns(lines: Iterable[Cells]) -> dict[int, list[Sequence[Word]]]:
    by_column: dict[int, list[Sequence[Word]]] = {}
    for line in lines:
        for column, words in line.items():
            by_column.setdefault(column, []).append(words)
    return by_column


def _are_close(by_column: Mapping[int, Sequence[Sequence[Word]]], leading: float) -> bool:
    return all(below[0].y1 - above[0].y1 <= leading for parts in by_column.values() for above, below in pairwise(parts))


def _bottom(line: Cells) -> float:
    return max(word.y1 for words in line.values() for word in words)


def _size(line: Cells) -> float:
    return next(iter(line.values()))[0].size


def wrapped_labels(lines: Sequence[Cells]) -> set[int]:
    """Return the numbers of the lines that go on in the label above them; none unless several prove that labels wrap.

    Those prove it that begin with a small letter, if all such ones would not have fitted behind the words above them,
    and some labels begin with capitals.

    Args:
        lines: Words by column of each line of a table's body, from the top; labels are in column 0.
    """
    labels = [line.get(0, ()) for line in lines]
    widest = max((words[-1].x1 - words[0].x0 for words in labels if words), default=0.0)
    small = {n for n, words in enumerate(labels) if words and words[0].text[0].islower()}
    capitals = sum(bool(words) and words[0].text[0].isupper() for words in labels)
    if min(len(small), capitals) < MIN_WRAPPED_LABELS or not all(_is_full(labels, n, widest) for n in small):
        return set()
    # Of words with capitals, those alone in their line go on, too.
    alone = {n for n, line in enumerate(lines) if set(line) == {0} and _is_full(labels, n, widest)}
    return small | alone


def _is_full(labels: Sequence[Sequence[Word]], number: int, widest: float) -> bool:
    """Return True if the first word of a label does not fit behind the last one of the line above, or ends it."""
    above, label = labels[number - 1] if number else (), labels[number]
    if not above:
        return False
    width = above[-1].x1 - above[0].x0 + label[0].x1 - label[0].x0
    return above[-1].text[-1] in HYPHENS or width >= MIN_LABEL_FILL_SHARE * widest
