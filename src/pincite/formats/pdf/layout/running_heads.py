"""Running heads and feet: rows at a page's edge that other pages have at the same place."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.formats.pdf.page.words import Line

MARGIN = 0.15
"""Share of the page's height, above and below, in which a running head may stand."""
MOST_ROWS = 4
SAME_PLACE = 3.0
"""Points by which the same head may stand higher or lower on another page (`measured`)."""
LEAST_PAGES = 3
LEAST_SHARE = 0.1
"""Share of the pages seen on which a head must stand (`measured`)."""
LEAST_WHITE = 0.5
"""White (em) between a running head without a number and the text."""
LARGER = 1.15
"""A row that is larger than running text by this factor is no running head."""

_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"^\d{1,4}(?=\s|$)|(?<=\s)\d{1,4}$")
_ROMAN = re.compile(r"^[ivxlc]{1,7}\b|\b[ivxlc]{1,7}$")


@dataclass(frozen=True, slots=True)
class Edge:
    """A row at a page's edge.

    Attributes:
        key: Its text, numbers as `#`.
        distance: From the edge of the page, in points.
        top: Whether it is the upper edge.
        size: Font size.
        row: Its number in the page's rows.
        ahead: By how much the number at its beginning or end is ahead of the page's; None without such a number.
    """

    key: str
    distance: float
    top: bool
    size: float
    row: int
    ahead: int | None = None


@dataclass(frozen=True, slots=True)
class Heads:
    """Numbers of a page's rows that are running heads and feet."""

    header: tuple[int, ...] = ()
    footer: tuple[int, ...] = ()


def edges(rows: Sequence[Line], number: int, height: float) -> tuple[Edge, ...]:
    """The rows at a page's edges, the outermost first.

    Args:
        rows: The page's visual lines from the top.
        number: Of the page, from 1.
        height: Of the page, in points.
    """
    upper = [row for row in range(min(MOST_ROWS, len(rows))) if rows[row].y1 <= MARGIN * height]
    below = range(len(rows) - 1, max(len(rows) - 1 - MOST_ROWS, -1), -1)
    lower = [row for row in below if rows[row].y0 >= (1 - MARGIN) * height]
    return (*(_edge(rows, row, number, None) for row in upper), *(_edge(rows, row, number, height) for row in lower))


def _edge(rows: Sequence[Line], row: int, number: int, height: float | None) -> Edge:
    """A row at the upper edge, or at the lower one of a page of this height."""
    line = rows[row]
    distance = line.y0 if height is None else height - line.y1
    printed = _PAGE_NUMBER.search(line.text)
    ahead = int(printed[0]) - number if printed else None
    return Edge(_key(line.text), distance, height is None, line.size, row, ahead)


def running_heads(rows: Sequence[Line], own: Sequence[Edge], others: Iterable[Sequence[Edge]], body: float) -> Heads:
    """Which rows of a page are running heads and feet.

    From the edge inwards, as long as a row stands on enough other pages; white parts them from the text.

    Args:
        rows: The page's visual lines from the top.
        own: The page's edges.
        others: Those of the pages near it, and of others.
        body: Font size of running text.
    """
    known = list(others)
    found: dict[bool, list[int]] = {True: [], False: []}
    ended: set[bool] = set()
    for edge in own:
        if edge.top in ended:
            continue
        if edge.size <= LARGER * body and _is_running(edge, known):
            found[edge.top].append(edge.row)
        else:
            ended.add(edge.top)
    return Heads(tuple(_parted(rows, found[True], 1)), tuple(sorted(_parted(rows, found[False], -1))))


def _parted(rows: Sequence[Line], heads: list[int], inwards: int) -> list[int]:
    """Heads from the edge inwards without those that the text follows at the distance of its own lines."""
    while heads and 0 <= heads[-1] + inwards < len(rows) and not _NUMBER.search(rows[heads[-1]].text):
        head, following = rows[heads[-1]], rows[heads[-1] + inwards]
        if max(following.y0 - head.y1, head.y0 - following.y1) > LEAST_WHITE * head.size:
            break
        heads = heads[:-1]
    return heads


def _is_running(edge: Edge, others: Sequence[Sequence[Edge]]) -> bool:
    pages = 1 + sum(any(_same(edge, other) for other in page) for page in others)
    if edge.key == "#":
        return pages > 1
    if edge.ahead is not None:
        counted = sum(any(_counts_on(edge, other) for other in page) for page in others)
        if counted >= LEAST_PAGES:
            return True
    return pages >= max(LEAST_PAGES, LEAST_SHARE * (len(others) + 1))


def _counts_on(edge: Edge, other: Edge) -> bool:
    """Whether two rows at one place have numbers that rise with the pages; their text may change with the chapter."""
    return edge.top == other.top and edge.ahead == other.ahead and abs(edge.distance - other.distance) <= SAME_PLACE


def _same(edge: Edge, other: Edge) -> bool:
    return (
        edge.top == other.top
        and edge.key == other.key
        and abs(edge.distance - other.distance) <= SAME_PLACE
        and abs(edge.size - other.size) <= 1
    )


def _key(text: str) -> str:
    return _ROMAN.sub("#", _NUMBER.sub("#", text.lower()))
