"""Where a text may be cut without cutting a word or a number."""

import re
import unicodedata

from pincite.text.characters import APART, CELL, SOFT

_HYPHENS = f"-\u00ad\u2010\u2011\u2012\u2013\u2212{SOFT}{APART}"
_SIGNS = "-+\u2212–±"
_IN_NUMBERS = ".,:/'’·^×\u2044\u066b\u066c"
_AFTER_NUMBERS = "%‰°^"
_APOSTROPHES = "'’"
_ELISIONS = frozenset(
    "c d j l m n s t qu jusqu lorsqu puisqu quoiqu un all dall dell nell sull quell quest".split(" ")  # noqa: SIM905
)
"""Words of French and Italian that lose their end before a vowel: a quote may begin after them."""
_UNSPACED = (
    (0x30A0, 0x30FF, "katakana"),
    (0x2E80, 0x309F, "han and hiragana"),
    (0x3400, 0x9FFF, "han"),
    (0xF900, 0xFAFF, "han"),
    (0x20000, 0x3FFFF, "han"),
    (0x0E00, 0x0EFF, "thai and lao"),
    (0x1000, 0x109F, "myanmar"),
    (0x1780, 0x17FF, "khmer"),
)
"""Blocks of scripts without spaces, by first and last code point."""
_BROKEN = re.compile(r"[^\W\d_][-\u2010\u00ad][ \t]*\r?\n[ \t]*\Z")
_THOUSANDS_LEFT = re.compile(r"(?<!\d)\d{1,3}\Z")
_THOUSANDS_RIGHT = re.compile(r"\d{3}(?!\d)")
_LOOK = 40


def is_boundary(text: str, index: int) -> bool:
    """Whether a quote may begin or end at an index of a text, as written or folded.

    It may not inside a word (letters, digits, marks, `_`, and the hyphens, apostrophes and points that join them)
    and not inside a number with its sign, its decimal and thousands marks, its exponent or its per cent sign. In
    scripts that are written without spaces it may between two letters.
    """
    if index <= 0 or index >= len(text):
        return True
    before, after = text[index - 1], text[index]
    if _parts(before) or _parts(after):
        return not (_between_thousands(text, index) or _in_broken_word(text, index))
    if _of_word(before) and _of_word(after):
        return _unspaced(before, after)
    return not (_joined_left(text, index) or _joined_right(text, index))


def _parts(character: str) -> bool:
    return character.isspace() and character not in (SOFT, APART)


def _of_word(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"


def _unspaced(before: str, after: str) -> bool:
    """Whether two letters, one of a script without spaces, may be parted."""
    if unicodedata.category(after)[0] == "M" or (before.isnumeric() and after.isnumeric()):
        return False
    scripts = _script(before), _script(after)
    return any(scripts) and scripts != ("katakana", "katakana")


def is_unspaced(character: str) -> bool:
    """Whether a character is of a script that is written without spaces."""
    return bool(_script(character))


def _script(character: str) -> str:
    """A script that is written without spaces, or nothing."""
    code = ord(character)
    return next((script for first, last, script in _UNSPACED if first <= code <= last), "")


def _joined_left(text: str, index: int) -> bool:
    """Whether what stands before belongs to the word or number that begins here."""
    before, after = text[index - 1], text[index]
    further = text[index - 2] if index > 1 else ""
    if not _of_word(after):
        return False
    if before in _SIGNS and after.isdigit():
        return True
    if before in _IN_NUMBERS and after.isdigit():
        return further.isdigit() or (before in ".,\u066b" and not further.isalnum() and further != ".")
    if not (further and _of_word(further)):
        return False
    if before in _APOSTROPHES:
        return not _elision(text, index - 1)
    return before in _HYPHENS or (before == "." and after.islower())


def _joined_right(text: str, index: int) -> bool:
    """Whether what stands here belongs to the word or number that ends before it."""
    before, after = text[index - 1], text[index]
    beyond = text[index + 1] if index + 1 < len(text) else ""
    if not _of_word(before):
        return False
    if before.isdigit() and (after in _AFTER_NUMBERS or (after in _IN_NUMBERS and beyond.isdigit())):
        return True
    if not (beyond and _of_word(beyond)):
        return False
    return after in _HYPHENS or after in _APOSTROPHES or (after == "." and beyond.islower())


def _elision(text: str, apostrophe: int) -> bool:
    start = apostrophe
    while start > 0 and apostrophe - start < _LOOK and text[start - 1].isalpha():
        start -= 1
    return text[start:apostrophe].lower() in _ELISIONS


def _between_thousands(text: str, index: int) -> bool:
    """`1 234`: one space between up to three digits and exactly three."""
    space = index - 1 if text[index - 1].isspace() else index
    if text[space] in "\n\r\t\v\f" or text[space] == CELL:
        return False
    left = _THOUSANDS_LEFT.search(text, max(0, space - _LOOK), space)
    return left is not None and _THOUSANDS_RIGHT.match(text, space + 1) is not None


def _in_broken_word(text: str, index: int) -> bool:
    """After a hyphen at the end of the line before."""
    if not text[index].isalpha() or text[index - 1] not in " \t\n":
        return False
    return _BROKEN.search(text, max(0, index - _LOOK), index) is not None
