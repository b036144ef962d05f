"""Words of code that fill a line of a paragraph are no block of code."""

import pytest

from support.pdf_layout import read
from support.pdf_read import shown
from support.pdfs import Content, Filled, Text, column, prose

WIDE = "Words of a paragraph that goes on to its very end with"


def code(*lines: str, y: float) -> list[Text]:
    return [Text(line, 72, y + 12 * number, 10, "C") for number, line in enumerate(lines)]


def blocks(*content: Content) -> list[str]:
    return [text for kind, text in shown(read(*content)) if kind == "code"]


def test_a_line_below_one_that_has_room_for_its_first_word_is_code() -> None:
    text = column("Words of a paragraph that fill its line", "and then an example:", y=300)
    assert blocks([*prose(), *text, *code("run this", y=324)]) == ["```\nrun this\n```"]
    full = column(WIDE, WIDE, y=300)
    assert blocks([*prose(), *full, *code("a_name_of_code()", y=324), Text("that is called here.", y=336)]) == []


@pytest.mark.parametrize("title", [Text("A title", y=288, font="B"), Text("A title of it", y=288, colour="0.5 0 0")])
def test_a_line_below_a_title_is_code(title: Text) -> None:
    assert blocks([*prose(), title, *code("run", y=300), *prose(y=340)]) == ["```\nrun\n```"]


def test_a_line_with_a_number_or_on_a_ground_of_its_own_is_code() -> None:
    number, address = Text("1", 60, 324, 7), code("https://example.org/a", y=324)
    full = column(WIDE, "Words of another line with", y=300)
    assert blocks([*prose(), *full, *address]) == []
    assert blocks([*prose(), *full, number, *address]) == ["```\nhttps://example.org/a\n```"]
    ground = Filled(66, 310, 500, 330, "0.9 0.9 0.9")
    assert blocks([ground, *prose(), *full, *address]) == ["```\nhttps://example.org/a\n```"]
    # The ground of words ends with them.
    words = Filled(70, 312, 202, 328, "0.9 0.9 0.9")
    assert blocks([words, *prose(), *full, *address]) == []
