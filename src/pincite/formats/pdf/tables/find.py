"""Detection of the tables of an untagged page, by ruling lines or by aligned values."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from pincite.formats.pdf.page.placed_text import PlacedText, text_of
from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line, Word
from pincite.formats.pdf.tables.borderless import find_borderless
from pincite.formats.pdf.tables.column_grounds import column_rules
from pincite.formats.pdf.tables.draft import DetectedTable, TableDraft, WordCell, detected_table, is_right_to_left
from pincite.formats.pdf.tables.figures import is_figure
from pincite.formats.pdf.tables.first_rows import with_header
from pincite.formats.pdf.tables.grounds import ground_rules
from pincite.formats.pdf.tables.mirrored import mirrored_lines, mirrored_rules, mirrored_words, unmirrored
from pincite.formats.pdf.tables.partly_ruled import PartlyRuled, find_partly_ruled
from pincite.formats.pdf.tables.regroup import line_numbers, regrouped
from pincite.formats.pdf.tables.ruled import MergedRules, find_ruled, merge_rules, merged_rules
from pincite.formats.pdf.tables.segments import Row, is_number, rows_of, value_extent
from pincite.formats.pdf.tables.striped import stripe_rules
from pincite.formats.pdf.tables.text_columns import column_groups

MIN_FOUND_SHARE = 0.6
"""Share of a partly ruled table's words in borderless ones from which these are its other reading."""
MIN_NUMBER_SHARE = 0.2
"""Share of numbers among the words of a table of values; a table of descriptions has fewer."""


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
    """Choose ruled tables, and partly ruled and borderless ones on the rest of the page, in each column of text.

    A ruled table is dropped where its grid is coarser than the aligned values: boxes of most invoices are shading.

    Args:
        lines: Visual lines of the page, from the top.
        rules: Its ruling lines.
        rows: The lines as rows, if they are known.
        turned: Words in another direction, which ruled tables may have in cells of their own.
    """
    merged = merged_rules(rules)
    horizontal, vertical = merged
    groups = column_groups(lines, horizontal, vertical)
    # Most pages have one column: its rows are those of the page.
    group_rows = [rows] if rows and len(groups) == 1 else [rows_of(group) for group in groups]
    borderless_by_group = [find_borderless(rows, horizontal) for rows in group_rows]
    borderless = [draft for drafts in borderless_by_group for draft in drafts]
    ruled = find_ruled([*(word for line in lines for word in line.words), *turned], merged)
    between = _words_of(ruled)
    kept = [draft for draft in ruled if not any(_is_coarser(draft, other, between) for other in borderless)]
    taken = _words_of(kept)
    for group in groups:
        for found in _partly_ruled([line for line in group if not _has_any(line, taken)], rules, merged):
            is_ruled = found.rules_rows or found.rules_columns
            has_borders = found.has_borders and not any(_is_a_part(found.draft, other) for other in borderless)
            is_ruled = is_ruled or has_borders or (found.has_walls and _is_as_fine(found.draft, borderless))
            is_ruled = is_ruled or _joins_wrapped_lines(found.draft, borderless)
            is_other = not is_ruled and _is_of_values(found.draft, borderless)
            # A row alone may be the last one of a statement, between the rules of its sum.
            is_other = is_other or (found.draft.rows == 1 and _share_words(found.draft, borderless))
            if has_borders or not (is_other or any(_joins_values(found.draft, other) for other in borderless)):
                kept.append(found.draft)
    if kept:
        # Again on the rest of the page: words of ruled tables must not be found a second time.
        taken = _words_of(kept)
        found_by_group = (
            find_borderless(rows_of(group, taken), horizontal)
            if any(_has_any(line, taken) for line in group)
            else drafts
            for group, drafts in zip(groups, borderless_by_group, strict=True)
        )
        borderless = [draft for drafts in found_by_group for draft in drafts]
    drafts = [draft for draft in (*kept, *borderless) if not is_figure(draft, rules)]
    places = line_numbers(lines) if drafts else {}
    tables = [with_header(regrouped(draft, places, rules)) for draft in drafts]
    return sorted(tables, key=lambda draft: min(word.y0 for word in draft.words))


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


def _is_of_values(draft: TableDraft, borderless: Sequence[TableDraft]) -> bool:
    """Return True if a partly ruled table is one of values that borderless ones have: aligned values tell more."""
    words = _words_of([draft])
    found = words & _words_of(borderless)
    if len(found) < MIN_FOUND_SHARE * len(words):
        return False
    # Ticks are no numbers: a list of requirements may have more of them than texts.
    values = [
        any(is_number(word.text) for word in cell.words) and value_extent(cell.words) is not None
        for cell in draft.cells
        if cell.column and cell.row >= draft.header_rows
    ]
    numbers = sum(is_number(word.text) for word in draft.words)
    return 2 * sum(values) > len(values) or numbers >= MIN_NUMBER_SHARE * len(draft.words)


def _share_words(draft: TableDraft, others: Iterable[TableDraft]) -> bool:
    words = _words_of([draft])
    return any(word.first in words for other in others for word in other.words)


