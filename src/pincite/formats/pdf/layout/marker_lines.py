"""Join bullets and numbers of list items with their texts, where a file has all of a page's markers after its text."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from pincite.formats.pdf.page.markers import is_bullet
from pincite.formats.pdf.page.words import Line, is_rtl, line_of, overlaps_half
from pincite.text.excerpt import REPLACEMENT

MAX_GAP_EM = 2.0
"""White between a marker and its item: browsers leave less than an em."""
_NUMBER = re.compile(r"(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,6}|[IVXLC]{1,6})[.)]")
"""Number of an item; `(1)` is that of an equation, which is left of the next column."""


def join_markers(lines: Sequence[Line]) -> list[Line]:
    """Return lines in file order, with each marker that is a line of its own before the words behind it."""
    markers = [number for number, line in enumerate(lines) if _is_marker(line)]
    if not markers:
        return list(lines)
    apart = set(markers)
    by_top = sorted((line.y0, number) for number, line in enumerate(lines) if number not in apart)
    items: dict[int, Line] = {}
    joined: set[int] = set()
    for number in markers:
        marker = lines[number]
        height = marker.y1 - marker.y0
        near = by_top[bisect_left(by_top, (marker.y0 - height,)) : bisect_right(by_top, (marker.y1,))]
        at_side = (item for _, item in near if item not in items and _is_item(marker, lines[item]))
        item = min(at_side, key=lambda item: _gap(marker, lines[item]), default=None)
        if item is not None:
            items[item] = line_of((*marker.words, *lines[item].words))
            joined.add(number)
    return [items.get(number, line) for number, line in enumerate(lines) if number not in joined]


def _is_marker(line: Line) -> bool:
    word = line.words[0]
    is_known = is_bullet(word.text) and word.text != REPLACEMENT
    return len(line.words) == 1 and not word.turns and (is_known or _NUMBER.fullmatch(word.text) is not None)


def _is_item(marker: Line, line: Line) -> bool:
    first = line.words[0]
    is_on_row = overlaps_half(marker.y0, marker.y1, line.y0, line.y1) and not first.turns
    return is_on_row and first.text[0].isalnum() and 0 < _gap(marker, line) <= MAX_GAP_EM * line.size


def _gap(marker: Line, line: Line) -> float:
    """Return the white between a marker and a line behind it, which is at its left if it runs from right to left."""
    return marker.x0 - line.x1 if is_rtl(line.words[0]) else line.x0 - marker.x1
