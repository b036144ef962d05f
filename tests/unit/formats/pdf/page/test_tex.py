"""What the fonts of TeX need: codes of letters that are accents or signs, and words of formulas."""

# ruff: noqa: RUF001 - signs that look like letters are what this file is about

import pytest

from pincite.formats.pdf.page.tex import math_encoding, restore_letters, restore_signs, with_negations
from support.pdf_read import read
from support.pdfs import Text, prose


def one_face(text: str) -> str:
    return restore_letters(text, lambda _: 1)


def test_letters_of_tex_s_fonts_are_known_by_their_codes() -> None:
    found = read([*prose(), Text('de\x0cne, di\x0berent, e\x0ecient, ba\x0fe: \\so" 6{8', y=300)])
    assert found.text.endswith("define, different, efficient, baffle: “so” 6–8\n")
    assert found.coverage.complete


@pytest.mark.parametrize(
    ("codes", "letters"),
    [
        ("\x0cnally su\x0eces |", "\ufb01nally su\ufb03ces —"),
        ("signi\x1ced \x10su\x1ece\x11 {", "signi\ufb01ed “su\ufb03ce” {"),
        ("a \rame \x0cnally", "a \ufb02ame \ufb01nally"),
    ],
)
def test_codes_are_of_the_encoding_in_which_they_are_within_words(codes: str, letters: str) -> None:
    assert one_face(codes) == letters


@pytest.mark.parametrize(
    "text",
    ["a\x0bx + b\x0cy", "at the end\r\nof a line {", "\ropula approa\rh", "x\x1by", "\x0cnds \x0c \x0b \x0c \x0b"],
)
def test_greek_letters_of_formulas_and_other_codes_stay(text: str) -> None:
    assert one_face(text) == text


def test_only_fonts_with_such_codes_in_words_are_restored() -> None:
    text = "de\x0cnes x\x0cy {"
    faces = [1] * 8 + [2] * 6
    assert restore_letters(text, faces.__getitem__) == "de\ufb01nes x\x0cy {"


@pytest.mark.parametrize(
    ("font", "codes", "signs"),
    [
        ("CMSY10", "hi0`7", "⟨⟩′⊢↦"),
        ("CMBSY7", "h", "⟨"),
        ("CMMI10", "`?", "ℓ⋆"),
        ("CMEX10", "PZX", "∑∫∑"),
        ("CMEX10", "µ¶Ã!", "()()"),
        ("TeX-feymr10", "e", "€"),
    ],
)
def test_codes_of_mathematical_fonts_are_signs(font: str, codes: str, signs: str) -> None:
    assert "".join(math_encoding(font)[code] for code in codes) == signs


@pytest.mark.parametrize("font", ["CMR10", "CMSS10", "CMTT10", "Times", "CMSY", ""])
def test_other_fonts_have_none(font: str) -> None:
    assert not math_encoding(font)


def test_only_codes_without_a_value_of_that_font_are_restored() -> None:
    text = "hsizei {h}"
    faces = [1, 2, 2, 2, 2, 1, 0, 1, 2, 1]
    restored = restore_signs(text, {1: math_encoding("CMSY10")}, faces.__getitem__, lambda index: index < 6)
    assert restored == "⟨size⟩ {h}"


def test_a_sign_whose_glyph_is_called_as_a_letter_is_restored_although_it_has_a_value() -> None:
    assert restore_signs("e100 e", {1: math_encoding("feybo10")}, [1, 2, 2, 2, 2, 2].__getitem__, bool) == "€100 e"


def test_a_stroke_is_on_the_sign_after_it() -> None:
    assert with_negations("c\u0338=c, a \u2208 b") == "c≠c, a ∈ b"
