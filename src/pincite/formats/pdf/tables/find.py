"""Detection of the tables of an untagged page: fitted weights choose among its readings, drawings are left out."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from pincite.formats.pdf.page.characters import UNMAPPED
from pincite.formats.pdf.page.placed_text import PlacedText, text_of
from pincite.formats.pdf.page.rectangles import Rectangle, bounding_box
from pincite.formats.pdf.page.rules import Point, Rules
from pincite.formats.pdf.page.words import Line, Word
from pincite.formats.pdf.tables.borderless import find_borderless
from pincite.formats.pdf.tables.draft import (
    DetectedTable,
    TableDraft,
    detected_table,
    is_right_to_left,
    mirrored_lines,
    mirrored_rules,
    mirrored_words,
    unmirrored,
)
from pincite.formats.pdf.tables.partly_ruled import find_partly_ruled, shade_rules, stripe_rules
from pincite.formats.pdf.tables.readings import likelihoods
from pincite.formats.pdf.tables.regroup import line_numbers, regrouped
from pincite.formats.pdf.tables.ruled import MergedRules, find_ruled, merge_rules, merged_rules
from pincite.formats.pdf.tables.segments import Row, rows_of
from pincite.formats.pdf.tables.text_columns import column_groups
from pincite.formats.pdf.tables.whitespace import aligned_readings, whitespace_readings
from pincite.model.document import Cell
from pincite.text.tables.column_names import count_header_rows

MIN_CURVES = 30
"""Ends of curves that make a drawing; a box with round corners has twelve."""
MAX_DRAWING_FILL_SHARE = 0.7
"""Share of filled cells above which slanted lines in a table with a header are pictures in its cells."""
_PICTURE_FONT = re.compile(r"(?:^|\+)(?:line|lcircle)w?\d", re.IGNORECASE)
"""Names of the fonts with which LaTeX draws slanted lines and arcs."""
MIN_BODY_ROWS = 2
"""Rows below a header in a look of its own; one may be a sum in another type."""
MAX_LIKE_SHARE = 1 / 3
"""Share of the rows below a header that may have its look: titles of groups and sums."""
_LOOKS: Sequence[Callable[[Word], bool]] = (
    lambda word: word.bold,
    lambda word: word.italic,
    lambda word: word.text.isupper(),
)
MAX_ROUNDS = 3
"""Times that tables are sought, in what others leave; bounds the time for crafted pages."""
MIN_LIKELIHOOD = 0.35
"""Least likelihood of a reading that is taken."""


def is_figure(draft: TableDraft, rules: Rules) -> bool:
    """Return True if a table has lines of a drawing between its cells, or nothing but glyphs without a value.

    Args:
        draft: The table.
        rules: All lines of its page.
    """
    if all(UNMAPPED in word.text for word in draft.words):
        return True
    fill = len(draft.cells) / max(1, draft.rows * draft.columns)
    if draft.header_rows and fill >= MAX_DRAWING_FILL_SHARE:
        return False
    box = bounding_box(draft.words)
    is_drawn = _has_inside(rules.slants, box) or _has_inside(rules.curves, box, MIN_CURVES)
    return is_drawn or any(_PICTURE_FONT.search(word.font) for word in draft.words)


def _has_inside(points: Iterable[Point], box: Rectangle, required: int = 1) -> bool:
    x0, y0, x1, y1 = box
    return sum(x0 <= x <= x1 and y0 <= y <= y1 for x, y in points) >= required


def with_header(draft: TableDraft) -> TableDraft:
    """Return a table with its first rows as header, if one is bold, slanted or in capitals, or names the columns."""
    if draft.header_rows:
        return draft
    words: list[list[Word]] = [[] for _ in range(draft.rows)]
    for cell in draft.cells:
        words[cell.row] += cell.words
    texts = (
        Cell(cell.row, cell.column, " ".join([word.text for word in cell.words]), cell.row_span, cell.column_span)
        for cell in draft.cells
    )
    header_rows = count_header_rows(texts, draft.rows, lambda number: _stands_out(words[number:]))
    return replace(draft, header_rows=header_rows) if header_rows else draft


def _stands_out(rows: Sequence[Sequence[Word]]) -> bool:
    """Return True if all words of the first row, and of few others, have a look."""
    first, *others = rows
    return len(others) >= MIN_BODY_ROWS and any(
        _has_look(first, look) and sum(_has_look(words, look) for words in others) <= MAX_LIKE_SHARE * len(others)
        for look in _LOOKS
    )


def _has_look(words: Sequence[Word], look: Callable[[Word], bool]) -> bool:
    lettered = [word for word in words if any(map(str.isalpha, word.text))]
    return bool(lettered) and all(map(look, lettered))


def find_tables(
    lines: Sequence[Line],
    rules: Rules,
    to_text: Callable[[Iterable[Word]], PlacedText] = text_of,
    turned: Sequence[Word] = (),
) -> tuple[DetectedTable, ...]:
    """Detect the tables of a page, from the top.

    Args:
        lines: All lines of the page.
        rules: Ruling lines of the page, seen as its lines are.
        to_text: Joins the words of a cell to text.
        turned: Words in another direction than that of the lines.
    """
    rows = rows_of(lines)
    # Where cells draw their own borders, a space may be all that is between them.
    if not any(len(row.segments) > 1 for row in rows) and not any(r.joints for r in merge_rules(rules.horizontal)):
        return ()
    if is_right_to_left([word for line in lines for word in line.words]):
        mirrored = mirrored_lines(lines), mirrored_rules(rules), (), mirrored_words(turned)
        drafts = [unmirrored(draft) for draft in choose_tables(*mirrored)]
    else:
        drafts = choose_tables(lines, rules, rows, turned)
    return tuple(detected_table(draft, to_text) for draft in drafts)


def choose_tables(
    lines: Sequence[Line], rules: Rules, rows: Sequence[Row] = (), turned: Sequence[Word] = ()
) -> list[TableDraft]:
    """Choose tables among the ruled ones of a page, and the partly ruled and borderless ones of its columns of text.

    Of those that share words fitted weights choose one: grids may be coarser than aligned values are, as the boxes of
    most invoices, and aligned values parts of a grid.

    Args:
        lines: Visual lines of the page, from the top.
        rules: Its ruling lines.
        rows: The lines as rows, if they are known.
        turned: Words in another direction, which ruled tables may have in cells of their own.
    """
    merged = merged_rules(rules)
    groups = column_groups(lines)
    # Most pages have one column: its rows are those of the page.
    group_rows = [rows] if rows and len(groups) == 1 else [rows_of(group) for group in groups]
    ruled = find_ruled([*(word for line in lines for word in line.words), *turned], merged)
    # Boxes of a diagram are no table, however their words are read.
    kept, taken = list[TableDraft](), _words_of(draft for draft in ruled if is_figure(draft, rules))
    gridded = _words_of(ruled)
    columns = _without(groups, gridded)
    white = [
        (draft, gridded.isdisjoint(_words_of([draft])))
        for draft in whitespace_readings(lines, columns, merged.horizontal)
    ]
    # White tells nothing where rules separate the cells: such readings are only compared to the others.
    rivals = [draft for draft, is_free in white if not is_free]
    readings = [*ruled, *_readings(groups, group_rows, rules, merged), *(draft for draft, is_free in white if is_free)]
    readings = [draft for draft in readings if taken.isdisjoint(_words_of([draft]))]
    for _ in range(MAX_ROUNDS):
        chosen = _best(readings, rivals, lines, rules) if readings else []
        kept += chosen
        if len(chosen) in (0, len(readings)):
            break
        # Again on the rest of the page: words of tables must not be found a second time.
        taken |= _words_of(chosen)
        rest = _without(groups, taken)
        readings, rivals = [*_readings(rest, [rows_of(group, taken) for group in groups], rules, merged)], []
    # What only its white marks as a table may be a list or a form: it is sought in what all others leave.
    taken |= _words_of(kept)
    aligned = [*aligned_readings(_without(groups, taken))]
    kept += _best(aligned, [], lines, rules) if aligned else []
    drafts = [draft for draft in kept if not is_figure(draft, rules)]
    places = line_numbers(lines) if drafts else {}
    tables = [with_header(regrouped(draft, places, rules)) for draft in drafts]
    return sorted(tables, key=lambda draft: min(word.y0 for word in draft.words))


def _readings(
    groups: Sequence[Sequence[Line]], rows: Sequence[Sequence[Row]], rules: Rules, merged: MergedRules
) -> Iterator[TableDraft]:
    """Yield partly ruled, striped and borderless tables of each column of text, which may be of the same words."""
    for lines, group_rows in zip(groups, rows, strict=True):
        yield from find_borderless(group_rows, merged.horizontal)
        stripes = stripe_rules(lines, rules.shades, rules.horizontal)
        if stripes:
            yield from find_partly_ruled(lines, merged_rules(Rules(stripes, rules.vertical)), by_rows=True)
        yield from find_partly_ruled(lines, merged)
        shaded = shade_rules(lines, rules.shades, merged.horizontal)
        if shaded:
            yield from find_partly_ruled(lines, merged_rules(Rules([*rules.horizontal, *shaded], rules.vertical)))


def _best(
    readings: Sequence[TableDraft], rivals: Sequence[TableDraft], lines: Sequence[Line], rules: Rules
) -> list[TableDraft]:
    """Return readings that share no words, the best first; the rivals are only compared to them."""
    scores = likelihoods([*readings, *rivals], lines, rules).tolist()
    for number, draft in enumerate(readings):
        # Grids in frames are tables, however little they are like the ones that the weights were fitted on.
        scores[number] = max(scores[number], MIN_LIKELIHOOD * draft.is_framed)
    taken, chosen = set[int](), list[TableDraft]()
    for number in sorted(range(len(readings)), key=lambda number: -scores[number]):
        words = _words_of([readings[number]])
        if scores[number] >= MIN_LIKELIHOOD and taken.isdisjoint(words):
            chosen.append(readings[number])
            taken |= words
    return chosen


def _without(groups: Sequence[Sequence[Line]], words: set[int]) -> list[list[Line]]:
    """Return the lines of columns of text that have none of the words."""
    return [[line for line in group if not _has_any(line, words)] for group in groups]


def _words_of(drafts: Iterable[TableDraft]) -> set[int]:
    """Return the words of tables, by index of the first character."""
    return {word.first for draft in drafts for word in draft.words}


def _has_any(line: Line, firsts: set[int]) -> bool:
    return not firsts.isdisjoint([word.first for word in line.words])
