import pytest

from pincite.formats.doc.fonts import Fonts, read_fonts
from support.compound import old_doc
from support.doc_read import fib, manual, read_bytes


def old_font(name: bytes, character_set: int) -> bytes:
    entry = bytes([0, 0, 0, character_set, 0]) + name + b"\0"
    return bytes([len(entry)]) + entry


def test_fonts_have_names() -> None:
    names = read_fonts(fib(manual())).names.values()
    assert {"Times New Roman", "Symbol", "Arial"} <= set(names)


def test_letters_of_word_6_are_those_of_their_font() -> None:
    data = old_doc(
        b"x\r", fonts=b"\0\0" + old_font(b"Arial", 0) + old_font(b"Arial CE", 238) + old_font(b"Tahoma", 204)
    )
    fonts = read_fonts(fib(data))
    assert fonts.names == {0: "Arial", 1: "Arial CE", 2: "Tahoma"}
    assert [fonts.decoded("\xf8\xe9", font) for font in (0, 1, 2, None)] == ["øé", "řé", "шй", "øé"]


@pytest.mark.parametrize(
    ("language", "text"), [(0x419, "Ключи"), (0x405, "Klíče"), (0x411, "鍵"), (0x40C, "clé"), (0x408, "κλειδιά")]
)
def test_letters_of_no_font_are_those_of_the_language(language: int, text: str) -> None:
    encoding = {0x419: "cp1251", 0x405: "cp1250", 0x411: "cp932", 0x408: "cp1253"}.get(language, "cp1252")
    assert read_bytes(old_doc(text.encode(encoding) + b"\r", language=language)).text == f"{text}\n"


def test_letters_of_newer_documents_are_unicode() -> None:
    assert Fonts({}, {0: "cp1251"}).decoded("\xf8", 0) == "ø"
