"""Bands of lines between horizontal rules of one width, or next to vertical rules of one height."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import Line, Word, line_of
from pincite.formats.pdf.tables.ruled import JOIN_TOLERANCE_PT, MIN_GUTTER_EM, crosses_any, fill_columns, shared_joints
from pincite.formats.pdf.tables.spanned_names import (
    MAX_HEADER_STEP_EM,
    are_bold,
    are_italic,
    are_styled,
    segments_of,
    spans_all,
    spans_columns,
    spans_each,
)
from pincite.formats.pdf.tables.table_rows import (
    HEADING_SIZE_RATIO,
    LEFT_EDGE_TOLERANCE_EM,
    MIN_PROSE_WORDS,
)

MIN_WIDTH_EM = 8.0
"""Width of the rules of a table; shorter ones underline words or sums."""
MAX_HEADER_LINES = 4
"""Lines of a header above its rule."""
MAX_ROW_GAP_EM = 3.0
"""White that ends a table without a rule at its end."""
MAX_LEADING_EM = 1.45
"""Distance of two lines of one cell."""
EDGE_TOLERANCE_EM = 0.06
"""Distance of a word's left edge from that of its column's name: narrow columns have little white between them."""
MAX_WRAPPED_TITLE_SHARE = 0.4
"""Width of a title of some rows that wraps, as a share of the rules'."""
MAX_PROSE_SHARE = 0.2
"""Share of lines of one segment across most of the width from which the space between two rules is running text."""
MIN_PROSE_WIDTH_SHARE = 0.6
"""Width of such a line, as a share of the rules'."""


@dataclass(frozen=True, slots=True)
class Band:
    """Lines between two rules.

    Attributes:
        top: Of the upper rule, in points.
        bottom: Of the lower rule.
        lines: From the top, each cut to the rules' width.
        walls: Where pieces of the rules meet: of these two, or of all of the table.
        has_borders: True if pieces of all rules of the table meet at all walls, as the borders of its cells do.
    """

    top: float
    bottom: float
    lines: tuple[Line, ...]
    walls: tuple[float, ...] = ()
    has_borders: bool = False


def bands_of_tables(lines: Sequence[Line], rules: Sequence[Rule]) -> Iterator[list[Band]]:
    """Yield the bands of each table, by rules of one width; the first band is the header if there are several."""
    for same in of_one_width(rules):
        edges = [rule.position for rule in same]
        x0, x1 = min(rule.start for rule in same), max(rule.end for rule in same)
        # Most rules of a page have no text between them.
        cuts = [(rule, below, _cut(lines, x0, x1, rule.position, below.position)) for rule, below in pairwise(same)]
        bands = [_without_title(_band(rule, below, inside)) for rule, below, inside in cuts if inside]
        ends: list[float] = []
        for run in _runs(bands, x1 - x0):
            header = _styled_header(lines, x0, x1, run[0])
            title = None if header else next((band for band in bands if band.bottom == run[0].top), None)
            if title is not None and _is_group_title(title, run[0], x1 - x0):
                header = _styled_header(lines, x0, x1, title)
                run = [title, *run] if header else run  # noqa: PLW2901 - the title is a row of it
            yield _with_walls([*header, *run], same)
            ends += [run[0].top, run[-1].bottom]
        for index, rule in enumerate(same):
            # A rule that no table has on both sides may be the one below a header.
            if not any(top <= rule.position <= bottom for top, bottom in zip(ends[::2], ends[1::2], strict=True)):
                open_bands = bands_below_header(lines, x0, x1, rule.position, edges[index + 1 :], rule.joints)
                if open_bands:
                    yield _with_walls(open_bands, same)


def _band(top: Rule, bottom: Rule, lines: tuple[Line, ...]) -> Band:
    return Band(top.position, bottom.position, lines, shared_joints([top, bottom]))


