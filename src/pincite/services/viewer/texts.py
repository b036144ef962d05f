"""The canonical text of a document in parts that a browser can show."""

from dataclasses import dataclass

from pincite.errors import NotFound

PART_CHARS = 16_000
"""About five pages: a browser lays one out in some milliseconds."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a text.

    Attributes:
        number: Its number, from 0.
        count: Number of parts.
        start: Its first character in the text.
        text: Its text.
    """

    number: int
    count: int
    start: int
    text: str


def part(text: str, number: int) -> TextPart:
    """Return a part of a text by its number; the parts joined are the text.

    Raises:
        NotFound: There is no such part.
    """
    count = _count(text)
    if not 0 <= number < count:
        raise NotFound(f"There is no part {number}. The text has parts 0 to {count - 1}.")
    start, end = _border(text, number), _border(text, number + 1)
    return TextPart(number, count, start, text[start:end])


def part_at(text: str, offset: int) -> TextPart:
    """Return the part that has a character; the last one for the end of the text.

    Raises:
        NotFound: The text is shorter.
    """
    if not 0 <= offset <= len(text):
        raise NotFound(f"There is no character {offset}: the text has {len(text)}.")
    number = min(offset // PART_CHARS, _count(text) - 1)
    is_next = number + 1 < _count(text) and offset >= _border(text, number + 1)
    return part(text, number + 1 if is_next else number)


def _count(text: str) -> int:
    return max(1, -(-len(text) // PART_CHARS))


def _border(text: str, number: int) -> int:
    """Return where a part begins: after a blank line before its nominal start, so that no table is cut, else a line."""
    nominal = number * PART_CHARS
    if nominal >= len(text):
        return len(text)
    if not number:
        return 0
    for gap in ("\n\n", "\n"):
        border = text.rfind(gap, nominal - PART_CHARS // 2, nominal)
        if border >= 0:
            return border + len(gap)
    return nominal
