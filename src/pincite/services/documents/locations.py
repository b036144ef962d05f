"""Where in a document a position of its text is, in words: a page, a slide, a sheet, a section."""

from bisect import bisect_right
from collections.abc import Iterator

from pincite.chunking.profiles import document_type
from pincite.model.document import Block, Document

_PARTS = {"pdf": "page", "pptx": "slide"}


class Locations:
    """Looks up positions among the blocks of a document that is laid out."""

    def __init__(self, document: Document) -> None:
        self._part = _PARTS.get(document_type(document.media_type), "page")
        self._text = document.text
        self._sections = document.sections
        self._section_starts = [section.start for section in document.sections]
        self._blocks = [block for block in blocks(document) if block.page is not None]
        self._block_starts = [block.start for block in self._blocks]

    def location_at(self, position: int) -> str:
        """Return `page 3`, `slide 3`, or else the heading of the section; `line 7` before the first heading."""
        if self._blocks:
            block = self._blocks[max(0, bisect_right(self._block_starts, position) - 1)]
            return f"{self._part} {block.page}"
        section = self._sections[max(0, bisect_right(self._section_starts, position) - 1)]
        return next((title for title in reversed(section.path) if title), "") or self._line(position)

    def _line(self, position: int) -> str:
        return f"line {self._text.count(chr(10), 0, position) + 1}"


def blocks(document: Document) -> Iterator[Block]:
    """Yield the blocks of all sections, in order."""
    return (block for section in document.sections for block in section.blocks)
