"""A PDF file, open."""

import ctypes
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

import pypdfium2.raw as pdfium

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.detect.signature import PDF_JUNK, is_headless_pdf
from pincite.formats.pdf.page import Handle
from pincite.formats.pdf.repair import rebuilt

_HEADER = b"%PDF-1.7\n"
"""What pdfium needs at the beginning, and a transfer has cut off; it takes every later feature under any version."""


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
