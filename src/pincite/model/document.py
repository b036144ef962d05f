"""The result of reading a file: blocks in reading order, and the sections they form."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import takewhile
from typing import Any, overload

ATTACHMENTS, READER_PROCESS = "attachments", "reader_process"
"""Limits that a document hit whose attachments were not all read: the attachments' own, and its process's.

The reasons of its failures name them.
"""


class BlockKind(StrEnum):
    """The kind of a block."""

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

    def union(self, other: "Box") -> "Box":
        """Return the smallest box around this and another."""
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))


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
    """The cells of a full grid without spans, packed into one string: a tenth of the memory of `Cell` objects.

    Equal to a tuple of the same cells.

    Attributes:
        packed: The cells' texts, `CELL_END` between two cells of a row, `ROW_END` between two rows.
        columns: Number of columns of every row.
        header_rows: Number of rows at the top that are header cells.
    """

    packed: str
    columns: int
    header_rows: int = 0

    def texts(self) -> list[list[str]]:
        """Return the texts by row."""
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
        cells: By row, then column; a position that no cell covers is empty.
        header_rows: Number of rows at the top that name the columns.
        caption: Its caption in the document; empty without one.
        place: Its range in a sheet, as `Sheet1!B4:E9`; empty in other formats.
        source: Its text in the file's own order, for quotes that run across it; empty if that is the order of
            its cells.
        continued: Whether it continues the table of the block before. Its header rows repeat that table's;
            `place` does not count them.
        attachment: The name of the attached file that it was made of, which no page shows; empty for what is printed.
    """

    rows: int
    columns: int
    cells: Sequence[Cell]
    header_rows: int = 0
    caption: str = ""
    place: str = ""
    continued: bool = False
    source: str = ""
    attachment: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, table or other unit of the text.

    Attributes:
        kind: Its kind.
        start: First character in the text (of the page in a `Page`, canonical Markdown in a
            `Document`).
        end: One past its last character.
        level: Heading level 1..6; 0 for everything else.
        title: A heading's text without markup; empty for everything else.
        language: A code block's language, if the document names one.
        anchors: Link targets in it (HTML ids, bookmarks).
        table: A table's cells, if the reader knows them.
        page: Page number from 1, if the format has pages.
        boxes: Its boxes on that page, in the order of its text.
        box_starts: For each box the index in the block's text of its first character, ascending; empty if not
            known.
        role: `note`, `example` or `informative` if the file's markup sets it apart as such; empty for the body.
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
    role: str = ""


class AsideKind(StrEnum):
    """The kind of a text outside the document's body."""

    HEADER = "header"
    FOOTER = "footer"
    HIDDEN = "hidden"
    COMMENT = "comment"
    SURROUNDINGS = "surroundings"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Aside:
    """A text that is neither indexed nor extracted: a running head, hidden text, a comment, a menu, a link's address.

    Attributes:
        page: Page number from 1, if the format has pages.
        place: Its position in the file in the format's terms (`line 12`, `<p class="x">`), of a link its text; empty
            if not known.
        reason: Why it is left out; empty if its kind says so, or the reader does not know.
    """

    kind: AsideKind
    text: str
    page: int | None = None
    place: str = ""
    reason: str = ""


INVISIBLE_CHARACTERS = "characters that are not drawn"
"""The reason of an aside from `text.invisible`."""

SURROUNDINGS = "outside the page's main content"
"""The reason of an aside that surrounds the content of a web page."""


@dataclass(frozen=True, slots=True)
class PageSizes:
    """The size of each page as displayed, in the unit of its boxes.

    Attributes:
        sizes: Width and height by page, the first page first.
    """

    sizes: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Head:
    """A document's metadata, known before its first page.

    Attributes:
        title: The title in its front matter or properties, or None.
        properties: Front matter or document properties, values as text.
        language: BCP 47 tag, if the document names one.
        pages: Number of pages, if the format has pages.
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
class RecognisedSpan:
    """A span of a text that was recognised (OCR) in a picture inside a page.

    Attributes:
        start: Its first character.
        end: One past its last character.
        confidence: The mean confidence of its words, 0..1.
    """

    start: int
    end: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page, or the whole of a document whose format has none (`number` None).

    `text` is canonical Markdown; `blocks` are in reading order, do not overlap, and their
    spans count in `text`. Characters between blocks (blank lines) belong to no block.

    Attributes:
        failures: Parts of it that could not be read.
        asides: Texts outside its body.
        warnings: Messages for the user (a wrong extension, a value that was not calculated).
        limits_hit: Names of the limits that cut it.
        ocr: True if its text was recognised in a picture (OCR), by us or by the program that made the file.
        needs_ocr: True if it has text that only recognition can read.
        ocr_spans: Its spans that were recognised in pictures inside it.
        unread_pictures: Pictures inside it that may have text and were not recognised, by the names that the
            `Rasteriser` of its format takes.
        next_part: Number from 1 of the file inside the document (an attachment) that is read after this page: what
            ends the process from here on is its fault, and the others can be read without it. 0 for no such file.
    """

    number: int | None
    text: str
    blocks: tuple[Block, ...]
    failures: tuple[PageFailure, ...] = ()
    asides: tuple[Aside, ...] = ()
    warnings: tuple[str, ...] = ()
    limits_hit: tuple[str, ...] = ()
    ocr: bool = False
    needs_ocr: bool = False
    ocr_spans: tuple[RecognisedSpan, ...] = ()
    unread_pictures: tuple[str, ...] = ()
    next_part: int = 0


