"""Detection of the tables of an untagged page, by ruling lines or by aligned values: fitted weights choose."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from pincite.formats.pdf.page.placed_text import PlacedText, text_of
from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line, Word
from pincite.formats.pdf.tables.borderless import find_borderless
from pincite.formats.pdf.tables.draft import DetectedTable, TableDraft, detected_table, is_right_to_left
from pincite.formats.pdf.tables.figures import is_figure
from pincite.formats.pdf.tables.fills import column_rules, ground_rules, stripe_rules
from pincite.formats.pdf.tables.first_rows import with_header
from pincite.formats.pdf.tables.mirrored import mirrored_lines, mirrored_rules, mirrored_words, unmirrored
from pincite.formats.pdf.tables.partly_ruled import PartlyRuled, find_partly_ruled
from pincite.formats.pdf.tables.readings import Reading, likelihoods
from pincite.formats.pdf.tables.regroup import line_numbers, regrouped
from pincite.formats.pdf.tables.ruled import MergedRules, find_ruled, merge_rules, merged_rules
from pincite.formats.pdf.tables.segments import Row, is_number, rows_of, value_extent
from pincite.formats.pdf.tables.text_columns import column_groups

RULED, BORDERLESS = (0.0,) * 6, (-1.0,) * 6
"""What rules tell of tables that are ruled, and of those that are not; else `PartlyRuled.signs`."""
MAX_ROUNDS = 3
"""Times that tables are sought, in what others leave; bounds the time for crafted pages."""
MIN_FOUND_SHARE = 0.6
"""Share of a striped table's words in borderless ones from which these are its other reading."""
MIN_NUMBER_SHARE = 0.2
"""Share of numbers among the words of a table of values; a table of descriptions has fewer."""
MIN_LIKELIHOOD = 0.1
"""Least likelihood of a reading that is taken."""


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
    groups = column_groups(lines, *merged)
    # Most pages have one column: its rows are those of the page.
    group_rows = [rows] if rows and len(groups) == 1 else [rows_of(group) for group in groups]
    ruled = find_ruled([*(word for line in lines for word in line.words), *turned], merged)
    # Boxes of a diagram are no table, however their words are read.
    kept, taken = list[TableDraft](), _words_of(draft for draft in ruled if is_figure(draft, rules))
    readings = [*(Reading(draft, RULED) for draft in ruled), *_readings(groups, group_rows, rules, merged)]
    readings = [reading for reading in readings if taken.isdisjoint(_words_of([reading.draft]))]
    for _ in range(MAX_ROUNDS):
        chosen = _best(readings, lines, rules) if readings else []
        kept += chosen
        if len(chosen) in (0, len(readings)):
            break
        # Again on the rest of the page: words of tables must not be found a second time.
        taken |= _words_of(chosen)
        rest = [[line for line in group if not _has_any(line, taken)] for group in groups]
        readings = _readings(rest, [rows_of(group, taken) for group in groups], rules, merged)
    drafts = [draft for draft in kept if not is_figure(draft, rules)]
    places = line_numbers(lines) if drafts else {}
    tables = [with_header(regrouped(draft, places, rules)) for draft in drafts]
    return sorted(tables, key=lambda draft: min(word.y0 for word in draft.words))


def _readings(
    groups: Sequence[Sequence[Line]], rows: Sequence[Sequence[Row]], rules: Rules, merged: MergedRules
) -> list[Reading]:
    """Return partly ruled and borderless tables of each column of text, which may be of the same words."""
    borderless = [draft for group in rows for draft in find_borderless(group, merged.horizontal)]
    partly = [found for group in groups for found in _partly_ruled(group, rules, merged)]
    # Aligned values tell more than stripes, which may be of several rows.
    partly = [found for found in partly if not (found.is_striped and _is_of_values(found, borderless))]
    return [
        *(Reading(found.draft, found.signs) for found in partly),
        *(Reading(draft, BORDERLESS) for draft in borderless),
    ]


def _is_of_values(found: PartlyRuled, borderless: Sequence[TableDraft]) -> bool:
    """Return True if a table is one of values that borderless ones have, and not as fine as they are between walls."""
    draft, words = found.draft, _words_of([found.draft])
    others = [other for other in borderless if not words.isdisjoint(_words_of([other]))]
    if len(words & _words_of(others)) < MIN_FOUND_SHARE * len(words):
        return False
    is_fine = found.has_walls and words >= _words_of(others) and sum(other.rows for other in others) <= draft.rows
    if is_fine and all(other.columns <= draft.columns for other in others):
        return False
    # Ticks are no numbers: a list of requirements may have more of them than texts.
    values = [
        any(is_number(word.text) for word in cell.words) and value_extent(cell.words) is not None
        for cell in draft.cells
        if cell.column and cell.row >= draft.header_rows
    ]
    numbers = sum(is_number(word.text) for word in draft.words)
    return 2 * sum(values) > len(values) or numbers >= MIN_NUMBER_SHARE * len(draft.words)


