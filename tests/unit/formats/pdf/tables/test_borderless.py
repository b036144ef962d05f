"""Tables without rules, from lines typed as they look."""

import pytest

from pincite.formats.pdf.page.placed_text import Text
from pincite.formats.pdf.page.words import Line, line_of
from pincite.formats.pdf.tables.borderless import find_stream
from pincite.formats.pdf.tables.draft import Draft, file_order, found_table
from pincite.formats.pdf.tables.segments import Kind, rows_of
from support.typed_pages import grid, typed, word


def found(page: str, **how: object) -> list[Draft]:
    return find_stream(rows_of(typed(page, **how)))  # type: ignore[arg-type]  # handed on as they are


def only(page: str, **how: object) -> list[list[str]]:
    drafts = found(page, **how)
    assert len(drafts) == 1
    return grid(drafts[0])


def kinds(text: str) -> list[tuple[str, str]]:
    (row,) = rows_of(typed(text))
    return [(segment.text, segment.kind.value) for segment in row.segments]


STATEMENT = """
(In millions)                        2022       2021
Current assets:
  Cash and cash equivalents       $ 1,234    $   987
  Inventories, net                    (56)         —
Total assets                      $ 1,178    $   987
"""


def test_values_under_each_other_make_columns_under_their_years() -> None:
    assert only(STATEMENT) == [
        ["(In millions)", "2022", "2021"],
        ["Current assets:", "", ""],
        ["Cash and cash equivalents", "$ 1,234", "$ 987"],
        ["Inventories, net", "(56)", "—"],
        ["Total assets", "$ 1,178", "$ 987"],
    ]


def test_years_over_labels_that_stand_alone_are_the_header() -> None:
    (draft,) = found(STATEMENT)
    assert draft.header_rows == 1
    assert {cell.row for cell in draft.cells if cell.words[0].text == "Current"} == {1}


def test_a_phrase_over_several_columns_spans_them() -> None:
    rows = only(
        """
                       Three months ended    Nine months ended
                         2022       2021       2022       2021
Net sales               1,234      1,100      3,700      3,300
Net income                 12         11         37         33
"""
    )
    assert rows[0] == ["", *["Three months ended"] * 2, *["Nine months ended"] * 2]
    assert rows[1] == ["", "2022", "2021", "2022", "2021"]


def test_a_phrase_at_the_edge_of_its_columns_spans_them_where_their_names_repeat() -> None:
    rows = only(
        """
                             Pension                  Health
                2022    2021    2020    2022    2021    2020
Service cost     216     247     245      79      94      89
Interest cost    100     110     120      10      11      12
"""
    )
    assert rows[0] == ["", *["Pension"] * 3, *["Health"] * 3]


def test_a_phrase_in_the_middle_of_all_columns_spans_them() -> None:
    rows = only(
        """
                          Year ended December 31,
                         2022       2021       2020
Net sales               1,234      1,100      3,700
Net income                 12         11         37
"""
    )
    assert rows[0] == ["", *["Year ended December 31,"] * 3]


def test_a_phrase_between_two_of_several_columns_spans_those() -> None:
    rows = only(
        """
                                   Additions
Kind              Begin    Expenses      Other    Deductions    End
Allowance           100          10         20             5    125
Valuation           200          30         40            15    255
"""
    )
    assert rows[0] == ["", "", "Additions", "Additions", "", ""]


def test_a_phrase_over_one_column_is_of_that_column() -> None:
    rows = only(
        """
                         Gross
Kind           Net      amount        Tax
Goods          100          10         20
Fees           200          30         40
"""
    )
    assert rows[0] == ["Kind", "Net", "Gross amount", "Tax"]


def test_a_year_between_two_columns_spans_them() -> None:
    rows = only(
        """
                          2022                 2021
                   Amount       Share    Amount      Share
Net sales           1,234         10%     3,700        11%
Net income             12          1%        37         2%
"""
    )
    assert rows[0] == ["", "2022", "2022", "2021", "2021"]


def test_a_value_between_texts_makes_columns() -> None:
    rows = only(
        """
Name                   Age      Position
Satya Nadella           55      Chairman and Chief Executive Officer
Judson B. Althoff       50      Executive Vice President
                                and Chief Commercial Officer
"""
    )
    assert rows[2] == ["Judson B. Althoff", "50", "Executive Vice President and Chief Commercial Officer"]


