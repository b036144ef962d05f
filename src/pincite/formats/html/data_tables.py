"""Tell tables of data from those that lay out a page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from pincite.formats.html.events import Attributes, Break, End, Event, Start

MIN_HEADER_CELLS = 2
"""Header cells from which a table has data whatever its cells hold: code, a heading, a table of their own."""

MAX_MEAN_CELL_CHARACTERS = 500
"""Mean length of the cells of such a table; longer ones are parts of a page."""

MAX_MEAN_TITLED_CHARACTERS = 200
"""Mean length of the cells of a table with headings in rows of their own; longer ones are parts of a page."""

MAX_LABEL_CHARACTERS = 10

_LABEL = re.compile(r"[([]?(?:\d{1,3}[a-z]?|[a-z]{1,6}|[A-Z]{1,3})[)\].]+|(?:\d{1,3}\.)+\d{1,3}")
_DASHES = frozenset("-–—•·▪○●")
"""Marks of items that have no number."""

LAYOUT_ROLES = frozenset(("presentation", "none"))


@dataclass(slots=True)
class OpenTable:
    """A table whose end was not reached yet.

    Attributes:
        start: Its first event, which says at the end whether it has data.
        characters: Length of the page's text before it.
        has_blocks: True if a cell has code, a heading or another table.
        headers: Number of its header cells.
        titles: Number of headings in cells that have their row to themselves: they part its rows.
        is_cell_alone: True if the open cell spans columns and has its row to itself.
        rows: Number of its rows.
        open_cell: Index of the first event of its open cell.
        first_cell: The events of its first cell.
    """

    start: Start
    characters: int
    has_blocks: bool = False
    headers: int = 0
    titles: int = 0
    is_cell_alone: bool = False
    rows: int = 0
    open_cell: int = 0
    first_cell: slice | None = None

    def count(self, name: str, node: LexborNode, position: int) -> None:
        """Count a row, a cell or a heading, whose first event has a position."""
        if name == "tr":
            self.rows += 1
        elif name in ("td", "th"):
            self.start.cells += 1
            self.headers += name == "th"
            self.open_cell = position
            self.is_cell_alone = is_alone_in_row(node)
        elif self.is_cell_alone:
            self.titles += 1
        else:
            self.has_blocks = True

    def end_cell(self, end: int) -> None:
        """Record the end of a cell: the events up to an index, exclusive."""
        if self.first_cell is None:
            self.first_cell = slice(self.open_cell, end)

    def label(self, events: Sequence[Event]) -> str | None:
        """Return the label of the item that the table lays out, `-` for one without a number; None for any other.

        Acts of the European Union set each point as a table of one row: its number and its text.
        """
        if self.first_cell is None or self.rows != 1 or self.headers or self.start.cells != 2:  # noqa: PLR2004 - two
            return None
        cell = events[self.first_cell]
        if any(isinstance(event, Start | End) and event.name != "td" for event in cell):
            return None
        text = "".join(event if isinstance(event, str) else " " for event in cell if isinstance(event, str | Break))
        text = " ".join(text.split())
        if text in _DASHES:
            return "-"
        return text if len(text) <= MAX_LABEL_CHARACTERS and _LABEL.fullmatch(text) else None

    def close(self, characters: int) -> None:
        """Decide whether the table has data, at its end.

        Args:
            characters: Length of the page's text up to its end.
        """
        cells = self.start.cells
        is_data = cells > 1 and (self.start.attributes.get("role") not in LAYOUT_ROLES)
        if is_data and self.has_blocks:
            is_short = characters - self.characters <= MAX_MEAN_CELL_CHARACTERS * cells
            is_data = self.headers >= MIN_HEADER_CELLS and cells > self.headers and is_short
        elif is_data and self.titles:
            is_data = characters - self.characters <= MAX_MEAN_TITLED_CHARACTERS * cells and cells > self.titles + 1
        self.start.is_data = is_data


def is_alone_in_row(cell: LexborNode) -> bool:
    """Return True for a cell that spans columns and has no other next to it."""
    if not is_wide(cell.attributes):
        return False
    before, after = cell.prev, cell.next
    while before is not None and before.tag not in ("td", "th"):
        before = before.prev
    while before is None and after is not None and after.tag not in ("td", "th"):
        after = after.next
    return before is None and after is None


def is_wide(cell: Attributes) -> bool:
    """Return True for the attributes of a cell that spans columns."""
    span = (cell.get("colspan") or "").strip()
    return span.isascii() and span.isdigit() and int(span[:9]) > 1
