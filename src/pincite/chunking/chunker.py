"""A document into chunks: one a section, a long section in parts."""

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import pairwise

from pincite.chunking.interruptible import InterruptibleCounter
from pincite.chunking.places import Places
from pincite.chunking.policy import Policy
from pincite.chunking.splitting import Splitter, Unit
from pincite.chunking.tokens import TokenCounter
from pincite.model.call import Call
from pincite.model.chunk import BREADCRUMB_SEPARATOR, Chunk, ChunkKind
from pincite.model.document import BlockKind, Document, Section
from pincite.text.embed_text import FULL_STOP_TOKENS

_SHORT_CHARS_PER_TOKEN = 3
"""A section up to this length probably fits and is measured in one go; a longer one block by block."""


def chunk(document: Document, policy: Policy, tokenizer: TokenCounter, call: Call | None = None) -> list[Chunk]:
    """Cut a document by a policy.

    The chunks are slices of the document's text that partition it. None holds more tokens than
    the policy allows, its context counted in, front matter and what data URLs hold not, except where
    one character alone has more than fit.

    Args:
        document: As a builder made it.
        policy: Says how long a chunk may be.
        tokenizer: Counts in the tokens of the model that will embed the chunks.
        call: Asked between sections and blocks, if given.

    Raises:
        Cancelled, TimeoutExceeded: As the call says.
    """
    cutter = _Cutter(document, policy.max_tokens, tokenizer, call or Call())
    chunks: list[Chunk] = []
    for section in document.sections:
        chunks.extend(cutter.section(section, len(chunks)))
    return chunks


class _Cutter:
    """Cuts the sections of one document."""

    def __init__(self, document: Document, limit: int, tokenizer: TokenCounter, call: Call) -> None:
        self._text = document.text
        self._title = document.title
        self._limit = limit
        self._tokenizer = InterruptibleCounter(tokenizer, call)
        self._splitter = Splitter(_measured(document.text), self._tokenizer)
        self._call = call

    def section(self, section: Section, ordinal: int) -> Iterator[Chunk]:
        """The chunks of a section; the first one's place in the document is `ordinal`."""
        self._call.check()
        context, spent = self._context(section.path)
        embedded = _embedded(section)
        parts = self._parts(section, embedded, max(1, self._limit - spent - (FULL_STOP_TOKENS if context else 0)))
        place = Places(section.blocks)
        for number, part in enumerate(parts, 1):
            start = section.start if number == 1 else part.start
            yield Chunk(
                ordinal=ordinal + number - 1,
                locator=f"h{section.number}-c{number}",
                kind=ChunkKind.TEXT,
                heading_path=section.path,
                level=section.level,
                part=number,
                parts=len(parts),
                start=start,
                end=part.end,
                text=self._text[start : part.end],
                context=context,
                embed_start=part.start - start,
                tokens=spent + part.tokens,
                pages=place.pages(start, part.end),
                boxes=tuple(place.boxes(start, part.end)),
                sources=tuple(place.sources(start, part.end)),
            )

    def _context(self, path: tuple[str, ...]) -> tuple[str, int]:
        """Title and headings, and their tokens: at most half of a chunk's, the outermost left out first."""
        room = self._limit // 2
        title = (self._title,) if self._title and self._title != next(iter(path), None) else ()
        names = [name for name in (*title, *path) if name]
        while names:
            context = BREADCRUMB_SEPARATOR.join(names)
            tokens = self._tokenizer.count(context)
            if tokens > room and len(names) == 1:
                context = context[: self._tokenizer.cut(context, room)].rstrip()
                tokens = self._tokenizer.count(context)
            if tokens <= room:
                return context, tokens
            names = names[1:]
        return "", 0

    def _parts(self, section: Section, start: int, limit: int) -> list[Unit]:
        """The section from `start` on: whole if it fits, else its blocks packed in order."""
        short = section.end - start <= limit * _SHORT_CHARS_PER_TOKEN
        if short and self._splitter.fits(whole := self._splitter.unit(start, section.end), limit):
            return [whole]
        kinds, units = self._blocks(section, start)
        if self._splitter.fits(whole := reduce(self._splitter.join, units), limit):
            return [whole]
        parts: list[Unit] = []
        for unit in self._units(kinds, units, limit):
            joined = self._splitter.join(parts[-1], unit) if parts else None
            if joined and self._splitter.fits(joined, limit):
                parts[-1] = joined
            else:
                parts.append(unit)
        return parts

    def _blocks(self, section: Section, start: int) -> tuple[list[BlockKind], list[Unit]]:
        """The section's blocks from `start` on, each with what stands between it and the next."""
        blocks = [block for block in section.blocks if block.kind is not BlockKind.FRONT_MATTER]
        borders = [start, *(block.start for block in blocks[1:]), section.end]
        kinds = [block.kind for block in blocks] or [BlockKind.OTHER]
        return kinds, [self._splitter.unit(first, end) for first, end in pairwise(borders)]

    def _units(self, kinds: Iterable[BlockKind], blocks: Iterable[Unit], limit: int) -> Iterator[Unit]:
        room = limit
        for kind, block in zip(kinds, blocks, strict=True):
            self._call.check()
            yield from self._splitter.split(block, kind, limit, room)
            # What follows a heading is rather cut than parted from it.
            with_heading = kind is BlockKind.HEADING and 2 * block.tokens <= limit
            room = limit - block.tokens if with_heading else limit


def _measured(text: str) -> str:
    """A text as it is measured and cut: what data URLs hold takes no room."""
    from pincite.text.prose import masked_data  # noqa: PLC0415 - not at start-up

    return masked_data(text)


def _embedded(section: Section) -> int:
    """Where a section's embedded text begins: after front matter."""
    kinds = [block.kind for block in section.blocks]
    if BlockKind.FRONT_MATTER not in kinds:
        return section.start
    following = section.blocks[kinds.index(BlockKind.FRONT_MATTER) + 1 :]
    return following[0].start if following else section.end
