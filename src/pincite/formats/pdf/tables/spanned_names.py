"""Names of columns in a line, and the phrases of a line above them: each spans the names it is in the middle of."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from pincite.formats.pdf.page.words import Line, Word, line_of, parts_of
from pincite.formats.pdf.tables.header_rows import is_in_line, phrase_groups
from pincite.formats.pdf.tables.ruled import MIN_GUTTER_EM
from pincite.formats.pdf.tables.segments import (
    ALIGN_TOLERANCE_EM,
    is_justified,
    is_note_mark,
    is_number,
    is_year,
)

MIN_NAME_GAP_EM = 0.45
"""White between two names; a space in a justified line is up to 0.4 em wide."""
MIN_ALIGNED_LINES = 2
"""Lines of the body at the edge of a name."""
Interval = tuple[float, float]
MAX_HEADER_STEP_EM = 2.0
"""Distance of a header from the rule below it."""
MIN_SPANNED_COLUMNS, MAX_CENTRE_OFFSET_SHARE = 2, 0.1
"""Columns below a phrase that spans them, and its distance from their middle, as a share of their width."""
MAX_SPANNED_NAMES = 12
"""Names below a phrase, of which it may span some; all runs of them are compared."""


def parted_by_names(columns: Sequence[Interval], header: Sequence[Line], body: Sequence[Line]) -> list[Interval]:
    """Return columns, parted where all texts below a name of the header share its edge.

    Args:
        columns: Columns by the white down all lines, from the left.
        header: Lines of the header.
        body: Lines below it.
    """
    parted = list(columns)
    for name in (name for line in header for name in parts_of(line.words, MIN_NAME_GAP_EM)[1:]):
        left, right = name[0].x0, name[-1].x1
        number = next((n for n, (start, end) in enumerate(parted) if start < left and right <= end), -1)
        if number >= 0:
            words = [_inside(line, parted[number]) for line in (*header, *body)]
            parted[number : number + 1] = _parted(parted[number], name, words[: len(header)], words[len(header) :])
    return parted


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


def spans_columns(line: Line, below: Line) -> bool:
    """Return True if the phrases of a line span names of columns below it, each its own or together all."""
    return spans_each(line, below) or spans_all(line, below)


def spans_each(line: Line, below: Line) -> bool:
    """Return True if each phrase of a line is in the middle of two or more names of columns below it."""
    return all(spanned_names(line_of(phrase), below) is not None for phrase in segments_of(line))


def spans_all(line: Line, below: Line) -> bool:
    """Return True if the phrases of a line, but for the name of the labels at their left, span all names below it."""
    names = segments_of(below)
    has_values = any(map(str.isdigit, below.text))
    return not has_values and bool(grouped_phrases(line, names, [(name[0].x0, name[-1].x1) for name in names]))


def grouped_phrases(
    line: Line, names: Sequence[list[Word]], columns: Sequence[tuple[float, float]]
) -> list[tuple[list[Word], int, int]]:
    """Return the phrases of a line that together span all names below it, each with the first and the end of its own.

    Args:
        line: A line above the names; what is left of all of them is the name of the labels.
        names: The names of columns.
        columns: The edges of their columns.
    """
    phrases = [part for part in segments_of(line) if part[-1].x1 > names[0][0].x0]
    groups = phrase_groups([(part[0].x0, part[-1].x1) for part in phrases], columns)
    for part, (first, end) in zip(phrases, groups, strict=False):
        is_one_year = len(part) == 1 and is_year(part[0].text)
        # The first line of a name is in line with it.
        if end - first > 1 and not is_one_year and any(is_in_line(part, name) for name in names[first:end]):
            return []
    return [(part, first, end) for part, (first, end) in zip(phrases, groups, strict=False)]


def spanned_names(phrase: Line, below: Line) -> tuple[int, int] | None:
    """Return the first of the names that a phrase above them spans, and the one after the last; None if it spans none.

    These are all names, all but those of the labels at the left, or those among which it is best centred. Only a phrase
    and names in bold or italic type span all.
    """
    names = segments_of(below)
    if len(names) < MIN_SPANNED_COLUMNS:
        return None
    words, middle, end = (*phrase.words, *below.words), (phrase.x0 + phrase.x1) / 2, len(names)
    is_styled = are_styled(words)
    # The name of the labels' column may be at the left of those that it spans.
    spans = [(0, end), (1, end)] if end > MIN_SPANNED_COLUMNS else [(0, end)]
    whole = next((span for span in spans if is_styled and _is_spanned(phrase, names, *span)), None)
    if whole is not None or end > MAX_SPANNED_NAMES or phrase.x0 <= names[0][-1].x1:
        return whole
    parts = [(a, b) for a in range(1, end - 1) for b in range(a + MIN_SPANNED_COLUMNS, end + 1)]
    parts = [part for part in parts if _is_spanned(phrase, names, *part)]
    part = min(parts, key=lambda part: abs(middle - _middle(names, *part)), default=None)
    return part if part is None or is_styled or _is_above_part(phrase, below, names, part) else None


def _is_above_part(line: Line, below: Line, names: Sequence[Sequence[Word]], part: tuple[int, int]) -> bool:
    """Return True if a line in plain type is close above some names, and neither a title of all nor a line of one.

    What has digits below it is the second line of a name above a row.
    """
    if any(map(str.isdigit, below.text)):
        return False
    if below.y1 - line.y1 > MAX_HEADER_STEP_EM * below.size or any(is_in_line(line.words, name) for name in names):
        return False
    middle = (line.x0 + line.x1) / 2
    return abs(middle - _middle(names, 0, len(names))) > abs(middle - _middle(names, *part))


def _is_spanned(line: Line, names: Sequence[Sequence[Word]], first: int, end: int) -> bool:
    """Return True if a line is in the middle of some of the names below it."""
    x0, x1 = names[first][0].x0, names[end - 1][-1].x1
    offset = abs((line.x0 + line.x1) / 2 - _middle(names, first, end))
    return x0 < line.x1 and x1 > line.x0 and offset <= MAX_CENTRE_OFFSET_SHARE * (x1 - x0)


def _middle(names: Sequence[Sequence[Word]], first: int, end: int) -> float:
    return (names[first][0].x0 + names[end - 1][-1].x1) / 2


def segments_of(line: Line) -> list[list[Word]]:
    """Return the words of a line, parted where the white between them is as wide as between columns."""
    if is_justified(line.words):
        return [list(line.words)]
    parts = [[line.words[0]]]
    for one, other in pairwise(line.words):
        is_far = other.x0 - one.x1 > MIN_GUTTER_EM * line.size and not is_note_mark(other, one.size)
        if is_far:
            parts.append([])
        parts[-1].append(other)
    return parts


def are_styled(words: Sequence[Word]) -> bool:
    """Return True if all words are bold, or all italic."""
    return are_bold(words) or are_italic(words)


def are_bold(words: Iterable[Word]) -> bool:
    """Return True if all words are in bold type."""
    return all(word.bold for word in words)


def are_italic(words: Iterable[Word]) -> bool:
    """Return True if all words are in italic type."""
    return all(word.italic for word in words)
