"""Join labels with the values next to them, where a file has a column of labels before the column of their values.

Labels end with a colon, or have a number, a date, an amount or an address at their side, line for line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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

MIN_TYPED_PAIRS = 3
MIN_TYPED_SHARE = 0.6
"""Labels without a colon, and the share of their values with a digit or an `@`, that prove two columns: names and their
cities are as often side by side."""

MAX_LABEL_WORDS = 5
MAX_VALUE_CHARS = 60
"""Words of a label without a colon, and characters of its value."""

LINES_OF_PAIR = 2
"""A label and its value."""

_NOT_LABEL = re.compile(r"\d|[.!?;:,]$|\. ")
_TYPED = re.compile(r"\d|\w@\w")
_FIELD = re.compile(rf"[^\W\d_a-zß-ÿ](?:(?!\. )[^\[\]{{}}=:,;“”\"]){{1,{MAX_LABEL_CHARS}}}:(?: |$)")
"""A label at the beginning of a line: from a capital letter to a colon, and no end of a sentence."""


@dataclass(slots=True, unsafe_hash=True)
class Field(Line):
    """A line of a label and its value."""


def join_labels(lines: Sequence[Line]) -> list[Line]:
    """Return lines in which each label of a column has its value on its line.

    Args:
        lines: Lines in file order.
    """
    return _join_typed(_join_with_colon(lines))


def _join_typed(lines: Sequence[Line]) -> list[Line]:
    """Join labels without a colon, below each other, with as many values at their side before or after them."""
    values: dict[int, int] = {}
    index = 0
    while index < len(lines):
        end = index + 1
        if _is_bare_label(lines[index]):
            while end < len(lines) and _is_below(lines[end - 1], lines[end]) and _is_bare_label(lines[end]):
                end += 1
            for pairs in (_pairs_after(lines, index, end), _pairs_before(lines, index, end)):
                if _are_typed([lines[value] for value in pairs.values()]) and _fill_rows(lines, pairs):
                    values |= pairs
        index = end
    taken = set(values.values())
    return [
        _field(line, lines[values[number]]) if number in values else line
        for number, line in enumerate(lines)
        if number not in taken
    ]


def _pairs_after(lines: Sequence[Line], start: int, end: int) -> dict[int, int]:
    """Return labels with the values that follow the last label, by index; the first labels may be other lines."""
    first = next((n for n in range(start, end) if end < len(lines) and _is_at_side(lines[n], lines[end])), end)
    return _checked(lines, {label: end + label - first for label in range(first, end)})


def _pairs_before(lines: Sequence[Line], start: int, end: int) -> dict[int, int]:
    """Return labels with the values that end before the first label, by index; the last labels may be other lines."""
    last = next((n for n in range(end - 1, start - 1, -1) if start and _is_at_side(lines[n], lines[start - 1])), None)
    return {} if last is None else _checked(lines, {n: start - 1 - (last - n) for n in range(start, last + 1)})


def _checked(lines: Sequence[Line], pairs: dict[int, int]) -> dict[int, int]:
    """Return pairs if each value is at the side of its label, and they are enough for two columns; else none."""
    if len(pairs) < MIN_TYPED_PAIRS or min(pairs.values()) < 0 or max(pairs.values()) >= len(lines):
        return {}
    return pairs if all(_is_at_side(lines[label], lines[value]) for label, value in pairs.items()) else {}


def _is_at_side(label: Line, value: Line) -> bool:
    return (
        abs(value.y1 - label.y1) <= MAX_BASELINE_DIFFERENCE_EM * label.size
        and label.x1 < value.x0 < label.x1 + MAX_VALUE_GAP_EM * label.size
    )


def _are_typed(values: Sequence[Line]) -> bool:
    """Return True for a column of values most of which are numbers, dates, amounts or addresses."""
    if not values or any(len(value.text) > MAX_VALUE_CHARS for value in values) or not _is_column(values):
        return False
    return sum(_TYPED.search(value.text) is not None for value in values) >= MIN_TYPED_SHARE * len(values)


def _fill_rows(lines: Sequence[Line], pairs: dict[int, int]) -> bool:
    """Return True if rows have nothing else from their labels on, and not all of them something before: no table."""
    rows_with_more = 0
    for row in (lines[label] for label in pairs):
        on_row = [line for line in lines if abs(line.y1 - row.y1) <= MAX_BASELINE_DIFFERENCE_EM * row.size]
        if sum(line.x0 >= row.x0 for line in on_row) != LINES_OF_PAIR:
            return False
        rows_with_more += len(on_row) > LINES_OF_PAIR
    return rows_with_more < len(pairs)


def _field(label: Line, value: Line) -> Field:
    line = line_of((*label.words, *value.words))
    return Field(line.words, line.x0, line.y0, line.x1, line.y1, line.size)


def _is_bare_label(line: Line) -> bool:
    if len(line.words) > MAX_LABEL_WORDS:
        return False
    text = line.text
    is_name = len(text) <= MAX_LABEL_CHARS and text[0].isalpha() and not text[0].islower()
    return is_name and _NOT_LABEL.search(text) is None


def _join_with_colon(lines: Sequence[Line]) -> list[Line]:
    """Join labels that end with a colon with the values at their side."""
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
    return isinstance(line, Field) or (not is_small and _FIELD.match(line.text) is not None)


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
