"""Pages to show: their sizes, their pictures, and the lines of text on them."""

import math
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, takewhile

from pincite.errors import NotFound, Unsupported
from pincite.model.call import Call
from pincite.model.document import Box
from pincite.services.citations.page_boxes import PageBox
from pincite.services.reading.reading import Reading
from pincite.services.timed_cache import CacheLimits, TimedCache
from pincite.services.viewer.address import ShownDocument
from pincite.text.prose import prose

PICTURE_WIDTH = 1400
"""Width of the picture of a page in pixels: sharp at 700 px on a dense screen, and at 1400 px on another."""

MAX_PICTURES = 2_000
"""Pictures kept at most, whatever their size."""

LINE_CACHE = CacheLimits(entries=16, total_bytes=400_000, seconds=math.inf)
"""Lines of 16 documents, 400,000 lines in all: some 100 MB at most."""

SIZE_CACHE = CacheLimits(entries=500, total_bytes=1_000_000, seconds=math.inf)
"""Sizes of a million pages."""

_NARROW = frozenset(" .,:;!|'()[]/-ijlftrI")

MAX_SPOTS = 1_000
"""Headings, or occurrences of words, in one answer: more than anybody reads."""


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


@dataclass(frozen=True, slots=True)
class Spot:
    """A target in a document, to which a reader jumps.

    Attributes:
        label: Its heading, or the words that were found there.
        level: Number of headings above it.
        start: Its first character in the document's text.
        end: One past its last character.
        boxes: The lines on pages that it is in.
    """

    label: str
    level: int
    start: int
    end: int
    boxes: Sequence[PageBox]


class Pages:
    """Renders and measures pages in the reader processes, and keeps the results in memory. Thread-safe.

    Args:
        reading: Returns what renders.
        picture_bytes: Maximum size of the kept pictures.
    """

    def __init__(self, reading: Callable[[], Reading], picture_bytes: int = 0) -> None:
        self._reading = reading
        self._pictures = TimedCache[tuple[str, int], bytes](CacheLimits(MAX_PICTURES, picture_bytes, math.inf), len)
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

    def picture(self, document: ShownDocument, page: int, call: Call) -> bytes:
        """Return a page as a PNG.

        Raises:
            PinciteError: See `Reading.render`, `ShownDocument.blob`.
        """
        key = (document.fingerprint, page)
        picture = self._pictures.get(key)
        if picture is None:
            picture = self._reading().render(document.blob(), page, PICTURE_WIDTH, call)
            self._pictures.put(key, picture)
        return picture

    def lines(self, document: ShownDocument, page: int) -> Sequence[Line]:
        """Return the lines of a page in reading order; empty if its position in the document is not known."""
        return self._by_page(document).get(page, ())

    def outline(self, document: ShownDocument) -> Sequence[Spot]:
        """Return the headings of a document, at most `MAX_SPOTS`."""
        text = document.text()
        headings = (
            (label, level, start, end if (end := text.find("\n", start)) > start else len(text))
            for label, level, start in islice(_headings(document), MAX_SPOTS)
        )
        return self._spots(document, headings)

    def find(self, document: ShownDocument, words: str) -> Sequence[Spot]:
        """Return where words occur in a document, in any case and with any white space; at most `MAX_SPOTS`."""
        pattern = re.compile(r"\s+".join(map(re.escape, words.split())), re.IGNORECASE)
        matches = pattern.finditer(document.text()) if words.split() else ()
        return self._spots(document, ((hit[0], 0, hit.start(), hit.end()) for hit in islice(matches, MAX_SPOTS)))

    def _spots(self, document: ShownDocument, spans: Iterable[tuple[str, int, int, int]]) -> Sequence[Spot]:
        lines = sorted(
            ((page, line) for page, lines in self._by_page(document).items() for line in lines),
            key=lambda page_and_line: page_and_line[1].start,
        )
        starts = [line.start for _, line in lines]

        def boxes(start: int, end: int) -> Sequence[PageBox]:
            first = max(bisect_right(starts, start) - 1, 0)
            within = lines[first : bisect_left(starts, end)]
            return [_page_box(page, line, start, end) for page, line in within if line.end > start]

        return [Spot(label, level, start, end, boxes(start, end)) for label, level, start, end in spans]

    def _by_page(self, document: ShownDocument) -> Mapping[int, Sequence[Line]]:
        pages = self._lines.get(document.identity)
        if pages is None:
            pages = _lines_by_page(document)
            self._lines.put(document.identity, pages)
        return pages


def _headings(document: ShownDocument) -> Iterator[tuple[str, int, int]]:
    """Yield the headings in order, those without a text of their own included."""
    above: Sequence[str] = ()
    for path, start in document.sections():
        if path != above:
            shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(above, path, strict=False)))
            for level in range(min(shared, len(path) - 1), len(path)):
                if path[level]:
                    yield path[level], level, start
        above = path


def _page_box(page: int, line: Line, start: int, end: int) -> PageBox:
    """Return the box of a part of a line, by the usual widths of its characters."""
    advances = [0.0, *accumulate(map(_advance, line.text))]
    # The line's text is without markup, so that it may be shorter than its span.
    shares = (min(max(at - line.start, 0) / (line.end - line.start), 1.0) for at in (start, end))
    left, right = (
        line.x0 + (line.x1 - line.x0) * advances[round(share * len(line.text))] / (advances[-1] or 1)
        for share in shares
    )
    return PageBox(page=page, x0=left, y0=line.y0, x1=right, y1=line.y1)


def _advance(character: str) -> float:
    """Return the width of a character in Helvetica, roughly, in em."""
    return 0.28 if character in _NARROW else 0.85 if character in "mMwW@%" else 0.7 if character.isupper() else 0.55


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
