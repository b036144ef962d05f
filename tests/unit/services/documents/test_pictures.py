from pincite.formats.writing.builder import build
from pincite.formats.writing.inner_pictures import write_recognised
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.document import Head
from pincite.services.documents.pictures import Picture, pictures
from support.cut_documents import document
from support.pictures import recognised


def test_pictures_are_named_by_their_place() -> None:
    page = PageWriter(10, 2)
    page.figure("A chart")
    page.figure("Another")
    found = build("a", "ff", "application/pdf", [Head(pages=2), page.page()])
    assert list(pictures(found)) == [
        Picture("page 2/figure 1", "page 2", "A chart"),
        Picture("page 2/figure 2", "page 2", "Another"),
    ]


def test_the_recognised_text_of_a_picture_is_with_its_caption_or_alone() -> None:
    page = PageWriter(10, 2)
    page.figure("A chart")
    write_recognised(page, recognised("1", "one", "two"))
    page.paragraph("words")
    write_recognised(page, recognised("2", "three"))
    page.figure("Another")
    found = build("a", "ff", "application/pdf", [Head(pages=2), page.page()])
    assert list(pictures(found)) == [
        Picture("page 2/figure 1", "page 2", "A chart", "one\n\ntwo", 0.97),
        Picture("page 2/figure 2", "page 2", "", "three", 0.97),
        Picture("page 2/figure 3", "page 2", "Another"),
    ]


def test_a_document_without_pictures_has_none() -> None:
    assert list(pictures(document("words\n"))) == []
