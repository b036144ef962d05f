"""Tables of a page: as drafts whose cells are words, and as detected tables with text and boxes."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.formats.pdf.page.characters import AS_HYPHENS
from pincite.formats.pdf.page.placed_text import PlacedText, split_baselines
from pincite.formats.pdf.page.rectangles import bounding_box
from pincite.formats.pdf.page.rules import Point, Rule, Rules
from pincite.formats.pdf.page.words import Line, Word, have_rtl, in_logical_order, is_rtl, line_of
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import Box, Cell, Table

NON_WORD = re.compile(r"[\W_]+")


@dataclass(slots=True, unsafe_hash=True)
class WordCell:
    """A cell of words in reading order, with the position and spans of `Cell`; not frozen, as a word."""

    row: int
    column: int
    words: tuple[Word, ...]
    row_span: int = 1
    column_span: int = 1


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A table whose cells are words.

    Attributes:
        cells: By row, then column.
        words: All words of the table, dot leaders included.
        is_framed: Whether rules bound it on all sides and separate its cells.
    """

    rows: int
    columns: int
    header_rows: int
    cells: tuple[WordCell, ...]
    words: tuple[Word, ...]
    is_framed: bool = False


@dataclass(frozen=True, slots=True)
class DetectedTable:
    """A table with its text and boxes.

    Attributes:
        boxes: One for each line of each cell.
        words: All words of the table.
        box: Bounding box of the words.
    """

    table: Table
    boxes: tuple[TextBox, ...]
    words: tuple[Word, ...]
    box: Box


def detected_table(draft: TableDraft, text_of: Callable[[Iterable[Word]], PlacedText]) -> DetectedTable:
    """Convert a draft to a table with texts and boxes.

    The table gets its text in file order as `source` where the cells have another order: a quote from the page must be
    found although header cells span columns and rows are regrouped.

    Args:
        draft: The table's words.
        text_of: Converts words to text with boxes.
    """
    cells: list[Cell] = []
    boxes: list[TextBox] = []
    for cell in _from_the_right(draft) if is_right_to_left(draft.words) else draft.cells:
        cell_text = text_of(_in_logical_order(cell.words))
        header = cell.row < draft.header_rows
        cells.append(Cell(cell.row, cell.column, cell_text.text, cell.row_span, cell.column_span, header=header))
        boxes += cell_text.boxes_at(cell.row, cell.column)
    source_text = file_order_text(draft.words)
    is_reordered = letters(source_text) != letters(" ".join(cell.text for cell in cells))
    table = Table(
        draft.rows, draft.columns, tuple(cells), draft.header_rows, source=source_text if is_reordered else ""
    )
    return DetectedTable(table, tuple(boxes), draft.words, Box(*bounding_box(draft.words)))


def is_right_to_left(words: Sequence[Word]) -> bool:
    """Return True if most words with letters run from right to left."""
    if not have_rtl(words):
        return False
    return 2 * sum(map(is_rtl, words)) > sum(any(map(str.isalpha, word.text)) for word in words)


def _from_the_right(draft: TableDraft) -> list[WordCell]:
    """Return the cells with the columns counted from the right, where a text from right to left begins."""
    turned = (replace(cell, column=draft.columns - cell.column - cell.column_span) for cell in draft.cells)
    return sorted(turned, key=lambda cell: (cell.row, cell.column))


def _in_logical_order(words: Iterable[Word]) -> Iterator[Word]:
    """Yield the words of a cell, which are from left to right in each line, in reading order."""
    for line in split_baselines(words):
        yield from in_logical_order(line)


def file_order_text(words: Iterable[Word]) -> str:
    """Return the text of words in file order, with a line break where a word is further left or lower."""
    text = ""
    last: Word | None = None
    for word in sorted(words, key=lambda word: word.first):
        if last is not None:
            text += " " if word.x0 >= last.x0 and word.y0 < last.y1 else "\n"
        text += word.text
        last = word
    return text.translate(AS_HYPHENS)


def letters(text: str) -> str:
    """Return its letters and digits in lower case, to compare a text with that of the cells."""
    return NON_WORD.sub("", text).lower()


def mirrored_lines(lines: Iterable[Line]) -> list[Line]:
    """Return lines with x counted from the right, and their words in that order."""
    return [line_of(sorted(mirrored_words(line.words), key=lambda word: word.x0)) for line in lines]


def mirrored_words(words: Iterable[Word]) -> list[Word]:
    """Return words with x counted from the right."""
    return [replace(word, x0=-word.x1, x1=-word.x0) for word in words]


def mirrored_rules(rules: Rules) -> Rules:
    """Return ruling lines with x counted from the right."""

    def point(place: Point) -> Point:
        x, y = place
        return -x, y

    return Rules(
        [Rule(rule.position, -rule.end, -rule.start) for rule in rules.horizontal],
        [Rule(-rule.position, rule.start, rule.end) for rule in rules.vertical],
        [(-x1, y0, -x0, y1) for x0, y0, x1, y1 in rules.shades],
        list(map(point, rules.slants)),
        list(map(point, rules.curves)),
    )


def unmirrored(draft: TableDraft) -> TableDraft:
    """Return a draft of mirrored words as one of the page: columns, and words in each line of a cell, from the left."""
    cells = [
        replace(
            cell,
            column=draft.columns - cell.column - cell.column_span,
            words=tuple(
                word
                for line in split_baselines(mirrored_words(cell.words))
                for word in sorted(line, key=lambda word: word.x0)
            ),
        )
        for cell in draft.cells
    ]
    by_place = sorted(cells, key=lambda cell: (cell.row, cell.column))
    return replace(draft, cells=tuple(by_place), words=tuple(mirrored_words(draft.words)))
