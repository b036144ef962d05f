"""Powers, marks of notes and indices, by their geometry: `m^2`, `1,204^1`, `x_1`."""

import math
import re

from pincite.formats.pdf.page.words import MAX_MARK_SIZE_RATIO, Word
from pincite.formats.writing.scripts import BASE

MIN_SHIFT_EM = 0.08
"""Distance of a power's or index's lower edge from that of its base: TeX lowers by .15 em and raises by .36."""
DESCENDER_EM = 0.2
"""Depth of `p` below the baseline; Computer Modern has .19, Times and Helvetica .21."""
BRACKET_DEPTH_EM = 0.25
"""Depth of brackets below the baseline in Computer Modern; Times and Helvetica have .21."""
_PRIME = "0"
"""The character by which TeX's symbol font encodes a prime: a `p` with a prime is read as `p` and a raised 0."""
_INDEX_BASE = re.compile(r"(?:^|[^\w])[b-hj-np-z]\Z")
_POWER = re.compile(r"[-+−–]?\d{1,2}|\(\d{1,2}\)|\d{1,2}(?:,\d{1,2}){1,3}|[a-df-z]")  # noqa: RUF001 - a minus sign and a dash
"""A power, or marks of notes: `2`, `(2)`, `1,4`, `a`. A raised `e` is the end of a French ordinal."""
_NOTE_MARK = re.compile(r"\d{1,3}|[a-z*†‡§¶]")
"""Mark of a note or of an author's address."""
MAX_ISOTOPE_LETTERS = 2
"""Letters behind a raised number that are the name of an element: `13C`, `18Fe`."""
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
    shift = _baseline(word) - _baseline(last)
    if shift < -MIN_SHIFT_EM * last.size and _POWER.fullmatch(word.text) and _has_power(text, word.text):
        return "^"
    if shift > MIN_SHIFT_EM * last.size and _INDEX.fullmatch(word.text) and _INDEX_BASE.search(text):
        return "_"
    return ""


def is_note_mark(word: Word, following: Word) -> bool:
    """Return True if a word is the raised mark of a note at the beginning of its text: `1` before `This`."""
    # Two letters are those of an isotope.
    is_text = len(following.text) > MAX_ISOTOPE_LETTERS and following.text[0].isalpha()
    if not is_text or word.size > MAX_MARK_SIZE_RATIO * following.size or word.turns or following.turns:
        return False
    is_raised = _baseline(word) < _baseline(following) - MIN_SHIFT_EM * following.size
    return is_raised and _NOTE_MARK.fullmatch(word.text) is not None


def _has_power(text: str, raised: str) -> bool:
    """Return True if a text ends in what has powers or notes."""
    return bool(BASE.search(text)) and (raised != _PRIME or text[-1].isdigit())


def _baseline(word: Word) -> float:
    """Return the baseline of a word: its lower edge without the depth of its deepest character."""
    depth = max(map(_depth, word.text), default=0.0)
    return word.below - depth * word.size


def _depth(character: str) -> float:
    if character in "gjpqy\u00b5\u03bc":
        return DESCENDER_EM
    return BRACKET_DEPTH_EM if character in "()[]{}|" else 0.0
