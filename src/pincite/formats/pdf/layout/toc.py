"""Tables of contents: rows that end in page numbers."""

from collections.abc import Sequence
from itertools import pairwise

from pincite.formats.pdf.page.markers import last_number, leader_page
from pincite.formats.pdf.page.words import Line

LEAST_LEADERS = 5
"""Rows with dot leaders from which a page has a table of contents (`measured`)."""
LEAST_ENTRIES = 8
LEAST_SHARE = 0.4
"""Share of a page's rows that end in rising numbers (`measured`)."""
RISING = 0.85
SAME_EDGE = 3.0
"""Points by which the right edges of page numbers may differ."""


def contents_rows(rows: Sequence[Line], pages: int) -> range:
    """Numbers of the rows that are a table of contents; empty where a page has none.

    Args:
        rows: The page's visual lines from the top.
        pages: Number of pages of the document.
    """
    entries = [index for index, row in enumerate(rows) if leader_page(row.text)]
    if len(entries) < LEAST_LEADERS:
        entries = _numbered(rows, pages)
    return range(entries[0], entries[-1] + 1) if entries else range(0)


def _numbered(rows: Sequence[Line], pages: int) -> list[int]:
    """Rows of text with one number at the common right edge, if the numbers rise."""
    found = [(index, number) for index, row in enumerate(rows) if (number := _page_number(row)) is not None]
    if len(found) < LEAST_ENTRIES:
        return []
    edges = sorted(rows[index].x1 for index, _ in found)
    edge = edges[len(edges) // 2]
    found = [(index, number) for index, number in found if abs(rows[index].x1 - edge) <= SAME_EDGE and number <= pages]
    rises = sum(one <= other for (_, one), (_, other) in pairwise(found))
    enough = len(found) >= max(LEAST_ENTRIES, LEAST_SHARE * len(rows))
    distinct = len({number for _, number in found}) > len(found) / 2
    return [index for index, _ in found] if enough and distinct and rises >= RISING * (len(found) - 1) else []


def _page_number(row: Line) -> int | None:
    """The number at a row's end, if a gap and a word without digits stand before it."""
    if len(row.words) <= 1:
        return None
    last, before = row.words[-1], row.words[-2]
    if last.x0 - before.x1 < row.size or any(character.isdigit() for character in before.text[-1:]):
        return None
    return last_number(row.text)
