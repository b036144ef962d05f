"""Many rectangles of a page at once: as the page is displayed, and around runs of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pincite.formats.pdf.page.page import PageSpace

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom edge."""
Grid = np.ndarray[Any, np.dtype[np.float64]]


def displayed(grid: Grid, space: PageSpace) -> Grid:
    """Left, top, right, bottom edges, a row of each, of rectangles on the page as displayed.

    Args:
        grid: A row for each rectangle: left, top, right, bottom in the page's space.
        space: How that is displayed.
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
    """Edges, a row of each, as rectangles."""
    return list(zip(*edges.tolist(), strict=True))


def around(edges: Grid, firsts: Sequence[int], lasts: Sequence[int]) -> list[Rectangle]:
    """Around the rectangles from each first to its last."""
    if not firsts:
        return []
    inner = [np.minimum, np.minimum, np.maximum, np.maximum]
    reduced = [
        most.reduceat(edge, spans(firsts, lasts, edge.size))[::2] for most, edge in zip(inner, edges, strict=True)
    ]
    return rectangles(np.array(reduced))


def spans(firsts: Sequence[int], lasts: Sequence[int], count: int) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """Where runs begin and end, in turns, for `reduceat`: every second value is of a run, the others lie between.

    Args:
        firsts: Where runs begin, in order.
        lasts: Their last places.
        count: Of all places.
    """
    found = np.column_stack([firsts, np.add(lasts, 1)]).ravel()
    return found[:-1] if found[-1] == count else found
