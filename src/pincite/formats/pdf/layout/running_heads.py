"""Running heads and feet: rows at a page's edge that other pages repeat at the same position."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import attrgetter

from pincite.formats.pdf.page.words import Line, parts_of
from pincite.formats.pdf.tables.segments import is_aligned

MARGIN_SHARE = 0.15
"""Share of the page's height, at top and bottom, in which running heads are sought."""
MAX_EDGE_ROWS = 4
"""Rows at each edge that may be running heads."""
MAX_SHIFT_PT = 3.0
"""Vertical shift of a head between pages. Without this and the size test, 14 repeated headings of ASVS were dropped."""
MIN_PAGES = 3
MIN_PAGE_SHARE = 0.1
"""Number and share of the compared pages that must repeat a head; a share, because heads change with the chapter."""
MAX_MARGIN_PT = 48.0
"""Distance from the edge of a row that is a head if both pages of a file of two have it: titles are below it."""
MAX_PRINTER_MARGIN_PT = 18.0
"""Distance from the edge, a quarter of an inch, within which a row of all pages is a head however large."""
MIN_SLOT_SHARE, MIN_SLOT_REPEATS = 0.5, 0.5
"""Share of the compared pages with a row at one position, and of these rows those whose text another page repeats, from
which the position is that of running heads: heads of short chapters are on too few pages to be found by their text."""
MIN_TITLE_SIZE_RATIO = 1.1
"""Size of a title, which heads repeat, relative to that of most rows; bold ones may be smaller."""
MIN_BARE_SHARE = 0.5
"""Share of the pages with a row from which it is content, if they have no other text: a head has a page below it."""
MIN_SPACE_EM = 0.5
"""Space between a running head without a page number and the body text."""
MIN_NUMBER_GAP_EM = 1.0
"""Space behind a page number at the start of a row; less is behind the number of a section."""
MIN_SIDES_GAP_EM = 2.0
"""Space between the sides of a head, as of the chapter and the section: one of them may change on each page."""
MIN_SIDES_SPACE_EM = 1.0
"""Space between such a head and the body text; rows of a table are nearer to each other."""
MAX_OFFSET_EM = 0.5
"""By how much the edges, or the middles, of the name of a column and of a cell below it differ."""
MIN_SIDE_LETTERS = 4
"""Letters of a side that is compared by itself."""
MAX_SIZE_RATIO = 1.15
"""Font size of a running head relative to body text; larger rows are headings, unless most pages have the same."""
MIN_LARGE_PAGES, MIN_LARGE_SHARE = 6, 0.6
"""Number and share of the compared pages that must repeat a larger head, as in a banner."""

_KEY, _OFFSET, _TEXT = attrgetter("key"), attrgetter("page_offset"), attrgetter("text")
"""Fields of `EdgeRow`."""
_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"(?:[A-Z]{1,2}-)?(\d{1,4})")
"""Page number, also that of an appendix: `A-31`."""
_NUMBER_ONLY = re.compile(r"(?:page|seite|p|s|of|von|[a-z]{1,2}(?=-#)|[#\W])+")
"""Comparison key of a row with nothing but a page number."""
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
        page_offset: Difference of the page number at its start or end and the page's own; None without one.
        sides: Keys of what is left and what is right of its one wide gap; none with more, or close to other rows.
        centre: Middle of the row, in points from the left.
        font: Font of all its words, if it is not bold and not that of most rows of the page; else empty.
        is_inside: True for a page number below the last row of a page that is not full, as filings print it.
        text: Its text.
    """

    key: str
    distance: float
    top: bool
    size: float
    row: int
    page_offset: int | None = None
    sides: tuple[str, ...] = ()
    centre: float = 0.0
    font: str = ""
    is_inside: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class PageEdges:
    """The rows at a page's edges.

    Attributes:
        rows: The outermost first, those at the top before those at the bottom.
        is_bare: True if the page has no other rows.
        is_number: True if its page number is all that the page has.
        titles: Sizes of its rows in bold or larger type, by key; bold ones have no limit.
    """

    rows: tuple[EdgeRow, ...] = ()
    is_bare: bool = False
    is_number: bool = False
    titles: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class RunningHeads:
    """Indices of a page's rows that are running heads and feet."""

    header: tuple[int, ...] = ()
    footer: tuple[int, ...] = ()


