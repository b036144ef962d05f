"""Columns whose cells are shaded one by one: each ground is as high as its row, and as wide as its column."""

from collections.abc import Iterable, Iterator, Sequence

from pincite.formats.pdf.page.rectangles import Rectangle
from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tables.striped import JOIN_TOLERANCE_PT, MAX_SHADES, SNAP_TOLERANCE_PT, shaded_rows

MIN_ROWS, MIN_RULED_ROWS = 3, 2
"""Grounds below each other that tell rows, that of the header included, and those above a rule of the whole table: two
without one may be a title and a box below it, or the first of a striped table."""
MIN_TEXT_BESIDE_SHARE = 0.6
"""Share of the grounds with text at their side: the others are lines of code, or boxes below each other."""
MAX_STACKS = 60
"""Shaded columns of a page that are examined; each is compared with all lines."""


def column_rules(lines: Sequence[Line], shades: Sequence[Rectangle], rules: Sequence[Rule]) -> Rules:
    """Return rules at the edges of rows and columns whose cells have grounds of their own.

    Args:
        lines: Visual lines of the page or of one of its columns, from the top.
        shades: Shaded areas of the page, as x0, y0, x1, y1.
        rules: Horizontal rules of the page.
    """
    edges = Rules()
    if not lines or not MIN_RULED_ROWS <= len(shades) <= MAX_SHADES:
        return edges
    # Lines are beside the grounds of another column of text, too.
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    shades = _outermost(shade for shade in shades if shade[0] < right and shade[2] > left)
    stacks = list(_stacks(shades))
    in_stacks = {cell for stack in stacks for cell in stack}
    alone = [shade for shade in shades if shade not in in_stacks]
    for stack in stacks if len(stacks) <= MAX_STACKS else ():
        x0, top, x1, bottom = stack[0][0], stack[0][1], stack[0][2], stack[-1][3]
        inside = [line for line in lines if top < (line.y0 + line.y1) / 2 < bottom]
        wide = [rule for rule in rules if _is_wider(rule, x0, top, x1, bottom)]
        is_closed = any(abs(rule.position - bottom) <= SNAP_TOLERANCE_PT for rule in wide)
        if len(stack) < (MIN_RULED_ROWS if is_closed else MIN_ROWS) or not _have_text_beside(stack, inside):
            continue
        # Without a rule of the table, a ground that is none of a column is that of a text beside it.
        neighbours = [area for area in alone if top < (area[1] + area[3]) / 2 < bottom]
        others = [] if wide else shaded_rows([*neighbours, *stack])
        start = min([x0, *(line.x0 for line in inside), *(rule.start for rule in wide)])
        start = max([start, *(row.x1 + 1 for row in others if row.x1 < x0)])
        end = max([x1, *(line.x1 for line in inside), *(rule.end for rule in wide)])
        end = min([end, *(row.x0 - 1 for row in others if row.x0 > x1)])
        positions = [top, *(cell[3] for cell in stack)]
        # Another shaded column of the same rows.
        known = (rule for rule in edges.horizontal if abs(rule.position - top) <= SNAP_TOLERANCE_PT)
        if not any(rule.start < x1 and rule.end > x0 for rule in known):
            edges.horizontal += [Rule(position, start, end) for position in positions]
        edges.vertical += [Rule(x, top, bottom) for x in (x0, x1) if start + SNAP_TOLERANCE_PT < x < end - 1]
    return edges


def _is_wider(rule: Rule, x0: float, top: float, x1: float, bottom: float) -> bool:
    """Return True if a rule at one of the rows of a column reaches beyond it."""
    is_at_rows = top - SNAP_TOLERANCE_PT <= rule.position <= bottom + SNAP_TOLERANCE_PT
    left, right = x0 - rule.start, rule.end - x1
    return is_at_rows and min(left, right) >= -JOIN_TOLERANCE_PT and max(left, right) >= JOIN_TOLERANCE_PT


def _outermost(shades: Iterable[Rectangle]) -> list[Rectangle]:
    """Return the areas that are in no other, from the top: Word shades cells, and the paragraphs in them again."""
    outermost: list[Rectangle] = []
    for shade in sorted(shades, key=lambda area: (area[1], -area[3])):
        # Those around it begin above it, and are among the last.
        left, right, bottom = shade[0] + SNAP_TOLERANCE_PT, shade[2] - SNAP_TOLERANCE_PT, shade[3] - SNAP_TOLERANCE_PT
        if not [x0 for x0, _, x1, y1 in outermost[-MAX_STACKS:] if y1 >= bottom and x0 <= left and x1 >= right]:
            outermost.append(shade)
    return outermost


def _stacks(shades: Sequence[Rectangle]) -> Iterator[list[Rectangle]]:
    """Yield areas of one width, each of which begins where the one above it ends."""
    by_ends: dict[tuple[int, int], list[Rectangle]] = {}
    for shade in sorted(shades, key=lambda area: area[1]):
        ends = round(shade[0] / JOIN_TOLERANCE_PT), round(shade[2] / JOIN_TOLERANCE_PT)
        by_ends.setdefault(ends, []).append(shade)
    for same in by_ends.values():
        stack = same[:1]
        for shade in same[1:]:
            if abs(shade[1] - stack[-1][3]) <= JOIN_TOLERANCE_PT:
                stack.append(shade)
                continue
            if len(stack) >= MIN_RULED_ROWS:
                yield stack
            stack = [shade]
        if len(stack) >= MIN_RULED_ROWS:
            yield stack


def _have_text_beside(stack: Sequence[Rectangle], lines: Sequence[Line]) -> bool:
    """Return True if most of the grounds have text at their side."""
    x0, x1 = stack[0][0], stack[0][2]
    wider = [line for line in lines if line.x0 < x0 - 1 or line.x1 > x1 + 1]
    count = sum(any(y0 < (line.y0 + line.y1) / 2 < y1 for line in wider) for _, y0, _, y1 in stack)
    return count >= MIN_TEXT_BESIDE_SHARE * len(stack)
