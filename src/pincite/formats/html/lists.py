"""The labels of ordered lists."""

from dataclasses import dataclass

from pincite.formats.html.events import Attributes
from pincite.formats.writing.numerals import roman

_LETTERS = 26
_LAST_ROMAN = 3999
_MOST_DIGITS = 9


@dataclass(slots=True)
class Counter:
    """The next label of an ordered list."""

    number: int = 1
    step: int = 1
    style: str = "1"

    def label(self, attributes: Attributes) -> str:
        """The label of an item: what its value says, else one more than the last."""
        self.number = _number(attributes.get("value"), self.number)
        number, self.number = self.number, self.number + self.step
        return f"{_written(number, attributes.get('type') or self.style)}."


def counter(attributes: Attributes) -> Counter:
    """The counter of an `ol`."""
    step = -1 if "reversed" in attributes else 1
    return Counter(_number(attributes.get("start"), 1), step, attributes.get("type") or "1")


def _number(value: str | None, default: int) -> int:
    text = (value or "").strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS else default


def _written(number: int, style: str) -> str:
    """A number as a letter or a Roman number; digits where that has none for it (CSS Counter Styles, 6)."""
    if style in ("a", "A") and number > 0:
        text = ""
        while number:
            number, rest = divmod(number - 1, _LETTERS)
            text = chr(ord(style) + rest) + text
        return text
    if style in ("i", "I") and 0 < number <= _LAST_ROMAN:
        text = roman(number)
        return text if style == "i" else text.upper()
    return str(number)
