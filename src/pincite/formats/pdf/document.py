"""Opening PDF files, with repair of truncated ones."""

import ctypes
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pypdfium2.raw as pdfium

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.detect.signature import PDF_JUNK, is_headless_pdf
from pincite.formats.pdf.page.page import Handle

_HEADER = b"%PDF-1.7\n"
"""Header put in front of a file that lost it in a transfer; pdfium accepts all features under any version."""

MAX_OBJECTS = 500_000
"""Objects searched for pages in a file without a trailer; bounds the time for crafted files."""
_OBJECT = re.compile(rb"(?<!\d)(\d{1,9})\s{1,9}\d{1,5}\s{1,9}obj\b")
"""Beginning of an indirect object, `12 0 obj`; bounded repeats keep the search linear."""
_OBJECT_TYPE = re.compile(rb"/Type\s{0,9}/(Catalog|Page)(?![A-Za-z])")
_MAX_OBJECT_HEAD_BYTES = 4096
"""Bytes of an object searched for its type."""


@dataclass(frozen=True, slots=True)
class PdfFile:
    """An open PDF file.

    Attributes:
        document: pdfium's document.
        repaired: True if the end of the file was missing and its trailer was rebuilt.
    """

    document: Handle
    repaired: bool = False


@contextmanager
def open_document(data: bytes) -> Generator[PdfFile]:
    """Open a PDF for the duration of a `with` block.

    Args:
        data: Bytes of the file.

    Raises:
        Unsupported: The file is no PDF.
        InvalidInput: The file is encrypted or damaged.
    """
    if b"%PDF-" not in data[: PDF_JUNK + 5]:
        if not is_headless_pdf(data):
            raise Unsupported(
                "The file is not a PDF: it does not begin with %PDF. Give it the extension of its format."
            )
        data = _HEADER + data
    # pdfium does not copy the bytes: the buffer must live until the document is closed.
    buffer = ctypes.create_string_buffer(data, len(data))
    document = pdfium.FPDF_LoadMemDocument64(buffer, len(data), None)
    error = 0 if document else pdfium.FPDF_GetLastError()
    if error in (pdfium.FPDF_ERR_FORMAT, pdfium.FPDF_ERR_UNKNOWN) and (repaired := rebuild_trailer(data)) is not None:
        buffer = ctypes.create_string_buffer(repaired, len(repaired))
        document = pdfium.FPDF_LoadMemDocument64(buffer, len(repaired), None)
    if not document:
        raise _open_error(error)
    try:
        yield PdfFile(document, repaired=bool(error))
    finally:
        pdfium.FPDF_CloseDocument(document)


def _open_error(error: int) -> InvalidInput:
    if error == pdfium.FPDF_ERR_PASSWORD:
        return InvalidInput("The PDF is encrypted. Save it without a password and read it again.")
    if error == pdfium.FPDF_ERR_SECURITY:
        return InvalidInput("The PDF is encrypted in a way that cannot be read. Save it without encryption.")
    return InvalidInput("The PDF is damaged: it cannot be opened. Open it in a viewer and save it again.")


def rebuild_trailer(data: bytes) -> bytes | None:
    """Append a page tree, a trailer and, if missing, a catalog; None if no page objects are left.

    Objects inside object streams are not searched.
    """
    # A dict for the pages: file order, and a page that an update repeats counts once.
    catalog, pages, highest = 0, dict[int, None](), 0
    for number, kind in _objects(data):
        highest = max(highest, number)
        if kind == b"Catalog":
            catalog = number
        elif kind == b"Page":
            pages[number] = None
    if not pages:
        return None
    kids = b" ".join(b"%d 0 R" % number for number in pages)
    tree, root = highest + 1, highest + 2
    appended = b"\nendobj\n%d 0 obj\n<</Type/Pages/Count %d/Kids[%s]>>\nendobj\n" % (tree, len(pages), kids)
    # A catalog is of use only with the page tree that it points to.
    if not catalog or not _has_page_tree(data):
        appended += b"%d 0 obj\n<</Type/Catalog/Pages %d 0 R>>\nendobj\n" % (root, tree)
        catalog = root
    return data + appended + b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n0\n%%%%EOF\n" % (highest + 3, catalog)


def _objects(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield number and type of each object; the type is empty unless `Catalog` or `Page`."""
    for count, match in enumerate(_OBJECT.finditer(data)):
        if count == MAX_OBJECTS:
            return
        # Without the stream, whose bytes may look like anything.
        head = data[match.end() : match.end() + _MAX_OBJECT_HEAD_BYTES].partition(b"endobj")[0].partition(b"stream")[0]
        kind = _OBJECT_TYPE.search(head)
        yield int(match[1]), kind[1] if kind else b""


def _has_page_tree(data: bytes) -> bool:
    return re.search(rb"/Type\s{0,9}/Pages(?![A-Za-z])", data) is not None
