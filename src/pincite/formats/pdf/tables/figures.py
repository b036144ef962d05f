"""Drawings and matrices whose texts are aligned like cells.

Diagrams are told by their lines, charts by bars or the scale of an axis, matrices by their brackets.
"""

import math
import re
from collections import Counter
from collections.abc import Container, Iterable
from itertools import pairwise, product

from pincite.formats.pdf.page.characters import UNMAPPED
from pincite.formats.pdf.page.rectangles import Rectangle, bounding_box
from pincite.formats.pdf.page.rules import Point, Rule, Rules
from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables.draft import TableDraft
from pincite.formats.pdf.tables.segments import is_year

MIN_CURVES = 30
"""Ends of curves that make a drawing; a box with round corners has twelve."""
MAX_DRAWING_FILL_SHARE = 0.7
"""Share of filled cells above which slanted lines in a table with a header are pictures in its cells."""
MIN_SCALE_MARKS = 3
"""Numbers of a scale."""
MAX_SCALE_FILL_SHARE = 0.85
"""Share of filled cells above which numbers at equal steps are the keys of rows, and brackets parts of its cells."""
MAX_HEADED_FILL_SHARE = 0.5
"""The same for a table with a header, whose first column more often has keys."""
MAX_STEP_DIFFERENCE_SHARE = 0.02
"""Share by which the steps of a scale may differ: marks are rounded."""
MIN_BAR_RISE_PT, MIN_BAR_TOPS = 10.0, 5
"""Rise of the bars of a chart above the labels below them, and their different tops: borders of cells have one."""
MIN_WHISKER_PT, MAX_WHISKER_PT = 3.0, 12.0
"""Height of the bar at the end of an interval; corners of cells may be drawn as lower ones."""
MIN_WHISKERS = 3
MIN_BRACKETS = 2
MAX_BRACKET_FOOT_PT = 8.0
"""Length of the feet of a bracket that is drawn; cells are wider."""
_BRACKETS = frozenset("()[]{}")
_BRACKET_FONT = re.compile(r"(?:^|\+)cmex\d", re.IGNORECASE)
"""Names of the font with whose brackets TeX encloses more than one line."""
_PICTURE_FONT = re.compile(r"(?:^|\+)(?:line|lcircle)w?\d", re.IGNORECASE)
"""Names of the fonts with which LaTeX draws slanted lines and arcs."""
_MARK = re.compile(r"[-\u2212]?(\d+(?:\.\d+)?|\.\d+)[%KM]?")


def is_figure(draft: TableDraft, rules: Rules) -> bool:
    """Return True if a table has lines of a drawing or brackets between its cells, or the scale of a chart as a column.

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
        if fill < MAX_SCALE_FILL_SHARE and any(map(_is_tall_bracket, draft.words)):
            return True
        if _has_bars(rules.vertical, box) or _has_whiskers(rules, box) or _has_brackets(rules, box):
            return True
    return fill < (MAX_HEADED_FILL_SHARE if draft.header_rows else MAX_SCALE_FILL_SHARE) and _has_scale(draft)


def _has_inside(points: Iterable[Point], box: Rectangle, required: int = 1) -> bool:
    x0, y0, x1, y1 = box
    return sum(x0 <= x <= x1 and y0 <= y <= y1 for x, y in points) >= required


def _is_tall_bracket(word: Word) -> bool:
    return word.text in _BRACKETS and bool(_BRACKET_FONT.search(word.font))


def _has_bars(vertical: Iterable[Rule], box: Rectangle) -> bool:
    """Return True if vertical rules rise to different heights above the box that they end in."""
    x0, y0, x1, y1 = box
    tops = {
        round(rule.start)
        for rule in vertical
        if x0 <= rule.position <= x1 and rule.start <= y0 - MIN_BAR_RISE_PT and y0 <= rule.end <= y1
    }
    return len(tops) >= MIN_BAR_TOPS


def _has_whiskers(rules: Rules, box: Rectangle) -> bool:
    """Return True if short vertical bars end horizontal lines: intervals, as on a line of time."""
    ends = _ends(rules.horizontal)
    # Borders of cells that are drawn piece by piece go on above or below.
    pieces = Counter((round(rule.position), round(y)) for rule in rules.vertical for y in (rule.start, rule.end))
    middles = (
        (rule.position, (rule.start + rule.end) / 2)
        for rule in rules.vertical
        if MIN_WHISKER_PT <= rule.end - rule.start <= MAX_WHISKER_PT
        and all(pieces[round(rule.position), round(y)] == 1 for y in (rule.start, rule.end))
    )
    return _has_inside((point for point in middles if _is_near(point, ends)), box, MIN_WHISKERS)


def _has_brackets(rules: Rules, box: Rectangle) -> bool:
    """Return True if all vertical rules have short feet at both ends, and no other rule there: square brackets."""
    x0, y0, x1, y1 = box
    sides = [rule for rule in rules.vertical if x0 <= rule.position <= x1 and y0 < (rule.start + rule.end) / 2 < y1]
    if len(sides) < MIN_BRACKETS:
        return False
    feet, others = set[Point](), set[Point]()
    for rule in rules.horizontal:
        (feet if rule.end - rule.start <= MAX_BRACKET_FOOT_PT else others).update(_ends([rule]))
    return all(
        _is_near((side.position, y), feet) and not _is_near((side.position, y), others)
        for side in sides
        for y in (side.start, side.end)
    )


def _ends(horizontal: Iterable[Rule]) -> set[Point]:
    """Return the ends of horizontal rules in whole points."""
    return {(round(x), round(rule.position)) for rule in horizontal for x in (rule.start, rule.end)}


def _is_near(point: Point, ends: Container[Point]) -> bool:
    """Return True if one of the ends, in whole points, is at a point."""
    x, y = map(round, point)
    return any((x + right, y + down) in ends for right, down in product((-1, 0, 1), repeat=2))


def _has_scale(draft: TableDraft) -> bool:
    """Return True if the first column is a scale: nothing but numbers that fall by equal steps from the top."""
    marks = [word.text for cell in draft.cells if cell.column == 0 for word in cell.words]
    numbers = [float(mark[0].rstrip("%KM").replace("\u2212", "-")) for text in marks if (mark := _MARK.fullmatch(text))]
    # Years name the groups of rows below them.
    if len(numbers) < max(MIN_SCALE_MARKS, len(marks)) or all(map(is_year, marks)):
        return False
    steps = [above - below for above, below in pairwise(numbers)]
    return steps[0] > 0 and all(math.isclose(step, steps[0], rel_tol=MAX_STEP_DIFFERENCE_SHARE) for step in steps)
