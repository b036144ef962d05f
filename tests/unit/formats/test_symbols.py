# ruff: noqa: RUF001 - Greek letters are expected


import pytest

from pincite.formats.symbols import has_pictures, is_symbol_font
from support.docx_read import read
from support.word import Word, p, r


@pytest.mark.parametrize(
    ("font", "code", "shown"),
    [
        ("Wingdings", "F0FC", "✓"),
        ("Symbol", "F061", "α"),
        ("Symbol", "0062", "β"),
        ("Symbol", "F03D", "="),
        ("SymbolMT", "F0B7", "•"),
        ("Wingdings-Regular", "F0FE", "☑"),
        ("Wingdings", "F0CC", "\N{REPLACEMENT CHARACTER}"),
        ("Arial", "2713", "✓"),
        ("Arial", "D800", "\N{REPLACEMENT CHARACTER}"),
        ("Arial", "FFFFFFFF", "\N{REPLACEMENT CHARACTER}"),
        ("Arial", "no", ""),
    ],
)
def test_symbols_are_characters(font: str, code: str, shown: str) -> None:
    sign = f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'
    assert read(Word().add(p("x", inside=sign))).text == f"x{shown}\n"


def test_text_that_is_set_in_a_symbol_font_is_symbols() -> None:
    fonts = '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'
    assert read(Word().add(p("", inside=r("a b", fonts) + r("a", '<w:rFonts w:ascii="Arial"/>')))).text == "α βa\n"


@pytest.mark.parametrize(
    ("font", "is_known", "is_of_pictures"),
    [
        ("Wingdings", True, True),
        ("Wingdings-Regular", True, True),
        ("Wingdings 3", True, True),
        ("SymbolMT", True, False),
        ("SegoeUISymbol", False, False),
        ("Arial", False, False),
    ],
)
def test_symbol_fonts_are_known_by_name(font: str, is_known: bool, is_of_pictures: bool) -> None:
    assert (is_symbol_font(font), has_pictures(font)) == (is_known, is_of_pictures)
