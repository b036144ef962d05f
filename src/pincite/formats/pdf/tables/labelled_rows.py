"""Rows of a table with a narrow column of labels and long texts beside them, which leave white down the page."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tables.centred_rows import MIN_LINE_STEP_EM
from pincite.formats.pdf.tables.segments import MAX_WRAPPED_STEP_EM

MIN_LABELLED_ROWS = 3
"""Rows that begin with a label, their header included."""
MIN_LABEL_GAP_EM = 0.4
"""White between a label and the text at its side; a space is narrower."""
EDGE_TOLERANCE_PT = 1.5
"""Distance of the left edges of texts in one column, one of which is rounded."""
MAX_LABEL_WORDS = 3
"""Words of a label."""


def labelled_span(lines: Sequence[Line], gutter: float) -> list[tuple[float, float]]:
    """Return top and bottom of a table whose columns of text are on both sides of white down the page; [] for none.

    Each row begins with a label, a text at its side, which may wrap, and one behind the white; most begin below white
    on one side, as texts of a row differ in length. No other line begins left of the texts, as in two columns of text.

    Args:
        lines: Visual lines, from the top.
        gutter: Middle of the white.
    """
    texts = [_labelled_text(line, gutter) for line in lines]
    edges = Counter(round(text) for text in texts if text is not None)
    edge, count = edges.most_common(1)[0] if edges else (0, 0)
    if count < MIN_LABELLED_ROWS:
        return []
    rows = [number for number, text in enumerate(texts) if text is not None and abs(text - edge) <= EDGE_TOLERANCE_PT]
    rights = [next((word.x0 for word in lines[row].words if word.x0 >= gutter), None) for row in rows]
    right = Counter(round(x0) for x0 in rights if x0 is not None).most_common(1)
    if not right or right[0][1] < MIN_LABELLED_ROWS:
        return []
    start, right_edge = edge - EDGE_TOLERANCE_PT, right[0][0] - EDGE_TOLERANCE_PT
    starts = {row for row, x0 in zip(rows, rights, strict=True) if x0 is not None and _is_at(x0, right_edge)}
    # A line further left that is none of the rows is between two tables.
    runs: list[list[int]] = [[]]
    for number, line in enumerate(lines):
        if number in starts:
            runs[-1].append(number)
        elif line.x0 < start:
            runs.append([])
    run = max(runs, key=len)
    if len(run) < MIN_LABELLED_ROWS:
        return []
    first, last = run[0], run[-1]
    wrapped = sum(_is_at(line.x0, start) for line in lines[first : last + 1])
    ended = sum(not _has_both(lines[row - 1], right_edge) for row in run[1:])
    if 2 * wrapped < len(run) or 2 * ended < len(run) - 1 or are_uneven(lines[first : last + 1]):
        return []
    while last + 1 < len(lines) and _goes_on(lines[last + 1], lines[last], start):
        last += 1
    return [(lines[first].y0, lines[last].y1)]


def are_uneven(lines: Sequence[Line]) -> bool:
    """Return True if lines are closer than those of one text: they are of two columns, each with heights of its own."""
    return any(below.y1 - line.y1 < MIN_LINE_STEP_EM * line.size for line, below in pairwise(lines))


def _is_at(x0: float, least: float) -> bool:
    return least <= x0 <= least + 2 * EDGE_TOLERANCE_PT


def _labelled_text(line: Line, gutter: float) -> float | None:
    """Return where the text behind the label of a line begins; None for a line without a label."""
    for label, word in pairwise(line.words[: MAX_LABEL_WORDS + 1]):
        if word.x0 >= gutter:
            return None
        if word.x0 - label.x1 >= MIN_LABEL_GAP_EM * line.size:
            return word.x0
    return None


def _has_both(line: Line, edge: float) -> bool:
    """Return True if a line has text on both sides of the left edge of the column at the right."""
    return line.words[0].x0 < edge <= line.words[-1].x0


def _goes_on(line: Line, above: Line, edge: float) -> bool:
    return line.x0 >= edge and line.y1 - above.y1 <= MAX_WRAPPED_STEP_EM * line.size
