# ruff: noqa: RUF001 - signs that look like letters are what this file is about
"""Characters of the private use area whose meaning is known: of Adobe's expert fonts, and of symbol fonts."""

import re
from collections.abc import Callable

from pincite.formats.symbols import in_private_use

_PRIVATE = re.compile("[\uf000-\uf8ff]")

_LETTERS_OF = {
    0xF6D9: "©®™1", 0xF6E0: "¢,,$$--..abdeilmorst˘ˇˆ˙˝ŁŒ˛˚Š˜", 0xF6FF: "Ž", 0xF8E8: "®©™",
    0xF8E6: "⏐⎯", 0xF8EB: "⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭",
}  # fmt: skip
_ADOBE = {
    **{start + place: letter for start, letters in _LETTERS_OF.items() for place, letter in enumerate(letters)},
    **{0xF700 + code: chr(code).upper() for code in (*range(0x21, 0x7F), *range(0xA1, 0xDF), *range(0xE0, 0x100))},
    0xF6DE: "—", 0xF6DF: "¢",
}  # fmt: skip
"""Adobe Glyph List for the names of expert fonts: superiors, old-style digits, small capitals, parts of brackets.

Its codes from F721 are 0xF700 above those of Latin-1, with small capitals at the codes of small letters.
"""


def restore_private(text: str, font_of: Callable[[int], str]) -> str:
    """Return the characters of a page with letters and signs for private ones; every index keeps its glyph.

    Args:
        text: Characters of the page.
        font_of: Returns the name of a character's font.
    """
    if text.isascii() or not _PRIVATE.search(text):
        return text
    letters = list(text)
    for match in _PRIVATE.finditer(text):
        index, character = match.start(), match[0]
        letters[index] = _ADOBE.get(ord(character)) or in_private_use(font_of(index), character)
    return "".join(letters)
