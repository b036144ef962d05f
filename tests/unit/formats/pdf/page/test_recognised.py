import pytest

from pincite.formats.pdf.page.recognised import agrees, overrules, recognised_words
from pincite.formats.pdf.page.words import Word
from pincite.model.document import Box
from pincite.model.recognition import RecognisedLine, RecognisedPage, RecognisedWord

PRINTED = "the total of all items is due within thirty days of the invoice"


def page(*lines: tuple[str, float], confidence: float = 0.98) -> RecognisedPage:
    made: list[RecognisedLine] = []
    for number, (text, height) in enumerate(lines):
        top, left, words = 20.0 * number, 10.0, list[RecognisedWord]()
        for word in text.split():
            words.append(RecognisedWord(word, Box(left, top, left + 5 * len(word), top + height), confidence))
            left += 5 * len(word) + 1
        made.append(RecognisedLine(tuple(words), height))
    return RecognisedPage(1, 600, 800, lines=tuple(made))


def layer(text: str) -> list[Word]:
    return recognised_words(page((text, 10))).words


def test_lines_of_about_one_height_have_one_size() -> None:
    words = recognised_words(page(("Heading", 20), ("body with y", 11), ("more", 10), ("text of it", 10.5))).words
    sizes = {word.text: word.size for word in words}
    assert sizes["body"] == sizes["more"] == sizes["text"] < sizes["Heading"]


def test_words_that_an_engine_boxes_close_together_stay_two() -> None:
    one, two = recognised_words(page(("close together", 10))).words
    assert two.x0 - one.x1 == pytest.approx(0.3 * one.size)
    assert (one.y0, one.y1) == (two.y0, two.y1)


def test_a_layer_that_says_what_is_printed_is_kept() -> None:
    assert agrees(layer(PRINTED), page((PRINTED, 10)))
    assert not overrules(layer(PRINTED), page((PRINTED, 10)))


def test_garbage_is_overruled() -> None:
    assert overrules(layer("wkh wrwdo ri doo lwhpv lv gxh zlwklq"), page((PRINTED, 10)))


@pytest.mark.parametrize(
    ("text", "confidence"),
    [("wkh wrwdo ri doo lwhpv", 0.8), ("المجموع المستحق خلال ثلاثين يوما", 0.98)],
    ids=["uncertain", "script that the engine has not learned"],
)
def test_a_layer_is_never_overruled_by_what_may_be_wrong_itself(text: str, confidence: float) -> None:
    assert not overrules(layer(text), page((PRINTED, 10), confidence=confidence))


def test_nothing_recognised_overrules_nothing() -> None:
    assert not overrules(layer(PRINTED), RecognisedPage(1, 600, 800))
    assert not agrees(layer(PRINTED), RecognisedPage(1, 600, 800))
