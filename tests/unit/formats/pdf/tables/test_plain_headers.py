"""Tables in small type without any rule, below a header in plain type."""

from dataclasses import replace

from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Line, line_of
from pincite.formats.pdf.tables.partly_ruled import find_partly_ruled
from pincite.formats.pdf.tables.plain_headers import plain_spans
from support.typed_pages import grid, typed

TEXT = "Text of the page above the table that has some more words than it\n" * 3
TABLE = """Term                Meaning
Describe            An interest of employees by address and
                    principle of a quarter
Government          A procedure in public
Treatment           A withdrawal of values, with a text that
                    goes on beside the label
"""
ROWS = [
    ["Term", "Meaning"],
    ["Describe", "An interest of employees by address and principle of a quarter"],
    ["Government", "A procedure in public"],
    ["Treatment", "A withdrawal of values, with a text that goes on beside the label"],
]


def printed(page: str, *, size: float = 12.0) -> list[Line]:
    """The lines of a page whose first three are of a size."""
    return typed(page, sizes=dict.fromkeys(range(3), size))


def tables(page: str, *, size: float = 12.0) -> list[list[list[str]]]:
    """The tables of a page whose first three lines are of a size."""
    return [grid(table.draft) for table in find_partly_ruled(printed(page, size=size), Rules())]


def test_names_above_rows_in_smaller_type_than_the_text_are_a_header() -> None:
    assert tables(TEXT + TABLE) == [ROWS]


def test_texts_set_from_the_right_may_begin_left_of_their_name() -> None:
    page = (
        TEXT
        + """   Term                Kind
   Fund     long text of it
    Tax        another text
    Sum           last text
"""
    )
    (rows,) = tables(page)
    assert rows[1:] == [["Fund", "long text of it"], ["Tax", "another text"], ["Sum", "last text"]]


def test_in_type_as_large_as_the_text_they_may_be_a_list_with_labels() -> None:
    assert tables(TEXT + TABLE, size=10.0) == []
    assert tables(TABLE, size=10.0) == []


def test_a_first_row_that_is_a_sentence_or_has_names_without_letters_is_no_header() -> None:
    assert tables(TEXT + TABLE.replace("Meaning", "A meaning that is long.")) == []
    assert tables(TEXT + TABLE.replace("Term", "4-  ")) == []
    assert tables(TEXT + TABLE.replace("Meaning", "\N{BULLET}")) == []


def test_lines_below_others_in_the_same_columns_are_no_header() -> None:
    contacts = """James Strong        Julie Liedtke
+61 3 9226 9028     +1 224 313 7141.
Media of Australia  Media of America
Tracey Whitehead    Damon Wright
Head of Relations   Vice President
"""
    assert tables(TEXT + contacts) == []


def test_texts_that_wrap_beside_labels_span_a_gutter_and_blocks_side_by_side_do_not() -> None:
    wrapped = TEXT + TABLE.replace("Government          A procedure", "                    and more of it\n" * 2)
    ((top, bottom),) = plain_spans(printed(wrapped), 90)
    assert (top, bottom) == (35, 131)
    assert plain_spans(printed(wrapped), 400) == []
    blocks = TEXT + "Media of Australia  Media of America\n" + "James Strong        Julie Liedtke\n" * 4
    assert plain_spans(printed(blocks), 90) == []


def test_a_line_of_one_text_that_overlaps_the_names_is_no_header_across_a_gutter() -> None:
    *text, header, first, second, third, fourth, fifth = printed(TEXT + TABLE)
    tall = replace(header, y1=header.y1 + 6)
    low = replace(typed("values.")[0].words[0], y0=header.y0 + 8, y1=header.y1 + 3)
    page = [*text, tall, line_of([low]), first, second, third, fourth, fifth]
    assert plain_spans(page, 60) == []
