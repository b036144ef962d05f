"""Underlined paragraphs, and titles that are the underlined first lines of one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TypeVar

from pincite.formats.pdf.layout.paragraphs import Paragraph, part_title
from pincite.formats.pdf.layout.underlines import Piece, is_underlined, pieces_of
from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Word

MAX_TITLE_LINES = 3
"""Lines of an underlined title; more are an underlined text."""

_PartT = TypeVar("_PartT")


def with_underlined(
    parts: Sequence[_PartT | Paragraph], rules: Rules, to_text: Callable[[Sequence[Word]], PlacedText]
) -> list[_PartT | Paragraph]:
    """Return the parts of a page, with underlined paragraphs marked as such, and titles above a text parted from it.

    Args:
        parts: Paragraphs, and regions of other kinds.
        rules: Ruling lines of the page.
        to_text: Joins words of consecutive lines to text.
    """
    pieces = pieces_of(rules.horizontal)
    if not pieces:
        return list(parts)
    marked = [
        one for part in parts for one in (_parted(part, pieces, to_text) if isinstance(part, Paragraph) else (part,))
    ]
    flags = [isinstance(part, Paragraph) and part.underlined for part in marked]
    # Of several below each other each is a part of an underlined text.
    return [
        replace(part, underlined=False) if isinstance(part, Paragraph) and own and (above or below) else part
        for part, above, own, below in zip(marked, [False, *flags], flags, [*flags[1:], False], strict=False)
    ]


def _parted(
    paragraph: Paragraph, pieces: Sequence[Piece], to_text: Callable[[Sequence[Word]], PlacedText]
) -> Iterator[Paragraph]:
    lines = paragraph.lines
    count = sum(1 for _ in takewhile(lambda line: is_underlined(line, pieces), lines[: MAX_TITLE_LINES + 1]))
    if count == len(lines) <= MAX_TITLE_LINES:
        yield replace(paragraph, underlined=True)
        return
    if 0 < count <= MAX_TITLE_LINES:
        title = to_text([word for line in lines[:count] for word in line.words])
        parted = part_title(paragraph, count, title)
        # What is underlined to the end of a line by chance goes on in small letters.
        if parted and not lines[count].words[0].text[0].islower():
            yield replace(parted[0], underlined=True)
            yield parted[1]
            return
    yield paragraph
