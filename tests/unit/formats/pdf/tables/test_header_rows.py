from dataclasses import replace

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import line_of
from pincite.formats.pdf.tables.borderless import find_borderless
from pincite.formats.pdf.tables.find import choose_tables
from pincite.formats.pdf.tables.header_rows import MAX_COLUMNS, phrase_groups
from pincite.formats.pdf.tables.segments import rows_of
from support.pdf_rules import partly_ruled
from support.pdf_statements import STATEMENT, found, only
from support.typed_pages import LEADING, WIDTH, grid, typed

FOUR = [(0.0, 30.0), (40.0, 70.0), (80.0, 110.0), (120.0, 150.0)]


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


def test_a_phrase_in_the_middle_of_the_values_spans_them_beside_a_column_of_texts() -> None:
    rows = only(
        """
                               Value
Parameter              Min      Typ      Max    Unit
Voltage of supply      0.9      1.8      2.7    V
Current of supply      1.2      2.4      3.6    mA
Delay of a signal      4.0      8.0     12.0    ns
"""
    )
    assert rows[:2] == [
        ["", "Value", "Value", "Value", ""],
        ["Parameter", "Min", "Typ", "Max", "Unit"],
    ]


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


def test_a_rule_as_wide_as_the_table_parts_rows_of_the_header() -> None:
    page = """
              First               Second
              Plan      Actual    Plan      Actual
Employees     5,304     5,449     8,736     3,933
Customers     7,078       627     8,011     4,684
Together     12,382     6,076    16,747     8,617
"""
    rows = rows_of(typed(page))
    (draft,) = find_borderless(rows, [Rule(11, 0, 51 * 5)])
    assert [cell.row for cell in draft.cells if cell.words[0].text in ("First", "Plan")] == [0, 1, 1]
    (narrow,) = find_borderless(rows, [Rule(11, 14 * 5, 26 * 5)])
    assert narrow.header_rows == 1


LIMITS = """
                           Value
Parameter   Remark    Min    Typ    Max
Supply      all       0.9    1.8    2.7
Current     none      1.2    2.4    3.6
"""


def test_a_phrase_that_ends_near_the_middle_one_of_three_names_but_not_with_it_spans_them() -> None:
    first, *rest = typed(LIMITS)
    moved = line_of([replace(word, x0=word.x0 + 1, x1=word.x1 + 1) for word in first.words])
    spans = [
        max(cell.column_span for cell in draft.cells)
        for line in (moved, first)
        for draft in find_borderless(rows_of([line, *rest]))
    ]
    assert spans == [3, 1]


def test_each_phrase_is_in_the_middle_of_its_columns_and_all_columns_are_below_one() -> None:
    assert phrase_groups([(45, 65), (130, 145)], FOUR) == [(0, 3), (3, 4)]
    assert phrase_groups([(25, 45), (105, 125)], FOUR) == [(0, 2), (2, 4)]


def test_phrases_that_are_in_the_middle_of_no_group_or_as_many_as_columns_span_none() -> None:
    assert phrase_groups([(0, 20), (40, 60)], FOUR) == []
    assert phrase_groups([(45, 65)], FOUR) == []
    assert phrase_groups(FOUR, FOUR) == []
    assert phrase_groups([(45, 65), (130, 145)], [*FOUR, *((x, x + 1.0) for x in range(200, 200 + MAX_COLUMNS))]) == []


PAGE = """
EUR thousand             2026               2025
                Fixed  Variable   Total    Total
First of all      790       833   1,623    2,869
Second          1,397     1,744   3,141    1,414
Third             698     2,197   2,895      323
"""


NAMES = ["Fixed", "Variable", "Total", "Total"]


def test_years_above_the_names_of_values_span_three_columns_and_one() -> None:
    (found,) = find_borderless(rows_of(typed(PAGE)))
    assert (grid(found)[0], grid(found)[1]) == (["EUR thousand", *["2026"] * 3, "2025"], ["", *NAMES])
    assert [(cell.column, cell.column_span) for cell in found.cells if cell.row == 0] == [(0, 1), (1, 3), (4, 1)]


def test_phrases_above_vertical_rules_that_begin_below_them_are_of_the_header() -> None:
    walls = [Rule(x * WIDTH, LEADING, 5 * LEADING) for x in (14.5, 22, 31.5, 41)]
    (found,) = choose_tables(typed(PAGE, bold=(0, 1)), Rules([], walls))
    assert found.header_rows == 2
    assert [(cell.column, cell.column_span) for cell in found.cells if cell.row == 0] == [(0, 1), (1, 3), (4, 1)]


def test_phrases_above_the_first_rule_of_a_table_span_its_names_but_no_values() -> None:
    rules = [Rule(LEADING * line - 1, 0, 48 * WIDTH) for line in (1, 2, 3, 4, 5)]
    (found,) = choose_tables(typed(PAGE), Rules(rules))
    assert [(cell.column, cell.column_span) for cell in found.cells if cell.row == 0] == [(0, 1), (1, 3), (4, 1)]
    values = PAGE.replace("Fixed  Variable   Total    Total", "  10        20      30       40")
    (other,) = partly_ruled(typed(values), Rules(rules))
    assert all(cell.column_span == 1 for cell in other.cells)
