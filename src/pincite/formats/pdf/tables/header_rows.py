"""The rows above a table's body that name its columns, with what spans several of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables.columns import Column, column_of
from pincite.formats.pdf.tables.segments import ALIGNED, Kind, Row, Segment, is_year

OFF_CENTRE = 0.25
"""A phrase spans columns when its middle is no further from theirs than this share of their width."""
CENTRED = 0.6
"""Middles this close (em) are meant to be under each other."""
CUT_GAP = 0.55
"""Words that name two columns are further apart (em) than words of one text."""
REMARK_WORDS = 3
FARTHEST = 6.0
"""Left of the first value column (em), what a header row still says of it."""


@dataclass(frozen=True, slots=True)
class HeaderCell:
    """What a header says of one column or several."""

    column: int
    span: int
    words: tuple[Word, ...]


def is_years(row: Row) -> bool:
    """Whether all that a row's values are is years: it is over a table, not of it."""
    values = row.values
    return bool(values) and all(segment.kind is Kind.YEAR for segment in values)


def names_columns(row: Row, values: Sequence[Column]) -> bool:
    """Whether a row above a table says what stands in its value columns."""
    if is_years(row) and any(_over_one(segment, values) for segment in row.values):
        return True
    over = [
        segment
        for segment in row.segments
        if segment.x0 > values[0].x0 - FARTHEST * row.size and _over_one(segment, values)
    ]
    return bool(over)


def _over_one(segment: Segment, columns: Sequence[Column]) -> bool:
    return any(segment.x0 < column.outer[1] and segment.x1 > column.outer[0] for column in columns)


def named_only(rows: Sequence[Row], columns: Sequence[Column]) -> list[Column]:
    """Columns that the last header row names and that are empty: it names most of the others too."""
    for row in reversed(rows):
        if len(row.segments) > 2 and row.texts:  # noqa: PLR2004
            beside = [segment for segment in row.segments if not _over_one(segment, columns)]
            named = all(any(_over_one(segment, [column]) for segment in row.segments) for column in columns)
            if named and 0 < len(beside) <= len(row.segments) / 2:
                return [Column(one.x0, one.x1, (one.x0, one.x1)) for one in beside]
            return []
    return []


def header_cells(rows: Sequence[Row], columns: Sequence[Column]) -> list[list[HeaderCell]]:
    """The header of a table, row by row; lines that go on in one column are one row."""
    placed = _spanned(
        [[_plain(part, columns) for segment in row.segments for part in _parts(segment, columns)] for row in rows],
        columns,
    )
    header: list[list[HeaderCell]] = []
    for cells in map(_together, placed):
        if header and not _spans(cells) and not _spans(header[-1]):
            header[-1] = _together([*header[-1], *cells])
        else:
            header.append(cells)
    return header


def _parts(segment: Segment, columns: Sequence[Column]) -> list[Segment]:
    """A segment, cut where each part stands over a column of its own."""
    if segment.kind is not Kind.TEXT or len(segment.words) == 1 or _is_remark(segment.words):
        return [segment]
    near = ALIGNED * segment.words[0].size
    edges = [column.x0 for column in columns if column.texts > column.values or not column.values]
    cuts = [n for n, word in enumerate(segment.words) if n and any(abs(word.x0 - edge) <= near for edge in edges)]
    bounds = [0, *(cuts or _centred_cuts(segment, columns)), len(segment.words)]
    pieces = [segment.words[a:b] for a, b in pairwise(bounds)]
    return [
        replace(segment, words=words, x0=words[0].x0, x1=words[-1].x1, core=(words[0].x0, words[-1].x1))
        for words in pieces
    ]


def _centred_cuts(segment: Segment, columns: Sequence[Column]) -> list[int]:
    """Where a segment is cut if the middle of every part is that of the column below it."""
    over = [column for column in columns if segment.x0 < column.outer[1] and segment.x1 > column.outer[0]]
    words = segment.words
    if len(over) < 2:  # noqa: PLR2004
        return []
    nearest = [min(over, key=lambda column: abs(column.centre - (word.x0 + word.x1) / 2)) for word in words]
    cuts = [index for index in range(1, len(words)) if nearest[index] is not nearest[index - 1]]
    if any(words[cut].x0 - words[cut - 1].x1 < CUT_GAP * words[0].size for cut in cuts):
        return []
    parts = [(words[a], words[b - 1], nearest[a]) for a, b in pairwise([0, *cuts, len(words)])]
    limit = CENTRED * words[0].size
    fits = all(_is_under(column, first.x0, last.x1, limit) for first, last, column in parts)
    return cuts if fits and len(parts) == len(over) else []


def _is_under(column: Column, x0: float, x1: float, limit: float) -> bool:
    """Whether a column and what stands over it have their middles or an edge in common."""
    left, right = column.outer
    return min(abs(x0 + x1 - left - right) / 2, abs(x1 - right), abs(x0 - left)) <= limit


def _spans(cells: Sequence[HeaderCell]) -> bool:
    return any(cell.span > 1 for cell in cells)


def _together(cells: Sequence[HeaderCell]) -> list[HeaderCell]:
    """One cell for each place: what stands in the same columns is joined, in order."""
    by_column: dict[int, HeaderCell] = {}
    for cell in sorted(cells, key=lambda cell: cell.column):
        before = by_column.get(cell.column)
        joined = cell if before is None else replace(before, words=(*before.words, *cell.words))
        by_column[cell.column] = joined
    ordered = list(by_column.values())
    for index, (cell, after) in enumerate(pairwise(ordered)):
        ordered[index] = replace(cell, span=min(cell.span, after.column - cell.column))
    return ordered


