"""A PDF file, open."""

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
"""What pdfium needs at the beginning, and a transfer has cut off; it takes every later feature under any version."""

MOST_OBJECTS = 500_000
_OBJECT = re.compile(rb"(?<!\d)(\d{1,9})\s{1,9}\d{1,5}\s{1,9}obj\b")
_KIND = re.compile(rb"/Type\s{0,9}/(Catalog|Page)(?![A-Za-z])")
_LONGEST = 4096
"""Bytes of an object in which its type is looked for."""


@dataclass(frozen=True, slots=True)
class PdfFile:
    """An open file.

    Attributes:
        document: pdfium's document.
        repaired: Whether its end was missing, so that it was put together from what is left.
    """

    document: Handle
    repaired: bool = False


@contextmanager
def opened(data: bytes) -> Generator[PdfFile]:
    """A file, closed at the end.

    Args:
        data: Its bytes.

    Raises:
        Unsupported: It is no PDF.
        InvalidInput: It is encrypted, or damaged.
    """
    if b"%PDF-" not in data[: PDF_JUNK + 5]:
        if not is_headless_pdf(data):
            raise Unsupported("The file is no PDF: it does not begin with %PDF.")
        data = _HEADER + data
    kept = ctypes.create_string_buffer(data, len(data))
    document = pdfium.FPDF_LoadMemDocument64(kept, len(data), None)
    error = 0 if document else pdfium.FPDF_GetLastError()
    if error in (pdfium.FPDF_ERR_FORMAT, pdfium.FPDF_ERR_UNKNOWN) and (whole := rebuilt(data)) is not None:
        kept = ctypes.create_string_buffer(whole, len(whole))
        document = pdfium.FPDF_LoadMemDocument64(kept, len(whole), None)
    if not document:
        raise _refusal(error)
    try:
        yield PdfFile(document, repaired=bool(error))
    finally:
        pdfium.FPDF_CloseDocument(document)


def _refusal(error: int) -> InvalidInput:
    if error == pdfium.FPDF_ERR_PASSWORD:
        return InvalidInput("The PDF is encrypted. Save it without a password and read it again.")
    if error == pdfium.FPDF_ERR_SECURITY:
        return InvalidInput("The PDF is encrypted in a way that cannot be read. Save it without encryption.")
    return InvalidInput("The PDF is damaged: it cannot be opened. Open it in a viewer and save it again.")


def rebuilt(data: bytes) -> bytes | None:
    """The file with a catalog, a list of pages and a trailer at its end; None where it has no pages left.

    Objects that are packed into streams are not looked into.
    """
    catalog, pages, last = 0, dict[int, None](), 0
    for number, kind in _objects(data):
        last = max(last, number)
        if kind == b"Catalog":
            catalog = number
        elif kind == b"Page":
            pages[number] = None
    if not pages:
        return None
    kids = b" ".join(b"%d 0 R" % number for number in pages)
    tree, root = last + 1, last + 2
    added = b"\nendobj\n%d 0 obj\n<</Type/Pages/Count %d/Kids[%s]>>\nendobj\n" % (tree, len(pages), kids)
    if not catalog or not _has_tree(data):
        added += b"%d 0 obj\n<</Type/Catalog/Pages %d 0 R>>\nendobj\n" % (root, tree)
        catalog = root
    return data + added + b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n0\n%%%%EOF\n" % (last + 3, catalog)


def _objects(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Numbers of the objects, with their type where it is one of those that count."""
    for count, found in enumerate(_OBJECT.finditer(data)):
        if count == MOST_OBJECTS:
            return
        head = data[found.end() : found.end() + _LONGEST].partition(b"endobj")[0].partition(b"stream")[0]
        kind = _KIND.search(head)
        yield int(found[1]), kind[1] if kind else b""


def _has_tree(data: bytes) -> bool:
    return re.search(rb"/Type\s{0,9}/Pages(?![A-Za-z])", data) is not None
