"""Terms of lists of definitions are no headings, which have indented text on pages without other text."""

from pincite.model.document import BlockKind
from support.pdf_layout import read
from support.pdf_read import blocks
from support.pdfs import Filled, Text, column, prose


def titles(*content: Text | Filled) -> list[str]:
    return [block.title for block in blocks(read(list(content))) if block.kind is BlockKind.HEADING]


def entry(term: str, y: float, indent: float = 25) -> list[Text | Filled]:
    return [
        Text(term, y=y, font="B"),
        *column("A text that says what it is,", "and of which part.", x=72 + indent, y=y + 13),
    ]


TERMS = [*entry("Board", 200), *entry("Share", 250), *entry("Year", 300)]


def test_bold_lines_above_indented_texts_are_terms_where_other_text_is_flush_with_them() -> None:
    assert titles(*prose(times=2), *TERMS) == []


def test_titles_of_pages_whose_text_is_indented_are_headings() -> None:
    assert titles(*TERMS) == ["Board", "Share", "Year"]
    assert titles(*prose(x=97, times=2), *TERMS) == ["Board", "Share", "Year"]


def test_titles_above_text_that_is_not_indented_are_headings() -> None:
    flush = [*entry("Board", 200, 0), *entry("Share", 250, 0)]
    assert titles(*prose(times=2), *flush) == ["Board", "Share"]


def test_a_title_alone_above_a_quotation_is_a_heading() -> None:
    assert titles(*prose(), *entry("Board", 150), *prose(y=220), Text("Share", y=290, font="B"), *prose(y=310)) == [
        "Board",
        "Share",
    ]


def test_single_lines_with_the_indent_of_a_paragraph_are_no_definitions() -> None:
    indented = [
        part
        for number, title in enumerate(("Board", "Share"))
        for part in (Text(title, y=200 + 40 * number, font="B"), Text("It is said here.", x=97, y=216 + 40 * number))
    ]
    assert titles(*prose(times=2), *indented) == ["Board", "Share"]


def test_single_lines_are_definitions_if_terms_are_as_near_to_the_line_above() -> None:
    close = [
        part
        for number, title in enumerate(("Board", "Share"))
        for part in (Text(title, y=200 + 32 * number, font="B"), Text("It is said here.", x=97, y=216 + 32 * number))
    ]
    assert titles(*prose(times=2), *close) == []


def test_lists_of_definitions_go_on_over_a_page_break() -> None:
    first = [*prose(times=3), *entry("Board", 300), Text("Share", y=345, font="B")]
    second = [*column("where it ends.", x=97), *entry("Year", 90), *prose(y=150, times=3)]
    found = blocks(read(first, second))
    assert [block.title for block in found if block.kind is BlockKind.HEADING] == []


def test_terms_without_white_above_them_are_terms_where_most_text_is_indented() -> None:
    close = [part for n, term in enumerate(("Board", "Share", "Year")) for part in entry(term, 200 + 41 * n)]
    assert titles(*prose(x=97, times=2), *close) == []
    apart = [part for n, term in enumerate(("Board", "Share", "Year")) for part in entry(term, 200 + 50 * n)]
    assert titles(*prose(x=97, times=2), *apart) == ["Board", "Share", "Year"]


def test_a_list_of_definitions_may_begin_with_its_first_term_at_the_foot_of_a_page() -> None:
    assert titles(*column("A line of text above the list.", y=660), *entry("Board", 674)) == []
