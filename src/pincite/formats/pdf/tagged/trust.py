"""Judge the tags of a file and of its pages: what they get wrong is read by the layout instead."""

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.errors import InvalidInput
from pincite.formats.pdf.page.character_repairs import RTL_LETTER
from pincite.formats.pdf.page.page import loaded_page
from pincite.formats.pdf.page.pdfium import Handle
from pincite.formats.pdf.tables.segments import is_number
from pincite.formats.pdf.tagged.structure import Element, heading_kind, read_structure
from pincite.formats.pdf.tagged.tables import Piece, TaggedTable
from pincite.model.call import Call
from pincite.model.document import BlockKind, Box, Table

SURVEY_PAGES = 16
"""Pages whose tags are counted before the first is written, spread over the file; 5 ms each."""

MIN_PROSE_ELEMENTS = 3
"""Paragraphs outside tables that make a page one on which headings can be missed."""

PROSE_PAGES_PER_HEADING = 4
"""Pages of prose with one tagged heading among them, from which headings are worth comparing with the layout's."""

MIN_LAYOUT_HEADINGS, LAYOUT_HEADINGS_PER_TAGGED = 3, 5
"""Headings that the layout must show, and for each tagged one, before the tags count as without headings."""

MIN_HEADINGS_OF_LEVEL = 3
"""Headings of one level, and none of others, from which their print tells the levels."""

MIN_FRAGMENTS, MAX_FRAGMENT_CHARS = 40, 12
"""Paragraphs of a page, and their median length, that are the cells of a table whose tags are missing."""

MIN_BROKEN_LINES, MAX_BROKEN_SHARE = 4, 0.25
"""Number and share of a page's paragraphs that go on in the line of the one before: each link is a paragraph."""

MIN_CELLS, MAX_CELL_SHARE = 6, 0.2
"""Number and share of a page's paragraphs that begin beside the one before: each cell of a table is a paragraph."""


MIN_TORN_ROWS, MAX_TORN_SHARE = 4, 0.3
"""Number and share of a table's rows that are a line of a cell in the row below: each line is tagged as a row."""

MIN_MISPLACED, MAX_MISPLACED_SHARE = 3, 0.1
"""Number and share of a page's numbers that are printed below another column than the one that they are tagged in."""


@dataclass(frozen=True, slots=True)
class TagCounts:
    """What the tags of some pages of a file are.

    Attributes:
        headings: Number of headings.
        prose_pages: Number of pages with paragraphs outside tables.
        levels: Number of levels of these headings.
    """

    headings: int
    prose_pages: int
    levels: int = 0

    @property
    def may_lack_levels(self) -> bool:
        """Return True if many headings are all on one level: their print may show several."""
        return self.levels == 1 and self.headings >= MIN_HEADINGS_OF_LEVEL

    @property
    def may_lack_headings(self) -> bool:
        """Return True if there are fewer headings than so many pages of prose should have."""
        return PROSE_PAGES_PER_HEADING * self.headings < self.prose_pages

    def lack_headings(self, in_layout: int) -> bool:
        """Return True if the layout shows headings that are not tagged.

        Args:
            in_layout: Number of headings that the layout reader finds on a sample of pages.
        """
        return in_layout >= max(MIN_LAYOUT_HEADINGS, LAYOUT_HEADINGS_PER_TAGGED * self.headings)


