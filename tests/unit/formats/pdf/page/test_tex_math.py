# ruff: noqa: RUF001 - signs that look like letters are expected
import pytest

from pincite.formats.pdf.page.tex_math import math_encoding, restore_signs, with_negations


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
