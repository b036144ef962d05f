"""Rectangles as arrays: mapped to the page as displayed, and combined to bounding boxes."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from pincite.formats.pdf.page.page import PageSpace

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom edge, in points."""
Grid = np.ndarray[Any, np.dtype[np.float64]]
Indices = np.ndarray[Any, np.dtype[np.int64]]


class Placed(Protocol):
    """Anything with a bounding box on the page."""

    @property
    def x0(self) -> float: ...  # noqa: D102
    @property
    def y0(self) -> float: ...  # noqa: D102
    @property
    def x1(self) -> float: ...  # noqa: D102
    @property
    def y1(self) -> float: ...  # noqa: D102


def displayed(grid: Grid, space: PageSpace) -> Grid:
    """Map rectangles of page space to the page as displayed.

    Args:
        grid: Shape (n, 4): left, top, right, bottom in page space.
        space: Crop box and rotation of the page.

    Returns:
        Shape (4, n): left, top, right, bottom edges.
    """
    left, top, right, bottom = grid.T
    match space.turns:
        case 0:
            edges = left - space.left, space.top - top, right - space.left, space.top - bottom
        case 1:
            edges = bottom - space.bottom, left - space.left, top - space.bottom, right - space.left
        case 2:
            edges = space.right - right, bottom - space.bottom, space.right - left, top - space.bottom
        case _:
            edges = space.top - top, space.right - right, space.top - bottom, space.right - left
    x0, y0, x1, y1 = edges
    return np.array([np.minimum(x0, x1), np.minimum(y0, y1), np.maximum(x0, x1), np.maximum(y0, y1)])


def rectangles(edges: Grid) -> list[Rectangle]:
    """Convert edges of shape (4, n) to n rectangles."""
    return list(zip(*edges.tolist(), strict=True))


def bounding_box(elements: Sequence[Placed]) -> Rectangle:
    """Return the bounding box of some elements, of which there is one at least."""
    return (
        min(element.x0 for element in elements),
        min(element.y0 for element in elements),
        max(element.x1 for element in elements),
        max(element.y1 for element in elements),
    )


def bounding_boxes(edges: Grid, firsts: Sequence[int], lasts: Sequence[int]) -> list[Rectangle]:
    """Return the bounding box of each range of rectangles."""
    if not firsts:
        return []
    reductions = [np.minimum, np.minimum, np.maximum, np.maximum]
    offsets = reduceat_offsets(firsts, lasts, edges.shape[1])
    reduced = [reduction.reduceat(edge, offsets)[::2] for reduction, edge in zip(reductions, edges, strict=True)]
    return rectangles(np.array(reduced))


def range_indices(firsts: Sequence[int], lasts: Sequence[int]) -> Indices:
    """Return the indices in ranges, those of one behind those of the other.

    Args:
        firsts: First index of each range.
        lasts: Last index of each range, inclusive.
    """
    begins = np.array(firsts, np.int64)
    lengths = np.array(lasts, np.int64) - begins + 1
    # What is to be added to the number of an index for the index itself.
    shifts = np.repeat(begins - (np.cumsum(lengths) - lengths), lengths)
    return shifts + np.arange(shifts.size)


def reduceat_offsets(firsts: Sequence[int], lasts: Sequence[int], count: int) -> Indices:
    """Return offsets for `ufunc.reduceat` whose every second result covers a range; the others cover the gaps.

    Args:
        firsts: First index of each range, ascending.
        lasts: Last index of each range, inclusive.
        count: Length of the reduced array.
    """
    offsets = np.empty(2 * len(firsts), np.int64)
    offsets[::2], offsets[1::2] = firsts, np.add(lasts, 1)
    return offsets[:-1] if offsets[-1] == count else offsets  # reduceat refuses an offset at the end
