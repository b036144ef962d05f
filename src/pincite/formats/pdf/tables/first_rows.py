"""The first rows of a table that has no header by its rules: their look or texts tell if they name the columns."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables.draft import TableDraft
from pincite.model.document import Cell
from pincite.text.tables.column_names import count_header_rows

MIN_BODY_ROWS = 2
"""Rows below a header in a look of its own; one may be a sum in another type."""
MAX_LIKE_SHARE = 1 / 3
"""Share of the rows below a header that may have its look: titles of groups and sums."""

_LOOKS: Sequence[Callable[[Word], bool]] = (
    lambda word: word.bold,
    lambda word: word.italic,
    lambda word: word.text.isupper(),
)


def with_header(draft: TableDraft) -> TableDraft:
    """Return a table with its first rows as header, if one is bold, slanted or in capitals, or names the columns."""
    if draft.header_rows:
        return draft
    words: list[list[Word]] = [[] for _ in range(draft.rows)]
    for cell in draft.cells:
        words[cell.row] += cell.words
    texts = (
        Cell(cell.row, cell.column, " ".join([word.text for word in cell.words]), cell.row_span, cell.column_span)
        for cell in draft.cells
    )
    header_rows = count_header_rows(texts, draft.rows, lambda number: _stands_out(words[number:]))
    return replace(draft, header_rows=header_rows) if header_rows else draft


def _stands_out(rows: Sequence[Sequence[Word]]) -> bool:
    """Return True if all words of the first row, and of few others, have a look."""
    first, *others = rows
    return len(others) >= MIN_BODY_ROWS and any(
        _has_look(first, look) and sum(_has_look(words, look) for words in others) <= MAX_LIKE_SHARE * len(others)
        for look in _LOOKS
    )


def _has_look(words: Sequence[Word], look: Callable[[Word], bool]) -> bool:
    lettered = [word for word in words if any(map(str.isalpha, word.text))]
    return bool(lettered) and all(map(look, lettered))
