"""The policy for documentation: one chunk per section, longer ones split between blocks, no overlap."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

from pincite.chunking.cutting import Body, Piece, cut_sections
from pincite.chunking.splitting import Unit
from pincite.chunking.tokens import TokenCounter
from pincite.model.call import Call
from pincite.model.chunk import Chunk
from pincite.model.document import Document

VERSION = 6
"""To be incremented when the same document gives other chunks, or other text of it is embedded."""

_SHORT_CHARS_PER_TOKEN = 3
"""Characters per token of the limit up to which a section probably fits and is measured whole, not by block."""


@dataclass(frozen=True, slots=True)
class SectionPolicy:
    """Implements `Policy`: the chunks partition the document's text.

    None has more tokens than the policy allows, including its context but not front matter and the contents of data
    URLs, unless a single character exceeds the limit.

    Attributes:
        max_tokens: Maximum number of tokens of a chunk, including its context.
    """

    max_tokens: int

    @property
    def identity(self) -> str:
        """See `Policy.identity`."""
        return f"sections/{VERSION}/{self.max_tokens}"

    def lay_out(self, document: Document) -> Document:
        """See `Policy.lay_out`: as given."""
        return document

    def cut(self, document: Document, tokens: TokenCounter, call: Call) -> Iterator[Chunk]:
        """See `Policy.cut`."""
        return cut_sections(document, self.max_tokens, tokens, call, _pieces)


def _pieces(body: Body) -> Iterator[Piece]:
    return map(Piece, _units(body))


def _units(body: Body) -> list[Unit]:
    """Return the section whole if it fits, else its blocks packed in order."""
    start, end, room, splitter = body.start, body.section.end, body.room, body.splitter
    short = end - start <= room * _SHORT_CHARS_PER_TOKEN
    if short and splitter.fits(whole := splitter.unit(start, end), room):
        return [whole]
    blocks = list(body.blocks())
    if splitter.fits(whole := reduce(splitter.join, (unit for _, unit in blocks)), room):
        return [whole]
    return splitter.pack(body.split(blocks, room), room)
