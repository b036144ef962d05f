"""Ruled tables: grids of intersecting ruling lines, their cells, and the words inside."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line, Word, visual_lines
from pincite.formats.pdf.tables.draft import TableDraft, WordCell

JOINT_TOLERANCE_PT = 1.0
"""Distance of the ends of two pieces that meet, and of two such places that count as one."""
MAX_JOINTS = 60
"""Places where pieces of one rule meet; a rule with more is a dotted one."""
MIN_SHARING_RULES = 2
"""Rules with pieces that meet at a place; a place of one rule alone counts if no more than two have any."""
SNAP_TOLERANCE_PT = 2.0
"""Distance of parallel rules that count as one."""
JOIN_TOLERANCE_PT = 3.0
"""Distance by which rules may miss each other and still join or intersect, as in pdfplumber's defaults."""
MAX_RULES = 600
"""Rules of one direction; a page with more is a drawing, and checking all pairs takes quadratic time."""
MAX_CELLS = 10_000
"""Cells of one grid; bounds time and memory for crafted pages."""
MIN_RULE_LENGTH_PT = 4.0
"""A shorter rule separates no cells."""
MIN_TEXT_CELLS = 4
"""Cells with text; fewer make a frame, not a table."""
MIN_FILLED_SHARE = 0.3
"""Share of cells with text; less is a form or a drawing."""
MAX_SHARE_IN_ONE_CELL = 0.7
"""Share of the words in the fullest cell; more is a frame around text."""
MAX_OVERHANG_SHARE = 0.3
"""Share of a word's width outside of its cell above which a rule cuts the word."""
MAX_CUT_SHARE = 0.04
"""Share of words cut by rules; more means that the rules are a drawing behind text."""
MIN_GUTTER_EM = 0.7
"""White between two columns without a rule; a space is a third of that."""
MIN_SPLIT_ROWS, MIN_SPLIT_ROW_SHARE = 4, 0.8
"""Rows next to a cell and the share of them with a line of it, from which the lines are cells; fewer may wrap."""


def joints_of(pieces: Sequence[Rule]) -> tuple[float, ...]:
    """Return the places where pieces of one rule meet, ascending.

    Args:
        pieces: Collinear rules, by start.
    """
    ends = sorted({piece.end for piece in pieces})
    joints: list[float] = []
    for piece in pieces:
        index = bisect_left(ends, piece.start - JOINT_TOLERANCE_PT)
        is_met = index < len(ends) and ends[index] <= piece.start + JOINT_TOLERANCE_PT
        if is_met and (not joints or piece.start > joints[-1] + JOINT_TOLERANCE_PT):
            joints.append(piece.start)
    return tuple(joints) if len(joints) <= MAX_JOINTS else ()


def shared_joints(rules: Iterable[Rule]) -> tuple[float, ...]:
    """Return the places where pieces of the rules of a table meet, ascending."""
    jointed = [rule.joints for rule in rules if rule.joints]
    if not jointed:
        return ()
    needed = MIN_SHARING_RULES if len(jointed) > MIN_SHARING_RULES else 1
    groups: list[list[float]] = []
    for joint in sorted(joint for joints in jointed for joint in joints):
        if groups and joint <= groups[-1][0] + JOINT_TOLERANCE_PT:
            groups[-1].append(joint)
        else:
            groups.append([joint])
    return tuple(group[0] for group in groups if len(group) >= needed)


def crosses_any(line: Line, walls: Sequence[float]) -> bool:
    """Return True if a word of a line crosses a wall."""
    # No `any` over pairs: where cells draw their own borders, this runs for all lines of a table, several times.
    for wall in walls:
        before, behind = wall - 1, wall + 1
        for word in line.words:
            if word.x0 < before and word.x1 > behind:
                return True
    return False


def fill_columns(lines: Sequence[Line], walls: Sequence[float], least: int = 2) -> bool:
    """Return True if words are in so many of the columns between walls, and none crosses a wall."""
    if not walls or any(crosses_any(line, walls) for line in lines):
        return False
    return len({bisect_left(walls, (word.x0 + word.x1) / 2) for line in lines for word in line.words}) >= least


@dataclass(frozen=True, slots=True)
class Grid:
    """Grid of intersecting rules, in points from the top left.

    Attributes:
        xs: Column edges, ascending.
        ys: Row edges, ascending.
        vertical: Rules that separate columns; one may cover only part of the height.
        horizontal: Rules that separate rows.
    """

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    vertical: tuple[Rule, ...]
    horizontal: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class _Region:
    """A cell as rows and columns of the grid."""

    row: int
    column: int
    rows: int
    columns: int


class MergedRules(NamedTuple):
    """Horizontal and vertical rules whose collinear pieces are merged."""

    horizontal: list[Rule]
    vertical: list[Rule]


