"""PDF: a page for each page, with headings, paragraphs, lists and tables."""

from collections.abc import Iterator
from contextlib import closing

import pypdfium2.raw as pdfium

from pincite.errors import InvalidInput
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.annotations.annotations import Annotations
from pincite.formats.pdf.document import opened
from pincite.formats.pdf.layout.bookmarks import bookmarks, depths_by_page
from pincite.formats.pdf.layout.page_content import hidden_runs, read_words
from pincite.formats.pdf.layout.pages import UntaggedPages
from pincite.formats.pdf.page.page import DAMAGED, Handle, open_page
from pincite.formats.pdf.page.quality import text_problem
from pincite.formats.pdf.page_labels import page_labels
from pincite.formats.pdf.properties import language, properties, title
from pincite.formats.pdf.tagged.pages import TaggedPages
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import AsideKind, Head, Page, PageFailure

MOST_LOST = 50
"""Damaged pages in a row at the beginning after which no more are tried: a damaged file may claim a million."""


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    yield from read_pages(blob, options, call, by_tags=True)


def read_pages(
    blob: Blob, options: ReadOptions, call: Call, *, by_tags: bool, outline: bool = True
) -> Iterator[Head | Page]:
    """As `read`; without `by_tags` as if no page were tagged, without `outline` as if it had no bookmarks."""
    call.check()
    with opened(blob.data) as file:
        document = file.document
        count = pdfium.FPDF_GetPageCount(document)
        pages, lost = min(count, options.max_pages), 0
        metadata = properties(document)
        labels = page_labels(document, pages, call)
        yield Head(title(metadata), metadata | ({"page_labels": labels} if labels else {}), language(document), count)
        tagged = TaggedPages() if by_tags and pdfium.FPDFCatalog_IsTagged(document) else None
        known = depths_by_page(bookmarks(document)) if outline else {}
        with (
            closing(Annotations(document)) as annotations,
            closing(UntaggedPages(document, pages, known, annotations)) as untagged,
        ):
            for number in range(1, pages + 1):
                call.check()
                page = _page(
                    document, PageWriter(options.max_blocks, number), number, tagged, untagged, annotations, call
                )
                lost += page.failures == (PageFailure(number, DAMAGED),)
                yield page
                if lost == number == MOST_LOST:
                    break
        if count > pages or file.repaired or not count or lost == MOST_LOST < count:
            yield _rest(count, lost, cut=count > pages, repaired=file.repaired)


def _rest(count: int, lost: int, *, cut: bool, repaired: bool) -> Page:
    """What is said of the document as a whole."""
    writer = PageWriter(1)
    if cut:
        writer.limit("max_pages")
    if repaired:
        writer.fail("the file's end is missing: pages of it may be missing, too")
    if not count:
        writer.fail("it has no pages")
    if lost == MOST_LOST < count:
        writer.fail(f"none of the first {lost} pages could be read, the others were not tried")
    return writer.page()


def _page(
    document: Handle,
    writer: PageWriter,
    number: int,
    tagged: TaggedPages | None,
    untagged: UntaggedPages,
    annotations: Annotations,
    call: Call,
) -> Page:
    try:
        if tagged is None or not _by_tags(document, writer, number, tagged, annotations, call):
            untagged.write(writer, number, call)
    except InvalidInput as damage:
        writer.fail(damage.message)
    return writer.page()


def _by_tags(
    document: Handle, writer: PageWriter, number: int, tagged: TaggedPages, annotations: Annotations, call: Call
) -> bool:
    with open_page(document, number) as page:
        found, warning = read_words(page)
        if not tagged.write(writer, page, found, call):
            return False
        for text in hidden_runs(found):
            writer.aside(AsideKind.HIDDEN, text)
        message = text_problem(page, found)
        if message:
            writer.fail(message)
        if warning:
            writer.warn(warning)
        annotations.write(writer, page, call)
    return True
