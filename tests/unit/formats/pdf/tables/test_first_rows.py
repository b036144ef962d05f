"""The first row of a table that no rule parts from the rest."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.first_rows import with_header
from support.typed_pages import typed


def unchanged(word: Word) -> Word:
    return word


def bold(word: Word) -> Word:
    return replace(word, bold=True)


def slanted(word: Word) -> Word:
    return replace(word, italic=True)


def in_capitals(word: Word) -> Word:
    return replace(word, text=word.text.upper())


def draft(*rows: str, change: Callable[[Word], Word] = unchanged, changed: int = 1) -> TableDraft:
    """Return a table of rows that are written as lines with bars, with the words of the first rows changed."""
    cells: list[WordCell] = []
    for number, row in enumerate(rows):
        for column, text in enumerate(row.split(" | ")):
            words = [word for line in typed(f"\n{text.strip()}\n") for word in line.words]
            cells.append(WordCell(number, column, tuple(change(w) if number < changed else w for w in words)))
    words = tuple(word for cell in cells for word in cell.words)
    return TableDraft(len(rows), rows[0].count(" | ") + 1, 0, tuple(cells), words)


@pytest.mark.parametrize("change", [bold, slanted, in_capitals])
def test_a_first_row_in_a_type_of_its_own_is_the_header(change: Callable[[Word], Word]) -> None:
    assert with_header(draft("Word | Sense", "Capital | Money", "Asset | Thing", change=change)).header_rows == 1
    assert with_header(draft("Word | Sense", "Capital | Money", "Asset | Thing")).header_rows == 0


def test_two_nouns_that_name_columns_are_the_header_in_any_type() -> None:
    assert with_header(draft("Term | Meaning", "Capital | Money", "Asset | Thing")).header_rows == 1


def test_a_first_row_of_figures_or_like_most_others_is_none() -> None:
    assert with_header(draft("EBIT | 210", "Costs | 80", "Other | 4", change=bold)).header_rows == 0
    assert (
        with_header(draft("Word | Sense", "Capital | Money", "Asset | Thing", change=bold, changed=2)).header_rows == 0
    )


def test_names_above_figures_are_the_header_unless_one_spans_columns() -> None:
    table = draft("Name | Number | Due", "SUS GmbH | 55.5558 | 01.01.2025", "Horn | 55.5557 | 02.01.2025")
    assert with_header(table).header_rows == 1
    spanning = (replace(table.cells[0], column_span=2), *table.cells[2:])
    assert with_header(replace(table, cells=spanning)).header_rows == 0
