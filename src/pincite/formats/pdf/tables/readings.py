"""Readings of the same lines as tables: features of each, from which fitted weights tell the best one."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median

import numpy as np

from pincite.formats.pdf.fitted.trees import Array, trees
from pincite.formats.pdf.page.rectangles import bounding_box
from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Line, Word, parts_of
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.segments import is_number

FAR = 9.0
"""Value of a feature where there is nothing to measure."""
MAX_PARTS = 3_000
"""Rules of each direction, and cells, that are compared to each other; bounds time and memory for drawings."""
LONG_WORDS = 8
"""Words of a cell that is more than a name."""
SIGNS, ENDS = ("$", "€", "£", "¥", "("), (")", "%", ")%")
"""What a number of the next cell begins with, and what one of the cell before ends with."""
NOTE_SIZE_RATIO = 0.8
"""Size of type of a column of note marks, which is none."""
WIDE_SHARE = 0.7
"""Share of a table's width that prose, and few cells, fill without white."""
WIDE_EM, SURE_EM = 0.8, 1.5
"""White inside of a cell that may be, and that surely is, between columns."""


def likelihoods(drafts: Sequence[TableDraft], lines: Sequence[Line], rules: Rules) -> Array:
    """Return how good readings are, from 0 to 1: the expected share of their rows and cells that are right."""
    return trees("readings").probabilities(features(drafts, lines, rules))


def features(drafts: Sequence[TableDraft], lines: Sequence[Line], rules: Rules) -> Array:
    """Return the features of readings of the lines of a page, one row each.

    They are what each tells, how that differs from the others that share its words, and how it compares to the one
    that shares the most.
    """
    horizontal, vertical = (
        np.array([(rule.position, rule.start, rule.end) for rule in some[:MAX_PARTS]]).reshape(-1, 3)
        for some in (rules.horizontal, rules.vertical)
    )
    numbers = {word.first: number for number, line in enumerate(lines) for word in line.words}
    own = np.array(
        [
            [
                *_cells(draft, numbers),
                *_edges(draft),
                *_rules(draft, horizontal, vertical),
                *_place(draft, lines),
                *_ends(draft, lines, numbers),
            ]
            for draft in drafts
        ]
    )
    words = [{word.first: word for word in draft.words} for draft in drafts]
    at = {first: column for column, first in enumerate({first for one in words for first in one})}
    members = np.zeros((len(words), len(at)))
    for row, one in enumerate(words):
        members[row, [at[first] for first in one]] = 1
    shared = members @ members.T
    np.fill_diagonal(shared, 0)
    weights = shared / np.maximum(1, [[len(one)] for one in words])
    usual = weights @ own / np.maximum(1e-9, weights.sum(axis=1, keepdims=True))
    apart = np.where(weights.any(axis=1, keepdims=True), own - usual, 0.0)
    rivals = [_against(drafts, words, number, shared[number]) for number in range(len(drafts))]
    return np.column_stack([own, apart, rivals])


def _against(
    drafts: Sequence[TableDraft], words: Sequence[Mapping[int, Word]], number: int, shared: Array
) -> list[float]:
    """Return how a reading compares to the one that shares the most words with it."""
    rival = int(shared.argmax())
    if not shared[rival]:
        return [-1.0] * 12
    sizes = len(words[number]), len(words[rival])
    return [
        shared[rival] / sizes[0],
        shared[rival] / sizes[1],
        sizes[0] / sizes[1],
        float(np.count_nonzero(shared)),
        *_beyond(drafts[rival], words[rival], words[number]),
        *_beyond(drafts[number], words[number], words[rival]),
    ]


def _beyond(draft: TableDraft, words: Mapping[int, Word], others: Mapping[int, Word]) -> list[float]:
    """Return how many words a table has above, below and between those of another, and their share in its header."""
    _, y0, _, y1 = bounding_box([*others.values()])
    extra = [word for first, word in words.items() if first not in others]
    middles = [(word.y0 + word.y1) / 2 for word in extra]
    above, below = sum(middle < y0 for middle in middles), sum(middle > y1 for middle in middles)
    header = {word.first for cell in draft.cells if cell.row < draft.header_rows for word in cell.words}
    return [
        min(40.0, above),
        min(40.0, below),
        min(40.0, len(extra) - above - below),
        sum(word.first in header for word in extra) / max(1, len(extra)),
    ]