def test_a_line_over_one_of_several_groups_of_like_names_is_of_the_name_below_it() -> None:
    rows = only(
        """
               2023                                2022
                           Fair                         Fair
            Carrying       value        Carrying       value
Notes          1,234       1,300           1,100       1,150
Bonds            500         490             510         480
"""
    )
    assert rows[1] == ["", "Carrying", "Fair value", "Carrying", "Fair value"]


def test_a_sentence_above_a_header_is_not_of_it() -> None:
    page = """
    The components of lease expense for the last year
                         2022       2021
Fixed cost              1,234      1,100
Variable cost              12         11
"""
    (draft,) = found(page)
    assert draft.header_rows == 1 and draft.rows == 3


def test_a_remark_in_brackets_is_said_of_all_columns() -> None:
    rows = only(
        """
                                  (dollars in millions)
At December 31,                       2022       2021
Cash                                 1,234        987
Debt                                   200        100
"""
    )
    assert rows[0] == ["", "(dollars in millions)", "(dollars in millions)"]


def test_header_lines_of_one_column_are_one_cell() -> None:
    rows = only(
        """
                 Carrying      Fair
                    value     value
Notes               1,234     1,300
Bonds                 500       490
"""
    )
    assert rows[0] == ["", "Carrying value", "Fair value"]


def test_header_words_close_together_are_cut_over_their_columns() -> None:
    rows = only(
        """
Model      simple  complex
OTSL        0.965    0.934
HTML        0.969    0.927
"""
    )
    assert rows[0] == ["Model", "simple", "complex"]


def test_a_column_that_only_the_header_names_is_kept() -> None:
    rows = only(
        """
Kind           Goods      Fees       Base    Rate      Tax
VAT                                113.03       7     7.91
VAT                                 64.46      19    12.25
"""
    )
    assert rows[0] == ["Kind", "Goods", "Fees", "Base", "Rate", "Tax"]
    assert rows[1] == ["VAT", "", "", "113.03", "7", "7.91"]


RECORDS = """
Pos   Article                 Price     Amount      Total
1     Chair, oak, with           20.00         2      40.00
      arms and a cushion
2     Table                     100.00         1     100.00
      for six
"""


def test_lines_of_a_record_are_joined_and_its_position_is_a_cell() -> None:
    rows = only(RECORDS)
    assert rows[1] == ["1", "Chair, oak, with arms and a cushion", "20.00", "2", "40.00"]
    assert rows[2] == ["2", "Table for six", "100.00", "1", "100.00"]


def test_a_value_set_lower_than_its_row_is_of_it() -> None:
    lines = [
        line_of([word("1", 0, 0, 0), word("Chair", 50, 0, 2), word("20.00", 200, 0, 8), word("2", 250, 0, 13)]),
        line_of([word("40.00", 300, 9, 15)]),
        line_of([word("2", 0, 40, 20), word("Table", 50, 40, 22), word("10.00", 200, 40, 28), word("1", 250, 40, 33)]),
        line_of([word("10.00", 300, 49, 35)]),
    ]
    (draft,) = find_stream(rows_of(lines))
    assert grid(draft) == [["1", "Chair", "20.00", "2", "40.00"], ["2", "Table", "10.00", "1", "10.00"]]


def test_a_label_that_wraps_is_one_cell() -> None:
    rows = only(
        """
Right-of-use assets obtained in exchange for
new lease liabilities                              2,392     9,778
Cash                                                 100       200
"""
    )
    assert rows[0] == ["Right-of-use assets obtained in exchange for new lease liabilities", "2,392", "9,778"]


def test_values_between_the_lines_of_their_label_are_of_its_row() -> None:
    lines = [
        line_of([word("Sales", 0, 0, 0), word("10", 210, 0, 6), word("20", 310, 0, 9)]),
        line_of([word("Growth", 0, 30, 20), word("at", 40, 30, 27)]),
        line_of([word("5", 215, 35, 30), word("6", 315, 35, 32)]),
        line_of([word("constant", 0, 40, 40), word("rates", 50, 40, 50)]),
    ]
    (draft,) = find_stream(rows_of(lines))
    assert grid(draft)[1] == ["Growth at constant rates", "5", "6"]


