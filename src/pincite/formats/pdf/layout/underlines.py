"""What the rules of a page mark: underlined texts, and areas of drawings."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import TypeVar

from pincite.formats.pdf.layout.paragraphs import Paragraph, part_title
from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.rectangles import Rectangle
from pincite.formats.pdf.page.rules import Point, Rule, Rules
from pincite.formats.pdf.page.words import Line, Word

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
MAX_TITLE_LINES = 3
"""Lines of an underlined title; more are an underlined text."""
_PartT = TypeVar("_PartT")
MIN_SLANTS, MIN_CURVES = 3, 30
"""Slanted lines or ends of curves that make a drawing; a box with round corners has twelve ends."""
MAX_STEP_PT = 60.0
"""Distance, down the page, of two lines of one drawing."""
MAX_LABEL_REACH_PT, MAX_LABEL_RISE_PT = 60.0, 6.0
"""Distance of a label from the middles of slanted lines and ends of curves, at their sides and above or below."""
MAX_LABEL_CHARS = 60
"""Length of a line of a label; a drawing around a longer one is the ground of a text."""


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


def with_underlined(
    parts: Sequence[_PartT | Paragraph], rules: Rules, to_text: Callable[[Sequence[Word]], PlacedText]
) -> list[_PartT | Paragraph]:
    """Return the parts of a page, with underlined paragraphs marked as such, and titles above a text parted from it.

    Args:
        parts: Paragraphs, and regions of other kinds.
        rules: Ruling lines of the page.
        to_text: Joins words of consecutive lines to text.
    """
    pieces = pieces_of(rules.horizontal)
    if not pieces:
        return list(parts)
    marked = [
        one for part in parts for one in (_parted(part, pieces, to_text) if isinstance(part, Paragraph) else (part,))
    ]
    flags = [isinstance(part, Paragraph) and part.underlined for part in marked]
    # Of several below each other each is a part of an underlined text.
    return [
        replace(part, underlined=False) if isinstance(part, Paragraph) and own and (above or below) else part
        for part, above, own, below in zip(marked, [False, *flags], flags, [*flags[1:], False], strict=False)
    ]


def _parted(
    paragraph: Paragraph, pieces: Sequence[Piece], to_text: Callable[[Sequence[Word]], PlacedText]
) -> Iterator[Paragraph]:
    lines = paragraph.lines
    count = sum(1 for _ in takewhile(lambda line: is_underlined(line, pieces), lines[: MAX_TITLE_LINES + 1]))
    if count == len(lines) <= MAX_TITLE_LINES:
        yield replace(paragraph, underlined=True)
        return
    if 0 < count <= MAX_TITLE_LINES:
        title = to_text([word for line in lines[:count] for word in line.words])
        parted = part_title(paragraph, count, title)
        # What is underlined to the end of a line by chance goes on in small letters.
        if parted and not lines[count].words[0].text[0].islower():
            yield replace(parted[0], underlined=True)
            yield parted[1]
            return
    yield paragraph


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
