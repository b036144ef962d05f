from collections.abc import Sequence

from pincite.formats.pdf.page.words import Word, line_of
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.turned_names import with_turned_names
from support.typed_pages import grid, word

VALUES = [["65-1", "Pens", "1"], ["32-6", "Ink", "100"]]


def table(*, bold: bool = False, header_rows: int = 0) -> TableDraft:
    cells = [
        WordCell(
            row,
            column,
            (word(text, 60.0 * column, 100 + 12 * row, 300 + 30 * row + 10 * column, bold=bold and not row),),
        )
        for row, texts in enumerate(VALUES)
        for column, text in enumerate(texts)
    ]
    return TableDraft(2, 3, header_rows, tuple(cells), tuple(word for cell in cells for word in cell.words))


def turned(text: str, x: float, y0: float, y1: float, first: int) -> Word:
    return word(text, x, y0, first)._replace(x1=x + 10, y1=y1, turns=3)


NAMES = (turned("Description", 62, 40, 95, 20), turned("Qty", 118, 40, 60, 40))


def header(draft: TableDraft, names: Sequence[Word] = NAMES, *upright: Word) -> tuple[int, list[str]]:
    """Rows of the header and texts of the first row, of a table below names."""
    lines = [line_of([one]) for one in upright]
    found = with_turned_names(draft, lines, names)
    return found.header_rows, grid(found)[0]


def test_turned_names_above_a_table_are_its_header_with_the_upright_ones_beside_them() -> None:
    assert header(table(), NAMES, word("Article", 0, 42, 10)) == (1, ["Article", "Description", "Qty"])


def test_a_first_row_that_is_set_as_the_others_is_no_header_below_turned_names() -> None:
    assert header(table(header_rows=1))[0] == 1
    assert header(table(header_rows=1, bold=True))[0] == 2


def test_one_turned_text_and_turned_texts_further_up_or_aside_are_no_header() -> None:
    alone = (0, VALUES[0])
    assert header(table(), NAMES[:1]) == alone
    assert header(table(), [one._replace(y0=one.y0 - 30, y1=one.y1 - 30) for one in NAMES]) == alone
    assert header(table(), [one._replace(x0=one.x0 + 200, x1=one.x1 + 200) for one in NAMES]) == alone


def test_a_text_above_a_column_with_a_turned_name_is_no_name() -> None:
    assert header(table(), NAMES, word("Rates", 62, 42, 10)) == (0, VALUES[0])
