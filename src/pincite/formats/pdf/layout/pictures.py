"""Pages of pictures that are no PDF: their recognised text is laid out as that of a scanned page is."""

from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager

import pypdfium2.raw as pdfium

from pincite.formats.pdf.document import PdfFile
from pincite.formats.pdf.layout.pages import UntaggedPages
from pincite.formats.pdf.layout.recognition import Recognition
from pincite.model.recognition import RecognisedPage


@contextmanager
def picture_pages(recognised: Sequence[RecognisedPage]) -> Generator[UntaggedPages]:
    """Return a writer of recognised pages, over empty pages of their size, for the duration of a `with` block.

    Args:
        recognised: Pages 1 to the last, in order.
    """
    document = pdfium.FPDF_CreateNewDocument()
    try:
        for index, page in enumerate(recognised):
            size = (page.height, page.width) if page.turns % 2 else (page.width, page.height)
            pdfium.FPDF_ClosePage(pdfium.FPDFPage_New(document, index, *(max(1.0, side) for side in size)))
        recognition = Recognition({page.number: page for page in recognised}, "")
        with closing(UntaggedPages(PdfFile(document), len(recognised), {}, None, recognition)) as pages:
            yield pages
    finally:
        pdfium.FPDF_CloseDocument(document)
