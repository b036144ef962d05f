"""Numbers beside lines and paragraphs of prose, which tables and lists are not."""

from pincite.model.document import AsideKind
from support.pdf_read import read
from support.pdfs import Text

LINES = (
    "The board sets the price of each lot before the sale and tells",
    "all members of it in writing. What the price is made of has to",
    "be said in that letter, with the costs of the last two years at",
    "its side, so that members may compare them. Any member who has",
    "doubts of the price may ask for a second opinion within a month",
    "and the board has to hear it. Costs of that opinion are paid by",
    "the member who asks for it unless the price is lowered by a part",
    "of ten or more. No lot is sold while an opinion is being written.",
)


def numbered(*numbers: str, x: float, gap: float = 14) -> list[Text]:
    lines = [Text(line, x=110, y=100 + gap * row) for row, line in enumerate(LINES)]
    return [*lines, *(Text(number, x=x, y=100 + gap * row) for row, number in enumerate(numbers) if number)]


def test_numbers_of_each_line_or_each_fifth_are_no_text() -> None:
    for numbers in (list("12345678"), ["", "2", "", "4", "", "6", "", "8"]):
        found = read(numbered(*numbers, x=80))
        assert [aside.text for aside in found.asides] == [" ".join(filter(None, numbers))]
        assert found.asides[0].kind is AsideKind.SURROUNDINGS
        assert "tells all members" in found.text.replace("\n", " ")


def test_the_number_of_a_paragraph_at_its_right_begins_it() -> None:
    found = read(numbered("7", "", "", "", "8", "", "", "", x=440)).text.replace("\n", " ")
    assert found.startswith("7 The board") and "8 doubts of the price" in found


def test_numbers_of_rows_and_of_lists_stay() -> None:
    rows = [(str(row + 1), f"Part {row}", str(40 * row + 7)) for row in range(8)]
    found = read(
        [
            Text(cell, x=80 + 150 * column, y=100 + 14 * row)
            for row, cells in enumerate(rows)
            for column, cell in enumerate(cells)
        ]
    )
    assert not found.asides and "8 Part 7 287" in found.text
    steps = read(
        [Text(f"{row + 1}", x=80, y=100 + 14 * row) for row in range(8)]
        + [Text(f"Open the lid of part {row}", x=110, y=100 + 14 * row) for row in range(8)]
    )
    assert not steps.asides and "8" in steps.text
