"""Running heads and feet: rows at a page's edge that other pages repeat at the same position."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.formats.pdf.page.words import Line

MARGIN_SHARE = 0.15
"""Share of the page's height, at top and bottom, in which running heads are sought."""
MAX_EDGE_ROWS = 4
"""Rows at each edge that may be running heads."""
MAX_SHIFT_PT = 3.0
"""Vertical shift of a head between pages. Without this and the size test, 14 repeated headings of ASVS were dropped."""
MIN_PAGES = 3
MIN_PAGE_SHARE = 0.1
"""Number and share of the compared pages that must repeat a head; a share, because heads change with the chapter."""
MIN_SPACE_EM = 0.5
"""Space between a running head without a number and the body text."""
MAX_SIZE_RATIO = 1.15
"""Font size of a running head relative to body text; larger rows are headings."""

_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"^\d{1,4}(?=\s|$)|(?<=\s)\d{1,4}$")
"""Printed page number at the start or end of a row."""
_ROMAN = re.compile(r"^[ivxlc]{1,7}\b|\b[ivxlc]{1,7}$")
"""Roman page number at the start or end of a row."""


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """A row at a page's edge.

    Attributes:
        key: Text in lower case, with numbers as `#`, to compare pages.
        distance: Distance from the edge of the page, in points.
        top: True for the upper edge.
        size: Font size in points.
        row: Index in the page's rows.
        page_offset: Difference of the printed number at its start or end and the page number; None without one.
    """

    key: str
    distance: float
    top: bool
    size: float
    row: int
    page_offset: int | None = None


@dataclass(frozen=True, slots=True)
class RunningHeads:
    """Indices of a page's rows that are running heads and feet."""

    header: tuple[int, ...] = ()
    footer: tuple[int, ...] = ()


def edge_rows(rows: Sequence[Line], number: int, height: float) -> tuple[EdgeRow, ...]:
    """Return the rows at a page's edges, the outermost first.

    Args:
        rows: Visual lines of the page, from the top.
        number: Page number from 1.
        height: Page height in points.
    """
    upper = [row for row in range(min(MAX_EDGE_ROWS, len(rows))) if rows[row].y1 <= MARGIN_SHARE * height]
    below = range(len(rows) - 1, max(len(rows) - 1 - MAX_EDGE_ROWS, -1), -1)
    lower = [row for row in below if rows[row].y0 >= (1 - MARGIN_SHARE) * height]
    return (
        *(_edge_row(rows, row, number, None) for row in upper),
        *(_edge_row(rows, row, number, height) for row in lower),
    )


def _edge_row(rows: Sequence[Line], row: int, number: int, height: float | None) -> EdgeRow:
    """Describe a row at the upper edge, or with a `height` at the lower edge."""
    line = rows[row]
    distance = line.y0 if height is None else height - line.y1
    page_number = _PAGE_NUMBER.search(line.text)
    page_offset = int(page_number[0]) - number if page_number else None
    return EdgeRow(_comparison_key(line.text), distance, height is None, line.size, row, page_offset)


def running_heads(
    rows: Sequence[Line], own: Sequence[EdgeRow], others: Iterable[Sequence[EdgeRow]], body: float
) -> RunningHeads:
    """Detect running heads and feet, from the edge inwards until a row is not repeated on enough pages.

    Args:
        rows: Visual lines of the page, from the top.
        own: Edge rows of the page.
        others: Edge rows of the pages around it and of the surveyed pages.
        body: Font size of body text, in points.
    """
    other_pages = list(others)
    head_rows: dict[bool, list[int]] = {True: [], False: []}
    finished: set[bool] = set()
    for edge in own:
        if edge.top in finished:
            continue
        if edge.size <= MAX_SIZE_RATIO * body and _is_running(edge, other_pages):
            head_rows[edge.top].append(edge.row)
        else:
            finished.add(edge.top)
    return RunningHeads(
        tuple(_drop_body_rows(rows, head_rows[True], 1)), tuple(sorted(_drop_body_rows(rows, head_rows[False], -1)))
    )


def _drop_body_rows(rows: Sequence[Line], heads: list[int], inwards: int) -> list[int]:
    """Drop the innermost heads that body text follows without extra space; numbered heads stay."""
    while heads and 0 <= heads[-1] + inwards < len(rows) and not _NUMBER.search(rows[heads[-1]].text):
        head, following = rows[heads[-1]], rows[heads[-1] + inwards]
        if max(following.y0 - head.y1, head.y0 - following.y1) > MIN_SPACE_EM * head.size:
            break
        heads = heads[:-1]
    return heads


def _is_running(edge: EdgeRow, others: Sequence[Sequence[EdgeRow]]) -> bool:
    pages = 1 + sum(any(_is_same_head(edge, other) for other in page) for page in others)
    if edge.key == "#":  # a page number alone needs one other page
        return pages > 1
    if edge.page_offset is not None:
        # A head with a rising page number may change its text with the chapter.
        numbered_pages = sum(any(_has_same_offset(edge, other) for other in page) for page in others)
        if numbered_pages >= MIN_PAGES:
            return True
    return pages >= max(MIN_PAGES, MIN_PAGE_SHARE * (len(others) + 1))


def _has_same_offset(edge: EdgeRow, other: EdgeRow) -> bool:
    """Return True if two rows at one position have page numbers with the same offset; their text may differ."""
    return (
        edge.top == other.top
        and edge.page_offset == other.page_offset
        and abs(edge.distance - other.distance) <= MAX_SHIFT_PT
    )


def _is_same_head(edge: EdgeRow, other: EdgeRow) -> bool:
    return (
        edge.top == other.top
        and edge.key == other.key
        and abs(edge.distance - other.distance) <= MAX_SHIFT_PT
        and abs(edge.size - other.size) <= 1
    )


def _comparison_key(text: str) -> str:
    return _ROMAN.sub("#", _NUMBER.sub("#", text.lower()))
