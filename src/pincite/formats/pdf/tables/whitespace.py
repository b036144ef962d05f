"""Tables between rules of one width, below a header in bold type, or of lines in columns, as white space allows."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice, pairwise

from pincite.formats.pdf.page.markers import is_bullet, is_caption, is_label
from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import Line, line_of, parts_of
from pincite.formats.pdf.tables.band_cells import PlacedCell, column_of, columns_of, disjoint_cells, header_cells
from pincite.formats.pdf.tables.bands import MAX_HEADER_LINES, of_one_width
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.partly_ruled import MAX_COLUMNS
from pincite.formats.pdf.tables.ruled import JOIN_TOLERANCE_PT, MAX_RULES, MIN_GUTTER_EM
from pincite.formats.pdf.tables.segments import is_formula
from pincite.formats.pdf.tables.spanned_names import are_styled
from pincite.formats.pdf.tables.table_rows import HEADING_SIZE_RATIO
from pincite.formats.pdf.tables.text_columns import MIN_COLUMN_LINES, are_prose, is_prose

GAPS_EM = (MIN_GUTTER_EM, MIN_GUTTER_EM / 2)
"""White between columns, and between narrow ones."""
CROSSING_SHARES = (0.0, 0.15)
"""Share of a table's lines that may cross the white between two columns: titles, and long texts."""
MAX_SPACE_EM = 1.2
"""White within a line of prose."""
MIN_TEXT_SHARE = 0.85
"""Share of the characters between two rules that are in lines of prose, from which they are a page of text."""
MAX_WHITE_EM = 4.0
"""White between two rules, or two lines below a header without rules, within a table."""
MAX_CENTRE_OFFSET_SHARE = 0.04
"""Distance of a title from the middle of a table, as a share of its width."""
MIN_LINES = 2
"""Lines of a table: one may be anything."""
MAX_MARK_CHARS, MARKED_SHARE = 2, 0.7
"""Length of a mark of items, and share of the lines that have it: a column of a table seldom has one letter alone."""
MAX_READINGS = 200
"""Readings of a page; more are a drawing, and all are compared with each other."""


def whitespace_readings(
    lines: Sequence[Line], columns: Sequence[Sequence[Line]], rules: Sequence[Rule]
) -> Iterator[TableDraft]:
    """Yield readings that differ: of lines between horizontal rules of one width, and below bold or italic ones.

    Args:
        lines: Lines of the page, which may have other words beside the rules.
        columns: The same of each column of text, without those of other tables.
        rules: Merged horizontal rules.
    """
    groups = of_one_width(rules) if len(rules) <= MAX_RULES else ()
    between = (_readings(bands) for same in groups for bands in _stretches(lines, same))
    below = (_readings(bands, is_named=True) for column in columns for bands in _below_styled(column))
    known: set[tuple[object, ...]] = set()
    for readings in (between, below):
        for draft in islice(chain.from_iterable(readings), MAX_READINGS):
            # Rules of several widths may be around the same lines.
            key = (draft.header_rows, *((cell.row, cell.column, cell.words[0].first) for cell in draft.cells))
            if key not in known:
                known.add(key)
                yield draft


def _stretches(lines: Sequence[Line], rules: Sequence[Rule]) -> Iterator[list[list[Line]]]:
    """Yield the lines between rules, as far as they may be rows; parts with white between them alone and together."""
    bands = [_between(lines, top, bottom) for top, bottom in pairwise(rules)]
    for are_rows, run in groupby(bands, lambda band: band is not None):
        parts = [[*part] for has_lines, part in groupby((band or [] for band in run), bool) if has_lines]
        if are_rows and len(parts) > 1:
            yield [band for part in parts for band in part]
        yield from parts


def _between(lines: Sequence[Line], top: Rule, bottom: Rule) -> list[Line] | None:
    """Return the lines between two rules; None if they run out of their width or are prose, or there is much white."""
    x0, x1 = top.start, top.end
    inside: list[Line] = []
    for line in [line for line in lines if line.y1 > top.position and line.y0 < bottom.position]:
        words = [word for word in line.words if top.position < (word.y0 + word.y1) / 2 < bottom.position]
        words = [word for word in words if word.x1 > x0 + 1 and word.x0 < x1 - 1 and not word.turns]
        inside += [line_of(words)] if words else []
    middles = [(word.x0 + word.x1) / 2 for line in inside for word in line.words]
    if not middles:
        size = min((line.size for line in lines), default=0.0)
        return [] if bottom.position - top.position < MAX_WHITE_EM * size else None
    runs_out = min(middles) < x0 - JOIN_TOLERANCE_PT or max(middles) > x1 + JOIN_TOLERANCE_PT
    return None if runs_out or _is_running_text(inside, x1 - x0) else inside


