"""Grounds of headers: shaded cells side by side, or a band as wide as the rules below it, part a header as rules do."""

from collections.abc import Iterable, Sequence

from pincite.formats.pdf.page.rectangles import Rectangle
from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tables.striped import (
    JOIN_TOLERANCE_PT,
    MAX_BAND_GAP_RATIO,
    MAX_SHADES,
    SNAP_TOLERANCE_PT,
    Stripe,
    shaded_rows,
)

MAX_GROUNDS = 100
"""Rows of shaded areas; a page with more is a drawing, and each is compared with all rules and lines."""


def ground_rules(lines: Sequence[Line], shades: Sequence[Rectangle], rules: Iterable[Rule]) -> list[Rule]:
    """Return horizontal rules at the edges of grounds behind headers.

    Args:
        lines: Visual lines of the page or of one of its columns, from the top.
        shades: Shaded areas of the page, as x0, y0, x1, y1.
        rules: Horizontal rules of the page.
    """
    if not 0 < len(shades) <= MAX_SHADES:
        return []
    rows = shaded_rows(shades)
    if len(rows) > MAX_GROUNDS:
        return []
    edges: list[Rule] = []
    horizontal = list(rules)
    for row in rows:
        x0, top, x1, bottom, joints = row
        inside = [line for line in lines if top < (line.y0 + line.y1) / 2 < bottom and line.x0 < x1 and line.x1 > x0]
        if not inside or any(_belongs_to(row, other) for other in rows):
            continue
        below = [
            rule for rule in horizontal if rule.position > bottom - SNAP_TOLERANCE_PT and _is_as_wide(rule, x0, x1)
        ]
        if below or joints:
            edges += [Rule(top, x0, x1, joints)] if below else []
            edges.append(Rule(bottom, x0, x1, joints))
    return edges


def _is_as_wide(rule: Rule, x0: float, x1: float) -> bool:
    return max(abs(rule.start - x0), abs(rule.end - x1)) <= JOIN_TOLERANCE_PT


def _belongs_to(row: Stripe, other: Stripe) -> bool:
    """Return True if a shaded row is close above or below another: they are stripes, rows, or parts of a drawing."""
    is_beside = other.x0 < row.x1 and other.x1 > row.x0 and other is not row
    gap = MAX_BAND_GAP_RATIO * max(row.y1 - row.y0, other.y1 - other.y0)
    return is_beside and row.y0 <= other.y1 + gap and row.y1 >= other.y0 - gap
