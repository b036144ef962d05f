"""Invisible characters that may carry hidden text: tag characters, variation selectors, runs of zero-width characters.

One joiner between letters, a soft hyphen, a line-break hint, the parts of an emoji and the variant of one ideograph
are ordinary text and are left alone.
"""

import re
from functools import cache

MIN_RUN_CHARACTERS = 4
"""Length of a run of invisible characters that counts as hidden text: an emoji or a change of direction takes up to
three, and fewer spell no word."""

_IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters without a glyph (Unicode: Default_Ignorable_Code_Point)."""

_TAG_BASE = 0xE0000
"""Offset of a tag character from the ASCII character that it encodes (Unicode, 23.9)."""
_SELECTOR_BASE, _SELECTOR_17 = 0xFE00, 0xE0100
_FIRST_RANGE_SELECTORS = 16
_SELECTORS = 256
"""Variation selectors, in two ranges: one for each value of a byte, so any UTF-8 text can be smuggled in them."""

_IDEOGRAPHS = "\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# One pattern for all kinds; flags match first, without the group `hidden`, and so are kept.
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
    # Four times as fast as the search for a run, and nearly no text has any. Compiled on first use: it takes time.
    return re.compile(f"[{_IGNORABLE}]")


@cache
def _hidden() -> re.Pattern[str]:
    return re.compile(_HIDDEN)


def hidden_spans(text: str) -> list[tuple[int, int]]:
    """Return start and end of each run of invisible characters that may carry a text, in order."""
    if text.isascii() or _any().search(text) is None:
        return []
    return [match.span() for match in _hidden().finditer(text) if match["hidden"]]


def without_hidden(text: str) -> str:
    """Return a text without its hidden runs."""
    if text.isascii() or _any().search(text) is None:
        return text
    return _hidden().sub(lambda match: "" if match["hidden"] else match[0], text)


def decoded(run: str) -> str:
    """Return the text that a run of invisible characters encodes, or a note of its length if it decodes to nothing.

    Tag characters encode ASCII, variation selectors bytes of UTF-8; other characters have no known encoding.
    """
    tags = "".join(chr(ord(character) - _TAG_BASE) for character in run if _TAG_BASE < ord(character) < _SELECTOR_17)
    selected = bytes(byte for character in run if (byte := _selected(ord(character))) is not None)
    for message in (tags, selected.decode(errors="replace")):
        if text := "".join(filter(str.isprintable, message)).strip():
            return text
    return f"[{len(run)} characters without width]"


def _selected(code: int) -> int | None:
    """The byte that a variation selector encodes: its number, from 0; None for any other character."""
    if code in range(_SELECTOR_BASE, _SELECTOR_BASE + _FIRST_RANGE_SELECTORS):
        return code - _SELECTOR_BASE
    number = code - _SELECTOR_17 + _FIRST_RANGE_SELECTORS
    return number if _FIRST_RANGE_SELECTORS <= number < _SELECTORS else None
