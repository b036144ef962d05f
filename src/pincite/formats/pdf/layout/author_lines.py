"""Names of authors between the title of a document and its text, which look like headings."""

from collections import Counter
from collections.abc import Container, Sequence
from itertools import pairwise

from pincite.formats.pdf.layout.bookmarks import fold_title
from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.page.markers import is_bracketed, section_depth

MIN_PAGES = 4
"""Pages of a document with authors; letters and invoices have headings at the same place."""
MIN_AUTHORS = 2
"""Names in one size, each above an address, that are told from a heading above a line of text."""
MAX_LINE_CHARS = 80
"""Length of an address; longer lines are text below a heading."""


def author_lines(parts: Sequence[object], depths: Sequence[int], outline: Container[str]) -> list[int]:
    """Return the numbers of those headings of a first page that are names of authors above their addresses.

    Args:
        parts: Paragraphs and regions of the page, in reading order.
        depths: Heading level of each part; 0 for others.
        outline: Folded titles of the bookmarks that lead to the page.
    """
    names: dict[int, float] = {}
    for number, (part, following) in enumerate(pairwise(parts)):
        if not depths[number] and not _is_address(part):
            break
        is_above_address = depths[number] and not depths[number + 1] and _is_address(following)
        if is_above_address and isinstance(part, Paragraph) and not _is_title(part, following, outline):
            names[number] = part.lines[0].size
    sizes = Counter(names.values())
    return [number for number, size in names.items() if sizes[size] >= MIN_AUTHORS]


def _is_title(part: Paragraph, following: object, outline: Container[str]) -> bool:
    """Return True for a numbered heading, one of the outline, and the entry of a form above its label in brackets."""
    is_entry = isinstance(following, Paragraph) and is_bracketed(following.text.text)
    return is_entry or section_depth(part.text.text) > 0 or fold_title(part.text.text) in outline


def _is_address(part: object) -> bool:
    return isinstance(part, Paragraph) and len(part.text.text) <= MAX_LINE_CHARS and not part.text.text.endswith(".")
