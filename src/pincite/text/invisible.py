"""Characters that nobody sees, where they may carry a text: tag characters, variation selectors, runs without width.

One joiner between letters, a soft hyphen, a hint where a line may break, the parts of an emoji and the variant of one
ideograph belong to what they stand in and are left alone.
"""

import re
from functools import cache

MIN_RUN_CHARACTERS = 4
"""Invisible characters in a row from which they are a hidden text: an emoji or a change of direction takes up to three,
and fewer spell no word."""

_IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""What is drawn as nothing (Unicode: Default_Ignorable_Code_Point)."""

_TAG_BASE = 0xE0000
"""Tag characters lie this far above the ASCII character that each means (Unicode, 23.9)."""
_SELECTOR_BASE, _SELECTOR_17 = 0xFE00, 0xE0100
_FEWER_SELECTORS = 16
_SELECTORS = 256
"""Variation selectors, in two ranges: as many as there are bytes, which is what they smuggle."""

_IDEOGRAPHS = "\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIDDEN = (
    # The flag of England is a black flag and the tags g b e n g, then an end: up to six letters and digits.
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
    f"|(?P<hidden>[{_IGNORABLE}]{{{MIN_RUN_CHARACTERS},}}"
    "|[\U000e0000-\U000e007f]+"
    f"|(?<![{_IDEOGRAPHS}\U000e0100-\U000e01ef])[\U000e0100-\U000e01ef]+"
    "|[\U000e0100-\U000e01ef]{2,})"
)


@cache
def _any() -> re.Pattern[str]:
    # Four times as fast as the search for a run: nearly no text has any. Compiled with the first use: it takes time.
    return re.compile(f"[{_IGNORABLE}]")


@cache
def _hidden() -> re.Pattern[str]:
    return re.compile(_HIDDEN)


def hidden_spans(text: str) -> list[tuple[int, int]]:
    """Return start and end of each run of invisible characters that may carry a text, in order."""
    if text.isascii() or _any().search(text) is None:
        return []
    return [found.span() for found in _hidden().finditer(text) if found["hidden"]]


def without_hidden(text: str) -> str:
    """Return a text without its hidden runs."""
    if text.isascii() or _any().search(text) is None:
        return text
    return _hidden().sub(lambda found: "" if found["hidden"] else found[0], text)


def decoded(run: str) -> str:
    """Return what a run of invisible characters spells, else how many characters it has.

    Tag characters spell ASCII, variation selectors bytes of UTF-8; other runs have no code that is known.
    """
    tags = "".join(chr(ord(character) - _TAG_BASE) for character in run if _TAG_BASE < ord(character) < _SELECTOR_17)
    selected = bytes(byte for character in run if (byte := _selected(ord(character))) is not None)
    for spelt in (tags, selected.decode(errors="replace")):
        if text := "".join(filter(str.isprintable, spelt)).strip():
            return text
    return f"[{len(run)} characters without width]"


def _selected(code: int) -> int | None:
    """The byte that a variation selector stands for: its number, from 0."""
    if code in range(_SELECTOR_BASE, _SELECTOR_BASE + _FEWER_SELECTORS):
        return code - _SELECTOR_BASE
    number = code - _SELECTOR_17 + _FEWER_SELECTORS
    return number if _FEWER_SELECTORS <= number < _SELECTORS else None