def _is_as_fine(draft: TableDraft, borderless: Sequence[TableDraft]) -> bool:
    """Return True if a table has all rows, columns and words of the borderless ones that share words with it."""
    words = _words_of([draft])
    shared = [other for other in borderless if _share_words(draft, [other])]
    return sum(other.rows for other in shared) <= draft.rows and all(
        other.columns <= draft.columns and all(word.first in words for word in other.words) for other in shared
    )


def _is_a_part(draft: TableDraft, borderless: TableDraft) -> bool:
    """Return True if half of the rows of a borderless table or more have no word in another one that has others."""
    words = _words_of([draft])
    rows = {cell.row for cell in borderless.cells if cell.row >= borderless.header_rows}
    inside = {cell.row for cell in borderless.cells if any(word.first in words for word in cell.words)} & rows
    return bool(inside) and 2 * len(inside) <= len(rows)


def _joins_wrapped_lines(draft: TableDraft, borderless: Sequence[TableDraft]) -> bool:
    """Return True if a table has all of some borderless ones, and joins only wrapped lines to rows of these.

    Each of its rows has the values of one row of theirs at most; all others in it have no values, and either small
    letters or nothing in the first column.
    """
    rows = {word.first: cell.row for cell in draft.cells for word in cell.words}
    texts = _words_of_texts(draft)
    left = min(word.x0 for word in draft.words)
    valued: Counter[int] = Counter()
    titled: set[int | None] = set()
    wrapped = 0
    for other in borderless:
        if not any(word.first in rows for word in other.words):
            continue
        if other.columns > draft.columns:
            return False
        by_row: dict[int, list[WordCell]] = {}
        for cell in other.cells:
            by_row.setdefault(cell.row, []).append(cell)
        for number, cells in by_row.items():
            inside = {rows.get(word.first) for cell in cells for word in cell.words}
            is_header = number < other.header_rows
            # The end of a paragraph above, which begins further left, is no header of the table.
            if None in inside and not (is_header and cells[0].words[0].x0 < left - 1):
                return False
            if is_header:
                continue
            if _has_values(cells, texts):
                valued.update(row for row in inside if row is not None)
            elif all(cell.column for cell in cells) or all(cell.words[0].text[0].islower() for cell in cells):
                wrapped += 1
            else:
                titled |= inside
    return wrapped > 0 and max(valued.values(), default=0) == 1 and not titled & valued.keys()


def _words_of_texts(draft: TableDraft) -> set[int]:
    """Return the words of cells with letters, by index of the first character."""
    texts = (cell for cell in draft.cells if any(map(str.isalpha, "".join([word.text for word in cell.words]))))
    return {word.first for cell in texts for word in cell.words}


def _has_values(cells: Sequence[WordCell], texts: Container[int]) -> bool:
    """Return True if a row has values behind its label; a number alone may be the last line of a text."""
    values = [cell for cell in cells if cell.column and value_extent(cell.words) is not None]
    return bool(values) and (len(cells) > 1 or values[0].words[0].first not in texts)


def _joins_values(draft: TableDraft, borderless: TableDraft) -> bool:
    """Return True if cells of a partly ruled table join values and other cells of one row of a borderless one."""
    body = [cell for cell in borderless.cells if cell.row >= borderless.header_rows]
    places = {word.first: (cell.row, cell.column) for cell in body for word in cell.words}
    values = {(cell.row, cell.column) for cell in body if cell.column and value_extent(cell.words) is not None}
    joined = 0
    for cell in draft.cells:
        inside = {places[word.first] for word in cell.words if word.first in places}
        joined += any(
            row == other for row, column in inside & values for other, neighbour in inside if neighbour != column
        )
    return joined > 1


def _is_coarser(ruled: TableDraft, borderless: TableDraft, between: Container[int]) -> bool:
    """Return True if a ruled table separates fewer rows than a borderless one.

    Either cells between rules join two or more rows of values to others, or at least as many rows with values are
    outside of all rules as inside.

    Args:
        ruled: A ruled table.
        borderless: A borderless table on the same page.
        between: Words of all ruled tables, by index of the first character.
    """
    x0, x1 = min(word.x0 for word in ruled.words), max(word.x1 for word in ruled.words)
    texts = _words_of_texts(ruled)
    by_row = {
        row: list(cells)
        for row, cells in groupby(borderless.cells, key=lambda cell: cell.row)
        if row >= borderless.header_rows
    }
    valued = [row for row, cells in by_row.items() if _has_values(cells, texts)]
    # Only values: a label may belong to several of their rows.
    rows = {
        word.first: row
        for row in valued
        for cell in by_row[row]
        for word in cell.words
        if cell.column and x0 <= (word.x0 + word.x1) / 2 <= x1
    }
    rows_by_cell = [{rows[word.first] for word in cell.words if word.first in rows} for cell in ruled.cells]
    inside = set[int]().union(*rows_by_cell)
    beyond = {row for first, row in rows.items() if first not in between} - inside
    joined = sum(max(0, len(cell_rows) - 1) for cell_rows in rows_by_cell)
    return joined > 1 or (bool(inside) and len(beyond) >= len(inside))
