"""Frames and grounds of code: a rule between two lines, or white between their grounds, parts two blocks."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pincite.formats.pdf.page.rectangles import Rectangle
from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Line

MIN_OVERHANG_EM = 1.0
"""Length of a frame's rule beyond the shorter of the lines at it: one that underlines ends with its line."""
EDGE_TOLERANCE_EM = 0.5
"""Distance by which a rule may begin right of the text: grounds may have no padding."""
MIN_GAP_PT = 1.0
"""White between the grounds of two blocks: those of single lines adjoin."""
MAX_LINE_GROUND_EM = 4.0
"""Height of the ground of a single line of code."""
MAX_GROUNDS = 500
"""Grounds of a page; more are drawings."""


class Frames:
    """Rules and grounds of a page, which part its code."""

    def __init__(self, rules: Rules) -> None:
        self._rules = sorted(rules.horizontal, key=lambda rule: rule.position)
        self._positions = [rule.position for rule in self._rules]
        # The largest first: a line that is marked in colour has a ground within that of its block.
        shades = rules.shades if len(rules.shades) <= MAX_GROUNDS else []
        self._grounds = sorted(shades, key=lambda shade: shade[1] - shade[3])
        self._from_top = sorted(shades, key=lambda shade: shade[1])

    def parted(self, lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
        """Yield the parts of a run of code, from the top."""
        grounds = [self._ground(line) for line in lines]
        start = 0
        for number, (line, below) in enumerate(pairwise(lines), 1):
            if self._are_apart(grounds[number - 1], grounds[number]) or self._has_rule(line, below):
                yield lines[start:number]
                start = number
        yield lines[start:]

    def has_ground(self, line: Line) -> bool:
        """Return True if a line is on a ground of its own that reaches beyond its end, as that of words does not."""
        ground = self._ground(line)
        if ground is None or ground[3] - ground[1] > MAX_LINE_GROUND_EM * line.size:
            return False
        return ground[2] >= line.x1 + MIN_OVERHANG_EM * line.size

    def _has_rule(self, line: Line, below: Line) -> bool:
        first = bisect_left(self._positions, (line.y0 + line.y1) / 2)
        last = bisect_right(self._positions, (below.y0 + below.y1) / 2)
        left = min(line.x0, below.x0) + EDGE_TOLERANCE_EM * line.size
        right = min(line.x1, below.x1) + MIN_OVERHANG_EM * line.size
        return any(rule.start <= left and rule.end >= right for rule in self._rules[first:last])

    def _ground(self, line: Line) -> Rectangle | None:
        """Return the largest ground of a line."""
        x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
        return next((shade for shade in self._grounds if shade[0] <= x <= shade[2] and shade[1] <= y <= shade[3]), None)

    def _are_apart(self, ground: Rectangle | None, below: Rectangle | None) -> bool:
        """Return True for two grounds with white between: that of a blank line has no text."""
        if ground is None or below is None:
            return False
        left, _, right, bottom = ground
        for x0, top, x1, end in self._from_top:
            if x0 < right and x1 > left and top < bottom + MIN_GAP_PT:
                bottom = max(bottom, end)
        return below[1] - bottom >= MIN_GAP_PT
