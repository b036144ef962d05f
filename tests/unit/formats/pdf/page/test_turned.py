"""Turned text: upright for its layout, and back."""

from dataclasses import replace

import pytest

from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.turned import Turn
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import Box
from support.typed_pages import word

WIDTH, HEIGHT = 600.0, 800.0
UPRIGHT = {1: (20.0, 490.0, 40.0, 590.0), 2: (490.0, 760.0, 590.0, 780.0), 3: (760.0, 10.0, 780.0, 110.0)}
"""A rectangle from (10, 20) to (110, 40), as it is seen when text with these turns is upright."""


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_rectangle_is_seen_upright_and_mapped_back(turns: int) -> None:
    turn = Turn(turns, WIDTH, HEIGHT)
    assert turn.rectangle((10, 20, 110, 40)) == UPRIGHT[turns]
    text = turn.text(PlacedText("text", (TextBox(Box(*UPRIGHT[turns]), 0),)))
    assert text.boxes[0].box == Box(10, 20, 110, 40)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_words_become_upright_with_their_glyphs(turns: int) -> None:
    turn = Turn(turns, WIDTH, HEIGHT)
    one = replace(word("text", 10, 20, size=10), turns=turns, above=12, below=28)
    (found,) = turn.words([one])
    assert found.turns == 0 and (found.text, found.size) == ("text", 10)
    assert found.above < found.below
    assert (found.x0, found.y0, found.x1, found.y1) == turn.rectangle((one.x0, one.y0, one.x1, one.y1))


def test_rules_and_shades_turn_with_the_text() -> None:
    found = Turn(1, WIDTH, HEIGHT).rules(Rules([Rule(100, 10, 50)], [Rule(20, 30, 90)], [(10, 20, 110, 40)]))
    assert found.horizontal == [Rule(580, 30, 90)]
    assert found.vertical == [Rule(100, 550, 590)]
    assert found.shades == [UPRIGHT[1]]


def test_slants_and_curves_turn_with_the_text() -> None:
    turn = Turn(1, WIDTH, HEIGHT)
    found = turn.rules(Rules(slants=[(10, 20)], curves=[(30, 40)]))
    assert found.slants == [turn.rectangle((10, 20, 10, 20))[:2]]
    assert found.curves == [turn.rectangle((30, 40, 30, 40))[:2]]
