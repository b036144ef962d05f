"""An untagged page as blocks: tables, contents, paragraphs, in reading order."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.formats.canonical import Item, PageWriter
from pincite.formats.pdf.bookmarks import folded
from pincite.formats.pdf.boxes import line_box
from pincite.formats.pdf.contents import contents_rows
from pincite.formats.pdf.content import PageContent
from pincite.formats.pdf.headings import MOST_LINES, Styles, level
from pincite.formats.pdf.markers import is_bullet
from pincite.formats.pdf.order import in_reading_order, split_columns
from pincite.formats.pdf.paragraphs import Paragraph, paragraphs
from pincite.formats.pdf.running_heads import Heads
from pincite.formats.pdf.words import Line, Word, lines_of
from pincite.formats.text_boxes import TextBox
from pincite.model.document import BlockKind, Box, Table


@dataclass(frozen=True, slots=True)
class Area:
    """A stretch of rows that is no running text.

    Attributes:
        rows: Its visual lines.
        table: What it is; None for a table of contents.
        boxes: Of a table's cells.
    """

    rows: tuple[Line, ...]
    table: Table | None = None
    boxes: tuple[Box, ...] | tuple[TextBox, ...] = ()

    @property
    def x0(self) -> float:
        """Left edge."""
        return min(row.x0 for row in self.rows)

    @property
    def y0(self) -> float:
        """Top edge."""
        return min(row.y0 for row in self.rows)

    @property
    def x1(self) -> float:
        """Right edge."""
        return max(row.x1 for row in self.rows)

    @property
    def y1(self) -> float:
        """Bottom edge."""
        return max(row.y1 for row in self.rows)


@dataclass(frozen=True, slots=True)
class Layout:
    """A page in reading order.

    Attributes:
        parts: Areas and paragraphs.
        header: Texts of its running heads.
        footer: Texts of its running feet.
    """

    parts: tuple[Area | Paragraph, ...]
    header: tuple[str, ...] = ()
    footer: tuple[str, ...] = ()

    @property
    def paragraphs(self) -> list[Paragraph]:
        """Those of its parts that are."""
        return [part for part in self.parts if isinstance(part, Paragraph)]


def laid_out(content: PageContent, heads: Heads, pages: int) -> Layout:
    """A page in reading order.

    Args:
        content: The page.
        heads: Its rows that are running heads and feet.
        pages: Number of pages of the document.
    """
    apart = {*heads.header, *heads.footer}
    rows = [row for number, row in enumerate(content.rows) if number not in apart]
    areas = _areas(rows, pages)
    gone = {word.first for number in apart for word in content.rows[number].words}
    gone |= {word.first for area in areas for row in area.rows for word in row.words}
    lines = split_columns(_joined(lines_of(word for word in content.words if word.first not in gone)))
    things = in_reading_order(_placed(lines, areas))
    return Layout(
        tuple(_parts(things)),
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
    for part in layout.parts:
        depth = _heading(part, known, outline) if isinstance(part, Paragraph) else 0
        if isinstance(part, Paragraph) and not depth and part.label:
            items.append(part)
            continue
        _list(writer, items)
        items = []
        if isinstance(part, Area):
            _area(writer, part)
        elif depth:
            writer.heading(depth, part.text()[0], boxes=part.boxes())
        else:
            writer.paragraph(part.text()[0], boxes=part.boxes())
    _list(writer, items)


def _areas(rows: Sequence[Line], pages: int) -> list[Area]:
    contents = contents_rows(rows, pages)
    areas = [Area(tuple(rows[contents.start : contents.stop]))] if contents else []
    # tables.find(rest) comes here: one Area for each, with the rows that it swallowed.
    return areas


def _joined(lines: Sequence[Line]) -> list[Line]:
    return list(lines)


def _placed(lines: Sequence[Line], areas: Sequence[Area]) -> list[Line | Area]:
    """Lines and areas in the file's order; an area stands where its first word does."""
    things: list[tuple[int, Line | Area]] = [(line.words[0].first, line) for line in lines]
    things += [(min(word.first for row in area.rows for word in row.words), area) for area in areas]
    return [thing for _, thing in sorted(things, key=lambda pair: pair[0])] if areas else list(lines)


def _parts(things: Sequence[Line | Area]) -> Iterator[Area | Paragraph]:
    run: list[Line] = []
    for thing in things:
        if isinstance(thing, Line):
            run.append(thing)
            continue
        yield from paragraphs(run)
        run = []
        yield thing
    yield from paragraphs(run)


def _heading(paragraph: Paragraph, known: Styles, outline: Mapping[str, int]) -> int:
    if outline and len(paragraph.lines) <= MOST_LINES:
        depth = outline.get(folded(paragraph.text()[0]))
        if depth is not None:
            return depth
    return level(paragraph, known)


def _list(writer: PageWriter, items: Sequence[Paragraph]) -> None:
    """Items that follow each other, as one list; deeper where their marks stand further right."""
    if not items:
        return
    edges: list[float] = []
    made: list[Item] = []
    boxes: list[TextBox] = []
    for row, item in enumerate(items):
        while edges and item.x0 < edges[-1] - item.lines[0].size / 2:
            edges.pop()
        if not edges or item.x0 > edges[-1] + item.lines[0].size / 2:
            edges.append(item.x0)
        label = "" if is_bullet(item.label) else item.label
        made.append(Item(item.text(1)[0], len(edges) - 1, label))
        boxes += item.boxes(1, row)
    writer.items(made, boxes=boxes)


def _area(writer: PageWriter, area: Area) -> None:
    if area.table is not None:
        writer.table(area.table, boxes=area.boxes)
        return
    starts, length = list[TextBox](), 0
    for row in area.rows:
        starts.append(TextBox(line_box(row.words), length))
        length += len(row.text) + 1
    writer.block(BlockKind.CONTENTS, "\n".join(row.text for row in area.rows), boxes=starts)
