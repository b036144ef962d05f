"""A PDF file, open."""

import ctypes
from collections.abc import Generator
from contextlib import contextmanager

import pypdfium2.raw as pdfium

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.pdf.page import Handle
from pincite.formats.signature import PDF_JUNK


@contextmanager
def opened(data: bytes) -> Generator[Handle]:
    """A file, closed at the end.

    Args:
        data: Its bytes.

    Raises:
        Unsupported: It is no PDF.
        InvalidInput: It is encrypted, or damaged.
    """
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
