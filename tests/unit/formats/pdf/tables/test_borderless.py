"""Tables without rules, from lines typed as they look."""

from pincite.formats.pdf.page.words import line_of
from pincite.formats.pdf.tables.borderless import find_borderless
from pincite.formats.pdf.tables.segments import rows_of
from support.pdf_statements import STATEMENT, found, only
from support.typed_pages import grid, word

RECORDS = """
Pos   Article                 Price     Amount      Total
1     Chair, oak, with           20.00         2      40.00
      arms and a cushion
2     Table                     100.00         1     100.00
      for six
"""


def test_values_under_each_other_make_columns_under_their_years() -> None:
    assert only(STATEMENT) == [
        ["(In millions)", "2022", "2021"],
        ["Current assets:", "", ""],
        ["Cash and cash equivalents", "$ 1,234", "$ 987"],
        ["Inventories, net", "(56)", "—"],
        ["Total assets", "$ 1,178", "$ 987"],
    ]


def test_a_caption_above_years_is_no_header() -> None:
    header, *rows = STATEMENT.removeprefix("\n").splitlines()
    titled = "\n".join([f"{'Table 3: Assets':>{len(header)}}", header, *rows])
    assert only(titled) == only(STATEMENT)


def test_many_rows_take_bounded_time() -> None:
    page = "\n".join(f"Row {number}        {number}.00      {number + 1}.00" for number in range(2000))
    assert len(found(page)) == 1


def test_huge_coordinates_are_no_table() -> None:
    lines = [line_of([word("a", 1e9 * n, 1e12 * n, n), word("1", 1e9 * n + 300, 1e12 * n, n + 1)]) for n in range(50)]
    assert find_borderless(rows_of(lines)) == []


def test_lines_of_a_record_are_joined_and_its_position_is_a_cell() -> None:
    rows = only(RECORDS)
    assert rows[1] == ["1", "Chair, oak, with arms and a cushion", "20.00", "2", "40.00"]
    assert rows[2] == ["2", "Table for six", "100.00", "1", "100.00"]


def test_a_position_below_a_sum_begins_a_record() -> None:
    rows = only(
        """
Pos   Article                 Price     Amount      Total
1.1   Chair                    20.00         2      40.00
      Carried forward                               40.00
2     Tables
2.1   Table                   100.00         1     100.00
"""
    )
    assert rows[2:4] == [["", "Carried forward", "", "", "40.00"], ["2", "Tables", "", "", ""]]


def test_a_value_set_lower_than_its_row_is_of_it() -> None:
    lines = [
        line_of([word("1", 0, 0, 0), word("Chair", 50, 0, 2), word("20.00", 200, 0, 8), word("2", 250, 0, 13)]),
        line_of([word("40.00", 300, 9, 15)]),
        line_of([word("2", 0, 40, 20), word("Table", 50, 40, 22), word("10.00", 200, 40, 28), word("1", 250, 40, 33)]),
        line_of([word("10.00", 300, 49, 35)]),
    ]
    (draft,) = find_borderless(rows_of(lines))
    assert grid(draft) == [["1", "Chair", "20.00", "2", "40.00"], ["2", "Table", "10.00", "1", "10.00"]]


def test_values_between_the_lines_of_their_label_are_of_its_row() -> None:
    lines = [
        line_of([word("Sales", 0, 0, 0), word("10", 210, 0, 6), word("20", 310, 0, 9)]),
        line_of([word("Growth", 0, 30, 20), word("at", 40, 30, 27)]),
        line_of([word("5", 215, 35, 30), word("6", 315, 35, 32)]),
        line_of([word("constant", 0, 40, 40), word("rates", 50, 40, 50)]),
    ]
    (draft,) = find_borderless(rows_of(lines))
    assert grid(draft)[1] == ["Growth at constant rates", "5", "6"]


def test_lines_far_below_go_on_with_the_last_record_like_those_above() -> None:
    page = """
Pos   Article                 Price     Amount      Total
1     Chair                    20.00         2      40.00
      oak

      with arms

2     Table                   100.00         1     100.00
      for six

      with legs



      The end of the story that has nothing to do with it
"""
    rows = only(page)
    assert [row[1] for row in rows] == ["Article", "Chair oak", "with arms", "Table for six", "with legs"]


def test_labels_as_far_apart_as_rows_are_rows() -> None:
    rows = only(
        """
Metric           Q1        Q2
maintenance   24,219    92,363
Other
Date 0        88,845    23,812
System        11,952    19,425
"""
    )
    assert [row[0] for row in rows[1:]] == ["maintenance", "Other", "Date 0", "System"]
