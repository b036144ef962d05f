"""Reader of PDF files: each page with headings, paragraphs, lists and tables, by its tags or else by its layout."""

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace

import pypdfium2.raw as pdfium

from pincite.errors import InvalidInput
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.annotations import Annotations, page_links, write_links
from pincite.formats.pdf.attachments import attached_invoices, write_attachment
from pincite.formats.pdf.document import PdfFile, open_document
from pincite.formats.pdf.layout.bookmarks import bookmarks, depths_by_page
from pincite.formats.pdf.layout.page_content import hidden_runs, read_words
from pincite.formats.pdf.layout.pages import UntaggedPages
from pincite.formats.pdf.layout.recognition import Recognition
from pincite.formats.pdf.page.hyphens import HYPHENS, Hyphenation, is_english_form
from pincite.formats.pdf.page.page import DAMAGED, loaded_page
from pincite.formats.pdf.page.pdfium import Handle
from pincite.formats.pdf.properties import language, page_labels, properties, title
from pincite.formats.pdf.tagged.pages import TaggedPages, printed_levels
from pincite.formats.pdf.tagged.trust import count_tags, surveyed_pages
from pincite.formats.writing.page_writer import BLANK_LINE, PageWriter
from pincite.model.call import Call
from pincite.model.document import AsideKind, Block, BlockKind, Head, Page, PageFailure, RecognisedSpan

MAX_BLOCKS = 4
"""Blocks at the end and at the beginning of a page among which the two parts of a word are: there may be notes below
the first, and a figure with its caption above the second."""
_BROKEN_KINDS = frozenset((BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.QUOTE))
_PASSED_OVER = frozenset((BlockKind.FIGURE, BlockKind.TABLE, BlockKind.PARAGRAPH, BlockKind.FOOTNOTE))
_LAST_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*(?=[^\w]*\Z)")
MAX_LEADING_DAMAGED_PAGES = 50
"""Damaged pages at the beginning after which reading stops: a damaged file may claim a million pages."""
_XFA = (pdfium.FORMTYPE_XFA_FULL, pdfium.FORMTYPE_XFA_FOREGROUND)
MAX_ATTACHMENT_BLOCKS = 3
"""A heading and two tables."""


def join_words(pages: Iterable[Page], hyphenation: Callable[[], Hyphenation]) -> Iterator[Page]:
    """Yield pages, in which no word is parted between two of them.

    Args:
        pages: The pages in order. One that ends with a hyphen is held back until the next is read.
        hyphenation: Returns what the document so far shows about its hyphens.
    """
    waiting: Page | None = None
    for page in pages:
        following = page
        if waiting is not None:
            # The text has lost which hyphens were the print's: all are written as `-`.
            before, following = _joined(waiting, page, replace(hyphenation(), all_marked=False))
            yield before
        waiting = following if _broken_block(following) is not None else None
        if waiting is None:
            yield following
    if waiting is not None:
        yield waiting


def _joined(page: Page, following: Page, hyphenation: Hyphenation) -> tuple[Page, Page]:
    """Return two pages with the rest of the word in the first, and unchanged if the hyphen parts none."""
    broken, rest = _broken_block(page), _continuing_block(following)
    if broken is None or rest is None:
        return page, following
    block, other = page.blocks[broken], following.blocks[rest]
    text, continued = page.text[block.start : block.end], following.text[other.start : other.end]
    resolved = hyphenation.resolve(text, continued)
    if resolved.endswith(" "):
        # A hyphen in place of the rest of a later word: short- and long-term.
        return page, following
    word, _, _ = continued.partition(" ")
    word = word.partition("\n")[0]
    if not _is_one_word(text, resolved, word, hyphenation, is_adjoining=broken == len(page.blocks) - 1 and rest == 0):
        return page, following
    return _with_text(page, broken, f"{resolved}{word}"), _without_beginning(following, rest, len(word))


