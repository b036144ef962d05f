"""Tables between rules of one width, or without rules: every way to read them that white space allows is proposed."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import line_of
from pincite.formats.pdf.tables.draft import TableDraft
from pincite.formats.pdf.tables.whitespace import MAX_READINGS, aligned_readings, whitespace_readings
from support.typed_pages import LEADING, WIDTH, grid, typed

PAGE = """
Method      Won   Lost
First       790    833
Second      1,397  1,744
"""


def read(page: str, places: Sequence[float], width: int = 24) -> list[list[list[str]]]:
    """The tables between rules that many lines down."""
    rules = [Rule(place * LEADING - 1, 0, width * WIDTH) for place in places]
    return [grid(draft) for draft in whitespace_readings(typed(page), [], rules)]


def test_lines_between_rules_are_rows_in_the_columns_that_white_tells() -> None:
    rows = [["Method", "Won", "Lost"], ["First", "790", "833"], ["Second", "1,397", "1,744"]]
    assert rows in read(PAGE, (0, 1, 3))
    assert rows in read(PAGE, (0, 3))


def test_names_above_a_rule_may_be_a_header_or_a_row() -> None:
    lines, rules = typed(PAGE), [Rule(place * LEADING - 1, 0, 24 * WIDTH) for place in (0, 1, 3)]
    assert {draft.header_rows for draft in whitespace_readings(lines, [], rules)} == {0, 1}


def test_a_title_of_some_rows_is_one_cell_over_all_columns() -> None:
    more = "\nThird       790    833" * 6
    titled = PAGE.replace("First", "     All of these\nFirst").rstrip() + more
    rules = [Rule(place * LEADING - 1, 0, 24 * WIDTH) for place in (0, 1, 10)]
    spans = {
        (cell.column, cell.column_span)
        for draft in whitespace_readings(typed(titled), [], rules)
        for cell in draft.cells
        if cell.words[0].text == "All" and draft.columns == 3
    }
    assert (0, 3) in spans


def test_prose_between_rules_and_lines_that_run_out_of_them_are_no_table() -> None:
    prose = "\n" + "The quick brown fox jumps over the lazy dog today\n" * 4
    assert not read(prose, (0, 4), width=50)
    assert not read(PAGE, (0, 3), width=10)


def test_a_page_of_text_between_its_head_and_foot_is_no_table() -> None:
    left = [
        "The quick brown fox jumps over",
        "a lazy dog, while none of them",
        "ever looks on and wonders what",
        "it may mean for all the others",
    ]
    right = [
        "Whoever comes first, and then",
        "goes away again as he pleases",
        "shall be the last of all these",
        "without ever having been asked",
    ]
    columns = "".join(f"\n{one:34}{other}" for one, other in zip(left, right, strict=True))
    assert not read(columns, (0, 4), width=76)
    section = "\n2.1   Hardware\n" + "      The quick brown fox jumps\n" * 7
    assert not read(section, (0, 8), width=60)


def test_a_drawing_of_rules_has_a_bounded_number_of_readings() -> None:
    page = "\n" + "one   two   three\n" * 300
    assert len(read(page, range(300))) <= MAX_READINGS


WITHOUT_RULES = """
The quick brown fox jumps over the lazy dog and over all of the others
Method      Won    Lost    Drawn
First       790    833     12
wrapped
Second      1,397  1,744   31
of two lines
The quick brown fox jumps over the lazy dog and over all of the others
"""


def without_rules(page: str, *bold: int) -> list[TableDraft]:
    return [*whitespace_readings([], [typed(page, bold=bold)], [])]


def test_lines_below_bold_names_are_rows_up_to_the_last_of_several_texts_or_to_prose() -> None:
    rows = [["Method", "Won", "Lost", "Drawn"], ["First", "790", "833", "12"], ["wrapped", "", "", ""]]
    rows += [["Second", "1,397", "1,744", "31"]]
    drafts = without_rules(WITHOUT_RULES, 1)
    assert {draft.header_rows for draft in drafts} == {1}
    assert rows in [grid(draft) for draft in drafts]
    assert [*rows, ["of two lines", "", "", ""]] in [grid(draft) for draft in drafts]
    assert not without_rules(WITHOUT_RULES)


def test_bold_names_may_have_two_lines() -> None:
    page = WITHOUT_RULES.replace("First       790    833     12", "            games  games   games")
    drafts = without_rules(
        page.replace("wrapped", "First       790    833     12\nThird       790    833     12"), 1, 2
    )
    assert ["Method", "Won games", "Lost games", "Drawn games"] in [grid(draft)[0] for draft in drafts]


def test_bold_values_above_their_names_are_no_table() -> None:
    assert not without_rules("Delaware          23-2259884\n(State of         (Employer\nfounding)         number)", 0)


def test_lines_of_several_texts_are_read_as_rows_where_nothing_marks_a_table() -> None:
    rows = [["Method", "Won", "Lost", "Drawn"], ["First", "790", "833", "12"], ["wrapped", "", "", ""]]
    rows += [["Second", "1,397", "1,744", "31"]]
    found = [grid(draft) for draft in aligned_readings([typed(WITHOUT_RULES)])]
    assert rows in found
    assert [*rows, ["of two lines", "", "", ""]] in found


def test_rows_may_begin_with_values_at_the_right_of_their_column() -> None:
    page = "Block Target    Range\n        2019    18 to 22\n        2020    19 to 23\n        2021    20 to 24"
    assert ["2019", "18 to 22"] in [grid(draft)[1] for draft in aligned_readings([typed(page)])]


@pytest.mark.parametrize(("title", "size"), [("Table 1:  Results", 10.0), ("7   Results", 14.0)])
def test_a_caption_and_a_heading_above_the_names_are_no_rows(title: str, size: float) -> None:
    _, *lines = WITHOUT_RULES.removeprefix("\n").splitlines()
    page = typed("\n".join([title, *lines]), sizes={0: size})
    found = [grid(draft)[0][0] for draft in aligned_readings([page])]
    assert found and all(name.startswith("Method") for name in found)


@pytest.mark.parametrize(
    "marks",
    [("(a)", "(b)", "(c)"), ("1:", "2:", "3:"), ("•", "•", "•"), ("z", "z", "z"), ("Name:", "Born:", "Died:")],
)
def test_items_of_lists_and_fields_are_no_lines_of_several_texts(marks: Sequence[str]) -> None:
    assert not [*aligned_readings([typed("".join(f"\n{mark:9}The quick brown fox" for mark in marks))])]


def test_lines_that_the_file_has_column_by_column_are_no_rows() -> None:
    lines = typed(WITHOUT_RULES)
    rows = [line for line in lines if len(line.words) > 1 and line.x1 < 40 * WIDTH]
    turned = [
        line_of([replace(word, first=10 * column + row) for column, word in enumerate(line.words)])
        for row, line in enumerate(rows)
    ]
    assert [*aligned_readings([rows])] and not [*aligned_readings([turned])]


def test_a_line_that_begins_where_its_column_does_is_no_title_in_the_middle() -> None:
    page = """
Key       What it tells, and when   Value
first     which of the values is    none
          the one to be taken now
second    how many there are        3
third     how often it is read      daily
"""
    assert all(["", "the one to be taken now", ""] in rows for rows in map(grid, aligned_readings([typed(page)])))
