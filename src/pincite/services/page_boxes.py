"""Boxes as answers show them."""

from collections.abc import Iterable

from pincite.model.chunk import PlacedText
from pincite.model.document import Box
from pincite.toolkit import ResponseModel

NEAR = 1.5
"""Lines that are no further apart than this many of their heights are one area."""


class PageBox(ResponseModel):
    """A rectangle on a page, in points from its top left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


def line_boxes(placed: Iterable[PlacedText]) -> list[PageBox]:
    """A box for each line or cell, each once."""
    return [_shown(page, box) for page, box in dict.fromkeys((one.page, one.box) for one in placed)]


def area_boxes(placed: Iterable[PlacedText]) -> list[PageBox]:
    """A box for each run of lines that stand under each other: few, for answers that show many passages."""
    areas: list[tuple[int, Box]] = []
    for one in placed:
        if areas and areas[-1][0] == one.page and _near(areas[-1][1], one.box):
            areas[-1] = (one.page, _around(areas[-1][1], one.box))
        else:
            areas.append((one.page, one.box))
    return [_shown(page, box) for page, box in areas]


def _near(area: Box, line: Box) -> bool:
    apart = max(line.y0 - area.y1, area.y0 - line.y1)
    return apart <= NEAR * (line.y1 - line.y0)


def _around(one: Box, other: Box) -> Box:
    return Box(min(one.x0, other.x0), min(one.y0, other.y0), max(one.x1, other.x1), max(one.y1, other.y1))


def _shown(page: int, box: Box) -> PageBox:
    return PageBox(page=page, x0=box.x0, y0=box.y0, x1=box.x1, y1=box.y1)
