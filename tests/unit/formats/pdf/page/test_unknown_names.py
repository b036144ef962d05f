import pytest

from pincite.formats.pdf.page.unknown_names import restore_ligatures
from support.pdf_read import document
from support.pdfs import Text, pdf, prose


def restored(text: str, guessed: str) -> str:
    return restore_ligatures(text, lambda _: 1, lambda index: text[index] in guessed)


def test_ligatures_with_names_of_control_codes_are_read() -> None:
    text = "It is simpli#ed, we #nd it in the o%ce; di&erent $owers of it"
    data = pdf([*prose(), Text(text, font="L", y=200)]).replace(b"[65/fi/fl/ffi/ff", b"[35/FF/CR/SO/VT ")
    assert "It is simplified, we find it in the office; different flowers of it" in document(data).text


@pytest.mark.parametrize(
    ("text", "guessed", "expected"),
    [
        ("a hyper:oor and a ;oor: a :oor", ":", "a hyper\ufb02oor and a ;oor\ufb02 a \ufb02oor"),
        ("the hyper:oor", ":", "the hyper\ufb02oor"),
        ("diLerent and eLect", "L", "di\ufb00erent and e\ufb00ect"),
        ("the xyz#q of a#b", "#", "the xyz#q of a#b"),
        ("simpli#ed", "", "simpli#ed"),
    ],
)
def test_the_ligature_is_the_one_that_makes_words(text: str, guessed: str, expected: str) -> None:
    assert restored(text, guessed) == expected


def test_a_page_of_many_odd_glyphs_is_read_as_it_is() -> None:
    text = " ".join(f"a{chr(code)}b" for code in range(0x4E00, 0x4E00 + 2000))
    assert restored(text, text) == text
