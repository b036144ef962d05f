"""Lines that share their visual row with others of their column, as labels and terms do, and titles do not."""

from collections.abc import Iterable, Sequence
from statistics import quantiles

from pincite.formats.pdf.page.words import Line

MIN_COLUMN_LINES, MIN_LINE_CHARS = 5, 18
"""Lines of a column of text that begin at one edge, and characters of each; fewer may be the cells of a table."""
MIN_FILL_SHARE = 0.7
"""Share of the column's width that most of its lines fill: cells and labels mostly do not."""
_DECILES = 10

Column = tuple[float, float]
"""Left and right edge."""


def shared_rows(rows: Sequence[Line], lines: Sequence[Line]) -> set[int]:
    """Return the words, by first character, whose visual row has more words than their line, in its column of text.

    Args:
        rows: Visual lines of the page.
        lines: Its lines, each in its column.
    """
    by_first_word = {line.words[0].first: line for line in lines}
    shared = [
        (line, row)
        for row in rows
        if len(row.words) > 1
        for word in row.words
        if (line := by_first_word.get(word.first)) and len(line.words) < len(row.words)
    ]
    columns = _columns(lines) if shared else []
    if len(columns) < 2:  # noqa: PLR2004 - a line's own column, and that at its side
        return {word.first for line, _ in shared for word in line.words}
    return {word.first for line, row in shared if not _is_alone(line, row, columns) for word in line.words}


def _columns(lines: Iterable[Line]) -> list[Column]:
    """Return the columns of text of a page."""
    at_edge: dict[int, list[Line]] = {}
    for line in lines:
        if len(line.text) >= MIN_LINE_CHARS:
            at_edge.setdefault(round(line.x0), []).append(line)
    columns: list[Column] = []
    for own in at_edge.values():
        if len(own) < MIN_COLUMN_LINES:
            continue
        left = min(line.x0 for line in own)
        # Without the longest tenth: a title above two columns begins at the edge of the first.
        right = quantiles([line.x1 for line in own], n=_DECILES)[-1]
        full = sum(line.x1 - left >= MIN_FILL_SHARE * (right - left) for line in own)
        if 2 * full >= len(own):
            columns.append((left, right))
    return columns


def _is_alone(line: Line, row: Line, columns: Sequence[Column]) -> bool:
    """Return True if a line begins at the edge of a column of text, and all that is at its side is in others."""
    em = line.size
    # Labels of charts are anywhere in the column.
    own = next((column for column in columns if abs(column[0] - line.x0) < em and line.x1 < column[1] + em), None)
    if own is None:
        return False
    others = [column for column in columns if column[0] >= own[1] or column[1] <= own[0]]
    firsts = {word.first for word in line.words}
    return all(
        word.first in firsts or any(left - em < word.x0 and word.x1 < right + em for left, right in others)
        for word in row.words
    )
