"""Numbers beside lines and paragraphs of prose, which tables and lists are not."""

from dataclasses import replace
from typing import Any

import pytest

from pincite.model.document import AsideKind
from support.pdf_layout import read as pdf_layout_read
from support.pdf_read import read, shown
from support.pdfs import Text, prose

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
LINES_line_numbers = ("def f(x):", "    if x:", "", "        return 1")


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
    assert not found.asides and "| 8 | Part 7 | 287 |" in found.text
    steps = read(
        [Text(f"{row + 1}", x=80, y=100 + 14 * row) for row in range(8)]
        + [Text(f"Open the lid of part {row}", x=110, y=100 + 14 * row) for row in range(8)]
    )
    assert not steps.asides and "8" in steps.text


def page(numbers: list[str], *, size: float = 10, colour: str = "0 0 0", font: str = "C") -> list[Text]:
    code = [
        Text(line.lstrip(), 100 + 6 * (len(line) - len(line.lstrip())), 300 + 12 * n, 10, "C")
        for n, line in enumerate(LINES_line_numbers)
    ]
    left = [Text(number, 80, 300 + 12 * n, size, font, colour=colour) for n, number in enumerate(numbers)]
    pairs = [part for n, line in enumerate(code) for part in (*left[n : n + 1], line) if part.text]
    return [*prose(), *pairs, *prose(y=400)]


def test_the_white_of_the_numbers_is_no_indent_of_the_code() -> None:
    content = [replace(part, x=part.x - 4) if 290 < part.y < 390 else part for part in page(["1", "2", "3"], size=7)]
    assert "```\n" + "\n".join(LINES_line_numbers) + "\n```" in [text for _, text in shown(pdf_layout_read(content))]


@pytest.mark.parametrize("look", [{"size": 7}, {"colour": ".5 .5 .5"}, {"font": "F", "size": 6}])
def test_numbers_in_another_look_are_none_of_the_code(look: dict[str, Any]) -> None:
    document = pdf_layout_read(page(["7", "8", "9", "10"], **look))
    texts = [text for _, text in shown(document)]
    assert "```\n" + "\n".join(LINES_line_numbers) + "\n```" in texts
    assert len(texts) == 3
    assert [(aside.text, aside.reason) for aside in document.asides] == [("7 8 9 10", "numbers of the lines")]


def test_numbers_that_are_not_consecutive_are_kept() -> None:
    content = page(["1", "2", "5", "9"], size=7)
    text = pdf_layout_read(content).text
    assert all(f"{content[n].text}" in text for n in (3, 5))
    assert "2     if x:" in text or "2\n" in text or "2 " in text


def test_prompts_of_a_notebook_are_none_of_the_code_of_its_cells() -> None:
    prompt = [Text("In", 60, 300, 10, "C"), Text("[1]:", 78, 300, 10, "C")]
    code = [Text("first = 1", 120, 300, 10, "C"), Text("second = 2", 120, 312, 10, "C")]
    found = [text for _, text in shown(pdf_layout_read([*prose(), *prompt, *code, *prose(y=400)]))]
    assert found[1:3] == ["In [1]:", "```\nfirst = 1\nsecond = 2\n```"]


def test_the_number_of_a_single_line_is_none_of_the_code() -> None:
    def texts(gap: float) -> list[str]:
        line = [Text("1", 100 - gap - 4.2, 300, 7, "C", colour=".5 .5 .5"), Text("run it", 100, 300, 10, "C")]
        return [text for _, text in shown(pdf_layout_read([*prose(), *line, *prose(y=400)]))]

    assert "```\nrun it\n```" in texts(gap=8)
    # A space away, it is a number in the code.
    assert "```\nrun it\n```" not in texts(gap=6)


def test_numbers_of_blank_lines_at_the_end_are_none_of_the_text() -> None:
    below = [Text(number, 80, 336 + 12 * n, 7, "C") for n, number in enumerate(("5", "6"), 1)]
    document = pdf_layout_read([*page(["1", "2", "3", "4"], size=7), *below])
    assert [aside.text for aside in document.asides] == ["1 2 3 4 5 6"]
