"""The pages, boxes, file order and table header of a span of text."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from pincite.model.chunk import PlacedText, SourceText
from pincite.model.document import Block, BlockKind, Document


class Places:
    """Looks up spans among the blocks of a document."""

    def __init__(self, document: Document) -> None:
        """Index the blocks."""
        self._text = document.text
        blocks = [block for section in document.sections for block in section.blocks]
        has_places = any(block.page is not None or (block.table and block.table.source) for block in blocks)
        # Without pages and reordered tables every look-up is empty.
        self._blocks = blocks if has_places else ()
        self._starts = [block.start for block in self._blocks]
        self._tables = [block for block in blocks if block.kind is BlockKind.TABLE]

    def pages(self, start: int, end: int) -> tuple[int, ...]:
        """Return the page numbers of the blocks that a span overlaps, ascending."""
        return tuple(sorted({block.page for block in self._overlapping(start, end) if block.page is not None}))

    def boxes(self, start: int, end: int) -> Iterator[PlacedText]:
        """Yield the boxes that a span overlaps, with positions relative to its start."""
        for block in self._overlapping(start, end):
            if block.page is None:
                continue
            borders = _borders(block)
            for number, box in enumerate(block.boxes):
                first = block.start + borders[number]
                following = min(bisect_right(borders, borders[number]), len(borders) - 1)
                last = block.start + borders[following]
                if block.kind is BlockKind.TABLE:  # what separates a cell from the next one is of neither
                    last = first + max(1, len(self._text[first:last].partition("\n")[0].rstrip(" |")))
                if first < end and last > start:
                    yield PlacedText(block.page, box, max(first, start) - start, min(last, end) - start)

    def sources(self, start: int, end: int) -> Iterator[SourceText]:
        """Yield the tables that begin in a span and have another order in the file, relative to its start."""
        for block in self._overlapping(start, end):
            if block.table and block.table.source and block.start >= start:
                yield SourceText(block.start - start, block.end - start, block.table.source)

    def table_header(self, position: int) -> str:
        """Return the first line of the table that a position is within; empty where none names its columns, or the
        position is in that line.
        """
        index = bisect_right(self._tables, position, key=lambda block: block.start) - 1
        if index < 0 or position >= (block := self._tables[index]).end or (block.table and not block.table.header_rows):
            return ""
        stop = self._text.find("\n", block.start, position)
        line = self._text[block.start : stop].strip() if stop >= 0 else ""
        return line if line.strip(" |") else ""

    def _overlapping(self, start: int, end: int) -> Sequence[Block]:
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_right(self._starts, end - 1)
        return [block for block in self._blocks[first:last] if block.end > start]


def _borders(block: Block) -> list[int]:
    """Return where each box's text begins in a block, and the block's end."""
    starts = block.box_starts or (0,) * len(block.boxes)
    return [*starts, block.end - block.start]
