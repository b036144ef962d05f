"""Cut a document section by section; a policy decides how a section is divided."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from pincite.chunking.interruptible import InterruptibleCounter
from pincite.chunking.places import Places
from pincite.chunking.splitting import Splitter, Unit
from pincite.chunking.tokens import TokenCounter
from pincite.model.call import Call
from pincite.model.chunk import BREADCRUMB_SEPARATOR, NO_TAGS, Chunk, ChunkKind, Tags
from pincite.model.document import BlockKind, Document, Section
from pincite.text.embed_text import FULL_STOP_TOKENS

_LOCATOR_LETTERS = {ChunkKind.TEXT: "c", ChunkKind.TABLE: "t"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A span of a section that becomes a chunk.

    Attributes:
        unit: What of the chunk is embedded.
        kind: Its kind.
        tags: What the policy recognised in it.
        start: The chunk's first character, if that is not embedded; None for the unit's.
        group: Equal for neighbours that may be joined; None for a piece that stays by itself.
        is_heading: Whether it is a heading without text.
    """

    unit: Unit
    kind: ChunkKind = ChunkKind.TEXT
    tags: Tags = NO_TAGS
    start: int | None = None
    group: Hashable = None
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Body:
    """The text of a section that is to be divided.

    Attributes:
        section: The section.
        start: Its first character after front matter, which is not embedded.
        room: Maximum number of tokens of a piece: the policy's limit less the context.
        splitter: Measures and splits spans of the document's text.
        context: The title and headings that are embedded before each piece.
        context_tokens: Their tokens.
    """

    section: Section
    start: int
    room: int
    splitter: Splitter
    context: str = ""
    context_tokens: int = 0

    def blocks(self) -> Iterator[tuple[BlockKind, Unit]]:
        """Yield kinds and spans of the blocks from `start`, each up to the start of the next."""
        blocks = [block for block in self.section.blocks if block.kind is not BlockKind.FRONT_MATTER]
        borders = [self.start, *(block.start for block in blocks[1:]), self.section.end]
        kinds = [block.kind for block in blocks] or [BlockKind.OTHER]
        for kind, (first, end) in zip(kinds, pairwise(borders), strict=True):
            yield kind, self.splitter.unit(first, end)

    def split(self, blocks: Iterable[tuple[BlockKind, Unit]], step: int) -> Iterator[Unit]:
        """Yield units that fit in `room`; blocks of more than `step` tokens are split wherever a sentence, item or
        line ends.
        """
        room = self.room
        for kind, block in blocks:
            yield from self.splitter.split(block, kind, self.room, room, step)
            # Rather split the block after a heading than separate the two.
            with_heading = kind is BlockKind.HEADING and 2 * block.tokens <= self.room
            room = self.room - block.tokens if with_heading else self.room


Divide = Callable[[Body], Iterable[Piece]]
"""Returns the pieces of a section in order; together they cover it from `Body.start` on."""

Placed = tuple[Body, Piece]
"""A piece and the section that it belongs to."""

Join = Callable[[Iterator[Placed]], Iterable[Placed]]
"""Joins neighbouring pieces of a document."""


def cut_sections(
    document: Document, limit: int, tokens: TokenCounter, call: Call, divide: Divide, join: Join = iter
) -> Iterator[Chunk]:
    """Yield the chunks of each section of a document.

    Args:
        document: The document.
        limit: Maximum number of tokens of a chunk, including its context.
        tokens: The tokenizer of the model that will embed the chunks.
        call: Checked between sections and blocks.
        divide: Divides a section.
        join: Joins the pieces of neighbouring sections; by default none.

    Raises:
        Cancelled: The call is cancelled.
        TimeoutExceeded: The deadline has passed.
    """
    places = Places(document)
    ordinal = 0
    placed = join(_placed(document, limit, InterruptibleCounter(tokens, call), call, divide))
    for _, run in groupby(placed, key=lambda each: each[0].section.number):
        body, pieces = (members := list(run))[0][0], [piece for _, piece in members]
        yield from _chunks(document.text, body.section, pieces, ordinal, body.context, body.context_tokens, places)
        ordinal += len(pieces)


