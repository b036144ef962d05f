import pytest

from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.characters import restore_ligatures, restore_private
from pincite.formats.pdf.page.page import open_page
from pincite.formats.pdf.page.words import page_words
from support.pdf_read import document, read
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
        ("a Name of an opName", "N", "a Name of an opName"),
        ("the xyz#q of a#b", "#", "the xyz#q of a#b"),
        ("simpli#ed", "", "simpli#ed"),
    ],
)
def test_the_ligature_is_the_one_that_makes_words(text: str, guessed: str, expected: str) -> None:
    assert restored(text, guessed) == expected


def test_a_page_of_many_odd_glyphs_is_read_as_it_is() -> None:
    text = " ".join(f"a{chr(code)}b" for code in range(0x4E00, 0x4E00 + 2000))
    assert restored(text, text) == text


# ruff: noqa: RUF001 - signs that look like letters are expected
@pytest.mark.parametrize(
    ("font", "codes", "letters"),
    [
        ("Bembo-Expert", "\uf761\uf772\uf770\uf761 \uf724\uf733\uf735,\uf730\uf730\uf730", "ARPA $35,000"),
        ("Bembo-Expert", "caf\uf7e9 stra\uf7dfe 1\uf6f2\uf6f3", "cafÉ stra\uf7dfe 1st"),
        ("CMEX10", "\uf8eb x \uf8f6", "⎛ x ⎞"),
        ("SymbolMT", "\uf0b7 \uf061 \uf03d 1", "• α = 1"),
        ("Wingdings-Regular", "\uf0fc yes", "✓ yes"),
        ("FontAwesome", "\uf031 font", "\uf031 font"),
    ],
)
def test_private_characters_of_known_meaning_are_letters_and_signs(font: str, codes: str, letters: str) -> None:
    assert restore_private(codes, lambda _: font) == letters


def test_the_font_of_other_characters_is_not_looked_up() -> None:
    assert restore_private("Größe ✓", lambda index: pytest.fail(str(index))) == "Größe ✓"