def _with_walls(bands: Sequence[Band], rules: Iterable[Rule]) -> list[Band]:
    """Return the bands of a table with the places where pieces of its rules meet, if only phrases cross these."""
    inside = [rule for rule in rules if bands[0].top <= rule.position <= bands[-1].bottom]
    walls = shared_joints(inside)
    if _have_other_cells([line for band in bands for line in band.lines], walls):
        walls = ()
    has_borders = bool(walls) and all(len(rule.joints) == len(walls) for rule in inside)
    return [replace(band, walls=walls, has_borders=has_borders) for band in bands]


def _have_other_cells(lines: Iterable[Line], walls: Sequence[float]) -> bool:
    """Return True if words cross walls in a line that is no single phrase."""
    return any(len(segments_of(line)) > 1 for line in lines if crosses_any(line, walls))


def _without_title(band: Band) -> Band:
    """Return a band without titles above a header: the table above them ends there, whatever rules go on.

    Where cells draw their own borders, such names of all columns are a header, and all lines above the text before it.
    """
    walls = band.walls
    above = max((number for number, line in enumerate(band.lines, 1) if crosses_any(line, walls)), default=0)
    names = band.lines[above:] if above else ()
    if names and are_styled(_words_of(names)) and fill_columns(names, walls, len(walls) + 1):
        return replace(band, top=(band.lines[above - 1].y1 + names[0].y0) / 2, lines=names)
    return band


def _styled_header(lines: Sequence[Line], x0: float, x1: float, first: Band) -> list[Band]:
    """Return the band of a bold or italic header above the first rule of a table: rules may be below each row alone."""
    above = _line_above(lines, x0, x1, first.top)
    names = first.lines[0]
    is_phrase = above is not None and above.size <= HEADING_SIZE_RATIO * names.size
    is_styled = above is not None and are_styled((*above.words, *names.words)) and spans_each(above, names)
    if above is not None and is_phrase and (is_styled or spans_all(above, names)):
        return [Band(above.y0, first.top, (above,))]
    header = _header_lines(lines, x0, x1, first.top, first.walls)
    words = _words_of(header)
    is_styled = are_bold(words) > are_bold(names.words) or are_italic(words) > are_italic(names.words)
    return [Band(header[0].y0, first.top, tuple(header))] if words and is_styled else []


def _words_of(lines: Iterable[Line]) -> list[Word]:
    return [word for line in lines for word in line.words]


def _line_above(lines: Sequence[Line], x0: float, x1: float, rule: float) -> Line | None:
    """Return the line directly above a rule, cut to its width; none if it runs out of it."""
    above = [line for line in lines if line.y1 < rule + line.size / 2 and (line.y0 + line.y1) / 2 < rule]
    part = _cut(above[-1:], x0, x1, above[-1].y0 - 1, rule) if above else ()
    return part[0] if part and rule - part[0].y1 <= MAX_HEADER_STEP_EM * part[0].size else None


def _runs(bands: Sequence[Band], width: float) -> Iterator[list[Band]]:
    """Yield runs of adjoining bands with rows; a title of some rows is one of them, a heading is not."""
    run: list[Band] = []
    last: Band | None = None
    for band in (*bands, None):
        spanning, last = last, band
        adjoins = bool(run) and band is not None and run[-1].bottom == band.top and not _begins_other_table(run, band)
        is_tabular = band is not None and _is_tabular(band, width)
        if band is not None and adjoins and (is_tabular or _is_group_title(band, run[-1], width)):
            run.append(band)
            continue
        while run and not _is_tabular(run[-1], width):
            run.pop()
        if len(run) > 1:
            yield run
        run = [band] if band is not None and is_tabular else []
        # A phrase over several columns, with a rule between it and their names.
        if run and spanning is not None and len(spanning.lines) == 1 and spanning.bottom == run[0].top:
            run = [spanning, *run] if spans_columns(spanning.lines[0], run[0].lines[0]) else run


