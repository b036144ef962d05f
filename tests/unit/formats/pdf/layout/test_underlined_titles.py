"""Underlined lines in plain type are titles, also right above a text; underlined texts and links are not."""

import pytest

from pincite.model.document import BlockKind
from support.pdf_layout import read
from support.pdf_read import blocks
from support.pdfs import PARAGRAPH, Filled, Text, column, prose


def apart(width: float, *texts: str) -> list[Text | Filled]:
    content: list[Text | Filled] = []
    for number, text in enumerate(texts):
        y = 60 + 100 * number
        content += [Text(text, y=y), Filled(72, y + 1.2, 72 + width, y + 1.8), *prose(y=y + 30)]
    return content


@pytest.mark.parametrize(
    ("texts", "width", "titles"),
    [
        (("The scope", "The terms"), 46, ["The scope", "The terms"]),
        (("It ends here.", "It ends there."), 57, []),
        (("N", "N"), 7, []),
        (("www.example.com", "www.example.net"), 80, []),
    ],
)
def test_an_underlined_line_is_a_heading_unless_it_is_a_sentence_or_an_address(
    texts: tuple[str, str], width: float, titles: list[str]
) -> None:
    assert [block.title for block in blocks(read(apart(width, *texts))) if block.kind is BlockKind.HEADING] == titles


def test_underlined_lines_below_each_other_are_a_text() -> None:
    lines = [*apart(46, "The scope", "The terms")[:2], Text("The terms", y=74), Filled(72, 75.2, 118, 75.8)]
    assert not [block for block in blocks(read([*lines, *prose(y=130)])) if block.kind is BlockKind.HEADING]


def right_above(*titles: tuple[str, ...], text: tuple[str, ...] = PARAGRAPH) -> list[str]:
    """Titles of a page whose paragraphs begin with underlined lines, each 46 points wide."""
    content: list[Text | Filled] = []
    for number, title in enumerate(titles):
        lines = column(*title, *text, y=60 + 100 * number)
        content += [*lines, *(Filled(72, line.y + 1.2, 118, line.y + 1.8) for line in lines[: len(title)])]
    return [block.title for block in blocks(read(content)) if block.kind is BlockKind.HEADING]


def test_underlined_first_lines_of_a_paragraph_are_its_title() -> None:
    assert right_above(("The scope",), ("The terms",)) == ["The scope", "The terms"]
    assert right_above(("The scope", "The terms"), ("The terms",)) == ["The scope The terms", "The terms"]


def test_a_text_that_goes_on_behind_an_underlined_line_is_none_below_a_title() -> None:
    assert not right_above(("The scope",), ("The terms",), text=PARAGRAPH[1:])


def test_an_underlined_text_of_many_lines_is_no_title() -> None:
    assert not right_above(("The scope", "The terms") * 2, ("The terms", "The scope") * 2)
