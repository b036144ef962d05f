"""Areas of a page that are drawings: the short texts in them are labels, no headings."""

from collections.abc import Iterable, Sequence

from pincite.formats.pdf.page.rectangles import Rectangle
from pincite.formats.pdf.page.rules import Point, Rules
from pincite.formats.pdf.page.words import Line

MIN_SLANTS, MIN_CURVES = 3, 30
"""Slanted lines or ends of curves that make a drawing; a box with round corners has twelve ends."""
MAX_STEP_PT = 60.0
"""Distance, down the page, of two lines of one drawing."""
MAX_LABEL_REACH_PT, MAX_LABEL_RISE_PT = 60.0, 6.0
"""Distance of a label from the middles of slanted lines and ends of curves, at their sides and above or below."""
MAX_LABEL_CHARS = 60
"""Length of a line of a label; a drawing around a longer one is the ground of a text."""


def drawings(rules: Rules, lines: Sequence[Line]) -> list[Rectangle]:
    """Return the areas of drawings with their labels, from the top.

    Args:
        rules: All lines of the page.
        lines: The page's lines of text.
    """
    areas: list[Rectangle] = []
    for group in _groups([*((y, x, True) for x, y in rules.slants), *((y, x, False) for x, y in rules.curves)]):
        slants = sum(is_slant for _, _, is_slant in group)
        if slants >= MIN_SLANTS or len(group) - slants >= MIN_CURVES:
            area = _area([(x, y) for y, x, _ in group])
            if not any(is_inside(line, area) and len(line.text) > MAX_LABEL_CHARS for line in lines):
                areas.append(area)
    return areas


def is_inside(line: Line, area: Rectangle) -> bool:
    """Return True if the middle of a line is in an area."""
    x0, y0, x1, y1 = area
    return x0 <= (line.x0 + line.x1) / 2 <= x1 and y0 <= (line.y0 + line.y1) / 2 <= y1


def _groups(points: Iterable[tuple[float, float, bool]]) -> list[list[tuple[float, float, bool]]]:
    """Part points, by their y, where the white between them is too high for one drawing."""
    groups: list[list[tuple[float, float, bool]]] = []
    for point in sorted(points):
        if not groups or point[0] - groups[-1][-1][0] > MAX_STEP_PT:
            groups.append([])
        groups[-1].append(point)
    return groups


def _area(points: Sequence[Point]) -> Rectangle:
    across, down = [x for x, _ in points], [y for _, y in points]
    return (
        min(across) - MAX_LABEL_REACH_PT,
        min(down) - MAX_LABEL_RISE_PT,
        max(across) + MAX_LABEL_REACH_PT,
        max(down) + MAX_LABEL_RISE_PT,
    )