def _begins_other_table(run: Sequence[Band], band: Band) -> bool:
    """Return True if a band is no row of the table above it.

    It is a heading: in larger type than the rows above it, or a line in larger type than a single band, which may be a
    header in small type unless its cells draw their own borders. Or it has such cells below lines that cross these.
    """
    above = run[-1]
    is_below_rows = len(run) > 1 or len(above.lines) > MAX_HEADER_LINES
    is_below_rows = is_below_rows or (bool(above.walls) and len(band.lines) == 1)
    if is_below_rows and band.lines[0].size > HEADING_SIZE_RATIO * above.lines[-1].size:
        return True
    return bool(band.walls) and not above.walls and _have_other_cells(above.lines, band.walls)


def _is_group_title(band: Band, above: Band, width: float) -> bool:
    """Return True if a band is a short text of the size of the row above it, in a line or wrapped in one column."""
    if band.lines[0].size > HEADING_SIZE_RATIO * above.lines[-1].size:
        return False
    if len(band.lines) > 1 and band.lines[0].y0 - band.top > band.lines[0].size:
        return False
    share = MIN_PROSE_WIDTH_SHARE if len(band.lines) == 1 else MAX_WRAPPED_TITLE_SHARE
    return max(line.x1 for line in band.lines) - min(line.x0 for line in band.lines) <= share * width


def of_one_width(rules: Iterable[Rule]) -> Iterator[list[Rule]]:
    """Yield rules with the same ends, from the top."""
    groups: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda rule: rule.position):
        if rule.end - rule.start < 2 * MIN_WIDTH_EM:
            continue
        for group in groups:
            if max(abs(group[0].start - rule.start), abs(group[0].end - rule.end)) <= JOIN_TOLERANCE_PT:
                group.append(rule)
                break
        else:
            groups.append([rule])
    yield from groups


def _cut(lines: Sequence[Line], x0: float, x1: float, top: float, bottom: float) -> tuple[Line, ...]:
    """Return the parts of lines with their middle in a rectangle; nothing if text runs out of it."""
    parts: list[Line] = []
    for line in [line for line in lines if line.y1 >= top and line.y0 <= bottom]:
        inside = [word for word in line.words if top < (word.y0 + word.y1) / 2 < bottom]
        words = [word for word in inside if x0 - JOIN_TOLERANCE_PT <= (word.x0 + word.x1) / 2 <= x1 + JOIN_TOLERANCE_PT]
        if not words:
            continue
        left, right, em = words[0].x0, words[-1].x1, line.size
        if len(words) < len(inside) and _runs_out(inside, left, right, em):
            return ()
        parts.append(line if len(words) == len(line.words) else line_of(words))
    return tuple(parts)


def _runs_out(words: Iterable[Word], left: float, right: float, em: float) -> bool:
    """Return True if a word adjoins the interval from `left` to `right` from outside."""
    outside = (max(word.x0 - right, left - word.x1) for word in words if word.x0 >= right or word.x1 <= left)
    return any(-em < gap < MIN_GUTTER_EM * em for gap in outside)


