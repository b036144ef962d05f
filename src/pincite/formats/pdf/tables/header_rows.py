"""Header rows of a borderless table: column names, and phrases that span several columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables.segments import (
    ALIGN_TOLERANCE_EM,
    Kind,
    Row,
    Segment,
    alignment_offset,
    is_aligned,
    is_year,
)
from pincite.formats.pdf.tables.table_rows import Column, column_of, is_year_row

MAX_OFFSET_SHARE = 0.25
"""Distance of a phrase's middle from that of its group, as a share of their mean width: cells have padding."""
MAX_COLUMNS = 24
"""Columns that are grouped; all runs of them are compared."""
Interval = tuple[float, float]
"""Left and right edge."""
CENTRE_TOLERANCE_EM = 0.6
"""Distance of two middles or edges that counts as centred or aligned."""
MAX_NAME_OFFSET_PT = 0.45
"""Distance of the edges or middles of two lines of one name, as converters round; a phrase over several is further."""
MIN_CUT_GAP_EM = 0.52
"""Gap between the names of two columns; words of one text are closer, half an em at most."""
MIN_REMARK_WORDS = 3
"""Words of a phrase in brackets that applies to all columns: `(dollars in millions)`."""
MIN_RULE_SHARE = 0.9
"""Share of the table's width that a rule covers which parts rows of the header; others are below single phrases."""
MAX_LABEL_REACH_EM = 6.0
"""Distance left of the first value column within which text of a header row belongs to that column."""
_Names = Mapping[int, tuple[Word, ...]]
"""Words above the columns, by index; none where there is no name."""


def phrase_groups(phrases: Sequence[Interval], columns: Sequence[Interval]) -> list[tuple[int, int]]:
    """Return the first column of each phrase and the one after its last; nothing unless all columns are in a group.

    Of several such groupings the one whose phrases are closest to the middles of their groups is returned.

    Args:
        phrases: Edges of the phrases, from the left.
        columns: Edges of the named columns below them, with their values.
    """
    count = len(columns)
    if not 1 < len(phrases) < count <= MAX_COLUMNS:
        return []
    # For each number of columns so far, the least sum of distances and the groups of the phrases so far.
    best: dict[int, tuple[float, list[tuple[int, int]]]] = {0: (0.0, [])}
    for phrase in phrases:
        following: dict[int, tuple[float, list[tuple[int, int]]]] = {}
        for first, (total, groups) in best.items():
            for end in range(first + 1, count + 1):
                offset = _offset(phrase, columns[first:end])
                if offset is not None and total + offset < following.get(end, (float("inf"), []))[0]:
                    following[end] = (total + offset, [*groups, (first, end)])
        best = following
    return best[count][1] if count in best else []


def _offset(phrase: Interval, columns: Sequence[Interval]) -> float | None:
    """Return the distance of a phrase from the middle of columns; 0 over a single one, None if it is not above them."""
    left, right = columns[0][0], columns[-1][1]
    if phrase[0] >= right or phrase[1] <= left:
        return None
    if len(columns) == 1:
        return 0.0
    offset = abs(sum(phrase) - left - right) / 2
    return offset if offset <= MAX_OFFSET_SHARE * (right - left) / len(columns) else None


@dataclass(frozen=True, slots=True)
class HeaderCell:
    """Words of a header over one column or several."""

    column: int
    span: int
    words: tuple[Word, ...]


def names_columns(row: Row, values: Sequence[Column]) -> bool:
    """Return True if a row above a table has text or years over a value column."""
    if is_year_row(row) and any(_is_over_any(segment, values) for segment in row.values):
        return True
    named = [
        segment
        for segment in row.texts
        if segment.x0 > values[0].x0 - MAX_LABEL_REACH_EM * row.size and _is_over_any(segment, values)
    ]
    return bool(named)


def _is_over_any(segment: Segment, columns: Sequence[Column]) -> bool:
    return any(segment.x0 < column.outer[1] and segment.x1 > column.outer[0] for column in columns)


def header_only_columns(rows: Sequence[Row], columns: Sequence[Column]) -> list[Column]:
    """Return empty columns that the last header row names, if it names all the other columns too."""
    for row in reversed(rows):
        # A row of one or two segments is a phrase rather than names of columns.
        if len(row.segments) > 2 and row.texts:  # noqa: PLR2004
            extra = [segment for segment in row.segments if not _is_over_any(segment, columns)]
            names_all = all(any(_is_over_any(segment, [column]) for segment in row.segments) for column in columns)
            if names_all and 0 < len(extra) <= len(row.segments) / 2:
                return [Column(one.x0, one.x1, (one.x0, one.x1)) for one in extra]
            return []
    return []


