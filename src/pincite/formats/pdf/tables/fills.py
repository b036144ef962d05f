"""Rows that fills show: stripes behind every other row."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pincite.formats.pdf.page.rectangles import Rectangle
from pincite.formats.pdf.page.rules import Rule
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