def merged_rules(rules: Rules) -> MergedRules:
    """Merge the rules of a page in both directions."""
    return MergedRules(merge_rules(rules.horizontal), merge_rules(rules.vertical))


def find_ruled(words: Sequence[Word], rules: MergedRules) -> list[TableDraft]:
    """Detect the ruled tables of a page, from the top; turned words count in cells of their own."""
    drafts = [draft for grid in grids(rules) if (draft := _draft(grid, words)) is not None]
    return sorted(drafts, key=lambda draft: min(word.y0 for word in draft.words))


def grids(rules: MergedRules) -> list[Grid]:
    """Return the grids of a page's rules; none if there are more than `MAX_RULES`."""
    horizontal, vertical = rules
    if len(horizontal) < 2 or len(vertical) < 2 or max(len(horizontal), len(vertical)) > MAX_RULES:  # noqa: PLR2004
        return []
    candidates = [
        _grid([horizontal[i] for i in row_rules], [vertical[i] for i in column_rules])
        for row_rules, column_rules in _connected(horizontal, vertical)
    ]
    return [grid for grid in candidates if grid is not None]


def merge_rules(rules: Iterable[Rule]) -> list[Rule]:
    """Merge collinear rules that touch, and drop those shorter than `MIN_RULE_LENGTH_PT`."""
    collinear: list[list[Rule]] = []
    for rule in sorted((rule for rule in rules if rule.end > rule.start), key=lambda rule: rule.position):
        if collinear and rule.position - collinear[-1][0].position <= SNAP_TOLERANCE_PT:
            collinear[-1].append(rule)
        else:
            collinear.append([rule])
    result: list[Rule] = []
    for line in collinear:
        mean_position = sum(rule.position for rule in line) / len(line)
        line.sort(key=lambda rule: rule.start)
        pieces: list[Rule] = []
        end = line[0].end
        for rule in line:
            if pieces and rule.start - end > JOIN_TOLERANCE_PT:
                result.append(_merged(pieces, mean_position, end))
                pieces = []
            end = max(end, rule.end) if pieces else rule.end
            pieces.append(rule)
        result.append(_merged(pieces, mean_position, end))
    return [rule for rule in result if rule.end - rule.start >= MIN_RULE_LENGTH_PT]


def _merged(pieces: Sequence[Rule], position: float, end: float) -> Rule:
    if len(pieces) == 1:
        return Rule(position, pieces[0].start, end, pieces[0].joints)
    joints = max((joints_of(pieces), *(piece.joints for piece in pieces)), key=len)
    return Rule(position, pieces[0].start, end, joints)


