import pytest

from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.page import open_page
from pincite.formats.pdf.page.unnamed_fonts import bold_faces
from pincite.formats.pdf.page.words import page_words
from support.pdfs import Text, pdf


@pytest.mark.parametrize(("width", "name"), [("500", "Monospaced"), ("500 300", "")])
def test_a_font_without_a_name_is_monospaced_if_its_characters_have_one_width(width: str, name: str) -> None:
    data = pdf([Text("int main() { print(1); }", font="T")])
    widths = (f"{width} " * 95)[: len("500 " * 95)]
    data = data.replace(b"/BaseFont/CMR10", b" " * 15).replace(b"500 " * 95, widths.encode())
    with open_document(data) as file, open_page(file.document, 1) as page:
        assert {word.font for word in page_words(page).words} == {name}


@pytest.mark.parametrize(("shift", "name"), [(0, "Monospaced"), (1, "")])
def test_each_character_may_be_an_object_of_its_own(shift: int, name: str) -> None:
    letters = [(72 + 5 * n + shift * (n % 3), part) for n, part in enumerate("int(main){print")]
    data = pdf([Text(part, x, font="T") for x, part in letters]).replace(b"/BaseFont/CMR10", b" " * 15)
    with open_document(data) as file, open_page(file.document, 1) as page:
        assert {word.font for word in page_words(page).words} == {name}


def letters(face: int, text: str, width: float) -> list[tuple[int, str, float]]:
    return [(face, letter, width) for letter in text]


def test_a_font_with_wider_letters_than_that_of_the_text_is_bold() -> None:
    text = letters(1, "the text of a page, fix", 0.5)
    assert bold_faces([*text, *letters(2, "a title", 0.55), *letters(3, "slanted", 0.51)]) == {2}
    assert not bold_faces([*text, *letters(2, "xy", 0.55)])
    # A part of a ligature has a width of its own.
    assert bold_faces([*text, *letters(2, "the page, oxi", 0.55), *letters(2, "f", 0.9)]) == {2}
    # In fonts of formulas some letters are much wider, others narrower.
    assert not bold_faces([*text, *letters(2, "a title", 0.55), *letters(2, "f", 0.8), *letters(2, "x", 0.48)])
    assert not bold_faces(text)
