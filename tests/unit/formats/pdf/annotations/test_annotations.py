"""Comments on a page: kept apart, with their author."""

import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.annotations.annotations import has_shown_annotations
from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.page import open_page
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Aside, AsideKind, Document
from pincite.registry import FORMATS
from support.pdfs import Leaf, pdf, prose
from support.tagged_pdfs import lines, tagged_pdf

FORMAT = next(row for row in FORMATS if row.name == "pdf")


def document(data: bytes) -> Document:
    return read_document(FORMAT, Blob("a.pdf", data), ReadOptions(), Call())


def note(kind: str, entries: str) -> str:
    return f"<</Type/Annot/Subtype/{kind}/Rect[100 100 200 120]{entries}>>"


def read(*annotations: str) -> Document:
    return document(pdf(prose(), Leaf(prose(), f"/Annots[{' '.join(annotations)}]")))


@pytest.mark.parametrize("kind", ["Text", "Highlight", "StrikeOut", "Stamp", "Square", "Ink", "Caret"])
def test_a_comment_is_kept_apart_with_its_author_and_page(kind: str) -> None:
    found = read(note(kind, "/Contents(Is this still true?)/T(Bob)"))
    assert found.asides == (Aside(AsideKind.COMMENT, "Bob: Is this still true?", 2),)
    assert "still" not in found.text and found.coverage.complete


def test_what_is_typed_on_a_page_is_its_text_where_it_is_printed() -> None:
    found = read(note("FreeText", "/Contents(Paid in full)/T(Bob)"))
    assert found.text.endswith("Paid in full\n") and not found.asides
    block = found.sections[-1].blocks[-1]
    assert block.page == 2 and [(box.x0, box.x1) for box in block.boxes] == [(100, 200)]


def test_what_is_typed_and_hidden_is_no_text_of_the_page() -> None:
    found = read(note("FreeText", "/Contents(Paid in full)/F 2"))
    assert "Paid" not in found.text
    assert found.asides == (Aside(AsideKind.HIDDEN, "Paid in full", 2),)


def test_a_comment_without_an_author_is_its_text() -> None:
    assert [aside.text for aside in read(note("Text", "/Contents(Check)")).asides] == ["Check"]


@pytest.mark.parametrize(
    "other",
    [
        note("Link", "/Contents(Go there)/Dest[0 /Fit]"),
        note("Popup", "/Contents(Once more)"),
        note("Highlight", "/T(Bob)"),
        note("Odd", "/Contents(What)"),
        "null",
    ],
    ids=["link", "popup", "no text", "unknown", "none"],
)
def test_what_is_no_comment_is_left_out(other: str) -> None:
    assert not read(other).asides


def test_a_tagged_page_gives_its_comments_too() -> None:
    data = tagged_pdf([lines("P", "Some words.", y=700)], entries=f"/Annots[{note('Text', '/Contents(Check)/T(Bob)')}]")
    assert document(data).asides == (Aside(AsideKind.COMMENT, "Bob: Check", 1),)


def test_more_comments_than_can_be_read_are_said() -> None:
    found = read(*(note("Text", f"/Contents({n})") for n in range(5001)))
    assert len(found.asides) == 5000 and found.coverage.limits_hit == ("max_annotations",)


def test_longer_comments_than_can_be_read_are_said() -> None:
    one = note("Text", "/Contents 1 0 R")
    found = document(pdf(Leaf(prose(), f"/Annots[{one} {one}]"), objects=(f"({'x' * 3_000_000})",)))
    assert len(found.asides) == 1 and found.coverage.limits_hit == ("max_annotation_text",)


@pytest.mark.parametrize(("kind", "is_shown"), [("Link", False), ("Text", True), ("Widget", True)])
def test_a_page_with_links_alone_has_nothing_to_show(kind: str, is_shown: bool) -> None:
    data = pdf(Leaf(prose(), f"/Annots[{note(kind, '/Contents(Check)')}]"))
    with open_document(data) as file, open_page(file.document, 1) as page:
        assert has_shown_annotations(page) == is_shown
