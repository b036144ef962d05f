"""Headers of tables that go on over several pages: repeated at the top of each, as running heads are."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tables.edges import is_aligned
from pincite.formats.pdf.tables.spanned_names import segments_of

MIN_NAMES, MIN_NAMES_SHARE = 3, 0.6
"""Names of a header that are in line with cells, and their share of all: some columns have no text in a few rows. The
two sides of a running head may be in line with the edges of a table by chance."""
MAX_ROWS = 8
"""Rows below that are compared with a header: the first line of some has one cell."""
MAX_GAP_EM = 1.5
"""White between a header and the first row, and between rows."""
EDGE_TOLERANCE_PT = 1.0
"""Distance of edges or middles that counts as none."""


def is_table_header(row: Line, below: Sequence[Line]) -> bool:
    """Return True if most names of a row, and three or more, are in line with cells of the rows close below it."""
    names = segments_of(row)
    if len(names) < MIN_NAMES:
        return False
    cells = [cell for line in _close_rows(row, below) for cell in segments_of(line)]
    aligned = sum(any(is_aligned(name, cell, EDGE_TOLERANCE_PT) for cell in cells) for name in names)
    return aligned >= max(MIN_NAMES, MIN_NAMES_SHARE * len(names))


def _close_rows(row: Line, below: Sequence[Line]) -> Iterator[Line]:
    for above, line in pairwise([row, *below[:MAX_ROWS]]):
        if line.y0 - above.y1 > MAX_GAP_EM * row.size:
            return
        yield line
