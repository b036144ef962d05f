"""Pages of converted documents, by their marks."""

import pytest

from pincite.agents.rules.engine import build
from pincite.formats.base import Blob, ReadOptions
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.services.conversion.page_marks import UNORDERED, marked, paged
from pincite.services.extraction.extraction import extract
from pincite.services.extraction.schemas import read_schema

BLOB = Blob("a.pdf", b"%PDF")
TEXT = """<!-- page 1 -->

# One

A paragraph.

| a | b |
|---|---|
| 1 | 2 |
<!-- page 2 -->
- an item
<!-- PAGE 3 -->

<!-- page 4 -->

```
<!-- page 99 -->
```

The end.
"""


def read(text: str, options: ReadOptions | None = None) -> Document:
    return paged(text, BLOB, "application/pdf", options or ReadOptions(), Call())


def pages(document: Document) -> list[tuple[int | None, str]]:
    blocks = [block for section in document.sections for block in section.blocks]
    return [(block.page, document.text[block.start : block.end]) for block in blocks]


def test_marks_are_taken_out_and_give_the_pages_of_what_follows() -> None:
    document = read(TEXT)
    assert pages(document) == [
        (1, "# One"),
        (1, "A paragraph."),
        (1, "| a | b |\n|---|---|\n| 1 | 2 |"),
        (2, "- an item"),
        (4, "```\n<!-- page 99 -->\n```"),
        (4, "The end."),
    ]
    assert document.coverage.pages == 4 and document.coverage.complete
    assert "page 2" not in document.text and "|\n\n- an item" in document.text
    assert (document.name, document.media_type, document.title) == ("a.pdf", "application/pdf", "One")


def test_what_is_before_the_first_mark_is_on_no_page() -> None:
    assert pages(read("Before.\n\n<!-- page 5 -->\nAfter.\n")) == [(None, "Before."), (5, "After.")]


def test_without_marks_there_are_no_pages() -> None:
    document = read("# One\n\nText.\n")
    assert document.coverage.pages is None and [page for page, _ in pages(document)] == [None, None]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- page 2 -->\nA\n\n<!-- page 1 -->\nB\n",
        "<!-- page 1 -->\nA\n\n<!-- page 1 -->\nB\n",
        "<!-- page 0 -->\nA\n\nB\n",
        "A\n\n<!-- page 999999999 -->\nB\n",
    ],
)
def test_marks_that_cannot_be_true_give_no_pages_and_are_named(text: str) -> None:
    document = read(text)
    assert pages(document) == [(None, "A"), (None, "B")]
    assert document.coverage.pages is None
    assert UNORDERED in (document.coverage.shortfall or "")


def test_an_empty_conversion_is_an_empty_document() -> None:
    assert read("").text == ""
    assert read("<!-- page 1 -->\n").text == ""


def test_what_is_marked_is_read_back_with_the_same_pages() -> None:
    document = read(TEXT)
    again = read(marked(document))
    assert pages(again) == pages(document)
    assert again.coverage.pages == document.coverage.pages
    assert marked(read("# No pages\n")) == "# No pages\n"


def test_evidence_in_a_chunk_of_two_pages_names_the_page_of_its_value() -> None:
    text = "<!-- page 1 -->\n# Sheet\n\nColour: red\n\n<!-- page 3 -->\n\nWeight: 25 kg\n"
    schema = read_schema({"colour": "string", "weight": "number with unit"})
    evidence = extract(paged(text, BLOB, "application/pdf", ReadOptions(), Call()), schema, build(), Call()).evidence
    assert evidence["colour"]["locator"] == evidence["weight"]["locator"]
    assert (evidence["colour"]["page"], evidence["weight"]["page"]) == (1, 3)
