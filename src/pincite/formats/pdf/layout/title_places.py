"""Places of titles in their column, which tell the levels of titles in one type: centred ones and those at the left."""

from collections.abc import Iterator, Sequence
from enum import Enum

from pincite.formats.pdf.layout.paragraphs import Paragraph

MIN_TEXT_LINES, MIN_TEXT_CHARS = 2, 100
"""Size of a paragraph that shows the edges of its column; titles are shorter."""
MAX_PARTS_AWAY = 8
"""Parts below a title, and above it, among which the text of its column is."""
MAX_EDGE_DIFFERENCE_EM = 0.5
"""Distance of a title's edge from that of its column, at which it is set there."""
MIN_WHITE_EM = 3.0
"""White at the left of a title that is centred or at the right; that of others is an indent."""
MIN_INDENT_EM = 0.9
"""Indent of titles of a lower level."""
MAX_CENTRE_DIFFERENCE_EM = 1.5
"""Difference of the white at both sides of a centred title: the text's right margin may be ragged."""

MAX_RAGGED_EM = 3.0
"""White at the right of the longest line of some texts whose right margin is ragged."""


class Place(Enum):
    """Place of a title between the edges of its column."""

    UNKNOWN = 0
    CENTRE = 1
    LEFT = 2
    INDENTED = 3
    RIGHT = 4


def title_place(parts: Sequence[object], index: int) -> Place:
    """Return the place of a title on its page; unknown without text in its column, or if its one line fills that.

    Args:
        parts: Paragraphs and regions of the page, in reading order.
        index: Number of the title among them.
    """
    title = parts[index]
    if not isinstance(title, Paragraph):
        return Place.UNKNOWN
    column = _column_of(title, list(_texts_near(parts, index)))
    if column is None:
        return Place.UNKNOWN
    place = _place(title, *column)
    return place if place is not Place.UNKNOWN else _place_of_lines(title)


def _texts_near(parts: Sequence[object], index: int) -> Iterator[Paragraph]:
    """Yield the paragraphs of text near a title, those below it before those above it."""
    for number in (*range(index + 1, index + 1 + MAX_PARTS_AWAY), *range(index - 1, index - 1 - MAX_PARTS_AWAY, -1)):
        part = parts[number] if 0 <= number < len(parts) else None
        if isinstance(part, Paragraph) and len(part.lines) >= MIN_TEXT_LINES and len(part.text.text) >= MIN_TEXT_CHARS:
            yield part


def _column_of(title: Paragraph, texts: Sequence[Paragraph]) -> tuple[float, float] | None:
    """Return the edges of the first text in the column of a title, as wide as the widest of those at its left edge."""
    em, (title_left, title_right) = title.lines[0].size, _edges(title)
    edges = [_edges(text) for text in texts]
    for left, _ in edges:
        right = max(other_right for other, other_right in edges if abs(other - left) <= em)
        # The longest line of a text whose right margin is ragged ends left of a title that is set at the right.
        if min(right + MAX_RAGGED_EM * em, title_right) - max(left, title_left) >= (title_right - title_left) / 2:
            return left, right
    return None


def _edges(paragraph: Paragraph) -> tuple[float, float]:
    return min(line.x0 for line in paragraph.lines), max(line.x1 for line in paragraph.lines)


def _place(title: Paragraph, left: float, right: float) -> Place:
    em = title.lines[0].size
    title_left, title_right = _edges(title)
    white_left, white_right = title_left - left, right - title_right
    if white_left <= MAX_EDGE_DIFFERENCE_EM * em:
        return Place.LEFT if white_right > MIN_WHITE_EM * em else Place.UNKNOWN
    if white_left < MIN_WHITE_EM * em:
        return Place.INDENTED if white_left >= MIN_INDENT_EM * em and white_right > MIN_WHITE_EM * em else Place.UNKNOWN
    if -MAX_RAGGED_EM * em <= white_right <= MAX_EDGE_DIFFERENCE_EM * em:
        return Place.RIGHT
    return Place.CENTRE if abs(white_left - white_right) <= MAX_CENTRE_DIFFERENCE_EM * em else Place.UNKNOWN


def _place_of_lines(title: Paragraph) -> Place:
    """Return the place of a title whose first line fills its column, by where its shortest line is."""
    em = title.lines[0].size
    widest, shortest = (one(title.lines, key=lambda line: line.x1 - line.x0) for one in (max, min))
    white_left, white_right = shortest.x0 - widest.x0, widest.x1 - shortest.x1
    if white_left + white_right <= MIN_WHITE_EM * em:
        return Place.UNKNOWN
    if abs(white_right) <= MAX_EDGE_DIFFERENCE_EM * em:
        return Place.RIGHT
    if abs(white_left) <= MAX_EDGE_DIFFERENCE_EM * em:
        return Place.LEFT
    return Place.CENTRE if abs(white_left - white_right) <= MAX_EDGE_DIFFERENCE_EM * em else Place.UNKNOWN
