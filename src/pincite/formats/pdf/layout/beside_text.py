"""Lines beside the text of another column: they are as alone as lines with nothing at their side."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.page.words import Line

MIN_TEXT_LINES = 3
"""Lines of a paragraph that is a text of its own, and no label, cell or part of a running head."""
MIN_LINE_CHARS = 25
"""Mean length of the lines of a text's column; those of labels and notes are shorter."""
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
    places = [
        (number, index)
        for number, part in enumerate(parts)
        if isinstance(part, Paragraph)
        for index in range(len(part.lines))
    ]
    lines = [line for part in parts if isinstance(part, Paragraph) for line in part.lines]
    # Numbers of lines, as a pair for each word of a page would take as long as all the rest.
    line_of_word = {word.first: number for number, line in enumerate(lines) for word in line.words}
    marked = list(parts)
    for row in rows:
        numbers = {line_of_word.get(word.first) for word in row.words}
        if len(numbers) == 1:
            continue
        found = [None if number is None else places[number] for number in numbers]
        titles = [place for place in found if place is None or not _is_text(parts[place[0]], place[1])]
        for place in titles:
            part = parts[place[0]] if place is not None and place[1] == 0 else None
            below = parts[place[0] + 1] if place is not None and place[0] + 1 < len(parts) else None
            if place is None or not isinstance(part, Paragraph) or not isinstance(below, Paragraph):
                continue
            if (len(titles) == 1 or _is_running(below)) and _is_title(part, below, row):
                marked[place[0]] = replace(part, alone=True)
    return marked


def _is_text(part: object, index: int) -> bool:
    """Return True for a line within a text."""
    return isinstance(part, Paragraph) and len(part.lines) >= MIN_TEXT_LINES and index > 0


def _is_running(paragraph: Paragraph) -> bool:
    """Return True for the text of a column: what is at the side of a title above it is of another one."""
    count = len(paragraph.lines)
    return count >= MIN_TEXT_LINES and len(paragraph.text.text) >= MIN_LINE_CHARS * count


def _is_title(part: Paragraph, below: Paragraph, row: Line) -> bool:
    """Return True for a line above the first one of a text; labels of a drawing are above others."""
    if len(below.lines) < MIN_LINES_BELOW:
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
