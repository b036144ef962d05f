"""Rows whose cells are centred on each other, as browsers set them."""

from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables.centred_rows import centred_rows
from support.typed_pages import word


def lines(*columns: tuple[float, ...]) -> list[dict[int, list[Word]]]:
    """Lines of cells in columns, each given by the heights of its lines in units of a line."""
    heights = sorted({height for column in columns for height in column})
    return [
        {number: [word("text", number * 100, 12 * height)] for number, column in enumerate(columns) if height in column}
        for height in heights
    ]


def test_the_middle_of_a_label_tells_the_lines_of_its_row() -> None:
    label, text = (1, 4.5), (0, 1, 2, 3.5, 4.5, 5.5)
    assert centred_rows(lines(label, text)) == [3, 3]


def test_labels_between_two_lines_are_of_both() -> None:
    label, text = (0.5, 3), (0, 1, 2, 3, 4)
    assert centred_rows(lines(label, text)) == [3, 3]


def test_wrapped_labels_are_centred_on_their_values() -> None:
    label, value = (0, 1, 2, 3), (0.5, 2, 3)
    assert centred_rows(lines(label, value)) == [3, 1, 1]


def test_rows_that_are_set_from_the_top_are_not_centred() -> None:
    assert centred_rows(lines((0, 2), (0, 1, 2, 3))) == []
    assert centred_rows(lines((0, 2), (0, 1, 2))) == []
    assert centred_rows(lines((1,), (0, 1, 2, 3))) == []


def test_what_the_end_of_a_page_leaves_of_a_row_is_a_row() -> None:
    label, text = (3, 6, 8.5), (0, 1, 2.5, 3.5, 5, 6, 7, 8.5, 9.5)
    assert centred_rows(lines(label, text)) == [2, 3, 3, 2]
    # Without any whole row of several lines nothing shows that they are centred.
    assert centred_rows(lines((2,), (0, 1, 2, 3))) == []


def test_sums_without_a_label_are_rows_between_centred_ones() -> None:
    cells = lines((0.5, 3.5), (0, 1, 2, 3, 4))
    cells[3][2] = [word("1,200.00", 200, 12 * 2)]
    assert centred_rows(cells) == [3, 1, 3]