def _placed(
    document: Document, limit: int, counter: InterruptibleCounter, call: Call, divide: Divide
) -> Iterator[Placed]:
    splitter = Splitter(measured(document.text), counter)
    for section in document.sections:
        call.check()
        context, context_tokens = _context(document.title, section.path, counter, limit // 2)
        room = max(1, limit - context_tokens - (FULL_STOP_TOKENS if context else 0))
        body = Body(section, _embed_start(section), room, splitter, context, context_tokens)
        for number, piece in enumerate(divide(body)):
            yield body, piece if number else replace(piece, start=section.start)


def cut_spans(
    document: Document,
    spans: Iterable[tuple[int, int]],
    context_tokens: int,
    tokens: TokenCounter,
    call: Call,
    tag: Callable[[str], Tags],
) -> Iterator[Chunk]:
    """Yield a chunk for each span of a document's text; it belongs to the section that it begins in.

    Args:
        document: The document.
        spans: In the order of their starts, without regard to sections.
        context_tokens: Maximum number of tokens of the context.
        tokens: The tokenizer of the model that will embed the chunks.
        call: Checked for each chunk.
        tag: Returns the tags of a text.

    Raises:
        Cancelled: The call is cancelled.
        TimeoutExceeded: The deadline has passed.
    """
    counter = InterruptibleCounter(tokens, call)
    text, masked = document.text, measured(document.text)
    places = Places(document)
    starts = [section.start for section in document.sections]
    ordinal = 0
    for index, run in groupby(spans, key=lambda span: bisect_right(starts, span[0]) - 1):
        call.check()
        section = document.sections[index]
        embed_start = _embed_start(section)
        pieces: list[Piece] = []
        for start, end in run:
            begin = min(max(start, embed_start), end)
            unit = Unit(begin, end, counter.count(masked[begin:end]))
            pieces.append(Piece(unit, tags=tag(text[start:end]), start=start))
        context, tokens_of_context = _context(document.title, section.path, counter, context_tokens)
        yield from _chunks(text, section, pieces, ordinal, context, tokens_of_context, places)
        ordinal += len(pieces)


def _chunks(
    text: str,
    section: Section,
    pieces: Sequence[Piece],
    ordinal: int,
    context: str,
    context_tokens: int,
    places: Places,
) -> Iterator[Chunk]:
    """Yield the chunks of a section's pieces; the first one gets the ordinal `ordinal`."""
    numbers: Counter[ChunkKind] = Counter()
    for part, piece in enumerate(pieces, 1):
        unit, kind = piece.unit, piece.kind
        numbers[kind] += 1
        start = unit.start if piece.start is None else piece.start
        header = places.table_header(unit.start)
        yield Chunk(
            ordinal=ordinal + part - 1,
            locator=f"h{section.number}-{_LOCATOR_LETTERS[kind]}{numbers[kind]}",
            kind=kind,
            heading_path=section.path,
            level=section.level,
            part=part,
            parts=len(pieces),
            start=start,
            end=unit.end,
            text=text[start : unit.end],
            context=context,
            embed_start=unit.start - start,
            tokens=context_tokens + unit.tokens,
            pages=places.pages(start, unit.end),
            boxes=tuple(places.boxes(start, unit.end)),
            sources=tuple(places.sources(start, unit.end)),
            tags=replace(piece.tags, table_header=header) if header else piece.tags,
        )


def _context(title: str | None, path: tuple[str, ...], tokens: TokenCounter, room: int) -> tuple[str, int]:
    """Return title and headings in at most `room` tokens, and their tokens; the outermost are omitted first.

    `room` is half of a chunk's tokens: more would leave too little of the chunk to its text.
    """
    first = (title,) if title and title != next(iter(path), None) else ()
    names = [name for name in (*first, *path) if name]
    while names:
        context = BREADCRUMB_SEPARATOR.join(names)
        count = tokens.count(context)
        if count > room and len(names) == 1:
            context = context[: tokens.cut(context, room)].rstrip()
            count = tokens.count(context)
        if count <= room:
            return context, count
        names = names[1:]
    return "", 0


def measured(text: str) -> str:
    """Return the text with the contents of data URLs masked, as it is measured and split."""
    from pincite.text.prose import masked_data  # noqa: PLC0415 - not at start-up

    return masked_data(text)


def _embed_start(section: Section) -> int:
    """Return where a section's embedded text begins: after front matter."""
    kinds = [block.kind for block in section.blocks]
    if BlockKind.FRONT_MATTER not in kinds:
        return section.start
    following = section.blocks[kinds.index(BlockKind.FRONT_MATTER) + 1 :]
    return following[0].start if following else section.end
