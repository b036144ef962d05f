"""Tables in small type without any rule, below a header in plain type."""

from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tables.partly_ruled import find_partly_ruled
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
    return [grid(table) for table in find_partly_ruled(printed(page, size=size), Rules())]


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
