"""What a reader makes of a file: blocks in reading order, and the sections they form."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import overload


class BlockKind(StrEnum):
    """What a block of a document is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    QUOTE = "quote"
    FIGURE = "figure"
    FOOTNOTE = "footnote"
    CONTENTS = "contents"
    HTML = "html"
    FRONT_MATTER = "front_matter"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in points from its top left corner."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, at its first row and column (from 0)."""

    row: int
    column: int
    text: str
    row_span: int = 1
    column_span: int = 1
    header: bool = False


CELL_END = "\x1f"
ROW_END = "\x1e"


@dataclass(frozen=True, slots=True, eq=False)
class PackedCells(Sequence[Cell]):
    """The cells of a full grid without spans, as one string: a tenth of the memory of as many `Cell`.

    Equal to a tuple of the same cells.

    Attributes:
        packed: The cells' texts, `CELL_END` between two cells of a row, `ROW_END` between two rows.
        columns: Number of columns of every row.
        header_rows: The cells of so many rows at the top are header cells.
    """

    packed: str
    columns: int
    header_rows: int = 0

    def texts(self) -> list[list[str]]:
        """The texts by row."""
        return [row.split(CELL_END) for row in self.packed.split(ROW_END)]

    def __len__(self) -> int:
        return (self.packed.count(ROW_END) + 1) * self.columns

    def __iter__(self) -> Iterator[Cell]:
        for row, texts in enumerate(self.texts()):
            for column, text in enumerate(texts):
                yield Cell(row, column, text, header=row < self.header_rows)

    @overload
    def __getitem__(self, index: int) -> Cell: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Cell, ...]: ...
    def __getitem__(self, index: int | slice) -> Cell | tuple[Cell, ...]:
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedCells):
            return (self.packed, self.columns, self.header_rows) == (other.packed, other.columns, other.header_rows)
        return tuple(self) == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))


@dataclass(frozen=True, slots=True)
class Table:
    """The cells of a table, each once; spans are kept, never spread over cells.

    Attributes:
        rows: Number of rows.
        columns: Number of columns.
        cells: By row, then column; a place that no cell covers is empty.
        header_rows: Rows at the top that name the columns.
        caption: What the document calls it; empty where it does not.
        place: Where a sheet holds it, as `Sheet1!B4:E9`; empty in other formats.
        source: Its text in the file's own order, so that a quote that runs across it is still found; empty where
            that is the order of its cells.
        continued: Whether it goes on with the table of the block before. Its header rows are
            those of that table once more; `place` does not count them.
    """

    rows: int
    columns: int
    cells: Sequence[Cell]
    header_rows: int = 0
    caption: str = ""
    place: str = ""
    continued: bool = False
    source: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A run of the text that belongs together.

    Attributes:
        kind: What it is.
        start: First character in the text that holds it (page text in a `Page`, canonical
            Markdown in a `Document`).
        end: One past its last character.
        level: Heading level 1..6; 0 for everything else.
        title: A heading's text without markup; empty for everything else.
        language: A code block's language, where the document names one.
        anchors: Names by which links reach it (HTML ids, bookmarks).
        table: A table's cells, where the reader knows them.
        page: Page number from 1, where the format has pages.
        boxes: Where it stands on that page, in the order of its text.
        box_starts: For each box the character of the block's text at which what stands in it begins, never
            falling; empty where that is not known.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    title: str = ""
    language: str = ""
    anchors: tuple[str, ...] = ()
    table: Table | None = None
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    box_starts: tuple[int, ...] = ()


class AsideKind(StrEnum):
    """What a text is that a reader keeps out of the document's own."""

    HEADER = "header"
    FOOTER = "footer"
    HIDDEN = "hidden"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True)
class Aside:
    """A text that is neither indexed nor extracted: a running head, hidden text, a comment.

    Attributes:
        page: Page number from 1, where the format has pages.
        place: Where the file holds it, in the format's own terms (`line 12`, `<p class="x">`); empty where not known.
        reason: Why nobody sees it; empty for what is not hidden and where the reader does not say.
    """

    kind: AsideKind
    text: str
    page: int | None = None
    place: str = ""
    reason: str = ""