def header_cells(rows: Sequence[Row], columns: Sequence[Column], rules: Sequence[Rule] = ()) -> list[list[HeaderCell]]:
    """Return the header's cells by row; wrapped column names are merged into one row, unless a rule is between them.

    Args:
        rows: Rows of the header, from the top.
        columns: Columns of the table.
        rules: Horizontal rules of the page.
    """
    placed_rows = _widen_phrases(
        [
            [_place(part, columns) for segment in row.segments for part in _split_over_columns(segment, columns)]
            for row in rows
        ],
        columns,
    )
    header: list[list[HeaderCell]] = []
    for number, cells in enumerate(map(_merge_cells, placed_rows)):
        is_apart = number > 0 and _has_rule_between(rows[number - 1], rows[number], columns, rules)
        if header and not is_apart and not _has_spans(cells) and not _has_spans(header[-1]):
            header[-1] = _merge_cells([*header[-1], *cells])
        else:
            header.append(cells)
    return header


def _has_rule_between(above: Row, row: Row, columns: Sequence[Column], rules: Sequence[Rule]) -> bool:
    """Return True if a rule as wide as the table is between two rows, of which the lower is no remark."""
    if len(row.segments) == 1:
        return False
    left, right = columns[0].outer[0], columns[-1].outer[1]
    return any(
        above.base < rule.position < row.base
        and min(rule.end, right) - max(rule.start, left) >= MIN_RULE_SHARE * (right - left)
        for rule in rules
    )


def _split_over_columns(segment: Segment, columns: Sequence[Column]) -> list[Segment]:
    """Cut a segment whose parts are over columns of their own."""
    if segment.kind is not Kind.TEXT or len(segment.words) == 1 or _is_remark(segment.words):
        return [segment]
    tolerance = ALIGN_TOLERANCE_EM * segment.words[0].size
    edges = [column.x0 for column in columns if column.texts > column.values or not column.values]
    cuts = [n for n, word in enumerate(segment.words) if n and any(abs(word.x0 - edge) <= tolerance for edge in edges)]
    bounds = [0, *(cuts or _centred_cuts(segment, columns)), len(segment.words)]
    pieces = [segment.words[a:b] for a, b in pairwise(bounds)]
    return [
        replace(segment, words=words, x0=words[0].x0, x1=words[-1].x1, core=(words[0].x0, words[-1].x1))
        for words in pieces
    ]


def _centred_cuts(segment: Segment, columns: Sequence[Column]) -> list[int]:
    """Return where to cut a segment so that each part is centred or aligned over its column; empty if none fit."""
    overlapped = [column for column in columns if segment.x0 < column.outer[1] and segment.x1 > column.outer[0]]
    words = segment.words
    if len(overlapped) < 2:  # noqa: PLR2004
        return []
    nearest = [min(overlapped, key=lambda column: abs(column.centre - (word.x0 + word.x1) / 2)) for word in words]
    cuts = [index for index in range(1, len(words)) if nearest[index] is not nearest[index - 1]]
    if any(words[cut].x0 - words[cut - 1].x1 < MIN_CUT_GAP_EM * words[0].size for cut in cuts):
        return []
    parts = [(words[a], words[b - 1], nearest[a]) for a, b in pairwise([0, *cuts, len(words)])]
    limit = CENTRE_TOLERANCE_EM * words[0].size
    is_centred = all(_is_under(column, first.x0, last.x1, limit) for first, last, column in parts)
    return cuts if is_centred and len(parts) == len(overlapped) else []


def _is_under(column: Column, x0: float, x1: float, limit: float) -> bool:
    """Return True if text and column share their middle or an edge, within `limit` points."""
    return alignment_offset((x0, x1), column.outer) <= limit


def _has_spans(cells: Sequence[HeaderCell]) -> bool:
    return any(cell.span > 1 for cell in cells)