def _plain(segment: Segment, columns: Sequence[Column]) -> HeaderCell:
    """A segment over the columns that it reaches over; a year over the one it stands nearest to."""
    if segment.kind is not Kind.TEXT:
        middle = sum(segment.core) / 2
        with_values = [index for index, column in enumerate(columns) if column.values]
        nearest = min(with_values, key=lambda index: abs(columns[index].centre - middle))
        return HeaderCell(nearest, 1, segment.words)
    column, span = column_of(segment, columns)
    return HeaderCell(column, span, segment.words)


def _spanned(rows: list[list[HeaderCell]], columns: Sequence[Column]) -> list[list[HeaderCell]]:
    """Header rows with phrases widened to the columns that the row below names and that they stand over."""
    done: list[list[HeaderCell]] = []
    below = {index: "" for index, column in enumerate(columns) if column.values}
    first = min(below, default=0)
    for cells in reversed(rows):
        over = [cell for cell in cells if cell.column + cell.span > first]
        wider = _widened(over, below, columns) if 0 < len(over) < len(below) else over
        done.append([*(cell for cell in cells if cell not in over), *wider])
        named = {
            index: " ".join(word.text for word in cell.words)
            for cell in sorted(over, key=lambda cell: cell.column)
            for index in range(cell.column, cell.column + cell.span)
        }
        below = named if len(named) > len(below) / 2 and len(over) > 1 else below
    return done[::-1]


def _widened(cells: Sequence[HeaderCell], below: Mapping[int, str], columns: Sequence[Column]) -> list[HeaderCell]:
    named = sorted(below)
    if len(cells) == 1 and _is_remark(cells[0].words):
        return [HeaderCell(named[0], named[-1] - named[0] + 1, cells[0].words)]
    middles = [(cell.words[0].x0 + cell.words[-1].x1) / 2 for cell in cells]
    again = _repeated([below[index] for index in named], len(cells))
    groups = [named[n * again : (n + 1) * again] for n in range(len(cells))] if again else []
    if groups and all(_is_of_group(cell, group, below, columns) for cell, group in zip(cells, groups, strict=True)):
        return [
            HeaderCell(group[0], group[-1] - group[0] + 1, cell.words)
            for cell, group in zip(cells, groups, strict=True)
        ]
    shares: list[list[int]] = [[] for _ in cells]
    for column in named:
        nearest = min(range(len(cells)), key=lambda index: abs(middles[index] - columns[column].centre))
        shares[nearest].append(column)
    return [
        _over(cell, share, middle, columns) if len(share) > 1 else cell
        for cell, share, middle in zip(cells, shares, middles, strict=True)
    ]


def _repeated(names: Sequence[str], times: int) -> int:
    """How many names there are before they come again, so many times in all; 0 where they do not."""
    size, left = divmod(len(names), times)
    if left or times == 1 or size == 1:
        return 0
    return size if all(names[index] == names[index % size] for index in range(len(names))) else 0


def _is_of_group(cell: HeaderCell, group: Sequence[int], below: Mapping[int, str], columns: Sequence[Column]) -> bool:
    """Whether a phrase over one of several groups of like names is said of the group, not of the name below it."""
    x0, x1 = cell.words[0].x0, cell.words[-1].x1
    middle = (x0 + x1) / 2
    if not columns[group[0]].outer[0] <= middle <= columns[group[-1]].outer[1]:
        return False
    text = " ".join(word.text for word in cell.words)
    if _is_centred(middle, group, columns) or is_year(text) or all(is_year(below[index]) for index in group):
        return True
    one = min(group, key=lambda column: abs(columns[column].centre - middle))
    return x1 - x0 > columns[one].outer[1] - columns[one].outer[0] and len(text) > len(below[one])


def _is_remark(words: Sequence[Word]) -> bool:
    """Whether a phrase in brackets says something of all columns: `(dollars in millions)`."""
    return len(words) >= REMARK_WORDS and words[0].text.startswith("(") and words[-1].text.endswith(")")


def _over(cell: HeaderCell, share: Sequence[int], middle: float, columns: Sequence[Column]) -> HeaderCell:
    """A phrase over its share of the columns or two of them, if it is set in their middle."""
    edge = cell.words[-1].x1
    if any(abs(edge - columns[column].outer[1]) < ALIGNED * cell.words[0].size for column in share[:-1]):
        return cell
    one = min(share, key=lambda column: abs(columns[column].centre - middle))
    wide = len(share) % 2 == 0 or edge - cell.words[0].x0 > columns[one].outer[1] - columns[one].outer[0]
    if wide and _is_centred(middle, share, columns):
        return HeaderCell(share[0], share[-1] - share[0] + 1, cell.words)
    pair = next((pair for pair in pairwise(share) if _is_centred(middle, pair, columns)), None)
    return cell if pair is None else HeaderCell(pair[0], pair[1] - pair[0] + 1, cell.words)


def _is_centred(middle: float, share: Sequence[int], columns: Sequence[Column]) -> bool:
    left, right = columns[share[0]].outer[0], columns[share[-1]].outer[1]
    return abs(middle - (left + right) / 2) <= OFF_CENTRE * (right - left) / len(share)