def _cells(draft: TableDraft, numbers: dict[int, int]) -> list[float]:
    """Return what the cells tell: how many, how full, and what is in one that might be in several."""
    cells = draft.cells
    count = max(1, len(cells))
    lines = [_lines(cell, numbers) for cell in cells]
    body = [(cell, parts) for cell, parts in zip(cells, lines, strict=True) if cell.row >= draft.header_rows]
    gaps = [_widest(parts) for parts in lines]
    body_gaps = [_widest(parts) for _, parts in body]
    values = [_values(parts) for _, parts in body]
    many = max(1, len(body))
    rows, columns = Counter(cell.row for cell in cells), Counter(cell.column for cell in cells)
    body_rows = max(1, draft.rows - draft.header_rows)
    by_row = [rows[number] for number in range(draft.header_rows, draft.rows)]
    fills = sorted(columns[number] / max(1, draft.rows) for number in range(draft.columns))
    placed = {word.first for cell in cells for word in cell.words}
    visual = {numbers.get(word.first, -1) for word in draft.words}
    heights = [len(parts) for _, parts in body]
    tall = Counter(cell.row for cell, parts in body if len(parts) > 1)
    kinds = [_kinds([cell for cell, _ in body if cell.column == number]) for number in range(draft.columns)]
    lengths = [len(cell.words) for cell, _ in body]
    return [
        draft.rows, draft.columns, draft.header_rows, count, count / max(1, draft.rows * draft.columns),
        len(draft.words), len(draft.words) / count, max(lengths, default=0) / max(1, len(draft.words)),
        sum(length > LONG_WORDS for length in lengths) / many, median(lengths or [0]),
        1 - len(placed) / max(1, len(draft.words)),
        len(visual) / max(1, draft.rows), len(visual) / body_rows,
        sum(heights) / many, max(heights, default=0), sum(height > 1 for height in heights) / many,
        len(tall) / body_rows, max(tall.values(), default=0) / max(1, draft.columns),
        sum(gap > WIDE_EM for gap in gaps) / count, sum(gap > SURE_EM for gap in gaps) / count,
        sum(gap > WIDE_EM for gap in body_gaps) / many, sum(gap > SURE_EM for gap in body_gaps) / many,
        sum(across > 1 for across, _ in values) / many, sum(down > 1 for _, down in values) / many,
        sum(across > 1 and down > 1 for across, down in values) / many,
        sum(down > 0 for _, down in values) / many,
        sum(one == 1 for one in by_row) / body_rows, sum(one == draft.columns for one in by_row) / body_rows,
        fills[0] if fills else 0, fills[len(fills) // 2] if fills else 0,
        sum(cell.column_span > 1 for cell in cells) / count, sum(cell.row_span > 1 for cell in cells) / count,
        float(np.mean(kinds)) if kinds else 0, min(kinds, default=0),
        sum(cell.words[0].text[0].islower() for cell, _ in body if cell.words) / many,
        sum(cell.words[-1].text[-1] in ".,;" for cell, _ in body if cell.words) / many,
        sum(cell.words[-1].text in SIGNS or cell.words[0].text in ENDS for cell, _ in body if cell.words) / many,
        sum(0 < max((word.size for cell, _ in body if cell.column == number for word in cell.words), default=0)
            < NOTE_SIZE_RATIO * draft.words[0].size for number in range(draft.columns)),
    ]  # fmt: skip


def _lines(cell: WordCell, numbers: dict[int, int]) -> list[list[Word]]:
    """Return the words of a cell by line, from the left."""
    lines: dict[int, list[Word]] = {}
    for word in cell.words:
        lines.setdefault(numbers.get(word.first, -1), []).append(word)
    return [sorted(words, key=lambda word: word.x0) for _, words in sorted(lines.items())]


def _widest(lines: Iterable[Sequence[Word]]) -> float:
    gaps = [(other.x0 - one.x1) / max(1.0, one.size) for words in lines for one, other in pairwise(words)]
    return max(gaps, default=0.0)


def _values(lines: Iterable[Sequence[Word]]) -> tuple[int, int]:
    """Return the most numbers of a line of a cell, and the number of its lines that are numbers."""
    counts = [[is_number(word.text) for word in words] for words in lines]
    return max(map(sum, counts), default=0), sum(map(all, counts))


def _kinds(cells: Sequence[WordCell]) -> float:
    """Return the share of the cells of a column that are of its most common kind."""
    kinds = Counter(
        (all(any(map(str.isdigit, word.text)) for word in cell.words), len(cell.words) > LONG_WORDS - 2)
        for cell in cells
    )
    return max(kinds.values(), default=0) / max(1, len(cells))


def _edges(draft: TableDraft) -> list[float]:
    """Return how well the cells of columns are aligned, and how much white is between columns."""
    aligned: list[float] = []
    spans: list[tuple[float, float]] = []
    size = max(1.0, median([word.size for word in draft.words]))
    for number in range(draft.columns):
        cells = [
            cell
            for cell in draft.cells
            if cell.column == number and cell.row >= draft.header_rows and cell.column_span == 1
        ]
        if not cells:
            continue
        left = np.array([min(word.x0 for word in cell.words) for cell in cells])
        right = np.array([max(word.x1 for word in cell.words) for cell in cells])
        sides = (left, right, (left + right) / 2)
        aligned.append(max(float((np.abs(side - np.median(side)) <= 0.3 * size).mean()) for side in sides))
        spans.append((float(left.min()), float(right.max())))
    gaps = [(right[0] - left[1]) / size for left, right in pairwise(sorted(spans))]
    return [
        float(np.mean(aligned)) if aligned else 0.0,
        min(aligned, default=0.0),
        max(-FAR, min([FAR, *gaps])),
        min(FAR * 2, median(gaps or [FAR])),
        sum(gap < 0 for gap in gaps) / max(1, len(gaps)),
    ]


def _rules(draft: TableDraft, horizontal: Array, vertical: Array) -> list[float]:
    """Return where rules are: around the table, between its rows and columns, and within its cells."""
    x0, y0, x1, y1 = bounding_box(draft.words)
    size = max(1.0, median([word.size for word in draft.words]))
    width, height = max(1.0, x1 - x0), max(1.0, y1 - y0)
    y, left, right = horizontal.T
    cover = (np.minimum(right, x1) - np.maximum(left, x0)).clip(0) / width
    is_wide = cover > 0.8  # noqa: PLR2004 - most of the width
    inside = (y > y0 + size / 4) & (y < y1 - size / 4)
    x, top, bottom = vertical.T
    run = (np.minimum(bottom, y1) - np.maximum(top, y0)).clip(0) / height
    walls = (x > x0 - size) & (x < x1 + size) & (run > 0)
    inner = walls & (x > x0 + size / 4) & (x < x1 - size / 4)
    tops = [cell for cell in draft.cells[:MAX_PARTS] if cell.row_span == 1]
    boxes = np.array([bounding_box(cell.words) for cell in tops]).reshape(-1, 4)
    cut = ((y[None] > boxes[:, 1:2] + size / 4) & (y[None] < boxes[:, 3:4] - size / 4)
           & (left[None] < boxes[:, 2:3]) & (right[None] > boxes[:, 0:1]))  # fmt: skip
    parted = ((x[None] > boxes[:, 0:1] + 1) & (x[None] < boxes[:, 2:3] - 1)
              & (top[None] < boxes[:, 3:4]) & (bottom[None] > boxes[:, 1:2]))  # fmt: skip
    steps = draft.rows - 1
    xs = {round(place / 3) for place in x[inner].tolist()}
    beyond = is_wide & ((right - left) > 1.3 * width)
    return [
        float(np.abs(np.append(y[is_wide], np.inf) - y0).min().clip(0, FAR * size) / size),
        float(np.abs(np.append(y[is_wide], np.inf) - y1).min().clip(0, FAR * size) / size),
        float((is_wide & inside).sum() / max(1, steps)),
        float((~is_wide & (cover > 0) & inside).sum() / max(1, steps)),
        float(min(40, (is_wide & inside).sum())),
        float((beyond & inside).sum()),
        float(len(xs)),
        float(len(xs) / max(1, draft.columns - 1)),
        float(run[inner].mean()) if inner.any() else 0.0,
        float(cut.any(axis=1).mean()) if cut.size else 0.0,
        float(parted.any(axis=1).mean()) if parted.size else 0.0,
        float(min(FAR, abs(x[walls] - x0).min() / size)) if walls.any() else FAR,
        float(min(FAR, abs(x[walls] - x1).min() / size)) if walls.any() else FAR,
    ]


def _place(draft: TableDraft, lines: Sequence[Line]) -> list[float]:
    """Return what is around a table: text beside it in its lines, and the lines above and below."""
    x0, y0, x1, y1 = bounding_box(draft.words)
    size = max(1.0, median([word.size for word in draft.words]))
    own = {word.first for word in draft.words}
    inside = beside = 0
    above, below = FAR, FAR
    above_parts = below_parts = 0.0
    for line in lines:
        if line.x1 < x0 or line.x0 > x1:
            continue
        middle = (line.y0 + line.y1) / 2
        if y0 < middle < y1:
            for word in line.words:
                if word.first not in own:
                    at = (word.x0 + word.x1) / 2
                    inside += x0 < at < x1
                    beside += x0 - 2 * size < at < x0 or x1 < at < x1 + 2 * size
        elif middle <= y0:
            above, above_parts = min(FAR, (y0 - line.y1) / size), _parts(line, x0, x1)
        elif below == FAR:
            below, below_parts = min(FAR, (line.y0 - y1) / size), _parts(line, x0, x1)
    usual = median([line.size for line in lines])
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    return [
        inside / max(1, len(own)), beside / max(1, len(own)), above, below, above_parts, below_parts,
        size / max(1.0, usual), (x1 - x0) / max(1.0, right - left), (x1 - x0) / size,
        (y1 - y0) / size / max(1, draft.rows),
    ]  # fmt: skip


def _ends(draft: TableDraft, lines: Sequence[Line], numbers: dict[int, int]) -> list[float]:
    """Return how like the others the first and the last line of a table are, and the lines that it leaves out."""
    x0, _, x1, _ = bounding_box(draft.words)
    size, width = max(1.0, median([word.size for word in draft.words])), max(1.0, x1 - x0)
    inside = sorted({number for word in draft.words if (number := numbers.get(word.first, -1)) >= 0})
    if not inside:
        return [-1.0] * 26
    starts = sorted(
        min(word.x0 for cell in cells for word in cell.words)
        for number in range(draft.columns)
        if (cells := [cell for cell in draft.cells if cell.column == number and cell.words])
    )
    known = [_Seen(lines[number], x0, x1) for number in inside]
    middles = [seen.middle for seen in known]
    steps = [below - above for above, below in pairwise(middles) if below - above > size / 2]
    usual = max(1.0, median(steps or [size]))
    alone = [seen for seen in known if len(seen.parts) == 1]
    wide = [seen for seen in alone if seen.width > WIDE_SHARE * width]
    result = [
        len(alone) / len(known),
        len(wide) / len(known),
        max(steps, default=0.0) / usual,
        steps[-1] / usual if steps else 0.0,
        steps[0] / usual if steps else 0.0,
        median(steps or [0.0]) / size,
    ]
    before, behind = (lines[n] if 0 <= n < len(lines) else None for n in (inside[0] - 1, inside[-1] + 1))
    for own, other in ((known[0], before), (known[-1], behind)):
        result += own.measures(starts, x0, width, size)
        if other is None or other.x1 < x0 or other.x0 > x1:
            result += [-1.0] * 6
            continue
        seen = _Seen(other, x0, x1)
        step = abs(seen.middle - own.middle) / usual
        result += [min(FAR, step), float(any(word.bold for word in other.words)),
                   *seen.measures(starts, x0, width, size)]  # fmt: skip
    return result


class _Seen:
    """A line within the width of a table: its parts, with white between them."""

    def __init__(self, line: Line, x0: float, x1: float) -> None:
        words = [word for word in line.words if word.x1 > x0 and word.x0 < x1] or list(line.words)
        self.parts = parts_of(words, WIDE_EM)
        self.middle = (line.y0 + line.y1) / 2
        self.width = words[-1].x1 - words[0].x0

    def measures(self, starts: Sequence[float], x0: float, width: float, size: float) -> list[float]:
        """Return the number of parts, the share that begin where columns do, the offset and the width."""
        at = sum(any(abs(part[0].x0 - start) < size / 2 for start in starts) for part in self.parts)
        return [
            float(len(self.parts)),
            at / len(self.parts),
            (self.parts[0][0].x0 - x0) / size,
            self.width / width,
        ]


def _parts(line: Line, x0: float, x1: float) -> float:
    words = [word for word in line.words if word.x1 > x0 and word.x0 < x1]
    return float(len(parts_of(words, WIDE_EM))) if words else 1.0
