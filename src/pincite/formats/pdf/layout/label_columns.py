"""Join labels with the values next to them, where a file has a column of labels before the column of their values."""

import re
from collections.abc import Iterator, Sequence

from pincite.formats.pdf.page.words import Line, line_of

MIN_PAIRS = 2
MIN_PAIRED_SHARE = 0.6
"""Labels below each other, and the share of them with a value, that prove two columns."""

MAX_LABELS = 200
"""Labels of a page; a page of a hostile file has more, each of which would be compared with all lines."""

MAX_LABEL_CHARS = 40
MAX_VALUE_GAP_EM = 25.0
"""Length of a label, and the white between it and its value: half the width of a page."""

MAX_BASELINE_DIFFERENCE_EM = 0.3
"""Distance of two baselines that are one."""

MAX_STEP_EM = 4.0
"""Distance of two labels below each other, whose values may take several lines."""

_FIELD = re.compile(rf"[^\W\d_a-zß-ÿ](?:(?!\. )[^\[\]{{}}=:,;“”\"]){{1,{MAX_LABEL_CHARS}}}:(?: |$)")
"""A label at the beginning of a line: from a capital letter to a colon, and no end of a sentence."""


def join_labels(lines: Sequence[Line]) -> list[Line]:
    """Return lines in which each label of a column, which ends with a colon, has its value on its line.

    Args:
        lines: Lines in file order.
    """
    if not MIN_PAIRS <= sum(map(_is_label, lines)) <= MAX_LABELS:
        return list(lines)
    values: dict[int, int] = {}
    for labels in _label_columns(lines):
        pairs = {label: value for label in labels if (value := _value_of(label, lines)) is not None}
        is_proved = len(pairs) >= max(MIN_PAIRS, MIN_PAIRED_SHARE * len(labels))
        if is_proved and _is_column([lines[value] for value in pairs.values()]):
            values |= pairs
    continued = _continuations(lines, set(values.values()))
    taken = {*values.values(), *(number for numbers in continued.values() for number in numbers)}
    joined: list[Line] = []
    for number, line in enumerate(lines):
        if number in values:
            value = values[number]
            joined.append(line_of((*line.words, *lines[value].words)))
            joined += (lines[other] for other in continued[value])
        elif number not in taken:
            joined.append(line)
    return joined


def _is_at_side(label: Line, value: Line) -> bool:
    return (
        abs(value.y1 - label.y1) <= MAX_BASELINE_DIFFERENCE_EM * label.size
        and label.x1 < value.x0 < label.x1 + MAX_VALUE_GAP_EM * label.size
    )


def _continuations(lines: Sequence[Line], values: set[int]) -> dict[int, list[int]]:
    """Return, by the index of each value, those of the lines that follow it in the file as further lines of it."""
    continued: dict[int, list[int]] = {}
    for value in values:
        following = continued[value] = list[int]()
        for number in range(value + 1, len(lines)):
            if number in values or not _is_below(lines[number - 1], lines[number]) or _is_label(lines[number]):
                break
            following.append(number)
        # Lines after the last value may be of anything.
        if value + len(following) + 1 not in values:
            following.clear()
    return continued


def is_field(line: Line) -> bool:
    """Return True for a line that begins with a label: its value follows, or is missing."""
    # Most lines begin with a small letter.
    is_small = "a" <= line.words[0].text[:1] <= "z"
    return not is_small and _FIELD.match(line.text) is not None


def _is_label(line: Line) -> bool:
    if not line.words[-1].text.endswith(":"):
        return False
    text = line.text
    return len(text) <= MAX_LABEL_CHARS and ". " not in text


def _label_columns(lines: Sequence[Line]) -> Iterator[list[int]]:
    """Yield the indices of labels that follow each other in the file and are below each other."""
    column: list[int] = []
    for number, line in enumerate(lines):
        if not _is_label(line):
            continue
        last = lines[column[-1]] if column else None
        if last is None or number > column[-1] + 1 or not _is_below(last, line):
            yield column
            column = []
        column.append(number)
    yield column


def _is_below(line: Line, below: Line) -> bool:
    is_aligned = abs(line.x0 - below.x0) < line.size / 2 or abs(line.x1 - below.x1) < line.size / 2
    return is_aligned and 0 < below.y1 - line.y1 < MAX_STEP_EM * line.size


def _value_of(label: int, lines: Sequence[Line]) -> int | None:
    """Return the index of the line next to a label; None if there is none, or another label."""
    line = lines[label]
    next_to_it = [number for number, other in enumerate(lines) if _is_at_side(line, other)]
    nearest = min(next_to_it, key=lambda number: lines[number].x0, default=None)
    return None if nearest is None or _is_label(lines[nearest]) else nearest


def _is_column(values: Sequence[Line]) -> bool:
    """Return True if values are aligned at the left or at the right."""
    for edges in ([value.x0 for value in values], [value.x1 for value in values]):
        if max(edges) - min(edges) < values[0].size / 2:
            return True
    return False
