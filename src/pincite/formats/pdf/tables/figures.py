"""Drawings whose labels are aligned like cells: diagrams by their lines, charts by the scale of an axis."""

import math
import re
from collections.abc import Iterable
from itertools import pairwise

from pincite.formats.pdf.page.characters import UNMAPPED
from pincite.formats.pdf.page.rectangles import Rectangle, bounding_box
from pincite.formats.pdf.page.rules import Point, Rules
from pincite.formats.pdf.tables.draft import TableDraft
from pincite.formats.pdf.tables.segments import is_year

MIN_CURVES = 30
"""Ends of curves that make a drawing; a box with round corners has twelve."""
MAX_DRAWING_FILL_SHARE = 0.7
"""Share of filled cells above which slanted lines in a table with a header are pictures in its cells."""
MIN_SCALE_MARKS = 3
"""Numbers of a scale."""
MAX_SCALE_FILL_SHARE = 0.85
"""Share of filled cells above which numbers at equal steps are the keys of rows."""
MAX_HEADED_FILL_SHARE = 0.5
"""The same for a table with a header, whose first column more often has keys."""
MAX_STEP_DIFFERENCE_SHARE = 0.02
"""Share by which the steps of a scale may differ: marks are rounded."""
_PICTURE_FONT = re.compile(r"(?:^|\+)(?:line|lcircle)w?\d", re.IGNORECASE)
"""Names of the fonts with which LaTeX draws slanted lines and arcs."""
_MARK = re.compile(r"[-\u2212]?(\d+(?:\.\d+)?|\.\d+)[%KM]?")


def is_figure(draft: TableDraft, rules: Rules) -> bool:
    """Return True if a table has slanted lines or curves between its cells, or the scale of a chart as a column.

    Args:
        draft: The table.
        rules: All lines of its page.
    """
    fill = len(draft.cells) / max(1, draft.rows * draft.columns)
    if all(UNMAPPED in word.text for word in draft.words):
        return True
    if not draft.header_rows or fill < MAX_DRAWING_FILL_SHARE:
        box = bounding_box(draft.words)
        if _has_inside(rules.slants, box) or _has_inside(rules.curves, box, MIN_CURVES):
            return True
        if any(_PICTURE_FONT.search(word.font) for word in draft.words):
            return True
    return fill < (MAX_HEADED_FILL_SHARE if draft.header_rows else MAX_SCALE_FILL_SHARE) and _has_scale(draft)


def _has_inside(points: Iterable[Point], box: Rectangle, required: int = 1) -> bool:
    x0, y0, x1, y1 = box
    return sum(x0 <= x <= x1 and y0 <= y <= y1 for x, y in points) >= required


def _has_scale(draft: TableDraft) -> bool:
    """Return True if the first column is a scale: nothing but numbers that fall by equal steps from the top."""
    marks = [word.text for cell in draft.cells if cell.column == 0 for word in cell.words]
    numbers = [float(mark[0].rstrip("%KM").replace("\u2212", "-")) for text in marks if (mark := _MARK.fullmatch(text))]
    # Years name the groups of rows below them.
    if len(numbers) < max(MIN_SCALE_MARKS, len(marks)) or all(map(is_year, marks)):
        return False
    steps = [above - below for above, below in pairwise(numbers)]
    return steps[0] > 0 and all(math.isclose(step, steps[0], rel_tol=MAX_STEP_DIFFERENCE_SHARE) for step in steps)