def _best(readings: Sequence[Reading], lines: Sequence[Line], rules: Rules) -> list[TableDraft]:
    """Return readings that share no words, the best first."""
    words = [_words_of([reading.draft]) for reading in readings]
    scores = likelihoods(readings, lines, rules).tolist()
    taken, chosen = set[int](), list[TableDraft]()
    for number in sorted(range(len(readings)), key=lambda number: -scores[number]):
        if scores[number] >= MIN_LIKELIHOOD and taken.isdisjoint(words[number]):
            chosen.append(readings[number].draft)
            taken |= words[number]
    return chosen


def _partly_ruled(lines: Sequence[Line], rules: Rules, merged: MergedRules) -> list[PartlyRuled]:
    """Return tables whose columns are shaded, those whose rows stripes part, and partly ruled ones on other lines."""
    edges = column_rules(lines, rules.shades, rules.horizontal)
    if not edges.horizontal:
        return _striped_or_ruled(lines, rules, merged)
    edges.vertical += rules.vertical
    shaded = [
        replace(found, draft=_with_ruled_header(found.draft, rules.horizontal))
        for found in _without_borders(find_partly_ruled(lines, edges, by_rows=True), edges.horizontal)
    ]
    return [*shaded, *_striped_or_ruled(_without_words(lines, shaded), rules, merged)]


def _with_ruled_header(draft: TableDraft, rules: Iterable[Rule]) -> TableDraft:
    """Return a table without a header unless a rule is below its first row: the grounds of forms begin with a label."""
    if draft.header_rows != 1:
        return draft
    names, row = ([word for cell in draft.cells if cell.row == number for word in cell.words] for number in (0, 1))
    top, bottom = max(word.y0 for word in names), min((word.y1 for word in row), default=float("inf"))
    return draft if any(top < rule.position < bottom for rule in rules) else replace(draft, header_rows=0)


def _striped_or_ruled(lines: Sequence[Line], rules: Rules, merged: MergedRules) -> list[PartlyRuled]:
    if not lines:
        return []
    stripes = stripe_rules(lines, rules.shades, rules.horizontal)
    grounds = ground_rules(lines, rules.shades, rules.horizontal)
    if grounds:
        rules = replace(rules, horizontal=[*rules.horizontal, *grounds])
        merged = merged._replace(horizontal=merge_rules(rules.horizontal))
    if not stripes:
        return _without_borders(find_partly_ruled(lines, rules, merged), grounds)
    # Aligned values tell more than stripes, which may be of several rows.
    edges = Rules(stripes, rules.vertical)
    striped = [
        replace(found, rules_rows=False, is_striped=True) for found in find_partly_ruled(lines, edges, by_rows=True)
    ]
    rest = [found for part in _around(lines, striped) for found in find_partly_ruled(part, rules, merged)]
    return [*_without_borders(striped, stripes), *_without_borders(rest, grounds)]


def _around(lines: Sequence[Line], tables: Iterable[PartlyRuled]) -> Iterator[list[Line]]:
    """Yield the lines above, between and below tables: no other table has some of both."""
    taken = _words_of(found.draft for found in tables)
    for is_taken, part in groupby(lines, lambda line: _has_any(line, taken)):
        if not is_taken:
            yield list(part)


def _without_words(lines: Sequence[Line], tables: Iterable[PartlyRuled]) -> list[Line]:
    """Return the lines without those of tables."""
    taken = _words_of(found.draft for found in tables)
    return [line for line in lines if not _has_any(line, taken)]


def _without_borders(tables: Sequence[PartlyRuled], shaded: Sequence[Rule]) -> list[PartlyRuled]:
    """Return tables without borders of cells if there are edges of shaded ones, which may be for signs alone."""
    return [replace(table, has_borders=table.has_borders and not shaded) for table in tables]


def _words_of(drafts: Iterable[TableDraft]) -> set[int]:
    """Return the words of tables, by index of the first character."""
    return {word.first for draft in drafts for word in draft.words}


def _has_any(line: Line, firsts: set[int]) -> bool:
    return not firsts.isdisjoint([word.first for word in line.words])
