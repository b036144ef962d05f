from pincite.formats.pdf.tables.segments import rows_of
from pincite.formats.pdf.tables.table_rows import is_heading
from support.pdf_statements import found, only
from support.typed_pages import typed


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


def test_a_lone_row_may_be_named_by_a_number() -> None:
    assert len(only("9.2.1    ✓      ✓      295")) == 1


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


def test_names_of_columns_with_numbers_are_no_heading() -> None:
    page = """
Metric      Q1        Q2        Q3
Sales       1,200     1,100     1,000
Costs       800       700       600
"""
    header, body, *_ = rows_of(typed(page, bold=[0]))
    assert not is_heading(header, body)
    numbered, below = rows_of(typed("2.1 Scope of it\nsome text", bold=[0]))
    assert is_heading(numbered, below)


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


def test_rows_need_no_text_before_their_values() -> None:
    names = "Months     Rate       Rent"
    rows = ["1 - 12    $25.00   $15,612.50", "13 - 24   $25.69   $16,043.41"]
    assert only("\n".join([names, *rows])) == [
        names.split(),
        ["1 - 12", *rows[0].split()[3:]],
        ["13 - 24", *rows[1].split()[3:]],
    ]


def test_a_value_above_the_rows_is_no_name_of_its_column() -> None:
    rows = ["1 - 12    $25.00   $15,612.50", "13 - 24   $25.69   $16,043.41"]
    (draft,) = found("\n".join(["Months     Rate       Rent", "          $24.10", *rows]))
    assert (draft.header_rows, draft.rows) == (1, 4)
