"""The outline of a document: bookmarks with title, page and depth."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.markers import without_section_number
from pincite.formats.pdf.page.pdfium import Handle, address, read_utf16

MAX_BOOKMARKS = 20_000
"""Bookmarks read; a crafted outline may be endless."""
MAX_DEPTH = 32
"""Depth of bookmarks read."""
_MAX_TITLE_BYTES = 4096
"""Length of a title in UTF-16 as pdfium returns it."""


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
