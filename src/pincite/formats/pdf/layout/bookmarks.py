"""A document's own outline (its bookmarks): titles with page and depth."""

from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import Handle
from pincite.formats.pdf.page.pdfium import address, read_utf16

MOST = 20_000
"""Bookmarks that are read."""
DEEPEST = 32
_LONGEST = 4096


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline.

    Attributes:
        depth: From 1.
        page: From 1.
    """

    title: str
    depth: int
    page: int


def bookmarks(document: Handle) -> list[Bookmark]:
    """The outline, in its order; without entries that lead nowhere."""
    found: list[Bookmark] = []
    seen: set[int] = set()
    stack = [(_following(document, None, first=True), 1)]
    while stack and len(seen) < MOST:
        entry, depth = stack.pop()
        place = address(entry)
        if not place or place in seen:
            continue
        seen.add(place)
        page = _page(document, entry)
        title = _title(entry)
        if page and title:
            found.append(Bookmark(title, depth, page))
        stack.append((_following(document, entry, first=False), depth))
        if depth < DEEPEST:
            stack.append((_following(document, entry, first=True), depth + 1))
    return found


def by_page(entries: list[Bookmark]) -> dict[int, dict[str, int]]:
    """Depth by folded title, for each page."""
    pages: dict[int, dict[str, int]] = {}
    for entry in entries:
        pages.setdefault(entry.page, {}).setdefault(folded(entry.title), entry.depth)
    return pages


def folded(text: str) -> str:
    """Letters and digits of a text, without their case."""
    return "".join(_folded(text))


def _folded(text: str) -> Iterator[str]:
    return (character for character in text.casefold() if character.isalnum())


def _following(document: Handle, entry: Handle, *, first: bool) -> Handle:
    return (pdfium.FPDFBookmark_GetFirstChild if first else pdfium.FPDFBookmark_GetNextSibling)(document, entry)


def _title(entry: Handle) -> str:
    length = pdfium.FPDFBookmark_GetTitle(entry, None, 0)
    if not 0 < length <= _LONGEST:
        return ""
    return " ".join(read_utf16(length, pdfium.FPDFBookmark_GetTitle, entry).split())


def _page(document: Handle, entry: Handle) -> int:
    place = pdfium.FPDFBookmark_GetDest(document, entry)
    if not place:
        action = pdfium.FPDFBookmark_GetAction(entry)
        place = pdfium.FPDFAction_GetDest(document, action) if action else None
    return pdfium.FPDFDest_GetDestPageIndex(document, place) + 1 if place else 0
