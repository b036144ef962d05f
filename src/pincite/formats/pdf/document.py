"""Opening PDF files, also truncated ones."""

import ctypes
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pypdfium2.raw as pdfium

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.detect.signature import PDF_JUNK, is_headless_pdf
from pincite.formats.pdf.form_tree import MAX_DRAWN_FORMS, count_drawn_forms
from pincite.formats.pdf.page.page import PdfPage, open_page
from pincite.formats.pdf.page.pdfium import Handle
from pincite.formats.pdf.repair import repairs

_HEADER = b"%PDF-1.7\n"
"""Header put in front of a file that lost it in a transfer; pdfium accepts all features under any version."""


@dataclass(frozen=True)
class PdfFile:
    """An open PDF file.

    Attributes:
        document: pdfium's document.
        buffer: The bytes that it was opened from; None for one that was made here.
        repaired: True if the end of the file was missing and its trailer was rebuilt.
    """

    document: Handle
    buffer: "ctypes.Array[Any] | None" = None
    repaired: bool = False

    def page(self, number: int, turns: int = 0) -> AbstractContextManager[PdfPage]:
        """Open a page with what its annotations draw; see `open_page`."""
        return open_page(self.document, number, turns, lambda: self._copy)

    @cached_property
    def _copy(self) -> Handle:
        """A second document of the same bytes, whose pages are flattened."""
        return _load(self.buffer)

    def close(self) -> None:
        """Close both documents."""
        for document in self.__dict__.get("_copy"), self.document:
            if document:
                pdfium.FPDF_CloseDocument(document)


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
    document = _load(buffer)
    error = 0 if document else pdfium.FPDF_GetLastError()
    if error in (pdfium.FPDF_ERR_FORMAT, pdfium.FPDF_ERR_UNKNOWN):
        for repaired in repairs(data):
            buffer = ctypes.create_string_buffer(repaired, len(repaired))
            document = _load(buffer)
            if document:
                break
    if not document:
        raise _open_error(error)
    file = PdfFile(document, buffer, repaired=bool(error))
    try:
        yield file
    finally:
        file.close()


def _load(buffer: "ctypes.Array[Any] | None") -> Handle:
    return pdfium.FPDF_LoadMemDocument64(buffer, len(buffer), None) if buffer is not None else None


def _open_error(error: int) -> InvalidInput:
    if error == pdfium.FPDF_ERR_PASSWORD:
        return InvalidInput("The PDF is encrypted. Save it without a password and read it again.")
    if error == pdfium.FPDF_ERR_SECURITY:
        return InvalidInput("The PDF is encrypted in a way that cannot be read. Save it without encryption.")
    return InvalidInput("The PDF is damaged: it cannot be opened. Open it in a viewer and save it again.")
