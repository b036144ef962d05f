import pytest

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.epub.reader import read as read_pages
from pincite.formats.ooxml.pictures import rasterise
from pincite.formats.worker.read import read_document
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import AsideKind, BlockKind, Document
from pincite.model.recognition import RecognisedPicture
from pincite.registry import FORMATS
from support.archives import book, epub
from support.office import docx
from support.pictures import picture

ROW = next(row for row in FORMATS if row.name == "epub")

TWO = """
<manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>
<item id="s" href="s.svg" media-type="image/svg+xml"/></manifest>
<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="s"/></spine>
"""


def read(data: bytes) -> Document:
    return read_document(ROW, Blob("a.epub", data), ReadOptions(), Call())


def test_chapters_are_read_in_order_with_their_headings() -> None:
    found = read(epub("<h1>One</h1><p>a</p>", "<h1>Two</h1><p>b</p>"))
    assert [section.path for section in found.sections] == [("One",), ("Two",)]
    assert (found.title, found.properties["author"], found.language) == ("Book", "Ada", "en")


def test_code_tables_and_signs_are_kept_as_they_are() -> None:
    found = read(epub("<pre>a\n  b</pre><p>x &lt; y &amp; z_1</p><table><tr><td>1</td><td>2</td></tr></table>"))
    blocks = [block for section in found.sections for block in section.blocks]
    assert [block.kind for block in blocks] == [BlockKind.CODE, BlockKind.PARAGRAPH, BlockKind.TABLE]
    assert found.text == "```\na\n  b\n```\n\nx < y & z_1\n\n|  |  |\n| --- | --- |\n| 1 | 2 |\n"


def test_all_of_a_chapter_is_content() -> None:
    links = "".join(f'<li><a href="c{number}.xhtml">Chapter {number}</a></li>' for number in range(20))
    found = read(epub(f"<ul class='menu'>{links}</ul><aside>A box.</aside><p>Short.</p><footer>An end.</footer>"))
    assert "Chapter 19" in found.text and found.text.endswith("A box.\n\nShort.\n\nAn end.\n")
    assert not found.asides


def test_the_table_of_contents_is_apart_and_what_is_no_text_is_named() -> None:
    parts = {"nav.xhtml": b"<html><body><h1>Contents</h1><p>A</p></body></html>", "a.xhtml": b"<p>text</p>"}
    found = read(book(TWO, parts))
    assert found.text == "text\n"
    assert [(aside.kind, aside.text) for aside in found.asides] == [(AsideKind.SURROUNDINGS, "# Contents\n\nA")]
    assert [failure.reason for failure in found.coverage.failed] == ["the part s.svg is no text and was not read"]


def test_contents_are_kept_that_are_marked_as_navigation() -> None:
    nav = '<h2>Contents</h2><nav epub:type="toc" role="doc-toc"><ol><li><a href="a.xhtml">Keys</a></li></ol></nav>'
    found = read(book(TWO, {"nav.xhtml": nav, "a.xhtml": "<nav><a href='nav.xhtml'>Up</a></nav><p>text</p>"}))
    assert found.text == "text\n"
    assert [aside.text for aside in found.asides] == ["## Contents\n\n1. [Keys](a.xhtml)"]


def test_a_title_page_with_the_contents_is_a_chapter() -> None:
    """As Sphinx makes them: the guide of the book calls its first page the table of contents."""
    links = "<ul><li><a href='b.xhtml'>Keys</a></li><li><a href='c.xhtml'>Locks</a></li></ul>"
    licence = f"<p>{'This manual is free. ' * 15}</p><ul><li>Rotate keys, see <a href='b.xhtml'>b</a>.</li></ul>"
    nav = f"<h1>Manual</h1>{licence}<h2>Contents</h2>{links}"
    found = read(book(TWO, {"nav.xhtml": nav, "a.xhtml": "<p>text</p>"}))
    assert found.text.startswith("# Manual\n\nThis manual is free. ") and not found.asides
    kinds = [block.kind.value for section in found.sections for block in section.blocks]
    assert kinds == ["heading", "paragraph", "list", "heading", "contents", "paragraph"]


def test_a_chapter_that_is_missing_is_a_gap() -> None:
    found = read(book(TWO, {"nav.xhtml": b"<p>Contents</p>", "s.svg": b"<svg/>"}))
    assert found.coverage.failed[0].reason == "The part a.xhtml is missing."


def test_a_protected_book_says_so() -> None:
    lock = (
        b'<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/>'
        b'<CipherReference URI="a.xhtml"/><CipherReference URI="nav.xhtml"/></EncryptedData></encryption>'
    )
    parts = {"META-INF/encryption.xml": lock, "nav.xhtml": b"\1\2", "a.xhtml": b"\3"}
    with pytest.raises(InvalidInput, match="DRM"):
        read(book(TWO, parts))


def test_other_files_are_refused() -> None:
    for data in (docx(), b"text", b""):
        with pytest.raises(Unsupported, match="whatever its name says"):
            list(read_pages(Blob("a.epub", data), ReadOptions(), Call()))


ILLUSTRATED = """
<manifest><item id="a" href="text/a.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="a"/></spine>
"""


def illustrated() -> bytes:
    """A book with a chapter in a folder that shows a picture twice, and one that is missing."""
    chapter = '<p>See.</p><img alt="" src="../art/a%20b.png"/><svg><image xlink:href="../art/a%20b.png"/></svg>'
    return book(
        ILLUSTRATED,
        {
            "text/a.xhtml": f"<html><body>{chapter}<img src='none.png'/></body></html>",
            "art/a b.png": picture(size=(200, 120)),
        },
    )


def test_a_picture_of_a_chapter_is_counted_as_unread_once() -> None:
    assert read(illustrated()).coverage.unread_pictures == 1
    (raster,) = rasterise(Blob("a.epub", illustrated()), ["art/a b.png"], ReadOptions(), Call())
    assert (raster.width, raster.height) == (200, 120)


def test_the_text_of_a_picture_follows_its_chapter() -> None:
    writer = PageWriter(9)
    writer.paragraph("words in the picture")
    recognised = RecognisedPicture("art/a b.png", writer.page(), 0.9)
    options = ReadOptions(ocr="engine-1", recognised_pictures=(recognised,))
    found = read_document(ROW, Blob("a.epub", illustrated()), options, Call())
    assert found.text == "See.\n\nwords in the picture\n"
    (span,) = found.coverage.ocr_spans
    assert (found.text[span.start : span.end], found.coverage.unread_pictures) == ("words in the picture", 0)
