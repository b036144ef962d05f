"""What the fonts of TeX need: codes of letters that are accents or signs, and words of formulas."""

# ruff: noqa: RUF001 - signs that look like letters are what this file is about

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache

_CODES = re.compile("[\x0b\x0c\x0e\x0f\x1b\x1c\x1e\x1f]")
"""Codes of ff, fi, ffi and ffl in either encoding. Those of fl prove nothing: one is the line break of pdfium, too."""
_LETTERS_BEFORE, _LETTERS_AFTER = re.compile("[a-z]*$"), re.compile("[a-z]*")
MIN_WORD_LETTERS = 3
"""Lower-case letters around a code that prove a word: Greek letters of formulas have such codes, but few neighbours."""
MIN_PROVED_SHARE = 0.4
"""Share of the codes of a font that are within words from which all of them are letters."""
_LIGATURES = "\ufb00\ufb01\ufb02\ufb03\ufb04"
_OT1 = dict(zip(range(0x0B, 0x10), _LIGATURES, strict=True)) | {
    0x10: "\u0131", 0x11: "ȷ", 0x19: "ß", 0x1A: "æ", 0x1B: "œ", 0x1C: "ø", 0x1D: "Æ", 0x1E: "Œ", 0x1F: "Ø",
    ord("{"): "–", ord("|"): "—", ord("\\"): "“", ord('"'): "”",
}  # fmt: skip
"""Encoding of Computer Modern, where it differs from ASCII."""
_T1 = dict(zip(range(0x1B, 0x20), _LIGATURES, strict=True)) | {
    0x10: "“", 0x11: "”", 0x12: "„", 0x13: "«", 0x14: "»", 0x15: "–", 0x16: "—", 0x19: "\u0131", 0x1A: "ȷ",
}  # fmt: skip
"""Encoding of European Computer Modern ("Cork"), below the codes of letters."""
_MAPPED = frozenset(map(chr, _OT1.keys() | _T1.keys()))
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


def restore_letters(text: str, face_of: Callable[[int], int]) -> str:
    """Return the characters of a page with letters for the codes of TeX's text fonts; every index keeps its glyph.

    Args:
        text: Characters of the page; those without a Unicode value have their codes.
        face_of: Returns the address of a character's font; 0 for none.
    """
    codes = [match.start() for match in _CODES.finditer(text)]
    if not codes:
        return text
    faces = {index: face_of(index) for index in codes}
    proved = Counter((faces[index], text[index] < "\x10") for index in codes if _is_in_word(text, index))
    counts = Counter(faces.values())
    encodings: dict[int, dict[int, str]] = {}
    for face in {face for face, _ in proved} - {0}:
        old, new = proved[face, True], proved[face, False]
        if old + new >= MIN_PROVED_SHARE * counts[face]:
            encodings[face] = _OT1 if old >= new else _T1
    if not encodings:
        return text
    letters = list(text)
    for index, character in enumerate(text):
        if character in _MAPPED and (encoding := encodings.get(face_of(index))):
            letters[index] = encoding.get(ord(character), character)
    return "".join(letters)


def _is_in_word(text: str, index: int) -> bool:
    before = _LETTERS_BEFORE.search(text, max(0, index - MIN_WORD_LETTERS), index)
    after = _LETTERS_AFTER.match(text, index + 1, index + 1 + MIN_WORD_LETTERS)
    return sum(len(letters[0]) for letters in (before, after) if letters) >= MIN_WORD_LETTERS


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
