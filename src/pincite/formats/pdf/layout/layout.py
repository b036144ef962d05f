"""An untagged page as blocks: tables, contents, paragraphs, in reading order."""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pincite.formats.pdf.layout.bookmarks import folded
from pincite.formats.pdf.layout.headings import MOST_LINES, Look, Styles, level, looks, page_look
from pincite.formats.pdf.layout.page_content import PageContent
from pincite.formats.pdf.layout.paragraphs import Paragraph, paragraphs
from pincite.formats.pdf.layout.reading_order import in_reading_order, split_columns
from pincite.formats.pdf.layout.running_heads import Heads
from pincite.formats.pdf.layout.toc import contents_rows
from pincite.formats.pdf.page.hyphens import breaks_words
from pincite.formats.pdf.page.markers import is_bullet, is_rule
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.placed_text import PlacedText, text_of
from pincite.formats.pdf.page.words import Line, Word, line_of, lines_of
from pincite.formats.pdf.tables.find import find_tables
from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import BlockKind, Table

_NO_TEXT = PlacedText()


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of the page that is no running text.

    Attributes:
        words: All that stand in it.
        table: What it is; None for a table of contents.
        text: Of a table of contents.
        boxes: Of a table's cells.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    words: tuple[Word, ...]
    table: Table | None = None
    text: PlacedText = _NO_TEXT
    boxes: tuple[TextBox, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """A page in reading order.

    Attributes:
        parts: Areas and paragraphs.
        looks: How many characters of the page have which look.
        header: Texts of its running heads.
        footer: Texts of its running feet.
    """

    parts: tuple[Region | Paragraph, ...]
    looks: Counter[Look]
    header: tuple[str, ...] = ()
    footer: tuple[str, ...] = ()

    @property
    def paragraphs(self) -> list[Paragraph]:
        """Those of its parts that are."""
        return [part for part in self.parts if isinstance(part, Paragraph)]


def lay_out(page: PdfPage, content: PageContent, heads: Heads, pages: int) -> Layout:
    """A page in reading order.

    Args:
        page: It, open.
        content: What stands on it.
        heads: Its rows that are running heads and feet.
        pages: Number of pages of the document.
    """
    apart = {*heads.header, *heads.footer}
    regions = _regions(page, [row for number, row in enumerate(content.rows) if number not in apart], pages)
    gone = {word.first for number in apart for word in content.rows[number].words}
    gone |= {word.first for region in regions for word in region.words}
    rest = [word for word in content.words if word.first not in gone and not is_rule(word.text)]
    lines = split_columns(lines_of(rest))
    things = in_reading_order(_placed(lines, regions))
    say = partial(text_of, breaks=breaks_words(content.words))
    return Layout(
        tuple(_parts(things, _beside(content.rows, lines), say)),
        looks(content.words),
        tuple(content.rows[number].text for number in heads.header),
        tuple(content.rows[number].text for number in heads.footer),
    )


def write(writer: PageWriter, layout: Layout, known: Styles, outline: Mapping[str, int]) -> None:
    """Write a page's blocks.

    Args:
        writer: Takes them.
        layout: The page.
        known: The document's styles.
        outline: Depth by folded title of the bookmarks that lead to this page.
    """
    items: list[Paragraph] = []
    body = page_look(layout.looks, known.body)
    for part in layout.parts:
        depth = _heading(part, known, body, outline) if isinstance(part, Paragraph) else 0
        if isinstance(part, Paragraph) and not depth and part.label:
            items.append(part)
            continue
        _list(writer, items)
        items = []
        if isinstance(part, Region):
            _region(writer, part)
        elif depth:
            writer.heading(depth, part.text.text, boxes=part.text.boxes)
        else:
            writer.paragraph(part.text.text, boxes=part.text.boxes)
    _list(writer, items)


def _regions(page: PdfPage, rows: Sequence[Line], pages: int) -> list[Region]:
    """The tables of contents and the tables of a page."""
    contents = contents_rows(rows, pages)
    regions = [_contents(rows[contents.start : contents.stop])] if contents else []
    rest = [row for number, row in enumerate(rows) if number not in contents]
    for found in find_tables(rest, page):
        box = found.box
        regions.append(Region(box.x0, box.y0, box.x1, box.y1, found.words, found.table, boxes=found.boxes))
    return regions


def _contents(rows: Sequence[Line]) -> Region:
    text = PlacedText()
    for row in rows:
        text = text.joined(text_of(row.words), "\n")
    words = tuple(word for row in rows for word in row.words)
    around = line_of(words)
    return Region(around.x0, around.y0, around.x1, around.y1, words, text=text)


def _placed(lines: Sequence[Line], regions: Sequence[Region]) -> list[Line | Region]:
    """Lines and areas in the file's order; an area stands where its first word does."""
    if not regions:
        return list(lines)
    things: list[tuple[int, Line | Region]] = [(line.words[0].first, line) for line in lines]
    things += [(min(word.first for word in region.words), region) for region in regions]
    return [thing for _, thing in sorted(things, key=lambda pair: pair[0])]


def _beside(rows: Sequence[Line], lines: Sequence[Line]) -> set[int]:
    """First characters of the words in whose row more stands than their own line."""
    lengths = {word.first: len(line.words) for line in lines for word in line.words}
    return {word.first for row in rows for word in row.words if lengths.get(word.first, 0) < len(row.words)}


def _parts(
    things: Sequence[Line | Region], beside: Container[int], say: Callable[[Sequence[Word]], PlacedText]
) -> Iterator[Region | Paragraph]:
    run: list[Line] = []
    for thing in things:
        if isinstance(thing, Line):
            run.append(thing)
            continue
        yield from paragraphs(run, beside, say)
        run = []
        yield thing
    yield from paragraphs(run, beside, say)


def _heading(paragraph: Paragraph, known: Styles, body: Look, outline: Mapping[str, int]) -> int:
    if outline and len(paragraph.lines) <= MOST_LINES:
        depth = outline.get(folded(paragraph.text.text))
        if depth is not None:
            return depth
    return level(paragraph, known, body)


def _list(writer: PageWriter, items: Sequence[Paragraph]) -> None:
    """Items that follow each other, as one list; deeper where their marks stand further right.

    What is numbered and stands alone is running text.
    """
    if len(items) == 1 and not is_bullet(items[0].label):
        writer.paragraph(items[0].text.text, boxes=items[0].text.boxes)
        return
    edges: list[float] = []
    made: list[Item] = []
    boxes: list[TextBox] = []
    for row, item in enumerate(items):
        edge, em = item.lines[0].x0, item.lines[0].size
        while edges and edge < edges[-1] - em / 2:
            edges.pop()
        if not edges or edge > edges[-1] + em / 2:
            edges.append(edge)
        text = item.unlabelled
        made.append(Item(text.text, len(edges) - 1, "" if is_bullet(item.label) else item.label))
        boxes += text.boxes_at(row)
    if made:
        writer.items(made, boxes=boxes)


def _region(writer: PageWriter, region: Region) -> None:
    if region.table is None:
        writer.block(BlockKind.CONTENTS, region.text.text, boxes=region.text.boxes)
    else:
        writer.table(region.table, boxes=region.boxes)
