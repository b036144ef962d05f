"""The outline of a document: bookmarks with title, page and depth, and the rows of a table of contents."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.markers import has_leader, last_number, leader_page, without_section_number
from pincite.formats.pdf.page.pdfium import Handle, address, read_utf16
from pincite.formats.pdf.page.words import Line

MAX_BOOKMARKS = 20_000
"""Bookmarks read; a crafted outline may be endless."""
MAX_DEPTH = 32
"""Depth of bookmarks read."""
_MAX_TITLE_BYTES = 4096
"""Length of a title in UTF-16 as pdfium returns it."""
MIN_LEADER_ROWS, MIN_LEADER_SHARE = 5, 0.4
"""Rows with dot leaders that make a table of contents, and their share of the rows from the first to the last."""
MIN_NUMBERED_ROWS = 8
MIN_NUMBERED_SHARE = 0.4
"""Number and share of a page's rows that end in numbers, for contents without leaders."""
MIN_RISING_SHARE = 0.85
"""Share of those numbers that are not smaller than the one before."""
MAX_PAGE_NUMBER = 999
EDGE_TOLERANCE_PT = 3.0
"""Distance of page numbers' right edges from their median."""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline.

    Attributes:
        depth: Level from 1.
        page: Page number from 1.
    """

    title: str
    depth: int
    page: int


def bookmarks(document: Handle) -> list[Bookmark]:
    """Read the outline in its order, without entries that have no title or no page."""
    outline: list[Bookmark] = []
    visited: set[int] = set()
    stack = [(_next_bookmark(document, None, first=True), 1)]
    while stack and len(visited) < MAX_BOOKMARKS:
        entry, depth = stack.pop()
        entry_address = address(entry)
        if not entry_address or entry_address in visited:  # a damaged outline may have cycles
            continue
        visited.add(entry_address)
        page = _page(document, entry)
        title = _title(entry)
        if page and title:
            outline.append(Bookmark(title, depth, page))
        stack.append((_next_bookmark(document, entry, first=False), depth))
        if depth < MAX_DEPTH:  # pushed last: children come before the next sibling
            stack.append((_next_bookmark(document, entry, first=True), depth + 1))
    return outline


def depths_by_page(entries: list[Bookmark]) -> dict[int, dict[str, int]]:
    """Return, for each page number, the depths of its bookmarks by folded title."""
    pages: dict[int, dict[str, int]] = {}
    for entry in entries:
        pages.setdefault(entry.page, {}).setdefault(fold_title(entry.title), entry.depth)
    return pages


def outlined_title(text: str, outline: Mapping[str, int]) -> str | None:
    """Return the folded title by which an outline names a text, also without its section number; None if none does."""
    titles = (fold_title(text), fold_title(without_section_number(text)))
    return next((title for title in titles if title in outline), None)


def fold_title(text: str) -> str:
    """Return the letters and digits of a text, case-folded, to compare titles."""
    return "".join(_folded(text))


def _folded(text: str) -> Iterator[str]:
    return (character for character in text.casefold() if character.isalnum())


def _next_bookmark(document: Handle, entry: Handle, *, first: bool) -> Handle:
    return (pdfium.FPDFBookmark_GetFirstChild if first else pdfium.FPDFBookmark_GetNextSibling)(document, entry)


def _title(entry: Handle) -> str:
    length = pdfium.FPDFBookmark_GetTitle(entry, None, 0)
    if not 0 < length <= _MAX_TITLE_BYTES:
        return ""
    return " ".join(read_utf16(length, pdfium.FPDFBookmark_GetTitle, entry).split())


def _page(document: Handle, entry: Handle) -> int:
    destination = pdfium.FPDFBookmark_GetDest(document, entry)
    if not destination:
        action = pdfium.FPDFBookmark_GetAction(entry)
        destination = pdfium.FPDFAction_GetDest(document, action) if action else None
    return pdfium.FPDFDest_GetDestPageIndex(document, destination) + 1 if destination else 0


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
    if len(entries) < MIN_LEADER_ROWS or len(entries) < MIN_LEADER_SHARE * (entries[-1] + 1 - entries[0]):
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