def _connected(horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> list[tuple[list[int], list[int]]]:
    """Return the connected sets of intersecting rules, as indices, by union-find."""
    owner = list(range(len(horizontal) + len(vertical)))

    def root(index: int) -> int:
        while owner[index] != index:
            # Path halving keeps the trees flat.
            owner[index] = owner[owner[index]]
            index = owner[index]
        return index

    for i, one in enumerate(horizontal):
        for j, other in enumerate(vertical, len(horizontal)):
            if _intersect(one, other):
                owner[root(i)] = root(j)
    sets: dict[int, tuple[list[int], list[int]]] = {}
    for index in range(len(owner)):
        members = sets.setdefault(root(index), ([], []))
        if index < len(horizontal):
            members[0].append(index)
        else:
            members[1].append(index - len(horizontal))
    return list(sets.values())


def _intersect(horizontal: Rule, vertical: Rule) -> bool:
    return (
        horizontal.start - JOIN_TOLERANCE_PT <= vertical.position <= horizontal.end + JOIN_TOLERANCE_PT
        and vertical.start - JOIN_TOLERANCE_PT <= horizontal.position <= vertical.end + JOIN_TOLERANCE_PT
    )


def _grid(horizontal: list[Rule], vertical: list[Rule]) -> Grid | None:
    """Build the grid of connected rules; the rules' ends bound it on sides without a rule."""
    if len(horizontal) < 2 or not vertical:  # noqa: PLR2004
        return None
    xs = _edges(
        [rule.position for rule in vertical], [rule.start for rule in horizontal], [rule.end for rule in horizontal]
    )
    ys = _edges(
        [rule.position for rule in horizontal], [rule.start for rule in vertical], [rule.end for rule in vertical]
    )
    columns, rows = len(xs) - 1, len(ys) - 1
    if columns < 2 or rows < 2 or columns * rows > MAX_CELLS:  # noqa: PLR2004
        return None
    return Grid(tuple(xs), tuple(ys), tuple(vertical), tuple(horizontal))


def _edges(positions: Iterable[float], starts: Iterable[float], ends: Iterable[float]) -> list[float]:
    edges: list[float] = []
    for position in sorted({*positions}):
        if not edges or position - edges[-1] > SNAP_TOLERANCE_PT:
            edges.append(position)
    first, last = min(starts), max(ends)
    # A table without a left or right border still ends where its horizontal rules do.
    if first < edges[0] - 2 * JOIN_TOLERANCE_PT:
        edges.insert(0, first)
    if last > edges[-1] + 2 * JOIN_TOLERANCE_PT:
        edges.append(last)
    return edges


def _draft(grid: Grid, words: Sequence[Word]) -> TableDraft | None:
    inner_words = [word for word in words if not word.turns and _is_inside(word, grid)]
    if not inner_words:
        return None
    regions = _regions(grid)
    words_by_region: dict[_Region, list[Word]] = {}
    cut_words = 0
    for word in inner_words:
        region = _region_of(word, grid, regions)
        words_by_region.setdefault(region, []).append(word)
        cut_words += _is_cut(word, grid.xs[region.column], grid.xs[region.column + region.columns])
    if not _is_table(words_by_region, set(regions.values()), len(inner_words), cut_words):
        return None
    split = _split_regions(words_by_region, grid)
    turned = [word for word in words if word.turns and _is_inside(word, grid)]
    for word in sorted(turned, key=lambda word: word.first):
        region = _region_of(word, grid, regions)
        # Names of narrow columns stand upright; turned words between others are no text of a cell.
        if region not in words_by_region:
            split.setdefault(region, []).append(word)
            inner_words.append(word)
    sides = (*(_walls(grid.vertical, x, grid.ys) for x in (grid.xs[0], grid.xs[-1])),
             *(_walls(grid.horizontal, y, grid.xs) for y in (grid.ys[0], grid.ys[-1])))  # fmt: skip
    return replace(_build_draft(split, inner_words), is_framed=all(map(all, sides)))


def _region_of(word: Word, grid: Grid, regions: Mapping[tuple[int, int], _Region]) -> _Region:
    """Return the cell that contains the middle of a word."""
    return regions[_interval_of(grid.ys, (word.y0 + word.y1) / 2), _interval_of(grid.xs, (word.x0 + word.x1) / 2)]


def _split_regions(words_by_region: Mapping[_Region, list[Word]], grid: Grid) -> dict[_Region, list[Word]]:
    """Split cells where rules of other rows and columns go on as white: many grids rule rows or columns alone."""
    split: dict[_Region, list[Word]] = {}
    for region, words in words_by_region.items():
        for band, line in _rows_of(region, words, grid.ys).items():
            columns = _columns_of(region, line, grid.xs)
            row, rows = (region.row, region.rows) if band is None else (band, 1)
            for column, cell_words in columns.items():
                first, count = (region.column, region.columns) if column is None else (column, 1)
                split.setdefault(_Region(row, first, rows, count), []).extend(cell_words)
    return split


def _rows_of(region: _Region, words: list[Word], ys: Sequence[float]) -> dict[int | None, list[Word]]:
    """Return the words of a cell by row; under None unless each row has one of its lines."""
    if region.rows < MIN_SPLIT_ROWS:
        return {None: words}
    by_row: dict[int | None, list[Word]] = {}
    for word in words:
        by_row.setdefault(_interval_of(ys, (word.y0 + word.y1) / 2), []).append(word)
    are_lines = all(max(word.y0 for word in line) < min(word.y1 for word in line) for line in by_row.values())
    return by_row if are_lines and len(by_row) >= MIN_SPLIT_ROW_SHARE * region.rows else {None: words}


def _columns_of(region: _Region, words: list[Word], xs: Sequence[float]) -> dict[int | None, list[Word]]:
    """Return the words of a cell by column; under None if text crosses an edge or is in one column."""
    by_column: dict[int | None, list[Word]] = {}
    if region.columns > 1:
        for word in words:
            column = _interval_of(xs, (word.x0 + word.x1) / 2)
            if _is_cut(word, xs[column], xs[column + 1]):
                return {None: words}
            by_column.setdefault(column, []).append(word)
    if len(by_column) < 2:  # noqa: PLR2004
        return {None: words}
    for line in visual_lines(words):
        for one, other in pairwise(line.words):
            is_close = other.x0 - one.x1 < MIN_GUTTER_EM * line.size
            if is_close and _interval_of(xs, (one.x0 + one.x1) / 2) != _interval_of(xs, (other.x0 + other.x1) / 2):
                return {None: words}
    return by_column


def _is_inside(word: Word, grid: Grid) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return grid.xs[0] <= x <= grid.xs[-1] and grid.ys[0] <= y <= grid.ys[-1]


def _regions(grid: Grid) -> dict[tuple[int, int], _Region]:
    """Map each (row, column) of a grid to its cell; positions without a rule between them share one."""
    rows, columns = len(grid.ys) - 1, len(grid.xs) - 1
    right = [_walls(grid.vertical, x, grid.ys) for x in grid.xs[1:]]
    below = [_walls(grid.horizontal, y, grid.xs) for y in grid.ys[1:]]
    regions: dict[tuple[int, int], _Region] = {}
    for row in range(rows):
        for column in range(columns):
            if (row, column) in regions:
                continue
            # Widen first, then extend down while no wall crosses the whole width: cells are rectangles.
            width, height = 1, 1
            while (
                column + width < columns and not right[column + width - 1][row] and (row, column + width) not in regions
            ):
                width += 1
            while (
                row + height < rows
                and not any(below[row + height - 1][column : column + width])
                and not any(right[inner][row + height] for inner in range(column, column + width - 1))
            ):
                height += 1
            region = _Region(row, column, height, width)
            for r in range(row, row + height):
                for c in range(column, column + width):
                    regions.setdefault((r, c), region)
    return regions


def _walls(rules: Iterable[Rule], position: float, edges: Sequence[float]) -> list[bool]:
    """Return, for each interval between edges, True if a rule at `position` covers most of it."""
    near = [rule for rule in rules if abs(rule.position - position) <= SNAP_TOLERANCE_PT]
    return [
        any(min(rule.end, end) - max(rule.start, start) > (end - start) / 2 for rule in near)
        for start, end in pairwise(edges)
    ]


def _interval_of(edges: Sequence[float], position: float) -> int:
    return max(0, min(bisect_right(edges, position) - 1, len(edges) - 2))


def _is_cut(word: Word, x0: float, x1: float) -> bool:
    return max(x0 - word.x0, word.x1 - x1) > MAX_OVERHANG_SHARE * (word.x1 - word.x0)


def _is_table(
    words_by_region: dict[_Region, list[Word]], regions: set[_Region], word_count: int, cut_words: int
) -> bool:
    if (
        len(words_by_region) < MIN_TEXT_CELLS
        or len(words_by_region) < MIN_FILLED_SHARE * len(regions)
        or cut_words > MAX_CUT_SHARE * word_count
    ):
        return False
    rows, columns = {region.row for region in words_by_region}, {region.column for region in words_by_region}
    largest = max(len(cell_words) for cell_words in words_by_region.values())
    return len(rows) > 1 and len(columns) > 1 and largest <= MAX_SHARE_IN_ONE_CELL * word_count


def _build_draft(words_by_region: dict[_Region, list[Word]], words: Sequence[Word]) -> TableDraft:
    """Build the draft, on the rows and columns in which a cell with text begins.

    Args:
        words_by_region: The words of each cell.
        words: Those of the table.
    """
    rows = sorted({region.row for region in words_by_region})
    columns = sorted({region.column for region in words_by_region})
    cells: list[WordCell] = []
    for region in sorted(words_by_region, key=lambda region: (region.row, region.column)):
        row, column = rows.index(region.row), columns.index(region.column)
        row_span = sum(region.row <= other < region.row + region.rows for other in rows)
        column_span = sum(region.column <= other < region.column + region.columns for other in columns)
        cells.append(WordCell(row, column, _reading_order(words_by_region[region]), row_span, column_span))
    return TableDraft(len(rows), len(columns), _count_header_rows(cells), tuple(cells), tuple(words))


def _reading_order(words: Sequence[Word]) -> tuple[Word, ...]:
    """Sort the words of a cell by line, then from the left; turned ones are in file order."""
    if words[0].turns:
        return tuple(words)
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.y0 + word.y1):
        if lines and (word.y0 + word.y1) / 2 < lines[-1][0].y1 and lines[-1][0].y0 <= (word.y0 + word.y1) / 2:
            lines[-1].append(word)
        else:
            lines.append([word])
    return tuple(word for line in lines for word in sorted(line, key=lambda word: word.x0))


def _count_header_rows(cells: Sequence[WordCell]) -> int:
    """Return 1 if the first row is a header: bold, or without digits above rows with some; else 0."""
    header_words = [word for cell in cells if cell.row == 0 for word in cell.words]
    body_words = [word for cell in cells if cell.row for word in cell.words]
    is_bold = all(word.bold for word in header_words) and not all(word.bold for word in body_words)
    has_digit = any(c.isdigit() for word in body_words for c in word.text)
    is_plain = not any(c.isdigit() for word in header_words for c in word.text) and has_digit
    has_several = len([cell for cell in cells if cell.row == 0]) > 1
    return int(has_several and (is_bold or is_plain))
