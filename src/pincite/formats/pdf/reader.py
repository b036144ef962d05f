"""Reader of PDF files: each page with headings, paragraphs, lists and tables, by its tags or else by its layout."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import closing

import pypdfium2.raw as pdfium

from pincite.errors import InvalidInput
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.annotations.annotations import Annotations
from pincite.formats.pdf.annotations.links import page_links, write_links
from pincite.formats.pdf.attachments import attached_invoices, write_attachment
from pincite.formats.pdf.document import PdfFile, open_document
from pincite.formats.pdf.layout.bookmarks import bookmarks, depths_by_page
from pincite.formats.pdf.layout.page_content import hidden_runs, read_words
from pincite.formats.pdf.layout.pages import UntaggedPages
from pincite.formats.pdf.layout.recognition import Recognition
from pincite.formats.pdf.page.page import DAMAGED, loaded_page
from pincite.formats.pdf.page.pdfium import Handle
from pincite.formats.pdf.page_labels import page_labels
from pincite.formats.pdf.properties import language, properties, title
from pincite.formats.pdf.tagged.pages import TaggedPages
from pincite.formats.pdf.tagged.printed_levels import printed_levels
from pincite.formats.pdf.tagged.trust import count_tags, surveyed_pages
from pincite.formats.pdf.words_over_pages import join_words
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import AsideKind, Head, Page, PageFailure

MAX_LEADING_DAMAGED_PAGES = 50
"""Damaged pages at the beginning after which reading stops: a damaged file may claim a million pages."""

_XFA = (pdfium.FORMTYPE_XFA_FULL, pdfium.FORMTYPE_XFA_FOREGROUND)
MAX_ATTACHMENT_BLOCKS = 3
"""A heading and two tables."""


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    yield from read_pages(blob, options, call, by_tags=True)


def read_pages(
    blob: Blob, options: ReadOptions, call: Call, *, by_tags: bool, outline: bool = True
) -> Iterator[Head | Page]:
    """Read pages as `read` does; for evaluation, `by_tags` and `outline` can be turned off."""
    call.check()
    with open_document(blob.data) as file:
        document = file.document
        count = pdfium.FPDF_GetPageCount(document)
        pages, damaged = min(count, options.max_pages), 0
        metadata = properties(document)
        labels = page_labels(document, pages, call)
        yield Head(title(metadata), metadata | ({"page_labels": labels} if labels else {}), language(document), count)
        if _is_placeholder(file):
            yield _unread_form()
            return
        recognition = Recognition.of(options)
        outline_depths = depths_by_page(bookmarks(document)) if outline else {}
        with closing(_pages(file, options, outline_depths, recognition, call, by_tags=by_tags)) as numbered:
            for page in numbered:
                # Only pages that failed as a whole count, not those with a warning or a garbage text layer.
                damaged += page.failures == (PageFailure(page.number, DAMAGED),)
                yield page
                if damaged == page.number == MAX_LEADING_DAMAGED_PAGES:
                    break
        yield from _attachments(document, call)
        if count > pages or file.repaired or not count or damaged == MAX_LEADING_DAMAGED_PAGES < count:
            yield _document_failures(count, damaged, cut=count > pages, repaired=file.repaired)


def _is_placeholder(file: PdfFile) -> bool:
    """Return True for an XFA form whose only page, without fields, tells to open it in another program."""
    if pdfium.FPDF_GetFormType(file.document) not in _XFA or pdfium.FPDF_GetPageCount(file.document) != 1:
        return False
    with loaded_page(file.document, 1) as page:
        return pdfium.FPDFPage_GetAnnotCount(page) == 0


def _unread_form() -> Page:
    writer = PageWriter(1)
    writer.fail("the form is XFA and was not read: print it to a PDF in Adobe Reader, and read that")
    return writer.page()


def _pages(
    file: PdfFile,
    options: ReadOptions,
    outline: Mapping[int, Mapping[str, int]],
    recognition: Recognition,
    call: Call,
    *,
    by_tags: bool,
) -> Generator[Page]:
    """Yield the pages of a file, with no word parted between two of them."""
    pages = min(pdfium.FPDF_GetPageCount(file.document), options.max_pages)
    # Closed in reverse order: open pages, then the form, then the document.
    with (
        closing(Annotations(file.document)) as annotations,
        closing(UntaggedPages(file, pages, outline, annotations, recognition)) as untagged,
    ):
        is_tagged = by_tags and pdfium.FPDFCatalog_IsTagged(file.document)
        tagged = _tagged_pages(file.document, pages, untagged, call) if is_tagged else None

        def page(number: int) -> Page:
            call.check()
            writer = PageWriter(options.max_blocks, number)
            return recognition.finished(_read_page(file, writer, number, tagged, untagged, annotations, call))

        yield from join_words(map(page, range(1, pages + 1)), (tagged or untagged).hyphenation)


def _attachments(document: Handle, call: Call) -> Iterator[Page]:
    """Yield each attached invoice as a part without a page number."""
    for attachment in attached_invoices(document):
        call.check()
        writer = PageWriter(MAX_ATTACHMENT_BLOCKS)
        write_attachment(writer, attachment)
        yield writer.page()


def _tagged_pages(document: Handle, pages: int, untagged: UntaggedPages, call: Call) -> TaggedPages | None:
    """Return the writer of a file's tagged pages; None if the tags leave out the headings that its pages show."""
    counts = count_tags(document, pages, call)
    if counts.may_lack_headings and counts.lack_headings(untagged.count_headings(call)):
        return None
    level_of = printed_levels(document, surveyed_pages(pages), call) if counts.may_lack_levels else None
    return TaggedPages(level_of)


def _document_failures(count: int, damaged: int, *, cut: bool, repaired: bool) -> Page:
    """Return a page with the limits and failures of the document as a whole."""
    writer = PageWriter(1)
    if cut:
        writer.limit("max_pages")
    if repaired:
        writer.fail("the file's end is missing: pages of it may be missing, too")
    if not count:
        writer.fail("it has no pages")
    if damaged == MAX_LEADING_DAMAGED_PAGES < count:
        writer.fail(f"none of the first {damaged} pages could be read, the others were not tried")
    return writer.page()


def _read_page(
    file: PdfFile,
    writer: PageWriter,
    number: int,
    tagged: TaggedPages | None,
    untagged: UntaggedPages,
    annotations: Annotations,
    call: Call,
) -> Page:
    try:
        # A page whose tags reach too little of it is read by its layout, as if it were untagged.
        if tagged is None or not _write_tagged(file, writer, number, tagged, annotations, untagged.recognition, call):
            untagged.write(writer, number, call, tagged.headings if tagged else {})
    except InvalidInput as damage:
        writer.fail(damage.message)
    return writer.page()


def _write_tagged(
    file: PdfFile,
    writer: PageWriter,
    number: int,
    tagged: TaggedPages,
    annotations: Annotations,
    recognition: Recognition,
    call: Call,
) -> bool:
    with file.page(number) as page:
        extracted = read_words(page, recognition.pages.get(number))
        # No tags reach what was recognised.
        if extracted.is_recognised or not tagged.write(writer, page, extracted.words, call):
            return False
        for text in hidden_runs(extracted.words):
            writer.aside(AsideKind.HIDDEN, text)
        recognition.report(writer, number, extracted, recognition.pictures(page, extracted))
        write_links(writer, page_links(page), extracted.words.words)
        annotations.write(writer, page, extracted.words.words, call)
    return True
