"""Page boxes for answers."""

from collections.abc import Iterable, Iterator

from pincite.model.chunk import PlacedText
from pincite.model.document import Box
from pincite.model.store import StoredChunk
from pincite.toolkit import ResponseModel

MAX_LINE_GAP_HEIGHTS = 1.5
"""Maximum gap between two lines of one area, in line heights."""


class PageBox(ResponseModel):
    """A rectangle on a page, in points from its top left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


def cited_boxes(chunks: Iterable[StoredChunk], span: tuple[int, int]) -> Iterator[PlacedText]:
    """Yield the boxes of these chunks that a span of the document's text overlaps."""
    start, end = span
    for stored in chunks:
        for placed in stored.chunk.boxes:
            if stored.chunk.start + placed.start < end and stored.chunk.start + placed.end > start:
                yield placed


def line_boxes(placed: Iterable[PlacedText]) -> list[PageBox]:
    """Return the distinct boxes of lines and cells."""
    return [_page_box(page, box) for page, box in dict.fromkeys((line.page, line.box) for line in placed)]


def area_boxes(placed: Iterable[PlacedText]) -> list[PageBox]:
    """Return one box for each group of adjacent lines: few, for answers with many passages."""
    areas: list[tuple[int, Box]] = []
    for line in placed:
        if areas and areas[-1][0] == line.page and _is_adjacent(areas[-1][1], line.box):
            areas[-1] = (line.page, areas[-1][1].union(line.box))
        else:
            areas.append((line.page, line.box))
    return [_page_box(page, box) for page, box in areas]


def _is_adjacent(area: Box, line: Box) -> bool:
    apart = max(line.y0 - area.y1, area.y0 - line.y1)
    return apart <= MAX_LINE_GAP_HEIGHTS * (line.y1 - line.y0)


def _page_box(page: int, box: Box) -> PageBox:
    return PageBox(page=page, x0=box.x0, y0=box.y0, x1=box.x1, y1=box.y1)
