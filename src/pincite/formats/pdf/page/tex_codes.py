"""Letters of TeX's text fonts that have no name and no Unicode value, as dvips writes them: known by their codes."""

import re
from collections import Counter
from collections.abc import Callable

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
