"""What a sheet holds: its visible grid, and what is hidden of it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from python_calamine import CalamineSheet

from pincite.formats.writing.addresses import area, cell
from pincite.formats.xlsx.grid import Row, SheetGrid, filled, from_cells, pack
from pincite.formats.xlsx.number_formats import GENERAL
from pincite.formats.xlsx.second_pass import Extras
from pincite.formats.xlsx.values import show
from pincite.model.call import Call
from pincite.model.document import CELL_END

MAX_HIDDEN = 100_000
"""Characters of hidden text that are kept of a sheet, rows and columns each."""

DIGITS_HELD = 1e15
"""Numbers below have their integer part in 15 digits."""

_CHECK_ROWS = 500
_NONE: Mapping[int, str] = {}


class Content:
    """A sheet's cells, on their way from values to text.

    Attributes:
        extras: What the second look at the sheet found.
        sparse: Whether all cells come from that look.
        too_large: Whether there was none, as the sheet is large.
        grid: The visible cells.
    """

    def __init__(self, extras: Extras, *, sparse: bool = False, too_large: bool = False) -> None:
        self.extras = extras
        self.sparse = sparse
        self.too_large = too_large
        self.grid = SheetGrid((), [])
        self._hidden_rows: dict[int, str] = {}
        self._hidden_columns: dict[int, dict[int, str]] = {}
        self._room = {"rows": MAX_HIDDEN, "columns": MAX_HIDDEN, "cells": MAX_HIDDEN}
        self._blanked: dict[tuple[int, int], str] = {}
        self._unseen: dict[int, list[int]] = {}
        for row, column in extras.unseen:
            self._unseen.setdefault(row, []).append(column)
        self._links: dict[int, dict[int, str]] = {}
        for (row, column), target in extras.links.items():
            self._links.setdefault(row, {})[column] = target
        self._amended = self._links.keys() | self._unseen.keys()

    def take_rows(self, sheet: CalamineSheet, call: Call) -> None:
        """Take a sheet's rows; texts of the second look replace its values."""
        texts_of, start, end = self.extras.texts, sheet.start, sheet.end
        wide = [column for texts in texts_of.values() for column in (min(texts), max(texts))]
        if start is None or end is None:
            self.take_cells()
            return
        left, right = min([start[1], *wide]), max([end[1], *wide])
        before, after = [""] * (start[1] - left), [""] * (right - end[1])
        keep = [column - left for column in range(left, right + 1) if column not in self.extras.hidden_columns]
        rows: list[Row] = []
        skipped = 0
        for number, values in enumerate(self._values(sheet, end[0])):
            if number % _CHECK_ROWS == 0:
                call.check()
            texts = [
                value
                if type(value) is str
                else f"{value:{GENERAL}}"  # as `show`, at a third of its time
                if type(value) is float and -DIGITS_HELD < value < DIGITS_HELD
                else show(value)
                for value in values
            ]
            if before or after:
                texts = [*before, *texts, *after]
            for column, text in texts_of.get(number, _NONE).items():
                texts[column - left] = text
            if number in self._amended:
                self._amend(number, left, texts)
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

    def _values(self, sheet: CalamineSheet, last: int) -> Iterator[Sequence[object]]:
        yield from sheet.iter_rows()
        beyond = max(self.extras.texts, default=0)
        for _ in range(last, beyond):
            yield [""] * sheet.width

    def take_cells(self) -> None:
        """Take the cells of the second look alone."""
        extras = self.extras
        visible: dict[int, dict[int, str]] = {}
        for number, texts in extras.texts.items():
            for column, text in texts.items():
                target = self._links.get(number, _NONE).get(column)
                shown = linked(text, target) if target else text
                if (number, column) in extras.unseen:
                    self._keep_unseen(number, column, shown)
                elif number in extras.hidden_rows or column in extras.hidden_columns:
                    self._hide_cell(number, column, shown)
                elif shown:
                    visible.setdefault(number, {})[column] = shown
        self.grid = from_cells(visible, extras.hidden_rows, extras.hidden_columns)

    def whole_text(self) -> str:
        """The beginning of all visible cells' texts."""
        kept: list[str] = []
        room = MAX_HIDDEN
        for row in self.grid.rows:
            text = _line(row.packed.split(CELL_END))
            room -= len(text)
            if room < 0:
                kept.append("…")
                break
            kept.append(text)
        return "\n".join(kept)

    def listing(self) -> str:
        """Each visible cell with its address, a line each."""
        extras = self.extras
        return "\n".join(
            f"{cell(row, column)}: {text}"
            for row, texts in sorted(extras.texts.items())
            if row not in extras.hidden_rows
            for column, text in sorted(texts.items())
            if text and column not in extras.hidden_columns
        )

    def hidden_texts(self) -> Iterator[tuple[str, str, str]]:
        """Where hidden rows, columns and cells are, their texts, and why: a run of rows together, each column alone."""
        runs = groupby(enumerate(sorted(self._hidden_rows)), lambda pair: pair[1] - pair[0])
        for _, run in runs:
            rows = [row for _, row in run]
            yield f"{rows[0] + 1}:{rows[-1] + 1}", "\n".join(self._hidden_rows[row] for row in rows), "hidden rows"
        for column, texts in sorted(self._hidden_columns.items()):
            text = "\n".join(texts[row] for row in sorted(texts))
            yield area(min(texts), column, max(texts), column), text, "hidden column"
        for place, text in sorted(self._blanked.items()):
            yield cell(*place), text, self.extras.unseen[place]

    def _amend(self, number: int, left: int, texts: list[str]) -> None:
        """Put a row's links in, and take out what is not drawn."""
        self._link(number, left, texts)
        for column in self._unseen.get(number, ()):
            if 0 <= column - left < len(texts):
                self._keep_unseen(number, column, texts[column - left])
                texts[column - left] = ""

    def _keep_unseen(self, number: int, column: int, text: str) -> None:
        if text and self._has_room("cells", text):
            self._blanked[number, column] = text

    def _link(self, number: int, left: int, texts: list[str]) -> None:
        for column, target in self._links.get(number, _NONE).items():
            if 0 <= column - left < len(texts):
                texts[column - left] = linked(texts[column - left], target)

    def _hide_row(self, number: int, texts: Sequence[str]) -> None:
        if (text := _line(texts)) and self._has_room("rows", text):
            self._hidden_rows[number] = text

    def _hide_columns(self, number: int, left: int, texts: Sequence[str]) -> None:
        for index, text in enumerate(texts):
            if text and left + index in self.extras.hidden_columns and self._has_room("columns", text):
                self._hidden_columns.setdefault(left + index, {})[number] = text

    def _hide_cell(self, number: int, column: int, text: str) -> None:
        if number not in self.extras.hidden_rows:
            if self._has_room("columns", text):
                self._hidden_columns.setdefault(column, {})[number] = text
        elif self._has_room("rows", text):
            self._hidden_rows[number] = _line([self._hidden_rows.get(number, ""), text])

    def _has_room(self, of: str, text: str) -> bool:
        self._room[of] -= len(text)
        return self._room[of] >= 0


def linked(text: str, target: str) -> str:
    """A cell's text with where it leads, as a Markdown link unless it says so itself."""
    if not text or target in (text, f"mailto:{text}"):
        return text
    return f"[{text}]({target})"


def _line(texts: Sequence[str]) -> str:
    return " | ".join(filter(None, texts))
