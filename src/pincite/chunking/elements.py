"""The policy for extraction: each paragraph, list, table or other block is a chunk, a place to cite."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from pincite.chunking.cutting import Body, Piece, cut_sections, measured
from pincite.chunking.interruptible import InterruptibleCounter
from pincite.chunking.splitting import Splitter, Unit
from pincite.chunking.tokens import TokenCounter
from pincite.model.call import Call
from pincite.model.chunk import Chunk, ChunkKind, Tags
from pincite.model.document import BlockKind, Document

VERSION = 2
"""To be incremented when the same document gives other chunks or tags, or other text of it is embedded."""

MIN_CHARS = 50
"""Characters below which a chunk joins its neighbour: a line such as "Note:" is no place to cite (contract 3)."""

MAX_CHARS = 1500
"""Characters above which a text is split (contract 3)."""

_CONTEXT_TOKENS = 256
"""Tokens of which half is the most that title and headings may have: what one window of the embedding model holds."""

_TABLE = Tags(chunk_type="table")


@dataclass(frozen=True, slots=True)
class ElementPolicy:
    """Implements `Policy`: the chunks partition the document's text, one for each block.

    A heading belongs to the first chunk of its section. Short texts join the next text of their section, or the one
    before; long ones are split at sentences, items or lines. A table is never split and joins nothing.

    Characters are counted with every run of white space as one, and without the section's heading.

    Attributes:
        min_chars: A text of fewer characters joins its neighbour, unless the two exceed `max_chars`.
        max_chars: Maximum number of characters of a text.
    """

    min_chars: int = MIN_CHARS
    max_chars: int = MAX_CHARS

    @property
    def identity(self) -> str:
        """See `Policy.identity`."""
        return f"elements/{VERSION}/{self.min_chars}/{self.max_chars}"

    def lay_out(self, document: Document) -> Document:
        """See `Policy.lay_out`: as given."""
        return document

    def cut(self, document: Document, tokens: TokenCounter, call: Call) -> Iterator[Chunk]:
        """See `Policy.cut`."""
        characters = Splitter(measured(document.text), InterruptibleCounter(CharacterCounter(), call))
        return cut_sections(document, _CONTEXT_TOKENS, tokens, call, lambda body: self._pieces(body, characters))

    def _pieces(self, body: Body, characters: Splitter) -> Iterator[Piece]:
        """Yield the section's blocks as pieces, the heading in the first one."""
        measuring = Body(body.section, body.start, self.max_chars + 1, characters)
        blocks = list(measuring.blocks())
        kind, first = blocks[0]
        if kind is BlockKind.HEADING and len(blocks) > 1 and characters.fits(first, measuring.room):
            blocks = blocks[1:]
        if kind is BlockKind.TABLE and body.start > body.section.start:
            # A chunk of the front matter alone: the table's has the table alone.
            yield Piece(Unit(body.start, body.start, 0))
        start = body.start
        for is_table, run in groupby(blocks, key=lambda block: block[0] is BlockKind.TABLE):
            for unit in (unit for _, unit in run) if is_table else self._texts(measuring, run):
                text = body.splitter.unit(start, unit.end)
                yield Piece(text, ChunkKind.TABLE, _TABLE) if is_table else Piece(text)
                start = unit.end

    def _texts(self, measuring: Body, blocks: Iterable[tuple[BlockKind, Unit]]) -> list[Unit]:
        """Return neighbouring texts as units, long ones split and short ones joined."""
        characters, room = measuring.splitter, measuring.room
        units: list[Unit] = []
        for block in blocks:
            for unit in characters.pack(measuring.split([block], room), room):
                if units and self._joins(units[-1], characters.join(units[-1], unit)):
                    units[-1] = characters.join(units[-1], unit)
                else:
                    units.append(unit)
        if len(units) > 1 and self._joins(units[-1], joined := characters.join(units[-2], units[-1])):
            units[-2:] = [joined]
        return units

    def _joins(self, unit: Unit, joined: Unit) -> bool:
        return unit.tokens <= self.min_chars and joined.tokens <= self.max_chars + 1


class CharacterCounter:
    """A `TokenCounter` of characters: each word's and one for the white space after it, so that counts are additive."""

    def count(self, text: str) -> int:
        """See `TokenCounter.count`."""
        return sum(map(len, words := text.split())) + len(words)

    def cut(self, text: str, limit: int) -> int:
        """See `TokenCounter.cut`; white space may make the prefix shorter than the longest."""
        return len(text) if self.count(text) <= limit else max(1, limit - 1)
