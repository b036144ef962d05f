import math

import pytest

from pincite.model.document import Box
from pincite.model.recognition import RecognisedLine, RecognisedPage, RecognisedWord


def page(*lines: str, turns: int = 0, skew: float = 0.0, confidence: float = 1.0) -> RecognisedPage:
    made = tuple(
        RecognisedLine(tuple(RecognisedWord(word, Box(0, 0, 9, 9), confidence) for word in line.split()), 9)
        for line in lines
    )
    return RecognisedPage(1, 200, 100, turns, skew, made)


@pytest.mark.parametrize(
    ("turns", "displayed"),
    [(0, (10, 20, 30, 25)), (1, (20, 170, 25, 190)), (2, (170, 75, 190, 80)), (3, (75, 10, 80, 30))],
)
def test_a_box_is_found_on_the_page_as_displayed(turns: int, displayed: tuple[float, ...]) -> None:
    assert page(turns=turns).displayed(Box(10, 20, 30, 25)) == Box(*displayed)


def test_the_box_of_a_level_line_surrounds_the_slanting_one() -> None:
    box = page(skew=math.radians(3)).displayed(Box(0, 50, 200, 60))
    assert box.y0 < 46 and box.y1 > 64
    assert -1 <= box.x0 <= 1 and 199 <= box.x1 <= 201


def test_its_text_has_a_line_for_each_line_and_its_confidence_is_the_mean() -> None:
    assert page("two words", "one").text == "two words\none"
    assert page("two words", confidence=0.5).confidence == 0.5
    assert page().confidence == 0
