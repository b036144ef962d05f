"""Layout of an untagged page: tables, contents and paragraphs in reading order."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest

from pincite.formats.pdf.layout.bookmarks import contents_rows, outlined_title
from pincite.formats.pdf.layout.code import code_blocks
from pincite.formats.pdf.layout.heading_levels import Styles, heading_level, raised_level
from pincite.formats.pdf.layout.headings import (
    MAX_HEADING_LINES,
    Look,
    Place,
    is_chapter_label,
    page_look,
    title_place,
)
from pincite.formats.pdf.layout.page_content import PageContent, slanted_texts
from pincite.formats.pdf.layout.paragraphs import Paragraph, leading_of_page, paragraphs
from pincite.formats.pdf.layout.reading_order import (
    beside_text,
    in_reading_order,
    join_labels,
    part_margin_notes,
    shared_rows,
    split_columns,
)
from pincite.formats.pdf.layout.running_heads import RunningHeads
from pincite.formats.pdf.layout.underlines import drawings, is_inside, with_underlined
from pincite.formats.pdf.page.characters import AS_HYPHENS
from pincite.formats.pdf.page.code_text import DocumentCode, are_cells
from pincite.formats.pdf.page.hyphens import Hyphenation
from pincite.formats.pdf.page.markers import is_bullet, is_rule
from pincite.formats.pdf.page.placed_text import PlacedText, Turn, text_of
from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Line, Word, line_of, lines_of, visual_lines
from pincite.formats.pdf.tables.find import find_tables
from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import BlockKind, Table

_NO_TEXT = PlacedText()


@dataclass(frozen=True, slots=True)
class Region:
    """An area of the page that is a table, a table of contents or code.

    Attributes:
        words: All words in it.
        table: The table; None for a table of contents and for code.
        text: Text of a table of contents or of code.
        is_code: True for code.
        boxes: Boxes of a table's cells.
        numbers: Numbers of the lines of code, which are no part of it.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    words: tuple[Word, ...]
    table: Table | None = None
    text: PlacedText = _NO_TEXT
    boxes: tuple[TextBox, ...] = ()
    is_code: bool = False
    numbers: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """A page in reading order.

    Attributes:
        parts: Regions and paragraphs.
        looks: Characters of the page by look.
        header: Texts of its running heads.
        footer: Texts of its running feet.
    """

    parts: tuple[Region | Paragraph, ...]
    looks: Counter[Look]
    header: tuple[str, ...] = ()
    footer: tuple[str, ...] = ()

    @property
    def numbers(self) -> list[str]:
        """The numbers of the lines of each block of code that has some."""
        return [part.numbers for part in self.parts if isinstance(part, Region) and part.numbers]

    @property
    def paragraphs(self) -> list[Paragraph]:
        """The parts that are paragraphs."""
        return [part for part in self.parts if isinstance(part, Paragraph)]


def lay_out(
    content: PageContent,
    heads: RunningHeads,
    pages: int,
    hyphenation: Hyphenation,
    code: DocumentCode,
) -> Layout:
    """Lay out a page.

    Args:
        content: Its words and rows.
        heads: Its rows that are running heads and feet.
        pages: Number of pages of the document.
        hyphenation: What is known about its hyphens.
        code: What the pages before it show about the document's code.
    """
    to_text = partial(text_of, hyphenation=hyphenation)
    # Heads are taken out first, so that no table contains them, then tables, so that no gutter cuts their rows.
    head_rows = {*heads.header, *heads.footer}
    in_heads = {word.first for number in head_rows for word in content.rows[number].words}
    rows = [row for number, row in enumerate(content.rows) if number not in head_rows]
    left_out = in_heads | {word.first for word in content.slanted}
    sideways = [word for word in content.words if word.turns and word.first not in left_out]
    upright = [word for word in content.words if not word.turns and word.first not in left_out]
    rules = content.rules
    parts = _with_drawn(_lay_out_words(upright, rows, pages, to_text, rules, code, sideways), rules, to_text)
    if sideways:
        in_tables = {word.first for part in parts if isinstance(part, Region) for word in part.words}
        sideways = [word for word in sideways if word.first not in in_tables]
    for turns in sorted({word.turns for word in sideways}):
        turn = Turn(turns, content.width, content.height)
        words = turn.words(word for word in sideways if word.turns == turns)
        turned = _lay_out_words(words, visual_lines(words), pages, to_text, turn.rules(rules), code)
        parts += [_displayed(part, turn, aside=len(words) < len(upright)) for part in turned]
    parts += [Paragraph((line_of(text),), to_text(text), sideways=True) for text in slanted_texts(content.slanted)]
    return Layout(
        tuple(parts),
        content.looks,
        tuple(content.rows[number].text.translate(AS_HYPHENS) for number in heads.header),
        tuple(content.rows[number].text.translate(AS_HYPHENS) for number in heads.footer),
    )


