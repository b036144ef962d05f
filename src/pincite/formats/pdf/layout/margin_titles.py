"""Part titles and notes in the margin from the lines at their side, whose first lines are on the same baseline."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from pincite.formats.pdf.page.words import Line, Word, line_of

MIN_GAP_EM = 1.0
"""White between a title in the margin and the text."""

MAX_EDGE_DIFFERENCE_EM = 0.2
"""Distance of two left edges that are one."""

MIN_NOTE_GAP_EM = 2.0
"""White between a line and a note in the margin."""
MAX_NOTE_SIZE_RATIO = 0.95
"""Size of a note relative to the line at its side."""

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


def part_margin_notes(lines: Sequence[Line]) -> list[Line]:
    """Return lines with the first line of each note in the margin apart from the line at its left.

    A note is in smaller type, and goes on below at its own left edge.
    """
    parted: list[Line] = []
    for line, below in zip_longest(lines, lines[1:]):
        count = _words_before_note(line, below) if below is not None else 0
        parted += [line_of(line.words[:count]), line_of(line.words[count:])] if count else [line]
    return parted


def _words_before_note(line: Line, below: Line) -> int:
    """Return how many words are at the left of the first line of a note that goes on in the next line; 0 for none."""
    edge = below.words[0].x0
    # Most lines begin where the one above begins.
    if line.words[0].x0 > edge - MAX_EDGE_DIFFERENCE_EM * line.words[0].size:
        return 0
    count = next(
        (number for number, word in enumerate(line.words) if word.x0 > edge - MAX_EDGE_DIFFERENCE_EM * word.size), 0
    )
    if not count or line.words[count].x0 - line.words[count - 1].x1 < MIN_NOTE_GAP_EM * line.words[count - 1].size:
        return 0
    note = line_of(line.words[count:])
    is_smaller = note.size <= MAX_NOTE_SIZE_RATIO * line.words[count - 1].size and below.size == note.size
    return count if is_smaller and _goes_on(note, below) else 0


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
    # Most lines begin in plain type.
    if look == (False, False, 0):
        return 0
    count = next((number for number, word in enumerate(words) if _look(word) != look), 0)
    if not count or any(_look(word) == look for word in words[count:]):
        return 0
    return count if words[count].x0 - words[count - 1].x1 > MIN_GAP_EM * words[count].size else 0


def _goes_on(line: Line, below: Line) -> bool:
    is_aligned = abs(below.x0 - line.x0) < MAX_EDGE_DIFFERENCE_EM * line.size
    return is_aligned and 0 < below.y1 - line.y1 < 2 * line.size and _look(below.words[0]) == _look(line.words[0])


def _look(word: Word) -> tuple[bool, bool, int]:
    return word.bold, word.italic, word.colour