def _merge_cells(cells: Sequence[HeaderCell]) -> list[HeaderCell]:
    """Merge the cells that begin in the same column; limit spans to the next cell's column."""
    by_column: dict[int, HeaderCell] = {}
    for cell in sorted(cells, key=lambda cell: cell.column):
        previous = by_column.get(cell.column)
        merged = cell if previous is None else replace(previous, words=(*previous.words, *cell.words))
        by_column[cell.column] = merged
    ordered = list(by_column.values())
    for index, (cell, after) in enumerate(pairwise(ordered)):
        ordered[index] = replace(cell, span=min(cell.span, after.column - cell.column))
    return ordered


def _place(segment: Segment, columns: Sequence[Column]) -> HeaderCell:
    """Place a text over the columns it overlaps, a year over the value column with the nearest centre."""
    if segment.kind is not Kind.TEXT:
        middle = sum(segment.core) / 2
        with_values = [index for index, column in enumerate(columns) if column.values]
        nearest = min(with_values, key=lambda index: abs(columns[index].centre - middle))
        return HeaderCell(nearest, 1, segment.words)
    column, span = column_of(segment, columns)
    return HeaderCell(column, span, segment.words)


def _widen_phrases(rows: list[list[HeaderCell]], columns: Sequence[Column]) -> list[list[HeaderCell]]:
    """Widen the phrases of header rows to the columns that they span, by the names in the row below."""
    widened: list[list[HeaderCell]] = []
    names: dict[int, tuple[Word, ...]] = {index: () for index, column in enumerate(columns) if column.values}
    wide = columns
    first = min(names, default=0)
    for cells in reversed(rows):  # from the body upwards: each row is placed by the names below it
        over_values = [cell for cell in cells if cell.column + cell.span > first]
        # With as many phrases as names, each phrase has a column of its own.
        spanned = over_values
        if 0 < len(over_values) < len(names):
            spanned = _widen_row(over_values, names, columns)
            if spanned == over_values and not any(_is_line_of_any(cell, names) for cell in over_values):
                spanned = _widen_row(over_values, names, wide)
        widened.append([*(cell for cell in cells if cell not in over_values), *spanned])
        named = {
            index: cell.words
            for cell in sorted(over_values, key=lambda cell: cell.column)
            for index in range(cell.column, cell.column + cell.span)
        }
        names = named if len(named) > len(names) / 2 and len(over_values) > 1 else names
        wide = _with_names(wide, spanned)
    return widened[::-1]


def _with_names(columns: Sequence[Column], names: Iterable[HeaderCell]) -> list[Column]:
    """Return columns whose outer intervals include the names above them: phrases are centred over these, too."""
    wide = list(columns)
    for name in names:
        if name.span == 1:
            column = wide[name.column]
            wide[name.column] = replace(column, outer=_with_name(column.outer, name.words))
    return wide


def _widen_row(cells: Sequence[HeaderCell], below: _Names, columns: Sequence[Column]) -> list[HeaderCell]:
    named = sorted(below)
    # A remark, such as a unit, applies to all columns.
    if len(cells) == 1 and _is_remark(cells[0].words):
        return [_over(cells[0], named)]
    # Names that repeat, as 2023 2022 2023 2022, make groups: one phrase spans each.
    period = _repeat_period([_text(below[index]) for index in named], len(cells))
    groups = [named[n * period : (n + 1) * period] for n in range(len(cells))] if period else []
    if groups and all(_is_of_group(cell, group, below, columns) for cell, group in zip(cells, groups, strict=True)):
        return list(map(_over, cells, groups))
    if all(below[column] for column in named):
        edges = [_with_name(columns[column].outer, below[column]) for column in named]
        spans = phrase_groups([(cell.words[0].x0, cell.words[-1].x1) for cell in cells], edges)
        groups = [named[first:end] for first, end in spans]
        if groups and all(_may_span(cell.words, below, group) for cell, group in zip(cells, groups, strict=True)):
            return list(map(_over, cells, groups))
    # Otherwise each column is assigned to the phrase with the nearest middle.
    middles = [_middle(cell.words) for cell in cells]
    shares: list[list[int]] = [[] for _ in cells]
    for column in named:
        nearest = min(range(len(cells)), key=lambda index: abs(middles[index] - columns[column].centre))
        shares[nearest].append(column)
    return [
        _span_centred(cell, share, columns) if len(share) > 1 else cell
        for cell, share in zip(cells, shares, strict=True)
    ]


def _with_name(outer: tuple[float, float], name: Sequence[Word]) -> tuple[float, float]:
    return min(outer[0], name[0].x0), max(outer[1], name[-1].x1)