_MAX_LISTED = 3
"""Maximum number of reasons and of page numbers in one sentence."""


def _named_pages(pages: Sequence[int]) -> str:
    unlisted = len(pages) - _MAX_LISTED
    named = ", ".join(map(str, pages[:_MAX_LISTED])) + (f" and {unlisted} more" if unlisted > 0 else "")
    return f"page{'s' if len(pages) > 1 else ''} {named}"


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which parts of a document were read.

    Attributes:
        ocr: Number of pages with text that was recognised in a picture (OCR); 1 for such a file without pages.
        ocr_pages: Numbers of the pages whose whole text was; empty for a file without pages.
        needs_ocr: Number of pages with text that only recognition can read, and that was not recognised.
        ocr_spans: Spans of the text that were recognised in pictures inside pages that have text of their own.
        unread_pictures: Number of pictures inside pages that may have text and were not recognised. They make a
            document no less complete: most pictures have none.
    """

    pages: int | None = None
    read: int | None = None
    failed: tuple[PageFailure, ...] = ()
    ocr: int = 0
    hidden_spans: int = 0
    limits_hit: tuple[str, ...] = ()
    ocr_pages: tuple[int, ...] = ()
    needs_ocr: int = 0
    ocr_spans: tuple[RecognisedSpan, ...] = ()
    unread_pictures: int = 0

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> "Coverage":
        """Return a coverage from its `asdict`, also after JSON, and from an older version's."""
        lists: dict[str, Any] = {
            "failed": tuple(PageFailure(**failure) for failure in values["failed"]),
            "limits_hit": tuple(values["limits_hit"]),
            "ocr_pages": tuple(values.get("ocr_pages", ())),
            "ocr_spans": tuple(RecognisedSpan(**span) for span in values.get("ocr_spans", ())),
        }
        return cls(**{**values, **lists})

    @property
    def complete(self) -> bool:
        """True if the document was read in full."""
        return not self.failed and not self.limits_hit

    @property
    def gaps(self) -> tuple[str, ...]:
        """The distinct reasons why it is not complete."""
        cut = (f"cut by the limit {limit}" for limit in self.limits_hit if limit not in (ATTACHMENTS, READER_PROCESS))
        return tuple(dict.fromkeys([*(failure.reason.rstrip(".") for failure in self.failed), *cut]))

    @property
    def reasons(self) -> str:
        """The first reasons why it is not complete, and the number of the others; empty if it is."""
        unlisted = len(self.gaps) - _MAX_LISTED
        return "; ".join(self.gaps[:_MAX_LISTED]) + (f"; and {unlisted:,} more" if unlisted > 0 else "")

    @property
    def shortfall(self) -> str | None:
        """One sentence on what was not read and why; None if it is complete."""
        if self.complete:
            return None
        pages = sorted({failure.page for failure in self.failed if failure.page is not None})
        where = f" ({_named_pages(pages)})" if pages else ""
        return f"Not all of this document was read{where}: {self.reasons}."

    def recognised(
        self, pages: Sequence[int] | None = None, spans: Sequence[tuple[int, int]] | None = None
    ) -> str | None:
        """Return one sentence on text that was recognised in pictures; None if there is none.

        Args:
            pages: The pages to report on; None for all.
            spans: Start and end of the texts on them to report on; None for all.
        """
        if not self.ocr:
            return None
        own = self.ocr_pages if pages is None else tuple(page for page in pages if page in self.ocr_pages)
        if own or not (self.ocr_pages or self.ocr_spans):
            where = f"of {_named_pages(own)} " if own else ""
            return f"The text {where}was recognised in a picture (OCR) and may have errors: {_CHECK}."
        texts = self.ocr_spans if spans is None else [span for span in self.ocr_spans if _overlaps(span, spans)]
        if not texts:
            return None
        return f"A part of the text was recognised in a picture inside the page (OCR) and may have errors: {_CHECK}."


_CHECK = "check numbers against the page"


def _overlaps(recognised: RecognisedSpan, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < recognised.end and recognised.start < end for start, end in spans)


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
    """A document as read.

    Attributes:
        name: Its name in its collection (relative path, document id, upload name).
        text: Canonical Markdown; every span refers to it.
        sections: A partition of `text`; empty only for an empty text.
        title: The title from its metadata, else its first h1, else None.
        fingerprint: SHA-256 of its bytes, in hex.
        asides: Texts outside its body: running heads, hidden text, comments.
        warnings: Distinct messages for the user about the reading.
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

    @property
    def first_h1(self) -> str | None:
        """The text of its first heading of level 1 that has one, or None."""
        return next((section.path[-1] for section in self.sections if section.level == 1 and section.path[-1]), None)

    @property
    def display_title(self) -> str | None:
        """Its own title if a paragraph above its first h1, on a title page, is that; else its first h1 or own title."""
        first, title = self.first_h1, self.title
        if not (first and title):
            return first or title
        words = title.casefold().split()
        above = takewhile(lambda section: section.level != 1, self.sections)
        paragraphs = (block for section in above for block in section.blocks if block.kind is BlockKind.PARAGRAPH)
        is_above = words and any(self.text[one.start : one.end].casefold().split() == words for one in paragraphs)
        return title if is_above else first