def _lay_out_words(
    words: Sequence[Word],
    rows: Sequence[Line],
    pages: int,
    to_text: Callable[[Iterable[Word]], PlacedText],
    rules: Rules,
    known_code: DocumentCode,
    turned: Sequence[Word] = (),
) -> list[Region | Paragraph]:
    """Lay out words of one direction.

    Args:
        words: The words, seen upright, in file order.
        rows: The same words as visual lines.
        pages: Number of pages of the document.
        to_text: Joins words to text.
        rules: Ruling lines of the page, seen so, too.
        known_code: What the pages before it show about the document's code.
        turned: Words in other directions, which may be in cells of tables.
    """
    code = _code_regions(words, rows, rules, known_code)
    in_code = {word.first for region in code if not are_cells(region.words) for word in region.words}
    # Code before tables: what it aligns is no table.
    tables = _regions(_without(rows, in_code), pages, to_text, rules, turned)
    in_tables = {word.first for region in tables for word in region.words}
    regions = [*(region for region in code if in_tables.isdisjoint(word.first for word in region.words)), *tables]
    placed_elsewhere = {word.first for region in regions for word in region.words}
    body_words = [word for word in words if word.first not in placed_elsewhere and not is_rule(word.text)]
    lines = part_margin_notes(join_labels(split_columns(lines_of(body_words))))
    elements = in_reading_order(_placed(lines, regions))
    parts = list(_parts(elements, shared_rows(rows, lines), to_text))
    return beside_text(parts, rows)


def _with_drawn(
    parts: Sequence[Region | Paragraph], rules: Rules, to_text: Callable[[Iterable[Word]], PlacedText]
) -> list[Region | Paragraph]:
    """Return the parts of a page, with those paragraphs marked that are labels of its drawings, or underlined."""
    areas = drawings(rules, [line for part in parts if isinstance(part, Paragraph) for line in part.lines])
    marked = with_underlined(parts, rules, to_text)
    if not areas:
        return marked
    return [
        replace(part, in_drawing=True)
        if isinstance(part, Paragraph) and any(is_inside(part.lines[0], area) for area in areas)
        else part
        for part in marked
    ]


def _displayed(part: Region | Paragraph, turn: Turn, *, aside: bool) -> Region | Paragraph:
    """Return a part of turned text with its boxes on the page as displayed; `aside` if most of the page is upright."""
    if isinstance(part, Paragraph):
        return replace(part, text=turn.text(part.text), sideways=aside)
    return replace(part, text=turn.text(part.text), boxes=turn.boxes(part.boxes))


def write_layout(writer: PageWriter, layout: Layout, styles: Styles, outline: Mapping[str, int]) -> None:
    """Write a page's blocks.

    Args:
        writer: Receives the blocks.
        layout: Layout of the page.
        styles: Styles of the document.
        outline: Depth by folded title of the bookmarks that lead to this page.
    """
    items: list[Paragraph] = []
    body = page_look(layout.looks, styles.body)
    titles = _outlined_titles(layout.paragraphs, outline)
    depths = [_heading_depth(layout.parts, index, styles, body, titles) for index in range(len(layout.parts))]
    for part, depth, next_depth in zip_longest(layout.parts, depths, depths[1:]):
        if isinstance(part, Paragraph) and next_depth and is_chapter_label(part.text.text):
            depth = 0  # noqa: PLW2901 - the title below it is the heading
        if isinstance(part, Paragraph) and not depth and part.label:
            items.append(part)
            continue
        _write_list(writer, items)
        items = []
        if isinstance(part, Region):
            _write_region(writer, part)
        elif depth:
            writer.heading(depth, part.text.text, boxes=part.text.boxes)
        else:
            writer.paragraph(part.text.text, boxes=part.text.boxes)
    _write_list(writer, items)


def _regions(
    rows: Sequence[Line],
    pages: int,
    to_text: Callable[[Iterable[Word]], PlacedText],
    rules: Rules,
    turned: Sequence[Word],
) -> list[Region]:
    """Return the table of contents and the tables of a page."""
    contents = contents_rows(rows, pages)
    # The contents first: its rows of page numbers would make a table.
    regions = [_contents_region(rows[contents.start : contents.stop])] if contents else []
    body_rows = [row for number, row in enumerate(rows) if number not in contents]
    for detected in find_tables(body_rows, rules, to_text, turned):
        box = detected.box
        regions.append(Region(box.x0, box.y0, box.x1, box.y1, detected.words, detected.table, boxes=detected.boxes))
    return regions


def _code_regions(words: Sequence[Word], rows: Sequence[Line], rules: Rules, known: DocumentCode) -> list[Region]:
    regions: list[Region] = []
    for block in code_blocks(words, rows, rules, known):
        bounds = line_of(block.words)
        numbers = " ".join(word.text for word in block.numbers)
        box = (bounds.x0, bounds.y0, bounds.x1, bounds.y1)
        regions.append(Region(*box, block.words, text=block.text, is_code=True, numbers=numbers))
    return regions


