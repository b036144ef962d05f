# ruff: noqa: RUF001 - signs that look like letters are expected
import pytest

from pincite.formats.pdf.page.private_use import restore_private


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