def surveyed_pages(pages: int) -> range:
    """Return the numbers of the pages of a file whose tags are counted."""
    return range(1, pages + 1, max(1, pages // SURVEY_PAGES))


def count_tags(document: Handle, pages: int, call: Call) -> TagCounts:
    """Count headings and pages of prose in a sample of a tagged file's pages; damaged ones are passed over."""
    headings = prose_pages = 0
    levels: set[int] = set()
    for number in surveyed_pages(pages):
        call.check()
        try:
            with loaded_page(document, number) as page:
                kinds = Counter(kind for element in read_structure(page, call) for kind in _kinds(element))
        except InvalidInput:
            continue
        headings += sum(count for kind, count in kinds.items() if heading_kind(kind))
        levels |= {heading_kind(kind) for kind in kinds} - {0}
        prose_pages += kinds["P"] >= MIN_PROSE_ELEMENTS
    return TagCounts(headings, prose_pages, len(levels))


def _kinds(element: Element) -> Iterator[str]:
    """Yield the type of each heading and paragraph with content outside of tables."""
    if element.kind in ("Table", "TOC", "Index"):
        return
    if heading_kind(element.kind):
        if any(True for _ in element.content_ids()):
            yield element.kind
    elif element.kind == "P" and any(True for _ in element.content_ids()):
        yield "P"
    else:
        for child in element.children:
            if isinstance(child, Element):
                yield from _kinds(child)


def contradict_print(pieces: Sequence[Piece]) -> bool:
    """Return True if a page's tags tear apart what is printed as one, or put numbers into the wrong columns."""
    tables = [piece.table for piece in pieces if piece.table]
    paragraphs = [piece for piece in pieces if piece.kind is BlockKind.PARAGRAPH]
    return (
        _are_fragments(paragraphs)
        or any(_has_torn_rows(tagged.table) for tagged in tables)
        or _have_misplaced_numbers(tables)
    )


def _are_fragments(paragraphs: Sequence[Piece]) -> bool:
    if len(paragraphs) >= MIN_FRAGMENTS:
        lengths = [len(piece.text.text) for piece in paragraphs]
        if statistics.median(lengths) <= MAX_FRAGMENT_CHARS:
            return True
    gaps = [_gap_within_line(piece, after) for piece, after in pairwise(paragraphs)]
    cells = sum(gap is not None for gap in gaps)
    if cells >= MIN_CELLS and cells > MAX_CELL_SHARE * len(paragraphs):
        return True
    broken = sum(gap is not None and gap < 1 for gap in gaps)
    return broken >= MIN_BROKEN_LINES and broken > MAX_BROKEN_SHARE * len(paragraphs)


def _gap_within_line(piece: Piece, after: Piece) -> float | None:
    """Return the white between a paragraph and one that begins in its last line, as a share of the line's height."""
    if not piece.text.boxes or not after.text.boxes:
        return None
    last, first = piece.text.boxes[-1].box, after.text.boxes[0].box
    height = min(last.y1 - last.y0, first.y1 - first.y0)
    overlap = min(last.y1, first.y1) - max(last.y0, first.y0)
    # From right to left, text goes on at the left.
    gap = last.x0 - first.x1 if RTL_LETTER.search(piece.text.text) else first.x0 - last.x1
    return gap / height if overlap > height / 2 and gap > -height else None


def _has_torn_rows(table: Table) -> bool:
    """Return True if many rows are a line of a cell alone, whose last line is in the row of its label below them."""
    columns: dict[int, set[int]] = {}
    for cell in table.cells:
        if cell.text.strip() and cell.row >= table.header_rows:
            columns.setdefault(cell.row, set()).add(cell.column)
    torn = set[int]()
    for row in sorted(columns, reverse=True):
        filled, below = columns[row], columns.get(row + 1, set())
        # A title of the rows below it is in the first column.
        if len(filled) == 1 and 0 not in filled and filled <= below and (0 in below or row + 1 in torn):
            torn.add(row)
    return len(torn) >= MIN_TORN_ROWS and len(torn) > MAX_TORN_SHARE * len(columns)


def _have_misplaced_numbers(tables: Sequence[TaggedTable]) -> bool:
    numbers = misplaced = 0
    for tagged in tables:
        in_table, wrong = _misplaced(tagged)
        numbers, misplaced = numbers + in_table, misplaced + wrong
    return misplaced >= MIN_MISPLACED and misplaced > MAX_MISPLACED_SHARE * numbers


def _misplaced(tagged: TaggedTable) -> tuple[int, int]:
    """Return how many numbers a table has, and how many of them end nearer to the numbers of another column."""
    single = {(cell.row, cell.column): cell.text for cell in tagged.table.cells if cell.column_span == 1}
    boxes: dict[tuple[int, int], Box] = {}
    for placed in tagged.boxes:
        if is_number(single.get((placed.row, placed.column), "").strip("$€£ ")):
            # The last box: a currency sign before the number has one of its own.
            boxes[placed.row, placed.column] = placed.box
    edges: dict[int, list[float]] = {}
    for (_, column), box in boxes.items():
        edges.setdefault(column, []).append(box.x1)
    columns = {column: statistics.median(right) for column, right in edges.items()}
    wrong = 0
    for (_, column), box in boxes.items():
        nearest = min(columns, key=lambda other: abs(columns[other] - box.x1))
        # Half the box: numbers of one column may end in a bracket, a percent sign or a note.
        far = abs(columns[column] - box.x1) > abs(columns[nearest] - box.x1) + (box.x1 - box.x0) / 2
        wrong += nearest != column and far
    return len(boxes), wrong
