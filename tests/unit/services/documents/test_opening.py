"""Opening what servers send: real readers, a fetcher that has the bytes already."""

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO

import pytest

from pincite.errors import ProcessingFailed, ReadingFailed
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.sniff import Sniffed
from pincite.formats.worker.pool import readable
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.services.documents.fetching import Fetched
from pincite.services.documents.opening import ALL_TEXT, AS_TEXT, NOTHING, Opened, Opener
from support.pdfs import column, pdf
from support.pictures import picture


class Holder:
    """A fetcher of one document."""

    def __init__(self, name: str, data: bytes, media_type: str = "") -> None:
        self.held = Fetched(f"https://example.com/{name}", name, Blob(name, data), media_type, 0.0, is_cached=False)

    def fetch(self, url: str, call: Call, *, argument: str = "document_url") -> Fetched:
        assert (url, argument) == (self.held.url, "document_url")
        call.check()
        return self.held


class InProcess:
    """The readers, in this process."""

    def read_as(self, sniffed: Sniffed, blob: Blob, call: Call) -> Document:
        document = read_document(readable(sniffed), blob, ReadOptions(), call)
        return replace(document, warnings=tuple(filter(None, (sniffed.warning, *document.warnings))))


class Crashing:
    """Readers whose process crashes."""

    def read_as(self, sniffed: Sniffed, blob: Blob, call: Call) -> Document:
        call.check()
        raise ReadingFailed(f"{blob.name} crashed its reader: {sniffed.format}.")


def opened(name: str, data: bytes, media_type: str = "") -> Opened:
    holder = Holder(name, data, media_type)
    return Opener(holder, InProcess()).open_document(holder.held.url, Call())


def office(part: str) -> bytes:
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        packed.writestr(part, "<broken")
    return archive.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "media_type", "doc_type"),
    [
        ("a.md", b"# A\n\nwords\n", "", "md"),
        ("a", b"# A\n\nwords\n", "text/markdown; charset=utf-8", "md"),
        ("a.txt", b"words", "text/html", "txt"),
        ("a", b"<p>words</p>", "text/html", "html"),
        ("a", b"<html><p>words</p></html>", "", "html"),
        ("a.csv", b"a,b\nwords,2\n", "", "csv"),
        ("a", b"just words", "application/octet-stream", "txt"),
        ("a.weird", b"words\xff", "", "txt"),
    ],
)
def test_a_document_has_its_type_and_its_text(name: str, data: bytes, media_type: str, doc_type: str) -> None:
    found = opened(name, data, media_type)
    assert "words" in found.document.text
    assert (found.doc_type, found.fallback) == (doc_type, "")
    assert found.document.name == name


def test_the_bytes_are_recognised_without_the_media_type_by_the_name_that_they_get() -> None:
    assert opened("a", b"<p>words</p>", "text/html").blob.name == "a.html"
    assert opened("a.md", b"words").blob.name == "a.md"


def damaged() -> Iterator[tuple[str, bytes, str]]:
    yield "a.pdf", b"%PDF-1.7\n" + b"nonsense " * 400, "pdf"
    yield "a.docx", office("word/document.xml"), "docx"
    yield "a.pptx", office("ppt/presentation.xml"), "pptx"
    yield "a.xlsx", office("xl/workbook.xml"), "xlsx"
    yield "a.docx", b"PK\x03\x04 broken", "docx"
    yield "a.png", b"\x89PNG\r\n\x1a\n broken", "image"
    yield "a.bin", b"\x00\x01\x02" * 100, "unknown"
    yield "a.pdf", b"\x00\x01\x02" * 100, "pdf"


@pytest.mark.parametrize(("name", "data", "doc_type"), [*damaged()])
def test_a_damaged_file_is_no_error_and_its_bytes_are_no_text(name: str, data: bytes, doc_type: str) -> None:
    found = opened(name, data)
    assert found.document.text == ""
    assert (found.doc_type, found.fallback) == (doc_type, NOTHING)
    assert found.warnings and found.warnings[0]


def test_text_under_the_name_of_an_office_file_is_read_as_text() -> None:
    found = opened("a.xlsx", b"these are words and no sheet at all\n")
    assert "these are words" in found.document.text
    assert found.warnings


def test_an_empty_file_has_an_empty_text() -> None:
    for name in ("a.txt", "a.pdf", "a"):
        found = opened(name, b"")
        assert (found.document.text, found.document.sections) == ("", ())


def test_what_a_reader_cannot_read_but_is_text_is_read_as_text() -> None:
    class NoMail(InProcess):
        def read_as(self, sniffed: Sniffed, blob: Blob, call: Call) -> Document:
            if sniffed.format and sniffed.format.name == "email":
                return super().read_as(Sniffed(None, problem="no reader"), blob, call)
            return super().read_as(sniffed, blob, call)

    holder = Holder("a.eml", b"Subject: words\n\nMore words.\n")
    found = Opener(holder, NoMail()).open_document(holder.held.url, Call())
    assert (found.document.text, found.fallback) == ("Subject: words\n\nMore words.\n", AS_TEXT)
    assert (found.warnings, found.blob.name) == (("no reader",), "a.eml.txt")


def test_a_page_that_shows_nothing_is_read_without_its_structure() -> None:
    page = b"<html><title>App</title><p hidden>Words.</p><script>" + b"x = 1; " * 500 + b"</script></html>"
    found = opened("app.html", page)
    assert (found.document.text, found.doc_type, found.fallback) == ("App\nWords.", "html", ALL_TEXT)
    assert "No text in" in found.warnings[0]


def test_a_crashed_reader_is_an_error() -> None:
    holder = Holder("a.pdf", b"%PDF-1.7")
    with pytest.raises(ProcessingFailed, match="crashed its reader"):
        Opener(holder, Crashing()).open_document(holder.held.url, Call())


def test_what_was_not_read_is_a_warning() -> None:
    found = opened("a.txt", b"words \xc3\x28 and more")
    assert "words" in found.document.text
    assert len(found.warnings) == 1 and "Not all of this document was read" in found.warnings[0]


def test_a_web_page_under_the_name_of_a_file_is_warned_of() -> None:
    page = b"<html><body><h1>Sign in</h1><p>Please sign in to go on.</p></body></html>"
    told = "a web page came instead"
    assert any(told in warning for warning in opened("report.pdf", page, "text/html").warnings)
    for name in ("report", "report.html", "report.php", "report.txt"):
        assert not any(told in warning for warning in opened(name, page, "text/html").warnings)


@pytest.mark.parametrize(
    ("name", "data", "doc_type"),
    [
        ("scan.pdf", pdf(column("A page of text")), "pdf"),
        ("table.csv", pdf(column("A page of text")), "pdf"),
        ("picture.csv", picture(), "image"),
    ],
)
def test_a_file_of_another_type_is_refused_by_its_content_and_not_read(name: str, data: bytes, doc_type: str) -> None:
    holder = Holder(name, data)
    with pytest.raises(ProcessingFailed, match=f"The document is of type {doc_type}, not csv"):
        Opener(holder, Crashing()).open_document(holder.held.url, Call(), doc_type="csv")


def test_a_file_that_no_reader_knows_is_of_another_type_than_any() -> None:
    holder = Holder("data.bin", bytes(range(256)))
    with pytest.raises(ProcessingFailed, match="The document is of type unknown, not pdf"):
        Opener(holder, InProcess()).open_document(holder.held.url, Call(), doc_type="pdf")
