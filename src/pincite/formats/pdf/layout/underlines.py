"""Underlined lines, which are titles in type of body size in prints that look like a typewriter's."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import Line

MAX_RISE_EM, MAX_DROP_EM = 0.2, 0.3
"""Distance of the rule above and below the highest lower edge of the words, which is the baseline or, if all words have
descenders, .2 em below it. A rule below the head of a table is further down; one that cancels a text is above it."""
END_TOLERANCE_EM = 0.3
"""Distance of the ends of the rule from those of the text: lines of a form and of a table go on."""
MAX_GAP_EM = 0.9
"""White within the rule: browsers leave it out at descenders, `gg` included, and some writers below spaces."""
MAX_WHITE_EM = 1.5
"""White between the words of a title; more parts those of a running head, or of the row of a table."""
MAX_PIECES = 100
"""Pieces of the rule of one line; more are the lines of a drawing."""


Piece = tuple[float, float, float]
"""A rule: its position, start and end."""


def pieces_of(rules: Iterable[Rule]) -> list[Piece]:
    """Return horizontal rules from the top."""
    return sorted((rule.position, rule.start, rule.end) for rule in rules)


def is_underlined(line: Line, rules: Sequence[Piece]) -> bool:
    """Return True if a rule right below a line is as wide as its words.

    Args:
        line: The line.
        rules: All horizontal rules of the page, from the top.
    """
    baseline = min([word.below for word in line.words])
    if math.isinf(baseline):
        return False
    first = bisect_left(rules, (baseline - MAX_RISE_EM * line.size,))
    last = bisect_right(rules, (baseline + MAX_DROP_EM * line.size, math.inf))
    # Below most lines is no rule.
    if not 0 < last - first <= MAX_PIECES:
        return False
    if any(after.x0 - word.x1 > MAX_WHITE_EM * line.size for word, after in pairwise(line.words)):
        return False
    pieces = sorted((start, end) for _, start, end in rules[first:last] if end > line.x0 and start < line.x1)
    if not pieces:
        return False
    tolerance, end = END_TOLERANCE_EM * line.size, max(end for _, end in pieces)
    is_as_wide = abs(pieces[0][0] - line.x0) <= tolerance and abs(end - line.x1) <= tolerance
    return is_as_wide and all(after[0] - before[1] <= MAX_GAP_EM * line.size for before, after in pairwise(pieces))