def test_rows_with_one_value_are_a_table_where_all_are_amounts() -> None:
    assert only(
        """
Data transfer                      $0.01
Compute                            $1.87
Storage                            $2.22
"""
    ) == [["Data transfer", "$0.01"], ["Compute", "$1.87"], ["Storage", "$2.22"]]


def test_a_lone_record_needs_no_header() -> None:
    assert only("2     Yoghurt           5.50     50     275.00") == [["2", "Yoghurt", "5.50", "50", "275.00"]]


def test_a_lone_row_of_two_values_needs_one() -> None:
    assert found("Yoghurt           5.50     275.00") == []
    assert len(found("Article           Price      Total\nYoghurt            5.50     275.00")) == 1


def test_a_list_of_contents_is_no_table() -> None:
    page = """
Introduction                                  1
Terms and definitions                         4
Requirements                                 17
Annex                                        43
"""
    assert found(page) == []


def test_a_header_ends_where_another_table_s_rows_or_too_many_lines_are() -> None:
    names = "\n".join("                     word       word" for _ in range(20))
    (draft,) = found(f"{names}\nCash                 1,234       987\nDebt                   200       100")
    assert draft.header_rows == 1
    assert len(draft.cells[0].words) == 12
    labels = "\n".join("Label" for _ in range(6))
    (draft,) = found(
        f"                     2022       2021\n{labels}\nCash                 1,234       987\nDebt   20   10"
    )
    assert draft.header_rows == 0


def test_prose_with_numbers_is_no_table() -> None:
    page = """
In 2022 and 2021 we sold 12 of 34 plants for 5 million, of which 3 were in the
region. The other 9 are held for sale. We also closed 2 of the 7 sites that the
company had bought in 2019, and wrote off 1.5 million. See notes 5 and 6 for more.
"""
    assert found(page) == []


def test_prose_in_two_columns_is_no_table() -> None:
    page = """
The quick brown fox jumps over        wonder how often it has to do
the lazy dog while the others         so before the day is over and
look on for 10 minutes and then       they can rest in the shade of
walk to the next field to see         the old tree, all 12 of them,
"""
    assert found(page) == []


def test_a_numbered_list_is_no_table() -> None:
    assert found("1.    The first thing\n2.    The second thing\n3.    The third thing\n") == []
    assert found("•     The first thing\n—     The second thing\n—     The third thing\n") == []


HEADED = """
Cash                  1,234       987
Debt                    200       100
5.2 Requirements
Cash                  1,234       987
Debt                    200       100
"""


def test_a_larger_line_is_a_heading_and_ends_a_table() -> None:
    drafts = found(HEADED, sizes={2: 13.0})
    assert [draft.rows for draft in drafts] == [2, 2]
    assert not any(word.text == "5.2" for draft in drafts for word in draft.words)


def test_a_label_of_the_table_s_own_size_stays_in_it() -> None:
    assert [row[0] for row in only(HEADED.replace("5.2 Requirements", "Liabilities:"))][2] == "Liabilities:"


def test_a_bold_numbered_line_is_a_heading() -> None:
    drafts = found(HEADED, bold=[2])
    assert [draft.rows for draft in drafts] == [2, 2]


def test_running_text_below_a_table_ends_it() -> None:
    page = """
Cash                  1,234       987
Debt                    200       100
The quick brown fox jumps over the lazy dog while the
others look on and wonder how often it has to do so.
Cash                  1,234       987
Debt                    200       100
"""
    drafts = found(page)
    assert [draft.rows for draft in drafts] == [2, 2]


def test_a_line_that_crosses_the_columns_may_stand_under_a_header() -> None:
    page = """
                           Begin       End
Allowance for credit losses deducted from accounts:
Year 2022                  1,151     1,261
Year 2021                  1,507     1,151
"""
    (draft,) = found(page)
    assert grid(draft)[0] == ["", "Begin", "End"] and draft.header_rows == 1


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


def test_running_text_above_a_table_is_no_header() -> None:
    page = """
The quick brown fox jumps over the lazy dog while the
others look on and wonder how often it has to do so.
Cash                  1,234       987
Debt                    200       100
"""
    (draft,) = found(page)
    assert draft.rows == 2


