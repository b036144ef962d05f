"""Read tables with one column per product model."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.text.tables.grids import TextCell, TextGrid
from pincite.text.terms.labels import label_terms

_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")
_NAME = re.compile(r"[^\W_][\w./+ -]{1,60}")
_MIN_STEM_CHARS = 2
"""Letters that model names share besides their numbers: one letter begins too many other words."""
_MAX_HEADER_ROWS = 3
"""Rows in which model names are looked for: a title, the names and their units."""


@dataclass(frozen=True, slots=True)
class ModelTable:
    """A table with one column per model.

    Attributes:
        grid: The table.
        models: The header cell of each model's column, by column.
    """

    grid: TextGrid
    models: dict[int, TextCell]

    def values(self, row: int) -> Iterator[tuple[TextCell, TextCell]]:
        """Yield each model's header cell and the cell that covers its column in a row; one may cover several."""
        for column, header in self.models.items():
            cell = self.grid.covering(row, column)
            if cell is not None and cell.column > 0:
                yield header, cell


def model_tables(grids: Sequence[TextGrid]) -> list[ModelTable]:
    """Return the tables whose header names models: cells that share a stem and differ in digits."""
    found: list[ModelTable] = []
    for grid in grids:
        for cells in grid.rows[: max(1, min(grid.header_rows, _MAX_HEADER_ROWS))]:
            models = {cell.column: cell for cell in cells if cell.column > 0}
            is_named = any("model" in label_terms(cell.text) for cell in cells if cell.column == 0)
            if _are_models([cell.text for cell in models.values()], is_named=is_named):
                found.append(ModelTable(grid, models))
                break
    return found


def _are_models(names: Sequence[str], *, is_named: bool) -> bool:
    """Return True if names share a stem and differ in digits; one letter is a stem where a label says that they do."""
    if len(names) < 2 or len(set(names)) < len(names):  # noqa: PLR2004 - one column tells nothing
        return False
    stems = {_DIGITS.sub("#", name) for name in names}
    is_named = all(_NAME.fullmatch(name) and any(map(str.isalpha, name)) for name in names)
    stem = next(iter(stems))
    letters = sum(map(str.isalpha, stem))
    return is_named and len(stems) == 1 and "#" in stem and letters >= (1 if is_named else _MIN_STEM_CHARS)
