import pytest

from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.page import open_page
from pincite.formats.pdf.page.words import page_words
from support.pdf_read import read
from support.pdfs import Text, column, pdf, prose


def test_control_characters_of_a_font_are_no_text() -> None:
    found = read([*prose(), Text("a\x01b\x1fc", y=300)])
    assert found.text.endswith("a\ufffdb\ufffdc\n")


def test_a_character_beyond_the_first_plane_is_one_character() -> None:
    found = read([*prose(), Text("AB", y=300, font="M"), Text("and so on", x=92, y=300)])
    assert found.text.endswith("\U0001d400\U0001d401 and so on\n")
    assert found.coverage.complete


def test_a_page_of_such_characters_is_no_garbage() -> None:
    found = read(column(*["ABCDEFG HIJKLM NOPQ"] * 9, font="M"))
    assert found.coverage.complete
    assert "\ufffd" not in found.text


def test_ligatures_and_minus_signs_are_known_by_the_names_of_their_glyphs() -> None:
    found = read([*prose(), Text("Ax, oDer, Bow, suCx: E5 or F7", y=300, font="L")])
    assert found.text.endswith("fix, offer, flow, suffix: \u22125 or \u22127\n")
    assert found.coverage.complete


def test_bold_type_of_computer_modern_that_is_not_extended_is_bold() -> None:
    data = pdf([Text("It is", font="T")]).replace(b"CMR10", b"CMB10")
    with open_document(data) as file, open_page(file.document, 1) as page:
        assert all(word.bold for word in page_words(page).words)


def test_a_name_of_extended_bold_type_within_another_is_bold() -> None:
    data = pdf([Text("It is", font="T")]).replace(b"CMR10", b"Mcmbx")
    with open_document(data) as file, open_page(file.document, 1) as page:
        assert all(word.bold for word in page_words(page).words)


def test_a_font_that_calls_itself_italic_is_not_bold_by_its_descriptor() -> None:
    def is_bold(name: bytes) -> bool:
        data = pdf([Text("It is", font="T")]).replace(b"CMR10", name)
        with open_document(data) as file, open_page(file.document, 1) as page:
            return all(word.bold for word in page_words(page).words)

    assert is_bold(b"Names") and is_bold(b"Names-BoldItalic")
    assert not is_bold(b"Names-Italic")


@pytest.mark.parametrize(
    ("name", "stem", "is_bold"),
    [("F1", 130, True), ("F1", 600, True), ("Arial", 139, False), ("Arial", 300, False), ("Slab", 150, True)],
)
def test_the_width_of_stems_tells_bold_type_by_more_if_the_font_has_the_name_of_a_family(
    name: str, stem: int, is_bold: bool
) -> None:
    data = pdf([Text("A line of text", font="T")]).replace(b"StemV 200", b"StemV %d" % stem)
    data = data.replace(b"CMR10", name.encode())
    with open_document(data) as file, open_page(file.document, 1) as page:
        assert {word.bold for word in page_words(page).words} == {is_bold}
