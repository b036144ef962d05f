from pincite.model.document import BlockKind, Document
from support.pdf_layout import read
from support.pdf_read import blocks
from support.pdfs import Filled, Text, prose

PART: list[Text | Filled] = [Text("A Part of it", y=60, size=14, font="B"), *prose(y=90)]
TITLE = [
    Text("How to do it", y=60, size=20, font="B"),
    Text("Kurt Wells", y=100, size=14, font="B"),
    Text("University of Leeds", y=120),
    Text("Anne Fox", y=145, size=14, font="B"),
    Text("University of Bonn", y=165),
]
ABSTRACT = [Text("Abstract", y=190, size=14, font="B"), *prose(y=220)]


def headings(document: Document, page: int = 1) -> list[str]:
    return [block.title for block in blocks(document) if block.kind is BlockKind.HEADING and block.page == page]


def test_names_of_authors_above_their_addresses_are_no_headings() -> None:
    assert headings(read([*TITLE, *ABSTRACT], PART, PART, PART)) == ["How to do it", "Abstract"]


def test_titles_that_the_outline_names_or_that_have_a_number_are_headings() -> None:
    numbered = [Text("1 Scope", y=190, size=14, font="B"), Text("Leeds", y=210), *prose(y=240)]
    found = read([*TITLE, *numbered], PART, PART, PART, outline=(("Kurt Wells", 1),))
    # One name alone is not told from a heading above a line.
    assert headings(found) == ["How to do it", "Kurt Wells", "Anne Fox", "1 Scope"]


def test_entries_of_a_form_above_their_labels_in_brackets_are_headings() -> None:
    labels = [
        Text("(Name of the firm)", y=120) if line.y == 120 else Text("(Its town)", y=165) if line.y == 165 else line
        for line in TITLE
    ]
    found = read([*labels, *ABSTRACT], PART, PART, PART)
    assert headings(found) == ["How to do it", "Kurt Wells", "Anne Fox", "Abstract"]


def test_letters_and_other_pages_name_no_authors() -> None:
    every = ["How to do it", "Kurt Wells", "Anne Fox", "Abstract"]
    assert headings(read([*TITLE, *ABSTRACT])) == every
    assert headings(read(PART, [*TITLE, *ABSTRACT], PART, PART), page=2) == every
