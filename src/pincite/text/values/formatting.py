"""Normalise the formatting of a value, never its digits or its unit."""

import re

from pincite.text.values.units import UNITS

_SPACES = re.compile(r"\s+")
_RANGE = re.compile(r"(?P<low>\d(?:\s?[%°A-Za-zµμΩ]{1,4})?)\s*[~～∼〜–—−]\s*(?=[-+−]?\s*\d)")  # noqa: RUF001 - marks of ranges
"""The mark between two numbers, the first perhaps with its unit: a dash after a word is none."""
_MINUS = re.compile(r"(?<![\w%°)])\u2212(?=[\d.,])")
_SPACED_HYPHEN = re.compile(r"(?<=\d)\s+-\s+(?=\d)")
_UNIT_GAP = re.compile(rf"(?<=\d)\s(?={UNITS}(?![^\W_]))")
"""A space between a number and a unit of measurement. Currencies and words keep theirs."""


def normalize_text(text: str) -> str:
    """Return a value with its formatting normalised: white space, the mark of a range, the gap before a unit.

    `1000 ~ 1500 V` becomes `1000-1500V`.
    """
    text = _MINUS.sub("-", _SPACES.sub(" ", text).strip())
    text = _SPACED_HYPHEN.sub("-", _RANGE.sub(r"\g<low>-", text))
    # In running text the gap belongs to the writing, not to a value.
    return text if text[:1].isalpha() else _UNIT_GAP.sub("", text)
