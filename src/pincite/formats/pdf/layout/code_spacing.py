"""White between lines of code: blank lines, whose number is whole, or the distance of two blocks."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from statistics import median

from pincite.formats.pdf.page.code_text import (
    MAX_BLANK_RATIO,
    MAX_LEADING_EM,
    MAX_STEP_DEVIATION,
    code_depths,
    code_steps,
)
from pincite.formats.pdf.page.words import Line

MAX_ONLY_STEP_EM = 3.5
"""Distance of two lines of a block on a page without adjoining lines of code, by which blank lines could be counted."""
MAX_LEADING_RATIO = 1.25
"""Distance of two lines relative to the least one, up to which nothing is between them."""
MIN_LEADING_EM = 1.1
"""Least distance of two lines of code on a page without adjoining ones: fonts of code are as high."""


def parted_by_white(runs: Sequence[Sequence[Line]], known: dict[float, float]) -> list[list[Sequence[Line]]]:
    """Return the blocks of each run of code of a page: the white between two is no whole number of lines.

    Args:
        runs: Lines of code, in runs from top to bottom.
        known: Distance of two adjoining lines by font size, on pages before it; this page's are added.
    """
    below = code_depths(chain.from_iterable(runs))
    steps = [code_steps(run, below) for run in runs]
    leadings = _leadings(runs, steps, known)
    known.update((size, step) for size, step in leadings.items() if step <= MAX_LEADING_EM * size)
    blanks = _blank_heights(runs, steps, leadings)
    return [list(_parted(run, own, leadings, blanks)) for run, own in zip(runs, steps, strict=True)]


def _leadings(
    runs: Iterable[Sequence[Line]], steps: Iterable[Sequence[float]], known: Mapping[float, float]
) -> dict[float, float]:
    """Return the distance of two lines of code by their font size; none where it varies, as boxes of some files do."""
    by_size: dict[float, list[float]] = {}
    for run, own in zip(runs, steps, strict=True):
        for line, step in zip(run, own, strict=False):
            by_size.setdefault(round(line.size, 1), []).append(step)
    leadings: dict[float, float] = {}
    for size, distances in by_size.items():
        if min(distances) > MAX_LEADING_EM * size and size in known:
            # No lines adjoin: only other pages tell how high a blank line is.
            leadings[size] = known[size]
            continue
        near = [step for step in distances if step <= MAX_LEADING_RATIO * min(distances)]
        if max(near) - min(near) <= MAX_STEP_DEVIATION * min(near):
            leadings[size] = median(near)
    return leadings


def _blank_heights(
    runs: Iterable[Sequence[Line]], steps: Iterable[Sequence[float]], leadings: Mapping[float, float]
) -> dict[float, float]:
    """Return the height of a blank line of code by font size, where it is higher than a line: in larger type.

    An indented line above or below white shows it: few blocks begin or end with one.
    """
    heights: dict[float, float] = {}
    for run, own in zip(runs, steps, strict=True):
        left = min(line.x0 for line in run)
        for (line, below), step in zip(pairwise(run), own, strict=True):
            size = round(line.size, 1)
            leading = leadings.get(size, math.inf)
            white = step - leading
            is_blank = leading < white < MAX_BLANK_RATIO * leading and max(line.x0, below.x0) > left + line.size / 2
            if is_blank:
                heights[size] = min(white, heights.get(size, white))
    return heights


def _parted(
    run: Sequence[Line], steps: Sequence[float], leadings: Mapping[float, float], blanks: Mapping[float, float]
) -> Iterator[Sequence[Line]]:
    """Yield the blocks of a run."""
    start = 0
    for number, ((line, below), step) in enumerate(zip(pairwise(run), steps, strict=True), 1):
        leading = leadings.get(round(line.size, 1))
        if leading is None:
            continue
        lines = step / leading
        is_apart = lines > 1 and not _is_whole(lines)
        # Without two adjoining lines, white that is narrower than a blank line, or wider than some.
        is_apart |= MAX_LEADING_EM * line.size < leading < 2 * MIN_LEADING_EM * line.size
        # A block begins at its left edge: what is indented goes on after a blank line of any height.
        goes_on = below.x0 > run[start].x0 + line.size / 2
        blank = blanks.get(round(line.size, 1))
        goes_on |= blank is not None and _is_whole((step - leading) / blank)
        if (is_apart and not goes_on) or leading > MAX_ONLY_STEP_EM * line.size:
            yield run[start:number]
            start = number
    yield run[start:]


def _is_whole(lines: float) -> bool:
    return abs(lines - round(lines)) <= MAX_STEP_DEVIATION