def _is_running_text(lines: Sequence[Line], width: float) -> bool:
    """Return True if half of the lines are prose of a width, or nearly all text is in lines without white in them."""
    if 2 * sum(_is_text(line, width) for line in lines) >= len(lines):
        return True
    alone = sum(len(line.text) for line in lines if _is_text(line, 0.0))
    return len(lines) >= MIN_COLUMN_LINES and alone >= MIN_TEXT_SHARE * sum(len(line.text) for line in lines)


def _below_styled(lines: Sequence[Line]) -> Iterator[list[list[Line]]]:
    """Yield lines in bold or italic type with several texts, and the ones below up to the last such one or to prose."""
    for run in _close_lines(lines):
        styled = [are_styled(line.words) for line in run]
        several = _with_several_texts(run)
        for start in several:
            first = next((number for number in range(start, len(run)) if not styled[number]), start)
            is_header = start < first <= start + MAX_HEADER_LINES and not (start and styled[start - 1])
            if is_header and several[-1] - first >= MIN_LINES:
                yield from ([run[start:first], run[first:end]] for end in sorted({several[-1] + 1, len(run)}))


def aligned_readings(columns: Sequence[Sequence[Line]]) -> Iterator[TableDraft]:
    """Yield readings of lines of the columns of text that nothing but white marks as a table."""
    return islice(chain.from_iterable(map(_aligned, columns)), MAX_READINGS)


def _aligned(lines: Sequence[Line]) -> Iterator[TableDraft]:
    for run in _close_lines(lines):
        several = [number for number in _with_several_texts(run) if not _is_item(run[number])]
        aligned = [run[number] for number in several]
        if several and several[-1] - several[0] >= MIN_LINES and _are_by_rows(aligned) and not _are_marked(aligned):
            for end in sorted({several[-1] + 1, len(run)}):
                yield from _readings([run[several[0] : end]])


def _with_several_texts(lines: Sequence[Line]) -> list[int]:
    return [number for number, line in enumerate(lines) if len(parts_of(line.words, MIN_GUTTER_EM)) > 1]


def _is_item(line: Line) -> bool:
    """Return True for an item of a list behind its marker, a field behind its name, and a formula before its number."""
    first, *others = parts_of(line.words, MIN_GUTTER_EM)
    mark = first[0].text if len(first) == 1 else ""
    is_listed = is_bullet(mark) or (is_label(mark.replace(":", ".")) and len(others) == 1)
    is_named = any(part[-1].text.endswith(":") for part in (first, *others[:-1]))
    return is_listed or is_named or is_formula([word.text for word in line.words])


def _are_marked(lines: Sequence[Line]) -> bool:
    """Return True if most lines begin with the same one or two characters: with a bullet of a font of symbols."""
    marks = Counter(parts[0][0].text for line in lines if len((parts := parts_of(line.words, MIN_GUTTER_EM))[0]) == 1)
    return any(len(mark) <= MAX_MARK_CHARS and times > MARKED_SHARE * len(lines) for mark, times in marks.items())


def _are_by_rows(lines: Sequence[Line]) -> bool:
    """Return True if the file has lines that begin in the first column one after the other, as it has most tables."""
    first = min(lines, key=lambda line: line.x0)
    edge = max(first.x0 + first.size, parts_of(first.words, MIN_GUTTER_EM)[0][-1].x1)
    rows = [line.words for line in lines if line.x0 < edge]
    steps = [following[0].first > row[-1].first for row, following in pairwise(rows)]
    return 2 * sum(steps) > len(steps)


