"""Pages to show: their sizes, their pictures, and the lines of text on them."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite.errors import NotFound, Unsupported
from pincite.model.call import Call
from pincite.model.document import Box
from pincite.services.reading.reading import Reading
from pincite.services.timed_cache import CacheLimits, TimedCache
from pincite.services.viewer.address import ShownDocument
from pincite.text.prose import prose

Scale = Literal["thumbnail", "page"]

WIDTHS: Mapping[Scale, int] = {"thumbnail": 320, "page": 1400}
"""Widths of the two pictures of a page in pixels: a thumbnail at twice its 160 px, for dense screens; a page that is
sharp at 700 px on a dense screen and at 1400 px on another."""

PICTURE_CACHE = CacheLimits(entries=2_000, total_bytes=96_000_000, seconds=math.inf)
"""Some 250 pages of a report at 380 kB, or 2,000 thumbnails."""

LINE_CACHE = CacheLimits(entries=16, total_bytes=400_000, seconds=math.inf)
"""Lines of 16 documents, 400,000 lines in all: some 100 MB at most."""

SIZE_CACHE = CacheLimits(entries=500, total_bytes=1_000_000, seconds=math.inf)
"""Sizes of a million pages."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line or a cell on a page.

    Attributes:
        x0, y0, x1, y1: Its box, see `Box`.
        text: Its text without markup.
        start: Its first character in the document's text.
        end: One past its last character.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    start: int
    end: int


class Pages:
    """Renders and measures pages in the reader processes, and keeps the results in memory. Thread-safe.

    Args:
        reading: Returns what renders.
    """

    def __init__(self, reading: Callable[[], Reading]) -> None:
        self._reading = reading
        self._pictures = TimedCache[tuple[str, int, Scale], bytes](PICTURE_CACHE, len)
        self._lines = TimedCache[str, Mapping[int, Sequence[Line]]](LINE_CACHE, _line_count)
        self._sizes = TimedCache[str, Sequence[tuple[float, float]]](SIZE_CACHE, len)

    def sizes(self, document: ShownDocument, call: Call) -> Sequence[tuple[float, float]]:
        """Return width and height of each page in the unit of its boxes; empty if the pages cannot be shown."""
        sizes = self._sizes.get(document.fingerprint)
        if sizes is None:
            if document.format is None or not document.format.renderer:
                return ()
            try:
                sizes = self._reading().measure(document.blob(), call).sizes
            except (NotFound, Unsupported):  # the file of an indexed document may be gone, its text is not
                return ()
            self._sizes.put(document.fingerprint, sizes)
        return sizes

    def picture(self, document: ShownDocument, page: int, scale: Scale, call: Call) -> bytes:
        """Return a page as a PNG.

        Raises:
            PinciteError: See `Reading.render`, `ShownDocument.blob`.
        """
        key = (document.fingerprint, page, scale)
        picture = self._pictures.get(key)
        if picture is None:
            picture = self._reading().render(document.blob(), page, WIDTHS[scale], call)
            self._pictures.put(key, picture)
        return picture

    def lines(self, document: ShownDocument, page: int) -> Sequence[Line]:
        """Return the lines of a page in reading order; empty if its position in the document is not known."""
        pages = self._lines.get(document.identity)
        if pages is None:
            pages = _lines_by_page(document)
            self._lines.put(document.identity, pages)
        return pages.get(page, ())


def _lines_by_page(document: ShownDocument) -> Mapping[int, Sequence[Line]]:
    pages: defaultdict[int, dict[Box, tuple[int, int]]] = defaultdict(dict)
    text = document.text()
    for placed in document.placed():
        # Chunks may overlap, and a chunk may end within a line.
        start, end = pages[placed.page].get(placed.box, (placed.start, placed.end))
        pages[placed.page][placed.box] = min(placed.start, start), max(placed.end, end)
    return {page: [_line(box, text, *span) for box, span in lines.items()] for page, lines in pages.items()}


def _line(box: Box, text: str, start: int, end: int) -> Line:
    return Line(box.x0, box.y0, box.x1, box.y1, " ".join(prose(text[start:end]).split()), start, end)


def _line_count(pages: Mapping[int, Sequence[Line]]) -> int:
    return sum(map(len, pages.values()))
