"""Reading order: the file's own, mended where it is proved wrong."""

import heapq
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Protocol, TypeVar

import numpy as np

from pincite.formats.pdf.page.words import Line, Word, line_of

GUTTER = 1.0
"""Least width (em) of the white between two columns (`measured`)."""
LEAST_LINES = 4
LEAST_CHARACTERS = 18
"""Lines of two columns, and characters a line has on each side, from which they are taken as proved (`measured`)."""
FILL = 0.7
"""Share of a column's width that half of its lines fill at least: prose does, cells of a table mostly do not."""
LARGEST_GAP = 3.0
"""White (in heights of a line) above what still belongs to the same stretch of a page."""
_TOUCH = 1.0


class Placed(Protocol):
    """What has a place on a page."""

    @property
    def x0(self) -> float: ...  # noqa: D102
    @property
    def y0(self) -> float: ...  # noqa: D102
    @property
    def x1(self) -> float: ...  # noqa: D102
    @property
    def y1(self) -> float: ...  # noqa: D102


_Thing = TypeVar("_Thing", bound=Placed)


def in_reading_order(things: Sequence[_Thing]) -> list[_Thing]:
    """Things in the file's order; but a stretch of it goes before another one that it stands above."""
    stretches = list(_stretches(things))
    before = _before([_around(stretch) for stretch in stretches])
    if before is None:
        return list(things)
    waiting = before.sum(axis=0)
    ready = [int(index) for index in np.flatnonzero(waiting == 0)]
    heapq.heapify(ready)
    order: list[_Thing] = []
    while ready:
        index = heapq.heappop(ready)
        order += stretches[index]
        following = np.flatnonzero(before[index])
        waiting[following] -= 1
        for other in following[waiting[following] == 0]:
            heapq.heappush(ready, int(other))
    return order


def _stretches(things: Sequence[_Thing]) -> Iterator[list[_Thing]]:
    """Things that follow each other down the page without a gap."""
    stretch: list[_Thing] = []
    for thing in things:
        if stretch and not _goes_on(stretch[-1], thing):
            yield stretch
            stretch = []
        stretch.append(thing)
    if stretch:
        yield stretch


def _goes_on(thing: Placed, following: Placed) -> bool:
    height = min(thing.y1 - thing.y0, following.y1 - following.y0)
    return -height / 2 < following.y0 - thing.y0 and following.y0 - thing.y1 < LARGEST_GAP * height


def _around(things: Sequence[Placed]) -> tuple[float, float, float, float]:
    return (
        min(thing.x0 for thing in things),
        min(thing.y0 for thing in things),
        max(thing.x1 for thing in things),
        max(thing.y1 for thing in things),
    )


def _before(boxes: Sequence[tuple[float, float, float, float]]) -> "np.ndarray[Any, np.dtype[np.bool_]] | None":
    """Which box must come before which: that above it in its column; None where all come so already."""
    lowest = float("-inf")
    for _, top, _, bottom in boxes:
        if bottom <= lowest + _TOUCH:
            break
        lowest = max(lowest, top)
    else:
        return None
    x0, y0, x1, y1 = np.array(boxes).T
    overlap = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
    one_column = overlap > np.minimum((x1 - x0)[:, None], x1 - x0) / 2
    above = y1[:, None] <= y0 + _TOUCH
    above &= ~above.T  # of things without height that touch, neither is above the other
    return above & one_column


def split_columns(lines: Sequence[Line]) -> list[Line]:
    """Lines that run across two columns, cut at the gutter: the left column of a stretch first, then the right one.

    Only where the gutter is proved: lines in a row, with enough text on both sides of it, as prose fills it.
    """
    result: list[Line] = []
    index = 0
    while index < len(lines):
        stretch = _stretch(lines, index)
        if stretch is None:
            result.append(lines[index])
            index += 1
            continue
        end, gutter = stretch
        left, right = zip(*(_cut(line, gutter) for line in lines[index:end]), strict=True)
        result.extend(line_of(words) for words in (*left, *right) if words)
        index = end
    return result


def _stretch(lines: Sequence[Line], start: int) -> tuple[int, float] | None:
    """Where two columns that begin with a line end, and the middle of their gutter."""
    for white in _gaps(lines[start]):
        low, high = white
        end = start
        while end < len(lines) and (inner := _common(lines[end], low, high)) is not None:
            low, high = inner
            end += 1
        gutter = (low + high) / 2
        if end - start >= LEAST_LINES and _is_proved([_cut(line, gutter) for line in lines[start:end]]):
            return end, gutter
    return None


def _gaps(line: Line) -> Iterator[tuple[float, float]]:
    for one, other in pairwise(line.words):
        if other.x0 - one.x1 > GUTTER * line.size:
            yield one.x1, other.x0


def _common(line: Line, low: float, high: float) -> tuple[float, float] | None:
    """What of a gutter a line leaves white."""
    for a, b in ((float("-inf"), line.x0), *_gaps(line), (line.x1, float("inf"))):
        inner = max(a, low), min(b, high)
        if inner[1] - inner[0] > GUTTER * line.size:
            return inner
    return None


def _cut(line: Line, gutter: float) -> tuple[list[Word], list[Word]]:
    left = [word for word in line.words if word.x1 <= gutter]
    return left, [word for word in line.words if word.x1 > gutter]


def _is_proved(halves: Sequence[tuple[list[Word], list[Word]]]) -> bool:
    both = [half for half in halves if all(sum(len(word.text) for word in side) > LEAST_CHARACTERS for side in half)]
    if len(both) < LEAST_LINES:
        return False
    return all(_is_filled([half[side] for half in both]) for side in (0, 1))


def _is_filled(column: Sequence[Sequence[Word]]) -> bool:
    width = max(words[-1].x1 for words in column) - min(words[0].x0 for words in column)
    filled = sum(words[-1].x1 - words[0].x0 >= FILL * width for words in column)
    return filled >= len(column) / 2
