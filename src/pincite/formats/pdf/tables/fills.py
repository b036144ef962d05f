"""Rows and columns that fills show: stripes behind every other row, grounds of rows, and of cells one by one."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pincite.formats.pdf.page.rectangles import Rectangle
from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tables.joints import joints_of
from pincite.formats.pdf.tables.segments import rows_of
from pincite.formats.pdf.tables.table_rows import HEADING_SIZE_RATIO, MAX_HEADING_SEGMENTS

MIN_STRIPES = 2
"""Stripes of a table: a single one is a header or a box."""
MAX_SHADES = 2_000
"""Shaded areas of a page that are examined; bounds time for drawings."""
SNAP_TOLERANCE_PT = 1.5
"""Distance of edges that count as one."""
STEP_TOLERANCE_PT = 0.2
"""Difference of distances of lines that counts as none."""
JOIN_TOLERANCE_PT = 3.0
"""White between the shaded cells of one row."""
MAX_BAND_GAP_RATIO = 4.0
"""Height of an unshaded row, relative to the higher of the stripes around it; a larger gap parts two tables."""
MAX_HEADER_LINES = 4
"""Lines of a header above the first stripe."""
MAX_LEADING_EM = 1.45
"""Distance of two lines of one row."""
MAX_PADDING_EM = 1.0
"""White between a stripe and the text of the row below or above it."""
MAX_GROUNDS = 100
"""Rows of shaded areas; a page with more is a drawing, and each is compared with all rules and lines."""
MIN_ROWS, MIN_RULED_ROWS = 3, 2
"""Grounds below each other that tell rows, that of the header included, and those above a rule of the whole table: two
without one may be a title and a box below it, or the first of a striped table."""
MIN_TEXT_BESIDE_SHARE = 0.6
"""Share of the grounds with text at their side: the others are lines of code, or boxes below each other."""
MAX_STACKS = 60
"""Shaded columns of a page that are examined; each is compared with all lines."""


def stripe_rules(lines: Sequence[Line], shades: Sequence[Rectangle], rules: Sequence[Rule] = ()) -> list[Rule]:
    """Return horizontal rules at the edges of stripes, above the header and below an unshaded last row.

    They are as wide as a rule below the header, as some styles leave the first column unshaded.

    Args:
        lines: Visual lines of the page, from the top.
        shades: Shaded areas of the page, as x0, y0, x1, y1.
        rules: Horizontal rules of the page.
    """
    edges_of_rows: list[Rule] = []
    for table in _tables(lines, shaded_rows(shades)) if MIN_STRIPES <= len(shades) <= MAX_SHADES else ():
        x0, x1 = _width(table[0], rules)
        # Where stripes begin within the table, or end, columns do.
        ends_within = [x for x in (table[0].x0, table[0].x1) if x0 + JOIN_TOLERANCE_PT < x < x1 - JOIN_TOLERANCE_PT]
        edges = [
            (edge, tuple(sorted([*stripe.joints, *ends_within]))) for stripe in table for edge in (stripe.y0, stripe.y1)
        ]
        inside = [line for line in lines if line.x0 >= x0 - line.size and line.x1 <= x1 + line.size]
        above, below = _header_top(inside, table[0].y0), _last_bottom(inside, table[-1].y1, _leading(table, inside))
        ends = [(edge, ()) for edge in (above, below) if edge is not None]
        edges_of_rows += [Rule(edge, x0, x1, joints) for edge, joints in sorted([*edges, *ends])]
    return edges_of_rows


def _width(first: "Stripe", rules: Iterable[Rule]) -> tuple[float, float]:
    """Return the ends of a table: those of its first stripe, or of a rule right above it that reaches beyond them."""
    for rule in rules:
        is_close = abs(rule.position - first.y0) <= JOIN_TOLERANCE_PT
        if is_close and rule.start <= first.x0 + JOIN_TOLERANCE_PT and rule.end >= first.x1 - JOIN_TOLERANCE_PT:
            return min(rule.start, first.x0), max(rule.end, first.x1)
    return first.x0, first.x1


class Stripe(NamedTuple):
    """The shaded cells of a row, and where they meet."""

    x0: float
    y0: float
    x1: float
    y1: float
    joints: tuple[float, ...]


def shaded_rows(shades: Iterable[Rectangle]) -> list[Stripe]:
    """Join the shaded cells of each row, from the top."""
    rows: list[list[Rectangle]] = []
    x1 = 0.0
    for shade in sorted(shades, key=lambda area: (round(area[1] / SNAP_TOLERANCE_PT), area[0])):
        _, y0, _, y1 = rows[-1][0] if rows else (0.0, 0.0, 0.0, 0.0)
        is_level = rows and max(abs(shade[1] - y0), abs(shade[3] - y1)) <= SNAP_TOLERANCE_PT
        if is_level and shade[0] - x1 <= JOIN_TOLERANCE_PT:
            rows[-1].append(shade)
            x1 = max(x1, shade[2])
        else:
            rows.append([shade])
            x1 = shade[2]
    return [_stripe(cells) for cells in rows]


def _stripe(cells: Sequence[Rectangle]) -> Stripe:
    if len(cells) == 1:
        return Stripe(*cells[0], ())
    joints = joints_of([Rule(cell[1], cell[0], cell[2]) for cell in cells])
    return Stripe(cells[0][0], cells[0][1], max(cell[2] for cell in cells), cells[0][3], joints)


def _tables(lines: Sequence[Line], rows: Iterable[Stripe]) -> Iterator[list[Stripe]]:
    """Yield stripes of one width with text behind them and in the white between them."""
    by_ends: dict[tuple[int, int], list[Stripe]] = {}
    for row in rows:
        if any(row[1] <= (line.y0 + line.y1) / 2 <= row[3] for line in lines):
            ends = round(row[0] / JOIN_TOLERANCE_PT), round(row[2] / JOIN_TOLERANCE_PT)
            by_ends.setdefault(ends, []).append(row)
    for same in by_ends.values():
        table: list[Stripe] = []
        ordered = sorted(same, key=lambda area: area[1])
        for row in ordered:
            if table and not _alternates(table[-1], row, lines):
                if len(table) >= MIN_STRIPES:
                    yield table
                table = []
            table.append(row)
        if len(table) >= MIN_STRIPES:
            yield table


def _alternates(stripe: Stripe, following: Stripe, lines: Iterable[Line]) -> bool:
    """Return True if there is text between two stripes, and neither much white nor a heading."""
    gap = following[1] - stripe[3]
    height = max(stripe[3] - stripe[1], following[3] - following[1])
    behind = [line for line in lines if stripe[1] <= (line.y0 + line.y1) / 2 <= stripe[3]]
    between = [line for line in lines if stripe[3] < (line.y0 + line.y1) / 2 < following[1]]
    is_text = bool(between) and not _is_larger(between, behind) and not _are_headings(behind, between)
    return is_text and gap <= MAX_BAND_GAP_RATIO * height


def _leading(table: Sequence[Stripe], lines: Sequence[Line]) -> float:
    """Return the greatest distance of two lines behind one stripe."""
    behind = ([line for line in lines if row.y0 <= (line.y0 + line.y1) / 2 <= row.y1] for row in table)
    return max((below.y1 - line.y1 for row in behind for line, below in pairwise(row)), default=0.0)


def _is_larger(lines: Sequence[Line], others: Sequence[Line]) -> bool:
    return max(line.size for line in lines) > HEADING_SIZE_RATIO * max(line.size for line in others)


def _are_headings(lines: Sequence[Line], rows: Sequence[Line]) -> bool:
    """Return True if all lines are in larger type than rows, with no more texts than a heading and its number."""
    return all(_is_larger([line], rows) and len(rows_of([line])[0].segments) <= MAX_HEADING_SEGMENTS for line in lines)


def _header_top(lines: Sequence[Line], edge: float) -> float | None:
    """Return the upper edge of the lines directly above the first stripe; None unless they name several columns."""
    header: list[Line] = []
    for line in reversed([line for line in lines if (line.y0 + line.y1) / 2 < edge]):
        lower = header[-1].y0 if header else edge
        if lower - line.y1 > MAX_PADDING_EM * line.size / (2 if header else 1) or len(header) == MAX_HEADER_LINES:
            break
        if header and line.size > HEADING_SIZE_RATIO * header[-1].size:
            break
        header.append(line)
    # A title above the header is one segment.
    while header and len(rows_of([header[-1]])[0].segments) == 1:
        header.pop()
    return header[-1].y0 - SNAP_TOLERANCE_PT if header else None


def _last_bottom(lines: Sequence[Line], edge: float, leading: float) -> float | None:
    """Return the lower edge of an unshaded row directly below the last stripe; None without one.

    Args:
        lines: Lines of the table's width, from the top.
        edge: Lower edge of the last stripe.
        leading: Distance of lines of one row, where stripes have several.
    """
    row: list[Line] = []
    for line in (line for line in lines if (line.y0 + line.y1) / 2 > edge):
        upper = row[-1].y1 if row else edge
        is_near = line.y0 - upper <= MAX_PADDING_EM * line.size / (2 if row else 1)
        is_near = is_near or (bool(row) and line.y1 - upper <= leading + SNAP_TOLERANCE_PT)
        if not is_near or (not row and len(rows_of([line])[0].segments) == 1):
            break
        row.append(line)
    # Other rows end further from the text than lines of one row are apart.
    steps = [(below.y1 - line.y1, max(MAX_LEADING_EM * line.size, leading)) for line, below in pairwise(row)]
    count = next((n for n, (step, most) in enumerate(steps, 1) if step > most + STEP_TOLERANCE_PT), len(row))
    return row[count - 1].y1 + SNAP_TOLERANCE_PT if row else None


def ground_rules(lines: Sequence[Line], shades: Sequence[Rectangle], rules: Iterable[Rule]) -> list[Rule]:
    """Return horizontal rules at the edges of grounds behind headers.

    Args:
        lines: Visual lines of the page or of one of its columns, from the top.
        shades: Shaded areas of the page, as x0, y0, x1, y1.
        rules: Horizontal rules of the page.
    """
    if not 0 < len(shades) <= MAX_SHADES:
        return []
    rows = shaded_rows(shades)
    if len(rows) > MAX_GROUNDS:
        return []
    edges: list[Rule] = []
    horizontal = list(rules)
    for row in rows:
        x0, top, x1, bottom, joints = row
        inside = [line for line in lines if top < (line.y0 + line.y1) / 2 < bottom and line.x0 < x1 and line.x1 > x0]
        if not inside or any(_belongs_to(row, other) for other in rows):
            continue
        below = [
            rule for rule in horizontal if rule.position > bottom - SNAP_TOLERANCE_PT and _is_as_wide(rule, x0, x1)
        ]
        if below or joints:
            edges += [Rule(top, x0, x1, joints)] if below else []
            edges.append(Rule(bottom, x0, x1, joints))
    return edges


def _is_as_wide(rule: Rule, x0: float, x1: float) -> bool:
    return max(abs(rule.start - x0), abs(rule.end - x1)) <= JOIN_TOLERANCE_PT


def _belongs_to(row: Stripe, other: Stripe) -> bool:
    """Return True if a shaded row is close above or below another: they are stripes, rows, or parts of a drawing."""
    is_beside = other.x0 < row.x1 and other.x1 > row.x0 and other is not row
    gap = MAX_BAND_GAP_RATIO * max(row.y1 - row.y0, other.y1 - other.y0)
    return is_beside and row.y0 <= other.y1 + gap and row.y1 >= other.y0 - gap


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
