"""Tables between rules: grids of rules that cross, their cells, the words in them."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables.draft import TableDraft, WordCell

SNAP = 2.0
"""Rules no further apart (points) are one."""
REACH = 3.0
"""Rules that miss each other by no more (points) meet."""
MAX_RULES = 600
"""Of one direction: a page with more is a drawing."""
MAX_CELLS = 10_000
"""Of one grid."""
SHORTEST = 4.0
"""A shorter rule (points) parts no cells."""
FEWEST_CELLS = 4
"""With text: fewer are a frame."""
FILLED = 0.3
"""A grid with a smaller share of cells with text is a form or a drawing."""
MOST_IN_ONE = 0.7
"""One cell with a larger share of the words is a frame around text."""
OUTSIDE = 0.3
"""A word that leaves its cell by more than this share of its width is cut by a rule."""
MOST_CUT = 0.04
"""A grid that cuts a larger share of its words is none."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Where rules cross: edges of columns and rows, and which of them part neighbours.

    Attributes:
        xs: From the left.
        ys: From the top.
        down: The rules that part columns.
        across: The rules that part rows.
    """

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    down: tuple[Rule, ...]
    across: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class _Region:
    """Rows and columns of a grid that are one cell."""

    row: int
    column: int
    rows: int
    columns: int


def find_lattice(words: Sequence[Word], rules: Rules) -> list[TableDraft]:
    """The tables of a page that stand between rules, from the top."""
    found = [draft for grid in grids(rules) if (draft := _draft(grid, words)) is not None]
    return sorted(found, key=lambda draft: min(word.y0 for word in draft.words))


def grids(rules: Rules) -> list[Grid]:
    """The grids that the rules of a page make; none where they are too many for tables."""
    across, down = merged(rules.across), merged(rules.down)
    if len(across) < 2 or len(down) < 2 or max(len(across), len(down)) > MAX_RULES:  # noqa: PLR2004
        return []
    made = [_grid([across[i] for i in one], [down[i] for i in other]) for one, other in _connected(across, down)]
    return [grid for grid in made if grid is not None]


def merged(rules: Iterable[Rule]) -> list[Rule]:
    """Rules with those joined that lie in one line and touch."""
    lined: list[list[Rule]] = []
    for rule in sorted((rule for rule in rules if rule.end > rule.start), key=lambda rule: rule.at):
        if lined and rule.at - lined[-1][0].at <= SNAP:
            lined[-1].append(rule)
        else:
            lined.append([rule])
    joined: list[Rule] = []
    for line in lined:
        at = sum(rule.at for rule in line) / len(line)
        line.sort(key=lambda rule: rule.start)
        start, end = line[0].start, line[0].end
        for rule in line[1:]:
            if rule.start - end > REACH:
                joined.append(Rule(at, start, end))
                start = rule.start
            end = max(end, rule.end)
        joined.append(Rule(at, start, end))
    return [rule for rule in joined if rule.end - rule.start >= SHORTEST]


def _connected(across: Sequence[Rule], down: Sequence[Rule]) -> list[tuple[list[int], list[int]]]:
    """Sets of rules that hang together, by their numbers."""
    owner = list(range(len(across) + len(down)))

    def root(index: int) -> int:
        while owner[index] != index:
            owner[index] = owner[owner[index]]
            index = owner[index]
        return index

    for i, one in enumerate(across):
        for j, other in enumerate(down, len(across)):
            if _meet(one, other):
                owner[root(i)] = root(j)
    sets: dict[int, tuple[list[int], list[int]]] = {}
    for index in range(len(owner)):
        members = sets.setdefault(root(index), ([], []))
        if index < len(across):
            members[0].append(index)
        else:
            members[1].append(index - len(across))
    return list(sets.values())


def _meet(across: Rule, down: Rule) -> bool:
    return across.start - REACH <= down.at <= across.end + REACH and down.start - REACH <= across.at <= down.end + REACH


def _grid(across: list[Rule], down: list[Rule]) -> Grid | None:
    """The grid of rules that hang together; the ends of the rules bound it where no rule does."""
    if len(across) < 2 or not down:  # noqa: PLR2004
        return None
    xs = _edges([rule.at for rule in down], [rule.start for rule in across], [rule.end for rule in across])
    ys = _edges([rule.at for rule in across], [rule.start for rule in down], [rule.end for rule in down])
    columns, rows = len(xs) - 1, len(ys) - 1
    if columns < 2 or rows < 2 or columns * rows > MAX_CELLS:  # noqa: PLR2004
        return None
    return Grid(tuple(xs), tuple(ys), tuple(down), tuple(across))


def _edges(places: Iterable[float], starts: Iterable[float], ends: Iterable[float]) -> list[float]:
    edges: list[float] = []
    for place in sorted({*places}):
        if not edges or place - edges[-1] > SNAP:
            edges.append(place)
    first, last = min(starts), max(ends)
    if first < edges[0] - 2 * REACH:
        edges.insert(0, first)
    if last > edges[-1] + 2 * REACH:
        edges.append(last)
    return edges


def _draft(grid: Grid, words: Sequence[Word]) -> TableDraft | None:
    inside = [word for word in words if not word.turns and _is_inside(word, grid)]
    if not inside:
        return None
    regions = _regions(grid)
    held: dict[_Region, list[Word]] = {}
    cut = 0
    for word in inside:
        region = regions[_index(grid.ys, (word.y0 + word.y1) / 2), _index(grid.xs, (word.x0 + word.x1) / 2)]
        held.setdefault(region, []).append(word)
        cut += _is_cut(word, grid.xs[region.column], grid.xs[region.column + region.columns])
    if not _is_table(held, set(regions.values()), len(inside), cut):
        return None
    return _drafted(held, inside)


def _is_inside(word: Word, grid: Grid) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return grid.xs[0] <= x <= grid.xs[-1] and grid.ys[0] <= y <= grid.ys[-1]


def _regions(grid: Grid) -> dict[tuple[int, int], _Region]:
    """The cell of each place of a grid: places that no rule parts are one."""
    rows, columns = len(grid.ys) - 1, len(grid.xs) - 1
    right = [_walls(grid.down, x, grid.ys) for x in grid.xs[1:]]
    below = [_walls(grid.across, y, grid.xs) for y in grid.ys[1:]]
    found: dict[tuple[int, int], _Region] = {}
    for row in range(rows):
        for column in range(columns):
            if (row, column) in found:
                continue
            width, height = 1, 1
            while (
                column + width < columns and not right[column + width - 1][row] and (row, column + width) not in found
            ):
                width += 1
            while row + height < rows and not any(below[row + height - 1][column : column + width]):
                height += 1
            region = _Region(row, column, height, width)
            for r in range(row, row + height):
                for c in range(column, column + width):
                    found.setdefault((r, c), region)
    return found


def _walls(rules: Iterable[Rule], at: float, edges: Sequence[float]) -> list[bool]:
    """For each stretch between two edges, whether a rule runs at a place over most of it."""
    near = [rule for rule in rules if abs(rule.at - at) <= SNAP]
    return [
        any(min(rule.end, end) - max(rule.start, start) > (end - start) / 2 for rule in near)
        for start, end in pairwise(edges)
    ]


def _index(edges: Sequence[float], place: float) -> int:
    return max(0, min(bisect_right(edges, place) - 1, len(edges) - 2))


def _is_cut(word: Word, x0: float, x1: float) -> bool:
    return max(x0 - word.x0, word.x1 - x1) > OUTSIDE * (word.x1 - word.x0)


def _is_table(held: dict[_Region, list[Word]], regions: set[_Region], words: int, cut: int) -> bool:
    if len(held) < FEWEST_CELLS or len(held) < FILLED * len(regions) or cut > MOST_CUT * words:
        return False
    rows, columns = {region.row for region in held}, {region.column for region in held}
    largest = max(len(found) for found in held.values())
    return len(rows) > 1 and len(columns) > 1 and largest <= MOST_IN_ONE * words


def _drafted(held: dict[_Region, list[Word]], words: Sequence[Word]) -> TableDraft:
    """The table, on the rows and columns in which a cell with text begins."""
    rows = sorted({region.row for region in held})
    columns = sorted({region.column for region in held})
    cells: list[WordCell] = []
    for region in sorted(held, key=lambda region: (region.row, region.column)):
        row, column = rows.index(region.row), columns.index(region.column)
        row_span = sum(region.row <= other < region.row + region.rows for other in rows)
        column_span = sum(region.column <= other < region.column + region.columns for other in columns)
        cells.append(WordCell(row, column, _in_order(held[region]), row_span, column_span))
    return TableDraft(len(rows), len(columns), _header_rows(cells), tuple(cells), tuple(words))


def _in_order(words: Sequence[Word]) -> tuple[Word, ...]:
    """The words of a cell, line by line."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.y0 + word.y1):
        if lines and (word.y0 + word.y1) / 2 < lines[-1][0].y1 and lines[-1][0].y0 <= (word.y0 + word.y1) / 2:
            lines[-1].append(word)
        else:
            lines.append([word])
    return tuple(word for line in lines for word in sorted(line, key=lambda word: word.x0))


def _header_rows(cells: Sequence[WordCell]) -> int:
    """1 where the first row is set apart: bold, or without a number where the rows below have some."""
    first = [word for cell in cells if cell.row == 0 for word in cell.words]
    rest = [word for cell in cells if cell.row for word in cell.words]
    bold = all(word.bold for word in first) and not all(word.bold for word in rest)
    has_digit = any(c.isdigit() for word in rest for c in word.text)
    plain = not any(c.isdigit() for word in first for c in word.text) and has_digit
    alone = len([cell for cell in cells if cell.row == 0]) > 1
    return int(alone and (bold or plain))