INVISIBLE_CHARACTERS = "characters that are not drawn"
"""The reason of an aside that `text.invisible` found."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a reader knows of a document before its first page.

    Attributes:
        title: The title that the document gives itself (front matter, properties), or None.
        properties: Front matter or document properties, values as text.
        language: BCP 47 tag, where the document names one.
        pages: Number of pages, where the format has pages.
    """

    title: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict[str, str])
    language: str | None = None
    pages: int | None = None


@dataclass(frozen=True, slots=True)
class PageFailure:
    """A page (None: the whole document) that could not be read, and why."""

    page: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page, or the whole of a document whose format has none (`number` None).

    `text` is canonical Markdown; `blocks` are in reading order, do not overlap, and their
    spans count in `text`. Characters between blocks (blank lines) belong to no block.

    Attributes:
        failures: What of it could not be read.
        asides: What was read and kept apart.
        warnings: What a person should know (a lying extension, a value that was not calculated).
        limits_hit: Names of the limits that cut it.
    """

    number: int | None
    text: str
    blocks: tuple[Block, ...]
    failures: tuple[PageFailure, ...] = ()
    asides: tuple[Aside, ...] = ()
    warnings: tuple[str, ...] = ()
    limits_hit: tuple[str, ...] = ()


_SHOWN = 3
"""Reasons and page numbers that one sentence names."""


def _on_pages(pages: Sequence[int]) -> str:
    if not pages:
        return ""
    more = len(pages) - _SHOWN
    named = ", ".join(map(str, pages[:_SHOWN])) + (f" and {more} more" if more > 0 else "")
    return f" (page{'s' if len(pages) > 1 else ''} {named})"


@dataclass(frozen=True, slots=True)
class Coverage:
    """What of a document was read, and what was not."""

    pages: int | None = None
    read: int | None = None
    failed: tuple[PageFailure, ...] = ()
    ocr: int = 0
    hidden_spans: int = 0
    limits_hit: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether nothing was left out."""
        return not self.failed and not self.limits_hit

    @property
    def gaps(self) -> tuple[str, ...]:
        """Why it is not complete: each reason once."""
        cut = (f"cut by the limit {limit}" for limit in self.limits_hit)
        return tuple(dict.fromkeys([*(failure.reason.rstrip(".") for failure in self.failed), *cut]))

    @property
    def shortfall(self) -> str | None:
        """What was not read and why, in one sentence; None where all was."""
        if self.complete:
            return None
        pages = sorted({failure.page for failure in self.failed if failure.page is not None})
        more = len(self.gaps) - _SHOWN
        why = "; ".join(self.gaps[:_SHOWN]) + (f"; and {more} more" if more > 0 else "")
        return f"Not all of this document was read{_on_pages(pages)}: {why}."


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its own text, up to the next heading of any level.

    The sections of a document partition its text: the first starts at 0, each ends where
    the next begins, the last ends with the text.

    Attributes:
        number: n for the n-th heading; 0 for the text before the first heading.
        level: Heading level 1..6; 0 for the text before the first heading.
        path: Headings from the outermost to this one; empty before the first heading.
        start: First character (of the heading line) in the document's text.
        end: One past its last character.
        blocks: Its blocks in order, heading and front matter included.
    """

    number: int
    level: int
    path: tuple[str, ...]
    start: int
    end: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A document, read.

    Attributes:
        name: Its name in its collection (relative path, document id, upload name).
        text: Canonical Markdown; every span counts in it.
        sections: They partition `text`; empty only for an empty text.
        title: The title the document gives itself, else its first h1, else None.
        fingerprint: SHA-256 of its bytes, in hex.
        asides: What was read and kept apart: running heads, hidden text, comments.
        warnings: What a person should know about the reading, each once.
    """

    name: str
    text: str
    sections: tuple[Section, ...]
    title: str | None
    fingerprint: str
    media_type: str
    properties: Mapping[str, str]
    language: str | None
    coverage: Coverage
    asides: tuple[Aside, ...] = ()
    warnings: tuple[str, ...] = ()