def _is_tabular(band: Band, width: float) -> bool:
    """Return True if lines between two rules may be rows: some have several segments, and few are running text."""
    sizes = sorted(line.size for line in band.lines)
    if fill_columns(band.lines, band.walls):
        return True
    if sizes[-1] > HEADING_SIZE_RATIO * sizes[len(sizes) // 2]:
        return False
    left = min(line.x0 for line in band.lines)
    segments = [len(segments_of(line)) for line in band.lines]
    prose = sum(count == 1 and _is_prose(line, left, width) for count, line in zip(segments, band.lines, strict=True))
    return max(segments) > 1 and prose <= MAX_PROSE_SHARE * len(band.lines)


def _is_prose(line: Line, left: float, width: float) -> bool:
    """Return True if a line without gaps runs from the left edge across most of the width."""
    return (
        line.x0 <= left + LEFT_EDGE_TOLERANCE_EM * line.size
        and line.x1 - line.x0 > MIN_PROSE_WIDTH_SHARE * width
        and len(line.words) >= MIN_PROSE_WORDS
    )


def bands_below_header(
    lines: Sequence[Line],
    x0: float,
    x1: float,
    rule: float,
    rules_below: Sequence[float],
    walls: Sequence[float] = (),
) -> list[Band]:
    """Return the bands of a table with a rule below its header alone; none if the lines around it are no table."""
    header = _header_lines(lines, x0, x1, rule, walls)
    if not header:
        return []
    columns = covered_intervals(header)
    body: list[Line] = []
    end = min(rules_below, default=float("inf"))
    for line in lines:
        if not rule < (line.y0 + line.y1) / 2 <= end:
            continue
        part = _cut([line], x0, x1, rule, end)
        last = body[-1].y1 if body else rule
        if not part or part[0].y0 - last > MAX_ROW_GAP_EM * line.size or _runs_across(part[0], columns):
            break
        if line.size > HEADING_SIZE_RATIO * header[-1].size:
            break
        body.append(part[0])
    bottom = body[-1].y1 if body else rule
    return [Band(header[0].y0, rule, tuple(header)), Band(rule, bottom, tuple(body))] if body else []


def _header_lines(lines: Sequence[Line], x0: float, x1: float, rule: float, walls: Sequence[float] = ()) -> list[Line]:
    """Return the lines of a header directly above a rule, cut to its width; pieces of the rule meet at the walls."""
    header: list[Line] = []
    for whole in reversed(
        [line for line in lines if (line.y0 + line.y1) / 2 < rule and line.y1 < rule + line.size / 2]
    ):
        # Line by line: text above the table may run out of its width.
        part = _cut([whole], x0, x1, whole.y0 - 1, rule)
        if not part:
            break
        line, below = part[0], header[0].y0 if header else rule
        if below - line.y1 > (MAX_HEADER_STEP_EM if not header else 0.6) * line.size or len(header) == MAX_HEADER_LINES:
            break
        # Lines of a header below its first may fill one column.
        header.insert(0, line)
    # A title of the table is no header; close names of all columns are.
    while header and len(segments_of(header[0])) == 1:
        is_phrase = bool(walls) and len(header) > 1 and spans_columns(header[0], header[1])
        if is_phrase or fill_columns(header[:1], walls, len(walls) + 1):
            break
        header.pop(0)
    return header


def _runs_across(line: Line, columns: Sequence[tuple[float, float]]) -> bool:
    """Return True if a segment of a line overlaps two columns of a header, and no word shares an edge of the second."""
    limit = EDGE_TOLERANCE_EM * line.size
    for part in segments_of(line):
        overlapped = [(start, end) for start, end in columns if min(end, part[-1].x1) - max(start, part[0].x0) > 0]
        for start, end in overlapped[1:]:
            if all(abs(word.x0 - start) > limit and abs(word.x1 - end) > limit for word in part[1:]):
                return True
    return False


def bands_beside_walls(lines: Sequence[Line], rules: Sequence[Rule]) -> Iterator[list[Band]]:
    """Yield the band beside each set of vertical rules of one height."""

    def ends(rule: Rule) -> tuple[int, int]:
        return round(rule.start / JOIN_TOLERANCE_PT), round(rule.end / JOIN_TOLERANCE_PT)

    for _, same in groupby(sorted(rules, key=ends), key=ends):
        group = list(same)
        top, bottom = group[0].start, group[0].end
        inside = [line for line in lines if top - 1 <= (line.y0 + line.y1) / 2 <= bottom + 1]
        if len(inside) > 1 and bottom - top > 2 * inside[0].size:
            yield [Band(top, bottom, tuple(inside))]


def covered_intervals(lines: Sequence[Line]) -> list[tuple[float, float]]:
    """Return the intervals of x that words cover, joined where less than a gutter is between them."""
    intervals: list[list[float]] = []
    em = min((line.size for line in lines), default=0.0)
    for x0, x1 in sorted((word.x0, word.x1) for line in lines for word in line.words):
        if intervals and x0 - intervals[-1][1] < MIN_GUTTER_EM * em:
            intervals[-1][1] = max(intervals[-1][1], x1)
        else:
            intervals.append([x0, x1])
    return [(start, end) for start, end in intervals]