def _without(rows: Sequence[Line], firsts: AbstractSet[int]) -> list[Line]:
    """Return rows without some words, by first character."""
    if not firsts:
        return list(rows)
    remaining = ([word for word in row.words if word.first not in firsts] for row in rows)
    return [line_of(words) for words in remaining if words]


def _contents_region(rows: Sequence[Line]) -> Region:
    text = PlacedText()
    for row in rows:
        text = text.joined(text_of(row.words), "\n")
    words = tuple(word for row in rows for word in row.words)
    bounds = line_of(words)
    return Region(bounds.x0, bounds.y0, bounds.x1, bounds.y1, words, text=text)


def _placed(lines: Sequence[Line], regions: Sequence[Region]) -> list[Line | Region]:
    """Merge lines and regions in file order; a region is placed at its first word."""
    if not regions:
        return list(lines)
    elements: list[tuple[int, Line | Region]] = [
        # A marker that the file has after the text belongs to its item.
        (min(word.first for word in line.words[:2]), line)
        for line in lines
    ]
    elements += [(min(word.first for word in region.words), region) for region in regions]
    return [element for _, element in sorted(elements, key=lambda pair: pair[0])]


def _parts(
    elements: Sequence[Line | Region], in_shared_rows: Container[int], to_text: Callable[[Sequence[Word]], PlacedText]
) -> Iterator[Region | Paragraph]:
    page_leading = leading_of_page([element for element in elements if isinstance(element, Line)])
    lines: list[Line] = []
    for element in elements:
        if isinstance(element, Line):
            lines.append(element)
            continue
        yield from paragraphs(lines, page_leading, in_shared_rows, to_text)
        lines = []
        yield element
    yield from paragraphs(lines, page_leading, in_shared_rows, to_text)


def _outlined_titles(parts: Iterable[Paragraph], outline: Mapping[str, int]) -> dict[int, int]:
    """Return the depths of paragraphs that the outline names, by the first word of each.

    Of several with one title, the most prominent: a list may name the headings below it.
    """
    titles: dict[str, Paragraph] = {}
    for part in parts if outline else ():
        if len(part.lines) > MAX_HEADING_LINES or is_bullet(part.label):
            continue
        title = outlined_title(part.text.text, outline)
        if title is not None and (title not in titles or _prominence(part) > _prominence(titles[title])):
            titles[title] = part
    return {part.lines[0].words[0].first: outline[title] for title, part in titles.items()}


def _prominence(paragraph: Paragraph) -> tuple[float, bool]:
    return paragraph.lines[0].size, paragraph.lines[0].words[0].bold


def _heading_depth(
    parts: Sequence[Region | Paragraph], index: int, styles: Styles, body: Look, titles: Mapping[int, int]
) -> int:
    paragraph = parts[index]
    if not isinstance(paragraph, Paragraph):
        return 0
    place = title_place(parts, index) if styles.placed and len(paragraph.lines) <= MAX_HEADING_LINES else Place.UNKNOWN
    depth = titles.get(paragraph.lines[0].words[0].first)
    return (
        raised_level(paragraph, depth, styles, body, place) if depth else heading_level(paragraph, styles, body, place)
    )


def _write_list(writer: PageWriter, items: Sequence[Paragraph]) -> None:
    """Write consecutive items as one list, nested by the indent of their labels.

    A single numbered item is written as a paragraph.
    """
    if not items:
        return
    if len(items) == 1 and not is_bullet(items[0].label):
        writer.paragraph(items[0].text.text, boxes=items[0].text.boxes)
        return
    edges: list[float] = []
    list_items: list[Item] = []
    boxes: list[TextBox] = []
    for row, item in enumerate(items):
        edge, em = item.lines[0].x0, item.lines[0].size
        if row and _is_in_next_column(items[row - 1], item):
            # The list goes on there at the level where it was.
            edges = [other + edge - items[row - 1].lines[0].x0 for other in edges]
        # Labels within half an em of each other are on one level.
        while edges and edge < edges[-1] - em / 2:
            edges.pop()
        if not edges or edge > edges[-1] + em / 2:
            edges.append(edge)
        text = item.unlabelled
        list_items.append(Item(text.text, len(edges) - 1, "" if is_bullet(item.label) else item.label))
        boxes += text.boxes_at(row)
    writer.items(list_items, boxes=boxes)


def _is_in_next_column(item: Paragraph, following: Paragraph) -> bool:
    """Return True if an item is above the one before it, or at its right."""
    first, line = item.lines[0], following.lines[0]
    is_beside = line.y0 < first.y1 and line.x0 > first.x1 and bool(item.unlabelled.text)
    return line.y1 < first.y0 or is_beside


def _write_region(writer: PageWriter, region: Region) -> None:
    if region.is_code:
        writer.code(region.text.text, boxes=region.text.boxes)
    elif region.table is None:
        writer.block(BlockKind.CONTENTS, region.text.text, boxes=region.text.boxes)
    else:
        writer.table(region.table, boxes=region.boxes)
