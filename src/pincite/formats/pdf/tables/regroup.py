"""Rows of a table's body from its lines, by fitted weights, in the columns that were found."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise

import numpy as np

from pincite.formats.pdf.fitted.trees import Array
from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Line, Word
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.row_starts import LineCells, begins_row
from pincite.formats.pdf.tables.segments import is_number, value_extent

MIN_START_PROBABILITY, MIN_TEXT_START_PROBABILITY = 0.6, 0.86
"""Probability from which a line begins a row although rules and white tell that it continues one.

Two lines with numbers in one column are seldom of one row; of two lines of texts, rules and white know more.
"""
MAX_JOIN_PROBABILITY = 0.2
"""Probability up to which it continues a row although they tell that it begins one: joined rows are the worse loss.

Lines with values in one column are never joined, nor are cells over several columns joined to others.
"""


def line_numbers(lines: Sequence[Line]) -> dict[int, int]:
    """Return the number of the line of each word of a page, by the word's first character."""
    return {word.first: number for number, line in enumerate(lines) for word in line.words}


def body_lines(draft: TableDraft, lines: Mapping[int, int]) -> tuple[list[LineCells], list[int]]:
    """Return the lines of a table's body, from the top, each with its words by column, and the row of each.

    Nothing if words of one line are in two rows: what parts them is surer than lines are.

    Args:
        draft: The table; cells that span rows are left out.
        lines: Number of the visual line of each word of the page.
    """
    by_line: dict[int, dict[int, list[Word]]] = {}
    rows: dict[int, int] = {}
    for cell in _body(draft):
        for word in cell.words:
            number = lines.get(word.first, -1)
            by_line.setdefault(number, {}).setdefault(cell.column, []).append(word)
            if rows.setdefault(number, cell.row) != cell.row:
                return [], []
    return [by_line[number] for number in sorted(by_line)], [rows[number] for number in sorted(by_line)]


def regrouped(draft: TableDraft, lines: Mapping[int, int], rules: Rules) -> TableDraft:
    """Return a table with the lines of its body grouped to rows anew.

    Args:
        draft: The table.
        lines: Number of the visual line of each word of the page.
        rules: Ruling lines and fills of the page.
    """
    body, known = body_lines(draft, lines)
    if len(body) < 2:  # noqa: PLR2004 - one line is one row
        return draft
    limits = _limits(body, known, spanning={cell.row for cell in _body(draft) if cell.column_span > 1})
    begins = limits <= 0
    if not begins.all():
        begins[~begins] = begins_row(body, known, rules, ~begins) >= limits[~begins]
    starts = [0, *np.cumsum(begins).tolist()]
    rows = {
        word.first: draft.header_rows + start
        for start, line in zip(starts, body, strict=True)
        for words in line.values()
        for word in words
    }
    cells = {(cell.row, cell.column): cell for cell in draft.cells if cell.row < draft.header_rows}
    words: dict[tuple[int, int, int], list[Word]] = {}
    # Where the rows are that cells beside them span.
    spanned: dict[int, set[int]] = {}
    for cell in _body(draft):
        for word in cell.words:
            row = rows[word.first]
            words.setdefault((row, cell.column, cell.column_span), []).append(word)
            spanned.setdefault(cell.row, set()).add(row)
    for (row, column, span), parts in words.items():
        above = cells.get((row, column))
        together = (*above.words, *parts) if above else tuple(parts)
        cells[row, column] = WordCell(row, column, together, 1, above.column_span if above else span)
    for cell in draft.cells:
        if cell.row >= draft.header_rows and cell.row_span > 1:
            beside = {row for number in range(cell.row, cell.row + cell.row_span) for row in spanned.get(number, ())}
            if not beside or (min(beside), cell.column) in cells:
                return draft
            cells[min(beside), cell.column] = replace(cell, row=min(beside), row_span=max(beside) - min(beside) + 1)
    return replace(draft, rows=draft.header_rows + starts[-1] + 1, cells=tuple(cells[at] for at in sorted(cells)))


def _limits(lines: Sequence[LineCells], known: Sequence[int], spanning: AbstractSet[int]) -> Array:
    """Return the probability, for each line but the first, from which it begins a row.

    Args:
        lines: Lines of the table's body.
        known: Row of each line as far as rules and white tell.
        spanning: Rows with a cell over several columns, which are joined to no other.
    """
    limits: list[float] = []
    values = [{column for column, words in line.items() if value_extent(words)} for line in lines]
    for number, (row, following) in enumerate(pairwise(known)):
        if following != row:
            is_apart = bool({row, following} & spanning) or not values[number].isdisjoint(values[number + 1])
            limits.append(0.0 if is_apart else MAX_JOIN_PROBABILITY)
            continue
        shared = [
            (words, lines[number + 1][column]) for column, words in lines[number].items() if column in lines[number + 1]
        ]
        has_numbers = any(all(is_number(word.text) for word in (*upper, *lower)) for upper, lower in shared)
        limits.append(MIN_START_PROBABILITY if has_numbers else MIN_TEXT_START_PROBABILITY)
    return np.array(limits)


def _body(draft: TableDraft) -> Iterator[WordCell]:
    return (cell for cell in draft.cells if cell.row >= draft.header_rows and cell.row_span == 1)
