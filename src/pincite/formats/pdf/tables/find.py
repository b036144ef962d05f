"""Detection of the tables of an untagged page, by ruling lines or by aligned values: fitted weights choose."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace

from pincite.formats.pdf.page.placed_text import PlacedText, text_of
from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line, Word
from pincite.formats.pdf.tables.between_rules import between_rules
from pincite.formats.pdf.tables.borderless import find_borderless
from pincite.formats.pdf.tables.draft import DetectedTable, TableDraft, detected_table, is_right_to_left
from pincite.formats.pdf.tables.figures import is_figure
from pincite.formats.pdf.tables.fills import column_rules, ground_rules, stripe_rules
from pincite.formats.pdf.tables.first_rows import with_header
from pincite.formats.pdf.tables.mirrored import mirrored_lines, mirrored_rules, mirrored_words, unmirrored
from pincite.formats.pdf.tables.partly_ruled import find_partly_ruled
from pincite.formats.pdf.tables.readings import likelihoods
from pincite.formats.pdf.tables.regroup import line_numbers, regrouped
from pincite.formats.pdf.tables.ruled import MergedRules, find_ruled, merge_rules, merged_rules
from pincite.formats.pdf.tables.segments import Row, rows_of
from pincite.formats.pdf.tables.text_columns import column_groups

MAX_ROUNDS = 3
"""Times that tables are sought, in what others leave; bounds the time for crafted pages."""
MIN_LIKELIHOOD = 0.35
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
    white = [*between_rules(lines, merged.horizontal)]
    readings = [*ruled, *_readings(groups, group_rows, rules, merged), *white]
    # White tells nothing where rules part the cells; such readings are only what others are compared to.
    gridded = _words_of(ruled)
    barred = {id(draft) for draft in white if not gridded.isdisjoint(_words_of([draft]))}
    readings = [draft for draft in readings if taken.isdisjoint(_words_of([draft]))]
    for _ in range(MAX_ROUNDS):
        chosen = _best(readings, lines, rules, barred) if readings else []
        kept += chosen
        if len(chosen) in (0, len(readings)):
            break
        # Again on the rest of the page: words of tables must not be found a second time.
        taken |= _words_of(chosen)
        rest = [[line for line in group if not _has_any(line, taken)] for group in groups]
        readings = [*_readings(rest, [rows_of(group, taken) for group in groups], rules, merged)]
    drafts = [draft for draft in kept if not is_figure(draft, rules)]
    places = line_numbers(lines) if drafts else {}
    tables = [with_header(regrouped(draft, places, rules)) for draft in drafts]
    return sorted(tables, key=lambda draft: min(word.y0 for word in draft.words))


def _readings(
    groups: Sequence[Sequence[Line]], rows: Sequence[Sequence[Row]], rules: Rules, merged: MergedRules
) -> Iterator[TableDraft]:
    """Yield partly ruled and borderless tables of each column of text, which may be of the same words."""
    for lines, group_rows in zip(groups, rows, strict=True):
        yield from find_borderless(group_rows, merged.horizontal)
        if lines:
            yield from _partly_ruled(lines, rules, merged)


def _partly_ruled(lines: Sequence[Line], rules: Rules, merged: MergedRules) -> Iterator[TableDraft]:
    """Yield tables whose columns are shaded, those whose rows stripes part, and partly ruled ones."""
    shaded = column_rules(lines, rules.shades, rules.horizontal)
    if shaded.horizontal:
        shaded.vertical += rules.vertical
        drafts = find_partly_ruled(lines, shaded, by_rows=True)
        yield from (_with_ruled_header(draft, rules.horizontal) for draft in drafts)
    stripes = stripe_rules(lines, rules.shades, rules.horizontal)
    if stripes:
        yield from find_partly_ruled(lines, Rules(stripes, rules.vertical), by_rows=True)
    grounds = ground_rules(lines, rules.shades, rules.horizontal)
    if grounds:
        rules = replace(rules, horizontal=[*rules.horizontal, *grounds])
        merged = merged._replace(horizontal=merge_rules(rules.horizontal))
    yield from find_partly_ruled(lines, rules, merged)


def _best(
    readings: Sequence[TableDraft], lines: Sequence[Line], rules: Rules, barred: Container[int]
) -> list[TableDraft]:
    """Return readings that share no words, the best first, without those that are `barred` by their ids."""
    words = [_words_of([draft]) for draft in readings]
    scores = likelihoods(readings, lines, rules).tolist()
    taken, chosen = set[int](), list[TableDraft]()
    for number in sorted(range(len(readings)), key=lambda number: -scores[number]):
        may_be = scores[number] >= MIN_LIKELIHOOD and id(readings[number]) not in barred
        if may_be and taken.isdisjoint(words[number]):
            chosen.append(readings[number])
            taken |= words[number]
    return chosen


def _with_ruled_header(draft: TableDraft, rules: Iterable[Rule]) -> TableDraft:
    """Return a table without a header unless a rule is below its first row: the grounds of forms begin with a label."""
    if draft.header_rows != 1:
        return draft
    names, row = ([word for cell in draft.cells if cell.row == number for word in cell.words] for number in (0, 1))
    top, bottom = max(word.y0 for word in names), min((word.y1 for word in row), default=float("inf"))
    return draft if any(top < rule.position < bottom for rule in rules) else replace(draft, header_rows=0)


def _words_of(drafts: Iterable[TableDraft]) -> set[int]:
    """Return the words of tables, by index of the first character."""
    return {word.first for draft in drafts for word in draft.words}


def _has_any(line: Line, firsts: set[int]) -> bool:
    return not firsts.isdisjoint([word.first for word in line.words])
