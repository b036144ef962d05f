"""Header rows of borderless and partly ruled tables whose names are turned, as those of narrow columns often are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pincite.formats.pdf.page.words import Line, Word
from pincite.formats.pdf.tables.draft import TableDraft, WordCell

MAX_HEIGHT_EM, MAX_GAP_EM = 16.0, 2.0
"""Height of the row above the first row with values, and the white between both."""
MAX_DISTANCE_EM = 1.0
"""Distance of the middle of a name from the words of its column."""
MAX_OVERLAP_EM = 0.3
"""Overlap of the boxes of two rows."""
MIN_NAMES = 2
"""Columns with a turned name."""
MIN_NAMED_SHARE = 0.5
MAX_WORDS = 4
"""Words of an upright name beside turned ones."""


def with_turned_names(draft: TableDraft, lines: Iterable[Line], turned: Sequence[Word]) -> TableDraft:
    """Return a table with the row of names right above it, of which two or more are turned.

    Where there are some, a first row that is set as the others are is no header.

    Args:
        draft: The table.
        lines: Visual lines of the page.
        turned: Turned words of the page.
    """
    upright = [word for word in draft.words if not word.turns]
    if draft.header_rows > 1 or not turned or not upright:
        return draft
    size, top = upright[0].size, min(word.y0 for word in upright)
    columns = _extents(draft)
    own = {word.first for word in draft.words}
    above = [word for word in turned if word.first not in own and _is_above(word, top, size)]
    names = _by_column(above, columns, MAX_DISTANCE_EM * size)
    placed = [word for words in names.values() for word in words]
    if len(names) < MIN_NAMES or top - max(word.y1 for word in placed) > MAX_GAP_EM * size:
        return draft
    start = min(word.y0 for word in placed) - MAX_OVERLAP_EM * size
    beside = [
        word
        for line in lines
        for word in line.words
        if word.first not in own and start <= word.y0 and word.y1 <= top + MAX_OVERLAP_EM * size
    ]
    others = _by_column(beside, columns, MAX_DISTANCE_EM * size)
    is_row = names.keys().isdisjoint(others) and all(len(words) <= MAX_WORDS for words in others.values())
    cells = {**names, **others}
    if not is_row or len(cells) < MIN_NAMED_SHARE * draft.columns:
        return draft
    header = [WordCell(0, column, tuple(cells[column])) for column in sorted(cells)]
    body = (replace(cell, row=cell.row + 1) for cell in draft.cells)
    words = (*(word for cell in header for word in cell.words), *draft.words)
    return TableDraft(draft.rows + 1, draft.columns, 1 + _has_styled_header(draft), (*header, *body), words)


def _has_styled_header(draft: TableDraft) -> bool:
    looks = {word[5:10] for cell in draft.cells if cell.row < draft.header_rows for word in cell.words}
    return bool(looks) and looks.isdisjoint(word[5:10] for cell in draft.cells if cell.row == 1 for word in cell.words)


def _is_above(word: Word, top: float, size: float) -> bool:
    return top - MAX_HEIGHT_EM * size <= word.y0 and word.y1 <= top + MAX_OVERLAP_EM * size


def _extents(draft: TableDraft) -> dict[int, tuple[float, float]]:
    """Return the left and right edges of the words of each column."""
    extents: dict[int, tuple[float, float]] = {}
    for cell in draft.cells:
        if cell.column_span == 1 and cell.words:
            left, right = extents.get(cell.column, (cell.words[0].x0, cell.words[0].x1))
            edges = [edge for word in cell.words for edge in (word.x0, word.x1)]
            extents[cell.column] = (min(left, *edges), max(right, *edges))
    return extents


def _by_column(
    words: Iterable[Word], columns: Mapping[int, tuple[float, float]], max_distance: float
) -> dict[int, list[Word]]:
    """Return the words that are over a column, by its number."""
    found: dict[int, list[Word]] = {}
    for word in words:
        middle = (word.x0 + word.x1) / 2
        distances = {number: max(left - middle, middle - right, 0) for number, (left, right) in columns.items()}
        nearest = min(distances, key=lambda number: distances[number], default=None)
        if nearest is not None and distances[nearest] <= max_distance:
            found.setdefault(nearest, []).append(word)
    return found