def page_edges(rows: Sequence[Line], number: int, height: float) -> PageEdges:
    """Return the rows at a page's edges.

    Args:
        rows: Visual lines of the page, from the top.
        number: Page number from 1.
        height: Page height in points.
    """
    upper = [row for row in range(min(MAX_EDGE_ROWS, len(rows))) if rows[row].y1 <= MARGIN_SHARE * height]
    below = range(len(rows) - 1, max(len(rows) - 1 - MAX_EDGE_ROWS, -1), -1)
    lower = [row for row in below if rows[row].y0 >= (1 - MARGIN_SHARE) * height]
    body_font = _body_font(rows)
    edges = [_edge_row(rows, row, number, None, body_font) for row in upper]
    edges += [_edge_row(rows, row, number, height, body_font) for row in lower]
    if rows and not lower and len(rows) - 1 not in upper:
        last = replace(_edge_row(rows, len(rows) - 1, number, height, body_font), is_inside=True)
        if last.page_offset is not None and _NUMBER_ONLY.fullmatch(last.key):
            edges.append(last)
    is_number = len(rows) == 1 == len(edges) and _NUMBER_ONLY.fullmatch(edges[0].key) is not None
    return PageEdges(tuple(edges), {*upper, *lower} == set(range(len(rows))), is_number, dict(_titles(rows)))


def _titles(rows: Sequence[Line]) -> Iterator[tuple[str, float]]:
    sizes = Counter(row.size for row in rows)
    body_size = max(sizes, key=lambda size: sizes[size], default=0.0)
    for row in rows:
        is_bold = row.words[0].bold
        if is_bold or row.size >= MIN_TITLE_SIZE_RATIO * body_size:
            key = _comparison_key(row.text)
            if sum(map(str.isalpha, key)) >= MIN_SIDE_LETTERS:
                yield key, math.inf if is_bold else row.size


def _body_font(rows: Sequence[Line]) -> str:
    """Return the font with which most rows begin."""
    fonts = Counter(row.words[0].font for row in rows)
    return max(fonts, key=lambda font: fonts[font], default="")


def _edge_row(rows: Sequence[Line], row: int, number: int, height: float | None, body_font: str) -> EdgeRow:
    """Describe a row at the upper edge, or with a `height` at the lower edge."""
    line = rows[row]
    fonts = {word.font for word in line.words}
    is_apart = len(fonts) == 1 and body_font not in fonts and not line.words[0].bold
    distance = line.y0 if height is None else height - line.y1
    return EdgeRow(
        _comparison_key(line.text),
        distance,
        height is None,
        line.size,
        row,
        _page_offset(line, number),
        _sides(rows, row, is_top=height is None),
        (line.x0 + line.x1) / 2,
        line.words[0].font if is_apart else "",
        text=line.text,
    )


def _page_offset(line: Line, number: int) -> int | None:
    first, last = line.words[0], line.words[-1]
    is_apart = first is last or line.words[1].x0 - first.x1 >= MIN_NUMBER_GAP_EM * line.size
    printed = (is_apart and _PAGE_NUMBER.fullmatch(first.text)) or _PAGE_NUMBER.fullmatch(last.text)
    return int(printed[1]) - number if printed else None


def _sides(rows: Sequence[Line], row: int, *, is_top: bool) -> tuple[str, ...]:
    line, inwards = rows[row], row + 1 if is_top else row - 1
    if 0 <= inwards < len(rows):
        following = rows[inwards]
        if max(following.y0 - line.y1, line.y0 - following.y1) < MIN_SIDES_SPACE_EM * line.size:
            return ()
    gaps = enumerate(after.x0 - before.x1 for before, after in pairwise(line.words))
    wide = [place for place, gap in gaps if gap >= MIN_SIDES_GAP_EM * line.size]
    if len(wide) != 1:
        return ()
    middle = wide[0] + 1
    sides = (line.words[:middle], line.words[middle:])
    return tuple(_comparison_key(" ".join(word.text for word in words)) for words in sides)


