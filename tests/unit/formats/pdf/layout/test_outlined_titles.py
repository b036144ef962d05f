from support.pdf_layout import JOINED, read
from support.pdf_read import shown
from support.pdfs import PARAGRAPH, column

TITLE = ("Where it applies", "and where not")


def test_lines_that_are_a_title_of_the_outline_are_no_part_of_the_paragraph_below() -> None:
    page = column(*TITLE, *PARAGRAPH)
    outline = ((" ".join(TITLE), 1),)
    assert shown(read(page, outline=outline)) == [
        ("heading", "# Where it applies and where not"),
        ("paragraph", JOINED),
    ]


def test_a_title_of_the_outline_that_ends_within_a_line_is_part_of_its_paragraph() -> None:
    page = column(f"1. {TITLE[0]}. It does.", *PARAGRAPH)
    found = read(page, outline=((TITLE[0], 1),))
    assert {kind for kind, _ in shown(found)} == {"paragraph"}


def test_a_line_that_repeats_a_title_printed_by_itself_is_no_heading() -> None:
    page = [*column(TITLE[0]), *column(TITLE[0], *PARAGRAPH, y=200)]
    found = read(page, outline=((TITLE[0], 1),))
    assert shown(found) == [("heading", f"# {TITLE[0]}"), ("paragraph", f"{TITLE[0]}\n{JOINED}")]
