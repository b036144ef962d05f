"""Part titles in the margin from the paragraphs at their side, whose first lines are on the same baseline."""

import re
from collections.abc import Iterator, Sequence

from pincite.formats.pdf.page.words import Line, Word, line_of

MIN_GAP_EM = 1.0
"""White between a title in the margin and the text."""

MAX_EDGE_DIFFERENCE_EM = 0.2
"""Distance of two left edges that are one."""

MAX_TITLE_LINES = 4
MIN_TEXT_CHARS = 30
"""Characters of a line of text at the side of a title; values at the side of labels are shorter."""

_LETTERS = re.compile(r"[^\W\d_]{3}")
"""What a title has, and no bullet."""


def part_margin_titles(lines: Sequence[Line]) -> list[Line]:
    """Return lines with each title in the margin, as one line, before the lines at its side.

    A title is in bold or italic type or another colour, and the text, which is in another look, goes on below it at its
    own left edge.
    """
    parted: list[Line] = []
    index = 0
    while index < len(lines):
        pairs = list(_pairs(lines[index : index + MAX_TITLE_LINES]))
        following = index + len(pairs)
        if pairs and following < len(lines) and _goes_on(pairs[-1][1], lines[following]):
            parted.append(line_of([word for title, _ in pairs for word in title.words]))
            parted += (text for _, text in pairs)
            index = following
        else:
            parted.append(lines[index])
            index += 1
    return parted


def _pairs(lines: Sequence[Line]) -> Iterator[tuple[Line, Line]]:
    """Yield the title and the text of the first lines, as far as each has both and the texts have one left edge."""
    last: Line | None = None
    for line in lines:
        count = _title_words(line.words)
        if not count:
            return
        title, text = line_of(line.words[:count]), line_of(line.words[count:])
        if len(text.text) < MIN_TEXT_CHARS or not _LETTERS.search(title.text):
            return
        if last is not None and not _goes_on(last, text):
            return
        yield title, text
        last = text


def _title_words(words: Sequence[Word]) -> int:
    """Return how many words of a line are a title in the margin; 0 for none."""
    look = _look(words[0])
    count = next((number for number, word in enumerate(words) if _look(word) != look), 0)
    if not count or look == (False, False, 0) or any(_look(word) == look for word in words[count:]):
        return 0
    return count if words[count].x0 - words[count - 1].x1 > MIN_GAP_EM * words[count].size else 0


def _goes_on(line: Line, below: Line) -> bool:
    is_aligned = abs(below.x0 - line.x0) < MAX_EDGE_DIFFERENCE_EM * line.size
    return is_aligned and 0 < below.y1 - line.y1 < 2 * line.size and _look(below.words[0]) == _look(line.words[0])


def _look(word: Word) -> tuple[bool, bool, int]:
    return word.bold, word.italic, word.colour