def running_heads(
    rows: Sequence[Line], own: PageEdges, others: Iterable[PageEdges], body: float, *, is_first: bool = False
) -> RunningHeads:
    """Detect running heads and feet, from the edge inwards until a row is not repeated on enough pages.

    Args:
        rows: Visual lines of the page, from the top.
        own: Edge rows of the page.
        others: Edge rows of the pages around it and of the surveyed pages.
        body: Font size of body text, in points.
        is_first: True for the first page, whose large rows are titles although other pages repeat them.
    """
    other_pages = list(others)
    if own.is_number and sum(page.is_number for page in other_pages) >= MIN_BARE_SHARE * len(other_pages):
        return RunningHeads()
    head_rows: dict[bool, list[int]] = {True: [], False: []}
    finished: set[bool] = set()
    for edge in own.rows:
        if edge.top in finished:
            continue
        is_large = edge.size > MAX_SIZE_RATIO * body
        is_title = edge.row == 0 and not is_large and _repeats_title(edge, rows[0], (own, *other_pages))
        is_head = _is_banner(edge, other_pages, is_first=is_first) if is_large else _is_running(edge, other_pages)
        # The first page keeps what no third page proves to be a head.
        is_repeated = not is_first and edge.size <= body and _is_on_both(edge, other_pages)
        if is_title or is_head or is_repeated:
            head_rows[edge.top].append(edge.row)
        else:
            finished.add(edge.top)
    header, footer = _drop_body_rows(rows, head_rows[True], 1), _drop_body_rows(rows, head_rows[False], -1)
    if own.is_bare and len({*header, *footer}) == len(rows):
        content = {edge.row for edge in own.rows if _is_content(edge, other_pages)}
        header, footer = ([row for row in part if row not in content] for part in (header, footer))
    return RunningHeads(tuple(header), tuple(sorted(footer)))


def _is_content(edge: EdgeRow, others: Sequence[PageEdges]) -> bool:
    """Return True if a row is repeated, or has a rising page number, mostly on pages without other text.

    A page number alone is no content.
    """
    if _NUMBER_ONLY.fullmatch(edge.key):
        return False
    is_numbered = edge.page_offset is not None
    with_row = [
        page
        for page in others
        if any(_is_same_head(edge, other) or (is_numbered and _has_same_offset(edge, other)) for other in page.rows)
    ]
    return sum(page.is_bare for page in with_row) >= MIN_BARE_SHARE * len(with_row)


def _drop_body_rows(rows: Sequence[Line], heads: list[int], inwards: int) -> list[int]:
    """Drop the innermost heads that body text, or a row whose columns they name, follows; numbered ones stay."""
    while heads and 0 <= heads[-1] + inwards < len(rows) and not _NUMBER.search(rows[heads[-1]].text):
        head, following = rows[heads[-1]], rows[heads[-1] + inwards]
        least = MIN_SIDES_SPACE_EM if _names_columns(head, following) else MIN_SPACE_EM
        if max(following.y0 - head.y1, head.y0 - following.y1) > least * head.size:
            break
        heads = heads[:-1]
    return heads


def _names_columns(head: Line, row: Line) -> bool:
    """Return True if a head has several parts, each above one of a row: a table that goes on repeats its header."""
    names, cells = parts_of(head.words, MIN_NUMBER_GAP_EM), parts_of(row.words, MIN_NUMBER_GAP_EM)
    limit = MAX_OFFSET_EM * head.size
    return len(names) > 1 and all(any(is_aligned(name, cell, limit) for cell in cells) for name in names)


def _is_running(edge: EdgeRow, others: Sequence[PageEdges]) -> bool:
    if edge.key == "#" and not edge.is_inside:  # a page number alone needs one other page
        return _count_pages(edge, others, _KEY, _is_same_head) > 0
    # A head with a rising page number may change its text with the chapter.
    if edge.page_offset is not None and _count_pages(edge, others, _OFFSET, _has_same_offset) >= MIN_PAGES:
        return True
    if edge.is_inside:
        return False
    pages = 1 + _count_pages(edge, others, _KEY, _is_same_head)
    if pages >= max(MIN_PAGES, MIN_PAGE_SHARE * (len(others) + 1)):
        return True
    return _is_slot_of_heads(edge, others, is_repeated=pages > 1)


def _count_pages(
    edge: EdgeRow,
    others: Iterable[PageEdges],
    field_of: Callable[[EdgeRow], object],
    is_same: Callable[[EdgeRow, EdgeRow], bool],
) -> int:
    """Return the number of other pages that have a row like one.

    Args:
        edge: The row.
        others: The other pages.
        field_of: What like rows share. It is compared first: other pages have hundreds of rows, and most differ in it.
        is_same: Returns True for like rows.
    """
    own = field_of(edge)
    return len(
        {
            number
            for number, page in enumerate(others)
            for other in page.rows
            if field_of(other) == own and is_same(edge, other)
        }
    )


