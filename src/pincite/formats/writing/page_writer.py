"""Canonical Markdown, written block by block by the readers of every format other than text."""

import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate

from pincite.formats.writing.text_boxes import CAPTION, Boxes, Placed, TextBox, in_order, placed, positions
from pincite.model.document import (
    CELL_END,
    INVISIBLE_CHARACTERS,
    ROW_END,
    Aside,
    AsideKind,
    Block,
    BlockKind,
    Box,
    Cell,
    PackedCells,
    Page,
    PageFailure,
    RecognisedSpan,
    Table,
)
from pincite.text import invisible

MAX_HEADING_LEVEL = 6
"""Markdown has six levels."""
_PERMALINK = "¶"
"""Mark of a link from a heading to itself, as generators of documentation write it after the title."""
_FENCES = re.compile(r"^\s*(`{3,})", re.MULTILINE)
_UNTIDY = (
    "|",
    "  ",
    "\t",
    "\n",
    "\r",
    "\v",
    "\f",
    "\x1c",
    "\x1d",
    f" {CELL_END}",
    f"{CELL_END} ",
    f" {ROW_END}",
    f"{ROW_END} ",
)
"""Strings in a packed grid that `one_line` or the escape of bars would change; `_WIDE_SPACE` has those beyond ASCII."""
_WIDE_SPACE = re.compile(r"[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
BLANK_LINE = "\n\n"


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list.

    Attributes:
        text: Its text; line breaks are kept.
        depth: Level of its list, 0 for the outermost.
        label: The label that the document prints before it (`2.1`, `(c)`, `iv.`); empty for a bullet.
    """

    text: str
    depth: int = 0
    label: str = ""


class PageWriter:
    """Builder of one page (number None: a whole document) in canonical Markdown.

    Blocks are separated by a blank line. A block without text is left out, and its anchors pass to the next one.
    The document's text is written without escapes: blocks carry the structure, and the Markdown is never parsed again.

    Attributes:
        role: The role of the blocks that are added next. See `Block.role`.
    """

    def __init__(self, max_blocks: int, number: int | None = None) -> None:
        self.role = ""
        self._number = number
        self._max_blocks = max_blocks
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._anchors: dict[str, None] = {}
        self._failures: list[PageFailure] = []
        self._asides: list[Aside] = []
        self._warnings: list[str] = []
        self._limits: list[str] = []
        self._ocr = self._needs_ocr = False
        self._ocr_spans: list[RecognisedSpan] = []
        self._unread_pictures: list[str] = []

    def heading(self, level: int, title: str, anchors: Sequence[str] = (), boxes: Boxes = ()) -> None:
        """Add a heading; levels below 6 are written as 6. A mark that links to it is no part of its title."""
        given, title = title, one_line(title)
        level = max(1, min(level, MAX_HEADING_LEVEL))
        marks = "#" * level
        text = f"{marks} {title}" if title else ""
        plain = title.removesuffix(_PERMALINK).rstrip() or title
        block = Block(BlockKind.HEADING, 0, 0, level, plain, anchors=tuple(anchors))
        self._add(block, text, placed(boxes, given, text, marks))

    def paragraph(self, text: str, anchors: Sequence[str] = (), boxes: Boxes = ()) -> None:
        """Add running text; its line breaks are kept."""
        self.block(BlockKind.PARAGRAPH, text, anchors, boxes)

    def block(self, kind: BlockKind, text: str, anchors: Sequence[str] = (), boxes: Boxes = ()) -> None:
        """Add a block that has no attributes but its text."""
        self._add(Block(kind, 0, 0, anchors=tuple(anchors)), text, placed(boxes, text, text))

    def items(
        self,
        items: Iterable[Item],
        anchors: Sequence[str] = (),
        boxes: Boxes = (),
        kind: BlockKind = BlockKind.LIST,
    ) -> None:
        """Add a list with its nested lists as one block."""
        item_list = list(items)
        lines = [_item(item) if item.text.strip() else "" for item in item_list]
        text = "\n".join(filter(None, lines))
        self._add(Block(kind, 0, 0, anchors=tuple(anchors)), text, _in_items(boxes, item_list, lines))

    def code(self, text: str, language: str = "", anchors: Sequence[str] = (), boxes: Boxes = ()) -> None:
        """Add verbatim code, in a fence longer than any in the code."""
        whole = fenced(text, language)
        block = Block(BlockKind.CODE, 0, 0, language=language, anchors=tuple(anchors))
        self._add(block, whole, placed(boxes, text.rstrip("\r\n"), whole, whole.partition("\n")[0]))

    def table(self, table: Table, anchors: Sequence[str] = (), boxes: Boxes = ()) -> None:
        """Add a table: its caption, then a pipe table."""
        table = self._visible_table(table)
        # Packed cells have no boxes, and are written without a grid.
        rows = None if isinstance(table.cells, PackedCells) else _grid(table)
        grid = table_markdown(table, rows)
        text = BLANK_LINE.join(part for part in (table.caption, grid) if part)
        block = Block(BlockKind.TABLE, 0, 0, anchors=tuple(anchors), table=table)
        self._add(block, text, _in_table(boxes, table, rows, grid, len(text) - len(grid)))

    def figure(self, caption: str, anchors: Sequence[str] = (), boxes: Boxes = (), target: str = "") -> None:
        """Add a picture by its caption or alternative text, with its address if it has one."""
        given, caption = caption, one_line(caption)
        text = f"![{caption}]" + (f"({target})" if target else "") if caption else ""
        self._add(Block(BlockKind.FIGURE, 0, 0, anchors=tuple(anchors)), text, placed(boxes, given, text, "!["))

    def footnote(self, label: str, text: str, anchors: Sequence[str] = (), boxes: Boxes = ()) -> None:
        """Add a footnote; its reference in the text is `[^label]`."""
        mark = f"[^{label}]:"
        whole = f"{mark} {text.strip()}" if text.strip() else ""
        self._add(Block(BlockKind.FOOTNOTE, 0, 0, anchors=tuple(anchors)), whole, placed(boxes, text, whole, mark))

    def anchor(self, name: str) -> None:
        """Add a link target to the next block, or to the last one if none follows."""
        self._anchors[name] = None

    def aside(self, kind: AsideKind, text: str, *, place: str = "", reason: str = "") -> None:
        """Add an aside, which is not part of the page's text. See `Aside`."""
        text = text.strip()
        if text:
            self._asides.append(Aside(kind, text, self._number, place, reason))

    def fail(self, reason: str) -> None:
        """Report a part of this page that could not be read."""
        self._failures.append(PageFailure(self._number, reason))

    def warn(self, warning: str) -> None:
        """Add a warning for the person who reads the document."""
        self._warnings.append(warning)

    def limit(self, name: str) -> None:
        """Report a limit that cut this page."""
        if name not in self._limits:
            self._limits.append(name)

    def recognised(self) -> None:
        """Mark the text of this page as recognised in a picture."""
        self._ocr = True

    def unread_picture(self, name: str) -> None:
        """Report a picture inside this page that may have text and was not recognised."""
        self._unread_pictures.append(name)

    @contextmanager
    def recognising(self, confidence: float) -> Generator[None]:
        """Mark the text that is added in a `with` block as recognised in a picture inside this page."""
        start = self._length + (len(BLANK_LINE) if self._parts else 0)
        yield
        if self._length > start:
            self._ocr_spans.append(RecognisedSpan(start, self._length, confidence))

    def unrecognised(self, reason: str) -> None:
        """Report that this page has text that only recognition can read."""
        self._needs_ocr = True
        self.fail(reason)

    def add(self, block: Block, text: str) -> None:
        """Add a block with its Markdown; the writer sets its span."""
        self._add(block, text, Placed(block.boxes, block.box_starts))

    def _visible(self, text: str) -> str:
        """Return a text without its runs of invisible characters, which become asides."""
        spans = invisible.hidden_spans(text)
        for start, end in spans:
            self.aside(AsideKind.HIDDEN, invisible.decoded(text[start:end]), reason=INVISIBLE_CHARACTERS)
        return invisible.without_hidden(text) if spans else text

    def _visible_table(self, table: Table) -> Table:
        if isinstance(table.cells, PackedCells):
            packed = self._visible(table.cells.packed)
            return table if packed is table.cells.packed else replace(table, cells=replace(table.cells, packed=packed))
        # ASCII has no invisible characters: most tables need no copy.
        if "".join([cell.text for cell in table.cells]).isascii():
            return table
        return replace(table, cells=tuple(replace(cell, text=self._visible(cell.text)) for cell in table.cells))

    def _add(self, block: Block, text: str, placement: Placed) -> None:
        if spans := invisible.hidden_spans(text):
            placement = placement.without(spans)
            text = self._visible(text)
            block = replace(block, title=invisible.without_hidden(block.title))
        placement = placement.moved(len(text.lstrip()) - len(text))
        text = text.strip()
        self._anchors.update(dict.fromkeys(block.anchors))
        if not text:
            return
        if self._parts:
            self._append(BLANK_LINE)
        start = self._length
        self._append(text)
        if len(self._blocks) < self._max_blocks:
            anchors = tuple(self._anchors)
            self._anchors.clear()
            # Not with `replace`, which takes three times as long: this runs for every block of every document.
            self._blocks.append(
                Block(
                    block.kind,
                    start,
                    self._length,
                    block.level,
                    block.title,
                    block.language,
                    anchors,
                    block.table,
                    block.page,
                    placement.boxes,
                    placement.starts,
                    block.role or self.role,
                )
            )
        else:
            # `page` adds its anchors once: to extend them for each of many blocks takes quadratic time.
            last = self._blocks[-1]
            self._blocks[-1] = Block(BlockKind.OTHER, last.start, self._length, anchors=last.anchors)
            self.limit("max_blocks")

    def page(self) -> Page:
        """Return the finished page."""
        if self._parts:
            self._append("\n")
        if self._blocks and self._anchors:
            last = self._blocks[-1]
            self._blocks[-1] = replace(last, anchors=tuple(dict.fromkeys((*last.anchors, *self._anchors))))
        return Page(
            self._number,
            "".join(self._parts),
            tuple(self._blocks),
            tuple(self._failures),
            tuple(self._asides),
            tuple(self._warnings),
            tuple(self._limits),
            self._ocr,
            self._needs_ocr,
            tuple(self._ocr_spans),
            tuple(self._unread_pictures),
        )

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def hidden_page(page: Page, reason: str) -> Page:
    """Return a page that is shown to nobody: its text is an aside; what else is known of it stays."""
    writer = PageWriter(1, page.number)
    writer.aside(AsideKind.HIDDEN, page.text, reason=reason)
    asides = (*writer.page().asides, *page.asides)
    return Page(page.number, "", (), page.failures, asides, page.warnings, page.limits_hit)


def fenced(text: str, language: str = "") -> str:
    """Return code in a fence longer than any in it; empty if it is blank."""
    # A fence must be longer than any run of backticks that begins a line of the code (CommonMark, 4.5).
    fence = "`" * max([3, *(len(run) + 1 for run in _FENCES.findall(text))])
    lines = text.rstrip("\r\n")
    return f"{fence}{language}\n{lines}\n{fence}" if lines.strip() else ""


def one_line(text: str) -> str:
    """Return a text with each run of white space as one space."""
    return " ".join(text.split())


_Grid = Sequence[Mapping[int, str]]
"""The texts of each row by column, as they are written."""


def table_markdown(table: Table, rows: _Grid | None = None) -> str:
    """Return a pipe table: a cell's text at its first row and column, in header rows in every column of its span.

    A table without header rows gets an empty one, as the syntax requires.

    Args:
        table: The table.
        rows: Its grid, where it is known.
    """
    if isinstance(table.cells, PackedCells):
        return _packed_markdown(table.cells)
    if not any(cell.text.strip() for cell in table.cells):
        return ""
    return _grid_markdown(_grid(table) if rows is None else rows, table)


def _grid_markdown(rows: _Grid, table: Table) -> str:
    return _with_rule([_row(row, table.columns) for row in rows], table.columns, table.header_rows)


def _grid(table: Table) -> list[dict[int, str]]:
    """The texts of each row by column, as they are written."""
    rows: list[dict[int, str]] = [{} for _ in range(table.rows)]
    for cell in table.cells:
        text = _escaped(one_line(cell.text))
        for column in _columns(table, cell):
            rows[cell.row][column] = text
    return rows


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _in_table(boxes: Boxes, table: Table, rows: _Grid | None, grid: str, above: int) -> Placed:
    """Place the boxes of cells; a header cell's boxes once for every column that repeats its text.

    Args:
        boxes: The boxes.
        table: The table.
        rows: Its grid; None for packed cells.
        grid: Its Markdown.
        above: The offset where that begins.
    """
    text_boxes = [box for box in boxes if isinstance(box, TextBox)]
    if not text_boxes:
        return placed(boxes, "", "")
    if rows is None:
        rows = _grid(table)
    starts = _row_starts(grid or _grid_markdown(rows, table), table, above)
    cells = {(cell.row, cell.column): cell for cell in table.cells}
    return in_order(_cell_boxes(text_boxes, table, cells, rows, starts))


def _cell_boxes(
    text_boxes: Sequence[TextBox],
    table: Table,
    cells: Mapping[tuple[int, int], Cell],
    rows: _Grid,
    starts: Sequence[int],
) -> Iterator[tuple[int, Box]]:
    for text_box in text_boxes:
        cell = cells.get((text_box.row, text_box.column))
        if text_box.row == CAPTION or cell is None:
            yield (text_box.start if text_box.row == CAPTION else 0), text_box.box
            continue
        escaped, start = _escaped(cell.text), text_box.start + cell.text[: text_box.start].count("|")
        for column in _columns(table, cell):
            row = rows[cell.row]
            offset = sum([len(row.get(before, "")) for before in range(column)]) + len(" | ") * column
            (within,) = positions([start], escaped, row[column])
            yield starts[cell.row] + len("| ") + offset + within, text_box.box


def _row_starts(grid: str, table: Table, above: int) -> list[int]:
    """The offset of each row's line in a table's Markdown, which begins at offset `above`."""
    starts = list(accumulate([len(line) + 1 for line in grid.split("\n")], initial=above))
    # The rule is the second line; without header rows an empty row precedes it.
    return [starts[number + (number > 0 if table.header_rows else 2)] for number in range(table.rows)]


def _packed_markdown(cells: PackedCells) -> str:
    """As `table_markdown`, without splitting into cells where none needs a change."""
    packed = cells.packed
    if not packed.strip():  # both marks count as white space
        return ""
    if not _is_tidy(packed):
        rows = ((one_line(text).replace("|", "\\|") for text in row) for row in cells.texts())
        packed = ROW_END.join(CELL_END.join(row) for row in rows)
    lines = ("| " + packed.replace(CELL_END, " | ").replace(ROW_END, " |\n| ") + " |").split("\n")
    return _with_rule(lines, cells.columns, cells.header_rows)


def _is_tidy(packed: str) -> bool:
    # A search for one text after the other takes a tenth of the time of one regular expression.
    if packed[0] == " " or packed[-1] == " " or any(mark in packed for mark in _UNTIDY):
        return False
    return packed.isascii() or _WIDE_SPACE.search(packed) is None


def _with_rule(lines: list[str], columns: int, header_rows: int) -> str:
    if not header_rows:
        lines.insert(0, _row({}, columns))
    lines.insert(1, "|" + " --- |" * columns)
    return "\n".join(lines)


def _columns(table: Table, cell: Cell) -> Iterable[int]:
    if cell.row < table.header_rows:
        return range(cell.column, min(cell.column + cell.column_span, table.columns))
    return (cell.column,)


def _row(texts: Mapping[int, str], columns: int) -> str:
    return "| " + " | ".join([texts.get(column, "") for column in range(columns)]) + " |"


def _item(item: Item) -> str:
    indent = "  " * item.depth
    first, *continuations = item.text.strip().splitlines()
    return "\n".join(
        [f"{indent}{_mark(item)} {first}", *(f"{indent}  {line.strip()}" for line in continuations if line.strip())]
    )


def _mark(item: Item) -> str:
    """A number with a full stop is a list item of Markdown; any other label is written after a bullet."""
    return item.label if re.fullmatch(r"\d{1,9}\.", item.label) else f"- {item.label}".rstrip()


def _in_items(boxes: Boxes, items: Sequence[Item], lines: Sequence[str]) -> Placed:
    """Place the boxes of a list's items; boxes of an item without text are dropped."""
    text_boxes = [box for box in boxes if isinstance(box, TextBox)]
    if not text_boxes:
        return placed(boxes, "", "")
    starts = list(accumulate((len(line) + 1 if line else 0 for line in lines), initial=0))
    positioned: list[tuple[int, Box]] = []
    for text_box in text_boxes:
        if 0 <= text_box.row < len(items) and lines[text_box.row]:
            item = items[text_box.row]
            (within,) = positions([text_box.start], item.text, lines[text_box.row], _mark(item))
            positioned.append((starts[text_box.row] + within, text_box.box))
    return in_order(iter(positioned))
