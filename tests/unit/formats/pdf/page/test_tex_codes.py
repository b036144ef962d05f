import pytest

from pincite.formats.pdf.page.tex_codes import restore_letters
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
