import pytest

from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.page import open_page
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
