"""Names of columns, and the phrases of a line above them."""

from dataclasses import replace

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import line_of
from pincite.formats.pdf.tables.spanned_names import segments_of, spanned_names, spans_all, spans_columns
from support.pdf_rules import partly_ruled
from support.typed_pages import grid, typed, word

NAMES = "                Fixed  Variable   Total    Total"
YEARS = "EUR thousand             2026               2025"
VALUES = "                  790       833   1,623    2,869"


def test_a_line_is_parted_where_the_white_is_as_wide_as_between_columns() -> None:
    (line,) = typed("A long label    1,200    3,400")
    assert [[word.text for word in part] for part in segments_of(line)] == [
        ["A", "long", "label"],
        ["1,200"],
        ["3,400"],
    ]


def test_phrases_span_all_names_below_them_but_no_values() -> None:
    years, names = typed(f"{YEARS}\n{NAMES}")
    assert spans_all(years, names)
    assert spans_columns(years, names)
    years, values = typed(f"{YEARS}\n{VALUES}")
    assert not spans_all(years, values)


def test_a_bold_phrase_in_the_middle_of_names_spans_them_and_one_at_their_edge_none() -> None:
    phrase, names = typed("      Both of them\nFirst name    Second name", bold=(0, 1))
    assert spanned_names(phrase, names) == (0, 2)
    phrase, names = typed("One\nFirst name    Second name", bold=(0, 1))
    assert spanned_names(phrase, names) is None


def test_a_name_of_the_header_parts_columns_that_one_long_word_leaves_too_little_white() -> None:
    page = """
Option        Type    Default
maintenances  list    none
other         string  10
third         number  20
"""
    lines = typed(page)
    # A third of a space between the longest label and its type.
    first, *rest = (word for word in lines[1].words)
    close = replace(lines[1], words=(replace(first, x1=rest[0].x0 - 2), *rest))
    (table,) = partly_ruled([lines[0], close, *lines[2:]], Rules([Rule(y, 0, 240) for y in (-1, 11, 47)]))
    assert grid(table)[1] == ["maintenances", "list", "none"]


def test_numbers_below_a_name_at_the_right_are_a_column_beside_the_longest_label() -> None:
    page = """
Unit          Pct   Mark
Programme     65%   A
Condition    100%   B
Part           5%   B
"""
    lines = typed(page)
    label, *rest = lines[2].words
    close = replace(lines[2], words=(replace(label, x1=rest[0].x0 - 2), *rest))
    (table,) = partly_ruled([*lines[:2], close, lines[3]], Rules([Rule(y, 0, 240) for y in (-1, 11, 47)]))
    assert grid(table)[2] == ["Condition", "100%", "B"]


def test_times_and_values_a_space_apart_that_end_below_names_are_columns_in_a_single_row() -> None:
    rows = (
        (("Stop", 20), ("964", 100), ("707", 150), ("593", 200)),
        (("Park", 20), ("37.6", 72), ("\u00b1", 81), ("5.2", 100), ("06:49", 150), ("12:07", 200)),
    )
    lines = [
        line_of([word(text, x1 - 5 * len(text), 12 * y, 100 * y + x1) for text, x1 in row])
        for y, row in enumerate(rows)
    ]
    # White of half an em before the last time.
    wide = tuple(replace(one, x0=one.x0 - 20) if one.text == "12:07" else one for one in lines[1].words)
    (table,) = partly_ruled([lines[0], replace(lines[1], words=wide)], Rules([Rule(y, 0, 210) for y in (11, 24)]))
    assert grid(table) == [["Stop", "964", "707", "593"], ["Park", "37.6 \u00b1 5.2", "06:49", "12:07"]]