def _is_one_word(text: str, resolved: str, rest: str, hyphenation: Hyphenation, *, is_adjoining: bool) -> bool:
    """Return True if the rest on the next page belongs to the word before the break.

    Args:
        text: The text before the break, with its hyphen.
        resolved: The same as it is written before the rest: without the hyphen, unless it is the word's own.
        rest: The beginning of the text after the break, up to white space.
        hyphenation: What the document shows about hyphens.
        is_adjoining: True if nothing is between the two texts, so that an unknown word is one, too.
    """
    if _is_word(f"{resolved}{rest}", hyphenation):
        return True
    if len(resolved) < len(text):
        # The text goes on elsewhere, if a word of its own is after the break.
        return is_adjoining and not _is_word(rest, hyphenation)
    # Where words are parted often, the hyphen of a compound is seldom at the end of a page.
    return not hyphenation.breaks


def _broken_block(page: Page) -> int | None:
    """Return the index of the last text on a page, if it ends with a letter and a hyphen."""
    for index in range(len(page.blocks) - 1, max(-1, len(page.blocks) - 1 - MAX_BLOCKS), -1):
        block = page.blocks[index]
        if block.kind is BlockKind.HEADING:
            return None
        text = page.text[block.start : block.end]
        if block.kind in _BROKEN_KINDS and text[-1:] in HYPHENS and text[-2:-1].isalpha():
            return index
    return None


def _continuing_block(page: Page) -> int | None:
    """Return the index of the first text on a page that begins with a small letter."""
    for index, block in enumerate(page.blocks[:MAX_BLOCKS]):
        if block.kind is BlockKind.PARAGRAPH and page.text[block.start].islower():
            return index
        if block.kind not in _PASSED_OVER:
            return None
    return None


def _is_word(text: str, hyphenation: Hyphenation) -> bool:
    """Return True if the last word of a text is one of the document's, or of English in an English one."""
    word = _LAST_WORD.search(text)
    if word is None:
        return False
    return hyphenation.is_word(word[0]) or (not hyphenation.is_foreign and is_english_form(word[0].lower()))


def _with_text(page: Page, index: int, text: str) -> Page:
    """Return a page with another text, longer at its end, of one block."""
    block = page.blocks[index]
    more = len(text) - (block.end - block.start)
    blocks = (
        *page.blocks[:index],
        replace(block, end=block.end + more),
        *(_moved(one, more) for one in page.blocks[index + 1 :]),
    )
    spans = tuple(
        RecognisedSpan(
            span.start + more * (span.start >= block.end), span.end + more * (span.end >= block.end), span.confidence
        )
        for span in page.ocr_spans
    )
    return replace(
        page, text=f"{page.text[: block.start]}{text}{page.text[block.end :]}", blocks=blocks, ocr_spans=spans
    )


def _without_beginning(page: Page, index: int, count: int) -> Page:
    """Return a page without the first characters of one block and the white space after them."""
    block = page.blocks[index]
    text = page.text[block.start : block.end]
    count += len(text[count:]) - len(text[count:].lstrip())
    kept: tuple[Block, ...] = ()
    if count < len(text):
        starts = tuple(max(0, start - count) for start in block.box_starts)
        kept = (replace(block, end=block.end - count, box_starts=starts),)
    elif page.text.startswith(BLANK_LINE, block.end):
        count += len(BLANK_LINE)
    blocks = (*page.blocks[:index], *kept, *(_moved(one, -count) for one in page.blocks[index + 1 :]))
    end = block.start + count
    spans = tuple(
        RecognisedSpan(
            span.start - min(count, max(0, span.start - block.start)),
            span.end - min(count, max(0, span.end - block.start)),
            span.confidence,
        )
        for span in page.ocr_spans
    )
    spans = tuple(span for span in spans if span.end > span.start)
    return replace(page, text=page.text[: block.start] + page.text[end:], blocks=blocks, ocr_spans=spans)


def _moved(block: Block, by: int) -> Block:
    return replace(block, start=block.start + by, end=block.end + by)


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
