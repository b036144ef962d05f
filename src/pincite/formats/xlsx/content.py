"""The content of a sheet: its visible grid and its hidden texts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from python_calamine import CalamineSheet

from pincite.formats.ooxml.numbers import GENERAL
from pincite.formats.writing.addresses import area, cell
from pincite.formats.xlsx.grid import Row, SheetGrid, filled, from_cells, pack
from pincite.formats.xlsx.second_pass import MAX_COLUMNS, MAX_ROWS, Extras
from pincite.formats.xlsx.values import show
from pincite.model.call import Call
from pincite.model.document import CELL_END

MAX_HIDDEN_CHARACTERS = 100_000
"""Maximum characters of hidden text kept for a sheet, for rows, columns and cells each."""

MAX_EXACT = 1e15
"""Numbers below this have an integer part of at most 15 digits, which `GENERAL` shows in full."""

_CHECK_ROWS = 500
"""Rows between two checks for cancellation."""
_NO_TEXTS: Mapping[int, str] = {}
_Moves = dict[int, dict[int, tuple[int, int]]]
"""Where merged cells are shown whose first cell is hidden: row → column → row and column."""


class Content:
    """Converts a sheet's cells from values to text.

    Attributes:
        extras: The result of the second pass over the sheet.
        sparse: True if all cells come from the second pass.
        too_large: True if the sheet is too large for a second pass.
        grid: The visible cells.
    """

    def __init__(self, extras: Extras, *, sparse: bool = False, too_large: bool = False) -> None:
        self.extras = extras
        self.sparse = sparse
        self.too_large = too_large
        self.grid = SheetGrid((), [])
        self._moved: dict[int, dict[int, str]] = {}
        self._hidden_rows: dict[int, str] = {}
        self._hidden_columns: dict[int, dict[int, str]] = {}
        self._remaining = {
            "rows": MAX_HIDDEN_CHARACTERS,
            "columns": MAX_HIDDEN_CHARACTERS,
            "cells": MAX_HIDDEN_CHARACTERS,
        }
        self._blanked: dict[tuple[int, int], str] = {}
        self._unseen: dict[int, list[int]] = {}
        for row, column in extras.unseen:
            self._unseen.setdefault(row, []).append(column)
        self._links: dict[int, dict[int, str]] = {}
        for (row, column), target in extras.links.items():
            self._links.setdefault(row, {})[column] = target
        self._amended = self._links.keys() | self._unseen.keys()

    def add_rows(self, sheet: CalamineSheet, call: Call) -> None:
        """Add a sheet's rows; texts of the second pass replace its values."""
        texts_of, start, end = self.extras.texts, sheet.start, sheet.end
        wide = [column for texts in texts_of.values() for column in (min(texts), max(texts))]
        if start is None or end is None:
            self.add_cells()
            return
        left, right = min([start[1], *wide]), max([end[1], *wide])
        before, after = [""] * (start[1] - left), [""] * (right - end[1])
        keep = [column - left for column in range(left, right + 1) if column not in self.extras.hidden_columns]
        moves = self._moves(left, right, max(end[0], *texts_of, 0))
        rows: list[Row] = []
        skipped = 0
        for number, values in enumerate(self._values(sheet, end[0])):
            if number % _CHECK_ROWS == 0:
                call.check()
            texts = [
                value
                # `type` and not `isinstance`, inline and not in a function: this runs for each cell of each sheet.
                if type(value) is str
                else f"{value:{GENERAL}}"  # the same as `show`, in a third of the time
                if type(value) is float and -MAX_EXACT < value < MAX_EXACT
                else show(value)
                for value in values
            ]
            if before or after:
                texts = [*before, *texts, *after]
            for column, text in texts_of.get(number, _NO_TEXTS).items():
                texts[column - left] = text
            if number in self._amended:
                self._amend(number, left, texts)
            self._move(moves, number, left, texts)
            if number in self.extras.hidden_rows:
                skipped += 1
                self._hide_row(number, texts)
                continue
            if len(keep) < len(texts):
                self._hide_columns(number, left, texts)
                texts = [texts[index] for index in keep]
            if mask := filled(texts):
                rows.append(Row(number - skipped, number, mask, pack(texts)))
        self.grid = SheetGrid([left + index for index in keep], rows)

    def _moves(self, first_column: int, last_column: int, last_row: int) -> _Moves:
        """Return the merged cells whose first row or column is hidden, but not all of them."""
        next_rows, next_columns = _next_shown(self.extras.hidden_rows), _next_shown(self.extras.hidden_columns)
        moves: _Moves = {}
        for top, left, bottom, right in self.extras.merges if next_rows or next_columns else ():
            row, column = next_rows.get(top, top), next_columns.get(left, left)
            is_shown = row <= min(bottom, last_row) and column <= min(right, last_column)
            if is_shown and (row, column) != (top, left) and left >= first_column:
                moves.setdefault(top, {})[left] = row, column
        return moves

    def _move(self, moves: _Moves, number: int, left: int, texts: list[str]) -> None:
        """Move texts of merged cells out of a row, and into it."""
        for column, (row, shown) in moves.get(number, {}).items():
            moved = self._moved.setdefault(row, {})
            moved[shown] = f"{moved.get(shown, '')} {texts[column - left]}".strip()
            texts[column - left] = ""
        for column, text in self._moved.pop(number, _NO_TEXTS).items():
            texts[column - left] = f"{text} {texts[column - left]}".strip()

    def _values(self, sheet: CalamineSheet, last: int) -> Iterator[Sequence[object]]:
        yield from sheet.iter_rows()
        beyond = max(self.extras.texts, default=0)
        for _ in range(last, beyond):
            yield [""] * sheet.width

    def add_cells(self) -> None:
        """Add the cells of the second pass alone."""
        extras = self.extras
        visible: dict[int, dict[int, str]] = {}
        moves = self._moves(0, MAX_COLUMNS, MAX_ROWS)
        for first, texts in extras.texts.items():
            for left, text in texts.items():
                target = self._links.get(first, _NO_TEXTS).get(left)
                shown = linked(text, target) if target else text
                number, column = moves.get(first, {}).get(left, (first, left))
                if (first, left) in extras.unseen:
                    self._keep_unseen(first, left, shown)
                elif number in extras.hidden_rows or column in extras.hidden_columns:
                    self._hide_cell(number, column, shown)
                elif shown:
                    cells = visible.setdefault(number, {})
                    cells[column] = f"{cells[column]} {shown}" if column in cells else shown
        self.grid = from_cells(visible, extras.hidden_rows, extras.hidden_columns)

    def whole_text(self) -> str:
        """Return the texts of all visible cells, up to `MAX_HIDDEN_CHARACTERS`."""
        lines: list[str] = []
        remaining = MAX_HIDDEN_CHARACTERS
        for row in self.grid.rows:
            text = _line(row.packed.split(CELL_END))
            remaining -= len(text)
            if remaining < 0:
                lines.append("…")
                break
            lines.append(text)
        return "\n".join(lines)

    def listing(self) -> str:
        """Return a line for each visible cell: its address and its text."""
        extras = self.extras
        return "\n".join(
            f"{cell(row, column)}: {text}"
            for row, texts in sorted(extras.texts.items())
            if row not in extras.hidden_rows
            for column, text in sorted(texts.items())
            if text and column not in extras.hidden_columns
        )

    def hidden_texts(self) -> Iterator[tuple[str, str, str]]:
        """Yield address, text and reason of each run of hidden rows, each hidden column and each hidden cell."""
        runs = groupby(enumerate(sorted(self._hidden_rows)), lambda pair: pair[1] - pair[0])
        for _, run in runs:
            rows = [row for _, row in run]
            yield f"{rows[0] + 1}:{rows[-1] + 1}", "\n".join(self._hidden_rows[row] for row in rows), "hidden rows"
        for column, texts in sorted(self._hidden_columns.items()):
            text = "\n".join(texts[row] for row in sorted(texts))
            yield area(min(texts), column, max(texts), column), text, "hidden column"
        for address, text in sorted(self._blanked.items()):
            yield cell(*address), text, self.extras.unseen[address]

    def _amend(self, number: int, left: int, texts: list[str]) -> None:
        """Insert a row's links, and remove texts that are not drawn."""
        self._link(number, left, texts)
        for column in self._unseen.get(number, ()):
            if 0 <= column - left < len(texts):
                self._keep_unseen(number, column, texts[column - left])
                texts[column - left] = ""

    def _keep_unseen(self, number: int, column: int, text: str) -> None:
        if text and self._fits("cells", text):
            self._blanked[number, column] = text

    def _link(self, number: int, left: int, texts: list[str]) -> None:
        for column, target in self._links.get(number, _NO_TEXTS).items():
            if 0 <= column - left < len(texts):
                texts[column - left] = linked(texts[column - left], target)

    def _hide_row(self, number: int, texts: Sequence[str]) -> None:
        if (text := _line(texts)) and self._fits("rows", text):
            self._hidden_rows[number] = text

    def _hide_columns(self, number: int, left: int, texts: Sequence[str]) -> None:
        for index, text in enumerate(texts):
            if text and left + index in self.extras.hidden_columns and self._fits("columns", text):
                self._hidden_columns.setdefault(left + index, {})[number] = text

    def _hide_cell(self, number: int, column: int, text: str) -> None:
        if number not in self.extras.hidden_rows:
            if self._fits("columns", text):
                self._hidden_columns.setdefault(column, {})[number] = text
        elif self._fits("rows", text):
            self._hidden_rows[number] = _line([self._hidden_rows.get(number, ""), text])

    def _fits(self, of: str, text: str) -> bool:
        self._remaining[of] -= len(text)
        return self._remaining[of] >= 0


def _next_shown(hidden: Iterable[int]) -> dict[int, int]:
    """Return the next row or column after each hidden one that is not hidden."""
    following: dict[int, int] = {}
    for number in sorted(hidden, reverse=True):
        following[number] = following.get(number + 1, number + 1)
    return following


def linked(text: str, target: str) -> str:
    """Return a cell's text as a Markdown link, unless it is the target itself."""
    if not text or target in (text, f"mailto:{text}"):
        return text
    return f"[{text}]({target})"


def _line(texts: Sequence[str]) -> str:
    return " | ".join(filter(None, texts))
