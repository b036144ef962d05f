"""Chunk a document: one chunk per section, several for a long one."""

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
"""Characters per token of the limit up to which a section probably fits and is measured whole, not by block."""


def chunk(document: Document, policy: Policy, tokenizer: TokenCounter, call: Call | None = None) -> list[Chunk]:
    """Chunk a document by a policy.

    The chunks partition the document's text. None has more tokens than the policy allows, including its
    context but not front matter and the contents of data URLs, unless a single character exceeds the limit.

    Args:
        document: The document.
        policy: Sets the maximum length of a chunk.
        tokenizer: The tokenizer of the model that will embed the chunks.
        call: Checked between sections and blocks, if given.

    Raises:
        Cancelled: The call is cancelled.
        TimeoutExceeded: The deadline has passed.
    """
    chunker = _DocumentChunker(document, policy.max_tokens, tokenizer, call or Call())
    chunks: list[Chunk] = []
    for section in document.sections:
        chunks.extend(chunker.section(section, len(chunks)))
    return chunks


class _DocumentChunker:
    def __init__(self, document: Document, limit: int, tokenizer: TokenCounter, call: Call) -> None:
        self._text = document.text
        self._title = document.title
        self._limit = limit
        self._tokenizer = InterruptibleCounter(tokenizer, call)
        self._splitter = Splitter(_measured(document.text), self._tokenizer)
        self._call = call

    def section(self, section: Section, ordinal: int) -> Iterator[Chunk]:
        """Yield the chunks of a section; the first one gets the ordinal `ordinal`."""
        self._call.check()
        context, context_tokens = self._context(section.path)
        embed_start = _embed_start(section)
        limit = max(1, self._limit - context_tokens - (FULL_STOP_TOKENS if context else 0))
        parts = self._parts(section, embed_start, limit)
        places = Places(section.blocks)
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
                tokens=context_tokens + part.tokens,
                pages=places.pages(start, part.end),
                boxes=tuple(places.boxes(start, part.end)),
                sources=tuple(places.sources(start, part.end)),
            )

    def _context(self, path: tuple[str, ...]) -> tuple[str, int]:
        """Return title and headings, and their tokens: at most half of a chunk's, omitting the outermost first."""
        # More than half would leave too little of the chunk to its text.
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
        """Return kinds and spans of the section's blocks from `start`, each up to the start of the next."""
        blocks = [block for block in section.blocks if block.kind is not BlockKind.FRONT_MATTER]
        borders = [start, *(block.start for block in blocks[1:]), section.end]
        kinds = [block.kind for block in blocks] or [BlockKind.OTHER]
        return kinds, [self._splitter.unit(first, end) for first, end in pairwise(borders)]

    def _units(self, kinds: Iterable[BlockKind], blocks: Iterable[Unit], limit: int) -> Iterator[Unit]:
        room = limit
        for kind, block in zip(kinds, blocks, strict=True):
            self._call.check()
            yield from self._splitter.split(block, kind, limit, room)
            # Rather split the block after a heading than separate the two.
            with_heading = kind is BlockKind.HEADING and 2 * block.tokens <= limit
            room = limit - block.tokens if with_heading else limit


def _measured(text: str) -> str:
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
