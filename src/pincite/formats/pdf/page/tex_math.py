# ruff: noqa: RUF001 - signs that look like letters are what this file is about
"""Signs of TeX's mathematical fonts whose glyphs' names no list of Unicode values has: known by their codes."""

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache

# The codes of control characters are left out: pdfium's own marks have some of them.
_SYMBOLS = dict(
    zip(
        (*range(0x20, 0x41), *range(0x5B, 0x80)),
        "←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽\u0338↦∀∃¬∅ℜℑ⊤⊥ℵ∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|‖↕⇕\\≀√∐∇∫⊔⊓⊑⊒§†‡¶♣♢♡♠",
        strict=True,
    )
)
"""Encoding of `cmsy`, OMS, but for its capitals."""
_LETTERS = dict(zip(range(0x28, 0x30), "↼↽⇀⇁↩↪▹◃", strict=True)) | {0x3F: "⋆", 0x60: "ℓ"}
"""Signs of the encoding of `cmmi`, OML, besides its letters and digits."""
_BRACKETS = "[]⌊⌋⌈⌉{}⟨⟩"
_LARGE = {
    **dict(enumerate(f"(){_BRACKETS}|‖/\\()()")),
    **dict(enumerate(f"{_BRACKETS}/\\(){_BRACKETS}/\\/\\", 0x14)),
    **dict(enumerate("∑∏∫⋃⋂⊎⋀⋁∑∏∫⋃⋂⊎⋀⋁∐∐", 0x50)),
    **dict(enumerate("[]⌊⌋⌈⌉{}√√√√", 0x68)),
}
"""Encoding of `cmex`, OMX, without parts of brackets."""

# dvips moves the codes of control characters to where printers accept them.
_MOVED = dict(zip((*range(0x0A), *range(0x0A, 0x21)), (*range(0xA1, 0xAB), *range(0xAD, 0xC4)), strict=True))

_FIRST_PRINTED = 0x20
_ENCODINGS = {"sy": _SYMBOLS, "mi": _LETTERS, "ex": _LARGE}
_FONT = re.compile(r"CM(?:B?(SY)|(MI)B?|(EX))\d{1,2}", re.IGNORECASE)
_EURO_FONT = re.compile(r"(?:TeX-)?fey[mb][rol]?\d{1,2}", re.IGNORECASE)
"""Fonts of the package `eurosym`, which call the glyph of their sign `e`."""
_EURO = {"e": "€"}


_NEGATION = re.compile("\u0338(.)")


@lru_cache(maxsize=256)
def math_encoding(font: str) -> Mapping[str, str]:
    """Return the signs of a mathematical font of TeX by the characters of their codes; none for other fonts."""
    match = _FONT.fullmatch(font)
    if match is None:
        return _EURO if _EURO_FONT.fullmatch(font) else {}
    encoding = _ENCODINGS[(match[1] or match[2] or match[3]).lower()]
    return {chr(_MOVED.get(code, code)): sign for code, sign in encoding.items()} | {
        chr(code): sign for code, sign in encoding.items() if code >= _FIRST_PRINTED
    }


def restore_signs(
    text: str,
    encodings: Mapping[int, Mapping[str, str]],
    face_of: Callable[[int], int],
    is_code: Callable[[int], bool],
) -> str:
    """Return the characters of a page with signs for the codes of mathematical fonts; every index keeps its glyph.

    Args:
        text: Characters of the page.
        encodings: Signs by code, by the address of the font.
        face_of: Returns the address of a character's font; 0 for none.
        is_code: Returns True for a character without a Unicode value.
    """
    codes: Collection[str] = {code for encoding in encodings.values() for code in encoding}
    letters = list(text)
    for index, character in enumerate(text):
        if character in codes and not character.isspace():
            encoding = encodings.get(face_of(index), {})
            sign = encoding.get(character)
            if sign is not None and (encoding is _EURO or is_code(index)):
                letters[index] = sign
    return "".join(letters)


def with_negations(text: str) -> str:
    """Return a text with the stroke that TeX prints before a sign on it: `≠`."""
    return unicodedata.normalize("NFC", _NEGATION.sub("\\1\u0338", text)) if "\u0338" in text else text
