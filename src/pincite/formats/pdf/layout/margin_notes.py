"""Split notes in the margin from the lines at their side, whose first lines are on the same baseline."""

from collections.abc import Sequence
from itertools import zip_longest

from pincite.formats.pdf.page.words import Line, Word, line_of

MAX_EDGE_DIFFERENCE_EM = 0.2
"""Distance of two left edges that are one."""

MIN_NOTE_GAP_EM = 2.0
"""White between a line and a note in the margin."""
MAX_NOTE_SIZE_RATIO = 0.95
"""Size of a note relative to the line at its side."""


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


def _goes_on(line: Line, below: Line) -> bool:
    is_aligned = abs(below.x0 - line.x0) < MAX_EDGE_DIFFERENCE_EM * line.size
    return is_aligned and 0 < below.y1 - line.y1 < 2 * line.size and _look(below.words[0]) == _look(line.words[0])


def _look(word: Word) -> tuple[bool, bool, int]:
    return word.bold, word.italic, word.colour
