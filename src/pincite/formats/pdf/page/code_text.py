"""Text of code, as it is set: each word in the column where it begins."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from pincite.formats.pdf.page.characters import SOFT_BREAK, UNMAPPED
from pincite.formats.pdf.page.placed_text import PlacedText, line_box
from pincite.formats.pdf.page.words import Line
from pincite.formats.writing.text_boxes import TextBox

MAX_LEADING_EM = 1.9
"""Distance of two lines without a blank line between them."""


def code_text(lines: Sequence[Line]) -> PlacedText:
    """Return lines in a monospaced font with their indents and blank lines, and a box for each.

    Args:
        lines: At least one, from the top.
    """
    advance = median((word.x1 - word.x0) / len(word.text) for line in lines for word in line.words)
    left = min(line.x0 for line in lines)
    steps = [below.y1 - line.y1 for line, below in pairwise(lines)]
    leading = min(steps, default=0.0)
    text = ""
    boxes: list[TextBox] = []
    for line, step in zip(lines, [0.0, *steps], strict=True):
        if text:
            # Without two adjoining lines to measure it, the usual leading tells a blank line.
            unit = leading if leading <= MAX_LEADING_EM * line.size else leading / 2
            text += "\n" * max(1, round(step / unit))
        boxes.append(TextBox(line_box(line.words), len(text)))
        text += _line(line, left, advance)
    return PlacedText(text, tuple(boxes))


def _line(line: Line, left: float, advance: float) -> str:
    """Return the characters of a line, each word in the column where it begins."""
    text, last = "", None
    for word in line.words:
        column = round((word.x0 - left) / max(advance, 0.1))
        # One space at least, also in a font whose letters differ in width.
        is_apart = last is not None and word.first > last.last + 1
        text = text.ljust(max(column, len(text) + is_apart)) + word.text
        last = word
    # A hyphen at the end of a line belongs to the code.
    return text[:-1] + "-" if text.endswith((SOFT_BREAK, UNMAPPED)) else text