def test_a_new_header_begins_a_new_table() -> None:
    page = """
                       2022      2021
Cash                  1,234       987
Debt                    200       100
                       2020      2019
Cash                  1,234       987
Debt                    200       100
"""
    assert [draft.header_rows for draft in found(page)] == [1, 1]


def test_a_year_at_the_left_is_a_label() -> None:
    rows = only(
        """
2024              173        12
2025              150        13
2022
Deliveries        480        20
"""
    )
    assert rows[0] == ["2024", "173", "12"] and rows[2] == ["2022", "", ""]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cash   $   1,234", [("Cash", "text"), ("$ 1,234", "value")]),
        ("Cash   (12 )", [("Cash", "text"), ("(12 )", "value")]),
        ("Cash   12   %", [("Cash", "text"), ("12 %", "value")]),
        ("Rate   0.75 - 5.82", [("Rate", "text"), ("0.75 - 5.82", "value")]),
        ("Amount   20 Stk", [("Amount", "text"), ("20 Stk", "value")]),
        ("Paid   4,55 €   10%", [("Paid", "text"), ("4,55 €", "value"), ("10%", "value")]),
        ("Article   4000001234561", [("Article", "text"), ("4000001234561", "text")]),
        ("Date   13/11/2017", [("Date", "text"), ("13/11/2017", "text")]),
        ("Revenue ..... 12", [("Revenue", "text"), ("12", "value")]),
        ("June 30, 2023   2022", [("June 30, 2023", "text"), ("2022", "year")]),
        ("Europe (1)   N/A", [("Europe (1)", "text"), ("N/A", "value")]),
        ("2027 Notes   12   13", [("2027 Notes", "text"), ("12", "value"), ("13", "value")]),
    ],
)
def test_segments(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


def test_a_raised_mark_stays_with_its_value() -> None:
    words = [word("Cash", 0, 0, 0), word("1,929", 100, 0, 5), word("(2)", 130, 0, 11, size=5), word("12", 200, 0, 15)]
    (row,) = rows_of([line_of(words)])
    assert [segment.text for segment in row.segments] == ["Cash", "1,929 (2)", "12"]
    assert row.segments[1].kind is Kind.VALUE


def test_a_raised_mark_in_a_line_of_its_own_is_put_back() -> None:
    lines = [
        line_of([word("(2)", 130, 0, 0, size=5)]),
        line_of([word("Cash", 0, 2, 5), word("on", 25, 2, 10), word("hand", 40, 2, 13), word("1,929", 100, 2, 20)]),
    ]
    assert [row.text for row in rows_of(lines)] == ["Cash on hand 1,929 (2)"]


def test_a_line_that_is_turned_is_not_looked_at() -> None:
    assert rows_of([line_of([word("up", 0, 0)._replace(turns=1)])]) == ()


def test_the_text_in_the_file_s_order_is_kept_where_it_is_another() -> None:
    lines = typed(STATEMENT)
    (draft,) = find_stream(rows_of(lines))
    assert found_table(draft, _said).table.source == ""
    back = [Line(tuple(w._replace(first=1000 - w.first) for w in line.words), *_edges(line)) for line in lines]
    (draft,) = find_stream(rows_of(back))
    source = found_table(draft, _said).table.source
    assert source.startswith("987\n$") and source.splitlines()[-1] == "(In"


def test_text_in_the_file_s_order_breaks_where_a_line_does() -> None:
    assert file_order([word("a", 0, 0, 0), word("b", 20, 0, 2), word("c", 0, 12, 4)]) == "a b\nc"


def test_many_rows_take_bounded_time() -> None:
    page = "\n".join(f"Row {number}        {number}.00      {number + 1}.00" for number in range(2000))
    assert len(found(page)) == 1


def test_huge_coordinates_are_no_table() -> None:
    lines = [line_of([word("a", 1e9 * n, 1e12 * n, n), word("1", 1e9 * n + 300, 1e12 * n, n + 1)]) for n in range(50)]
    assert find_stream(rows_of(lines)) == []


def _said(words: object) -> Text:
    return Text(" ".join(one.text for one in words))  # type: ignore[attr-defined]  # words


def _edges(line: Line) -> tuple[float, float, float, float, float]:
    return line.x0, line.y0, line.x1, line.y1, line.size
