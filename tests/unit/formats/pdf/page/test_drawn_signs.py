"""Boxes to tick and lines through text, drawn as paths."""

import pytest

from pincite.formats.pdf.page.drawn_signs import with_underscores
from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import Word
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


def word(text: str, x0: float, x1: float, first: int, y1: float = 110.0) -> Word:
    last = first + len(text) - 1
    return Word(text, x0, y1 - 10, x1, y1, 10, "CMR10", False, False, 0, first, last, -1, 0, 0)  # noqa: FBT003


UNDERSCORE = Rule(107.7, 130.6, 133.6)


def texts(words: list[Word], *rules: Rule) -> list[str]:
    return [each.text for each in with_underscores(words, rules)]


def test_a_short_rule_that_touches_two_words_is_an_underscore() -> None:
    words = [word("work", 110, 130, 0), word("mem,", 133.6, 150, 5), word("set", 153, 165, 10)]
    (joined, _) = with_underscores(words, [Rule(20, 72, 540), UNDERSCORE])
    assert (joined.text, joined.x0, joined.x1, joined.last) == ("work_mem,", 110, 150, 8)


def test_a_name_may_have_several() -> None:
    words = [word("a", 125, 130, 0), word("b", 133.6, 138, 2), word("c", 141.6, 146, 4)]
    assert texts(words, UNDERSCORE, Rule(107.7, 138.6, 141.6)) == ["a_b_c"]


@pytest.mark.parametrize(
    "rules",
    [
        (),
        (Rule(103, 130.6, 133.6),),
        (Rule(107.7, 120, 123),),
        (Rule(107.7, 110, 150),),
        (UNDERSCORE, Rule(107.7, 110, 130.5)),
        (Rule(118, 130.6, 133.6),),
    ],
    ids=["none", "as high as a hyphen", "elsewhere", "below both", "below the word, too", "below the line"],
)
def test_other_rules_join_nothing(rules: tuple[Rule, ...]) -> None:
    assert texts([word("work", 110, 130, 0), word("mem", 133.6, 150, 5)], *rules) == ["work", "mem"]


def test_words_of_other_lines_and_signs_are_not_joined() -> None:
    assert texts([word("work", 110, 130, 0), word("mem", 133.6, 150, 5, y1=125)], UNDERSCORE) == ["work", "mem"]
    assert texts([word("work:", 110, 130, 0), word("mem", 133.6, 150, 6)], UNDERSCORE) == ["work:", "mem"]
