import pytest

from support.pdf_read import words
from support.pdfs import Text


def test_a_word_reaches_as_far_as_its_characters_whether_they_are_one_object_or_many() -> None:
    (whole,) = words(Text("opduo"))
    (parts,) = words(*(Text(character, x=72 + 5.56 * place) for place, character in enumerate("opduo")))
    assert parts.text == whole.text
    assert (parts.above, parts.below) == pytest.approx((whole.above, whole.below), abs=0.01)
    assert parts.above < 72 - 6 < 72 < parts.below - 1


def test_an_index_without_a_space_has_its_own_glyphs_and_so_has_its_base() -> None:
    _, base, index = words(Text("square; T"), Text("j", x=72 + 42.24, y=73.8, size=7.5))
    assert (base.text, index.text) == ("T", "j")
    assert base.below == pytest.approx(72, abs=0.3) and index.below > 74.5


def test_lines_in_a_font_without_a_descent_are_as_far_apart_as_their_baselines() -> None:
    above, between, below = words(Text("nose", font="D"), Text("many", y=84, font="D"), Text("nose", y=96, font="D"))
    assert [round(between.y1 - above.y1), round(below.y1 - between.y1)] == [12, 12]
    assert between.y1 - between.y0 == above.y1 - above.y0


def test_turned_words_keep_their_boxes() -> None:
    (word,) = words(Text("many", x=200, y=300, font="D", turn=(0, 1)))
    assert word.turns == 3
    assert word.y1 - word.y0 > word.x1 - word.x0


def test_symbols_are_as_high_as_they_are_drawn() -> None:
    (mark,) = words(Text("n", font="D"))
    assert round(mark.y1) == 72
