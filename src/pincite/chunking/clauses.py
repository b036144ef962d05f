"""A policy for standards: one chunk per requirement, recommendation and definition, prose in windows."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from pincite.chunking.cutting import Body, Piece, cut_sections
from pincite.chunking.joining import joined, with_clauses
from pincite.chunking.splitting import Unit
from pincite.chunking.tagging.keywords import is_statement
from pincite.chunking.tagging.marked_terms import marks_terms
from pincite.chunking.tagging.outline import Outline, outline
from pincite.chunking.tagging.references import References, references
from pincite.chunking.tagging.statements import Passage, Passages
from pincite.chunking.tagging.topics import Topic
from pincite.chunking.tokens import TokenCounter
from pincite.errors import ConfigError
from pincite.model.call import Call
from pincite.model.chunk import NO_TAGS, Chunk, ChunkKind, Tags
from pincite.model.document import BlockKind, Document, Section
from pincite.text.comments import without_comments

VERSION = 28
"""To be incremented when the same document gives other chunks or tags, or other text of it is embedded."""

WINDOW_TOKENS = 256
"""Tokens of text that one vector still describes well: the window of the local model. Longer prose is cut into windows,
if the minimum and the overlap allow such short ones (decision 0059)."""


@dataclass(frozen=True, slots=True)
class ClausePolicy:
    """Implements `Policy`: cuts standards into requirements, recommendations, definitions and prose, and tags them.

    A sentence, list item or table row that is a requirement, recommendation or definition is a chunk of its own,
    whatever its length; so are figure captions. What is between them is prose: windows of about `WINDOW_TOKENS` that
    repeat up to `overlap` of the one before.

    Attributes:
        minimum: Tokens below which no window of prose ends while more of the same prose follows.
        maximum: Maximum number of tokens of a chunk, including its context.
        overlap: Maximum number of tokens that a window repeats.

    Raises:
        ConfigError: The overlap is not less than the minimum, or the minimum is more than the maximum.
    """

    minimum: int
    maximum: int
    overlap: int

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.minimum <= self.maximum:
            raise ConfigError(
                f"The tokens of chunks must rise from overlap ({self.overlap}) to minimum ({self.minimum}) to maximum "
                f"({self.maximum}), and the overlap must be less than the minimum."
            )

    @property
    def identity(self) -> str:
        """See `Policy.identity`."""
        return f"clauses/{VERSION}/{self.minimum}/{self.maximum}/{self.overlap}"

    def lay_out(self, document: Document) -> Document:
        """See `Policy.lay_out`: as given."""
        return document

    def cut(self, document: Document, tokens: TokenCounter, call: Call) -> Iterator[Chunk]:
        """See `Policy.cut`."""
        clauses = outline(document, call)
        passages = Passages(without_comments(document.text), clauses, terms_are_marked=marks_terms(document))
        cutter = _Cutter(self, clauses, passages, references(document.text, clauses.clauses))
        join = partial(joined, minimum=self.minimum)
        return cut_sections(document, self.maximum, tokens, call, cutter.pieces, join)


_FRONT_MATTER = Tags("overview")
_PROSE_TYPES = frozenset({"overview", "guidance", "reference", "annex"})
"""Types of running prose; others are chunks of their own."""


@dataclass(frozen=True, slots=True)
class _Cutter:
    """Divides the sections of one document."""

    policy: ClausePolicy
    outline: Outline
    passages: Passages
    references: References

    def pieces(self, body: Body) -> Iterator[Piece]:
        """Yield the pieces of a section; the first has the number of its heading, which it begins with, too."""
        heading = self.outline.at(body.section.start)
        first, *others = self._pieces(body)
        own = Tags(clause=heading.clause) if heading.numbered else NO_TAGS
        yield replace(first, tags=with_clauses(first.tags, own, first.tags))
        yield from others

    def _pieces(self, body: Body) -> Iterator[Piece]:
        blocks = [block for block in body.section.blocks if block.kind is not BlockKind.FRONT_MATTER]
        if not blocks:
            # Front matter alone, or white space.
            yield Piece(body.splitter.unit(body.start, body.section.end), ChunkKind.TEXT, _FRONT_MATTER)
            return
        start = body.start
        if blocks[0].kind is BlockKind.HEADING and len(blocks) > 1 and not is_statement(blocks[0].title):
            # The headings are in the context: the first chunk has the line, and embeds what follows it.
            start, blocks = blocks[1].start, blocks[1:]
        text_start = blocks[1].start if len(blocks) > 1 else body.section.end
        has_heading = blocks[0].kind is BlockKind.HEADING
        listed = _with_lists(self.passages.of(blocks, start, body.section.end))
        for (kind, alone), run in groupby(listed, key=lambda passage: (_kind(passage), passage.alone)):
            passages = list(run)
            for piece in self._alone(body, passages, kind) if alone else self._prose(body, passages, kind):
                yield replace(piece, is_heading=has_heading and not alone and piece.unit.end <= text_start)

    def _alone(self, body: Body, passages: Sequence[Passage], kind: ChunkKind) -> Iterator[Piece]:
        for passage in passages:
            start = passage.start if passage.embed_start is None else passage.embed_start
            unit = body.splitter.unit(start, passage.end)
            units = (
                [unit]
                if body.splitter.fits(unit, body.room)
                else body.splitter.pack(body.split([(passage.block, unit)], body.room), body.room)
            )
            for part in units:
                first = passage.start if part.start == start else None
                yield Piece(part, kind, self._tags(passage, part), first)

    def _prose(self, body: Body, passages: Sequence[Passage], kind: ChunkKind) -> Iterator[Piece]:
        """Yield the windows over each run of one type and clause."""
        minimum, overlap = self.policy.minimum, self.policy.overlap
        # Text that exceeds this room can be cut into windows of at least the minimum, whatever its length.
        body = replace(body, room=min(body.room, max(WINDOW_TOKENS, 2 * minimum - overlap)))
        for _, run in groupby(passages, key=lambda passage: (passage.chunk_type, passage.clause)):
            same = list(run)
            whole = body.splitter.unit(same[0].start, same[-1].end)
            group = self._group(body.section, same[0])
            if body.splitter.fits(whole, body.room):
                yield Piece(whole, kind, self._tags(same[0], whole), group=group)
                continue
            blocks = [(passage.block, body.splitter.unit(passage.start, passage.end)) for passage in same]
            for unit in windows(body, blocks, minimum, overlap):
                yield Piece(unit, kind, self._tags(same[0], unit), group=group)

    def _group(self, section: Section, passage: Passage) -> Hashable:
        """Return what neighbours must share to be joined: their type, who they bind, and their parent section."""
        scope = self.outline.at(passage.start)
        is_list = passage.block in {BlockKind.TABLE, BlockKind.CONTENTS} or scope.topic is Topic.CONTENTS
        if is_list or passage.chunk_type not in _PROSE_TYPES:
            return None
        is_paragraph = scope.numbered and scope.start > section.start
        parent = (section.path, scope.clause.rpartition(".")[0]) if is_paragraph else (section.path[:-1], "")
        return passage.chunk_type, scope.binding, scope.annex, parent

    def _tags(self, passage: Passage, unit: Unit) -> Tags:
        names = self.references.within(unit.start, unit.end, passage.clause)
        return Tags(passage.chunk_type, passage.normative, passage.clause, names)


def _kind(passage: Passage) -> ChunkKind:
    return ChunkKind.TABLE if passage.block is BlockKind.TABLE else ChunkKind.TEXT


def _with_lists(passages: Iterator[Passage]) -> Iterator[Passage]:
    """Yield the passages, with a list that has no statement of its own joined to the sentence that announces it."""
    last: Passage | None = None
    for passage in passages:
        if last and last.stem and passage.block is BlockKind.LIST and not passage.alone:
            last = replace(last, end=passage.end, block=BlockKind.LIST)
            continue
        if last:
            yield last
        last = passage
    if last:
        yield last


def windows(body: Body, blocks: Sequence[tuple[BlockKind, Unit]], minimum: int, overlap: int) -> Iterator[Unit]:
    """Yield windows over blocks that do not fit in one; no last one below the minimum if it can be helped."""
    splitter, room = body.splitter, body.room
    tokens = sum(unit.tokens for _, unit in blocks)
    overlap = min(overlap, room // 2)
    units = list(body.split(blocks, overlap or room))
    # Windows of equal size instead of a full one and a rest.
    new = max(1, room - overlap)
    count = -(-(tokens - overlap) // new)
    goal = min(room, max(minimum, overlap + -(-(tokens - overlap) // max(1, count))))
    first = position = 0
    while position < len(units):
        window = units[first]
        for position in range(first + 1, len(units) + 1):
            if position == len(units):
                break
            longer = splitter.join(window, units[position])
            if not splitter.fits(longer, room) or window.tokens >= goal:
                break
            window = longer
        yield window
        if position >= len(units):
            return
        first = _repeated(splitter_units=units, first=first, position=position, overlap=overlap, room=room)


def _repeated(*, splitter_units: Sequence[Unit], first: int, position: int, overlap: int, room: int) -> int:
    """Return the first unit of the next window: as many as the overlap allows are repeated."""
    tokens, start = 0, position
    while start - 1 > first and tokens + splitter_units[start - 1].tokens <= overlap:
        if tokens + splitter_units[start - 1].tokens + splitter_units[position].tokens > room:
            break
        start -= 1
        tokens += splitter_units[start].tokens
    return start
