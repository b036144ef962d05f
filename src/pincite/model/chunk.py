"""Chunks: the unit of embedding, search and citation."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from pincite.model.document import Box

BREADCRUMB_SEPARATOR = " > "


ChunkType = Literal[
    "definition",
    "requirement",
    "recommendation",
    "guidance",
    "example",
    "figure",
    "table",
    "overview",
    "reference",
    "annex",
]
"""What a passage of a library is, as `Tags.chunk_type` has it."""


class ChunkKind(StrEnum):
    """Whether a chunk is a run of text or one table."""

    TEXT = "text"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A span of a chunk's text and its box on a page.

    Attributes:
        page: The page's number.
        box: The box on that page.
        start: First character in the chunk's text.
        end: One past its last character.
    """

    page: int
    box: Box
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SourceText:
    """A span of a chunk's text whose order in the file differs: a table laid out in rows and columns.

    Attributes:
        start: First character in the chunk's text.
        end: One past its last character; beyond the chunk's end if the next chunk continues it.
        text: The file's text of the span, in the file's order.
    """

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Tags:
    """What a policy recognised in a chunk; a filter selects by it.

    Attributes:
        chunk_type: `requirement`, `definition` and so on, in the policy's vocabulary; empty if it has none.
        normative: Whether its text is binding; None if the policy does not tell.
        clause: Its clause number as `5.3.1.2` or `A.2`; empty without one.
        references: Clauses and documents that it refers to, in order.
        importance: 0..1; None if the policy does not rate chunks.
        clauses: All clause numbers of a chunk that has several, in order; else empty.
        headings: Headings of the sections that were joined to its own.
        table_header: The header of the table that its embedded text begins within.
    """

    chunk_type: str = ""
    normative: bool | None = None
    clause: str = ""
    references: tuple[str, ...] = ()
    importance: float | None = None
    clauses: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    table_header: str = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Every clause number of the chunk, in order."""
        return self.clauses or ((self.clause,) if self.clause else ())


NO_TAGS = Tags()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of a document's text; spans of different chunks may overlap.

    Its section is the one that it begins in. Some policies let a span run on into the sections that follow.

    Attributes:
        ordinal: Position in the document, from 0.
        locator: `h{section}-c{n}` for text, `h{section}-t{n}` for a table; n counts from 1 within section and kind.
        heading_path: Headings from the outermost to the section's own.
        level: The section's heading level; 0 before the first heading.
        part: Number of this chunk among all of its section, text and tables counted together, from 1: the chunks of
            a section are neighbours in the document's list, and its first one has part 1.
        parts: Number of chunks in the section, tables included.
        start: First character in the document's text.
        end: One past its last character.
        text: The document's text from `start` to `end`.
        context: The document's title and the headings, embedded and indexed before the text.
        embed_start: Index in `text` of the first embedded character (after front matter).
        tokens: Tokens of context and text; the embedded text has at most `FULL_STOP_TOKENS` more.
        pages: Numbers of its pages.
        boxes: Boxes of its text on them, in its order.
        sources: The spans that begin in this chunk and have another order in the file.
        tags: What its policy recognised in it.
    """

    ordinal: int
    locator: str
    kind: ChunkKind
    heading_path: tuple[str, ...]
    level: int
    part: int
    parts: int
    start: int
    end: int
    text: str
    context: str
    embed_start: int = 0
    tokens: int = 0
    pages: tuple[int, ...] = ()
    boxes: Sequence[PlacedText] = ()
    sources: tuple[SourceText, ...] = ()
    tags: Tags = NO_TAGS

    @property
    def breadcrumb(self) -> str:
        """The heading path as one string, as `get_section` expects it; headings without text are omitted."""
        return BREADCRUMB_SEPARATOR.join(filter(None, self.heading_path))

    @property
    def body(self) -> str:
        """The embedded part of its text; blank for front matter alone."""
        return self.text[self.embed_start :]

    @property
    def heading(self) -> str:
        """The section's own heading; empty before the first one."""
        return self.heading_path[-1] if self.heading_path else ""


def last_heading(breadcrumb: str) -> str:
    """Return the heading that a breadcrumb ends in."""
    return breadcrumb.rpartition(BREADCRUMB_SEPARATOR)[2]


def text_hash(text: str) -> bytes:
    """Return the first 16 bytes of a text's SHA-256: the key of its vector, and the identity of a cited text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
