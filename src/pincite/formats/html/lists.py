"""Labels of ordered lists."""

import re
from dataclasses import dataclass

from pincite.formats.html.events import Attributes
from pincite.formats.writing.numerals import roman

_LETTERS = 26
_MAX_ROMAN = 3999
"""Roman numerals end here (CSS Counter Styles, 6.1)."""
_MAX_DIGITS = 9
"""Longer numbers are no list numbers, and long conversions take time."""

_STYLE = re.compile(r"list-style(?:-type)?\s*:\s*([a-z-]+)", re.IGNORECASE)
_TYPES = {
    "lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A", "upper-latin": "A", "lower-roman": "i",
    "upper-roman": "I", "loweralpha": "a", "upperalpha": "A", "lowerroman": "i", "upperroman": "I", "none": "",
}  # fmt: skip
"""Types of numbers by the values of CSS (Lists 3, 3.1), and by the classes of Docutils and AsciiDoc."""


@dataclass(slots=True)
class Counter:
    """Produces the labels of an ordered list."""

    number: int = 1
    style: str = "1"

    def label(self, attributes: Attributes) -> str:
        """Return the label of the next item: its `value`, or the next number; empty without a style."""
        self.number = _number(attributes.get("value"), self.number)
        number, self.number = self.number, self.number + 1
        style = attributes.get("type") or self.style
        return f"{_written(number, style)}." if style else ""


def counter(attributes: Attributes) -> Counter:
    """Return the counter of an `ol`."""
    return Counter(_number(attributes.get("start"), 1), attributes.get("type") or _style(attributes))


def _style(attributes: Attributes) -> str:
    """Return the type of an `ol` by its style or its classes; empty if it shows no numbers."""
    match = _STYLE.search(attributes.get("style") or "")
    names = [match[1].lower()] if match else (attributes.get("class") or "").split()
    return next((_TYPES[name] for name in names if name in _TYPES and (match or name != "none")), "1")


def _number(value: str | None, default: int) -> int:
    text = (value or "").strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS else default


def _written(number: int, style: str) -> str:
    """A number as letters or a Roman numeral; digits outside the range of those (CSS Counter Styles, 6)."""
    if style in ("a", "A") and number > 0:
        text = ""
        while number:
            number, digit = divmod(number - 1, _LETTERS)
            text = chr(ord(style) + digit) + text
        return text
    if style in ("i", "I") and 0 < number <= _MAX_ROMAN:
        text = roman(number)
        return text if style == "i" else text.upper()
    return str(number)