def _may_span(words: Sequence[Word], below: _Names, group: Sequence[int]) -> bool:
    """Return True if a phrase over several names is a year, which is no part of a name, or in line with none."""
    is_in_line_with_any = any(is_in_line(words, below[column]) for column in group)
    return len(group) == 1 or is_year(_text(words)) or not is_in_line_with_any


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _is_line_of_any(cell: HeaderCell, names: _Names) -> bool:
    """Return True if a phrase is in line with a name below it, as the first line of that is."""
    return any(words and is_in_line(cell.words, words) for words in names.values())


def is_in_line(words: Sequence[Word], below: Sequence[Word]) -> bool:
    """Return True if a line has an edge or the middle of one below it: a phrase over several names seldom has."""
    return is_aligned(words, below, MAX_NAME_OFFSET_PT)


def _repeat_period(names: Sequence[str], times: int) -> int:
    """Return the period of names that repeat `times` times; 0 if they do not."""
    size, left = divmod(len(names), times)
    if left or times == 1 or size == 1:
        return 0
    return size if all(names[index] == names[index % size] for index in range(len(names))) else 0


def _is_of_group(cell: HeaderCell, group: Sequence[int], below: _Names, columns: Sequence[Column]) -> bool:
    """Return True if a phrase over one of several groups with the same names spans the group, not one name in it."""
    x0, x1 = cell.words[0].x0, cell.words[-1].x1
    middle = (x0 + x1) / 2
    if not columns[group[0]].outer[0] <= middle <= columns[group[-1]].outer[1]:
        return False
    text = _text(cell.words)
    if _is_centred(middle, group, columns) or is_year(text) or all(is_year(_text(below[index])) for index in group):
        return True
    nearest = min(group, key=lambda column: abs(columns[column].centre - middle))
    return x1 - x0 > columns[nearest].outer[1] - columns[nearest].outer[0] and len(text) > len(_text(below[nearest]))


def _is_remark(words: Sequence[Word]) -> bool:
    """Return True if a phrase in brackets applies to all columns: `(dollars in millions)`."""
    return len(words) >= MIN_REMARK_WORDS and words[0].text.startswith("(") and words[-1].text.endswith(")")


def _span_centred(cell: HeaderCell, share: Sequence[int], columns: Sequence[Column]) -> HeaderCell:
    """Span a phrase over its share of the columns, or over two of them, if it is centred there."""
    edge, middle = cell.words[-1].x1, _middle(cell.words)
    # Right-aligned with one of the columns, a phrase is that column's name.
    if any(abs(edge - columns[column].outer[1]) < MAX_NAME_OFFSET_PT for column in share[:-1]):
        return cell
    # Texts, such as units, may be beside the values that a phrase spans.
    values = [column for column in share if columns[column].values]
    are_neighbours = 1 < len(values) == values[-1] - values[0] + 1
    groups = (share, values) if are_neighbours else (share,)
    spanned = next((group for group in groups if _spans_group(cell, group, middle, columns)), None)
    spanned = spanned or next((pair for pair in pairwise(share) if _is_centred(middle, pair, columns)), None)
    return cell if spanned is None else _over(cell, spanned)


def _over(cell: HeaderCell, group: Sequence[int]) -> HeaderCell:
    """Return a phrase over a group of columns."""
    return HeaderCell(group[0], group[-1] - group[0] + 1, cell.words)


def _spans_group(cell: HeaderCell, group: Sequence[int], middle: float, columns: Sequence[Column]) -> bool:
    """Return True if a phrase is centred over a group of columns and is not the name of the middle one."""
    nearest = min(group, key=lambda column: abs(columns[column].centre - middle))
    width = cell.words[-1].x1 - cell.words[0].x0
    # A narrow phrase over an odd number of columns is the name of the middle one.
    is_wide = len(group) % 2 == 0 or width > columns[nearest].outer[1] - columns[nearest].outer[0]
    return is_wide and _is_centred(middle, group, columns)


def _is_centred(middle: float, share: Sequence[int], columns: Sequence[Column]) -> bool:
    left, right = columns[share[0]].outer[0], columns[share[-1]].outer[1]
    return abs(middle - (left + right) / 2) <= MAX_OFFSET_SHARE * (right - left) / len(share)


def _middle(words: Sequence[Word]) -> float:
    return (words[0].x0 + words[-1].x1) / 2
