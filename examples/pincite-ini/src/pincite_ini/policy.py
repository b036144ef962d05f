"""A policy by which each block is a chunk, a long one several."""

from collections.abc import Iterator
from dataclasses import dataclass

from pincite.chunking.cutting import Body, Piece, cut_sections
from pincite.chunking.tokens import TokenCounter
from pincite.model.call import Call
from pincite.model.chunk import NO_TAGS, Chunk, Tags
from pincite.model.document import BlockKind, Document

VERSION = 1
"""To be incremented when the same document gives other chunks or tags, or other text of it is embedded."""


@dataclass(frozen=True, slots=True)
class BlockPolicy:
    """Implements `Policy`.

    Attributes:
        max_tokens: Maximum number of tokens of a chunk, including its context.
    """

    max_tokens: int

    @property
    def identity(self) -> str:
        """See `Policy.identity`."""
        return f"blocks/{VERSION}/{self.max_tokens}"

    def lay_out(self, document: Document) -> Document:
        """See `Policy.lay_out`: as given."""
        return document

    def cut(self, document: Document, tokens: TokenCounter, call: Call) -> Iterator[Chunk]:
        """See `Policy.cut`."""
        return cut_sections(document, self.max_tokens, tokens, call, _pieces)


def _pieces(body: Body) -> Iterator[Piece]:
    for kind, block in body.blocks():
        tags = Tags(chunk_type="code") if kind is BlockKind.CODE else NO_TAGS
        units = body.split([(kind, block)], body.room)
        for unit in body.splitter.pack(units, body.room):
            yield Piece(unit, tags=tags)
