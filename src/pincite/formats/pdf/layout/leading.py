"""Distance and size of the lines of a text."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from pincite.formats.pdf.page.code_text import is_monospaced
from pincite.formats.pdf.page.words import Line

DEFAULT_LEADING_EM = 1.2
"""Distance of two lines of a paragraph on pages with too few lines to measure it."""
MIN_LEADING_STEPS = 4
"""Equal distances of lines that show the leading of a part of the page; of fewer, some are between paragraphs."""
MAX_SIZE_DIFFERENCE_SHARE = 0.06
"""Share of the larger font size by which lines of one paragraph may differ."""
MIN_CODE_SIZE_RATIO = 0.75
"""Size of code within a text, relative to the text's: Typst sets it at .8, browsers at .8 to .9."""


def leading_of_page(lines: Sequence[Line]) -> float:
    """Return the commonest distance of two lines of a page, in em; infinity if few lines show it."""
    leading, count = _commonest_step(lines)
    return leading if count >= MIN_LEADING_STEPS else math.inf


def leading_of_part(lines: Sequence[Line], page_leading: float) -> float:
    """Return the commonest distance of two lines, in em; the page's if it is smaller and few of the lines show it."""
    own, count = _commonest_step(lines)
    if count >= MIN_LEADING_STEPS:
        return own
    return min(own if count > 1 else DEFAULT_LEADING_EM, page_leading)


def _commonest_step(lines: Sequence[Line]) -> tuple[float, int]:
    """Return the commonest distance of two lines, in em, and how often it occurs."""
    # Steps outside of 0.8 to 2.5 em are gaps between paragraphs or overprinted lines.
    steps = Counter(
        [
            round(step, 1)
            for line, below in pairwise(lines)
            # The step first, as it takes the least time.
            if line.size and 0.8 < (step := (below.y1 - line.y1) / line.size) < 2.5  # noqa: PLR2004 - in em
            if is_same_block(line, below)
        ]
    )
    return steps.most_common(1)[0] if steps else (0.0, 0)


def is_same_block(line: Line, below: Line) -> bool:
    """Return True if two lines have the same font size and overlap horizontally."""
    return min(line.x1, below.x1) > max(line.x0, below.x0) and is_same_size(line, below)


def is_same_size(line: Line, other: Line) -> bool:
    """Return True if two lines are in type of one size; code within a text may be smaller than it."""
    if _are_near(line.size, other.size):
        return True
    size, other_size = text_size(line), text_size(other)
    if size and other_size:
        return _are_near(size, other_size)
    # A line that is all code, between lines of text: not two of them, which may be a title and a block.
    code_size, body_size = (line.size, other_size) if other_size else (other.size, size)
    return MIN_CODE_SIZE_RATIO * body_size <= code_size <= body_size and body_size > 0


def _are_near(size: float, other: float) -> bool:
    return size == other or abs(size - other) <= MAX_SIZE_DIFFERENCE_SHARE * max(size, other)


def text_size(line: Line) -> float:
    """Return the size of most characters of a line that are not in a monospaced font; 0 without any."""
    fonts = {word.font for word in line.words}
    if not any(map(is_monospaced, fonts)):
        return line.size
    sizes: Counter[float] = Counter()
    for word in line.words:
        if not is_monospaced(word.font):
            sizes[word.size] += len(word.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0
