"""A policy of overlapping windows, with each table a chunk of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby

from pincite.chunking.cutting import Body, Piece, cut_sections
from pincite.chunking.splitting import Splitter, Unit
from pincite.chunking.tokens import TokenCounter
from pincite.errors import ConfigError
from pincite.model.call import Call
from pincite.model.chunk import Chunk, ChunkKind, Tags
from pincite.model.document import BlockKind, Document

VERSION = 3
"""To be incremented when the same document gives other chunks or tags, or other text of it is embedded."""

_TABLE = Tags(chunk_type="table")


@dataclass(frozen=True, slots=True)
class WindowPolicy:
    """Implements `Policy`: windows over the text of a section, and its tables.

    A window ends where a sentence, list item or line ends, and repeats as many of the last ones of the window before
    as the overlap allows. No window crosses a heading or a table. A table that exceeds the limit is split between
    rows.

    Attributes:
        size: Maximum number of tokens of a chunk, including its context.
        overlap: Maximum number of tokens that a window repeats; at most half of the window is used, which limits
            the chunks to a few times the text.

    Raises:
        ConfigError: The overlap is negative or not less than the size.
    """

    size: int
    overlap: int

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.size:
            raise ConfigError(
                f"The overlap of chunks ({self.overlap} tokens) must be 0 or more, and less than their size "
                f"({self.size} tokens)."
            )

    @property
    def identity(self) -> str:
        """See `Policy.identity`."""
        return f"windows/{VERSION}/{self.size}/{self.overlap}"

    def lay_out(self, document: Document) -> Document:
        """See `Policy.lay_out`: as given."""
        return document

    def cut(self, document: Document, tokens: TokenCounter, call: Call) -> Iterator[Chunk]:
        """See `Policy.cut`."""
        return cut_sections(document, self.size, tokens, call, self._pieces)

    def _pieces(self, body: Body) -> Iterator[Piece]:
        overlap = min(self.overlap, body.room // 2)
        after_front_matter = body.start > body.section.start
        for is_table, run in groupby(body.blocks(), key=lambda block: block[0] is BlockKind.TABLE):
            blocks = list(run)
            if not is_table:
                yield from map(Piece, _windows(body, blocks, overlap))
                continue
            if after_front_matter and blocks[0][1].start == body.start:
                # A chunk of the front matter alone: the table's has the table alone.
                yield Piece(Unit(body.start, body.start, 0))
            for block in blocks:
                for unit in body.splitter.pack(body.split([block], body.room), body.room):
                    yield Piece(unit, ChunkKind.TABLE, _TABLE)


def _windows(body: Body, blocks: Sequence[tuple[BlockKind, Unit]], overlap: int) -> Iterator[Unit]:
    """Yield the windows over neighbouring blocks: one if all fit."""
    splitter, room = body.splitter, body.room
    whole = reduce(splitter.join, (unit for _, unit in blocks))
    if splitter.fits(whole, room):
        yield whole
        return
    # Units of at most the overlap wherever possible: a longer one could not be repeated.
    units = list(body.split(blocks, overlap or room))
    window, first = units[0], 0
    for number, unit in enumerate(units[1:], 1):
        joined = splitter.join(window, unit)
        if splitter.fits(joined, room):
            window = joined
        else:
            yield window
            window, repeated = _overlapping(splitter, units[first + 1 : number] if overlap else (), unit, room, overlap)
            first = number - repeated
    yield window


def _overlapping(splitter: Splitter, before: Sequence[Unit], unit: Unit, room: int, overlap: int) -> tuple[Unit, int]:
    """Return a unit joined with as many of the last units before it as may be repeated, and their number."""
    window, repeated = unit, None
    for number, last in enumerate(reversed(before)):
        repeated = splitter.join(last, repeated) if repeated else last
        longer = splitter.join(last, window)
        if not (splitter.fits(repeated, overlap) and splitter.fits(longer, room)):
            return window, number
        window = longer
    return window, len(before)
