"""PDF: a page for each page, with headings, paragraphs, lists and tables."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

import pypdfium2.raw as pdfium

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.canonical import PageWriter
from pincite.formats.pdf.page import Handle, PdfPage, open_page
from pincite.formats.pdf.tags import TaggedPages
from pincite.formats.pdf.words import Line, lines_of, page_words
from pincite.formats.signature import PDF_JUNK
from pincite.model.call import Call
from pincite.model.document import AsideKind, Box, Head, Page


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    call.check()
    with _opened(blob.data) as document:
        count = pdfium.FPDF_GetPageCount(document)
        yield Head(pages=count)
        tagged = TaggedPages()
        for number in range(1, min(count, options.max_pages) + 1):
            call.check()
            yield _page(document, number, options, tagged, call)
        if count > options.max_pages or not count:
            yield _rest(cut=count > options.max_pages)


@contextmanager
def _opened(data: bytes) -> Iterator[Handle]:
    if b"%PDF-" not in data[: PDF_JUNK + 5]:
        raise Unsupported("The file is no PDF: it does not begin with %PDF.")
    kept = ctypes.create_string_buffer(data, len(data))
    document = pdfium.FPDF_LoadMemDocument64(kept, len(data), None)
    if not document:
        raise _refusal(pdfium.FPDF_GetLastError())
    try:
        yield document
    finally:
        pdfium.FPDF_CloseDocument(document)


def _refusal(error: int) -> InvalidInput:
    if error == pdfium.FPDF_ERR_PASSWORD:
        return InvalidInput("The PDF is encrypted. Save it without a password and read it again.")
    if error == pdfium.FPDF_ERR_SECURITY:
        return InvalidInput("The PDF is encrypted in a way that cannot be read. Save it without encryption.")
    return InvalidInput("The PDF is damaged: it cannot be opened. Open it in a viewer and save it again.")


def _rest(*, cut: bool) -> Page:
    """What is said of the document as a whole."""
    writer = PageWriter(1)
    if cut:
        writer.limit("max_pages")
    else:
        writer.fail("it has no pages")
    return writer.page()


def _page(document: Handle, number: int, options: ReadOptions, tagged: TaggedPages, call: Call) -> Page:
    writer = PageWriter(options.max_blocks, number)
    try:
        with open_page(document, number) as page:
            _write(writer, page, tagged, call)
    except InvalidInput as damage:
        writer.fail(damage.message)
    return writer.page()


def _write(writer: PageWriter, page: PdfPage, tagged: TaggedPages, call: Call) -> None:
    found = page_words(page)
    for word in found.hidden:
        writer.aside(AsideKind.HIDDEN, word.text)
    if tagged.write(writer, page, found, call):
        return
    lines = lines_of(found.words)
    # Plug-in places: tags.write(writer, page, found) for a tagged page comes here and, where it returns True, ends
    # the page; tables.find(lines, page) gives the tables with the lines that each swallowed.
    for paragraph in _paragraphs(lines):
        boxes = [Box(line.x0, line.y0, line.x1, line.y1) for line in paragraph]
        writer.paragraph("\n".join(line.text for line in paragraph), boxes=boxes)


def _paragraphs(lines: list[Line]) -> Iterator[list[Line]]:
    run: list[Line] = []
    for line in lines:
        if run and not -line.size < line.y0 - run[-1].y1 < 0.6 * line.size:
            yield run
            run = []
        run.append(line)
    if run:
        yield run
