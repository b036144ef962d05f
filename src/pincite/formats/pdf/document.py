"""Opening PDF files, also truncated ones."""

import ctypes
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

import pypdfium2.raw as pdfium

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.detect.signature import PDF_JUNK, is_headless_pdf
from pincite.formats.pdf.form_tree import MAX_DRAWN_FORMS, count_drawn_forms
from pincite.formats.pdf.page.pdfium import Handle
from pincite.formats.pdf.repair import repairs

_HEADER = b"%PDF-1.7\n"
"""Header put in front of a file that lost it in a transfer; pdfium accepts all features under any version."""


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
        InvalidInput: The file is encrypted or damaged, or made to keep a reader busy.
    """
    if b"%PDF-" not in data[: PDF_JUNK + 5]:
        if not is_headless_pdf(data):
            raise Unsupported(
                "The file is not a PDF: it does not begin with %PDF. Give it the extension of its format."
            )
        data = _HEADER + data
    if count_drawn_forms(data) > MAX_DRAWN_FORMS:
        raise InvalidInput(
            f"The PDF draws forms within forms more than {MAX_DRAWN_FORMS:,} times: it is not read. "
            "Print it to a new PDF, and read that."
        )
    # pdfium does not copy the bytes: the buffer must live until the document is closed.
    buffer = ctypes.create_string_buffer(data, len(data))
    document = pdfium.FPDF_LoadMemDocument64(buffer, len(data), None)
    error = 0 if document else pdfium.FPDF_GetLastError()
    if error in (pdfium.FPDF_ERR_FORMAT, pdfium.FPDF_ERR_UNKNOWN):
        for repaired in repairs(data):
            buffer = ctypes.create_string_buffer(repaired, len(repaired))
            document = pdfium.FPDF_LoadMemDocument64(buffer, len(repaired), None)
            if document:
                break
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
