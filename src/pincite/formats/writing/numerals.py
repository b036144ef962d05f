"""Numerals of page labels and list labels."""

import re

YEAR = re.compile(r"(?:19|20)\d\d")

_ROMAN = {
    "m": 1000, "cm": 900, "d": 500, "cd": 400, "c": 100, "xc": 90, "l": 50, "xl": 40, "x": 10, "ix": 9, "v": 5, "iv": 4,
    "i": 1,
}  # fmt: skip


def roman(number: int) -> str:
    """Return a positive number as a lower-case Roman numeral."""
    text = ""
    for letters, value in _ROMAN.items():
        text += letters * (number // value)
        number %= value
    return text
