"""Rows of a table from its lines, by their distances, the middles of their cells, and labels that wrap."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise

from pincite.formats.pdf.page.hyphens import HYPHENS
from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables.borderless import MIN_LABEL_FILL_SHARE, MIN_LINE_STEP_EM
from pincite.formats.pdf.tables.segments import is_number

MAX_LEADING_RATIO = 1.2
"""Distance of two lines of one cell, relative to the least one."""
CENTRE_TOLERANCE_EM = 0.35
"""Distance of the middles of two cells that counts as none."""
MAX_ROW_LINES, MAX_LINES = 40, 200
"""Lines of a row and of all rows that are compared."""
Cells = Mapping[int, Sequence[Word]]
"""Words of a line by column."""
MIN_WRAPPED_LABELS = 2
"""Lines of labels that begin with a small letter; a single one may be a name written so."""
MIN_WRAPPED_LINES = 2
"""Lines of a text that wraps."""


def centred_rows(lines: Sequence[Cells]) -> list[int]:
    """Return the number of lines of each row, if all rows have cells of one middle; else nothing.

    The first and the last row may be cut by the end of a page if a row of several lines shows that others are centred.

    Args:
        lines: Words by column of each visual line between two rules, from the top.
    """
    if not 1 < len(lines) <= MAX_LINES or not _may_be_centred(lines):
        return []
    leading = _max_cell_step(lines)
    counts = _parted(lines, leading, can_be_cut=False) or _parted(lines, leading, can_be_cut=True)
    ends = accumulate(counts)
    is_proven = any(
        count > 1 and _is_row(lines, end - count, end, leading) for end, count in zip(ends, counts, strict=True)
    )
    return counts if is_proven else []


def _parted(lines: Sequence[Cells], leading: float, *, can_be_cut: bool) -> list[int]:
    """Return the number of lines of each row: as many whole rows as there can be, and as few others."""
    # The best that ends with each line, and the first line of its last row.
    best: list[tuple[int, int, int] | None] = [(0, 0, 0)]
    for end in range(1, len(lines) + 1):
        ways: list[tuple[int, int, int]] = []
        for start in range(max(0, end - MAX_ROW_LINES), end):
            above = best[start]
            if above is None:
                continue
            if _is_row(lines, start, end, leading):
                ways.append((above[0] + 1, above[1] - 1, start))
            elif can_be_cut and _is_part(lines, start, end, leading):
                ways.append((above[0], above[1] - 1, start))
        best.append(max(ways, default=None))
    counts: list[int] = []
    end = len(lines)
    while end and (way := best[end]) is not None:
        counts.append(end - way[2])
        end = way[2]
    return counts[::-1]


def _may_be_centred(lines: Sequence[Cells]) -> bool:
    """Return True if the first line has no label, or lines are closer than lines of one text."""
    return 0 not in lines[0] or any(
        _bottom(below) - _bottom(line) < MIN_LINE_STEP_EM * _size(line) for line, below in pairwise(lines)
    )


def _max_cell_step(lines: Sequence[Cells]) -> float:
    """Return the greatest distance of two lines of one cell; 0 if no column has two lines."""
    last: dict[int, float] = {}
    steps: list[float] = []
    for line in lines:
        for column, words in line.items():
            if column in last:
                steps.append(words[0].y1 - last[column])
            last[column] = words[0].y1
    return MAX_LEADING_RATIO * min(steps, default=0.0)


def _is_row(lines: Sequence[Cells], start: int, end: int, leading: float) -> bool:
    """Return True if lines have a label, and the same middle and no lines further apart than `leading` in a column."""
    by_column = _columns(lines[start:end])
    if 0 not in by_column or len(by_column) == 1:
        return False
    middles = [(parts[0][0].y0 + parts[-1][0].y1) / 2 for parts in by_column.values()]
    if max(middles) - min(middles) > CENTRE_TOLERANCE_EM * _size(lines[start]):
        return False
    return _are_close(by_column, leading)


def _is_part(lines: Sequence[Cells], start: int, end: int, leading: float) -> bool:
    """Return True for a sum without a label, and for what the end of a page leaves of the first or last row."""
    by_column = _columns(lines[start:end])
    if end - start == 1 and 0 not in by_column and len(by_column) > 1:
        return any(is_number(word.text) for word in by_column[max(by_column)][0])
    is_cut = end == len(lines) or (start == 0 and 0 not in by_column)
    # Without more white between rows than within them, nothing tells where a row without its label begins.
    is_apart = all(
        _bottom(lines[edge]) - _bottom(lines[edge - 1]) > leading for edge in (start, end) if 0 < edge < len(lines)
    )
    return is_cut and is_apart and _are_close(by_column, leading)


def _columns(lines: Iterable[Cells]) -> dict[int, list[Sequence[Word]]]:
    by_column: dict[int, list[Sequence[Word]]] = {}
    for line in lines:
        for column, words in line.items():
            by_column.setdefault(column, []).append(words)
    return by_column


def _are_close(by_column: Mapping[int, Sequence[Sequence[Word]]], leading: float) -> bool:
    return all(below[0].y1 - above[0].y1 <= leading for parts in by_column.values() for above, below in pairwise(parts))


def _bottom(line: Cells) -> float:
    return max(word.y1 for words in line.values() for word in words)


def _size(line: Cells) -> float:
    return next(iter(line.values()))[0].size


def wrapped_labels(lines: Sequence[Mapping[int, Sequence[Word]]]) -> set[int]:
    """Return the numbers of the lines that go on in the label above them; none unless several prove that labels wrap.

    Those prove it that begin with a small letter, if all such ones would not have fitted behind the words above them,
    and some labels begin with capitals.

    Args:
        lines: Words by column of each line of a table's body, from the top; labels are in column 0.
    """
    labels = [line.get(0, ()) for line in lines]
    widest = max((words[-1].x1 - words[0].x0 for words in labels if words), default=0.0)
    small = {n for n, words in enumerate(labels) if words and words[0].text[0].islower()}
    capitals = sum(bool(words) and words[0].text[0].isupper() for words in labels)
    if min(len(small), capitals) < MIN_WRAPPED_LABELS or not all(_is_full(labels, n, widest) for n in small):
        return set()
    # Of words with capitals, those alone in their line go on, too.
    alone = {n for n, line in enumerate(lines) if set(line) == {0} and _is_full(labels, n, widest)}
    return small | alone


def _is_full(labels: Sequence[Sequence[Word]], number: int, widest: float) -> bool:
    """Return True if the first word of a label does not fit behind the last one of the line above, or ends it."""
    above, label = labels[number - 1] if number else (), labels[number]
    if not above:
        return False
    width = above[-1].x1 - above[0].x0 + label[0].x1 - label[0].x0
    return above[-1].text[-1] in HYPHENS or width >= MIN_LABEL_FILL_SHARE * widest


def is_text_wrapped(lines: Sequence[Mapping[int, Sequence[Word]]]) -> bool:
    """Return True if lines between two rules have one text that wraps: the label, or one that is in all lines.

    It begins with a capital, and goes on within a word or in small letters.

    Args:
        lines: Words by column of each line, from the top; labels are in column 0.
    """
    whole = {column for column in lines[0] if column == 0 or all(column in line for line in lines)}
    return any(_goes_on([line[column] for line in lines if column in line]) for column in whole)


def _goes_on(texts: Sequence[Sequence[Word]]) -> bool:
    if len(texts) < MIN_WRAPPED_LINES or not texts[0][0].text[0].isupper():
        return False
    return all(above[-1].text[-1] in HYPHENS or text[0].text[0].islower() for above, text in pairwise(texts))
