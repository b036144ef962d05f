from pincite.formats.writing.builder import build
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.document import Head
from pincite.services.documents.pictures import Picture, pictures
from support.cut_documents import document


def test_pictures_are_named_by_their_place() -> None:
    page = PageWriter(10, 2)
    page.figure("A chart")
    page.figure("Another")
    found = build("a", "ff", "application/pdf", [Head(pages=2), page.page()])
    assert list(pictures(found)) == [
        Picture("page 2/figure 1", "page 2", "A chart"),
        Picture("page 2/figure 2", "page 2", "Another"),
    ]


def test_a_document_without_pictures_has_none() -> None:
    assert list(pictures(document("words\n"))) == []
