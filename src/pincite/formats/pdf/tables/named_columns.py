"""Columns that the header tells where a text of the body leaves less white beside it than columns have."""

from collections.abc import Sequence
from itertools import pairwise

from pincite.formats.pdf.page.words import Line, Word
from pincite.formats.pdf.tables.segments import ALIGN_TOLERANCE_EM, is_number

MIN_NAME_GAP_EM = 0.45
"""White between two names; a space in a justified line is up to 0.4 em wide."""
MIN_ALIGNED_LINES = 2
"""Lines of the body at the edge of a name."""
Interval = tuple[float, float]


def parted_by_names(columns: Sequence[Interval], header: Sequence[Line], body: Sequence[Line]) -> list[Interval]:
    """Return columns, parted where all texts below a name of the header share its edge.

    Args:
        columns: Columns by the white down all lines, from the left.
        header: Lines of the header.
        body: Lines below it.
    """
    parted = list(columns)
    for name in (name for line in header for name in names_of(line.words)[1:]):
        left, right = name[0].x0, name[-1].x1
        number = next((n for n, (start, end) in enumerate(parted) if start < left and right <= end), -1)
        if number >= 0:
            words = [_inside(line, parted[number]) for line in (*header, *body)]
            parted[number : number + 1] = _parted(parted[number], name, words[: len(header)], words[len(header) :])
    return parted


def names_of(words: Sequence[Word], least: float = MIN_NAME_GAP_EM) -> list[list[Word]]:
    """Return the words of a header's line, parted where the white is more than a space: at least so many em."""
    names = [[words[0]]]
    for one, other in pairwise(words):
        if other.x0 - one.x1 >= least * one.size:
            names.append([])
        names[-1].append(other)
    return names


def _inside(line: Line, column: Interval) -> list[Word]:
    return [word for word in line.words if word.x1 > column[0] and word.x0 < column[1]]


def _parted(
    column: Interval, name: Sequence[Word], header: Sequence[Sequence[Word]], body: Sequence[Sequence[Word]]
) -> list[Interval]:
    """Return a column in two, the second of which begins with a name; unparted if no white is between them."""
    limit = ALIGN_TOLERANCE_EM * name[0].size
    edge = min(name[0].x0, _first_edge(name, body, limit))
    before = max((word.x1 for words in (*header, *body) for word in words if word.x0 < edge - limit), default=None)
    # A text may end right where the next one begins.
    if before is None or before > edge + limit / 2:
        return [column]
    return [(column[0], min(before, edge)), (edge, column[1])]


def _first_edge(name: Sequence[Word], body: Sequence[Sequence[Word]], limit: float) -> float:
    """Return the left edge of the texts that begin below the start of a name, or of numbers that end below its end."""
    rights = [[word for word in words if word.x1 > name[0].x0 + limit] for words in body]
    firsts = [words[0].x0 for words in rights if words]
    is_shared = len(firsts) >= MIN_ALIGNED_LINES and all(abs(x0 - name[0].x0) <= limit for x0 in firsts)
    if is_shared:
        return min(firsts)
    starts = [
        _value_start(words[: number + 1])
        for words in body
        for number, word in enumerate(words)
        if abs(word.x1 - name[-1].x1) <= limit and _is_figure(word.text)
    ]
    return min(starts) if len(starts) >= min(MIN_ALIGNED_LINES, len(body)) else float("-inf")


def _is_figure(text: str) -> bool:
    """Return True for numbers, times and dates in digits."""
    return is_number(text) or (any(map(str.isdigit, text)) and not any(map(str.isalpha, text)))


def _value_start(words: Sequence[Word]) -> float:
    """Return the left edge of the value that ends with the last word: `37.6 ± 5.2`."""
    first = len(words) - 1
    while first and words[first].x0 - words[first - 1].x1 < MIN_NAME_GAP_EM * words[first].size:
        if any(map(str.isalpha, words[first - 1].text)):
            break
        first -= 1
    return words[first].x0
