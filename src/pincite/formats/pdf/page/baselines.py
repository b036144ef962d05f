"""Baselines of lines of code.

In most files all boxes of a font are as high as its line. In those of office programs boxes are those of the glyphs: a
line in which a sign reaches below the baseline ends lower than one without any.
"""

import re
from collections.abc import Iterable, Mapping
from statistics import median

from pincite.formats.pdf.page.words import Line

_LOW = re.compile(r"[gjpqyQ,;()\[\]{}|_@]")
"""Signs that reach below the baseline."""
_HIGH = re.compile(r"[A-Zbdfhklt0-9(){}\[\]|]")
"""Signs as high as capital letters."""


def depths(lines: Iterable[Line]) -> Mapping[float, float]:
    """Return how far signs reach below the baseline, by font size, in points; 0 where all boxes are equally high."""
    heights: dict[tuple[float, bool], list[float]] = {}
    for line in lines:
        if _HIGH.search(line.text):
            heights.setdefault((_size(line), _is_low(line)), []).append(line.y1 - line.y0)
    return {
        size: max(0.0, median(low) - median(heights[size, False]))
        for (size, is_low), low in heights.items()
        if is_low and (size, False) in heights
    }


def baseline(line: Line, below: Mapping[float, float]) -> float:
    """Return the baseline of a line; the lower edge of its box where boxes are all as high.

    Args:
        line: The line.
        below: What `depths` returns for its page or block.
    """
    return line.y1 - below.get(_size(line), 0.0) * _is_low(line)


def _is_low(line: Line) -> bool:
    return _LOW.search(line.text) is not None


def _size(line: Line) -> float:
    return round(line.size, 1)
