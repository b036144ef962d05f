"""Tell from the texts of a table which of its first rows names the columns, where nothing else says so.

A table of a document may be a form: its names need more evidence than a sheet's (`formats.writing.table_headers`).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from statistics import median

from pincite.model.document import Cell, Table

MAX_HEADER_ROWS = 3
"""Rows of a header; more are seldom."""
MAX_ROWS = 200
"""Rows that are looked at; those of a long table are alike."""
MIN_COLUMNS = 3
"""A table of two columns may be a form, whose first row has a label and its value."""
MAX_NAME_WORDS, MAX_NAME_LENGTH = 6, 60
"""Words and characters of the name of a column; more are a text."""
MIN_TEXT_WORDS, MIN_TEXT_RATIO = 5, 2
"""Words of the texts in a column, and how many times as many as its name they have."""
MIN_FIGURE_SHARE = 0.6
"""Share of the cells below a name that are figures; the rest may be dashes, notes and sums in words."""
MIN_TOLD_SHARE = 1 / 3
"""Share of the columns that are told apart from their names."""
MIN_TEXT_ROWS = 2
"""Rows of texts; one may be a row of short and long cells as the first is."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_LETTER = re.compile(r"[^\W\d_]")
_TIME = re.compile(r"\d?\d:\d\d|[^\w\s]")
_MARK = re.compile(r"[^\w\s]|[xX]")
"""A tick, a cross or a dash."""
_NUMBER = "#"
"""The name of a column of numbers."""
_NO_NAME_END = (":", ".", ";", ",")

Row = Mapping[int, str]
"""The texts of a row by column; none where a cell is empty."""


def with_named_columns(table: Table, stands_out: Callable[[int], bool] = lambda _: False) -> Table:
    """Return a table without header cells with those of its first rows as header that name its columns.

    `stands_out` as in `count_header_rows`.
    """
    if table.header_rows or any(cell.header for cell in table.cells):
        return table
    headers = count_header_rows(table.cells, table.rows, stands_out)
    if not headers:
        return table
    return replace(
        table, cells=tuple(replace(cell, header=cell.row < headers) for cell in table.cells), header_rows=headers
    )


def count_header_rows(cells: Iterable[Cell], rows: int, stands_out: Callable[[int], bool] = lambda _: False) -> int:
    """Return the number of rows at the top of a table up to one that names its columns; 0 if none does.

    Such a row has words or years above figures, or above long texts. Rows above it are titles and phrases over columns.

    Args:
        cells: All cells.
        rows: Number of rows.
        stands_out: Returns True for a row in another type than most below it: then it needs nothing that tells it apart
            from them, if it has no figures.
    """
    rows = min(rows, MAX_ROWS)
    by_row: list[list[Cell]] = [[] for _ in range(rows)]
    for cell in cells:
        if cell.text and cell.row < rows:
            by_row[cell.row].append(cell)
    reaching: list[Cell] = []
    texts: list[Row] = [{cell.column: cell.text for cell in row} for row in by_row]
    columns = len(set[int]().union(*texts))
    for number in range(min(MAX_HEADER_ROWS, rows - 1)):
        row = by_row[number]
        names = {cell.column: cell.text for cell in (*reaching, *row)}
        is_plain = all(cell.column_span == 1 for cell in row)
        if is_plain and _are_column_names(names, texts[number + 1 :], stands_out=stands_out(number)):
            return number + 1
        if not _are_phrases(row, columns):
            return 0
        reaching = [cell for cell in (*reaching, *row) if cell.row + cell.row_span > number + 1]
    return 0


def _are_phrases(cells: Sequence[Cell], columns: int) -> bool:
    """Return True if the cells of a row are titles and phrases over the names of columns."""
    is_spanning = any(cell.column_span > 1 or cell.row_span > 1 for cell in cells) or 2 * len(cells) <= columns
    return is_spanning and not any(_is_figure(cell.text) and not _YEAR.search(cell.text) for cell in cells)


def _are_column_names(names: Row, others: Sequence[Row], *, stands_out: bool) -> bool:
    columns = len(names.keys() | set[int]().union(*others))
    stands_out = stands_out or {name.casefold() for name in names.values()} <= _nouns()
    if columns < (2 if stands_out else MIN_COLUMNS) or not _are_names(names, others):
        return False
    told = 0
    for column, name in names.items():
        texts = [row[column] for row in others if column in row]
        if name in texts or (_is_figure(name) and not _is_figure_above(name, texts)):
            return False
        told += _are_figures(texts) or _is_figure(name) or _are_texts(name, texts)
    return stands_out or (told > 0 and told >= MIN_TOLD_SHARE * len(names))


@cache
def _nouns() -> frozenset[str]:
    lines = files("pincite.text.tables").joinpath("column_nouns.txt").read_text("utf-8").splitlines()
    return frozenset(noun for line in lines if not line.startswith("#") for noun in line.split())


def _are_names(names: Row, others: Sequence[Row]) -> bool:
    """Return True if there is a short name for each column but maybe the first."""
    if any(column and column not in names for row in others for column in row):
        return False
    if any(len(name) > MAX_NAME_LENGTH or len(name.split()) > MAX_NAME_WORDS for name in names.values()):
        return False
    return not any(name.endswith(_NO_NAME_END) for name in names.values())


def _is_figure(text: str) -> bool:
    """Return True if a text is a number, a date, an amount with its unit, or a tick: most of it is no letters."""
    return bool(_MARK.fullmatch(text)) or len(_LETTER.findall(text)) < sum(map(str.isdigit, text))


def _are_figures(texts: Sequence[str]) -> bool:
    return bool(texts) and sum(map(_is_figure, texts)) >= MIN_FIGURE_SHARE * len(texts)


def _is_figure_above(name: str, texts: Sequence[str]) -> bool:
    """Return True if a figure is of another kind than all below it: a year, the number of a version or of a line."""
    if name == _NUMBER:
        return True
    if _YEAR.search(name):
        return not any(map(_YEAR.search, texts))
    return len(texts) >= MIN_TEXT_ROWS and all(_TIME.fullmatch(text) or not _is_figure(text) for text in texts)


def _are_texts(name: str, texts: Sequence[str]) -> bool:
    words = [len(text.split()) for text in texts]
    enough = max(MIN_TEXT_WORDS, MIN_TEXT_RATIO * len(name.split()))
    return len(texts) >= MIN_TEXT_ROWS and median(words) >= enough and min(words) >= MIN_TEXT_RATIO
