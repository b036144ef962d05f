import pytest

from support.pdf_read import words
from support.pdfs import Text


def test_a_word_reaches_as_far_as_its_characters_whether_they_are_one_object_or_many() -> None:
    (whole,) = words(Text("opduo"))
    (parts,) = words(*(Text(character, x=72 + 5.56 * place) for place, character in enumerate("opduo")))
    assert parts.text == whole.text
    assert (parts.above, parts.below) == pytest.approx((whole.above, whole.below), abs=0.01)
    assert parts.above < 72 - 6 < 72 < parts.below - 1
