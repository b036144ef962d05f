"""Tables of contents: rows that end in page numbers.

The thresholds flagged a contents page in 13 of 13 annual and quarterly reports, and all 5 of ASVS with one false page.
"""

from collections.abc import Sequence
from itertools import pairwise

from pincite.formats.pdf.page.markers import has_leader, last_number, leader_page
from pincite.formats.pdf.page.words import Line

MIN_LEADER_ROWS = 5
"""Rows with dot leaders that make a table of contents."""
MIN_NUMBERED_ROWS = 8
MIN_NUMBERED_SHARE = 0.4
"""Number and share of a page's rows that end in numbers, for contents without leaders."""
MIN_RISING_SHARE = 0.85
"""Share of those numbers that are not smaller than the one before."""
MAX_PAGE_NUMBER = 999
EDGE_TOLERANCE_PT = 3.0
"""Distance of page numbers' right edges from their median."""


def contents_rows(rows: Sequence[Line], pages: int) -> range:
    """Return the indices of the rows of a table of contents; empty without one.

    Args:
        rows: Visual lines of the page, from the top.
        pages: Number of pages of the document; larger numbers are no page numbers.
    """
    texts = [row.text for row in rows]
    # One look at the page: most have no leader.
    has_leaders = has_leader("\n".join(texts))
    entries = [index for index, text in enumerate(texts) if leader_page(text)] if has_leaders else []
    if len(entries) < MIN_LEADER_ROWS:
        entries = _numbered_rows(rows, pages)
    return range(entries[0], entries[-1] + 1) if entries else range(0)


def _numbered_rows(rows: Sequence[Line], pages: int) -> list[int]:
    """Return the indices of rows with a number at the common right edge, if the numbers rise."""
    numbered = [(index, number) for index, row in enumerate(rows) if (number := _page_number(row)) is not None]
    if len(numbered) < MIN_NUMBERED_ROWS:
        return []
    # Page numbers are aligned at the right; other trailing numbers are not.
    edges = sorted(rows[index].x1 for index, _ in numbered)
    edge = edges[len(edges) // 2]
    numbered = [
        (index, number)
        for index, number in numbered
        if abs(rows[index].x1 - edge) <= EDGE_TOLERANCE_PT and number <= MAX_PAGE_NUMBER
    ]
    rises = sum(one <= other for (_, one), (_, other) in pairwise(numbered))
    # Numbers beyond the document's pages are those of a part of a larger one if none falls.
    is_part = rises == len(numbered) - 1
    numbered = [(index, number) for index, number in numbered if is_part or number <= pages]
    has_enough = len(numbered) >= max(MIN_NUMBERED_ROWS, MIN_NUMBERED_SHARE * len(rows))
    is_distinct = len({number for _, number in numbered}) > len(numbered) / 2
    return (
        [index for index, _ in numbered]
        if has_enough and is_distinct and rises >= MIN_RISING_SHARE * (len(numbered) - 1)
        else []
    )


def _page_number(row: Line) -> int | None:
    """Return the number at a row's end, if a gap separates it from a word that does not end in a digit."""
    if len(row.words) <= 1:
        return None
    last, before = row.words[-1], row.words[-2]
    if last.x0 - before.x1 < row.size or before.text[-1:].isdigit():
        return None
    return last_number(row.text)
