"""Tell tables of data from those that lay out a page."""

from dataclasses import dataclass

from pincite.formats.html.events import Start

MIN_HEADER_CELLS = 2
"""Header cells from which a table has data whatever its cells hold: code, a heading, a table of their own."""

MAX_MEAN_CELL_CHARACTERS = 500
"""Mean length of the cells of such a table; longer ones are parts of a page."""

LAYOUT_ROLES = frozenset(("presentation", "none"))


@dataclass(slots=True)
class OpenTable:
    """A table whose end was not reached yet.

    Attributes:
        start: Its first event, which says at the end whether it has data.
        characters: Length of the page's text before it.
        has_blocks: True if a cell has code, a heading or another table.
        headers: Number of its header cells.
    """

    start: Start
    characters: int
    has_blocks: bool = False
    headers: int = 0

    def count(self, name: str) -> None:
        """Count a cell or a heading."""
        if name in ("td", "th"):
            self.start.cells += 1
            self.headers += name == "th"
        else:
            self.has_blocks = True

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
        self.start.is_data = is_data
