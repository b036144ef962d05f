"""Spaces that a file draws and takes back."""

import numpy as np

from pincite.formats.pdf.page.cancelled_spaces import touched_spaces
from pincite.formats.pdf.page.rectangles import Grid
from support.pdf_layout import read
from support.pdfs import Text, prose


def edges(text: str, *cancelled: int) -> Grid:
    """Boxes of characters that are 5 points wide and 10 high, with the letters behind some spaces at those spaces."""
    x0 = np.cumsum([0.0 if number - 1 in cancelled else 5.0 for number in range(len(text))])
    return np.array([x0, np.zeros(len(text)), x0 + 5, np.full(len(text), 10.0)])


def test_a_space_between_letters_that_touch_is_none() -> None:
    text = "how ev er a b c d e f g h i j k l m"
    assert touched_spaces(text, edges(text, 6)) == [6]


def test_spaces_are_kept_where_many_letters_touch_at_their_sides_or_none_do() -> None:
    text = "how ev er a b"
    assert touched_spaces(text, edges(text, 3, 6)) == [] == touched_spaces(text, edges(text))


def test_a_space_before_another_line_is_kept() -> None:
    text = "how ev er a b c d e f g h i j k l m"
    boxes = edges(text, 6)
    boxes[1, 7:] += 12
    boxes[3, 7:] += 12
    assert touched_spaces(text, boxes) == []


def test_a_space_that_the_next_letters_are_drawn_over_is_none_of_the_text() -> None:
    # In Helvetica at 10 points, the last space begins 58.4 points behind the beginning of the line.
    line = [Text("it may howev ", y=300), Text("er be", x=72 + 58.4, y=300)]
    assert "it may however be" in read([*prose(), *line, *prose(y=400)]).text
