"""Tables whose header is told by its style alone: in bold or italic type, or underlined name by name."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import Line, Word
from pincite.formats.pdf.tables.bands import MAX_HEADER_LINES, MAX_LEADING_EM, MAX_PROSE_SHARE, Band, bands_below_header
from pincite.formats.pdf.tables.edges import is_aligned
from pincite.formats.pdf.tables.segments import ALIGN_TOLERANCE_EM
from pincite.formats.pdf.tables.spanned_names import MAX_HEADER_STEP_EM, segments_of
from pincite.formats.pdf.tables.table_rows import HEADING_SIZE_RATIO, LEFT_EDGE_TOLERANCE_EM

ALIGNED_ROWS, MIN_BOLD_NAMES = 3, 2
"""Lines below a bold one that are at its edges, and segments of it, which make it a header without a rule."""
MAX_ALIGNED_ROWS = 24
"""Lines below a bold one among which there must be some with several segments: a cell may wrap over many."""
MAX_UNDERLINE_STEP_EM, MIN_UNDERLINED_SHARE = 0.3, 0.5
"""Distance of a line's rules below it, and the share of a name above them: many leave out the tails of letters."""
MAX_UNDERLINES = 200
"""Rules below one line; more are a drawing."""
MIN_COLUMN_WORDS = 4
"""Words of a segment that may be a line of a narrow column of text."""


def bands_below_styled(lines: Sequence[Line], rules: Iterable[Rule]) -> Iterator[list[Band]]:
    """Yield the bands of tables whose header is in bold or italic type or underlined, at the rows' edges.

    Args:
        lines: Visual lines, from the top.
        rules: Horizontal rules of the page.
    """
    right = max((line.x1 for line in lines), default=0.0)
    rules = sorted(rules, key=lambda rule: rule.position)
    styles = [_style(line, rules) for line in lines]
    taken = -1
    for number, style in enumerate(styles):
        if number <= taken or not style:
            continue
        header = lines[number : _last_header_line(lines, styles, number) + 1]
        below = number + len(header)
        rows = _aligned_rows(lines, styles, number, below)
        if not _is_styled_header(header, rows):
            continue
        edge = (header[-1].y1 + max(header[-1].y1, rows[0].y0)) / 2
        bands = bands_below_header(lines, min(part.x0 for part in (header[0], *rows)) - 1, right + 1, edge, [])
        # Lines above the styled one are no part of the header unless they are styled so, too.
        named = [part for part in bands[0].lines if _style(part, rules) == style] if bands else []
        if named and len(bands[1].lines) >= ALIGNED_ROWS and not are_columns_of_prose(bands[1].lines):
            yield [Band(named[0].y0, edge, tuple(named)), bands[1]]
            taken = max(n for n, other in enumerate(lines) if other.y0 < bands[1].bottom)


def _style(line: Line, rules: Sequence[Rule]) -> str:
    """Return `bold` or `italic` if all words of a line are so, `underlined` if all of its segments are, else nothing.

    Args:
        line: The line.
        rules: Horizontal rules of the page, from the top.
    """
    if all(word.bold for word in line.words):
        return "bold"
    if all(word.italic for word in line.words):
        return "italic"
    return "underlined" if _are_names_underlined(line, rules) else ""


def _are_names_underlined(line: Line, rules: Sequence[Rule]) -> bool:
    """Return True if each segment of a line has rules of its own below it, and no rule is below two."""
    first = bisect_left(rules, (line.y0 + line.y1) / 2, key=_position)
    end = bisect_right(rules, line.y1 + MAX_UNDERLINE_STEP_EM * line.size, lo=first, key=_position)
    near = [rule for rule in rules[first:end] if rule.start < line.x1 and rule.end > line.x0]
    names = segments_of(line) if near else []
    if len(names) < MIN_BOLD_NAMES or len(near) > MAX_UNDERLINES:
        return False
    spans = [(name[0].x0, name[-1].x1) for name in names]
    if any(sum(rule.start < x1 and rule.end > x0 for x0, x1 in spans) > 1 for rule in near):
        return False
    covers = [sum(max(0.0, min(rule.end, x1) - max(rule.start, x0)) for rule in near) for x0, x1 in spans]
    return all(cover >= MIN_UNDERLINED_SHARE * (x1 - x0) for cover, (x0, x1) in zip(covers, spans, strict=True))


def _position(rule: Rule) -> float:
    return rule.position


def _last_header_line(lines: Sequence[Line], styles: Sequence[str], number: int) -> int:
    """Return the index of the last line that continues names of the one at `number`, in its style and each below it."""
    names = segments_of(lines[number])
    last = number
    for line, above in zip(lines[number + 1 : number + MAX_HEADER_LINES], lines[number:], strict=False):
        is_near = line.y1 - above.y1 <= MAX_LEADING_EM * line.size
        if not is_near or styles[last + 1] != styles[number] or not are_aligned(line, names):
            break
        last += 1
    return last


def _aligned_rows(lines: Sequence[Line], styles: Sequence[str], number: int, below: int) -> list[Line]:
    """Return the lines from `below` on whose segments are all below a name of the header, up to the next such one.

    Args:
        lines: All lines.
        styles: Their styles.
        number: Index of the header's first line.
        below: Index of the line after its last.
    """
    names = segments_of(lines[number])
    rows: list[Line] = []
    for index in range(below, min(below + MAX_ALIGNED_ROWS, len(lines))):
        line = lines[index]
        is_larger = line.size > HEADING_SIZE_RATIO * lines[number].size
        if is_larger or styles[index] == styles[number] or not are_aligned(line, names):
            break
        rows.append(line)
    return rows


def _is_styled_header(header: Sequence[Line], rows: Sequence[Line]) -> bool:
    """Return True if the first line of a header has several segments, close above rows of which some have several."""
    if len(rows) < ALIGNED_ROWS or len(segments_of(header[0])) < MIN_BOLD_NAMES:
        return False
    if rows[0].y0 - header[-1].y1 > MAX_HEADER_STEP_EM * header[0].size:
        return False
    return sum(len(segments_of(row)) > 1 for row in rows) >= MIN_BOLD_NAMES


def are_aligned(line: Line, names: Sequence[Sequence[Word]]) -> bool:
    """Return True if all segments of a line are at an edge or the middle of one of its names."""
    limit = ALIGN_TOLERANCE_EM * names[0][0].size
    return all(any(is_aligned(part, name, limit) for name in names) for part in segments_of(line))


def are_columns_of_prose(lines: Sequence[Line]) -> bool:
    """Return True if many lines have running text at the left edge and beside it, as lines across columns of text."""
    left = min(line.x0 for line in lines)
    prose = 0
    for line in lines:
        first, *others = segments_of(line)
        # Texts beside a short label, or beside nothing, are of a table.
        is_at_left = line.x0 <= left + LEFT_EDGE_TOLERANCE_EM * line.size
        is_prose = is_at_left and len(first) >= MIN_COLUMN_WORDS
        prose += is_prose and any(len(part) >= MIN_COLUMN_WORDS for part in others)
    return prose > MAX_PROSE_SHARE * len(lines)
