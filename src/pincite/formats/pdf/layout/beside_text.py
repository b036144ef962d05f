"""Lines beside the text of another column: they are as alone as lines with nothing at their side."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.page.words import Line

MIN_TEXT_LINES = 3
"""Lines of a paragraph that is a text of its own, and no label, cell or part of a running head."""
MIN_LINES_BELOW = 2
"""Lines of the text below a title."""
MIN_GUTTER_EM = 1.0
"""White between columns."""

_Part = TypeVar("_Part")


def beside_text(parts: Sequence[_Part | Paragraph], rows: Sequence[Line]) -> list[_Part | Paragraph]:
    """Return the parts of a page, with those paragraphs marked as alone that have only running text at their side.

    The label of a text is beside its first line; a title in another column is only by chance.

    Args:
        parts: The parts.
        rows: The page's visual lines.
    """
    places = {
        word.first: (number, index)
        for number, part in enumerate(parts)
        if isinstance(part, Paragraph)
        for index, line in enumerate(part.lines)
        for word in line.words
    }
    marked = list(parts)
    for row in rows:
        found = {places.get(word.first) for word in row.words}
        if len(found) == 1 or None in found:
            continue
        titles = [place for place in found if place is not None and not _is_text(parts[place[0]], place[1])]
        if len(titles) == 1:
            number, index = titles[0]
            part = parts[number]
            below = parts[number + 1] if number + 1 < len(parts) else None
            if isinstance(part, Paragraph) and index == 0 and _is_title(part, below, row):
                marked[number] = replace(part, alone=True)
    return marked


def _is_text(part: object, index: int) -> bool:
    """Return True for a line within a text."""
    return isinstance(part, Paragraph) and len(part.lines) >= MIN_TEXT_LINES and index > 0


def _is_title(part: Paragraph, below: object, row: Line) -> bool:
    """Return True for a line above the first one of a text; labels of a drawing are above others."""
    if not isinstance(below, Paragraph) or len(below.lines) < MIN_LINES_BELOW:
        return False
    line, first = part.lines[0], below.lines[0]
    is_above = part.lines[-1].y1 - first.y1 < 0 and min(line.x1, first.x1) > max(line.x0, first.x0)
    return is_above and _is_apart(line, row)


def _is_apart(line: Line, row: Line) -> bool:
    """Return True if the rest of a row is beyond a gutter."""
    own = {word.first for word in line.words}
    white = MIN_GUTTER_EM * line.size
    others = (word for word in row.words if word.first not in own)
    return all(word.x1 <= line.x0 - white or word.x0 >= line.x1 + white for word in others)
