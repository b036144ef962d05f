"""Titles that the outline names and that are printed like the text below them, without more white."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from pincite.formats.pdf.layout.bookmarks import outlined_title
from pincite.formats.pdf.layout.paragraphs import Paragraph, part_title
from pincite.formats.pdf.page.markers import is_bullet
from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.words import Word

MAX_TITLE_LINES = 4
"""Lines of a title in type of body size."""

_PartT = TypeVar("_PartT")


def part_outlined_titles(
    parts: Iterable[_PartT | Paragraph],
    outline: Mapping[str, int],
    to_text: Callable[[Sequence[Word]], PlacedText],
) -> list[_PartT | Paragraph]:
    """Return the parts of a page, with each title that is whole lines at the start of a paragraph as one of its own.

    Args:
        parts: Paragraphs, and regions of other kinds.
        outline: Depth by folded title of the bookmarks that lead to the page.
        to_text: Joins words of consecutive lines to text.
    """
    listed = list(parts)
    paragraphs = [part for part in listed if isinstance(part, Paragraph)] if outline else []
    missing = set(outline) - {outlined_title(part.text.text, outline) for part in paragraphs}
    if not missing:
        return listed
    titles = dict.fromkeys(missing, 0)
    return [
        part for one in listed for part in (_parted(one, titles, to_text) if isinstance(one, Paragraph) else (one,))
    ]


def _parted(
    paragraph: Paragraph, titles: Mapping[str, int], to_text: Callable[[Sequence[Word]], PlacedText]
) -> Iterator[Paragraph]:
    for count in range(1, min(MAX_TITLE_LINES + 1, len(paragraph.lines))):
        title = to_text([word for line in paragraph.lines[:count] for word in line.words])
        is_title = not is_bullet(paragraph.label) and outlined_title(title.text, titles) is not None
        parted = part_title(paragraph, count, title) if is_title else None
        if parted:
            yield from parted
            return
    yield paragraph