def _is_on_both(edge: EdgeRow, others: Sequence[PageEdges]) -> bool:
    """Return True for a row in the margin if there is one other page, which has the same row at the same place."""
    return (
        edge.distance <= MAX_MARGIN_PT
        and len(others) == 1
        and any(
            _is_same_head(edge, other) and abs(edge.centre - other.centre) <= MAX_SHIFT_PT for other in others[0].rows
        )
    )


def _repeats_title(edge: EdgeRow, row: Line, pages: Iterable[PageEdges]) -> bool:
    """Return True for the first row of a page, if it or one side of it is a title in smaller type, or not in bold."""
    if not edge.top or any(word.bold for word in row.words):
        return False
    size, keys = MIN_TITLE_SIZE_RATIO * edge.size, (edge.key, *edge.sides)
    return any(page.titles.get(key, 0) >= size for page in pages for key in keys)


def _is_banner(edge: EdgeRow, others: Sequence[PageEdges], *, is_first: bool) -> bool:
    """Return True if a row that is larger than the text is the same on most pages, or the number of the page alone.

    The first page keeps it, unless it is in the margin of all pages. `Part 1` and `Part 2` are headings.
    """
    if edge.distance <= MAX_PRINTER_MARGIN_PT:
        pages = 1 + _count_pages(edge, others, _KEY, _is_same_head)
        if pages == len(others) + 1 >= MIN_PAGES:
            return True
    if is_first:
        return False
    if edge.page_offset is not None and _NUMBER_ONLY.fullmatch(edge.key):
        return _count_pages(edge, others, _OFFSET, _has_same_offset) >= MIN_PAGES
    pages = 1 + _count_pages(edge, others, _TEXT, _is_same_head)
    return pages >= max(MIN_LARGE_PAGES, MIN_LARGE_SHARE * (len(others) + 1))


def _is_slot_of_heads(edge: EdgeRow, others: Sequence[PageEdges], *, is_repeated: bool) -> bool:
    """Return True if most pages have a row at the position of this one, and most of these rows are repeated.

    A row that is not repeated itself is a head if it has two sides, and most pages have such a row of which a side is,
    or if most pages have a row there in its font, which is not that of the text.
    """
    rows = [other for page in others for other in page.rows if _is_at_same_position(edge, other)]
    if edge.font and sum(row.font == edge.font for row in rows) >= max(MIN_PAGES, MIN_SLOT_SHARE * len(others)):
        return True
    if not is_repeated:
        rows = [row for row in rows if row.sides] if edge.sides else []
    if len(rows) < max(MIN_PAGES, MIN_SLOT_SHARE * len(others)):
        return False
    keys = [(row.key,) if is_repeated else _names(row.sides) for row in rows]
    uses = Counter(key for own in keys for key in own)
    return sum(any(uses[key] > 1 for key in own) for own in keys) >= MIN_SLOT_REPEATS * len(rows)


def _names(sides: Sequence[str]) -> list[str]:
    return [side for side in sides if sum(map(str.isalpha, side)) >= MIN_SIDE_LETTERS]


def _has_same_offset(edge: EdgeRow, other: EdgeRow) -> bool:
    """Return True if two rows at one position have page numbers with the same offset; their text may differ."""
    if edge.top != other.top or edge.page_offset != other.page_offset:
        return False
    if edge.is_inside or (other.is_inside and _NUMBER_ONLY.fullmatch(edge.key)):
        return edge.key == other.key and abs(edge.centre - other.centre) <= MAX_SHIFT_PT
    return abs(edge.distance - other.distance) <= MAX_SHIFT_PT


def _is_same_head(edge: EdgeRow, other: EdgeRow) -> bool:
    return edge.key == other.key and _is_at_same_position(edge, other)


def _is_at_same_position(edge: EdgeRow, other: EdgeRow) -> bool:
    return (
        edge.top == other.top
        and abs(edge.distance - other.distance) <= MAX_SHIFT_PT
        and abs(edge.size - other.size) <= 1
    )


def _comparison_key(text: str) -> str:
    return _ROMAN.sub("#", _NUMBER.sub("#", text.lower()))