def _close_lines(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield lines of one size with neither prose at the left edge, nor a caption, nor much white between them."""
    left, right = min((line.x0 for line in lines), default=0.0), max((line.x1 for line in lines), default=0.0)
    run: list[Line] = []
    for line in lines:
        is_text = line.x0 < left + line.size and _is_text(line, right - left)
        is_caption_line = is_caption(line.text)
        # A heading is in larger type than what is above or below it.
        is_other = bool(run) and not 1 / HEADING_SIZE_RATIO <= line.size / run[-1].size <= HEADING_SIZE_RATIO
        if run and (is_text or is_caption_line or is_other or line.y0 - run[-1].y1 > MAX_WHITE_EM * line.size):
            yield run
            run = []
        if not is_text and not is_caption_line and not any(word.turns for word in line.words):
            run.append(line)
    yield run


def _is_text(line: Line, width: float) -> bool:
    """Return True for a line of prose without white in it."""
    return is_prose(line, width) and len(parts_of(line.words, MAX_SPACE_EM)) == 1


def _readings(bands: Sequence[Sequence[Line]], *, is_named: bool = False) -> Iterator[TableDraft]:
    """Yield tables of the lines of bands, each line a row, with those of the first one as a header and without.

    Args:
        bands: Lines between the rules, or of the header and the rows.
        is_named: True if the first ones are a header.
    """
    lines = [line for band in bands for line in band]
    words = tuple(word for line in lines for word in line.words)
    if len(lines) < MIN_LINES:
        return
    names = len(bands[0]) if len(bands) > 1 and len(bands[0]) <= MAX_HEADER_LINES else 0
    for header in sorted({names if is_named else 0, names}):
        for columns, gap in _columns(lines[:header], lines[header:]):
            head = header_cells(lines[:header], columns)
            rows = [*head, *(_cells(line, columns, gap) for line in lines[header:])]
            if _are_all_prose(chain.from_iterable(rows), len(columns)):
                continue
            cells = tuple(
                WordCell(n, column, tuple(part), 1, span) for n, row in enumerate(rows) for column, span, part in row
            )
            yield TableDraft(len(rows), len(columns), len(head), cells, words)


def _are_all_prose(cells: Iterable[PlacedCell], columns: int) -> bool:
    """Return True if each column is running text: a page, or a box, of text in columns."""
    lines: list[list[Line]] = [[] for _ in range(columns)]
    for column, span, words in cells:
        if span == 1:
            lines[column].append(line_of(words))
    return all(map(are_prose, lines))


def _columns(header: Sequence[Line], rows: Sequence[Line]) -> Iterator[tuple[list[tuple[float, float]], float]]:
    """Yield columns that differ, each with the white between them."""
    known: list[list[tuple[float, float]]] = []
    several = [line for line in rows if len(parts_of(line.words, MIN_GUTTER_EM)) > 1]
    ways = [(_covered(rows, gap, share), gap) for gap in GAPS_EM for share in CROSSING_SHARES]
    for columns, gap in [*ways, (columns_of(several, header) if several else [], MIN_GUTTER_EM)]:
        if 1 < len(columns) <= MAX_COLUMNS and columns not in known:
            known.append(columns)
            yield columns, gap


def _covered(lines: Sequence[Line], gap: float, share: float) -> list[tuple[float, float]]:
    """Return the intervals of x that more than a share of the lines cover, joined across less than a gap."""
    parts = [part for line in lines for part in parts_of(line.words, gap)]
    edges = sorted(edge for part in parts for edge in ((part[0].x0, 1), (part[-1].x1, -1)))
    most, depth, start = int(share * len(lines)), 0, 0.0
    least = gap * min((line.size for line in lines), default=0.0)
    intervals: list[tuple[float, float]] = []
    for x, step in edges:
        start = x if step > 0 and depth == most else start
        depth += step
        if step < 0 and depth == most:
            if intervals and start - intervals[-1][1] < least:
                start = intervals.pop()[0]
            intervals.append((start, x))
    return intervals


def _cells(line: Line, columns: Sequence[tuple[float, float]], gap: float) -> list[PlacedCell]:
    """Return the cells of a line: one over all columns if it is a title, at the left edge or in the middle."""
    parts = parts_of(line.words, gap)
    cells = [(*column_of(part, columns), part) for part in parts]
    if len(cells) > 1:
        return disjoint_cells(cells)
    column, span, _ = cells[0]
    left, right = columns[0][0], columns[-1][1]
    offset = abs(line.x0 + line.x1 - left - right) / 2
    is_centred = offset < MAX_CENTRE_OFFSET_SHARE * (right - left) and line.x0 > columns[column][0] + line.size
    is_title = is_centred if column else span > 1
    return [(0, len(columns), parts[0])] if is_title else cells
