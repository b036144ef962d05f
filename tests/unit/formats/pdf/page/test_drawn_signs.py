"""Boxes to tick and lines through text, drawn as paths."""

import pytest

from support.pdf_read import read
from support.pdfs import Filled, Text, prose


class Stroke(Filled):
    """A line between two points."""

    def source(self, height: float) -> str:
        """As operators of a page of this height."""
        return f"{self.x0} {height - self.y0} m {self.x1} {height - self.y1} l S"


BOX = [Stroke(x, 300, x, 309) for x in (100, 109)] + [Stroke(100, y, 109, y) for y in (300, 309)]
CROSS = [Stroke(101, 301, 108, 308), Stroke(101, 308, 108, 301)]
LABEL = Text("I accept the terms", x=114, y=308)


def text_of(*content: Text | Filled) -> str:
    return read([*prose(), *content, *prose(y=400)]).text


def test_a_drawn_box_is_a_sign_before_its_label() -> None:
    assert "☐ I accept the terms" in text_of(*BOX, LABEL)
    assert "☒ I accept the terms" in text_of(*BOX, *CROSS, LABEL)
    assert "☒ I accept the terms" in text_of(*BOX, Text("x", x=102, y=308), LABEL)


@pytest.mark.parametrize("other", [Filled(100, 300, 109, 309), Text("12", x=101, y=307, size=6)])
def test_the_key_of_a_chart_and_a_field_are_none(other: Text | Filled) -> None:
    assert "☐" not in (text := text_of(*BOX, other, LABEL)) and "☒" not in text


def test_a_line_through_words_marks_them_as_struck() -> None:
    rent = Text("The rent is 1,200 a month", x=100, y=308)
    assert "~~The rent is 1,200 a month~~" in text_of(rent, Stroke(100, 305, 213, 305))
    assert "~~" not in text_of(rent, Stroke(100, 309.5, 213, 309.5)) + text_of(rent, Stroke(20, 305, 500, 305))
