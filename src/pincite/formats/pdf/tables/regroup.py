"""Rows of a table's body from its lines, by fitted weights, in the columns that were found."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from pincite.formats.pdf.fitted.trees import Array, trees
from pincite.formats.pdf.page.hyphens import HYPHENS
from pincite.formats.pdf.page.markers import is_bullet
from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Line, Word
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.readings import FAR
from pincite.formats.pdf.tables.segments import is_number, value_extent

CONTEXT = 2
"""Pairs of lines above and below a pair whose features count, too."""
NEIGHBOUR_FEATURES = 24
"""The first features of the pairs around a pair count for it, too."""
KNOWN, STEP, FILLED, FIRST = 0, 1, 21, 22
"""Columns of some features: what rules and white tell, pitch, share of the columns filled, and whether the first is."""
STEP_TOLERANCE_EM, EVEN = 0.03, 0.5
"""Difference of two pitches that counts as none, and the probability of a start that is as likely as not."""
MAX_PAIRS = 1_000
"""Pairs of lines that are compared with each other; bounds memory for crafted pages."""
LineCells = Mapping[int, Sequence[Word]]
"""Words of a line by column."""
MIN_START_PROBABILITY, MIN_TEXT_START_PROBABILITY = 0.6, 0.86
"""Probability from which a line begins a row although rules and white tell that it continues one.

Two lines with numbers in one column are seldom of one row; of two lines of texts, rules and white know more.
"""
MAX_JOIN_PROBABILITY = 0.1
"""Probability up to which it continues a row although they tell that it begins one: joined rows are the worse loss.

Lines with values in one column are never joined, nor are cells over several columns joined to others.
"""


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines of a table as arrays: by line, and by line and column."""

    top: Array
    bottom: Array
    middle: Array
    size: Array
    bold: Array
    filled: Array
    x0: Array
    x1: Array
    first_width: Array
    lower: Array
    capital: Array
    number: Array
    stop: Array
    broken: Array
    bullet: Array


def begins_row(lines: Sequence[LineCells], known: Sequence[int], rules: Rules) -> Array:
    """Return the probability that each line but the first begins a row, as it fits to those of the other lines.

    Args:
        lines: Lines of a table's body, from the top, each with at least one word.
        known: Row of each line as far as rules and white tell.
        rules: Ruling lines and fills of the page.
    """
    measured = features(lines, known, rules)
    first = trees("rows").probabilities(measured)
    if len(measured) > MAX_PAIRS:
        return first
    return trees("rows_again").probabilities(features_again(measured, first))


def features_again(measured: Array, likely: Array) -> Array:
    """Return the features of the pairs of a table's lines, with what those of them tell that are like each.

    Args:
        measured: Their features.
        likely: How likely each begins a row by these alone.
    """
    count = len(measured)
    begins, step, filled, first = (measured[:, column, None] for column in (KNOWN, STEP, FILLED, FIRST))
    likeness = (
        first == first.T,
        (first == first.T) & (filled == filled.T),
        abs(step - step.T) <= STEP_TOLERANCE_EM,
        step + STEP_TOLERANCE_EM < step.T,
        begins == begins.T,
        first != first.T,
    )
    padded = np.pad(likely, CONTEXT, constant_values=-1.0)
    is_start = likely > EVEN
    rows = [
        *(padded[shift : shift + count] for shift in range(2 * CONTEXT + 1)),
        _since(is_start),
        _since(is_start[::-1])[::-1],
    ]
    for where in likeness:
        others = where & ~np.eye(count, dtype=bool)
        number = others.sum(axis=1)
        rows += [np.where(number, others @ likely / np.maximum(1, number), -1.0), np.minimum(number, FAR)]
    for marks in (is_start, ~is_start):
        rows.append(np.full(count, measured[marks, FIRST].mean() if marks.any() else -1.0))
    return np.column_stack([measured, *rows])


