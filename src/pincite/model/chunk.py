"""A chunk: the unit that is embedded, found and cited."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from pincite.model.document import Box

BREADCRUMB_SEPARATOR = " > "


class ChunkKind(StrEnum):
    """Whether a chunk is a run of text or one table."""

    TEXT = "text"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A run of a chunk's text that stands in one box.

    Attributes:
        page: The page's number.
        box: Where on it.
        start: First character in the chunk's text.
        end: One past its last character.
    """

    page: int
    box: Box
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SourceText:
    """A run of a chunk's text that the file has in another order: a table that was put in rows and columns.

    Attributes:
        start: First character in the chunk's text.
        end: One past its last character; beyond the chunk's own end where the next chunk goes on with it.
        text: What the file says there, in its order.
    """

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of blocks of one section.

    Attributes:
        ordinal: Place in the document, from 0.
        locator: `h{section}-c{n}` for text, `h{section}-t{n}` for a table.
        heading_path: Headings from the outermost to the section's own.
        level: The section's heading level; 0 before the first heading.
        part: This chunk's place among the parts of its section, from 1.
        parts: How many parts the section has.
        start: First character in the document's text.
        end: One past its last character.
        text: The document's text from `start` to `end`.
        context: What is embedded and indexed in front of the text: the document's title and
            the headings.
        embed_start: Where in `text` embedding begins (after front matter).
        tokens: Tokens of context and text; what is embedded has at most `FULL_STOP_TOKENS` more.
        pages: Page numbers it stands on.
        boxes: Where its text stands on them, in its order.
        sources: The runs of it that begin in this chunk and stand in another order in the file.
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
    boxes: tuple[PlacedText, ...] = ()
    sources: tuple[SourceText, ...] = ()

    @property
    def breadcrumb(self) -> str:
        """The heading path as one string, as `get_section` takes it; a heading without text is left out."""
        return BREADCRUMB_SEPARATOR.join(filter(None, self.heading_path))

    @property
    def heading(self) -> str:
        """The section's own heading; empty before the first one."""
        return self.heading_path[-1] if self.heading_path else ""


def text_hash(text: str) -> bytes:
    """16 bytes that stand for a text: the key of its vector, and what an old reference is checked by."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
