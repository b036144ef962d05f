"""Rules of cells that each draw their own, with white between the columns: together they are rules of the table."""

from collections.abc import Sequence
from itertools import pairwise

from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tables.joints import MAX_JOINTS

MIN_ROWS = 3
"""Rows whose rules have the same ends; fewer are lines below the names of columns, or above and below a sum."""
MIN_GUTTER_PT, MAX_GUTTER_PT = 3.0, 10.0
"""White between the rules of two cells; closer ones meet, further apart are those of tables in two columns of text."""
SAME_PLACE_PT = 1.0
"""Distance of two rules, or of their ends, that count as one."""

_Ends = tuple[tuple[int, int], ...]


def joined_cell_rules(rules: Sequence[Rule], lines: Sequence[Line]) -> list[Rule]:
    """Return horizontal rules, with those of the cells of a row joined where several rows have the same.

    Their joints are in the white between the cells. Rules below figures alone, as sums of statements have them, leave
    labels at their left, and stay as they are.

    Args:
        rules: Horizontal rules, in any order.
        lines: Lines of the page.
    """
    rows = _rows_of(rules)
    by_ends: dict[_Ends, list[list[Rule]]] = {}
    for row in rows:
        if 1 < len(row) <= MAX_JOINTS and all(b.start - a.end > MIN_GUTTER_PT for a, b in pairwise(row)):
            by_ends.setdefault(_ends(row), []).append(row)
    tables = [same for same in by_ends.values() if len(same) >= MIN_ROWS and not _leave_text(same, lines)]
    if not tables:
        return [*rules]
    cells = {end for same in tables for end in _ends(same[0])}
    starts, stops = {start for start, _ in cells}, {stop for _, stop in cells}
    joined: list[Rule] = []
    for row in rows:
        # A cell of the header may span several columns.
        is_of_table = all(start in starts and stop in stops for start, stop in _ends(row))
        joined += [_joined(row)] if is_of_table else row
    return joined


def _rows_of(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Group rules at one height, with gutters between them; what is drawn twice counts once."""
    rows: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda rule: (round(rule.position / SAME_PLACE_PT), rule.start)):
        last = rows[-1][-1] if rows else None
        if last is None or abs(rule.position - last.position) > SAME_PLACE_PT or rule.start > last.end + MAX_GUTTER_PT:
            rows.append([rule])
        elif rule.start >= last.end:
            rows[-1].append(rule)
        elif rule.end > last.end + SAME_PLACE_PT:
            rows.append([rule])
    return rows


def _leave_text(rows: Sequence[Sequence[Rule]], lines: Sequence[Line]) -> bool:
    """Return True if text between the rules of rows begins left of them or ends right of them."""
    top, bottom = rows[0][0].position, rows[-1][0].position
    start, end = rows[0][0].start, rows[0][-1].end
    return any(
        top < (line.y0 + line.y1) / 2 < bottom and (line.x0 < start - line.size or line.x1 > end + line.size)
        for line in lines
    )


def _ends(row: Sequence[Rule]) -> _Ends:
    return tuple((round(rule.start / SAME_PLACE_PT), round(rule.end / SAME_PLACE_PT)) for rule in row)


def _joined(row: Sequence[Rule]) -> Rule:
    joints = tuple((rule.end + following.start) / 2 for rule, following in pairwise(row))
    return Rule(row[0].position, row[0].start, row[-1].end, joints)