def features(lines: Sequence[LineCells], known: Sequence[int], rules: Rules) -> Array:
    """Return the features of each pair of adjoining lines, one row a pair."""
    measured, begins = _measured(lines), np.diff(known) > 0
    own = np.column_stack([begins, *_distances(measured), *_borders(measured, begins, rules), *_contents(measured)])
    columns = own.shape[1]
    padded = np.full((len(own) + 2 * CONTEXT, columns), -1.0)
    padded[CONTEXT : CONTEXT + len(own)] = own
    shifts = [shift for shift in range(2 * CONTEXT + 1) if shift != CONTEXT]
    context = [padded[shift : shift + len(own), :NEIGHBOUR_FEATURES] for shift in shifts]
    return np.column_stack([own, *context])


def _measured(lines: Sequence[LineCells]) -> _Lines:
    columns = sorted({column for line in lines for column in line})
    place = {column: number for number, column in enumerate(columns)}
    shape = len(lines), len(columns)
    cells = {
        name: np.zeros(shape)
        for name in ("filled", "x0", "x1", "first", "lower", "capital", "number", "stop", "broken", "bullet")
    }
    rows: list[tuple[float, ...]] = []
    for number, line in enumerate(lines):
        words = [word for part in line.values() for word in part]
        tops, bottoms = [word.y0 for word in words], [word.y1 for word in words]
        middles = sorted((word.y0 + word.y1) / 2 for word in words)
        size = sorted(word.size for word in words)[len(words) // 2]
        rows.append(
            (min(tops), max(bottoms), middles[len(middles) // 2], size, float(all(word.bold for word in words)))
        )
        for column, part in line.items():
            at = number, place[column]
            first, last = part[0], part[-1]
            cells["filled"][at], cells["x0"][at], cells["x1"][at] = 1, first.x0, max(word.x1 for word in part)
            cells["first"][at] = first.x1 - first.x0
            cells["lower"][at], cells["capital"][at] = first.text[0].islower(), first.text[0].isupper()
            cells["number"][at] = any(is_number(word.text) for word in part) and not any(
                word.text[0].isalpha() for word in part
            )
            cells["bullet"][at] = is_bullet(first.text)
            cells["stop"][at], cells["broken"][at] = last.text[-1] in ".;:!?", last.text[-1] in HYPHENS
    return _Lines(*np.array(rows).T, *cells.values())


def _distances(lines: _Lines) -> Iterable[Array]:
    """Yield the distances of the lines of each pair, relative to type and to the other pairs."""
    size = np.maximum(1.0, (lines.size[:-1] + lines.size[1:]) / 2)
    step = np.maximum(0.0, np.diff(lines.middle)) / size
    usual = step[step > 0.5] if (step > 0.5).any() else np.ones(1)  # noqa: PLR2004 - half an em is no line
    yield step
    yield step / usual.min()
    yield step / np.median(usual)
    yield step / usual.max()
    yield (step[:, None] > step[None, :] + STEP_TOLERANCE_EM).mean(axis=1)
    yield (lines.top[1:] - lines.bottom[:-1]) / size
    left = np.where(lines.filled > 0, lines.x0, np.inf)
    indent = (left.min(axis=1) - left.min()) / np.maximum(1.0, lines.size)
    yield indent[1:].clip(0, 4 * FAR)
    yield np.diff(indent).clip(-FAR, FAR)
    yield lines.bullet[1:].max(axis=1)
    yield lines.bold[:-1]
    yield lines.bold[1:]
    yield lines.size[1:] / np.maximum(1.0, lines.size[:-1])


def _borders(lines: _Lines, known: Array, rules: Rules) -> Iterable[Array]:
    """Yield how much of the table's width rules and edges of fills between the lines of each pair cover."""
    left, right = lines.x0[lines.filled > 0].min(), lines.x1[lines.filled > 0].max()
    above, below = lines.middle[:-1], lines.middle[1:]
    horizontal = np.array([(rule.position, rule.start, rule.end) for rule in rules.horizontal]).reshape(-1, 3)
    edges = [(y, x0, x1) for x0, top, x1, bottom in rules.shades for y in (top, bottom)]
    for borders in (horizontal, np.array(edges).reshape(-1, 3)):
        inside = (borders[:, 0] > lines.top.min()) & (borders[:, 0] < lines.bottom.max())
        y, x0, x1 = borders[inside].T
        width = np.maximum(0.0, np.minimum(x1, right) - np.maximum(x0, left)) / max(1.0, right - left)
        between = (y[None, :] > above[:, None]) & (y[None, :] < below[:, None])
        cover = np.minimum(1.0, (between * width[None, :]).sum(axis=1))
        yield cover
        is_bordered = cover > 0.5  # noqa: PLR2004 - most of the width
        yield np.full(len(above), is_bordered.mean())
        yield np.full(len(above), is_bordered[known].mean() if known.any() else -1.0)
        yield np.full(len(above), known[is_bordered].mean() if is_bordered.any() else -1.0)


def _contents(lines: _Lines) -> Iterable[Array]:
    """Yield what the columns of the lines of each pair have in common, and what their texts tell."""
    filled = lines.filled > 0
    a, b = filled[:-1], filled[1:]
    both, columns = a & b, filled.shape[1]
    count = np.maximum(1, both.sum(axis=1))
    yield b.sum(axis=1) / columns
    yield filled[1:, 0].astype(float)
    yield both.sum(axis=1) / columns
    yield a.sum(axis=1) / columns
    yield filled[:-1, 0].astype(float)
    yield np.full(len(a), float(columns))
    yield np.full(len(a), filled[:, 0].mean())
    yield np.full(len(a), (filled.all(axis=1)).mean())
    yield np.full(len(a), float(min(len(filled), 40)))
    yield (b & ~a).sum(axis=1) / columns
    yield (a & ~b).sum(axis=1) / columns
    anchor = int(np.argmax(filled.sum(axis=0)))
    yield a[:, anchor].astype(float)
    yield b[:, anchor].astype(float)
    lows = (filled * (1 - lines.lower)).sum(axis=0) >= 0.9 * np.maximum(1, filled.sum(axis=0))
    yield np.full(len(a), lows.mean())
    for values, of in ((lines.lower, 1), (lines.capital, 1), (lines.number, 1), (lines.stop, 0), (lines.broken, 0)):
        part = values[1:] if of else values[:-1]
        yield (part * both).sum(axis=1) / count
        yield (part * (b if of else a)).max(axis=1)
    yield (lines.number[:-1] * lines.number[1:]).sum(axis=1)
    yield (lines.number[1:] * b).sum(axis=1) / np.maximum(1, b.sum(axis=1))
    yield lines.lower[1:, 0]
    size = np.maximum(1.0, lines.size)
    right = np.where(filled, lines.x1, -np.inf).max(axis=0)
    room = (right[None, :] - lines.x1[:-1] - lines.first_width[1:]) / size[:-1, None]
    yield _extreme(room, both, np.inf).clip(-FAR, 4 * FAR)
    yield (-_extreme(-room, both, np.inf)).clip(-FAR, 4 * FAR)
    shift = (lines.x0[1:] - lines.x0[:-1]) / size[1:, None]
    yield _extreme(np.abs(shift), both, np.inf).clip(0, FAR)
    yield np.where(both[:, 0], shift[:, 0], 0.0).clip(-FAR, FAR)
    first = filled[:, 0]
    full = filled.sum(axis=1) >= max(1, columns - 1)
    most = filled.sum(axis=1) >= np.maximum(1, filled.sum(axis=1).max())
    for marks in (first, full, most, filled[:, anchor]):
        yield _since(marks)[:-1]
        yield _since(marks[::-1])[::-1][1:]


def _extreme(values: Array, where: Array, default: float) -> Array:
    """Return the least value of each row where it counts; `FAR` if none does."""
    least = np.where(where, values, default).min(axis=1)
    return np.where(np.isfinite(least), least, FAR)


def _since(marks: Array) -> Array:
    """Return the number of lines since the last marked one, itself included; `FAR` before the first."""
    index = np.arange(len(marks))
    last = np.maximum.accumulate(np.where(marks, index, -1))
    return np.where(last >= 0, np.minimum(index - last, FAR), FAR).astype(float)


def line_numbers(lines: Sequence[Line]) -> dict[int, int]:
    """Return the number of the line of each word of a page, by the word's first character."""
    return {word.first: number for number, line in enumerate(lines) for word in line.words}


def body_lines(draft: TableDraft, lines: Mapping[int, int]) -> tuple[list[LineCells], list[int]]:
    """Return the lines of a table's body, from the top, each with its words by column, and the row of each.

    Nothing if words of one line are in two rows: what parts them is surer than lines are.

    Args:
        draft: The table; cells that span rows are left out.
        lines: Number of the visual line of each word of the page.
    """
    by_line: dict[int, dict[int, list[Word]]] = {}
    rows: dict[int, int] = {}
    for cell in _body(draft):
        for word in cell.words:
            number = lines.get(word.first, -1)
            by_line.setdefault(number, {}).setdefault(cell.column, []).append(word)
            if rows.setdefault(number, cell.row) != cell.row:
                return [], []
    return [by_line[number] for number in sorted(by_line)], [rows[number] for number in sorted(by_line)]


def regrouped(draft: TableDraft, lines: Mapping[int, int], rules: Rules) -> TableDraft:
    """Return a table with the lines of its body grouped to rows anew.

    Args:
        draft: The table.
        lines: Number of the visual line of each word of the page.
        rules: Ruling lines and fills of the page.
    """
    body, known = body_lines(draft, lines)
    if len(body) < 2:  # noqa: PLR2004 - one line is one row
        return draft
    # Rows with a cell over several columns, and those that rules frame, are joined to no other.
    apart = set(known) if draft.is_framed else {cell.row for cell in _body(draft) if cell.column_span > 1}
    limits = _limits(body, known, apart)
    begins = limits <= 0
    if not begins.all():
        begins |= begins_row(body, known, rules) >= limits
    starts = [0, *np.cumsum(begins).tolist()]
    rows = {
        word.first: draft.header_rows + start
        for start, line in zip(starts, body, strict=True)
        for words in line.values()
        for word in words
    }
    cells = {(cell.row, cell.column): cell for cell in draft.cells if cell.row < draft.header_rows}
    words: dict[tuple[int, int, int], list[Word]] = {}
    # Where the rows are that cells beside them span.
    spanned: dict[int, set[int]] = {}
    for cell in _body(draft):
        for word in cell.words:
            row = rows[word.first]
            words.setdefault((row, cell.column, cell.column_span), []).append(word)
            spanned.setdefault(cell.row, set()).add(row)
    for (row, column, span), parts in words.items():
        above = cells.get((row, column))
        together = (*above.words, *parts) if above else tuple(parts)
        cells[row, column] = WordCell(row, column, together, 1, above.column_span if above else span)
    for cell in draft.cells:
        if cell.row >= draft.header_rows and cell.row_span > 1:
            beside = {row for number in range(cell.row, cell.row + cell.row_span) for row in spanned.get(number, ())}
            if not beside or (min(beside), cell.column) in cells:
                return draft
            cells[min(beside), cell.column] = replace(cell, row=min(beside), row_span=max(beside) - min(beside) + 1)
    return replace(draft, rows=draft.header_rows + starts[-1] + 1, cells=tuple(cells[at] for at in sorted(cells)))


def _limits(lines: Sequence[LineCells], known: Sequence[int], apart: AbstractSet[int]) -> Array:
    """Return the probability, for each line but the first, from which it begins a row.

    Args:
        lines: Lines of the table's body.
        known: Row of each line as far as rules and white tell.
        apart: Rows that are joined to no other.
    """
    limits: list[float] = []
    values = [{column for column, words in line.items() if value_extent(words)} for line in lines]
    for number, (row, following) in enumerate(pairwise(known)):
        if following != row:
            is_apart = bool({row, following} & apart) or not values[number].isdisjoint(values[number + 1])
            limits.append(0.0 if is_apart else MAX_JOIN_PROBABILITY)
            continue
        shared = [
            (words, lines[number + 1][column]) for column, words in lines[number].items() if column in lines[number + 1]
        ]
        has_numbers = any(all(is_number(word.text) for word in (*upper, *lower)) for upper, lower in shared)
        limits.append(MIN_START_PROBABILITY if has_numbers else MIN_TEXT_START_PROBABILITY)
    return np.array(limits)


def _body(draft: TableDraft) -> Iterator[WordCell]:
    return (cell for cell in draft.cells if cell.row >= draft.header_rows and cell.row_span == 1)
