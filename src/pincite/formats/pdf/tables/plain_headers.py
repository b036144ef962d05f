"""Tables without any rule below a header in plain type: their type is smaller than that of the text around them."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

from pincite.formats.pdf.page.words import Line, Word
from pincite.formats.pdf.tables.bands import MAX_ROW_GAP_EM, Band, bands_below_header
from pincite.formats.pdf.tables.edges import is_aligned
from pincite.formats.pdf.tables.segments import ALIGN_TOLERANCE_EM
from pincite.formats.pdf.tables.spanned_names import MAX_HEADER_STEP_EM, segments_of
from pincite.formats.pdf.tables.styled_headers import (
    ALIGNED_ROWS,
    MAX_ALIGNED_ROWS,
    MIN_BOLD_NAMES,
    are_aligned,
    are_columns_of_prose,
)
from pincite.formats.pdf.tables.table_rows import MIN_PROSE_WORDS

MAX_SIZE_RATIO = 0.95
"""Font size of such a table, relative to the page's text; as large ones may be lists with labels."""
MIN_ALIGNED_SHARE = 0.75
"""Share of lines whose texts are all at an edge or the middle of a name; some begin with a blank."""
SIZE_TOLERANCE_RATIO = 1.03
"""Font size of a row relative to the header's."""
MIN_TEXT_LINES = 3
"""Lines of running text whose size is that of the page's text."""
MAX_NAME_WORDS = 4
"""Words of a column's name."""
NUMBER_SIGNS = ("#", "\N{NUMERO SIGN}")
"""Names of a first column without letters."""
MAX_HEADERS = 40
"""Lines that may be headers of a page, below each of which lines are compared."""


def bands_below_plain(lines: Sequence[Line]) -> Iterator[list[Band]]:
    """Yield the bands of tables in small type whose header is plain, with rows at its edges.

    Args:
        lines: Visual lines of a page or of one of its columns, from the top.
    """
    largest = MAX_SIZE_RATIO * _text_size(lines)
    small = [number for number, line in enumerate(lines[:-1]) if line.size <= largest and _are_names(line)]
    right = max((line.x1 for line in lines), default=0.0)
    bottom = float("-inf")
    for number in small[:MAX_HEADERS]:
        header = lines[number]
        is_first = header.y0 > bottom and not (number and _is_row_above(lines[number - 1], header))
        rows = _rows_below(lines, number) if is_first else []
        if not _are_rows(header, rows):
            continue
        edge = (header.y1 + max(header.y1, rows[0].y0)) / 2
        bands = bands_below_header(lines, min(part.x0 for part in (header, *rows)) - 1, right + 1, edge, [])
        if bands and len(bands[1].lines) >= ALIGNED_ROWS and not are_columns_of_prose(bands[1].lines):
            yield [Band(header.y0, edge, (bands[0].lines[-1],)), bands[1]]
            bottom = bands[1].bottom


def _text_size(lines: Sequence[Line]) -> float:
    """Return the largest font size that several lines of running text have; 0 without any."""
    sizes = Counter(round(line.size, 1) for line in lines if len(line.words) >= MIN_PROSE_WORDS)
    return max((size for size, count in sizes.items() if count >= MIN_TEXT_LINES), default=0.0)


def _are_names(line: Line) -> bool:
    """Return True if a line is of two or more short texts with capitals or signs, as names of columns are."""
    names = segments_of(line)
    first = names[0][0].text
    if len(names) < MIN_BOLD_NAMES or not (any(map(str.isalpha, first)) or first in NUMBER_SIGNS):
        return False
    return all(map(_is_name, names)) and all(any(map(str.isalnum, name[0].text)) for name in names[1:])


def _is_name(words: Sequence[Word]) -> bool:
    return len(words) <= MAX_NAME_WORDS and not words[0].text[0].islower() and words[-1].text[-1] not in ".,;:"


def _is_row_above(line: Line, header: Line) -> bool:
    """Return True if a line above a header is another row of its columns: a header is the first one."""
    is_near = header.y0 - line.y1 <= MAX_ROW_GAP_EM * header.size
    return is_near and len(segments_of(line)) > 1 and are_aligned(line, segments_of(header))


def _rows_below(lines: Sequence[Line], number: int) -> list[Line]:
    """Return the lines below a header, in its type and in its columns, most of them at edges of its names."""
    header = lines[number]
    names = segments_of(header)
    rows: list[Line] = []
    aligned = 0
    for line in lines[number + 1 : number + 1 + MAX_ALIGNED_ROWS]:
        if line.size > SIZE_TOLERANCE_RATIO * header.size:
            break
        aligned += are_aligned(line, names)
        if aligned + 1 < MIN_ALIGNED_SHARE * (len(rows) + 1) or not _are_in_columns(line, names):
            break
        rows.append(line)
    return rows


def _are_in_columns(line: Line, names: Sequence[Sequence[Word]]) -> bool:
    """Return True if no text of a line goes on in the next column, except one at an edge or the middle of its name."""
    limit = ALIGN_TOLERANCE_EM * line.size
    starts = [name[0].x0 - limit for name in names]
    return all(
        bisect_right(starts, part[0].x0) == bisect_right(starts, part[-1].x1)
        or any(is_aligned(part, name, limit) for name in names)
        for part in segments_of(line)
    )


def _are_rows(header: Line, rows: Sequence[Line]) -> bool:
    """Return True if lines close below a header have several segments, and some a label in the first column."""
    if len(rows) < ALIGNED_ROWS or rows[0].y0 - header.y1 > MAX_HEADER_STEP_EM * header.size:
        return False
    edge = segments_of(header)[1][0].x0 - header.size
    several = [row for row in rows if len(segments_of(row)) > 1]
    return rows[0].x0 <= edge and sum(row.x0 <= edge for row in several) >= MIN_BOLD_NAMES
