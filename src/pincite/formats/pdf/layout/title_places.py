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


class Place(Enum):
    """Place of a title between the edges of its column."""

    UNKNOWN = 0
    CENTRE = 1
    LEFT = 2
    INDENTED = 3
    RIGHT = 4


def title_place(parts: Sequence[object], index: int) -> Place:
    """Return the place of a title on its page; unknown without text in its column, or if it fills that.

    Args:
        parts: Paragraphs and regions of the page, in reading order.
        index: Number of the title among them.
    """
    title = parts[index]
    texts = list(_texts_near(parts, index, _edges(title))) if isinstance(title, Paragraph) else []
    if not texts or not isinstance(title, Paragraph):
        return Place.UNKNOWN
    left, right = _edges(texts[0])
    right = max(right, *(other for edge, other in map(_edges, texts) if abs(edge - left) <= title.lines[0].size))
    return _place(title, left, right)


def _texts_near(parts: Sequence[object], index: int, title: tuple[float, float]) -> Iterator[Paragraph]:
    """Yield the paragraphs of text in the column of a title, those below it before those above it."""
    for number in (*range(index + 1, index + 1 + MAX_PARTS_AWAY), *range(index - 1, index - 1 - MAX_PARTS_AWAY, -1)):
        part = parts[number] if 0 <= number < len(parts) else None
        if not isinstance(part, Paragraph) or len(part.lines) < MIN_TEXT_LINES or len(part.text.text) < MIN_TEXT_CHARS:
            continue
        left, right = _edges(part)
        if min(right, title[1]) - max(left, title[0]) >= (title[1] - title[0]) / 2:
            yield part


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
    if abs(white_right) <= MAX_EDGE_DIFFERENCE_EM * em:
        return Place.RIGHT
    return Place.CENTRE if abs(white_left - white_right) <= MAX_CENTRE_DIFFERENCE_EM * em else Place.UNKNOWN
