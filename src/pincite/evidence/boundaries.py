"""Boundaries of words and numbers, at which a quote may begin or end."""

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
"""French and Italian words before an apostrophe of elision, after which a quote may begin."""
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
# Bounds each look back, so that a check takes constant time; no word or number of interest is longer.
_LOOKBEHIND_CHARS = 40


def is_boundary(text: str, index: int) -> bool:
    """Return True if a quote may begin or end at an index of a text, as written or folded.

    Not inside a word (letters, digits, marks, `_`, and the hyphens, apostrophes and points that join them) and not
    inside a number with its sign, its decimal and thousands separators, its exponent or its per cent sign. In scripts
    written without spaces it may between two letters.
    """
    if index <= 0 or index >= len(text):
        return True
    before, after = text[index - 1], text[index]
    if _is_separator(before) or _is_separator(after):
        return not (_is_thousands_space(text, index) or _is_in_broken_word(text, index))
    if _is_word_character(before) and _is_word_character(after):
        return _is_unspaced_boundary(before, after)
    return not (_is_joined_left(text, index) or _is_joined_right(text, index))


def _is_separator(character: str) -> bool:
    return character.isspace() and character not in (SOFT, APART)


def _is_word_character(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"


def _is_unspaced_boundary(before: str, after: str) -> bool:
    """Return True if a quote may begin or end between two letters, at least one of a script without spaces."""
    # A combining mark belongs to the letter before it.
    if unicodedata.category(after)[0] == "M" or (before.isnumeric() and after.isnumeric()):
        return False
    # Katakana words are loans written as one run: a boundary inside one would cut a word.
    scripts = _script(before), _script(after)
    return any(scripts) and scripts != ("katakana", "katakana")


def is_unspaced(character: str) -> bool:
    """Return True if a character is of a script written without spaces."""
    return bool(_script(character))


def _script(character: str) -> str:
    """Return the name of a script written without spaces; empty for other characters."""
    code = ord(character)
    return next((script for first, last, script in _UNSPACED if first <= code <= last), "")


def _is_joined_left(text: str, index: int) -> bool:
    """Return True if the character before the index belongs to the word or number that begins there."""
    before, after = text[index - 1], text[index]
    further = text[index - 2] if index > 1 else ""
    if not _is_word_character(after):
        return False
    if before in _SIGNS and after.isdigit():
        return True
    # `3.5` and `.5` are numbers; the point of `No.5` ends a word, and that of `..5` an ellipsis.
    if before in _IN_NUMBERS and after.isdigit():
        return further.isdigit() or (before in ".,\u066b" and not further.isalnum() and further != ".")
    if not (further and _is_word_character(further)):
        return False
    if before in _APOSTROPHES:
        return not _is_elision(text, index - 1)
    return before in _HYPHENS or (before == "." and after.islower())


def _is_joined_right(text: str, index: int) -> bool:
    """Return True if the character at the index belongs to the word or number that ends before it."""
    before, after = text[index - 1], text[index]
    beyond = text[index + 1] if index + 1 < len(text) else ""
    if not _is_word_character(before):
        return False
    if before.isdigit() and (after in _AFTER_NUMBERS or (after in _IN_NUMBERS and beyond.isdigit())):
        return True
    if not (beyond and _is_word_character(beyond)):
        return False
    return after in _HYPHENS or after in _APOSTROPHES or (after == "." and beyond.islower())


def _is_elision(text: str, apostrophe: int) -> bool:
    start = apostrophe
    while start > 0 and apostrophe - start < _LOOKBEHIND_CHARS and text[start - 1].isalpha():
        start -= 1
    return text[start:apostrophe].lower() in _ELISIONS


def _is_thousands_space(text: str, index: int) -> bool:
    """Return True at the space of `1 234`: between up to three digits and exactly three."""
    space = index - 1 if text[index - 1].isspace() else index
    if text[space] in "\n\r\t\v\f" or text[space] == CELL:
        return False
    left = _THOUSANDS_LEFT.search(text, max(0, space - _LOOKBEHIND_CHARS), space)
    return left is not None and _THOUSANDS_RIGHT.match(text, space + 1) is not None


def _is_in_broken_word(text: str, index: int) -> bool:
    """Return True after a hyphen at the end of the line before."""
    if not text[index].isalpha() or text[index - 1] not in " \t\n":
        return False
    return _BROKEN.search(text, max(0, index - _LOOKBEHIND_CHARS), index) is not None
