"""Powers and indices, told by their geometry: `m^2`, `10^-3`, `x_1`. Other raised characters are marks of notes."""

import math
import re

from pincite.formats.pdf.page.words import MAX_MARK_SIZE_RATIO, Word

MIN_SHIFT_EM = 0.08
"""Distance of a power's or index's lower edge from that of its base: TeX lowers by .15 em and raises by .36."""
_POWER_BASE = re.compile(r"(?:(?:^|[^\w.,])(?:[b-hj-np-z]|[cdkmnµμ]m|ft|yd)|(?:^|[^\w.,])10|[)\]])\Z")
"""Units, variables and ten. After a word, or another number, a raised number is the mark of a note."""
_INDEX_BASE = re.compile(r"(?:^|[^\w])[b-hj-np-z]\Z")
_POWER = re.compile(r"[-+−–]?\d{1,2}")  # noqa: RUF001 - a minus sign and a dash
_INDEX = re.compile(r"\d{1,2}|[a-z]")


def script_mark(text: str, last: Word, word: Word) -> str:
    """Return `^` or `_` if a word is the power or index of the text before it, else nothing.

    Args:
        text: The text before it, in its line.
        last: The word before it, which it adjoins.
        word: The word.
    """
    if last.turns or word.turns or word.size > MAX_MARK_SIZE_RATIO * last.size or math.isinf(word.below - last.below):
        return ""
    shift = word.below - last.below
    if shift < -MIN_SHIFT_EM * last.size and _POWER.fullmatch(word.text) and _POWER_BASE.search(text):
        return "^"
    if shift > MIN_SHIFT_EM * last.size and _INDEX.fullmatch(word.text) and _INDEX_BASE.search(text):
        return "_"
    return ""
